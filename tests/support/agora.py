"""Positions of Agora set up by hand, games played by chance, and the rules of walking in their slowest form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

import pytest

from boardgamesbot.games import registry
from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.core import Core
from boardgamesbot.games.agora.game import Agora
from boardgamesbot.games.agora.movements import Log
from boardgamesbot.games.agora.moves import Kind
from boardgamesbot.games.agora.proto import AgoraCodec
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.agora.state import AgoraState, Phase
from boardgamesbot.games.base import IllegalMove, Move, Options
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream

(
    LES_CORTS,
    SARRIA,
    GRACIA,
    HORTA,
    NOU_BARRIS,
    SANT_ANDREU,
    SANTS,
    EIXAMPLE,
    SANT_MARTI,
    CIUTAT_VELLA,
) = range(DISTRICTS)
BLUE, RED, YELLOW, GREEN, WHITE = range(5)

_game, _codec = registry.game("agora"), registry.codec("agora")
assert isinstance(_game, Agora)
assert isinstance(_codec, AgoraCodec)
GAME: Agora = _game
CODEC: AgoraCodec = _codec

ALL_OPTIONS = [
    dict(zip([option.name for option in GAME.options], names, strict=True))
    for names in product(*[[value.name for value in option.values] for option in GAME.options])
]
"""Every combination of options."""

Board = Mapping[int, Mapping[int, int]]
"""Walkers by district and seat."""


def square(district: int, value: int) -> int:
    """A square of a district with this value: the first in the ruleset's order."""
    ruleset = GAME.ruleset
    return next(n for n in range(1, SQUARES + 1) if (ruleset.district_of[n], ruleset.value_of[n]) == (district, value))


def position(
    phase: Phase,
    *,
    players: int = 4,
    turn: int = 3,
    fountain: int = BLUE,
    done: int = 0,
    upright: Board | None = None,
    lying: Board | None = None,
    hands: Sequence[Sequence[int]] | None = None,
    piles: tuple[Sequence[int], Sequence[int]] = ((), ()),
    supply: Mapping[int, int] | None = None,
    options: Mapping[str, str] | None = None,
    first_walk: Move | None = None,
) -> AgoraState:
    """A position with what is given and nothing else: no squares elsewhere, no past. Supplies are full if left out."""
    complete = GAME.complete_options(options or {})
    core = Core(GAME.board, players, complete)
    core.phase, core.turn, core.fountain, core.done = phase, turn, fountain, done
    for board, is_upright in ((upright or {}, True), (lying or {}, False)):
        for district, row in board.items():
            for seat, walkers in row.items():
                core.upright[district * players + seat] += walkers if is_upright else 0
                core.total[district * players + seat] += walkers
    core.hands = [list(hand) for hand in hands] if hands is not None else [[] for _ in range(players)]
    core.piles = [list(piles[0]), list(piles[1])]
    for seat, walkers in (supply or {}).items():
        core.supply[seat] = walkers
    if first_walk is not None:
        core.first_walk = first_walk
    core.settle()
    return AgoraState(GAME, complete, ChanceStream(bytes(SEED_BYTES)), core, Log())


def new_game(players: int = 4, options: Mapping[str, str] | None = None, seed: int = 0) -> AgoraState:
    """A game before its first decision."""
    chance = ChanceStream(Random(seed).randbytes(SEED_BYTES))
    state, _ = GAME.new(players, GAME.complete_options(options or {}), chance)
    return state


def game_by_chance(players: int, options: Options, seed: int) -> Iterator[AgoraState]:
    """The positions of a game in which everybody moves by chance, from the first decision to the end.

    It is one state that goes on changing: copy it to keep it.
    """
    state, rng = new_game(players, options, seed), Random(seed)
    yield state
    while not state.is_over:
        state.apply(rng.choice(state.legal_moves()))
        yield state


def after_moves(players: int, options: Options, seed: int, count: int) -> AgoraState:
    """The position after so many moves by chance, or the last one of the game."""
    state, rng = new_game(players, options, seed), Random(seed)
    for _ in range(count):
        if state.is_over:
            break
        state.apply(rng.choice(state.legal_moves()))
    return state


def walker_count(state: AgoraState, district: int, seat: int) -> int:
    """Walkers of a seat in a district, upright and lying."""
    return state.total[district * state.players + seat]


def refusal(state: AgoraState, move: Move) -> IllegalMove:
    """The refusal of a move that no list of legal moves holds either."""
    assert move not in state.legal_moves(), moves.parts(move)
    with pytest.raises(IllegalMove) as caught:
        state.check(move)
    return caught.value


def is_legal(state: AgoraState, move: Move) -> bool:
    """Whether a move is legal; `check` and `legal_moves` must say the same."""
    if move not in state.legal_moves():
        refusal(state, move)
        return False
    state.check(move)
    return True


def of_kind(state: AgoraState, kind: Kind) -> list[moves.Parts]:
    """The legal moves of a kind, taken apart."""
    return [parts for parts in map(moves.parts, state.legal_moves()) if parts.kind is kind]

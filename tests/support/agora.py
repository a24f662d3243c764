"""Positions of Agora set up by hand, games played by chance, and the rules of walking in their slowest form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

from boardgamesbot.games import registry
from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.game import Agora
from boardgamesbot.games.agora.proto import AgoraCodec
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.agora.state import AgoraState, Phase
from boardgamesbot.games.base import Move, Options
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
) -> AgoraState:
    """A position with what is given and nothing else: no squares elsewhere, no past. Supplies are full if left out."""
    state = AgoraState(GAME, players, GAME.complete_options(options or {}), ChanceStream(bytes(SEED_BYTES)))
    state.phase, state.turn, state.fountain, state.done = phase, turn, fountain, done
    for board, counts in ((upright or {}, state.upright), (lying or {}, state.lying)):
        for district, row in board.items():
            for seat, walkers in row.items():
                counts[district * players + seat] = walkers
                state.total[district * players + seat] += walkers
    state.hands = [list(hand) for hand in hands] if hands is not None else [[] for _ in range(players)]
    state.piles = [list(piles[0]), list(piles[1])]
    for seat, walkers in (supply or {}).items():
        state.supply[seat] = walkers
    return state


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


def tied_districts(total: Sequence[int], players: int) -> list[int]:
    """The districts where two or more players share the highest number of walkers, above 0."""
    tied = []
    for district in range(DISTRICTS):
        row = sorted(total[district * players : (district + 1) * players])
        if row[-1] > 0 and row[-1] == row[-2]:
            tied.append(district)
    return tied


def slow_legal_moves(state: AgoraState) -> list[Move]:
    """The legal moves by trying out everything, each pair of walks on a board of its own."""
    seat = state.actor
    found: set[Move] = set()
    if seat is None:
        return []
    match state.phase:
        case Phase.TAKE:
            found = {moves.take(GAME.ruleset.district_of[n]) for n in state.hands[(seat + 1) % state.players]}
        case Phase.PLAY:
            held = state.hands[seat]
            found = {moves.play(number) for number in held if _slow_is_playable(state, seat, number)}
            found = found or {moves.discard(number) for number in held}
        case Phase.FIRST_WALK:
            found = {moves.walk(*first) for first, _ in _slow_pairs(state, seat)}
        case Phase.SECOND_WALK:
            found = {moves.walk(*second) for second in _slow_seconds(state, seat)}
        case Phase.DRAW:
            found = {moves.draw(pile) for pile in range(moves.PILES) if state.piles[pile]}
        case Phase.PASS_FOUNTAIN:
            found = {moves.pass_fountain(other) for other in range(state.players) if other != seat}
    return sorted(found)


def _slow_is_playable(state: AgoraState, seat: int, number: int) -> bool:
    if number not in state.hands[seat]:
        return False
    district, value = GAME.ruleset.district_of[number], GAME.ruleset.value_of[number]
    total = state.total.copy()
    total[district * state.players + seat] += value
    return value <= state.supply[seat] and district not in tied_districts(total, state.players)


Walk = tuple[int, int, int]


def _slow_walks(upright: Sequence[int], players: int) -> Iterator[Walk]:
    """Every upright walker's ways: whose it is, from, to."""
    for walker in range(players):
        for frm in range(DISTRICTS):
            if upright[frm * players + walker] > 0:
                for to in GAME.ruleset.neighbours[frm]:
                    yield walker, frm, to


def _slow_pairs(state: AgoraState, seat: int) -> Iterator[tuple[Walk, Walk]]:
    """Every legal pair of walks."""
    players = state.players
    for first in _slow_walks(state.upright, players):
        upright = state.upright.copy()
        upright[first[1] * players + first[0]] -= 1
        for second in _slow_walks(upright, players):
            if _may_follow(state, seat, first[0], second[0]) and not tied_districts(
                _walked(state.total, players, first, second), players
            ):
                yield first, second


def _slow_seconds(state: AgoraState, seat: int) -> Iterator[Walk]:
    """Every legal second walk."""
    assert state.first_walk is not None
    for second in _slow_walks(state.upright, state.players):
        if _may_follow(state, seat, state.first_walk.what, second[0]) and not tied_districts(
            _walked(state.total, state.players, second), state.players
        ):
            yield second


def _may_follow(state: AgoraState, seat: int, first: int, second: int) -> bool:
    """Whether walkers of these two colours may walk, one after the other."""
    return first == second == seat if state.turn == state.turns else first != second


def _walked(total: Sequence[int], players: int, *walks: Walk) -> list[int]:
    after = list(total)
    for walker, frm, to in walks:
        after[frm * players + walker] -= 1
        after[to * players + walker] += 1
    return after

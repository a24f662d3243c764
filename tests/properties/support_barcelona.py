"""Games of Barcelona by chance, in every way they may be played, and all that can be compared of their positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.proto import BarcelonaCodec
from boardgamesbot.games.barcelona.state import FIELDS, BarcelonaState
from boardgamesbot.games.base import Event, IllegalMove, Malformed, Move, State, View
from tests.support.barcelona import GAME, new_game_told

CODEC = BarcelonaCodec(GAME)
MOST_TILES_A_TURN = 4
"""More Modernisme tiles than Gaudí can come to take in a turn: by his card, a Public Service, a Sagrada tile."""


@dataclass(frozen=True)
class Played:
    """A game in which everybody moves by chance; `eager` players decline nothing that they need not."""

    players: int
    expansion: bool
    eager: bool
    seed: int
    solo: str = "NONE"
    solo_actions: str = "FIRST"

    def begin(self) -> tuple[BarcelonaState, list[Event]]:
        """The game before its first decision, and what happened until then."""
        options = {"solo": self.solo, "solo_actions": self.solo_actions}
        return new_game_told(self.players, seed=self.seed, expansion=self.expansion, options=options)

    def choose(self, state: BarcelonaState, rng: Random) -> Move:
        """One of the legal moves."""
        return rng.choice([move for move in state.legal_moves() if move != moves.STOP or not self.eager])

    def positions(self) -> Iterator[BarcelonaState]:
        """From the first decision to the end: one state that goes on changing."""
        state, rng = self.begin()[0], Random(self.seed)
        yield state
        while not state.is_over:
            state.apply(self.choose(state, rng))
            yield state

    def after(self, made: int) -> BarcelonaState:
        """The position after so many moves, or the last one of the game."""
        state, rng = self.begin()[0], Random(self.seed)
        for _ in range(made):
            if state.is_over:
                break
            state.apply(self.choose(state, rng))
        return state

    def events(self) -> list[Event]:
        (state, events), rng = self.begin(), Random(self.seed)
        while not state.is_over:
            events += state.apply(self.choose(state, rng))
        return events


SEEDS = st.integers(0, 2**32 - 1)
DIFFICULTIES = ("EASY", "NORMAL", "HARD")
SOLO = st.builds(
    Played,
    st.just(2),
    st.booleans(),
    st.booleans(),
    SEEDS,
    st.sampled_from(DIFFICULTIES),
    st.sampled_from(("FIRST", "BOTH")),
)
PLAYED = st.one_of(st.builds(Played, st.integers(2, 4), st.booleans(), st.booleans(), SEEDS), SOLO)
MOVES_MADE = st.integers(0, 260)
GAMES = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
POSITIONS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def insides(state: BarcelonaState) -> dict[str, str]:
    """What a state holds, that which is not written down because it follows from the rest included."""
    return {name: repr(getattr(state, name)) for name in FIELDS if name not in ("chance", "game")}


def seen(state: BarcelonaState, seat: int | None) -> tuple[dict[str, str], int | None, bool, list[Move]]:
    """All that a view of the state tells a seat."""
    view = state.view(seat)
    return insides(view.position), view.actor, view.undoable, view.legal_moves()


def state_bytes(state: State) -> bytes:
    return CODEC.state_to(state).SerializeToString(deterministic=True)


def view_bytes(view: View) -> bytes:
    return CODEC.view_to(view).SerializeToString(deterministic=True)


def event_bytes(events: list[Event]) -> list[bytes]:
    return [CODEC.event_to(event).SerializeToString(deterministic=True) for event in events]


def readers(state: BarcelonaState) -> list[int | None]:
    return [None, *range(state.players)]


def received(state: BarcelonaState, seat: int | None) -> tuple[bytes, list[Move]]:
    """All that a seat is given of a position."""
    view = state.view(seat)
    return view_bytes(view), view.legal_moves()


def refusal_of(state: BarcelonaState, move: Move) -> IllegalMove | Malformed | None:
    try:
        state.check(move)
    except (IllegalMove, Malformed) as refusal:
        return refusal
    return None

"""Cerdà scorings and the final scoring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.building import free_space
from boardgamesbot.games.barcelona.counts import COUNTERS
from boardgamesbot.games.barcelona.events import CerdaScored, EndBegan
from boardgamesbot.games.barcelona.pedestrians import LAST_STEP
from boardgamesbot.games.barcelona.reasons import FOR_CERDA

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_SECTIONS = 3


def value(state: BarcelonaState, seat: int, scoring: int) -> int:
    """What a criterion is worth to a seat, before any multiplier (BA-CS3)."""
    entry = state.ruleset.scorings[scoring]
    return min(entry.most, entry.vp * COUNTERS[entry.count](state, seat))


def multiplier(state: BarcelonaState, seat: int) -> int:
    """The multiplier at a seat's place on the Cerdà track (BA-CT1)."""
    return state.ruleset.multipliers[state.cerda[seat]]


def is_complete(state: BarcelonaState, section: int) -> bool:
    """Whether some row of the citizen track has filled a section (BA-CS1)."""
    end = state.ruleset.section_ends[section]
    return free_space(state, 0) >= end or free_space(state, 1) >= end or free_space(state, 2) >= end


def score_complete(state: BarcelonaState) -> None:
    """Score the sections completed since the last check, in order, each once (BA-CS1)."""
    for section in range(_SECTIONS):
        if not state.scored[section] and is_complete(state, section):
            _score(state, section)
    _end_if_last(state, bag_empty=False)


def score_all(state: BarcelonaState) -> None:
    """Score what is left, in order: the bag has run out of citizens (BA-D2)."""
    for section in range(_SECTIONS):
        if not state.scored[section]:
            _score(state, section)
    _end_if_last(state, bag_empty=True)


def _score(state: BarcelonaState, section: int) -> None:
    """Value times multiplier, for every player (BA-CS2)."""
    tile, seats = state.cerda_tiles[section], range(state.players)
    values = tuple(value(state, seat, tile) for seat in seats)
    multipliers = tuple(multiplier(state, seat) for seat in seats)
    state.scored[section] = True
    if state.events is not None:
        state.tell(CerdaScored(section, tile, values, multipliers))
    for seat in seats:
        gains.points(state, seat, values[seat] * multipliers[seat], FOR_CERDA)


def _end_if_last(state: BarcelonaState, *, bag_empty: bool) -> None:
    if not state.ending and all(state.scored):
        state.ending = True
        if state.events is not None:
            state.tell(EndBegan(bag_empty))


@dataclass(frozen=True, slots=True)
class Final:
    """The final scoring of one seat, all from the same position (BA-E2)."""

    cobblestones: int
    passengers: int
    modernisme: int
    joy: int
    left_over: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.cobblestones + self.passengers + self.modernisme + self.joy + self.left_over


def final(state: BarcelonaState, seat: int) -> Final:
    """What a seat would gain if the game ended now."""
    ruleset = state.ruleset
    factors = ruleset.project_factors
    return Final(
        cobblestones=ruleset.cobblestone_vp[state.cobblestones_placed[seat]],
        passengers=ruleset.passenger_vp[state.passengers_placed[seat]],
        modernisme=sum(
            value(state, seat, tile) * factors[improved]
            for tile, improved in zip(state.projects[seat], state.improved[seat], strict=True)
            if tile >= 0
        ),
        joy=sum(state.joy[i] for i in (2 * seat, 2 * seat + 1) if 0 < state.path[i] < LAST_STEP)
        if state.expansion and not state.is_gaudi(seat)
        else 0,
        left_over=ruleset.left_over_vp * (state.coins[seat] + state.cloth[seat]),
    )


def totals(state: BarcelonaState) -> list[int]:
    """Points by seat, as if the game ended now."""
    return [state.vp[seat] + final(state, seat).total for seat in range(state.players)]

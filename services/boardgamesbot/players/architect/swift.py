"""The architect's quick player: a turn played on without trying anything, or with a few of its beginnings tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgamesbot.games.barcelona.building import TOP, free_space
from boardgamesbot.games.barcelona.moves import RANGE
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.base import Move
from boardgamesbot.players.architect.prospect import BUILDINGS_AT, Prospect
from boardgamesbot.players.barcelona_quick import Quick

_ONE_OF = (0, 1, 16, 256)
"""A citizen of a class as a number, such that sums tell how many there are of each."""
_NONE: Final = -1
"""No move."""


class Swift(Quick):
    """A quick player at the architect's prices; of a building it also sees the points of the citizen track."""

    def __init__(self, state: BarcelonaState, seat: int, prices: Sequence[float]) -> None:
        self.prospect = Prospect(state, seat, prices)
        super().__init__(self.prospect, state)
        buildings = prices[BUILDINGS_AT]
        self.sites.worth = [[worth * buildings for worth in row] for row in self.sites.worth]

    def _build(self, state: BarcelonaState, task: Task) -> list[float]:
        rated = super()._build(state, task)
        points, around = self.ruleset.track_vp, self.ruleset.city.around
        known: dict[int, int] = {}
        for place, move in enumerate(state.legal):
            packed = move % RANGE
            using, going = packed & 15, 0
            for intersection in around[packed >> 6][1]:
                if using & 1:
                    going += _ONE_OF[state.citizens[intersection] & TOP]
                using >>= 1
            if going not in known:
                counts = (going & 15, going >> 4 & 15, going >> 8)
                known[going] = points[min(self._lowest(state, counts), len(points) - 1)]
            rated[place] += known[going]
        return rated

    def _lowest(self, state: BarcelonaState, going: tuple[int, int, int]) -> int:
        """The lowest free space of a row of the citizen track, these citizens put there."""
        covered, lowest = self.ruleset.covered[state.boards], 99
        for row in range(3):
            space = free_space(state, row)
            for _ in range(going[row]):
                space += 1
                while space in covered:
                    space += 1
            if space < lowest:
                lowest = space
        return lowest

    def finish(self, state: BarcelonaState) -> None:
        """Play the turn of one who has placed its citizens to its end."""
        seat = self.seat
        while in_turn(state, seat):
            state.advance(self.pick(state))

    def played(self, state: BarcelonaState, tries: int) -> BarcelonaState:
        """The end of the turn that begins here.

        With one try as looks best at each decision; with more, of so many first moves that look best the one that ends
        best, and then at each decision the second best instead if that ends better.
        """
        if tries < 2:
            state.advance(self.pick(state))
            self.finish(state)
            return state
        best, most, kept = state, 0.0, _NONE
        way: list[tuple[Move, Move]] = []
        for move in self._promising(state, tries):
            after, followed = self._finished(state, move)
            worth = self._worth(after)
            if kept == _NONE or worth > most:
                best, most, kept, way = after, worth, move, followed
        state.advance(kept)
        decisions = 0
        while decisions < len(way):
            kept, second = way[decisions]
            decisions += 1
            if second != _NONE:
                after, followed = self._finished(state, second)
                worth = self._worth(after)
                if worth > most:
                    best, most, kept, way, decisions = after, worth, second, followed, 0
            state.advance(kept)
        return best

    def _promising(self, state: BarcelonaState, most: int) -> list[Move]:
        """The moves that look best, the best first."""
        legal = state.legal
        if len(legal) == 1:
            return legal
        rated = self.rate(state)
        return [legal[i] for i in sorted(range(len(legal)), key=lambda i: -rated[i])[:most]]

    def _finished(self, state: BarcelonaState, move: Move) -> tuple[BarcelonaState, list[tuple[Move, Move]]]:
        """The end of the turn if this move is made now and the rest is played as looks best; with the best and the
        second best looking move of each decision after it.
        """
        after = state.copy()
        after.advance(move)
        followed: list[tuple[Move, Move]] = []
        while in_turn(after, self.seat):
            best, second = self._two_best(after)
            followed.append((best, second))
            after.advance(best)
        return after, followed

    def _two_best(self, state: BarcelonaState) -> tuple[Move, Move]:
        """The two moves that look best, of equal ones the first; there may be only one."""
        legal = state.legal
        if len(legal) == 1:
            return legal[0], _NONE
        rated = self.rate(state)
        first, second = (0, 1) if rated[0] >= rated[1] else (1, 0)
        most, next_most = rated[first], rated[second]
        for i in range(2, len(legal)):
            rating = rated[i]
            if rating > most:
                second, next_most = first, most
                first, most = i, rating
            elif rating > next_most:
                second, next_most = i, rating
        return legal[first], legal[second]

    def _worth(self, end: BarcelonaState) -> float:
        return self.prospect.position(end) + self.sites.openings(end)


def in_turn(state: BarcelonaState, seat: int) -> bool:
    """Whether a seat that has placed its citizens is still at its turn."""
    return not state.over and state.seat == seat and state.task[0] != Do.PLACE

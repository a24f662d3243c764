"""The architect's quick player: a turn played on without trying anything, or with a few of its beginnings tried."""

from __future__ import annotations

from collections.abc import Sequence

from boardgamesbot.games.barcelona.building import TOP, free_space
from boardgamesbot.games.barcelona.moves import RANGE
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.base import Move
from boardgamesbot.players.architect.prospect import BUILDINGS_AT, Prospect
from boardgamesbot.players.barcelona_quick import Quick


class Swift(Quick):
    """A quick player at the architect's prices; of a building it also sees the points of the citizen track."""

    def __init__(self, state: BarcelonaState, seat: int, prices: Sequence[float]) -> None:
        self.prospect = Prospect(state, seat, prices)
        super().__init__(self.prospect, state)
        buildings = prices[BUILDINGS_AT]
        self.sites.worth = [[worth * buildings for worth in row] for row in self.sites.worth]

    def _build(self, state: BarcelonaState, task: Task) -> list[float]:
        rated = super()._build(state, task)
        points, sites = self.ruleset.track_vp, self.ruleset.city.sites
        known: dict[tuple[int, int, int], int] = {}
        for place, move in enumerate(state.legal):
            packed = move % RANGE
            around, using = sites[packed >> 6].around, packed & 15
            going = [0, 0, 0]
            for bit, intersection in enumerate(around):
                if using >> bit & 1:
                    going[(state.citizens[intersection] & TOP) - 1] += 1
            key = (going[0], going[1], going[2])
            if key not in known:
                known[key] = points[min(self._lowest(state, key), len(points) - 1)]
            rated[place] += known[key]
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
        best, most, kept = state, 0.0, -1
        for move in self._promising(state, tries):
            after = self._finished(state, move)
            worth = self._worth(after)
            if kept < 0 or worth > most:
                best, most, kept = after, worth, move
        state.advance(kept)
        while in_turn(state, self.seat):
            promising = self._promising(state, 2)
            kept = promising[0]
            for move in promising[1:]:
                after = self._finished(state, move)
                worth = self._worth(after)
                if worth > most:
                    best, most, kept = after, worth, move
            state.advance(kept)
        return best

    def _promising(self, state: BarcelonaState, most: int) -> list[Move]:
        """The moves that look best, the best first."""
        legal = state.legal
        if len(legal) == 1:
            return legal
        rated = self.rate(state)
        return [legal[i] for i in sorted(range(len(legal)), key=lambda i: -rated[i])[:most]]

    def _finished(self, state: BarcelonaState, move: Move) -> BarcelonaState:
        """The end of the turn if this move is made now and the rest is played as looks best."""
        after = state.copy()
        after.advance(move)
        self.finish(after)
        return after

    def _worth(self, end: BarcelonaState) -> float:
        return self.prospect.position(end) + self.sites.openings(end)


def in_turn(state: BarcelonaState, seat: int) -> bool:
    """Whether a seat that has placed its citizens is still at its turn."""
    return not state.over and state.seat == seat and state.task[0] != Do.PLACE

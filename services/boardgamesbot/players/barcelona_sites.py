"""Where buildings of Barcelona can be built, and what they are worth to one seat."""

from __future__ import annotations

from collections.abc import Sequence

from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE, INTERSECTIONS
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.players.barcelona_worth import Outlook

_THREAT = 0.15
"""How much the best building that the next seat finds weighs."""
_CHANCE = 0.35
"""How much the best that is left after the others weighs."""
_LINE_GROWS = 0.5
"""How often a new block makes the longest line longer."""
_WITH_ONE_MORE = 0.8
"""How much of a building is as good as there if only one citizen is missing."""


class Sites:
    """What could be built where, and what it would be worth to the seat of an outlook."""

    def __init__(self, outlook: Outlook, state: BarcelonaState, worth_of_kind: Sequence[float]) -> None:
        self._outlook = outlook
        ruleset = state.ruleset
        self._sites = ruleset.city.sites
        self.around: list[list[int]] = [[] for _ in range(INTERSECTIONS)]
        """The sites that touch each intersection."""
        for number, site in enumerate(self._sites):
            for intersection in site.around:
                self.around[intersection].append(number)
        own_rows = {
            self._sites[i].block // BLOCKS_A_SIDE for i, pile in enumerate(state.markers) if outlook.seat in pile
        }
        self.worth = [
            [worth + extra for worth in worth_of_kind]
            for extra in (self._marker(state, number, own_rows) for number in range(len(self._sites)))
        ]
        """By site and kind of building."""

    def _marker(self, state: BarcelonaState, number: int, own_rows: set[int]) -> float:
        """What a marker on a site adds to what the building itself brings."""
        site, pile, unit = self._sites[number], state.markers[number], self._outlook.of
        row = site.block // BLOCKS_A_SIDE
        worth = unit("markers")
        if pile:
            worth += unit("upgrades")
        else:
            worth += unit("corner_blocks") if site.corner else unit("bottom_markers")
            if state.bonus_left[row]:
                worth += state.ruleset.row_vp
        if self._outlook.seat not in pile:
            worth += _LINE_GROWS * unit("longest_line")
            if row not in own_rows:
                worth += unit("rows")
        return worth

    def best(self, state: BarcelonaState, number: int, tops: Sequence[int]) -> float:
        """The worth of the best building on a site with these citizens on top around it; 0 for none."""
        return max(0.0, self._best(state, number, len(tops) - tops.count(0), 2 in tops, 3 in tops))

    def _best(self, state: BarcelonaState, number: int, citizens: int, middle: bool, upper: bool) -> float:
        standing, worth, left = state.buildings[number], self.worth[number], state.buildings_left
        best = 0.0
        if citizens < 2:
            return best
        if self._sites[number].corner:
            return worth[3] if standing < 0 and left[3] else best
        if standing < 0 and left[0]:
            best = worth[0]
        if middle and standing < 1 and left[1]:
            best = max(best, worth[1])
        if upper and citizens > 2 and standing < 2 and left[2]:
            best = max(best, worth[2])
        return best

    def openings(self, state: BarcelonaState) -> float:
        """What is left for oneself when the others had their turns, less what the next of them finds."""
        found = []
        for number, site in enumerate(self._sites):
            tops = [state.citizens[i] & 3 for i in site.around]
            empty = tops.count(0)
            citizens = len(tops) - empty
            ready = self._best(state, number, citizens, 2 in tops, 3 in tops)
            if empty:
                ready = max(ready, _WITH_ONE_MORE * self._best(state, number, citizens + 1, True, True))
            found.append(ready)
        found.sort(reverse=True)
        if self._outlook.turns <= 0:
            return -_THREAT * found[0]
        return _CHANCE * found[state.players - 1] - _THREAT * found[0]

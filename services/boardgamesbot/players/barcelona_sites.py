"""Where buildings of Barcelona can be built, and what they are worth to one seat."""

from __future__ import annotations

from collections.abc import Sequence

from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE
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
        self._around = ruleset.city.around
        self.around = ruleset.city.sites_at
        own_rows = {
            self._sites[i].block // BLOCKS_A_SIDE for i, pile in enumerate(state.markers) if outlook.seat in pile
        }
        extras = self._markers(state, own_rows)
        self.worth = [[worth + extra for worth in worth_of_kind] for extra in extras]
        """By site and kind of building."""

    def _markers(self, state: BarcelonaState, own_rows: set[int]) -> list[float]:
        """What a marker on each site adds to what the building itself brings."""
        unit, seat, row_vp = self._outlook.of, self._outlook.seat, state.ruleset.row_vp
        marker, upgrade, corner, bottom = (
            unit("markers"),
            unit("upgrades"),
            unit("corner_blocks"),
            unit("bottom_markers"),
        )
        line, one_more_row = _LINE_GROWS * unit("longest_line"), unit("rows")
        extras: list[float] = []
        for site, pile in zip(self._sites, state.markers, strict=True):
            row = site.block // BLOCKS_A_SIDE
            worth = marker
            if pile:
                worth += upgrade
            else:
                worth += corner if site.corner else bottom
                if state.bonus_left[row]:
                    worth += row_vp
            if seat not in pile:
                worth += line
                if row not in own_rows:
                    worth += one_more_row
            extras.append(worth)
        return extras

    def best(self, state: BarcelonaState, number: int, tops: Sequence[int]) -> float:
        """The worth of the best building on a site with these citizens on top of the intersections; 0 for none."""
        citizens, middle, upper = 0, False, False
        for intersection in self._around[number][1]:
            top = tops[intersection]
            if top:
                citizens += 1
                middle = middle or top == 2
                upper = upper or top == 3
        return max(0.0, self._best(state, number, citizens, middle, upper))

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
        stacks, found = state.citizens, [0.0] * len(self._sites)
        for number, (_, around) in enumerate(self._around):
            citizens, middle, upper = 0, False, False
            for intersection in around:
                top = stacks[intersection] & 3
                if top:
                    citizens += 1
                    middle = middle or top == 2
                    upper = upper or top == 3
            if not citizens:
                continue
            ready = self._best(state, number, citizens, middle, upper)
            if citizens < len(around):
                soon = _WITH_ONE_MORE * self._best(state, number, citizens + 1, True, True)
                ready = max(ready, soon)
            found[number] = ready
        found.sort(reverse=True)
        if self._outlook.turns <= 0:
            return -_THREAT * found[0]
        return _CHANCE * found[state.players - 1] - _THREAT * found[0]

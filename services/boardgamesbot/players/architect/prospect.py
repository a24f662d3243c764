"""What things are worth to a seat: the outlook of the greedy bot, its prices corrected by what play has shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgamesbot.games.barcelona.counts import COUNTERS, COUNTS
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.players.barcelona_worth import PRICED, Outlook

FACTORS = (
    "cerda",
    "projects",
    "amenities",
    "passengers_end",
    "cobblestones_end",
    "step",
    "coins",
    "cloth",
    "sagrada",
    "buildings",
    "growth",
)
"""Of what the outlook says something is worth, how much is true."""
_ROOMS: Final = 2 * PRICED - 1
"""In more room nothing is lost of what is priced."""
_UNKNOWN: Final = -1e9
"""What a storage is worth that was not asked for yet."""
_CERDA_AT = FACTORS.index("cerda")
_PROJECTS_AT = FACTORS.index("projects")
BUILDINGS_AT = FACTORS.index("buildings")
_GROWTH_AT = FACTORS.index("growth")
EXTRAS = (
    "intersections",
    "passengers",
    "wide_streets",
    "narrow_streets",
    "services",
    "cobblestones",
    "modernisme_tiles",
    "improved_spaces",
    "markers",
    "upgrades",
    "corner_blocks",
    "bottom_markers",
    "longest_line",
    "rows",
    "sagrada_tiles",
)
"""Counts of which one more is worth something beside what the outlook sees in it, in points."""
PRICES = (*FACTORS, *EXTRAS)
_EXTRA_COUNTS = tuple(list(COUNTS).index(name) for name in EXTRAS)
_MULTIPLIER = list(COUNTS).index("cerda_multiplier")
_PASSENGERS = list(COUNTS).index("passengers")
_COBBLESTONES = list(COUNTS).index("cobblestones")
PLAIN: tuple[float, ...] = (1.0,) * len(FACTORS) + (0.0,) * len(EXTRAS)
"""The outlook's own prices."""


class Prospect(Outlook):
    """An outlook at other prices, those of `PRICES` in their order."""

    def __init__(self, state: BarcelonaState, seat: int, prices: Sequence[float]) -> None:
        self._prices = prices
        self._stored = [_UNKNOWN] * (_ROOMS * PRICED * PRICED)
        super().__init__(state, seat)
        coins, cloth, sagrada = prices[6], prices[7], prices[8]
        self.coins = [worth * coins for worth in self.coins]
        self.cloth = [worth * cloth for worth in self.cloth]
        self.sagrada = [worth * sagrada for worth in self.sagrada]

    def stored(self, coins: int, cloth: int, room: int) -> float:
        coins, cloth = max(0, min(coins, PRICED - 1)), max(0, min(cloth, PRICED - 1))
        place = (min(room, _ROOMS - 1) * PRICED + coins) * PRICED + cloth
        worth = self._stored[place]
        if worth == _UNKNOWN:
            worth = self._stored[place] = super().stored(coins, cloth, room)
        return worth

    def scorings(self, state: BarcelonaState, seat: int) -> float:
        return self._prices[_CERDA_AT] * super().scorings(state, seat)

    def _projects(self, state: BarcelonaState) -> float:
        return self._prices[_PROJECTS_AT] * super()._projects(state)

    def projected(self, count: int, now: float, turns: float) -> float:
        return super().projected(count, now, turns * self._prices[_GROWTH_AT])

    def _price(self, state: BarcelonaState) -> None:
        ruleset, seat, unit, prices = self.ruleset, self.seat, self.unit, self._prices
        cerda, projects, amenities = prices[0], prices[1], prices[2]
        space = state.cerda[seat]
        for k, number in enumerate(state.cerda_tiles):
            if state.scored[k]:
                continue
            tile, until = ruleset.scorings[number], self.until[k]
            now = COUNTERS[tile.count](state, seat)
            unit[tile.count] += cerda * tile.vp * self.multiplier(space, until)
            slope = (self.multiplier(space + 2, until) - self.multiplier(space, until)) / 2
            self.step += tile.vp * self.projected(tile.count, now, until) * slope
        for number, improved in zip(state.projects[seat], state.improved[seat], strict=True):
            if number >= 0:
                tile = ruleset.scorings[number]
                now = COUNTERS[tile.count](state, seat)
                if tile.vp * now < tile.most and now < self.ceiling[tile.count]:
                    unit[tile.count] += projects * tile.vp * ruleset.project_factors[improved]
        if state.expansion:
            for amenity in state.amenities:
                unit[ruleset.amenities[amenity].count] += amenities * 0.5 * min(1.0, self.turns / 3)
        self.step = prices[5] * (self.step + unit[_MULTIPLIER] / 4)
        unit[_PASSENGERS] += prices[3] * self._slope(ruleset.passenger_vp, state.passengers_placed[seat], "passengers")
        unit[_COBBLESTONES] += prices[4] * self._slope(
            ruleset.cobblestone_vp, state.cobblestones_placed[seat], "cobblestones"
        )
        for count, extra in zip(_EXTRA_COUNTS, prices[len(FACTORS) :], strict=True):
            unit[count] += extra * self.use

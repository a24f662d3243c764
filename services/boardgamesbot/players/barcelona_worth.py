"""What a position of Barcelona is worth to one seat, in points, by what everybody may see.

An `Outlook` is made once a decision, from the position in which it is taken: how long the game still lasts, how far
each thing will have grown by then, and so what one more of each is worth. With it, positions later in the same turn
are valued. Hands, the bag's order and the Modernisme stack are never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import Op
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS
from boardgamesbot.games.barcelona.pedestrians import LAST_STEP, enjoys, place_of
from boardgamesbot.games.barcelona.scoring import totals
from boardgamesbot.games.barcelona.state import BarcelonaState

COUNTERS = tuple(COUNTS.values())
_NUMBER = {name: number for number, name in enumerate(COUNTS)}

_GROWTH = {
    "bottom_markers": 0.37,
    "corner_blocks": 0.20,
    "longest_line": 0.30,
    "intersections": 0.21,
    "passengers": 0.36,
    "passengers_on_streets": 0.30,
    "wide_streets": 0.34,
    "narrow_streets": 0.88,
    "services": 0.30,
    "cobblestones": 0.35,
    "modernisme_tiles": 0.35,
    "improved_spaces": 0.22,
    "improved_modernisme": 0.20,
    "sagrada_tiles": 0.26,
    "rows": 0.25,
    "upgrades": 0.23,
    "markers": 0.82,
    "cerda_multiplier": 0.25,
    "emptied_stacks": 0.70,
    "emptied_marker_stacks": 0.30,
    "joy_barcelona": 0.15,
    "joy_gracia": 0.15,
}
"""How many more of each a seat gets in a turn of its own, as seen in games of this bot."""

_CEILING = {
    "longest_line": 4.0,
    "rows": 4.0,
    "intersections": 5.0,
    "passengers": 4.0,
    "passengers_on_streets": 4.0,
    "services": 5.0,
    "corner_blocks": 4.0,
    "modernisme_tiles": 4.0,
    "improved_spaces": 4.0,
    "improved_modernisme": 4.0,
    "sagrada_tiles": 4.0,
    "cerda_multiplier": 4.0,
}

_GROWTHS = [_GROWTH.get(name, 0.0) for name in COUNTS]
_CEILINGS = [_CEILING.get(name, 99.0) for name in COUNTS]

_PACE = 1.55
"""Turns, of all seats together, for each space still free in the row of citizens that is farthest."""
_CERDA_DRIFT = 0.3
"""Steps on the Cerdà track that come by themselves in a turn."""
_RIVALRY = 0.5
"""How much a point of the others, on average, weighs against one of one's own."""

# What so many of them, kept for later turns, are worth
_COINS = (0.0, 2.4, 4.7, 6.9, 8.3, 9.3, 10.1, 10.8, 11.4, 11.9, 12.3)
_CLOTH = (0.0, 2.6, 4.9, 6.7, 8.1, 9.1, 9.9, 10.5, 11.0, 11.4, 11.7)
PRICED: Final = 11
"""So many numbers of them are told apart, 0 included; more are worth no more."""
_SAGRADA_TILES = (6.0, 9.0, 13.0, 19.0)
"""What a Sagrada Família tile of each level is worth."""

# What may still come of what is begun: how much of it is counted, and what it is taken to be worth
_SAGRADA_HOPE = 0.75
_STACK_HOPE = 0.6
_STACK_REWARD = 3.5
_IMPROVED_EMPTY = 6.0
_SPACE_FREE = 1.0
_PEDESTRIAN_DELAY = 0.86
"""For each step still to go."""


def interpolated(table: Sequence[float], at: float) -> float:
    """The value of a table between its whole places; its last one beyond."""
    if at >= len(table) - 1:
        return table[-1]
    low = int(at)
    return table[low] + (at - low) * (table[low + 1] - table[low])


class Outlook:
    """How the rest of the game looks to a seat, and what things are worth to it."""

    def __init__(self, state: BarcelonaState, seat: int) -> None:
        self.seat = seat
        self.ruleset = ruleset = state.ruleset
        self.others = [other for other in range(state.players) if other != seat]
        self._highest = float(ruleset.multipliers[-1])
        """The best Cerdà multiplier, and how much each step before it adds, were they all alike."""
        self._rise = (ruleset.multipliers[-1] - ruleset.multipliers[0]) / max(
            1, ruleset.multipliers.index(ruleset.multipliers[-1]) - 1
        )
        self._look_ahead(state)
        self.growth, self.ceiling = _GROWTHS, _CEILINGS
        self.use = min(1.0, 0.3 * self.turns + 0.3) if self.turns > 0 else 0.0
        """How likely it is that what is kept for later turns still finds a use."""
        self.coins = [value * self.use for value in _COINS]
        self.cloth = [value * self.use for value in _CLOTH]
        last = ruleset.sagrada_last
        self.sagrada = [self._sagrada(space, min(1.0, self.turns / 3)) for space in range(last + 1)]
        """What the way to a space of the Sagrada Família track has brought and promises."""
        self.unit = [0.0] * len(COUNTERS)
        """What one more of each count is worth."""
        self.step = 0.0
        """What a step on the Cerdà track is worth."""
        self._price(state)
        self.empty_improved = _IMPROVED_EMPTY * min(1.0, self.turns / 4)
        """What it is worth to have improved a project space that is still empty."""
        self.hexagon = self._best_hexagon(state) if state.expansion else 0.0

    # What is to come

    def _look_ahead(self, state: BarcelonaState) -> None:
        ruleset, players = self.ruleset, state.players
        covered, farthest = ruleset.covered[players], max(state.track)
        self.until = [0.0, 0.0, 0.0]
        """Turns of one's own up to each Cerdà scoring."""
        for k, end in enumerate(ruleset.section_ends):
            free = end - sum(1 for space in covered if space < end) - farthest
            self.until[k] = max(0.2, _PACE * free / players)
        most = len(state.bag) / (2 * players)
        self.turns = 0.0 if state.ending else min(self.until[2], most)
        """Turns of one's own after this one."""

    def projected(self, count: int, now: float, turns: float) -> float:
        """How many there will be of a count."""
        return max(now, min(now + self.growth[count] * turns, self.ceiling[count]))

    def multiplier(self, space: float, turns: float) -> float:
        """The Cerdà multiplier to be expected so many turns from now."""
        table = self.ruleset.multipliers
        exact = table[min(len(table) - 1, int(space))]
        there = min(len(table) - 1.0, space + _CERDA_DRIFT * turns)
        smooth = min(self._highest, table[0] + self._rise * (there - 1))
        far = min(1.0, turns / 1.5)
        return far * smooth + (1 - far) * exact

    def _sagrada(self, space: int, hope: float) -> float:
        worth, before = 0.0, 0
        for tile, threshold in zip(_SAGRADA_TILES, self.ruleset.thresholds, strict=False):
            if space >= threshold:
                worth += tile
                before = threshold
                continue
            return worth + _SAGRADA_HOPE * hope * tile * (space - before) / (threshold - before)
        return worth

    def _price(self, state: BarcelonaState) -> None:
        """What one more of each count, and of Cerdà steps, is worth."""
        ruleset, seat, unit = self.ruleset, self.seat, self.unit
        for k, number in enumerate(state.cerda_tiles):
            if state.scored[k]:
                continue
            tile = ruleset.scorings[number]
            now = COUNTERS[tile.count](state, seat)
            unit[tile.count] += tile.vp * self.multiplier(state.cerda[seat], self.until[k])
            expected = self.projected(tile.count, now, self.until[k])
            slope = (
                self.multiplier(state.cerda[seat] + 2, self.until[k])
                - self.multiplier(state.cerda[seat], self.until[k])
            ) / 2
            self.step += tile.vp * expected * slope
        for tile_number, improved in zip(state.projects[seat], state.improved[seat], strict=True):
            if tile_number >= 0:
                tile = ruleset.scorings[tile_number]
                now = COUNTERS[tile.count](state, seat)
                if tile.vp * now < tile.most and now < self.ceiling[tile.count]:
                    unit[tile.count] += tile.vp * ruleset.project_factors[improved]
        if state.expansion:
            for amenity in state.amenities:
                unit[ruleset.amenities[amenity].count] += 0.5 * min(1.0, self.turns / 3)
        multiplier = _NUMBER["cerda_multiplier"]
        self.step += unit[multiplier] / 4
        unit[_NUMBER["passengers"]] += self._slope(ruleset.passenger_vp, state.passengers_placed[seat], "passengers")
        unit[_NUMBER["cobblestones"]] += self._slope(
            ruleset.cobblestone_vp, state.cobblestones_placed[seat], "cobblestones"
        )

    def _slope(self, table: Sequence[int], placed: int, name: str) -> float:
        return self._final(table, placed + 1, name) - self._final(table, placed, name)

    def _final(self, table: Sequence[int], placed: int, name: str) -> float:
        """What so many pieces bring at the end, more of them to come."""
        return interpolated(table, placed + _GROWTH[name] * self.turns)

    def count(self, state: BarcelonaState, number: int) -> int:
        """How many the seat has of a count now."""
        return COUNTERS[number](state, self.seat)

    def of(self, name: str) -> float:
        """What one more of a count is worth, by its name."""
        return self.unit[_NUMBER[name]]

    def _best_hexagon(self, state: BarcelonaState) -> float:
        """What a hexagonal cobblestone would bring now."""
        ruleset, best = self.ruleset, 0.0
        times = [COUNTERS[ruleset.violet[stone].count](state, self.seat) for stone in state.violet]
        for space, owner in enumerate(state.hexagons):
            if owner < 0:
                times_here = max(times[stone] for stone in ruleset.hexagon_beside[space])
                best = max(best, times_here * self.reward(ruleset.hexagon_rewards[space]))
        return best

    def reward(self, effect: int) -> float:
        """What an effect of points, steps or resources is worth, room in the storage granted."""
        op, a, b, _ = self.ruleset.nodes[effect]
        if op == Op.VP:
            return a
        if op == Op.CERDA:
            return a * self.step
        return a * self.coins[1] + b * self.cloth[1] if op == Op.GAIN else 0.0

    # Positions

    def stored(self, coins: int, cloth: int, room: int) -> float:
        """What a storage is worth; what does not fit is lost, the least useful first."""
        of_coins, of_cloth = self.coins, self.cloth
        coins, cloth = max(0, min(coins, len(of_coins) - 1)), max(0, min(cloth, len(of_cloth) - 1))
        while coins + cloth > room:
            drop_coin = cloth == 0 or (
                coins > 0 and of_coins[coins] - of_coins[coins - 1] <= of_cloth[cloth] - of_cloth[cloth - 1]
            )
            if drop_coin:
                coins -= 1
            else:
                cloth -= 1
        return of_coins[coins] + of_cloth[cloth]

    def gain(self, state: BarcelonaState, coins: int, cloth: int) -> float:
        """What a gain of coins and cloth adds."""
        seat = self.seat
        room, now, held = state.capacity(seat), state.coins[seat], state.cloth[seat]
        return self.stored(now + coins, held + cloth, room) - self.stored(now, held, room)

    def position(self, state: BarcelonaState) -> float:
        """What a position at the end of one's turn is worth, the other seats' gains taken off."""
        finished = state.ending  # no turn of one's own is to come
        own = totals(state)[self.seat] if finished else state.vp[self.seat] + self.holdings(state)
        others = 0.0
        for other in self.others:
            others += state.vp[other] + self.scorings(state, other)
        return own - _RIVALRY * others / max(1, len(self.others))

    def holdings(self, state: BarcelonaState) -> float:
        """What a seat has beyond its points, and what may come of it."""
        seat, ruleset = self.seat, self.ruleset
        worth = self.scorings(state, seat) + self._projects(state)
        worth += self._final(ruleset.passenger_vp, state.passengers_placed[seat], "passengers")
        worth += self._final(ruleset.cobblestone_vp, state.cobblestones_placed[seat], "cobblestones")
        worth += self.stored(state.coins[seat], state.cloth[seat], state.capacity(seat))
        space = state.sagrada[seat]
        reached = 0.0
        for tile, at in zip(_SAGRADA_TILES, ruleset.thresholds, strict=False):
            if space >= at:
                reached += tile
        worth += self.sagrada[space] - reached
        hope = _STACK_HOPE * _STACK_REWARD * min(1.0, self.turns / 3)
        for sizes, left in (
            (ruleset.markers.sizes, state.marker_stacks[seat]),
            (ruleset.narrow.sizes, state.narrow[seat]),
            (ruleset.wide.sizes, state.wide[seat]),
        ):
            begun = 0.0
            for i, n in enumerate(left):
                if n:
                    used = 1 - n / sizes[i]
                    begun += hope * (used * used)
            worth += begun
        visits = self.turns * len(self.others) / INTERSECTIONS
        worth += ruleset.owner_vp * visits * state.intersections_built[seat]
        if state.expansion:
            worth += self.pedestrian(state, 0, state.joy[2 * seat], state.path[2 * seat])
            worth += self.pedestrian(state, 1, state.joy[2 * seat + 1], state.path[2 * seat + 1])
        return worth

    def scorings(self, state: BarcelonaState, seat: int) -> float:
        """The Cerdà scorings to come."""
        worth, cerda = 0.0, state.cerda[seat]
        for k, number in enumerate(state.cerda_tiles):
            if not state.scored[k]:
                tile = self.ruleset.scorings[number]
                turns = self.until[k]
                expected = self.projected(tile.count, COUNTERS[tile.count](state, seat), turns)
                worth += min(tile.vp * expected, tile.most) * self.multiplier(cerda, turns)
        return worth

    def tile(self, state: BarcelonaState, number: int) -> float:
        """What a Modernisme tile will bring on a space that is not improved."""
        tile = self.ruleset.scorings[number]
        expected = self.projected(tile.count, COUNTERS[tile.count](state, self.seat), self.turns)
        return min(tile.vp * expected, float(tile.most))

    def _projects(self, state: BarcelonaState) -> float:
        """Modernisme tiles at the end, and what free or improved spaces may still hold."""
        worth, seat = 0.0, self.seat
        plain, improved_factor = self.ruleset.project_factors
        hope = min(1.0, self.turns / 4)
        for number, improved in zip(state.projects[seat], state.improved[seat], strict=True):
            if number >= 0:
                value = self.tile(state, number)
                worth += value * (improved_factor if improved else plain + 0.2 * hope)
            else:
                worth += hope * (_IMPROVED_EMPTY if improved else _SPACE_FREE)
        return worth

    def pedestrian(self, state: BarcelonaState, which: int, joy: int, path: int) -> float:
        """What a Pedestrian with so much Joy, so far on its way, promises."""
        ruleset = self.ruleset
        left = LAST_STEP - path
        if left <= 0:  # arriving: what it brings is being resolved, and it goes back with the least Joy
            return self.pedestrian(state, which, ruleset.joy_start, 0)
        expected = joy + 0.25 * left
        for step in range(path + 1, LAST_STEP):
            if enjoys(state, self.seat, which, step):
                expected += 0.9
        expected = min(expected, float(ruleset.joy_most))
        arrival = interpolated(ruleset.arrival_vp, expected)
        arrival += self.hexagon * max(0.0, min(1.0, expected - ruleset.hexagon_from + 1))
        soon = min(1.0, (0.8 * self.turns + 0.4) / left) if self.turns > 0 else 0.0
        stays = joy if path else 0.0
        return max(stays, arrival * soon * _PEDESTRIAN_DELAY**left) if soon else stays

    def step_on(self, state: BarcelonaState, which: int, joy: int, path: int) -> tuple[float, int, int]:
        """What a step of a Pedestrian brings at once, and its Joy and way after it."""
        ruleset, path = self.ruleset, path + 1
        if path < LAST_STEP:
            more = int(enjoys(state, self.seat, which, path))
            other = state.path[2 * self.seat + 1 - which]
            meets = other and place_of(which, path) == place_of(1 - which, other)
            return float(bool(meets)), min(ruleset.joy_most, joy + more + bool(meets)), path
        worth = float(ruleset.arrival_vp[joy])
        if joy >= ruleset.hexagon_from:
            worth += self.hexagon
        if joy >= ruleset.resource_from:
            worth += max(self.coins[1], self.cloth[1])
        return worth, ruleset.joy_start, 0

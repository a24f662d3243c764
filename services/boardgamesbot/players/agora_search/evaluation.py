"""What a position promises each seat, and which moves look good: the eye of the search.

Who will hold a district is a matter of chance until the end. Each seat has a *strength* there, and its chance is its
share of all strengths: one walker more makes it so many times as likely, the closer the end the more. Expected points
and the chance to win follow.
"""

from __future__ import annotations

from math import exp
from typing import Final

from boardgamesbot.games.agora.core import Core
from boardgamesbot.games.agora.moves import (
    FIRST_DISCARD,
    FIRST_DRAW,
    FIRST_PASS,
    FIRST_PLAY,
    FIRST_WALK,
    MOST_PLAYERS,
)
from boardgamesbot.games.agora.ruleset import DISTRICTS, AgoraRuleset
from boardgamesbot.players.agora_search.figures import Figures

_MOST_EXPONENT = 300.0
"""Of a strength: rulesets of one's own may have more walkers than a number can tell apart."""
_MEAN_VALUE = 3.0
"""Of a square not seen."""
_DISCARD = 0.2


class Eye:
    """Looks at one position at a time. `look` first; then the board may be kept up to date by what is done.

    Strengths are kept as `district * players + seat`.
    """

    def __init__(self, ruleset: AgoraRuleset, players: int) -> None:
        setup = ruleset.setup(players)
        turns = setup.turns
        self.players: Final = players
        self.turns: Final = turns
        self.points: Final[list[float]] = [float(points) for points in ruleset.points]
        self.all_points: Final = max(1.0, float(sum(ruleset.points)))
        self.district_of: Final[list[int]] = list(ruleset.district_of)
        self.value_of: Final[list[int]] = list(ruleset.value_of)
        figures = Figures(players, turns)
        self.figures: Final = figures
        self.by_walkers: Final[list[list[float]]] = [_powers(step, setup.walkers) for step in figures.walker]
        self.by_supply: Final[list[list[float]]] = [_powers(step, setup.walkers) for step in figures.supply]
        self.by_hand: Final[list[list[float]]] = [_powers(step, _most_in_district(ruleset)) for step in figures.hand]
        walks = MOST_PLAYERS * DISTRICTS * DISTRICTS
        self.walker: Final[list[int]] = [number // (DISTRICTS * DISTRICTS) for number in range(walks)]
        self.leaving: Final[list[int]] = [
            number // DISTRICTS % DISTRICTS * players + number // (DISTRICTS * DISTRICTS) for number in range(walks)
        ]
        self.entering: Final[list[int]] = [
            number % DISTRICTS * players + number // (DISTRICTS * DISTRICTS) for number in range(walks)
        ]
        self.left = 0
        """Turns left after the present one."""
        self.fountain = 0
        self.strength: list[float] = [0.0] * (DISTRICTS * players)
        self.sums: list[float] = [0.0] * DISTRICTS
        self.expected: list[float] = [0.0] * players
        """Points by seat."""
        self.win: list[float] = [0.0] * players
        """Chance to win by seat."""
        self.leave: list[float] = [0.0] * (DISTRICTS * players)
        self.enter: list[float] = [0.0] * (DISTRICTS * players)
        self.care: list[float] = [0.0] * players

    def look(self, core: Core) -> None:
        """Take in a position: strengths, expected points, chances to win."""
        players = self.players
        left = self.turns - core.turn
        self.left = left
        self.fountain = core.fountain
        by_walkers, by_supply, by_hand = self.by_walkers[left], self.by_supply[left], self.by_hand[left]
        strength, total = self.strength, core.total
        for seat in range(players):
            in_hand = [0] * DISTRICTS
            for square in core.hands[seat]:
                in_hand[self.district_of[square]] += self.value_of[square]
            supplied = by_supply[core.supply[seat]]
            at = seat
            for district in range(DISTRICTS):
                strength[at] = supplied * by_walkers[total[at]] * by_hand[in_hand[district]]
                at += players
        at = 0
        for district in range(DISTRICTS):
            all_of_it = 0.0
            for _ in range(players):
                all_of_it += strength[at]
                at += 1
            self.sums[district] = all_of_it
        self.weigh()

    def weigh(self) -> None:
        """Expected points and chances to win, from the strengths."""
        players, strength, expected, win = self.players, self.strength, self.expected, self.win
        for seat in range(players):
            expected[seat] = self._order(seat, self.fountain, self.left)
        at = 0
        for district in range(DISTRICTS):
            each = self.points[district] / self.sums[district]
            for seat in range(players):
                expected[seat] += each * strength[at]
                at += 1
        most = max(expected)
        scale = 1.0 / self.figures.points[self.left]
        all_of_it = 0.0
        for seat in range(players):
            win[seat] = exp((expected[seat] - most) * scale)
            all_of_it += win[seat]
        for seat in range(players):
            win[seat] /= all_of_it

    # The board goes on

    def walked(self, number: int) -> None:
        """A walker walked; `number` is the move less the first of its kind."""
        step = self.figures.walker[self.left]
        players = self.players
        frm, to = self.leaving[number], self.entering[number]
        less = self.strength[frm] * (1.0 - exp(-step))
        more = self.strength[to] * (exp(step) - 1.0)
        self.strength[frm] -= less
        self.strength[to] += more
        self.sums[frm // players] -= less
        self.sums[to // players] += more

    def played(self, seat: int, square: int) -> None:
        """A square was played and its walkers came."""
        left, players, strength = self.left, self.players, self.strength
        value = self.value_of[square]
        spent = 1.0 / self.by_supply[left][value]
        at = seat
        for district in range(DISTRICTS):
            less = strength[at] * (1.0 - spent)
            strength[at] -= less
            self.sums[district] -= less
            at += players
        at = self.district_of[square] * players + seat
        more = strength[at] * (self.by_walkers[left][value] / self.by_hand[left][value] - 1.0)
        strength[at] += more
        self.sums[self.district_of[square]] += more

    # What looks good

    def begin(self, seat: int) -> None:
        """Look with the eyes of a seat: its own points, and those of whoever stands in its way to win."""
        away = 1.0 - self.win[seat]
        for other in range(self.players):
            self.care[other] = -self.win[other] / away if away > 1e-9 else 0.0
        self.care[seat] = 1.0

    def gauge_walks(self) -> None:
        """What it is worth that a walker of each seat leaves or enters each district, in points."""
        players, strength, care = self.players, self.strength, self.care
        step = self.figures.walker[self.left]
        down, up = 1.0 - exp(-step), exp(step) - 1.0
        at = 0
        for district in range(DISTRICTS):
            points, all_of_it = self.points[district], self.sums[district]
            mine = 0.0
            for seat in range(players):
                mine += care[seat] * strength[at + seat]
            now = points * mine / all_of_it
            for seat in range(players):
                less = strength[at] * down
                more = strength[at] * up
                self.leave[at] = points * (mine - care[seat] * less) / (all_of_it - less) - now
                self.enter[at] = points * (mine + care[seat] * more) / (all_of_it + more) - now
                at += 1

    def gauge(self, core: Core, seat: int, legal: list[int]) -> list[float]:
        """How good each of these moves looks to a seat, in points, compared with one another. `look` was before."""
        self.begin(seat)
        first = legal[0]
        if first < FIRST_PLAY:
            return [self._gain(move, seat) for move in legal]
        if first < FIRST_DISCARD:
            return self._gauge_plays(seat, legal)
        if first < FIRST_WALK:
            return [-_DISCARD * self.value_of[move - FIRST_DISCARD + 1] for move in legal]
        if first < FIRST_DRAW:
            self.gauge_walks()
            return [
                self.leave[self.leaving[move - FIRST_WALK]] + self.enter[self.entering[move - FIRST_WALK]]
                for move in legal
            ]
        if first < FIRST_PASS:
            backs = [self.district_of[core.piles[move - FIRST_DRAW][-1]] for move in legal]
            return [self._gain(back, seat) for back in backs]
        return [self._gauge_fountain(seat, move - FIRST_PASS) for move in legal]

    def _order(self, seat: int, fountain: int, left: int) -> float:
        """What its place in the last turn brings a seat, in points; nothing in that turn, which is looked at itself."""
        return self.figures.order[left][(seat - fountain - left) % self.players] if left else 0.0

    def _gauge_fountain(self, seat: int, to: int) -> float:
        order = self.figures.order[self.left - 1]
        worth = 0.0
        for other in range(self.players):
            worth += self.care[other] * order[(other - to - self.left + 1) % self.players]
        return worth

    def _share(self, district: int, seat: int) -> float:
        return self.strength[district * self.players + seat] / self.sums[district]

    def _gain(self, district: int, seat: int) -> float:
        """What a square of a district, not seen, is worth in the hand."""
        share = self._share(district, seat)
        return self.points[district] * share * (1.0 - share) * self.figures.hand[self.left] * _MEAN_VALUE

    def _gauge_plays(self, seat: int, legal: list[int]) -> list[float]:
        players, left = self.players, self.left
        thrift = 0.0
        for district in range(DISTRICTS):
            share = self._share(district, seat)
            thrift += self.points[district] * share * (1.0 - share)
        thrift *= self.figures.supply[left]
        found: list[float] = []
        for move in legal:
            square = move - FIRST_PLAY + 1
            value, district = self.value_of[square], self.district_of[square]
            start = district * players
            mine = 0.0
            for other in range(players):
                mine += self.care[other] * self.strength[start + other]
            more = self.strength[start + seat] * (self.by_walkers[left][value] / self.by_hand[left][value] - 1.0)
            all_of_it = self.sums[district]
            gain = self.points[district] * ((mine + more) / (all_of_it + more) - mine / all_of_it)
            found.append(gain - thrift * value)
        return found


def _most_in_district(ruleset: AgoraRuleset) -> int:
    """The values of all squares of a district together, where that is highest."""
    values = [0] * DISTRICTS
    for district, value in zip(ruleset.district_of[1:], ruleset.value_of[1:], strict=True):
        values[district] += value
    return max(values)


def _powers(step: float, most: int) -> list[float]:
    """The exponential of so much for each, from none to `most`."""
    return [exp(min(_MOST_EXPONENT, step * count)) for count in range(most + 1)]

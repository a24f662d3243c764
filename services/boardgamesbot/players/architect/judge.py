"""What a position is worth to its seats in points at the end, learned from games that were played out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from boardgamesbot.games.barcelona.counts import COUNTERS, COUNTS
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS
from boardgamesbot.games.barcelona.scoring import totals
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.players.barcelona_worth import Outlook

COUNTED = (
    "intersections",
    "passengers",
    "wide_streets",
    "narrow_streets",
    "services",
    "cobblestones",
    "modernisme_tiles",
    "improved_spaces",
    "sagrada_tiles",
    "markers",
    "upgrades",
    "bottom_markers",
    "corner_blocks",
    "longest_line",
    "rows",
)
FEATURES = (
    "one",
    "next",
    "scorings",
    "projects",
    "passengers_end",
    "cobblestones_end",
    "stored",
    "coins",
    "cloth",
    "cerda",
    "cerda_scorings",
    "sagrada_space",
    "sagrada_worth",
    "stacks",
    "visits",
    "pedestrians",
    *COUNTED,
)
"""What is looked at in a seat, beside its points; each has a weight for the end and one for ten turns before it."""
_SPREAD, _SPREAD_A_TURN, _SPREAD_MOST = 20.0, 4.0, 38.0
"""How far, in points, a final lead is off what it was judged to be: at the end, for each turn to come, and at most."""
_SPREAD_OVER = 10.0
"""The same where a game was played on to its end: it might have been played better."""
_LOGISTIC = 1.7
"""With it a logistic curve is nearly that of the normal distribution."""
FAR = 10.0
"""So many turns of one's own are a long way to the end."""
_COUNTERS = tuple(COUNTERS[list(COUNTS).index(name)] for name in COUNTED)


class Verdict:
    """How a position is judged for one seat, in points at the end of the game."""

    __slots__ = ("margin", "points", "win")

    def __init__(self, points: float, margin: float, win: float) -> None:
        self.points = points
        """What the seat will have."""
        self.margin = margin
        """How much more that is than what the others will have on average."""
        self.win = win
        """Its chance to have more than the best of the others, from 0 to 1."""


class Sight(Outlook):
    """An outlook that puts what a seat has into numbers."""

    def features(self, state: BarcelonaState) -> list[float]:
        """What the seat has, in the order of `FEATURES`."""
        ruleset, seat = self.ruleset, self.seat
        space, cerda = state.sagrada[seat], state.cerda[seat]
        return [
            1.0,
            1.0 if state.seat == seat else 0.0,
            self.scorings(state, seat),
            self._projects(state),
            self._final(ruleset.passenger_vp, state.passengers_placed[seat], "passengers"),
            self._final(ruleset.cobblestone_vp, state.cobblestones_placed[seat], "cobblestones"),
            self.stored(state.coins[seat], state.cloth[seat], state.capacity(seat)),
            float(state.coins[seat]),
            float(state.cloth[seat]),
            float(cerda),
            cerda * self.step,
            float(space),
            self.sagrada[space],
            self._begun(state),
            self.turns * state.intersections_built[seat] / INTERSECTIONS,
            self._walking(state) if state.expansion else 0.0,
            *[float(counter(state, seat)) for counter in _COUNTERS],
        ]

    def _begun(self, state: BarcelonaState) -> float:
        """How far the stacks that are not empty yet are used up, those nearer to their rewards counting more."""
        ruleset, seat, begun = self.ruleset, self.seat, 0.0
        for sizes, left in (
            (ruleset.markers.sizes, state.marker_stacks[seat]),
            (ruleset.narrow.sizes, state.narrow[seat]),
            (ruleset.wide.sizes, state.wide[seat]),
        ):
            for size, count in zip(sizes, left, strict=True):
                if count:
                    begun += (1 - count / size) ** 2
        return begun

    def _walking(self, state: BarcelonaState) -> float:
        """What both Pedestrians promise."""
        worth = 0.0
        for which in (0, 1):
            i = 2 * self.seat + which
            worth += self.pedestrian(state, which, state.joy[i], state.path[i])
        return worth

    def promise(self, state: BarcelonaState, weights: Sequence[float]) -> float:
        """The points that the seat may still expect.

        `weights` has, for each of `FEATURES`, one for the end of the game and one for what a long way to it adds.
        """
        far, worth, i = self.far, 0.0, 0
        for value in self.features(state):
            worth += value * (weights[i] + far * weights[i + 1])
            i += 2
        return worth

    @property
    def far(self) -> float:
        """How far off the end is, as a share of a long way."""
        return min(self.turns, 12.0) / FAR


def judged(state: BarcelonaState, seat: int, weights: Sequence[float]) -> Verdict:
    """How good a position is for a seat; no points are guessed when the game is over."""
    points = totals(state) if state.over else state.vp
    own = others = best = 0.0
    first, spread = True, _SPREAD_OVER
    for other in range(state.players):
        worth = float(points[other])
        if not state.over and not state.is_gaudi(other):
            sight = Sight(state, other)
            worth += sight.promise(state, weights)
            spread = min(_SPREAD_MOST, _SPREAD + _SPREAD_A_TURN * sight.turns)
        if other == seat:
            own = worth
            continue
        others += worth
        if first or worth > best:
            best, first = worth, False
    win = 1 / (1 + math.exp(-_LOGISTIC * (own - best) / spread))
    return Verdict(own, own - others / (state.players - 1), win)

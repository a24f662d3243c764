"""How sure a figure is that comes from a number of games. Intervals are of 95 %: right 19 times in 20."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev

NORMAL_95 = 1.959964
"""Between minus and plus so many standard deviations lie 95 % of a normal distribution."""

Interval = tuple[float, float]


def share_interval(wins: float, games: int) -> Interval:
    """Wilson's interval for a share of wins; shared victories count as the part they are. All of it without a game."""
    if not games:
        return 0.0, 1.0
    z2 = NORMAL_95**2
    middle = (wins + z2 / 2) / (games + z2)
    half = NORMAL_95 / (games + z2) * math.sqrt(wins * (games - wins) / games + z2 / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def margin(values: Sequence[float]) -> float | None:
    """Student's: so far from the mean of these independent values may the true mean lie; None for fewer than two."""
    if len(values) < 2:
        return None
    return students_t(len(values) - 1) * stdev(values) / math.sqrt(len(values))


def mean_interval(values: Sequence[float]) -> Interval | None:
    """Student's interval for the mean of independent values; None for fewer than two."""
    half = margin(values)
    return None if half is None else (fmean(values) - half, fmean(values) + half)


def students_t(freedom: int) -> float:
    """Between minus and plus this lie 95 % of Student's distribution with so many (1 or more) degrees of freedom.

    Exact for 1 and 2; beyond, the expansion of Cornish and Fisher, right to one part in five hundred.
    """
    if freedom == 1:
        return math.tan(0.475 * math.pi)
    if freedom == 2:
        return math.sqrt(2 * 0.95**2 / (1 - 0.95**2))
    z, n = NORMAL_95, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )

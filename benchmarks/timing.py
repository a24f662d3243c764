"""How long things take."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median


def rate(action: Callable[[], int], seconds: float, rounds: int) -> float:
    """How many of its units `action` gets done in a second: the median of `rounds`, each of at least `seconds`.

    `action` does some units and says how many.
    """
    return median(_rate(action, seconds) for _ in range(rounds))


def _rate(action: Callable[[], int], seconds: float) -> float:
    done = 0
    begin = time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < seconds:
        done += action()
    return done / elapsed


def percentile(ordered: Sequence[float], percent: float) -> float:
    """The smallest value that at least `percent` % of the sorted values do not exceed."""
    return ordered[max(0, -int(-len(ordered) * percent // 100) - 1)]

"""Intervals, against figures from tables."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgamesbot.tournament.statistics import mean_interval, share_interval, students_t


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (5, 200, 0.0107, 0.0572),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_of_a_share_is_wilsons(wins: float, games: int, low: float, high: float) -> None:
    assert share_interval(wins, games) == pytest.approx((low, high), abs=5e-5)


@settings(deadline=None)
@given(st.integers(1, 500).flatmap(lambda games: st.tuples(st.floats(0, games), st.just(games))))
def test_the_interval_of_a_share_holds_the_share_and_narrows(result: tuple[float, int]) -> None:
    wins, games = result
    low, high = share_interval(wins, games)
    assert 0 <= low <= wins / games + 1e-12
    assert wins / games - 1e-12 <= high <= 1
    closer = share_interval(4 * wins, 4 * games)
    assert closer[1] - closer[0] < high - low


@pytest.mark.parametrize(
    ("freedom", "t"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (9, 2.2622), (30, 2.0423), (1000, 1.9623)],
)
def test_the_width_for_few_values_is_students(freedom: int, t: float) -> None:
    assert students_t(freedom) == pytest.approx(t, rel=2e-3)


def test_the_interval_of_a_mean() -> None:
    """Of the ten values the mean is 5.5, the standard deviation 3.0277: 5.5 ± 2.2622 · 3.0277 / √10."""
    assert mean_interval(range(1, 11)) == pytest.approx((3.3341, 7.6659), abs=5e-4)
    assert mean_interval([4.0]) is None
    assert mean_interval([4.0, 4.0]) == (4.0, 4.0)


@settings(deadline=None)
@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_the_interval_of_a_mean_has_it_in_the_middle(values: list[float]) -> None:
    interval = mean_interval(values)
    assert interval is not None
    assert fmean(interval) == pytest.approx(fmean(values), abs=1e-9)

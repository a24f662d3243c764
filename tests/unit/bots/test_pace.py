"""How long bots think: what they wish while there is time, less under load, and never past the deadline."""

from __future__ import annotations

import pytest

from boardgamesbot.bots.pace import GRACE_SECONDS, LEAST_SECONDS, Pace
from boardgamesbot.runtime.settings import TURN_MARGIN, Settings

PACE = Pace(deadline=5.0, longest=3.0)


def test_with_time_enough_a_bot_thinks_as_long_as_it_wishes() -> None:
    assert PACE.thinking(0.25, waited=0.0) == pytest.approx(0.25)
    assert PACE.thinking(60.0, waited=0.0) == pytest.approx(3.0), "the operator's limit holds"
    assert PACE.thinking(0.0, waited=0.0) == pytest.approx(3.0), "who does not search may take that long as well"


@pytest.mark.parametrize("wish", [0.0, 0.25, 1.0, 3.0, 60.0])
@pytest.mark.parametrize("waited", [0.0, 0.5, 1.0, 2.0, 3.0, 3.4])
@pytest.mark.parametrize("attempt", [1, 2, 3])
def test_there_is_time_left_to_answer_before_the_deadline(wish: float, waited: float, attempt: int) -> None:
    killed = waited + PACE.thinking(wish, waited, attempt) + GRACE_SECONDS
    assert killed <= (1 - TURN_MARGIN) * PACE.deadline + 1e-9


def test_a_lost_turn_is_given_out_again_once_no_bot_may_be_thinking_about_it() -> None:
    settings = Settings(bot_turn_seconds=5.0)
    assert settings.bot_again_ms == 4_000
    assert Pace.of_turns(settings).left(settings.bot_again_ms / 1000) == pytest.approx(0.0)


def test_who_has_waited_longer_thinks_less_and_never_nothing() -> None:
    times = [PACE.thinking(1.0, waited / 10) for waited in range(80)]
    assert times == sorted(times, reverse=True)
    assert times[-1] == LEAST_SECONDS


def test_who_is_asked_again_thinks_for_the_least() -> None:
    assert PACE.thinking(3.0, waited=0.0, attempt=2) == LEAST_SECONDS


def test_under_load_the_wait_settles_below_the_deadline() -> None:
    """Two hundred tables that always wait for one of two workers, each decision costing 10 ms beside the thinking."""
    tables, workers, cost = 200, 2, 0.010
    free, came_up = [0.0] * workers, [0.0] * tables
    longest = 0.0
    for turn in range(40 * tables):
        worker = free.index(min(free))
        table = turn % tables
        begins = max(free[worker], came_up[table])
        waited = begins - came_up[table]
        free[worker] = came_up[table] = begins + cost + PACE.thinking(0.25, waited)
        longest = max(longest, free[worker] - begins + waited)
    assert longest < PACE.deadline

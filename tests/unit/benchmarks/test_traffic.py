"""The load generator: what is due when, where a deployment is full, and what grows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from random import Random

import pytest

from benchmarks.traffic import seen as kinds
from benchmarks.traffic.arrivals import poisson
from benchmarks.traffic.generator import Window
from benchmarks.traffic.probe import Sample
from benchmarks.traffic.runs import Step, ramp, soak, trends
from benchmarks.traffic.seen import Seen


def _sample(at: float = 0.0, memory: int = 0, redis_bytes: int = 0, cpu: float = 0.0) -> Sample:
    return Sample(at, {"rules": cpu}, {"rules": memory}, redis_bytes, 0, {})


def _step(window: Window, most: float, ms: float = 1.0) -> Step:
    """What a deployment shows that bears `most` moves a second."""
    seen = Seen()
    for _ in range(round(min(window.moves, most) * window.seconds)):
        seen.took(kinds.MOVE, ms / 1000)
    return Step(window, seen, _sample(), _sample(at=window.seconds))


async def test_a_caller_who_is_late_is_given_all_that_was_due_meanwhile_at_its_own_time() -> None:
    loop = asyncio.get_running_loop()
    due = [at async for at in _late(poisson(1_000, 0.2, Random(1)))]
    begun = loop.time() - 0.2
    assert 130 < len(due) < 280
    assert due == sorted(due)
    assert due[-1] < begun + 0.21, "no time is moved by a caller who comes late"


async def _late(times: AsyncIterator[float]) -> AsyncIterator[float]:
    first = True
    async for at in times:
        if first:
            time.sleep(0.15)  # noqa: ASYNC251 - a stall of everything, as it happens to a busy process
            first = False
        yield at


async def test_nothing_is_due_at_a_rate_of_nothing() -> None:
    assert [at async for at in poisson(0, 0.01, Random(1))] == []


@pytest.mark.parametrize("most", [37.0, 90.0, 410.0])
def test_a_ramp_finds_where_a_deployment_is_full(most: float) -> None:
    steps = ramp(lambda window: _step(window, most), Window(10, 0, 10), most_ms=100, halvings=5)
    borne = max(one.window.moves for one in steps if not one.is_full(100))
    assert 0.9 * most < borne <= most / 0.95
    assert [one.window.moves for one in steps] == sorted(one.window.moves for one in steps)


def test_too_slow_is_full_and_so_is_any_error() -> None:
    window = Window(10, 0, 1)
    assert not _step(window, most=10, ms=99).is_full(100)
    assert _step(window, most=10, ms=101).is_full(100)
    failing = _step(window, most=10)
    failing.seen.failed(kinds.MOVE, "UNAVAILABLE")
    assert failing.is_full(100)


def test_nothing_answered_is_full() -> None:
    assert _step(Window(10, 0, 1), most=0).is_full(100)


def test_what_grows_is_told_from_what_goes_up_and_down() -> None:
    steady = [_sample(at, 100 << 20, (50 << 20) + (at % 2) * (3 << 20)) for at in range(40)]
    assert not any(one.grows for one in trends(steady))
    leaking = [_sample(at, (100 << 20) + at * (1 << 20), 50 << 20) for at in range(40)]
    assert [one.name for one in trends(leaking) if one.grows] == ["rules"]
    filling = [_sample(at, 100 << 20, (50 << 20) + at * (1 << 20)) for at in range(40)]
    assert [one.name for one in trends(filling) if one.grows] == ["Redis's data"]


def test_a_soak_fails_for_one_error() -> None:
    def take(window: Window) -> Step:
        made = _step(window, most=100)
        made.seen.failed("watch", "UNAVAILABLE: gone")
        return made

    outcome = soak(take, Window(1, 0, 1), minutes=0)
    assert outcome.faults == ["1 times watch: UNAVAILABLE: gone"]
    assert soak(lambda window: _step(window, most=100), Window(1, 0, 1), minutes=0).faults == []


def test_what_several_generators_saw_is_put_together() -> None:
    one, other = Seen(), Seen()
    one.took(kinds.MOVE, 0.001)
    other.took(kinds.MOVE, 0.003)
    other.failed(kinds.MOVE, "x")
    whole = Seen.together([one, other])
    assert (whole.count(kinds.MOVE), whole.ms(kinds.MOVE, 99), sum(whole.errors.values())) == (2, 3.0, 1)

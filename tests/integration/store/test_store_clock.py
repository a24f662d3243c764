"""The store's clock, read here."""

from __future__ import annotations

import time

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import clock
from boardgamesbot.store.clock import StoreClock


async def test_it_says_what_the_store_says_without_asking_every_time(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = StoreClock(redis)
    assert not here.is_good
    first = await here.read_ms()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    seconds, microseconds = await redis.time()
    assert abs(here.now_ms() - (seconds * 1000 + microseconds / 1000)) < 500
    assert here.now_ms() >= first
    assert here.is_good
    monkeypatch.setattr(clock, "monotonic", lambda: time.monotonic() + clock.GOOD_SECONDS)
    assert not here.is_good

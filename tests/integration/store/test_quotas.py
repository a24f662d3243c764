"""Buckets of thinking: they empty with asking, fill again by themselves, and are each player's own."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.quotas import Quotas


async def test_what_is_there_can_be_taken_and_then_it_takes_time(redis: Redis) -> None:
    quotas = Quotas(redis, most=10.0, refill=0.1)
    assert await quotas.take("ada", 6.0) == 0
    assert await quotas.take("ada", 4.0) == 0
    wait = await quotas.take("ada", 2.0)
    assert 18 < wait <= 20
    assert await quotas.take("bob", 10.0) == 0, "everybody has their own"


async def test_it_fills_by_the_stores_clock_and_never_runs_over(redis: Redis) -> None:
    quotas = Quotas(redis, most=10.0, refill=0.1)
    await quotas.take("ada", 10.0)
    at = int(await redis.hget(keys.quota("ada"), "at") or 0)
    await redis.hset(keys.quota("ada"), "at", str(at - 50_000))
    assert await quotas.take("ada", 5.0) == 0
    assert await quotas.take("ada", 1.0) > 0
    await redis.hset(keys.quota("ada"), "at", "0")
    assert await quotas.take("ada", 10.0) == 0
    assert await quotas.take("ada", 0.1) > 0


async def test_what_was_not_used_is_given_back_and_no_more(redis: Redis) -> None:
    quotas = Quotas(redis, most=10.0, refill=0.001)
    await quotas.take("ada", 9.0)
    await quotas.give_back("ada", 5.0)
    assert await quotas.take("ada", 6.0) == 0
    await quotas.give_back("ada", 100.0)
    assert await quotas.take("ada", 10.0) == 0
    assert await quotas.take("ada", 1.0) > 0


async def test_many_at_once_take_no_more_than_there_is(redis: Redis) -> None:
    quotas = Quotas(redis, most=10.0, refill=0.001)
    waits = await asyncio.gather(*(quotas.take("ada", 1.0) for _ in range(30)))
    assert sum(wait == 0 for wait in waits) == 10


@pytest.mark.parametrize("refill", [0.5, 5.0])
async def test_a_full_bucket_is_forgotten(redis: Redis, refill: float) -> None:
    await Quotas(redis, most=10.0, refill=refill).take("ada", 5.0)
    assert 0 < await redis.pttl(keys.quota("ada")) <= 5.0 / refill * 1000 + 1000

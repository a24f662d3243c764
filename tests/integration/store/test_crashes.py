"""Positions at which bots failed: counted, bounded, forgotten in time."""

from __future__ import annotations

from dataclasses import replace

from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.crashes import DETAIL_CHARACTERS, Crash, Crashes, Kept, crash_id

CRASH = Crash(
    bot="agora",
    game_id="agora",
    ruleset_hash="0" * 64,
    view=b"\x00\xff view",
    seed="0102",
    seconds=0.25,
    iterations=7,
    kind="raised",
    detail="Traceback …",
    where="table t version 3",
)
DAY = 86_400.0


async def test_a_crash_comes_back_as_it_was_and_is_counted(redis: Redis) -> None:
    crashes = Crashes(redis, DAY, 10)
    assert await crashes.times(CRASH.id) == 0
    assert [await crashes.note(CRASH) for _ in range(3)] == [1, 2, 3]
    assert await crashes.times(CRASH.id) == 3
    kept = await crashes.get(CRASH.id)
    assert kept == Kept(CRASH, 3, kept.first_ms, kept.last_ms) if kept else False
    assert kept is not None
    assert kept.first_ms <= kept.last_ms


async def test_another_bot_or_position_is_another_crash(redis: Redis) -> None:
    crashes = Crashes(redis, DAY, 10)
    await crashes.note(CRASH)
    for other in (replace(CRASH, bot="greedy"), replace(CRASH, view=b"else")):
        assert await crashes.times(other.id) == 0
    assert replace(CRASH, seed="03", kind="died").id == CRASH.id == crash_id("agora", b"\x00\xff view")


async def test_the_newest_are_kept_and_no_more(redis: Redis) -> None:
    crashes = Crashes(redis, DAY, 3)
    made = [replace(CRASH, view=bytes([number])) for number in range(5)]
    for number, crash in enumerate(made):
        await crashes.note(crash)
        await redis.zadd(keys.CRASH_INDEX, {crash.id: await _now_ms(redis) - 10 + number})
    await crashes.note(made[4])
    assert [kept.crash.view for kept in await crashes.newest(10)] == [b"\x04", b"\x03", b"\x02"]
    assert await crashes.get(made[0].id) is None
    assert len(await redis.keys(keys.CRASHES + "*")) == 4, "three, and the index"


async def test_they_are_forgotten_in_time_or_when_told(redis: Redis) -> None:
    crashes = Crashes(redis, 2.0, 10)
    await crashes.note(CRASH)
    assert 0 < await redis.pttl(keys.crash(CRASH.id)) <= 2_000
    assert 0 < await redis.pttl(keys.CRASH_INDEX) <= 2_000
    assert await crashes.forget(CRASH.id)
    assert not await crashes.forget(CRASH.id)
    assert await crashes.newest(10) == []


async def test_a_long_account_is_cut_at_its_beginning(redis: Redis) -> None:
    crashes = Crashes(redis, DAY, 10)
    await crashes.note(replace(CRASH, detail="x" * 10_000 + "the end"))
    kept = await crashes.get(CRASH.id)
    assert kept is not None
    assert len(kept.crash.detail) == DETAIL_CHARACTERS
    assert kept.crash.detail.endswith("the end")


async def _now_ms(redis: Redis) -> int:
    return int((await redis.time())[0]) * 1000

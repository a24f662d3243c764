"""Nobody waits for something that has already been published, whatever happens to the connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer, free_port
from boardgamesbot.store.wakeups import Wakeup, Wakeups
from tests.support.waiting import eventually


@pytest.fixture
async def wakeups(redis: Redis) -> AsyncIterator[Wakeups]:
    made = Wakeups(redis)
    yield made
    await made.close()


async def subscribers(redis: Redis, channel: str) -> int:
    return int((await redis.pubsub_numsub(channel))[0][1])


async def drained(wakeup: Wakeup) -> None:
    """Take the wakeup that a confirmed subscription begins with, if there is one."""
    await wakeup.wait(0)


async def test_what_is_published_before_the_wait_is_not_lost_and_coalesces(wakeups: Wakeups, redis: Redis) -> None:
    async with wakeups.subscribe("a") as wakeup, wakeups.subscribe("end") as end:
        await drained(wakeup)
        await drained(end)
        for _ in range(5):
            await redis.publish("a", "x")
        await redis.publish("end", "x")
        assert await end.wait(5)
        assert await wakeup.wait(0)
        assert not await wakeup.wait(0)


@pytest.mark.usefixtures("alone")
async def test_a_publication_wakes_those_who_wait_on_its_channel_only(wakeups: Wakeups, redis: Redis) -> None:
    async with (
        wakeups.subscribe("a") as first,
        wakeups.subscribe("a") as second,
        wakeups.subscribe("b") as other,
    ):
        for wakeup in (first, second, other):
            await drained(wakeup)
        assert await subscribers(redis, "a") == 1
        await redis.publish("a", "x")
        assert all(await asyncio.gather(first.wait(5), second.wait(5)))
        assert not await other.wait(0.01)


@pytest.mark.usefixtures("alone")
async def test_a_channel_is_left_when_the_last_one_leaves(wakeups: Wakeups, redis: Redis) -> None:
    async with wakeups.subscribe("a") as first:
        async with wakeups.subscribe("a"):
            pass
        await drained(first)
        await redis.publish("a", "x")
        assert await first.wait(5)

    async def nobody() -> bool:
        return await subscribers(redis, "a") == 0

    await eventually(nobody)
    async with wakeups.subscribe("a") as again:
        await drained(again)
        await redis.publish("a", "x")
        assert await again.wait(5)


@pytest.mark.usefixtures("alone")
async def test_after_a_lost_connection_everybody_is_woken_and_hears_again(wakeups: Wakeups, redis: Redis) -> None:
    async with wakeups.subscribe("a") as first, wakeups.subscribe("b") as second:
        await drained(first)
        await drained(second)
        await redis.client_kill_filter(_type="pubsub")
        assert all(await asyncio.gather(first.wait(5), second.wait(5)))
        await redis.publish("b", "x")
        assert await second.wait(5)


async def test_wakeups_survive_a_restart_of_the_server(own_server: EmbeddedServer, own_redis: Redis) -> None:
    wakeups = Wakeups(own_redis)
    async with AsyncExitStack() as stack:
        waiting = [await stack.enter_async_context(wakeups.subscribe(f"c{i % 5}")) for i in range(20)]
        for wakeup in waiting:
            await drained(wakeup)
        own_server.kill()
        own_server.start()
        assert all(await asyncio.gather(*(wakeup.wait(10) for wakeup in waiting)))
        await own_redis.publish("c3", "x")
        assert await waiting[3].wait(5)
    await wakeups.close()


async def test_many_that_come_and_go_at_once_all_hear(wakeups: Wakeups, redis: Redis) -> None:
    async def come_and_go(i: int) -> None:
        for _ in range(5):
            async with wakeups.subscribe(f"c{i % 3}") as wakeup:
                await drained(wakeup)
                await redis.publish(f"c{i % 3}", "x")
                assert await wakeup.wait(5)

    await asyncio.gather(*map(come_and_go, range(20)))


async def test_a_subscription_that_is_given_up_leaves_nothing_behind(wakeups: Wakeups, redis: Redis) -> None:
    async def subscribe() -> None:
        async with wakeups.subscribe("a"):
            pass

    for steps in range(6):
        task = asyncio.create_task(subscribe())
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait((task,))
    assert wakeups._channels == {}
    async with wakeups.subscribe("a") as wakeup:
        await drained(wakeup)
        await redis.publish("a", "x")
        assert await wakeup.wait(5)


async def test_without_a_server_a_subscription_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgamesbot.store.wakeups.SUBSCRIBE_SECONDS", 0.05)
    client = connect(f"redis://127.0.0.1:{free_port()}/0")
    wakeups = Wakeups(client)
    with pytest.raises(UNAVAILABLE):
        async with wakeups.subscribe("a"):
            pass
    await wakeups.close()
    await client.aclose()


async def test_closing_wakes_those_who_wait(redis: Redis) -> None:
    wakeups = Wakeups(redis)
    async with wakeups.subscribe("a") as wakeup:
        await drained(wakeup)
        waiting = asyncio.create_task(wakeup.wait(5))
        await asyncio.sleep(0)
        await wakeups.close()
        assert await waiting
    with pytest.raises(UNAVAILABLE):
        async with wakeups.subscribe("a"):
            pass

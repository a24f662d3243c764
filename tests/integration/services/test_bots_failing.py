"""Whatever bots do, tables play on within their deadlines, none loses a turn and none plays one twice."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from boardgamesbot.bots.app import make_app
from boardgamesbot.bots.queues import AGAIN, ALL, QUICK, TURNS, Backlog, backlogs, waiting_since
from boardgamesbot.client import Client
from boardgamesbot.runtime.settings import TURN_MARGIN
from boardgamesbot.store import keys
from boardgamesbot.store.client import connect
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1 import tables_pb2
from tests.support.bots import TOKEN_KEY, BotTurns
from tests.support.platform import Platform
from tests.support.play import collect, versions
from tests.support.waiting import eventually

DEADLINE = 6.0
STRANGE = "tests.support.strange_bots"
SECONDS = 60.0

BAD = {"looping": 3, "stuck": 3, "failing": 20, "hungry": 3, "breaking": 6, "illegal": 20, "obstinate": 3}
"""Bots that no operator wants, and how many decisions of theirs are looked at."""


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[Platform]:
    """Rules, dispatcher, and workers for each kind of bot."""
    with (
        EmbeddedServer(tmp_path / "redis", appendfsync="everysec") as redis,
        Platform(
            redis.url,
            tmp_path,
            token_key=TOKEN_KEY,
            bot_turn_seconds=DEADLINE,
            bot_think_seconds=0.4,
            bot_memory_mb=128,
            worker_processes=2,
        ) as running,
    ):
        running.start("rules")
        running.start("dispatcher", module=STRANGE)
        for queues in ("quick", "deep"):
            running.start(f"worker-{queues}", module=STRANGE, BGB_WORKER_QUEUES=queues)
        asyncio.run(_warm(running))
        yield running


async def _warm(platform: Platform) -> None:
    """Have both workers play once, so that no test waits for their start."""
    with BotTurns(platform.settings.rules_address) as bots:
        async with table_of(platform, bots, ["random", "searcher-easy", "random"]) as (host, table_id):
            await _until(host, table_id, 9)


@asynccontextmanager
async def table_of(platform: Platform, bots: BotTurns, names: Sequence[str]) -> AsyncIterator[tuple[Client, str]]:
    """A table of these bots, started."""
    async with Client(platform.settings.rules_address) as host:
        await host.sign_in("Host")
        table = await host.create_table("agora", len(names))
        for seat, name in enumerate(names):
            await bots.seat(table.id, name, seat)
        await host.start(table.id)
        yield host, table.id


async def _until(host: Client, table_id: str, version: int) -> None:
    async with asyncio.timeout(SECONDS):
        async for response in host.watch(table_id):
            if response.version >= version:
                return


async def rests(platform: Platform, table_id: str) -> list[float]:
    """How long each decision of a table took, in seconds by the store's clock."""
    redis = connect(platform.settings.redis_url)
    try:
        times = [event.time_ms for event in await TableStore(redis).events(table_id, 0)]
    finally:
        await redis.aclose()
    return [(after - before) / 1000 for before, after in pairwise(times)]


async def test_tables_of_bad_bots_play_on_within_their_deadline(platform: Platform) -> None:
    """All of them at the same time, with two processes for quick bots and two for those that search."""
    before = platform.log("dispatcher")
    with BotTurns(platform.settings.rules_address) as bots:

        async def play(bot: str, decisions: int) -> None:
            async with table_of(platform, bots, [bot] * 3) as (host, table_id):
                begins = (await host.view(table_id)).version
                await _until(host, table_id, begins + decisions)
                played = (await rests(platform, table_id))[4:]
                assert len(played) >= decisions, bot
                assert max(played) < DEADLINE, bot

        await asyncio.gather(*(play(bot, decisions) for bot, decisions in BAD.items()))
    assert "woken again" not in platform.log("dispatcher").removeprefix(before), "nobody had to be asked again"
    logs = platform.log("worker-quick") + platform.log("worker-deep")
    for bot in BAD:  # where this machine has too much to do, one that does not stop is excused
        assert re.search(rf"(bot failed[^\[=]*|bot had no processor time) +(\[\S+\] )?bot={bot} ", logs), bot


async def test_many_tables_are_played_to_their_ends_in_time_nothing_lost_or_twice(platform: Platform) -> None:
    """Quick bots, searching ones and a bad one at every table; more tables than there are processes to think."""
    names, before = ("greedy", "searcher-easy", "random", "failing"), platform.log("dispatcher")
    with BotTurns(platform.settings.rules_address) as bots:

        async def play(number: int) -> None:
            seats = names[number % 4 :] + names[: number % 4]
            async with table_of(platform, bots, seats) as (host, table_id):
                seen = await collect(host, table_id)
                assert versions(seen) == list(range(1, seen[-1].version + 1))
                assert seen[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED
                record = await host.record(table_id)
                assert not (await host.verify(record)).HasField("fault")
                assert len(record.moves) == sum(response.HasField("move_played") for response in seen)
                assert max((await rests(platform, table_id))[len(seats) + 1 :]) < DEADLINE

        async with asyncio.timeout(SECONDS):
            await asyncio.gather(*(play(number) for number in range(4)))
    assert "woken again" not in platform.log("dispatcher").removeprefix(before)


async def test_a_turn_that_was_lost_is_given_out_again_in_time_for_its_deadline(platform: Platform) -> None:
    """The dispatcher dies, and what it had not handed on goes with the disk; another finds out in time."""
    with BotTurns(platform.settings.rules_address) as bots:
        platform.kill("dispatcher")
        async with table_of(platform, bots, ["random"] * 3) as (host, table_id):
            begins, redis = (await host.view(table_id)).version, connect(platform.settings.redis_url)
            try:
                slot = keys.slot_of(table_id)
                due = await redis.zscore(keys.deadlines(slot), table_id)
                woken: Any = await redis.hget(keys.table(table_id), "wake_ms")
                assert float(due or 0) - float(woken or 0) == platform.settings.bot_again_ms
                assert await redis.delete(keys.outbox(slot)) == 1
            finally:
                await redis.aclose()
            platform.start("dispatcher", module=STRANGE)
            await _until(host, table_id, begins + 3)
            lost, *others = (await rests(platform, table_id))[begins - 1 :]
    assert (1 - TURN_MARGIN) * DEADLINE <= lost < 2 * DEADLINE, "another dispatcher has to start first"
    assert max(others) < DEADLINE


async def test_the_age_of_the_oldest_waiting_task_is_told(tmp_path: Path) -> None:
    """No worker runs: what is handed out waits, each kind in its queue."""
    with (
        EmbeddedServer(tmp_path / "redis") as redis,
        Platform(redis.url, tmp_path, token_key=TOKEN_KEY, bot_turn_seconds=60.0) as platform,
    ):
        platform.start("rules", "dispatcher")
        app, store = make_app(platform.settings), connect(redis.url)
        clock = StoreClock(store)

        def of_turns() -> Backlog:
            (backlog,) = backlogs(app, [TURNS[QUICK]])
            return backlog

        async def waits(tasks: int) -> bool:
            return of_turns().waiting == tasks

        try:
            assert [(one.waiting, one.oldest_ms) for one in backlogs(app)] == [(0, None)] * len(ALL)
            with BotTurns(platform.settings.rules_address) as bots:
                begun = await clock.read_ms()
                async with table_of(platform, bots, ["random"] * 3):
                    await eventually(partial(waits, 1), SECONDS)
                    between = await clock.read_ms()
                    async with table_of(platform, bots, ["random"] * 3):
                        await eventually(partial(waits, 2), SECONDS)
                        backlog = of_turns()
                        assert backlog.oldest_ms is not None
                        assert begun - 1 <= backlog.oldest_ms <= between + 1, "since its commit, the older one"
                        assert backlog.age(between + 5_000) >= 5.0
                        assert set(waiting_since([backlog])) >= {"random", "greedy"}
            idle = {one.queue for one in backlogs(app) if not one.waiting}
            assert idle == {*ALL} - {TURNS[QUICK]}
        finally:
            app.close()
            await store.aclose()


async def test_turns_that_wait_for_a_worker_are_not_given_out_twice(tmp_path: Path) -> None:
    """No worker runs for longer than a turn may take: what waits goes on waiting, once; and then it is played."""
    with (
        EmbeddedServer(tmp_path / "redis") as redis,
        Platform(redis.url, tmp_path, token_key=TOKEN_KEY, bot_turn_seconds=2.0, bot_think_seconds=0.4) as platform,
    ):
        platform.start("rules", "dispatcher")
        app = make_app(platform.settings)
        try:
            with BotTurns(platform.settings.rules_address) as bots:
                async with table_of(platform, bots, ["random"] * 3) as (host, table_id):
                    version = (await host.view(table_id)).version
                    await eventually(lambda: _is_in(platform, "work waits for workers"), SECONDS)
                    await asyncio.sleep(3.0)
                    assert [one.waiting for one in backlogs(app, [AGAIN[QUICK], TURNS[QUICK]])] == [0, 1]
                    assert "woken again" not in platform.log("dispatcher")
                    app.control.purge()
                    await eventually(lambda: _is_in(platform, "woken again"), SECONDS)
                    assert [one.waiting for one in backlogs(app, [AGAIN[QUICK], TURNS[QUICK]])] == [1, 0]
                    platform.start("worker")
                    await _until(host, table_id, version + 3)
        finally:
            app.close()


async def _is_in(platform: Platform, words: str) -> bool:
    return words in platform.log("dispatcher")

"""What commits leave to be done comes to a dispatcher at least once, whoever dies."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.outbox import Delivery, Outbox, Resent
from boardgamesbot.store.tables import TableStore
from tests.integration.store.commits import BOT, commit, create
from tests.support.waiting import eventually


@pytest.fixture(params=[False, True], ids=["one call", "per slot"])
def outbox(redis: Redis, request: pytest.FixtureRequest) -> Outbox:
    return Outbox(redis, per_slot=request.param or None)


async def wake_at(store: TableStore, slot: int, deadline_ms: int | None = None) -> str:
    """A new table in `slot` where it is a bot's turn."""
    return await create(store, table_id=f"{slot:02x}{keys.new_table_id()[2:]}", wake=BOT, deadline_ms=deadline_ms)


async def test_the_wake_of_a_commit_is_delivered_with_all_it_says(store: TableStore, outbox: Outbox) -> None:
    table_id = await wake_at(store, 3)
    (delivery,) = await outbox.read("a", 0, 10)
    assert delivery == Delivery(3, delivery.entry_id, "bot_turn", table_id, 1, 1, "greedy", "bot-1", 1)
    assert await outbox.read("a", 0, 10) == []


async def test_every_slot_is_read_and_each_entry_goes_to_one_dispatcher(store: TableStore, outbox: Outbox) -> None:
    tables = [await wake_at(store, slot) for slot in range(16) for _ in range(2)]
    batches = [await outbox.read(consumer, 0, 1) for consumer in ("a", "b", "c")]
    assert [len(batch) for batch in batches] == [16, 16, 0]
    assert sorted(delivery.table_id for batch in batches for delivery in batch) == sorted(tables)


async def test_a_read_that_waits_returns_when_something_comes(store: TableStore, outbox: Outbox) -> None:
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(outbox.read("a", 2_000, 10))
        await asyncio.sleep(0)
        table_id = await wake_at(store, 9)
    assert [delivery.table_id for delivery in reading.result()] == [table_id]


async def test_what_is_done_is_gone(store: TableStore, outbox: Outbox, redis: Redis) -> None:
    for slot in (0, 5, 5):
        await wake_at(store, slot)
    deliveries = await outbox.read("a", 0, 10)
    await outbox.done(deliveries[:2])
    await outbox.done([])
    pending = [(await redis.xpending(keys.outbox(slot), "dispatchers"))["pending"] for slot in (0, 5)]
    assert pending == [0, 1]
    assert [d.entry_id for d in await outbox.reclaim("b", 0)] == [deliveries[2].entry_id]
    await outbox.done(deliveries)
    assert await outbox.reclaim("b", 0) == []
    assert [await redis.xlen(keys.outbox(slot)) for slot in (0, 5)] == [0, 0]


async def test_what_a_dead_dispatcher_took_goes_to_another_after_a_while(store: TableStore, outbox: Outbox) -> None:
    for slot in (1, 1, 2):
        await wake_at(store, slot)
    taken = await outbox.read("dead", 0, 10)
    assert len(taken) == 3
    assert await outbox.reclaim("alive", 60_000) == []

    async def reclaimed() -> list[Delivery]:
        return await outbox.reclaim("alive", 20)

    assert await eventually(reclaimed) == taken
    assert await outbox.reclaim("late", 60_000) == []


async def test_more_than_one_page_of_lost_deliveries_is_reclaimed(store: TableStore, outbox: Outbox) -> None:
    for _ in range(7):
        await wake_at(store, 4)
    taken = await outbox.read("dead", 0, 10)
    pages = [await outbox.reclaim("alive", 0, count=3) for _ in range(3)]
    assert [delivery for page in pages for delivery in page] == taken


async def test_an_entry_deleted_but_not_acknowledged_does_not_come_back(
    store: TableStore, outbox: Outbox, redis: Redis
) -> None:
    await wake_at(store, 4)
    (taken,) = await outbox.read("dead", 0, 10)
    await redis.xdel(keys.outbox(4), taken.entry_id)
    assert await outbox.reclaim("alive", 0) == []
    assert (await redis.xpending(keys.outbox(4), "dispatchers"))["pending"] == 0


async def test_what_a_dispatcher_does_not_know_stays_for_one_who_does(
    store: TableStore, outbox: Outbox, redis: Redis
) -> None:
    later = {"kind": "later", "of": "a program that is not yet written"}
    tables = [await wake_at(store, 6)]
    entry_id = await redis.xadd(keys.outbox(6), later)  # type: ignore[arg-type]
    tables.append(await wake_at(store, 6))
    deliveries = await outbox.read("a", 0, 10)
    assert [delivery.table_id for delivery in deliveries] == tables
    await outbox.done(deliveries)
    assert await outbox.reclaim("b", 0) == []
    pending = await redis.xpending_range(keys.outbox(6), "dispatchers", "-", "+", 10)
    assert [entry["message_id"] for entry in pending] == [entry_id]
    assert await redis.xlen(keys.outbox(6)) == 1


async def test_a_redis_that_lost_its_data_gets_its_groups_again(
    store: TableStore, outbox: Outbox, redis: Redis
) -> None:
    assert await outbox.read("a", 0, 10) == []
    await redis.flushdb()
    assert await outbox.reclaim("a", 0) == []
    await redis.flushdb()
    table_id = await wake_at(store, 7)

    async def found() -> list[Delivery]:
        return await outbox.read("a", 10, 10)

    assert [delivery.table_id for delivery in await eventually(found)] == [table_id]


async def test_a_dispatcher_that_waits_while_the_data_is_lost_goes_on(
    store: TableStore, outbox: Outbox, redis: Redis
) -> None:
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(outbox.read("a", 2_000, 10))

        async def waits() -> bool:
            return await redis.exists(keys.outbox(15)) == 1

        await eventually(waits)
        await redis.flushdb()
        table_id = await wake_at(store, 15)
    again = reading.result() or await outbox.read("a", 2_000, 10)
    assert [delivery.table_id for delivery in again] == [table_id]


async def test_an_overdue_turn_is_sent_again_once_however_many_watch(store: TableStore, redis: Redis) -> None:
    tables = {await wake_at(store, slot, deadline_ms=0) for slot in (0, 0, 0, 8)}
    await wake_at(store, 8, deadline_ms=60_000)
    watchdogs = [Outbox(redis) for _ in range(4)]
    sent = await asyncio.gather(*(watchdog.rearm_overdue(60_000) for watchdog in watchdogs))
    assert sorted((r.table_id, r.version, r.attempt) for found in sent for r in found) == sorted(
        (table_id, 1, 2) for table_id in tables
    )
    deliveries = await watchdogs[0].read("a", 0, 100)
    assert {d.table_id for d in deliveries if d.attempt == 2} == tables
    assert len(deliveries) == 5 + 4


async def test_attempts_are_counted_until_somebody_plays(store: TableStore, outbox: Outbox) -> None:
    table_id = await wake_at(store, 0, deadline_ms=0)
    assert [await outbox.rearm_overdue(0) for _ in range(2)] == [[Resent(table_id, 1, 2)], [Resent(table_id, 1, 3)]]
    await store.commit(commit(table_id, 1, wake=replace(BOT, seat=2), deadline_ms=0))
    assert await outbox.rearm_overdue(60_000) == [Resent(table_id, 2, 2)]
    deliveries = await outbox.read("a", 0, 100)
    assert [(d.version, d.seat, d.attempt) for d in deliveries] == [
        (1, 1, 1), (1, 1, 2), (1, 1, 3), (2, 2, 1), (2, 2, 2),
    ]  # fmt: skip


async def test_a_turn_that_was_played_or_a_table_that_is_gone_is_not_sent_again(
    store: TableStore, outbox: Outbox, redis: Redis
) -> None:
    played, gone = await wake_at(store, 0, deadline_ms=0), await wake_at(store, 0, deadline_ms=0)
    await store.commit(commit(played, 1))
    assert not await redis.hexists(keys.table(played), "wake_seat")
    await redis.delete(keys.table(gone))
    assert await outbox.rearm_overdue(0) == []
    assert await redis.exists(keys.deadlines(0), keys.table(gone)) == 0


async def test_no_more_than_the_limit_are_sent_at_once(store: TableStore, outbox: Outbox) -> None:
    for _ in range(5):
        await wake_at(store, 6, deadline_ms=0)
    assert [len(await outbox.rearm_overdue(60_000, limit=2)) for _ in range(4)] == [2, 2, 1, 0]

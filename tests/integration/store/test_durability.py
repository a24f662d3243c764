"""What was acknowledged survives the death of the server."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis

from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.store.outbox import Outbox
from boardgamesbot.store.tables import TableStore
from tests.integration.store.commits import BOT, advance, commit, create


async def test_everything_acknowledged_before_a_sigkill_is_there_after_it(
    own_server: EmbeddedServer, own_redis: Redis
) -> None:
    store = TableStore(own_redis)
    table_id = await create(store, listed="playing")
    await advance(store, table_id, 1, 9)
    last = await store.commit(commit(table_id, 9, request_id="r", wake=BOT, deadline_ms=0))
    own_server.kill()
    own_server.start()
    stored = await store.load(table_id)
    assert stored is not None
    assert (stored.version, stored.snapshot) == (10, b"snapshot \xfe\r\n10")
    assert [event.version for event in await store.events(table_id, 0)] == list(range(1, 11))
    again = await store.commit(commit(table_id, 9, request_id="r"))
    assert (again.version, again.answer, again.time_ms, again.repeated) == (10, last.answer, last.time_ms, True)
    outbox = Outbox(own_redis)
    assert [d.version for d in await outbox.read("d", 0, 10)] == [10]
    assert [r.table_id for r in await outbox.rearm_overdue(60_000)] == [table_id]


async def test_writers_under_a_sigkill_lose_nothing_that_was_acknowledged(
    own_server: EmbeddedServer, own_redis: Redis
) -> None:
    store = TableStore(own_redis)
    tables = [await create(store) for _ in range(8)]
    acknowledged = dict.fromkeys(tables, 1)
    killed = asyncio.Event()

    async def write(table_id: str) -> None:
        while not killed.is_set() or acknowledged[table_id] < 30:
            version = acknowledged[table_id]
            try:
                made = await store.commit(commit(table_id, version, request_id=str(version)))
            except UNAVAILABLE:
                continue
            assert made.version == version + 1
            acknowledged[table_id] = made.version

    async def kill() -> None:
        while min(acknowledged.values()) < 10:
            await asyncio.sleep(0)
        own_server.kill()
        own_server.start()
        killed.set()

    async with asyncio.TaskGroup() as group:
        for table_id in tables:
            group.create_task(write(table_id))
        group.create_task(kill())
    for table_id in tables:
        assert await store.version(table_id) == acknowledged[table_id]
        events = [event.version for event in await store.events(table_id, 0)]
        assert events == list(range(1, acknowledged[table_id] + 1))


async def test_the_scripts_are_sent_again_to_a_server_that_lost_them(store: TableStore, redis: Redis) -> None:
    await create(store)
    await redis.script_flush()
    assert await store.version(await create(store)) == 1

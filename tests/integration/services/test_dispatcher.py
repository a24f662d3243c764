"""What a dispatcher looks after beside bots' turns."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis

from boardgamesbot.bots import dispatcher
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import keys
from boardgamesbot.store.tables import TableStore
from tests.integration.store.commits import create
from tests.support.waiting import eventually

SECONDS = 20.0


async def test_a_dispatcher_takes_tables_that_are_gone_out_of_the_lists(redis: Redis, redis_url: str) -> None:
    store = TableStore(redis)
    kept, gone = [await create(store, listed="open") for _ in range(2)]
    await redis.delete(keys.table(gone))

    async def listed(table_id: str) -> bool:
        return await redis.zscore(keys.listed(keys.slot_of(table_id), "open"), table_id) is not None

    async def is_swept() -> bool:
        return not await listed(gone)

    stop = asyncio.Event()
    running = asyncio.create_task(dispatcher.run(Settings(redis_url=redis_url), stop))
    try:
        await eventually(is_swept, SECONDS)
    finally:
        stop.set()
        await running
    assert await listed(kept)

"""The history of a table: every version, once, in order."""

from __future__ import annotations

import asyncio

from boardgamesbot.store.tables import Stale, TableStore
from tests.integration.store.commits import advance, commit, create


async def test_events_go_on_exactly_after_a_version(store: TableStore) -> None:
    table_id = await create(store)
    made = await advance(store, table_id, 1, 12)
    events = await store.events(table_id, 0)
    assert [e.version for e in events] == list(range(1, 13))
    assert [(e.event, e.move) for e in events][-1] == (b"event \xfd12", b"move 12")
    assert [e.time_ms for e in events[1:]] == [m.time_ms for m in made]
    assert [e.version for e in await store.events(table_id, 9)] == [10, 11, 12]
    assert await store.events(table_id, 12) == []
    assert [e.version for e in await store.events(table_id, 3, limit=2)] == [4, 5]


async def test_a_reader_that_follows_writers_in_a_race_misses_nothing_and_sees_nothing_twice(store: TableStore) -> None:
    table_id = await create(store)
    last = 60

    async def write() -> None:
        while (version := await store.version(table_id) or 0) < last:
            try:
                await store.commit(commit(table_id, version))
            except Stale:
                continue

    async def read() -> list[int]:
        seen: list[int] = []
        while not seen or seen[-1] < last:
            seen += [event.version for event in await store.events(table_id, seen[-1] if seen else 0, limit=3)]
        return seen

    async with asyncio.TaskGroup() as group:
        reader = group.create_task(read())
        for _ in range(4):
            group.create_task(write())
    assert reader.result() == list(range(1, reader.result()[-1] + 1))

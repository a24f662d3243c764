"""A commit that ends a game leaves its result for those who rate it, once; it comes to one of them at least once."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.finished import RESULTS_KEPT_SECONDS, Finished, FinishedTable
from boardgamesbot.store.outbox import Outbox
from boardgamesbot.store.tables import Stale, TableStore
from tests.integration.store.commits import BOT, commit, create
from tests.support.waiting import eventually


@pytest.fixture(params=[False, True], ids=["one call", "per slot"])
def finished(redis: Redis, request: pytest.FixtureRequest) -> Finished:
    return Finished(redis, per_slot=request.param or None)


async def test_the_last_commit_of_a_game_leaves_the_table_as_it_ended(store: TableStore, finished: Finished) -> None:
    table_id = await create(store)
    made = await store.commit(commit(table_id, 1, finished=True))
    (found,) = await finished.read("a", 0, 10)
    assert found == FinishedTable(keys.slot_of(table_id), found.entry_id, table_id, commit(table_id, 1).table)
    assert abs(found.time_ms - made.time_ms) < 1_000
    assert await finished.read("b", 0, 10) == []


async def test_other_commits_leave_none(store: TableStore, finished: Finished) -> None:
    table_id = await create(store, wake=BOT)
    await store.commit(commit(table_id, 1))
    assert await finished.read("a", 0, 10) == []


async def test_a_commit_that_is_repeated_or_refused_leaves_no_second_result(
    store: TableStore, finished: Finished
) -> None:
    table_id = await create(store)
    last = commit(table_id, 1, finished=True, request_id="last")
    for _ in range(3):
        await store.commit(last)
    with pytest.raises(Stale):
        await store.commit(commit(table_id, 1, finished=True))
    assert len(await finished.read("a", 0, 10)) == 1


async def test_dispatchers_are_not_bothered_with_results_nor_raters_with_turns(
    store: TableStore, finished: Finished, redis: Redis
) -> None:
    table_id = await create(store, wake=BOT)
    await store.commit(commit(table_id, 1, finished=True))
    assert [d.version for d in await Outbox(redis).read("a", 0, 10)] == [1]
    assert [found.table_id for found in await finished.read("a", 0, 10)] == [table_id]


async def test_what_a_dead_rater_took_goes_to_another_until_it_is_done(store: TableStore, finished: Finished) -> None:
    table_id = await create(store, finished=True)
    assert [found.table_id for found in await finished.read("dead", 0, 10)] == [table_id]
    assert await finished.reclaim("alive", 60_000) == []

    async def reclaimed() -> list[FinishedTable]:
        return await finished.reclaim("alive", 20)

    found = await eventually(reclaimed)
    assert [one.table_id for one in found] == [table_id]
    await finished.done(found)
    assert await finished.reclaim("late", 0) == []


async def test_results_that_nobody_rates_are_forgotten_in_the_end(
    store: TableStore, finished: Finished, redis: Redis
) -> None:
    table_id = await create(store)
    stream = keys.finished(keys.slot_of(table_id))
    seconds, _ = await redis.time()
    old_ms = (int(seconds) - RESULTS_KEPT_SECONDS - 60) * 1000
    for number in range(300):  # servers forget whole nodes of a stream, of a hundred entries each
        await redis.xadd(stream, {"table": "old", "public": ""}, id=f"{old_ms}-{number}")
    await store.commit(commit(table_id, 1, finished=True))
    assert await redis.xlen(stream) < 150
    assert (await finished.read("a", 0, 500))[-1].table_id == table_id

"""How much there is: counted as it is, whatever happens to tables, on one server as on many."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from boardgamesbot.store import keys
from boardgamesbot.store.census import Census, Waiting
from boardgamesbot.store.observed import observe
from boardgamesbot.store.outbox import Outbox
from boardgamesbot.store.scripts import script, script_name
from boardgamesbot.store.tables import TableStore, Wake
from tests.integration.store.commits import BOT, advance, commit, create
from tests.support.waiting import eventually

KINDS = ("agora:open", "agora:playing")


@pytest.fixture
def census(redis: Redis) -> Census:
    return Census(redis, keys.DEFAULT_SLOTS)


async def test_a_table_is_counted_once_as_what_it_is(store: TableStore, census: Census) -> None:
    tables = [await create(store, counted="agora:open") for _ in range(5)]
    assert await census.tables(KINDS) == {"agora:open": 5, "agora:playing": 0}
    for table_id in tables[:3]:
        await store.commit(commit(table_id, 1, counted="agora:playing"))
    assert await census.tables(KINDS) == {"agora:open": 2, "agora:playing": 3}
    await store.commit(commit(tables[0], 2))
    assert await census.tables(KINDS) == {"agora:open": 2, "agora:playing": 2}, "one that is over is not counted"


async def test_a_table_that_expires_is_not_counted_for_ever(store: TableStore, census: Census) -> None:
    await create(store, counted="agora:open", expire_s=1)
    assert await census.tables(KINDS) == {"agora:open": 1, "agora:playing": 0}

    async def is_gone() -> bool:
        return await census.tables(KINDS) == {"agora:open": 0, "agora:playing": 0}

    await eventually(is_gone)


async def test_a_table_that_is_played_at_counts_for_longer(store: TableStore, redis: Redis) -> None:
    table_id = await create(store, counted="agora:playing", expire_s=10)
    counted = keys.census(keys.slot_of(table_id), "agora:playing")
    until = await redis.zscore(counted, table_id)
    for version in range(1, 33):
        await store.commit(commit(table_id, version, counted="agora:playing", expire_s=1_000))
    later = await redis.zscore(counted, table_id)
    assert until is not None
    assert later is not None
    assert later > until + 900_000


async def test_what_waits_is_counted_with_its_age(store: TableStore, redis: Redis, census: Census) -> None:
    assert await census.outbox() == Waiting(0, 0)
    assert await census.overdue() == Waiting(0, 0)
    for _ in range(3):
        await create(store, wake=BOT, deadline_ms=0)

    async def have_aged() -> bool:
        waiting, overdue = await census.outbox(), await census.overdue()
        assert (waiting.number, overdue.number) == (3, 3)
        return waiting.oldest_ms > 20 and overdue.oldest_ms > 20

    await eventually(have_aged)
    outbox = Outbox(redis, keys.DEFAULT_SLOTS)
    await outbox.done(await outbox.read("a", 0, 10))
    assert await census.outbox() == Waiting(0, 0), "what was handed on does not wait"


async def test_the_server_is_asked_about_itself(redis: Redis, census: Census) -> None:
    server = await census.server()
    assert server is not None
    assert server.memory_bytes > 100_000
    assert server.clients >= 1
    assert not server.failed_to_save


async def test_a_turn_carries_what_it_is_a_consequence_of(store: TableStore, redis: Redis) -> None:
    outbox = Outbox(redis, keys.DEFAULT_SLOTS)
    table_id = await create(store, wake=Wake(1, "greedy", "bot-1", trace="00-abc"))
    assert [delivery.trace for delivery in await outbox.read("a", 0, 10)] == ["00-abc"]
    await store.commit(commit(table_id, 1, wake=BOT))
    assert [delivery.trace for delivery in await outbox.read("a", 0, 10)] == [""]


async def test_calls_are_told_by_name_with_what_they_took(store: TableStore, redis: Redis) -> None:
    told: list[tuple[str, float, Exception | None]] = []
    await redis.ping()
    observe(redis, lambda name, seconds, error: told.append((name, seconds, error)))
    await redis.get("nothing")
    await script(redis, "rearm")(keys=[keys.deadlines(0), keys.outbox(0)], args=[keys.table_prefix(0), 1, 1, "{}"])
    pipe = redis.pipeline(transaction=False)
    pipe.get("nothing")
    pipe.get("nothing")
    await pipe.execute()
    await redis.xread({"nothing": "0"}, block=1)
    names = [name for name, _, error in told if error is None]
    assert names == ["GET", "rearm", "pipeline"], "one that waits for something says nothing about Redis"
    assert all(0 < seconds < 5 for _, seconds, _ in told)
    await redis.set("text", "x")
    with pytest.raises(ResponseError):
        await redis.hget("text", "field")
    name, _, error = told[-1]
    assert name == "HGET"
    assert isinstance(error, RedisError)
    assert script_name("0" * 40) is None


async def test_many_moves_are_counted_without_being_told_every_time(store: TableStore, census: Census) -> None:
    table_id = await create(store)
    await advance(store, table_id, 1, 5)
    assert await census.tables(KINDS) == {"agora:open": 0, "agora:playing": 0}, "what counts as nothing is not counted"

"""One commit: whole or not at all, once however often it comes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.store.tables import Committed, NotFound, Stale, StoredTable, TableStore
from tests.integration.store.commits import BOT, advance, commit, create
from tests.support.proxy import CuttingProxy


async def test_what_is_committed_is_what_is_loaded(store: TableStore, redis: Redis) -> None:
    table_id = await create(store, listed="open")
    created = await store.load(table_id)
    made = await store.commit(commit(table_id, 1, listed="playing"))
    assert created is not None
    assert abs(created.created_ms - int(float(".".join(map(str, await redis.time()))) * 1000)) < 5_000
    assert made == Committed(2, b"answer:\x00:2", repeated=False, time_ms=made.time_ms, commit=made.commit)
    assert made.time_ms >= created.created_ms
    assert await store.load(table_id) == StoredTable(
        table_id=table_id,
        version=2,
        commit=made.commit,
        table=b"table \xff\x002",
        snapshot=b"snapshot \xfe\r\n2",
        created_ms=created.created_ms,
        listed="playing",
    )
    assert await store.version(table_id) == 2


async def test_a_table_that_is_not_there(store: TableStore) -> None:
    for table_id in (keys.new_table_id(), "no such id", ""):
        assert await store.load(table_id) is None
        assert await store.version(table_id) is None
        assert await store.answer(table_id, "r") is None
        assert await store.events(table_id, 0) == []
    absent = keys.new_table_id()
    with pytest.raises(NotFound):
        await store.commit(commit(absent, 1, listed="open", wake=BOT, deadline_ms=0))
    assert await store.load(absent) is None
    with pytest.raises(ValueError, match="not a table id"):
        await store.commit(commit("no such id", 0))


async def test_creating_a_table_that_is_there_is_stale(store: TableStore) -> None:
    table_id = await create(store)
    with pytest.raises(Stale) as stale:
        await store.commit(commit(table_id, 0, table=b"another"))
    assert stale.value.current_version == 1
    stored = await store.load(table_id)
    assert stored is not None
    assert stored.table == b"table \xff\x001"


@pytest.mark.parametrize("same_bytes", [True, False])
async def test_of_50_commits_for_one_version_one_is_made(store: TableStore, same_bytes: bool) -> None:
    table_id = await create(store)
    made = [commit(table_id, 1, table=b"same" if same_bytes else b"of %d" % i) for i in range(50)]
    results = await asyncio.gather(*map(store.commit, made), return_exceptions=True)
    winners = [i for i, result in enumerate(results) if isinstance(result, Committed)]
    assert len(winners) == 1
    assert [r.current_version for r in results if isinstance(r, Stale)] == [2] * 49
    stored = await store.load(table_id)
    assert stored is not None
    assert stored.table == made[winners[0]].table
    assert len(await store.events(table_id, 0)) == 2


async def test_a_request_that_comes_many_times_at_once_has_one_effect_and_one_answer(store: TableStore) -> None:
    table_id = await create(store)
    same = [commit(table_id, 1, request_id="r", answer=b"answer %d" % i) for i in range(20)]
    results = await asyncio.gather(*map(store.commit, same))
    assert sum(not result.repeated for result in results) == 1
    assert len({(result.version, result.answer, result.time_ms) for result in results}) == 1
    assert await store.version(table_id) == 2


async def test_a_request_that_comes_later_is_answered_as_it_was_whatever_version_it_names(
    store: TableStore, redis: Redis
) -> None:
    table_id = await create(store)
    first = await store.commit(commit(table_id, 1, request_id="r", wake=BOT, deadline_ms=9_000, listed="playing"))
    await advance(store, table_id, 2, 5)
    before = await store.load(table_id)
    for version in (1, 3, 5):
        again = commit(table_id, version, request_id="r", answer=b"other", wake=BOT, deadline_ms=1, listed="open")
        assert await store.commit(again) == replace(first, repeated=True)
    assert await store.load(table_id) == before
    assert await store.answer(table_id, "r") == first.answer
    assert await store.answer(table_id, "another") is None
    assert len(await store.events(table_id, 0)) == 5
    assert await redis.xlen(keys.outbox(keys.slot_of(table_id))) == 1
    assert await redis.zcard(keys.deadlines(keys.slot_of(table_id))) == 0


async def test_a_refused_request_is_not_remembered(store: TableStore) -> None:
    table_id = await create(store)
    with pytest.raises(Stale):
        await store.commit(commit(table_id, 7, request_id="r"))
    assert not (await store.commit(commit(table_id, 1, request_id="r"))).repeated


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("request_id", [None, "r"])
@pytest.mark.parametrize("somebody_else_is_next", [False, True])
async def test_a_lost_reply_is_neither_a_second_effect_nor_a_false_stale(
    redis_server: EmbeddedServer, store: TableStore, redis: Redis, request_id: str | None, somebody_else_is_next: bool
) -> None:
    table_id = await create(store)

    async def next_commit() -> None:
        if somebody_else_is_next:
            await store.commit(commit(table_id, 2))

    async with CuttingProxy(redis_server.port) as proxy:
        client = connect(redis_server.url_at(proxy.port))
        behind = TableStore(client)
        assert await behind.version(table_id) == 1
        proxy.cut_next_reply(next_commit)
        made = await behind.commit(commit(table_id, 1, request_id=request_id, wake=BOT, notify=("p",)))
        await client.aclose()
    assert proxy.cuts == 1
    assert made == Committed(2, b"answer:\x00:2", repeated=False, time_ms=made.time_ms, commit=made.commit)
    assert await store.version(table_id) == (3 if somebody_else_is_next else 2)
    assert [e.version for e in await store.events(table_id, 1)] == ([2, 3] if somebody_else_is_next else [2])
    assert await redis.xlen(keys.outbox(keys.slot_of(table_id))) == 1


@pytest.mark.usefixtures("alone")
async def test_a_lost_reply_to_a_creation(redis_server: EmbeddedServer, store: TableStore) -> None:
    async with CuttingProxy(redis_server.port) as proxy:
        client = connect(redis_server.url_at(proxy.port))
        behind = TableStore(client)
        await create(behind)
        proxy.cut_next_reply()
        table_id = await create(behind)
        await client.aclose()
    assert proxy.cuts == 1
    assert await store.version(table_id) == 1


async def test_everything_of_a_table_expires_together(store: TableStore, redis: Redis) -> None:
    table_id = await create(store, expire_s=50, request_id="r")
    await store.commit(commit(table_id, 1, expire_s=1000))
    for key in (keys.table(table_id), keys.events(table_id), keys.requests(table_id)):
        assert 990 < await redis.ttl(key) <= 1000


async def test_a_commit_tells_the_watchers_of_the_table_and_those_whose_turn_it_is(
    store: TableStore, redis: Redis
) -> None:
    table_id = keys.new_table_id()
    async with redis.pubsub() as pubsub:
        await pubsub.subscribe(keys.table_channel(table_id), keys.player_channel("a"), keys.player_channel("b"))
        await create(store, table_id=table_id)
        await store.commit(commit(table_id, 1, notify=("a", "b")))
        heard: list[tuple[str, str]] = []
        while len(heard) < 4:
            message = await pubsub.get_message(timeout=5)
            assert message is not None
            if message["type"] == "message":
                heard.append((message["channel"].decode(), message["data"].decode()))
    table = keys.table_channel(table_id)
    assert heard == [(table, "1"), (table, "2"), ("player:a", table_id), ("player:b", table_id)]


@pytest.mark.parametrize(
    "wrong",
    [{"expire_s": 0}, {"request_id": ""}, {"listed": "closed"}, {"deadline_ms": 5}, {"wake": BOT, "deadline_ms": -1}],
)
def test_a_commit_that_makes_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each says something else
        commit(keys.new_table_id(), 0, **wrong)
    with pytest.raises(ValueError, match="version"):
        commit(keys.new_table_id(), -1)

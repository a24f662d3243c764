"""One script for many callers at the same time: as few round trips as can be, and to each their own answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis import exceptions
from redis.asyncio import Redis, RedisCluster

from boardgamesbot.store import keys
from boardgamesbot.store.client import connect
from boardgamesbot.store.tables import Stale, TableStore
from boardgamesbot.store.together import LONG_SECONDS, MOST_AT_ONCE, Together
from tests.integration.store.commits import commit, create


@pytest.fixture
def round_trips(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many calls went with each round trip; grows as they are made."""
    if isinstance(redis, RedisCluster):
        pytest.skip("in a Cluster every call goes alone")
    seen: list[int] = []
    pipeline = redis.pipeline
    execute_command: Any = redis.execute_command

    async def alone(*command: Any, **options: Any) -> Any:
        if command[0] == "EVALSHA":
            seen.append(1)
        return await execute_command(*command, **options)

    def counted(*arguments: Any, **options: Any) -> Any:
        made: Any = pipeline(*arguments, **options)
        send = made.execute

        async def execute(*more: Any, **others: Any) -> Any:
            seen.append(len(made))
            return await send(*more, **others)

        made.execute = execute
        return made

    monkeypatch.setattr(redis, "pipeline", counted)
    monkeypatch.setattr(redis, "execute_command", alone)
    return seen


async def test_calls_made_at_the_same_time_share_round_trips_and_get_their_own_answers(
    redis: Redis, round_trips: list[int]
) -> None:
    store = TableStore(redis)
    ids = [await create(store) for _ in range(20)]
    round_trips.clear()
    versions = [1] * 10 + [7] * 10
    made = await asyncio.gather(
        *(store.commit(commit(one, version)) for one, version in zip(ids, versions, strict=True)),
        return_exceptions=True,
    )
    assert [one.version for one in made[:10] if not isinstance(one, BaseException)] == [2] * 10
    assert [type(one) for one in made[10:]] == [Stale] * 10
    assert sum(round_trips) == 20
    assert len(round_trips) <= 3


async def test_those_that_come_while_a_round_trip_is_under_way_share_the_next(
    redis: Redis, round_trips: list[int]
) -> None:
    store = TableStore(redis)
    ids = [await create(store) for _ in range(20)]
    round_trips.clear()
    await redis.client_pause(60_000, all=False)
    commits = [asyncio.create_task(store.commit(commit(ids[0], 1)))]
    while not round_trips:
        await asyncio.sleep(0)
    for table_id in ids[1:]:
        commits.append(asyncio.create_task(store.commit(commit(table_id, 1))))
        for _ in range(5):  # for longer than calls of the same moment are gathered
            await asyncio.sleep(0)
    await redis.client_unpause()
    await asyncio.gather(*commits)
    assert (round_trips[0], sum(round_trips)) == (1, 20)
    assert len(round_trips) <= 3


async def test_where_a_round_trip_takes_long_another_is_begun(redis: Redis, round_trips: list[int]) -> None:
    store = TableStore(redis)
    ids = [await create(store) for _ in range(3)]
    round_trips.clear()
    await redis.client_pause(60_000, all=False)
    commits = []
    for table_id in ids:
        commits.append(asyncio.create_task(store.commit(commit(table_id, 1))))
        await asyncio.sleep(2 * LONG_SECONDS)
    begun = [*round_trips]
    await redis.client_unpause()
    await asyncio.gather(*commits)
    assert begun == round_trips == [1, 1, 1]


async def test_a_round_trip_has_so_many_calls_at_most(redis: Redis, round_trips: list[int]) -> None:
    store = TableStore(redis)
    await asyncio.gather(*(create(store) for _ in range(3 * MOST_AT_ONCE)))
    assert sum(round_trips) == 3 * MOST_AT_ONCE
    assert max(round_trips) == MOST_AT_ONCE


async def test_no_call_is_left_waiting_however_many_come_while_others_end(redis: Redis) -> None:
    store = TableStore(redis)

    async def play() -> int:
        table_id = await create(store)
        for version in range(1, 12):
            await store.commit(commit(table_id, version))
        return (await store.commit(commit(table_id, 12))).version

    async with asyncio.timeout(60):
        assert await asyncio.gather(*(play() for _ in range(40))) == [13] * 40


async def test_a_server_that_has_forgotten_the_script_is_given_it_again(redis: Redis) -> None:
    store = TableStore(redis)
    ids = [await create(store) for _ in range(3)]
    await redis.script_flush()
    made = await asyncio.gather(*(store.commit(commit(one, 1)) for one in ids))
    assert [one.version for one in made] == [2, 2, 2]
    assert not any(one.repeated for one in made)


async def test_a_caller_that_goes_away_takes_nobodys_answer_along(redis: Redis) -> None:
    store = TableStore(redis)
    ids = [await create(store) for _ in range(6)]
    calls = [asyncio.create_task(store.commit(commit(one, 1))) for one in ids]
    await asyncio.sleep(0)
    for call in calls[::2]:
        call.cancel()
    made = await asyncio.gather(*calls, return_exceptions=True)
    assert [one.version for one in made[1::2] if not isinstance(one, BaseException)] == [2, 2, 2]
    assert all(isinstance(one, asyncio.CancelledError) for one in made[::2])
    assert (await store.commit(commit(await create(store), 1))).version == 2


async def test_everybody_hears_that_the_store_is_away(alone: None) -> None:
    redis = connect("redis://127.0.0.1:1/0")
    calls = Together(redis, "commit")
    async with asyncio.timeout(10):
        made = await asyncio.gather(*(calls(["key"], []) for _ in range(3)), return_exceptions=True)
    assert [type(one) for one in made] == [exceptions.ConnectionError] * 3
    await redis.aclose()


async def test_how_long_a_table_is_kept_is_said_again_as_its_time_passes(redis: Redis) -> None:
    store = TableStore(redis)
    table_id = await create(store, expire_s=1)
    for key in (keys.table(table_id), keys.events(table_id)):
        await redis.persist(key)
    await asyncio.sleep(0.02)  # more than a hundredth of its time
    await store.commit(commit(table_id, 1, expire_s=1, request_id="r"))
    for key in (keys.table(table_id), keys.events(table_id), keys.requests(table_id)):
        assert await redis.ttl(key) == 1


async def test_the_requests_of_a_table_expire_with_it_whenever_the_first_comes(redis: Redis) -> None:
    store = TableStore(redis)
    table_id = await create(store, expire_s=1000)
    await store.commit(commit(table_id, 1, expire_s=1000, request_id="r"))
    assert 990 < await redis.ttl(keys.requests(table_id)) <= 1000
    await store.commit(commit(table_id, 2, expire_s=1000))
    assert 990 < await redis.ttl(keys.requests(table_id)) <= 1000

"""Lists of tables: newest first over all slots, every table on one page."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.tables import TableStore
from tests.integration.store.commits import commit, create


async def pages(store: TableStore, statuses: list[str], size: int) -> list[list[str]]:
    """Every page, as ids."""
    found, token = [], ""
    while True:
        page, token = await store.list(statuses, size, token)
        found.append([stored.table_id for stored in page])
        if not token:
            return found


async def set_creation(redis: Redis, table_id: str, status: str, ms: int) -> None:
    await redis.zadd(keys.listed(keys.slot_of(table_id), status), {table_id: ms})
    await redis.hset(keys.table(table_id), "created_ms", str(ms))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("same_ms", [1, 3, 100])
async def test_pages_hold_every_table_once_newest_first(
    store: TableStore, redis: Redis, size: int, same_ms: int
) -> None:
    expected = []
    for i in range(23):
        status = ("open", "playing")[i % 2]
        table_id = await create(store, table_id=keys.new_table_id(4), listed=status)
        await set_creation(redis, table_id, status, 1_000_000 + i // same_ms)
        expected.append((1_000_000 + i // same_ms, table_id))
    await create(store, listed="finished")
    await create(store)
    found = await pages(store, ["open", "playing"], size)
    assert [table_id for page in found for table_id in page] == [t for _, t in sorted(expected, reverse=True)]
    assert [len(page) for page in found[:-1]] == [size] * (len(found) - 1)
    assert found[-1]


async def test_a_table_is_listed_where_its_last_commit_put_it(store: TableStore, redis: Redis) -> None:
    table_id = await create(store, listed="open")
    assert await pages(store, ["open"], 5) == [[table_id]]
    await store.commit(commit(table_id, 1, listed="playing"))
    assert (await pages(store, ["open"], 5), await pages(store, ["playing"], 5)) == ([[]], [[table_id]])
    await store.commit(commit(table_id, 2, listed=None))
    assert await pages(store, list(keys.LISTED_STATUSES), 5) == [[]]
    assert await redis.keys("*:listed:*") == []


async def test_a_new_table_between_two_pages_moves_nothing(store: TableStore) -> None:
    first = [await create(store, listed="open") for _ in range(6)]
    page, token = await store.list(["open"], 3)
    await create(store, listed="open")
    rest, end = await store.list(["open"], 10, token)
    assert sorted(t.table_id for t in page + rest) == sorted(first)
    assert end == ""


async def test_tables_that_are_gone_leave_the_list_and_do_not_shorten_a_page(store: TableStore, redis: Redis) -> None:
    tables = [await create(store, listed="open") for _ in range(9)]
    ordered = [table_id for page in await pages(store, ["open"], 50) for table_id in page]
    gone, alive = ordered[:5], ordered[5:]
    await redis.delete(*map(keys.table, gone))
    assert len(tables) == 9
    assert await pages(store, ["open"], 3) == [alive[:3], alive[3:]]
    assert sum([await redis.zcard(keys.listed(slot, "open")) for slot in range(16)]) == len(alive)


async def test_a_table_that_moves_while_the_lists_are_read_is_not_shown_where_it_is_no_more(
    store: TableStore, redis: Redis
) -> None:
    table_id = await create(store, listed="playing")
    await redis.zadd(keys.listed(keys.slot_of(table_id), "open"), {table_id: 1_000})
    assert await pages(store, ["open"], 5) == [[]]


async def test_an_id_that_lives_again_is_listed_once(store: TableStore, redis: Redis) -> None:
    table_id = await create(store, listed="open")
    await redis.delete(keys.table(table_id), keys.events(table_id))
    await create(store, table_id=table_id, listed="playing")
    assert await pages(store, ["open", "playing"], 5) == [[table_id]]
    assert await pages(store, ["open"], 5) == [[]]


@pytest.mark.parametrize(
    "token", ["x", "1.", "1.00aaaaaaaaaaaa1", "-1.00aaaaaaaaaaaa", "1.zzaaaaaaaaaaaa", "1.00aaaaaaaaaaaa\n"]
)
async def test_a_token_that_nobody_gave(store: TableStore, token: str) -> None:
    with pytest.raises(ValueError, match="page token"):
        await store.list(["open"], 5, token)


async def test_a_page_has_at_least_one_table(store: TableStore) -> None:
    with pytest.raises(ValueError, match="at least one"):
        await store.list(["open"], 0)


async def test_the_tables_of_a_player(store: TableStore, redis: Redis) -> None:
    first, second = keys.new_table_id(), keys.new_table_id()
    assert await store.tables_of("p") == set()
    for table_id in (first, second, first):
        await store.remember_seat("p", table_id)
    await store.remember_seat("q", second)
    await store.forget_seat("p", second)
    await store.forget_seat("p", second)
    assert (await store.tables_of("p"), await store.tables_of("q")) == ({first}, {second})
    assert await redis.ttl(keys.player_tables("p")) > 0


async def test_a_list_does_not_read_the_games(redis: Redis, store: TableStore, alone: None) -> None:
    game = 1_000_000
    for _ in range(5):
        await create(store, listed="open", snapshot=b"x" * game)
    before = (await redis.info("stats"))["total_net_output_bytes"]
    page, _ = await store.list(["open"], 10)
    sent = (await redis.info("stats"))["total_net_output_bytes"] - before
    assert len(page) == 5
    assert sent < game

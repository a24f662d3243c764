"""Bot accounts in the store: seats are not given out twice, the newest stream speaks for an account, all of it ends."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.accounts import AccountStore, Announcement, StoredAccount, account_id, new_stream

ID = account_id(bytes(range(8)))
TAKES = Announcement(("agora", "barcelona"), 3)


@pytest.fixture
async def accounts(redis: Redis) -> AccountStore:
    """A store with one account."""
    store = AccountStore(redis, ttl_ms=60_000)
    await store.create(ID, "guest-owner", "Owner", "Rook")
    return store


async def loaded(accounts: AccountStore) -> StoredAccount:
    found = await accounts.load(ID)
    assert found is not None
    return found


async def test_no_more_seats_are_given_out_than_there_are(accounts: AccountStore) -> None:
    await accounts.announce(ID, new_stream(), TAKES)
    rook = await loaded(accounts)
    given = await asyncio.gather(*(accounts.reserve(rook, f"table-{n}") for n in range(10)))
    assert sum(given) == 3
    taken = given.index(True)
    assert await accounts.reserve(rook, f"table-{taken}"), "a seat that is noted is noted again"
    assert not (await loaded(accounts)).has_room
    assert await accounts.online() == []
    await accounts.release(ID, f"table-{taken}")
    assert [one.name for one in await accounts.online()] == ["Rook"]
    assert await accounts.reserve(rook, "another")


async def test_the_newest_stream_speaks_for_the_account(accounts: AccountStore) -> None:
    old, new = new_stream(), new_stream()
    await accounts.announce(ID, old, Announcement(("agora",), 1))
    await accounts.announce(ID, new, TAKES)
    await accounts.announce(ID, old, Announcement(("agora",), 1))
    assert (await loaded(accounts)).announcement == TAKES
    await accounts.withdraw(ID, old)
    assert (await loaded(accounts)).announcement == TAKES
    await accounts.withdraw(ID, new)
    assert (await loaded(accounts)).announcement is None
    assert await accounts.online() == []


async def test_who_does_not_say_so_again_is_online_no_more(
    accounts: AccountStore, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardgamesbot.store.accounts.ONLINE_MS", 1)
    await accounts.announce(ID, new_stream(), TAKES)
    other = account_id(bytes(8))
    await accounts.create(other, "guest-owner", "Owner", "Bishop")
    monkeypatch.setattr("boardgamesbot.store.accounts.ONLINE_MS", 30_000)
    await asyncio.wait_for(_gone(redis), 5)
    await accounts.announce(other, new_stream(), TAKES)
    assert [one.name for one in await accounts.online()] == ["Bishop"]
    assert await redis.zrange(keys.ONLINE_ACCOUNTS, 0, -1) == [other.encode()], "who is gone is forgotten"


async def _gone(redis: Redis) -> None:
    while await redis.exists(keys.account_presence(ID)):
        await asyncio.sleep(0.002)


async def test_an_account_that_is_deleted_leaves_nothing(accounts: AccountStore, redis: Redis) -> None:
    await accounts.announce(ID, new_stream(), TAKES)
    await accounts.delete(ID, "guest-owner")
    assert await redis.keys("{accounts}:*") == []
    assert await accounts.generation(ID) is None
    assert not await accounts.announce(ID, new_stream(), TAKES), "a stream that ends late does not bring it back"
    assert not await accounts.renew(ID)
    assert await redis.keys("{accounts}:*") == []


async def test_each_renewal_is_another_generation(accounts: AccountStore) -> None:
    first = await accounts.generation(ID)
    assert await accounts.renew(ID)
    await accounts.create(ID, "guest-owner", "Owner", "Other name")
    rook = await loaded(accounts)
    assert first is not None
    assert (rook.generation, rook.name) == (first + 1, "Rook")


async def test_everything_that_is_kept_ends_by_itself(accounts: AccountStore, redis: Redis) -> None:
    await accounts.announce(ID, new_stream(), TAKES)
    await accounts.reserve(await loaded(accounts), "table")
    for key in (
        keys.account(ID),
        keys.owned_accounts("guest-owner"),
        keys.account_presence(ID),
        keys.player_tables(ID),
    ):
        assert await redis.pttl(key) > 0, key

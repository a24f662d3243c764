"""Bot accounts: programs from outside that people own; which tokens of theirs are good, and who is online with room.

All but a player's tables is kept under one hash tag. All times are Redis's.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import keys
from boardgamesbot.store.scripts import script

if TYPE_CHECKING:
    from redis.asyncio import Redis

MOST_OWNED = 20
"""So many accounts one person may own."""
MOST_LISTED = 100
ONLINE_MS = 30_000
"""How long an account counts as online without saying so again."""
SEAT_SECONDS = 30 * 86_400
_ID = re.compile(r"account-[0-9a-f]{16}")


class TooMany(Exception):
    """The owner has as many accounts as one may have."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What an account takes."""

    game_ids: tuple[str, ...]
    max_tables: int


@dataclass(frozen=True, slots=True)
class StoredAccount:
    """An account as it is now."""

    id: str
    owner: str
    owner_name: str
    name: str
    created_ms: int
    generation: int
    """Which of its tokens are good: those issued in this generation."""
    announcement: Announcement | None
    """What it takes, while it is online."""
    tables: int
    """At how many it has a seat."""

    @property
    def has_room(self) -> bool:
        return self.announcement is not None and self.tables < self.announcement.max_tables

    def takes(self, game_id: str) -> bool:
        """Whether it is online and takes the game."""
        return self.announcement is not None and game_id in self.announcement.game_ids


def is_account_id(value: str) -> bool:
    """Whether `value` could be an account's id."""
    return _ID.fullmatch(value) is not None


def account_id(digest: bytes) -> str:
    """The id that belongs to `digest`, at least 8 evenly spread bytes: the same digest, the same id."""
    return f"account-{digest[:8].hex()}"


def new_stream() -> str:
    """A name for a stream that an account watches by; a later one is greater."""
    return f"{time.time_ns():020d}-{secrets.token_hex(4)}"


class AccountStore:
    """Accounts in Redis. `ttl_ms`: how long one is kept after it was last online, or its token renewed."""

    def __init__(self, redis: Redis, *, ttl_ms: int) -> None:
        self._redis = redis
        self._ttl_ms = ttl_ms
        self._create, self._renew, self._delete, self._announce, self._withdraw = (
            script(redis, f"account_{name}", after="accounts")
            for name in ("create", "renew", "delete", "announce", "withdraw")
        )
        self._reserve = script(redis, "account_reserve")

    async def create(self, account: str, owner: str, owner_name: str, name: str) -> None:
        """Make an account; one that is there stays as it is. Raises TooMany."""
        made = await self._call(self._create, account, owner, owner_name, name, MOST_OWNED, self._ttl_ms)
        if not made:
            raise TooMany

    async def load(self, account: str) -> StoredAccount | None:
        """An account as it is now; None where there is none (any more)."""
        (found,) = await self._load([account])
        return found

    async def owned(self, owner: str) -> list[StoredAccount]:
        """The accounts of a person, the oldest first."""
        members: Any = await self._redis.smembers(keys.owned_accounts(owner))
        found = await self._load([member.decode() for member in members])
        return sorted((account for account in found if account is not None), key=lambda one: (one.created_ms, one.id))

    async def online(self, limit: int = MOST_LISTED) -> list[StoredAccount]:
        """Accounts that are online and have room, by name."""
        members: Any = await self._redis.zrange(keys.ONLINE_ACCOUNTS, 0, -1)
        found = await self._load([member.decode() for member in members])
        able = [account for account in found if account is not None and account.has_room]
        return sorted(able, key=lambda one: (one.name, one.id))[:limit]

    async def generation(self, account: str) -> int | None:
        """Which tokens of an account are good; None: none, there is no such account."""
        found: Any = await self._redis.hget(keys.account(account), "generation")
        return None if found is None else int(found)

    async def renew(self, account: str) -> bool:
        """Begin another generation; False where there is no such account."""
        return bool(await self._call(self._renew, account, self._ttl_ms))

    async def delete(self, account: str, owner: str) -> None:
        """End an account; one that has ended stays so."""
        await self._call(self._delete, account, owner)

    async def announce(self, account: str, stream: str, takes: Announcement) -> bool:
        """Note that the account is online by a stream, for half a minute; False where there is no such account."""
        games = ",".join(takes.game_ids)
        return bool(await self._call(self._announce, account, stream, games, takes.max_tables, ONLINE_MS, self._ttl_ms))

    async def withdraw(self, account: str, stream: str) -> None:
        """Note that the stream has ended."""
        await self._call(self._withdraw, account, stream)

    async def reserve(self, account: StoredAccount, table_id: str) -> bool:
        """Note a seat at a table, if the account has room for it or the seat is noted; whether that is so."""
        most = 0 if account.announcement is None else account.announcement.max_tables
        tables = keys.player_tables(account.id)
        return bool(await self._reserve(keys=[tables], args=[table_id, most, SEAT_SECONDS]))

    async def release(self, account: str, table_id: str) -> None:
        """Note that the account has no seat at the table."""
        await self._redis.srem(keys.player_tables(account), table_id)

    async def _load(self, accounts: Sequence[str]) -> list[StoredAccount | None]:
        pipe = self._redis.pipeline(transaction=False)
        for account in accounts:
            pipe.hgetall(keys.account(account))
            pipe.hgetall(keys.account_presence(account))
            pipe.scard(keys.player_tables(account))
        found = await pipe.execute() if accounts else []
        return [_account(account, *found[3 * i : 3 * i + 3]) for i, account in enumerate(accounts)]

    async def _call(self, called: Any, *arguments: object) -> Any:
        return await called(keys=[keys.ONLINE_ACCOUNTS], args=arguments)


def _account(account: str, fields: Any, presence: Any, tables: int) -> StoredAccount | None:
    if not fields:
        return None
    takes = None
    if presence:
        takes = Announcement(tuple(presence[b"games"].decode().split(",")), int(presence[b"tables"]))
    return StoredAccount(
        id=account,
        owner=fields[b"owner"].decode(),
        owner_name=fields[b"owner_name"].decode(),
        name=fields[b"name"].decode(),
        created_ms=int(fields[b"created_ms"]),
        generation=int(fields[b"generation"]),
        announcement=takes,
        tables=tables,
    )

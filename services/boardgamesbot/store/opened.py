"""Which tables each player has opened that have not begun: so that nobody opens them without end."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from boardgamesbot.store import keys

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from redis.asyncio import Redis


LOOKED_AT = 32


class TooManyOpen(Exception):
    """The player has as many open tables as one may have."""


class OpenedTables:
    """A set for each player, of at most `most`. When it is full, some of it is looked at, and what has begun taken out.

    Two calls at the same time may each see the other's table: then both are refused.
    """

    def __init__(self, redis: Redis, most: int, keep_seconds: int) -> None:
        """A set nothing is put into for `keep_seconds` is forgotten: its tables are gone by then."""
        self._redis = redis
        self._most = most
        self._keep_seconds = keep_seconds

    async def add(self, player_id: str, table_id: str, is_open: Callable[[str], Awaitable[bool]]) -> None:
        """Put in a table that is about to be opened; the same again changes nothing. Raises TooManyOpen."""
        key = keys.opened_tables(player_id)
        async with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.sadd(key, table_id)
            pipeline.expire(key, self._keep_seconds)
            pipeline.scard(key)
            *_, so_many = await pipeline.execute()
        if so_many <= self._most:
            return
        some = cast("list[bytes]", await self._redis.srandmember(key, LOOKED_AT))
        gone = [
            other for other in (member.decode() for member in some) if other != table_id and not await is_open(other)
        ]
        if gone:
            await self._redis.srem(key, *gone)
        if so_many - len(gone) > self._most:
            await self._redis.srem(key, table_id)
            raise TooManyOpen

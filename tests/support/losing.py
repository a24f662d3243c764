"""What a failover that loses the last commits does to one table, without one."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis

from boardgamesbot.store import keys


class Kept:
    """A table as it is at one moment, to be put back later."""

    def __init__(self, redis: Redis, table_id: str) -> None:
        self._redis = redis
        self._keys = (keys.table(table_id), keys.events(table_id), keys.requests(table_id))
        self._values: list[bytes | None] = []
        self._channel = keys.table_channel(table_id)

    async def keep(self) -> None:
        """Remember it."""
        self._values = [await self._redis.dump(key) for key in self._keys]

    async def put_back(self) -> None:
        """Undo whatever has happened to it since; whoever listens for it looks, as after any lost connection."""
        client: Any = self._redis
        for key, value in zip(self._keys, self._values, strict=True):
            if value is None:
                await client.delete(key)
            else:
                await client.restore(key, 0, value, replace=True)
        await client.publish(self._channel, "")

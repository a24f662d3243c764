"""How much thinking each player may ask for: a bucket that empties with asking and fills again by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.store import keys
from boardgamesbot.store.scripts import script

if TYPE_CHECKING:
    from redis.asyncio import Redis


class Quotas:
    """A bucket for each player: it holds at most `most` seconds, and gets `refill` of them back with every second.

    The store's clock decides. A call that redis-py repeats because its reply was lost may count twice: the bucket fills
    again.
    """

    def __init__(self, redis: Redis, most: float, refill: float) -> None:
        self._most = most
        self._refill = refill
        self._take = script(redis, "quota")

    async def take(self, player_id: str, seconds: float) -> float:
        """Take `seconds` out of a player's bucket. 0 if they were there, else after how many seconds they will be."""
        return await self._change(player_id, seconds)

    async def give_back(self, player_id: str, seconds: float) -> None:
        """Put back what was taken and not used."""
        await self._change(player_id, -seconds)

    async def _change(self, player_id: str, seconds: float) -> float:
        wait_ms = await self._take(keys=[keys.quota(player_id)], args=[seconds, self._most, self._refill])
        return int(wait_ms) / 1000

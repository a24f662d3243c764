"""The store's clock, read without asking the store every time."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redis.asyncio import Redis

GOOD_SECONDS = 30.0
"""After so long the store is asked again: two clocks drift apart by less than a millisecond in that time."""


class StoreClock:
    """Says what the time is in Redis, to within half a round trip, whatever happens to the clock of this host."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._offset_ms = 0.0
        self._good_until = 0.0

    @property
    def is_good(self) -> bool:
        """Whether `now_ms` may be used without another `ask`."""
        return monotonic() < self._good_until

    async def ask(self) -> None:
        """Ask the store. Raises one of `UNAVAILABLE`."""
        before = monotonic()
        seconds, microseconds = await self._redis.time()
        after = monotonic()
        self._offset_ms = seconds * 1000 + microseconds / 1000 - (before + after) * 500
        self._good_until = after + GOOD_SECONDS

    def now_ms(self) -> float:
        """The time in the store, in ms, as of when it was last asked."""
        return monotonic() * 1000 + self._offset_ms

    async def read_ms(self) -> float:
        """The time in the store, in ms; asks only if it has to."""
        if not self.is_good:
            await self.ask()
        return self.now_ms()

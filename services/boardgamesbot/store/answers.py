"""Answers that one process waits for and another gives, once; nobody keeps them."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import keys
from boardgamesbot.store.client import MAX_BLOCK_MS

if TYPE_CHECKING:
    from redis.asyncio import Redis

KEPT_SECONDS = 60
"""An answer that nobody takes is forgotten after so long."""
SHORTEST_SECONDS = 0.01
"""Servers take a time-out that they round to 0 for none at all."""


class Answers:
    """Where a question's answer is left for whoever asked it. Questions have ids that nobody can guess."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def give(self, question: str, answer: bytes) -> None:
        """Leave an answer. A second one to the same question changes nothing for whoever has the first."""
        key = keys.answer(question)
        pipe = self._redis.pipeline(transaction=True)
        pipe.rpush(key, answer)
        pipe.expire(key, KEPT_SECONDS)
        await pipe.execute()

    async def wait(self, question: str, seconds: float) -> bytes | None:
        """The first answer, as soon as there is one; None after `seconds` without."""
        deadline = monotonic() + seconds
        while (left := deadline - monotonic()) > 0:
            block = max(SHORTEST_SECONDS, min(left, MAX_BLOCK_MS / 1000))
            found: Any = await self._redis.blpop([keys.answer(question)], block)
            if found is not None:
                return bytes(found[1])
        return None

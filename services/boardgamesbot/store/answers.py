"""Answers that one process waits for and another gives; nobody keeps them.

Who asks says so for as long as they wait, so that who works on the answer can stop when nobody does any more: because
they went away, or because their process died. Who works on it says so as well, so that who asked need not wait for
somebody who is dead, and can ask again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import UNAVAILABLE, keys
from boardgamesbot.store.client import MAX_BLOCK_MS
from boardgamesbot.store.scripts import script
from boardgamesbot.store.tasks import ended

if TYPE_CHECKING:
    from redis.asyncio import Redis

KEPT_SECONDS = 60
"""An answer that nobody takes is forgotten after so long."""
ASKED_MS = 3_000
"""Who does not say for so long that they wait does not wait any more."""
AT_WORK_MS = 1_500
"""Who does not say for so long that they work on an answer does not work on it any more."""
SHORTEST_SECONDS = 0.01
"""Servers take a time-out that they round to 0 for none at all."""


class Answers:
    """Where the answers to a question are left for whoever asked it. Questions have ids that nobody can guess."""

    def __init__(self, redis: Redis, waiting: Redis | None = None) -> None:
        """`waiting`: the client that waits for answers, so that those who wait leave others their connections."""
        self._redis = redis
        self._waiting = redis if waiting is None else waiting
        self._give = script(redis, "answer")
        self._at_work = script(redis, "at_work")
        self._attempts: dict[str, int] = {}

    @asynccontextmanager
    async def asking(self, question: str) -> AsyncGenerator[None, None]:
        """Say that somebody waits for answers, from now on to the end of the block; it is asked for the first time."""
        await self.ask_as(question, 1)
        saying = asyncio.create_task(self._go_on_saying(question))
        try:
            yield
        finally:
            await ended(saying)
            del self._attempts[question]
            with suppress(*UNAVAILABLE):  # then it is over when `ASKED_MS` are
                await self._redis.delete(keys.asked(question))

    async def ask_as(self, question: str, attempt: int) -> None:
        """Within `asking`: wait for the answer to this attempt. Who works on one of before is to stop."""
        self._attempts[question] = attempt
        await self._say(question)

    async def at_work(self, question: str, attempt: int) -> bool:
        """Say, several times in `AT_WORK_MS`, that one works on an answer; whether it is still waited for."""
        asked, at_work = keys.asked(question), keys.at_work(question)
        return bool(await self._at_work(keys=[asked, at_work], args=[attempt, AT_WORK_MS]))

    async def is_worked_on(self, question: str) -> bool:
        """Whether anybody works on an answer."""
        return bool(await self._redis.exists(keys.at_work(question)))

    async def give(self, question: str, answer: bytes) -> None:
        """Leave an answer, behind those that are there."""
        await self._give(keys=[keys.answer(question)], args=[answer, KEPT_SECONDS])

    async def wait(self, question: str, seconds: float) -> bytes | None:
        """The next answer, as soon as there is one; None after `seconds` without."""
        deadline = monotonic() + seconds
        while (left := deadline - monotonic()) > 0:
            block = max(SHORTEST_SECONDS, min(left, MAX_BLOCK_MS / 1000))
            found: Any = await self._waiting.blpop([keys.answer(question)], block)
            if found is not None:
                return bytes(found[1])
        return None

    async def _say(self, question: str) -> None:
        await self._redis.set(keys.asked(question), self._attempts[question], px=ASKED_MS)

    async def _go_on_saying(self, question: str) -> None:
        while True:
            await asyncio.sleep(ASKED_MS / 3000)
            with suppress(*UNAVAILABLE):
                await self._say(question)

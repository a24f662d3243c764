"""Whether a question is in anybody's hands: it waits in its queue, or a worker that lives is at it.

The broker gives a task again whose worker died only after minutes, and one that it lost itself never.
"""

from __future__ import annotations

import asyncio
from time import monotonic

from celery import Celery
from kombu.exceptions import OperationalError

from boardgamesbot.bots.queues import CHOICES, backlogs
from boardgamesbot.store.answers import Answers

AGAIN_SECONDS = 0.25
"""However many want to know, the broker is asked no more often what waits."""
LOST_SECONDS = 1.0
"""A question that is in nobody's hands for so long is lost: nobody is on the way to it."""
ROUNDED_MS = 1.0
"""Tasks carry times in whole milliseconds."""


class Line:
    """What waits for workers in the queues of choices."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._looking = asyncio.Lock()
        self._look_again = 0.0
        self._oldest: dict[str, float | None] | None = None

    async def may_have(self, queue: str, sent_ms: float) -> bool:
        """Whether a task that was sent then may still wait there; it may where the broker can't be asked."""
        async with self._looking:
            if monotonic() >= self._look_again:
                self._oldest = await asyncio.to_thread(self._look)
                self._look_again = monotonic() + AGAIN_SECONDS
        if self._oldest is None:
            return True
        oldest = self._oldest[queue]
        return oldest is not None and oldest <= sent_ms + ROUNDED_MS

    def _look(self) -> dict[str, float | None] | None:
        try:
            return {backlog.queue: backlog.oldest_ms for backlog in backlogs(self._app, tuple(CHOICES.values()))}
        except OperationalError:
            return None


class Hands:
    """Those that one question is in."""

    def __init__(self, answers: Answers, line: Line, question_id: str, queue: str) -> None:
        self._answers = answers
        self._line = line
        self._question_id = question_id
        self._queue = queue
        self._sent_ms = 0.0
        self._missed: float | None = None

    def given(self, sent_ms: float) -> None:
        """It has been sent to the workers, by the store's clock."""
        self._sent_ms = sent_ms
        self._missed = None

    async def have_lost_it(self) -> bool:
        """Whether nobody has it, nor has had it for a while. Ask several times a second."""
        if await self._answers.is_worked_on(self._question_id) or await self._line.may_have(self._queue, self._sent_ms):
            self._missed = None
            return False
        if self._missed is None:
            self._missed = monotonic()
        return monotonic() - self._missed >= LOST_SECONDS

    async def have_yet_to_come(self) -> bool:
        """Whether no worker has begun with it, and it waits for one."""
        if await self._answers.is_worked_on(self._question_id):
            return False
        return await self._line.may_have(self._queue, self._sent_ms)

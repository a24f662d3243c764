"""What a program does without end, beside other things: each of its jobs begins again when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from boardgamesbot.runtime import logs
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.tasks import ended

log = logs.logger(__name__)

Job = Callable[[], Awaitable[None]]


async def work(jobs: tuple[Job, ...], stop: asyncio.Event, program: str, retry_seconds: float) -> None:
    """Do the jobs until `stop` is set. One that fails, or ends, begins again after `retry_seconds`."""
    tasks = [asyncio.create_task(_for_ever(job, program, retry_seconds)) for job in jobs]
    try:
        await stop.wait()
    finally:
        await ended(*tasks)


async def _for_ever(job: Job, program: str, retry_seconds: float) -> None:
    while True:
        try:
            await job()
        except UNAVAILABLE as error:
            log.warning("store unavailable", error=type(error).__name__)
        except Exception:
            log.exception(f"{program} failed; it goes on")
        await asyncio.sleep(retry_seconds)

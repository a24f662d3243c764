"""Ending tasks that talk to Redis."""

from __future__ import annotations

import asyncio
from typing import Any

AGAIN_SECONDS = 0.05


async def ended(*tasks: asyncio.Future[Any]) -> None:
    """Cancel tasks and come back when all have ended.

    They are cancelled until they have: redis-py waits with asyncio.wait_for, which before Python 3.12 swallows a
    cancellation that comes in the moment its wait is over.
    """
    while unfinished := [task for task in tasks if not task.done()]:
        for task in unfinished:
            task.cancel()
        await asyncio.wait(unfinished, timeout=AGAIN_SECONDS)

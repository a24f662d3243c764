"""Waiting for what must happen, with a deadline instead of a sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.005


async def eventually(probe: Callable[[], Awaitable[T]], seconds: float = 5.0) -> T:
    """What `probe` gives as soon as it gives something true. Raises AssertionError after `seconds`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not (found := await probe()):
        assert loop.time() < deadline, f"did not happen within {seconds:g} s"
        await asyncio.sleep(POLL_SECONDS)
    return found

"""Asking again, for longer than one call lasts, while no server answers."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc

from boardgamesbot.client.channel import RECONNECT_SECONDS
from boardgamesbot.client.errors import Refused

R = TypeVar("R")

PATIENCE_SECONDS = 300.0
"""So long a request that may be repeated is sent again while no server answers."""

FOR_EVER = math.inf


def is_passing(refused: Refused) -> bool:
    """Whether the same request may well succeed later: nobody answered or not in time, or it was one too many."""
    if refused.code is grpc.StatusCode.UNAVAILABLE or refused.reason == "TOO_MANY_REQUESTS":
        return True
    return not refused.reason and refused.code in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)


async def patiently(ask: Callable[[], Awaitable[R]], seconds: float = PATIENCE_SECONDS) -> R:
    """The answer to `ask`, called again, up to `seconds`, as long as it is refused in passing.

    A request that changes something must carry the same request id each time. Raises `Refused` for everything else.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return await ask()
        except Refused as refused:
            wait = refused.retry_after or RECONNECT_SECONDS
            if not is_passing(refused) or time.monotonic() + wait > deadline:
                raise
        await asyncio.sleep(wait)

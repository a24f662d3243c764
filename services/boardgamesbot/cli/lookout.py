"""Keeps an eye on the platform during a game: where it goes away, that is said soon, and once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import grpc

from boardgamesbot.client.channel import Tls, open_channel

PATIENCE_SECONDS = 2.0
"""A server that is back within so long was not away."""
_POLL_SECONDS = 0.25


@asynccontextmanager
async def looking_out(address: str, tell: Callable[[bool], None], may_tell: Callable[[], bool]) -> AsyncIterator[None]:
    """Within it, `tell` gets False when nothing answers at the address any more, and True when it does again.

    It is called only when one `may_tell`: later, if it is still so then.
    """
    watch = asyncio.create_task(_watch(address, tell, may_tell))
    try:
        yield
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch


async def _watch(address: str, tell: Callable[[bool], None], may_tell: Callable[[], bool]) -> None:
    answered, is_told_away = time.monotonic(), False
    async with open_channel(address, Tls.from_environment()) as channel:
        while True:
            is_there = channel.get_state(try_to_connect=True) is grpc.ChannelConnectivity.READY
            if is_there:
                answered = time.monotonic()
            is_away = time.monotonic() - answered > PATIENCE_SECONDS
            if (is_away or is_there) and is_away != is_told_away and may_tell():
                tell(not is_away)
                is_told_away = is_away
            await asyncio.sleep(_POLL_SECONDS)

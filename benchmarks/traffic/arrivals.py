"""When things are due."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random


async def poisson(rate: float, seconds: float, rng: Random) -> AsyncIterator[float]:
    """The times, by the loop's clock, of a Poisson process with `rate` arrivals a second, each given when it comes.

    However late the caller is back, the next time is where it was: several can be given at once.
    """
    if rate <= 0:
        await asyncio.sleep(seconds)
        return
    loop = asyncio.get_running_loop()
    due = loop.time()
    end = due + seconds
    while True:
        due += rng.expovariate(rate)
        if due >= end:
            await asyncio.sleep(max(0.0, end - loop.time()))
            return
        if due > loop.time():
            await asyncio.sleep(due - loop.time())
        yield due

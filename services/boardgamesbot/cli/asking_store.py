"""One question to the platform's Redis, by a command that then ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from boardgamesbot.cli.explaining import no_redis
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.client import connect

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.runtime.settings import Settings

T = TypeVar("T")


def ask(settings: Settings, question: Callable[[Redis], Awaitable[T]]) -> T:
    """What the question comes to. Ends the program with a clear message where Redis is away."""

    async def asked() -> T:
        redis = connect(settings.redis_url)
        try:
            return await question(redis)
        finally:
            await redis.aclose()

    try:
        return asyncio.run(asked())
    except UNAVAILABLE as error:
        raise no_redis(settings.redis_url, error) from None

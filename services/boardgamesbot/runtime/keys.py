"""The key that signs tokens: the operator's, or one that all processes share through the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.store.secrets import shared_token_key

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.runtime.settings import Settings


async def token_key(settings: Settings, redis: Redis) -> bytes:
    """The key of the settings; without one, the store's, made by whoever asks first."""
    if settings.token_key:
        return settings.token_key.encode()
    return await shared_token_key(redis)

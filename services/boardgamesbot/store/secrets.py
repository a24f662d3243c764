"""Secrets that all processes on one store share."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import keys

if TYPE_CHECKING:
    from redis.asyncio import Redis

KEY_BYTES = 32


async def shared_token_key(redis: Redis) -> bytes:
    """The 32-byte key that signs tokens, made by whoever asks first and kept as long as the store is."""
    key: Any = await redis.get(keys.TOKEN_KEY)
    if key is None:
        await redis.set(keys.TOKEN_KEY, secrets.token_bytes(KEY_BYTES), nx=True)
        key = await redis.get(keys.TOKEN_KEY)
    if not isinstance(key, bytes) or len(key) != KEY_BYTES:
        raise ValueError(f"{keys.TOKEN_KEY} does not hold a key of {KEY_BYTES} bytes")
    return key

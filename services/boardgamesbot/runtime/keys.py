"""The keys that sign tokens: the operator's, or those that all processes share through the store."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

from boardgamesbot.runtime import keyring, logs
from boardgamesbot.runtime.keyring import Keyring, SigningKey
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.secrets import SharedKeys
from boardgamesbot.store.tasks import ended

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.runtime.settings import Settings

log = logs.logger(__name__)

REFRESH_SECONDS = 3.0
"""So often a process asks the store whether the keys have changed."""
LEAD_SECONDS = 10.0
"""So long a new key is only believed before it signs."""


async def signing_keys(settings: Settings, redis: Redis) -> list[SigningKey]:
    """The keys of the settings, the one that signs first; without any, the store's."""
    named = keyring.parsed(settings.token_keys)
    if settings.token_key:
        named.append(SigningKey("", settings.token_key.encode()))
    return named or [SigningKey(key.id, key.secret) for key in await SharedKeys(redis).load()]


class FreshKeys:
    """A keyring that follows the store. With keys in the settings there is nothing to follow."""

    def __init__(self, settings: Settings, redis: Redis, ring: Keyring) -> None:
        self._settings = settings
        self._redis = redis
        self.ring = ring
        self._asked = time.monotonic()

    @classmethod
    async def of(cls, settings: Settings, redis: Redis) -> FreshKeys:
        """The keys as they are now."""
        return cls(settings, redis, Keyring(await signing_keys(settings, redis)))

    @property
    def is_due(self) -> bool:
        """Whether it is time to ask the store again."""
        is_fixed = self._settings.token_keys or self._settings.token_key
        return not is_fixed and time.monotonic() - self._asked >= REFRESH_SECONDS

    async def refresh(self) -> None:
        """Ask the store; while it is away the keys stay as they are."""
        self._asked = time.monotonic()
        with contextlib.suppress(*UNAVAILABLE):
            self.ring.replace(await signing_keys(self._settings, self._redis))

    async def follow(self) -> None:
        """Ask again and again."""
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            if self.is_due:
                try:
                    await self.refresh()
                except ValueError:
                    log.exception("the keys in the store can't be read; those known are kept")


class ServerTokens:
    """The tokens of a server, whose keys follow the store until it is closed."""

    def __init__(self, fresh: FreshKeys, lifetime_seconds: float) -> None:
        self.tokens = Tokens(fresh.ring, lifetime_seconds)
        self._following = asyncio.create_task(fresh.follow())

    @classmethod
    async def of(cls, settings: Settings, redis: Redis) -> ServerTokens:
        """Tokens with the keys as they are now."""
        return cls(await FreshKeys.of(settings, redis), settings.token_days * 86_400)

    async def aclose(self) -> None:
        """Follow the store no more."""
        await ended(self._following)

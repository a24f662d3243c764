"""Secrets that all processes on one store share: the keys that sign tokens, and the one that makes ids."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from boardgamesbot.store import keys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from redis.asyncio import Redis

KEY_BYTES = 32
MOST_KEYS = 16
FIRST_ID = "1"


@dataclass(frozen=True)
class SharedKey:
    """A key that signs tokens. Times are the store's, in milliseconds since the epoch."""

    id: str
    created_ms: int
    signs_from_ms: int
    """From when on it signs; until then it is only believed, so that every process knows it by the time it signs."""
    secret: bytes = field(repr=False)


class Unfit(Exception):
    """That can't be done with these keys; the message says why."""


class SharedKeys:
    """The keys in the store; the first is made by whoever asks first."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def load(self) -> list[SharedKey]:
        """The keys, the one that signs now first, then the others from the newest to the oldest."""
        now = await self._now_ms()
        found = await self._all()
        if not found:
            secret = await self._redis.get(keys.TOKEN_KEY) or secrets.token_bytes(KEY_BYTES)
            await self._redis.hsetnx(keys.TOKEN_KEYS, FIRST_ID, _written(now, 0, secret))  # type: ignore[arg-type]
            found = await self._all()
        return sorted(found, key=lambda key: (key.signs_from_ms <= now, key.signs_from_ms, int(key.id)), reverse=True)

    async def rotate(self, lead_ms: int, longest_token_ms: int) -> SharedKey:
        """Make a key that signs from `lead_ms` on, and forget those whose last token has expired by now.

        Raises Unfit where there are as many as there may be.
        """
        known, now = await self.load(), await self._now_ms()
        for key in _outlived(known, now, longest_token_ms):
            await self._redis.hdel(keys.TOKEN_KEYS, key.id)
            known.remove(key)
        if len(known) >= MOST_KEYS:
            raise Unfit(f"there are {len(known)} keys, as many as there may be: drop one first")
        number = max(int(key.id) for key in known)
        while True:
            number += 1
            made = SharedKey(str(number), now, now + lead_ms, secrets.token_bytes(KEY_BYTES))
            written = _written(made.created_ms, made.signs_from_ms, made.secret)
            if await self._redis.hsetnx(keys.TOKEN_KEYS, made.id, written):
                return made

    async def drop(self, key_id: str) -> None:
        """Believe a key no more. Raises Unfit where it is the one that signs, KeyError where there is none."""
        signing, *others = await self.load()
        if key_id == signing.id:
            raise Unfit(f"key {key_id} signs now: rotate first, and drop it when another signs")
        if key_id not in (key.id for key in others):
            raise KeyError(key_id)
        await self._redis.hdel(keys.TOKEN_KEYS, key_id)

    async def _all(self) -> list[SharedKey]:
        written: Mapping[bytes, bytes] = cast(Any, await self._redis.hgetall(keys.TOKEN_KEYS))
        return [_read(key_id.decode(), value) for key_id, value in written.items()]

    async def _now_ms(self) -> int:
        seconds, microseconds = await self._redis.time()
        return int(seconds) * 1000 + int(microseconds) // 1000


async def shared_id_secret(redis: Redis) -> bytes:
    """The secret that ids of tables, tickets and accounts are made with; the same as long as the store is kept.

    It is none of the keys that sign: those change, and a request sent again must find what it made before.
    """
    secret: Any = await redis.get(keys.ID_SECRET)
    if secret is None:
        await redis.set(keys.ID_SECRET, secrets.token_bytes(KEY_BYTES), nx=True)
        secret = await redis.get(keys.ID_SECRET)
    if not isinstance(secret, bytes) or len(secret) != KEY_BYTES:
        raise ValueError(f"{keys.ID_SECRET} does not hold a secret of {KEY_BYTES} bytes")
    return secret


def _written(created_ms: int, signs_from_ms: int, secret: bytes) -> bytes:
    return b"%d:%d:%b" % (created_ms, signs_from_ms, secret)


def _read(key_id: str, written: bytes) -> SharedKey:
    created, _, rest = written.partition(b":")
    signs_from, _, secret = rest.partition(b":")
    if not created.isdigit() or not signs_from.isdigit() or len(secret) != KEY_BYTES:
        raise ValueError(f"{keys.TOKEN_KEYS} does not hold a key of {KEY_BYTES} bytes as {key_id!r}")
    return SharedKey(key_id, int(created), int(signs_from), secret)


def _outlived(known: list[SharedKey], now_ms: int, longest_token_ms: int) -> list[SharedKey]:
    """Keys that another has followed so long ago that no token of theirs is good any more. `known` is sorted."""
    signed = [key for key in known if key.signs_from_ms <= now_ms]
    return [older for newer, older in pairwise(signed) if newer.signs_from_ms + longest_token_ms < now_ms]

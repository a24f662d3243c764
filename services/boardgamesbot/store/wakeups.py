"""Waiting for something to be published: one connection a process, however many wait.

A wakeup carries nothing: whoever is woken reads the truth. So wakeups coalesce, and a lost connection loses none:
once subscribed again, everybody is woken.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from redis import exceptions

from boardgamesbot.store.cluster import Cluster
from boardgamesbot.store.tasks import ended

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.connection import AbstractConnection

log = logging.getLogger(__name__)

SUBSCRIBE_SECONDS = 5.0
"""How long a new subscription may take."""

PING_SECONDS = 10.0
"""A connection that is silent for so long is pinged; silent for as long again, it is lost."""

RETRY_SECONDS = 0.1


class Wakeup:
    """One waiter's subscription to one channel."""

    def __init__(self) -> None:
        self._published = asyncio.Event()

    async def wait(self, timeout: float | None = None) -> bool:
        """Return as soon as something was published since the last wait; False after `timeout` seconds without."""
        if not self._published.is_set():
            try:
                async with asyncio.timeout(timeout):
                    await self._published.wait()
            except TimeoutError:
                return False
        self._published.clear()
        return True

    def wake(self) -> None:
        self._published.set()


class _Channel:
    """Who waits on a channel, and whether the server has confirmed that it will tell us."""

    def __init__(self) -> None:
        self.wakeups: set[Wakeup] = set()
        self.confirmed = asyncio.Event()


class Wakeups:
    """The subscriptions of a process. Connects at the first one; close it before the client it was made with."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._channels: dict[bytes, _Channel] = {}
        self._connection: AbstractConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._closed = False

    @asynccontextmanager
    async def subscribe(self, channel: str) -> AsyncIterator[Wakeup]:
        """A `Wakeup` that misses nothing published from now on. Raises one of `UNAVAILABLE`."""
        if self._closed:
            raise exceptions.ConnectionError("wakeups are closed")
        name, wakeup = channel.encode(), Wakeup()
        waiting = self._channels.get(name)
        is_first = waiting is None
        if waiting is None:
            waiting = self._channels[name] = _Channel()
        waiting.wakeups.add(wakeup)
        if self._reader is None:
            self._reader = asyncio.create_task(self._run(), name="wakeups")
        try:
            if is_first:
                await self._send("SUBSCRIBE", name)
            try:
                async with asyncio.timeout(SUBSCRIBE_SECONDS):
                    await waiting.confirmed.wait()
            except TimeoutError:
                raise exceptions.TimeoutError(f"no answer to a subscription within {SUBSCRIBE_SECONDS:g} s") from None
            yield wakeup
        finally:
            waiting.wakeups.discard(wakeup)
            if not waiting.wakeups and self._channels.get(name) is waiting:
                del self._channels[name]
                await self._send("UNSUBSCRIBE", name)

    async def close(self) -> None:
        """Wake everybody for the last time and hang up."""
        self._closed = True
        if self._reader is not None:
            await ended(self._reader)
        for channel in self._channels.values():
            for wakeup in channel.wakeups:
                wakeup.wake()

    async def _send(self, *command: str | bytes) -> None:
        """Send on the connection there is. Where there is none, or it fails, the reader puts things right."""
        if self._connection is not None and self._connection.is_connected:
            with suppress(exceptions.RedisError, OSError):
                await self._connection.send_command(*command, check_health=False)

    async def _run(self) -> None:
        while True:
            connection: AbstractConnection | None = None
            try:
                connection = await _connection(self._redis)
                await connection.connect()  # type: ignore[no-untyped-call]
                self._connection = connection
                if self._channels:
                    await connection.send_command("SUBSCRIBE", *self._channels, check_health=False)
                await self._read(connection)
            except (exceptions.RedisError, OSError) as error:
                log.warning("lost the connection for wakeups: %s", error)
            finally:
                self._connection = None
                for channel in self._channels.values():
                    channel.confirmed.clear()
                if connection is not None:
                    await connection.disconnect(nowait=True)
            await asyncio.sleep(RETRY_SECONDS)

    async def _read(self, connection: AbstractConnection) -> None:
        pinged = False
        while True:
            reply = await connection.read_response(timeout=PING_SECONDS, disconnect_on_error=False)
            if reply is None:
                if pinged:
                    raise exceptions.TimeoutError(f"no answer to a ping within {PING_SECONDS:g} s")
                pinged = True
                await connection.send_command("PING", check_health=False)
                continue
            pinged = False
            if not isinstance(reply, list) or reply[0] not in (b"message", b"subscribe"):
                continue
            channel = self._channels.get(reply[1])
            if channel is None:
                continue
            # A confirmation wakes as well: something may have been published before it.
            if reply[0] == b"subscribe":
                channel.confirmed.set()
            for wakeup in channel.wakeups:
                wakeup.wake()


async def _connection(redis: Redis) -> AbstractConnection:
    """A connection of one's own, not yet connected."""
    if isinstance(redis, Cluster):
        return await redis.connection()
    pool: Any = redis.connection_pool
    made: AbstractConnection = pool.make_connection()
    return made

"""Connections to one server: no more than so many, and whoever has waited longest for one gets the next."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from redis import exceptions
from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.connection import HiredisRespSerializer


class Turns:
    """Lets so many in at a time, in the order they came."""

    def __init__(self, most: int, seconds: float) -> None:
        """Who has waited `seconds` in vain gets a ConnectionError."""
        self._free = asyncio.Semaphore(most)
        self._seconds = seconds

    async def begin(self) -> None:
        """Wait for one's turn. Raises redis.exceptions.ConnectionError."""
        if not self._free.locked():
            await self._free.acquire()
            return
        try:
            async with asyncio.timeout(self._seconds):
                await self._free.acquire()
        except TimeoutError:
            raise exceptions.ConnectionError(
                f"no connection to the store became free within {self._seconds:g} s"
            ) from None

    def end(self) -> None:
        """Give way to the next."""
        self._free.release()

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """A turn that lasts as long as the block."""
        await self.begin()
        try:
            yield
        finally:
            self.end()


class Closable(AbstractConnection):
    """A connection on which writing is an OSError once it is closed, whichever event loop there is.

    uvloop raises RuntimeError where the other end hung up between two commands, even before the first one; redis-py
    takes that for a fault of the caller's, not of the connection.
    """

    async def _send_packed_command(self, command: Iterable[bytes]) -> None:
        try:
            await super()._send_packed_command(command)
        except RuntimeError as error:
            raise ConnectionResetError(errno.ECONNRESET, f"the connection is closed: {error}") from error


@cache
def packing_quickly(kind: type[AbstractConnection]) -> type[AbstractConnection]:
    """A kind of connection that packs commands in C, as redis-py's for threads do; its asyncio ones do it in Python."""
    packer = HiredisRespSerializer()

    class Quick(Closable, kind):  # type: ignore[valid-type, misc]
        def pack_command(self, *command: Any) -> Any:
            return packer.pack(*command)

    return Quick


class FairPool(ConnectionPool):
    """A pool whose callers wait in line.

    redis-py's BlockingConnectionPool lets a task that has just given a connection back take it again before whoever was
    told that it is free: with more tasks than connections some never had a turn, and failed after its time-out.
    """

    def __init__(self, *service: Any, turns: Turns, **settings: Any) -> None:
        super().__init__(*service, **settings)
        self.connection_class = packing_quickly(self.connection_class)  # type: ignore[arg-type]
        self._turns = turns

    async def get_connection(self, command_name: str | None = None, *keys: Any, **options: Any) -> AbstractConnection:
        await self._turns.begin()
        try:
            connection: AbstractConnection = self.get_available_connection()  # type: ignore[no-untyped-call]
        except BaseException:
            self._turns.end()
            raise
        try:
            await self.ensure_connection(connection)
        except BaseException:
            await self.release(connection)
            raise
        return connection

    async def release(self, connection: AbstractConnection) -> None:
        try:
            await super().release(connection)
        finally:
            self._turns.end()


class FairSentinelPool(FairPool, SentinelConnectionPool):
    """The same for the master that Sentinels name."""

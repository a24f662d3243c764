"""A TCP proxy that loses replies: the server carries the command out, the client never hears of it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Self

HOST = "127.0.0.1"


class CuttingProxy:
    """Passes everything on to `upstream_port`, until told to cut."""

    def __init__(self, upstream_port: int, tls: ssl.SSLContext | None = None) -> None:
        """With `tls` clients must speak it; the server never does."""
        self._upstream_port = upstream_port
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._before_cut: Callable[[], Awaitable[object]] | None = None
        self._armed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.cuts = 0
        self.connections = 0

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    def cut_next_reply(self, before_cut: Callable[[], Awaitable[object]] | None = None) -> None:
        """Drop the connection when the next reply comes back; do `before_cut` between that and the drop."""
        self._armed, self._before_cut = True, before_cut

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, HOST, 0, ssl=self._tls)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, client_in: asyncio.StreamReader, client_out: asyncio.StreamWriter) -> None:
        self.connections += 1
        server_in, server_out = await asyncio.open_connection(HOST, self._upstream_port)
        pumps = (
            asyncio.create_task(self._requests(client_in, server_out)),
            asyncio.create_task(self._replies(server_in, client_out)),
        )
        self._tasks.update(pumps)
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        self._tasks.difference_update(pumps)
        client_out.close()
        server_out.close()

    async def _requests(self, client_in: asyncio.StreamReader, server_out: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await client_in.read(65536):
                server_out.write(data)
                await server_out.drain()

    async def _replies(self, server_in: asyncio.StreamReader, client_out: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await server_in.read(65536):
                if self._armed:
                    self._armed = False
                    self.cuts += 1
                    if self._before_cut is not None:
                        await self._before_cut()
                    return
                client_out.write(data)
                await client_out.drain()

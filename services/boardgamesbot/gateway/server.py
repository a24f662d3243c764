"""The gateway as a process: `bgb gateway`."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
import ssl
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from boardgamesbot.gateway.app import Gateway
from boardgamesbot.gateway.forward import Upstreams
from boardgamesbot.gateway.headers import Origins
from boardgamesbot.gateway.page import Page, folder_of
from boardgamesbot.gateway.readiness import Readiness
from boardgamesbot.gateway.rpc import Calls
from boardgamesbot.runtime import logs, monitor
from boardgamesbot.runtime.limits import Clients, Limits
from boardgamesbot.runtime.server import CannotListen
from boardgamesbot.runtime.settings import words
from boardgamesbot.runtime.tls import follow_gateway_files, gateway_context
from boardgamesbot.store.tasks import ended

if TYPE_CHECKING:
    from boardgamesbot.runtime.settings import Settings

log = logs.logger(__name__)

HEAD_SECONDS = 15.0
"""How long a client may take to send the head of a request."""
KEEP_ALIVE_SECONDS = 75
"""How long a connection without a request is kept: longer than proxies keep theirs, so that none is closed on them."""
STOP_SECONDS = 5
BACKLOG = 2_048
MOST_FILES = 65_536
_DEAD_AFTER = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""A peer that vanished without a word is noticed after a minute."""


class _HeadTooLarge(Exception):
    """The head of a request is larger than it may be."""


class _BoundedProtocol(HttpToolsProtocol):
    """HTTP/1.1 with a bound on the size of a head, and on the time it takes to come."""

    def __init__(self, head_bytes: int, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.head_bytes = head_bytes
        self._in_head, self._head_size, self._is_too_large = True, 0, False
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._head_size += len(data)
        if self._in_head and self._head_size > self.head_bytes and not self.transport.is_closing():
            self._is_too_large = True
            self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        self._head_came()
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > self.head_bytes:
            self._is_too_large = True
            raise _HeadTooLarge
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        if not self._is_too_large:
            super().send_400_response(msg)
            return
        text = f"the head of a request may have {self.head_bytes} bytes\n".encode()
        self.transport.write(
            b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
            b"connection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(text), text)
        )
        self.transport.close()

    def _await_head(self) -> None:
        self._head_came()
        self._in_head, self._head_size = True, 0
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _head_came(self) -> None:
        self._in_head = False
        if self._head_timer is not None:
            self._head_timer.cancel()


class _Config(uvicorn.Config):
    """How uvicorn is run, by TLS with a context of one's own."""

    def __init__(self, context: ssl.SSLContext | None, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._context = context

    def load(self) -> None:
        super().load()
        self.ssl = self._context


class _Server(uvicorn.Server):
    """Signals are the program's affair, not uvicorn's."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listen(address: str) -> socket.socket:
    """A socket that listens there. Raises CannotListen."""
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if not port.isdecimal():
        raise CannotListen(f"cannot listen on {address!r}: that is not HOST:PORT")
    try:
        listener = socket.create_server(
            (host, int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=BACKLOG
        )
    except (OSError, OverflowError) as error:
        raise CannotListen(f"cannot listen on {address}: is something else running there?") from error
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _DEAD_AFTER.items():
        if hasattr(socket, name):
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return listener


def _allow_many_connections() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Serve until `stop` is set. Raises CannotListen."""
    _allow_many_connections()
    context = gateway_context(settings)
    listener = _listen(settings.gateway_listen)
    page = Page(folder_of(settings))
    async with Upstreams(settings) as upstreams:
        limits = Limits(settings.gateway_requests_per_second, settings.gateway_burst, settings.gateway_streams)
        app = Gateway(
            Calls(settings, upstreams, limits, stop),
            page,
            Readiness(upstreams, stop),
            Clients(words(settings.gateway_trusted_proxies)),
            Origins(words(settings.gateway_origins)),
        )
        server = _Server(
            _Config(
                context,
                app,
                http=partial(_BoundedProtocol, settings.gateway_header_bytes),
                ws="none",
                lifespan="off",
                proxy_headers=False,
                server_header=False,
                access_log=False,
                log_config=None,
                log_level="warning",
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=STOP_SECONDS,
            )
        )
        serving = asyncio.create_task(server.serve([listener]))
        following = asyncio.create_task(follow_gateway_files(settings, context))
        port = listener.getsockname()[1]
        log.info("ready", listen=settings.gateway_listen, port=port, page=page.is_built)
        monitor.ready()
        await asyncio.wait((serving, asyncio.ensure_future(stop.wait())), return_when=asyncio.FIRST_COMPLETED)
        server.should_exit = True
        await serving
        await ended(following)
    log.info("stopped")

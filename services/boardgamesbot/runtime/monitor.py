"""What a program tells those who run it, on a port that is not for players: its metrics, whether it lives, is ready."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from boardgamesbot.runtime import metrics
from boardgamesbot.runtime.server import CannotListen
from boardgamesbot.runtime.settings import Settings

READ_SECONDS = 5.0
"""How long whoever asks may take to say what for."""
HEAD_BYTES = 8_192
TEXT = "text/plain; charset=utf-8"

Verdict = str | None
"""What is wrong; None: nothing."""

_began = False


def ready() -> None:
    """Say that this program has begun with its work."""
    global _began
    _began = True


@asynccontextmanager
async def monitored(settings: Settings, stop: asyncio.Event) -> AsyncIterator[None]:
    """Answer on `metrics_listen`, if there is one, as long as the block lasts. Raises CannotListen."""
    if not settings.metrics_listen:
        yield
        return
    listener = listen_on(settings.metrics_listen)
    kept = metrics.keep()

    def is_ready() -> Verdict:
        if stop.is_set():
            return "stopping"
        return None if _began else "starting"

    server = await serve(listener, Page(kept, lambda: None, is_ready))
    try:
        yield
    finally:
        server.close()
        metrics.drop()


def listen_on(address: str) -> socket.socket:
    """A socket that listens on HOST:PORT. Raises CannotListen."""
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, int(port)), family=family)
    except (OSError, OverflowError) as error:
        raise CannotListen(f"cannot listen on {address}: is something else running there?") from error


class Page:
    """`/metrics`, `/healthz` and `/readyz`."""

    def __init__(self, kept: metrics.Kept, is_alive: Callable[[], Verdict], is_ready: Callable[[], Verdict]) -> None:
        self._kept = kept
        self._verdicts = {"/healthz": is_alive, "/readyz": is_ready}

    def answer(self, path: str) -> tuple[str, str, bytes]:
        """Status, content type and body."""
        if path == "/metrics":
            return "200 OK", self._kept.content_type, self._kept.text()
        if path not in self._verdicts:
            return "404 Not Found", TEXT, b"there are /metrics, /healthz and /readyz\n"
        wrong = self._verdicts[path]()
        if wrong:
            return "503 Service Unavailable", TEXT, f"{wrong}\n".encode()
        return "200 OK", TEXT, b"ok\n"


async def serve(listener: socket.socket, page: Page) -> asyncio.Server:
    """Answer there from now on."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(READ_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            method, path, _ = head.partition(b"\r\n")[0].decode("latin-1").split(" ")
            if method in ("GET", "HEAD"):
                status, content_type, body = page.answer(path.partition("?")[0])
            else:
                status, content_type, body = "405 Method Not Allowed", TEXT, b"only GET and HEAD\n"
            lines = (f"HTTP/1.1 {status}", f"content-type: {content_type}", f"content-length: {len(body)}")
            answer = "\r\n".join((*lines, "cache-control: no-store", "connection: close", "", "")).encode("latin-1")
            writer.write(answer if method == "HEAD" else answer + body)
            await writer.drain()
        except (TimeoutError, OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # who asks nothing sensible, or has gone, is not answered
        finally:
            writer.close()

    return await asyncio.start_server(connected, sock=listener, limit=HEAD_BYTES)

"""Whether the servers behind the gateway are well, asked for once in a while however many want to know."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from boardgamesbot.gateway.asgi import Response, json_response
from boardgamesbot.gateway.methods import SERVERS

if TYPE_CHECKING:
    from boardgamesbot.gateway.forward import Upstreams

CHECK_SECONDS = 1.0
FRESH_SECONDS = 1.0


class Readiness:
    """What `/readyz` answers: 200 if calls would be answered, else 503, and which server is missing."""

    def __init__(self, upstreams: Upstreams, stopping: asyncio.Event) -> None:
        self._upstreams = upstreams
        self._stopping = stopping
        self._lock = asyncio.Lock()
        self._known: dict[str, bool] = {}
        self._known_at = -FRESH_SECONDS

    async def answer(self) -> Response:
        """Ask the servers, unless that was done within a second."""
        async with self._lock:
            if time.monotonic() - self._known_at >= FRESH_SECONDS:
                checks = [self._upstreams.well(server, CHECK_SECONDS) for server in SERVERS]
                self._known = dict(zip(SERVERS, await asyncio.gather(*checks), strict=True))
                self._known_at = time.monotonic()
        is_ready = all(self._known.values()) and not self._stopping.is_set()
        servers = {server: "serving" if well else "not serving" for server, well in self._known.items()}
        status = "stopping" if self._stopping.is_set() else "ready" if is_ready else "not ready"
        content = {"status": status, "servers": servers}
        return json_response(200 if is_ready else 503, content, {"cache-control": "no-store"})

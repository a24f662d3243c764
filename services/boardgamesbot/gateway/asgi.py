"""HTTP as ASGI has it, with the little that the gateway needs of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from boardgamesbot.runtime import errors

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Headers = Mapping[str, str]

BODY_SECONDS = 15.0
"""How long a client may take to send the body of a request."""


DISCARDED_BYTES, DISCARD_SECONDS = 8_000_000, 2.0
"""How much of the body of a request that is refused is read, and for how long, before the connection is closed."""


class Disconnected(Exception):
    """The client is gone: nobody reads an answer."""


class Request:
    """A request whose head has been read. `address` is the client's, `request_id` names the request in logs."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.peer: str = scope["client"][0] if scope["client"] else ""
        self.headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key, text = name.decode("latin-1").lower(), value.decode("latin-1")
            self.headers[key] = f"{self.headers[key]}, {text}" if key in self.headers else text
        self.address = self.peer
        self.request_id = ""
        self.is_read = False
        """Whether all of the body has been read."""

    @cached_property
    def content_type(self) -> str:
        """The type of the body, without parameters, in small letters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def accepts_encoding(self, encoding: str) -> bool:
        """Whether the client takes an answer packed so."""
        for part in self.headers.get("accept-encoding", "").lower().split(","):
            name, _, quality = part.partition(";")
            if name.strip() == encoding:
                return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        return False

    async def body(self, limit: int) -> bytes:
        """The whole body. Raises ApiError (larger than `limit` bytes, or too slow), Disconnected."""
        if self.headers.get("content-length", "").isdecimal() and int(self.headers["content-length"]) > limit:
            raise errors.too_large(int(self.headers["content-length"]), limit)
        read = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while True:
                    event = await self._receive()
                    if event["type"] == "http.disconnect":
                        raise Disconnected
                    read += event.get("body", b"")
                    if len(read) > limit:
                        raise errors.too_large(len(read), limit)
                    if not event.get("more_body"):
                        self.is_read = True
                        return bytes(read)
        except TimeoutError:
            raise errors.invalid_field("body", f"did not arrive within {BODY_SECONDS:.0f} seconds") from None

    async def discard(self) -> None:
        """Read what is left of the body, within bounds, and forget it: who still sends hears no answer."""
        left = DISCARDED_BYTES
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DISCARD_SECONDS):
                while not self.is_read and left > 0:
                    event = await self._receive()
                    if event["type"] == "http.disconnect":
                        raise Disconnected
                    left -= len(event.get("body", b""))
                    self.is_read = not event.get("more_body")

    async def gone(self) -> None:
        """Come back once the client is gone, or has been answered. Only after the body has been read."""
        while (await self._receive())["type"] != "http.disconnect":
            pass


@dataclass(frozen=True)
class Response:
    """An answer known as a whole."""

    status: int
    body: bytes = b""
    headers: Headers = field(default_factory=dict)

    async def send(self, send: Send, *, head_only: bool = False) -> None:
        """Send it; for HEAD without the body."""
        headers = {"content-length": str(len(self.body)), **self.headers}
        if self.status in (204, 304):
            del headers["content-length"]
        await begin(send, self.status, headers)
        await send({"type": "http.response.body", "body": b"" if head_only else self.body})


def json_response(status: int, content: Any, headers: Headers | None = None) -> Response:
    """An answer in JSON."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(status, body, {"content-type": "application/json", **(headers or {})})


def text_response(status: int, text: str, headers: Headers | None = None) -> Response:
    """An answer in plain text."""
    return Response(status, text.encode(), {"content-type": "text/plain; charset=utf-8", **(headers or {})})


async def begin(send: Send, status: int, headers: Headers) -> None:
    """Send the head of an answer."""
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})


async def send_part(send: Send, part: bytes) -> None:
    """Send a part of a body, more to follow."""
    await send({"type": "http.response.body", "body": part, "more_body": True})


async def end(send: Send, part: bytes = b"") -> None:
    """Send the last part of a body."""
    await send({"type": "http.response.body", "body": part, "more_body": False})


def with_headers(send: Send, extra: Headers) -> Send:
    """`send`, with more headers in the head of the answer; those the answer has itself win, `vary` is added."""
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in extra.items()]

    async def sending(event: Event) -> None:
        if event["type"] == "http.response.start":
            own = {name for name, _ in event["headers"]}
            event = {**event, "headers": [*event["headers"], *(p for p in pairs if p[0] not in own or p[0] == b"vary")]}
        await send(event)

    return sending

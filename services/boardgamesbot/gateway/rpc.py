"""One call of a method, from the HTTP request to the last byte of the answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import TYPE_CHECKING, Any, cast

from boardgamesbot.gateway import asgi
from boardgamesbot.gateway.asgi import Disconnected, Request, Send
from boardgamesbot.gateway.codec import JsonWriter
from boardgamesbot.gateway.forward import Call, Failed, Metadata, Upstreams, status_of
from boardgamesbot.gateway.methods import Method
from boardgamesbot.gateway.protocols import Protocol, StreamProtocol, UnaryProtocol, choose, content_types
from boardgamesbot.runtime import errors, traces
from boardgamesbot.runtime.admission import FORWARDED
from boardgamesbot.store.tasks import ended

if TYPE_CHECKING:
    from boardgamesbot.runtime.limits import Limits
    from boardgamesbot.runtime.settings import Settings

BEGIN_SECONDS = 0.25
"""A stream that has nothing to say yet begins after so long; one refused before can say so by its HTTP status."""


class Calls:
    """Calls on their way. `stopping` ends the streams, so that their clients go to another replica."""

    def __init__(self, settings: Settings, upstreams: Upstreams, limits: Limits, stopping: asyncio.Event) -> None:
        self._settings = settings
        self._upstreams = upstreams
        self._limits = limits
        self._stopping = stopping
        self._writer = JsonWriter()

    async def handle(self, request: Request, method: Method, send: Send) -> None:
        """Answer a POST to a method's path. Raises Disconnected where nobody reads the answer."""
        protocol = choose(request, method, self._writer)
        if protocol is None:
            accepted = content_types(method)
            message = f"{request.content_type or 'no content-type'} is nothing {method.path} can be called with"
            response = asgi.text_response(415, f"{message}; it takes {accepted}\n", {"accept-post": accepted})
            await response.send(send)
            return
        try:
            self._limits.request(request.address)
            body = await request.body(self._settings.gateway_body_bytes)
            data = protocol.read(body, self._settings.gateway_body_bytes)
            call = Call(method, data, _metadata(request), protocol.timeout())
            if isinstance(protocol, StreamProtocol):
                with self._limits.stream(request.address):
                    await self._stream(protocol, call, request, send)
            else:
                await self._unary(cast(UnaryProtocol, protocol), call, request, send)
        except (errors.ApiError, Failed) as error:
            await _refuse(protocol, error, request, send)

    async def _unary(self, protocol: UnaryProtocol, call: Call, request: Request, send: Send) -> None:
        """Pass on a call and its answer. Raises Failed, Disconnected; then nothing has been sent."""
        most = self._settings.gateway_call_seconds
        call = Call(call.method, call.data, call.metadata, min(call.timeout or most, most))
        answer = asyncio.ensure_future(self._upstreams.unary(call))
        gone = asyncio.ensure_future(request.gone())
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise Disconnected
            response = protocol.answer(answer.result())
        finally:
            await ended(answer, gone)
        await response.send(send)

    async def _stream(self, protocol: StreamProtocol, call: Call, request: Request, send: Send) -> None:
        """Pass on a stream. Raises ApiError, Failed as long as nothing has been sent; Disconnected."""
        quiet, status, begun = protocol.keep_alive(), None, False
        responses = self._upstreams.stream(call)
        gone = asyncio.ensure_future(request.gone())
        stopping = asyncio.ensure_future(self._stopping.wait())
        step = _next(responses)
        try:
            while True:
                patience = quiet if begun else BEGIN_SECONDS
                await asyncio.wait((step, gone, stopping), timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                if gone.done():
                    raise Disconnected
                if stopping.done() and not step.done():
                    raise errors.unavailable("SERVER_STOPPING", "the server is stopping: connect again", 0.1)
                response = step.result() if step.done() else b""
                if not begun:
                    await asgi.begin(send, 200, protocol.headers)
                if response is None:
                    break
                if step.done():
                    await asgi.send_part(send, protocol.part(response))
                    step = _next(responses)
                else:
                    await asgi.send_part(send, protocol.sign_of_life() if begun else b"")
                begun = True
        except (errors.ApiError, Failed) as error:
            if not begun:
                raise
            status = status_of(error)
        finally:
            await ended(step, gone, stopping)
            await responses.aclose()
        await asgi.end(send, protocol.end(status))


def _next(responses: AsyncIterator[bytes]) -> asyncio.Future[bytes | None]:
    """The next response, as soon as it is there; None at the end."""
    following: Coroutine[Any, Any, bytes | None] = cast(Any, anext(responses, None))
    return asyncio.ensure_future(following)


async def _refuse(protocol: Protocol, error: errors.ApiError | Failed, request: Request, send: Send) -> None:
    await request.discard()
    headers = {} if request.is_read else {"connection": "close"}
    await protocol.refused(status_of(error)).send(asgi.with_headers(send, headers))


def _metadata(request: Request) -> Metadata:
    """What is passed on beside the message. Raises ApiError."""
    metadata = [("x-request-id", request.request_id), (FORWARDED, _as_header(request.address)), *traces.metadata()]
    if (token := request.headers.get("authorization")) is not None:
        if not (token.isascii() and token.isprintable()):
            raise errors.unauthenticated("TOKEN_INVALID", "the token is not one of this server's")
        metadata.append(("authorization", token))
    return tuple(metadata)


def _as_header(address: str) -> str:
    """An address as metadata may hold it; what a proxy made up may be anything."""
    return "".join(character for character in address if character.isascii() and character.isprintable())

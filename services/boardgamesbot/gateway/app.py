"""The gateway as an ASGI application: which path is answered by what."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from google.rpc import code_pb2

from boardgamesbot.gateway import asgi, refusals
from boardgamesbot.gateway.asgi import Disconnected, Event, Receive, Request, Response, Scope, Send
from boardgamesbot.gateway.documents import Documents
from boardgamesbot.gateway.headers import DOCUMENT, NO_SNIFFING, Origins
from boardgamesbot.gateway.measured import measured
from boardgamesbot.gateway.methods import METHODS, SERVER_OF, Method
from boardgamesbot.runtime import logs

if TYPE_CHECKING:
    from boardgamesbot.gateway.page import Page
    from boardgamesbot.gateway.readiness import Readiness
    from boardgamesbot.gateway.rpc import Calls
    from boardgamesbot.runtime.limits import Clients

log = logs.logger(__name__)

CLIENT_GONE = 499
"""What the log has as status where nobody waited for the answer."""
_REQUEST_ID_LENGTH = 64


class Gateway:
    """Everything on the port."""

    def __init__(self, calls: Calls, page: Page, readiness: Readiness, clients: Clients, origins: Origins) -> None:
        self._calls = calls
        self._page = page
        self._clients = clients
        self._origins = origins
        documents = Documents()
        self._fixed: dict[str, Callable[[Request], Awaitable[Response]]] = {
            "/healthz": _healthz,
            "/readyz": lambda _: readiness.answer(),
            **dict.fromkeys(documents.paths, documents.answer),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        request.address = self._clients.address(request.peer, request.headers.get("x-forwarded-for", ""))
        request.request_id = _request_id(request.headers.get("x-request-id", ""))
        own = {"x-request-id": request.request_id, **NO_SNIFFING, **self._origins.headers(request)}
        logs.about_nothing()
        logs.bind(call=request.request_id)
        with measured(request) as outcome:

            async def sending(event: Event) -> None:
                outcome.status = event.get("status", outcome.status)
                await send(event)

            try:
                await self._answer(request, asgi.with_headers(sending, own))
            except Disconnected:
                outcome.status = CLIENT_GONE
            finally:
                log.debug(
                    "request",
                    method=request.method,
                    path=request.path,
                    status=outcome.status,
                    seconds=round(outcome.seconds, 3),
                    address=request.address,
                )

    async def _answer(self, request: Request, send: Send) -> None:
        preflight = self._origins.preflight(request)
        if preflight is not None:
            await preflight.send(send)
            return
        method = METHODS.get(request.path)
        if method is not None and request.method == "POST":
            await self._calls.handle(request, method, send)
            return
        response = await self._whole(request, method)
        await response.send(asgi.with_headers(send, DOCUMENT), head_only=request.method == "HEAD")

    async def _whole(self, request: Request, method: Method | None) -> Response:
        """The answer to everything but a call."""
        if method is not None:
            return asgi.text_response(405, f"{method.path} is called with POST; /api says how\n", {"allow": "POST"})
        if request.path.strip("/").partition("/")[0] in SERVER_OF:
            status = refusals.status(code_pb2.UNIMPLEMENTED, f"there is no method {request.path[:128]}; see /api")
            return asgi.json_response(404, refusals.as_json(status))
        if request.method not in ("GET", "HEAD"):
            return asgi.text_response(405, "only GET and HEAD\n", {"allow": "GET, HEAD"})
        answer = self._fixed.get(request.path)
        return self._page.answer(request) if answer is None else await answer(request)


async def _healthz(_: Request) -> Response:
    return asgi.text_response(200, "alive\n", {"cache-control": "no-store"})


def _request_id(given: str) -> str:
    """The client's name for its request, if it is a sensible one."""
    if given and len(given) <= _REQUEST_ID_LENGTH and given.isascii() and given.isprintable():
        return given
    return uuid.uuid4().hex

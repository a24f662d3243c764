"""What every answer says to browsers: what the page may do, and whose pages may use the API."""

from __future__ import annotations

from collections.abc import Sequence

from boardgamesbot.gateway.asgi import Headers, Request, Response
from boardgamesbot.gateway.protocols import KEEP_ALIVE_HEADER
from boardgamesbot.runtime import errors

NO_SNIFFING: Headers = {"x-content-type-options": "nosniff"}
"""What every answer says."""

DOCUMENT: Headers = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""What the answers say that a browser may show: nothing inline, nothing from anywhere else, in nobody's frame."""

_PREFLIGHT_SECONDS = 7_200
_ALLOWED = ", ".join(
    (
        "authorization",
        "connect-protocol-version",
        "connect-timeout-ms",
        "content-encoding",
        "content-type",
        "grpc-timeout",
        KEEP_ALIVE_HEADER,
        "traceparent",
        "x-grpc-web",
        "x-request-id",
        "x-user-agent",
    )
)
_EXPOSED = ", ".join(("grpc-message", "grpc-status", errors.DETAILS_KEY, "retry-after", "x-request-id"))


class Origins:
    """Whose pages may read answers. Tokens are sent by programs, never by a browser on its own: `*` is no danger."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._all = "*" in allowed
        self._allowed = frozenset(allowed)

    def headers(self, request: Request) -> Headers:
        """What an answer says to the page that asked, if it is another's."""
        origin = request.headers.get("origin")
        if origin is None or not (self._all or self._allowed):
            return {}
        if not (self._all or origin in self._allowed):
            return {"vary": "origin"}
        return {
            "access-control-allow-origin": "*" if self._all else origin,
            "access-control-expose-headers": _EXPOSED,
            "vary": "origin",
        }

    def preflight(self, request: Request) -> Response | None:
        """The answer to a browser that asks whether a page may; None if it does not ask that."""
        if request.method != "OPTIONS" or "access-control-request-method" not in request.headers:
            return None
        allowed = self.headers(request)
        if "access-control-allow-origin" not in allowed:
            return Response(403, headers=allowed)
        return Response(
            204,
            headers={
                "access-control-allow-methods": "GET, HEAD, POST",
                "access-control-allow-headers": _ALLOWED,
                "access-control-max-age": str(_PREFLIGHT_SECONDS),
            },
        )

"""Calls passed on to the gRPC servers: bytes in, bytes out, refusals as the servers made them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

import grpc
from google.rpc import status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from boardgamesbot.client.channel import open_channel, repeating
from boardgamesbot.gateway.methods import HEALTH, SERVER_OF, SERVERS, Method
from boardgamesbot.runtime import errors
from boardgamesbot.runtime.tls import client_tls

if TYPE_CHECKING:
    from boardgamesbot.runtime.settings import Settings

RETRY_SECONDS = 1.0
"""When to come again, where a server can't be reached."""

_OPTIONS = repeating(attempts=3, first_seconds=0.05, most_seconds=0.5, factor=3, waits=False)
"""Whoever is behind the gateway asks again themselves: it gives up sooner than they do."""

Metadata = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Call:
    """A call to be passed on. `timeout`: seconds until it is given up; None: never."""

    method: Method
    data: bytes
    """The request message."""
    metadata: Metadata
    timeout: float | None


class Failed(Exception):
    """A call that was refused, or could not be made."""

    def __init__(self, status: status_pb2.Status) -> None:
        super().__init__(status.message)
        self.status = status


class Upstreams:
    """The channels to the servers. Closed by leaving the context."""

    def __init__(self, settings: Settings) -> None:
        self._addresses: Mapping[str, str] = {server: getattr(settings, f"{server}_address") for server in SERVERS}
        self._tls = client_tls(settings)
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._calls: dict[tuple[str, str], Callable[..., Any]] = {}

    async def __aenter__(self) -> Self:
        for server, address in self._addresses.items():
            self._channels[server] = open_channel(address, self._tls, _OPTIONS)
        return self

    async def __aexit__(self, *_: object) -> None:
        for channel in self._channels.values():
            await channel.close()

    async def unary(self, call: Call) -> bytes:
        """The response message. Raises Failed."""
        server = _server_of(call)
        try:
            made = self._stub(server, call.method)(call.data, metadata=call.metadata, timeout=call.timeout)
            return await cast(Awaitable[bytes], made)
        except grpc.aio.AioRpcError as error:
            raise _failed(error, server) from None

    async def stream(self, call: Call) -> AsyncGenerator[bytes, None]:
        """The response messages. Leaving it early cancels the call. Raises Failed."""
        server = _server_of(call)
        made = self._stub(server, call.method)(call.data, metadata=call.metadata, timeout=call.timeout)
        try:
            while (message := await made.read()) is not grpc.aio.EOF:
                yield message
        except grpc.aio.AioRpcError as error:
            raise _failed(error, server) from None
        finally:
            made.cancel()

    async def well(self, server: str, timeout: float) -> bool:
        """Whether a server says that it is serving."""
        check = health_pb2_grpc.HealthStub(self._channels[server]).Check
        try:
            answer = await check(health_pb2.HealthCheckRequest(), timeout=timeout)
        except grpc.aio.AioRpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    def _stub(self, server: str, method: Method) -> Callable[..., Any]:
        key = (server, method.path)
        stub = self._calls.get(key)
        if stub is None:
            channel = self._channels[server]
            make = channel.unary_stream if method.is_stream else channel.unary_unary
            stub = self._calls[key] = make(method.path, None, None)
        return stub


def _server_of(call: Call) -> str:
    """Where a call goes: health to the server that has the service asked about."""
    if call.method.service == HEALTH:
        asked = call.method.request.FromString(call.data)
        return SERVER_OF.get(getattr(asked, "service", ""), call.method.server)
    return call.method.server


def _failed(error: grpc.aio.AioRpcError, server: str) -> Failed:
    for key, value in error.trailing_metadata() or ():
        if key == errors.DETAILS_KEY:
            return Failed(status_pb2.Status.FromString(cast(bytes, value)))
    code, message = error.code(), error.details() or ""
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):  # it was stopped in the middle of the call
        message = f"the {server} server does not answer: try again in a moment"
        return Failed(status_of(errors.unavailable(f"{server.upper()}_UNAVAILABLE", message, RETRY_SECONDS)))
    if code == grpc.StatusCode.DEADLINE_EXCEEDED:
        message = "the call took longer than it was given"
        return Failed(status_of(errors.ApiError(grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", message)))
    return Failed(status_of(errors.ApiError(code, code.name, message)))


def status_of(error: errors.ApiError | Failed) -> status_pb2.Status:
    """A refusal as it travels, the gateway's own or a server's."""
    if isinstance(error, Failed):
        return error.status
    return status_pb2.Status.FromString(error.status())

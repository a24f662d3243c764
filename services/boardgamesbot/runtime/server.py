"""How a gRPC server is run: health, reflection, the interceptor, a ready line, and a clean stop on SIGTERM."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import cast

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from boardgamesbot.runtime import logs
from boardgamesbot.runtime.accounts import AccountTokens
from boardgamesbot.runtime.admission import Admission
from boardgamesbot.runtime.interceptor import CallInterceptor
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tls import server_credentials
from boardgamesbot.runtime.tokens import Tokens

log = logs.logger(__name__)

GARBAGE_THRESHOLD = 20_000
"""So many more objects must have come than gone before the newest are looked through; Python's own figure is 700."""

STOP_GRACE_SECONDS = 3.0
_PUBLIC_SERVICES = ("/grpc.health.v1.Health/", "/grpc.reflection.v1alpha.ServerReflection/")
_FOR_EVER_MS = 2**31 - 1
"""What gRPC takes for no limit."""
_HARD_LIMIT_FACTOR = 64
"""Past this many times the limit on a message, gRPC itself hangs up without a kind word."""


class CannotListen(Exception):
    """The address can't be listened on; the message says which."""


@dataclass
class Server:
    """A gRPC server for some services; `open_methods` want no token."""

    settings: Settings
    tokens: Tokens
    accounts: AccountTokens
    open_methods: Collection[str] = ()
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.credentials = server_credentials(self.settings)
        admission = Admission(self.settings, self.tokens, self.accounts, (*_PUBLIC_SERVICES, *self.open_methods))
        self._interceptor = CallInterceptor(admission, self.settings.message_bytes, self.stopping)
        self._grpc = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", self.settings.message_bytes * _HARD_LIMIT_FACTOR),
                ("grpc.so_reuseport", 0),
                ("grpc.keepalive_time_ms", 30_000),
                ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.max_connection_age_ms", round(self.settings.connection_seconds * 1000) or _FOR_EVER_MS),
            ],
        )
        self._grpc.add_generic_rpc_handlers((self._interceptor,))
        self.health = health.aio.HealthServicer()

    @property
    def services(self) -> grpc.aio.Server:
        """What services are added to, by the functions that are generated for it."""
        return cast(grpc.aio.Server, self._interceptor)

    async def start(self, listen: str, service_names: Sequence[str]) -> int:
        """Begin to serve and say that all services are well; gives the port. Raises CannotListen."""
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.services)
        names = (*service_names, health.SERVICE_NAME, reflection.SERVICE_NAME)
        # Not by `enable_server_reflection`: for what is no gRPC server itself, that makes one for threads.
        described = reflection.aio.ReflectionServicer(names)
        reflection_pb2_grpc.add_ServerReflectionServicer_to_server(described, self.services)
        try:
            if self.credentials is None:
                port = self._grpc.add_insecure_port(listen)
            else:
                port = self._grpc.add_secure_port(listen, self.credentials)
        except RuntimeError as error:
            raise CannotListen(f"cannot listen on {listen}: is something else running there?") from error
        await self._grpc.start()
        for name in ("", *service_names):
            await self.health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return port

    async def stop(self) -> None:
        """Finish what is being done: calls get a moment, streams are told to go elsewhere."""
        await self.health.enter_graceful_shutdown()
        self.stopping.set()
        await self._grpc.stop(STOP_GRACE_SECONDS)


def run_until_signal(main: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    """Run `main` on uvloop; the event it is given is set by SIGTERM or SIGINT."""
    import uvloop

    calm_garbage_collection()

    async def supervised() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        await main(stop)

    try:
        uvloop.run(supervised())
    finally:
        end_quickly()


def calm_garbage_collection() -> None:
    """Look for garbage less often, and never through what was imported: with thousands of tables in memory every full
    look stops all calls for milliseconds, and hardly ever finds anything."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 20, 50)


def end_quickly() -> None:
    """Have the interpreter not look through everything there is for garbage before it ends: a tenth of the time."""
    gc.freeze()

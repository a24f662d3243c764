"""A server of TableService that does as a test tells it, and remembers what it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc

from boardgamesbot.v1 import tables_pb2 as pb
from tests.support.waiting import eventually


@dataclass
class Servant:
    """What it was sent, and what it answers."""

    address: str = ""
    metadata: dict[str, str | bytes] = field(default_factory=dict)
    seconds_left: float | None = None
    """How long the last call had when it came; None: for ever."""
    messages: asyncio.Queue[pb.WatchResponse | None] = field(default_factory=asyncio.Queue)
    """What `watch` sends, as it is put here; None ends it."""
    answers: asyncio.Event = field(default_factory=asyncio.Event)
    """`get_table` answers once this is set."""
    begun: int = 0
    left: int = 0
    """Calls that were cancelled, or came to their deadline."""

    @property
    def is_for_ever(self) -> bool:
        """Whether the last call had no deadline."""
        return self.seconds_left is None

    @property
    def addresses(self) -> dict[str, Any]:
        """The settings of a gateway before it."""
        return {f"{server}_address": self.address for server in ("rules", "bots", "matchmaking")}

    def handlers(self) -> grpc.GenericRpcHandler:
        """Its two methods, as gRPC wants them."""
        get_table = grpc.unary_unary_rpc_method_handler(
            self.get_table, pb.GetTableRequest.FromString, pb.GetTableResponse.SerializeToString
        )
        watch = grpc.unary_stream_rpc_method_handler(
            self.watch, pb.WatchRequest.FromString, pb.WatchResponse.SerializeToString
        )
        return grpc.method_handlers_generic_handler(
            "boardgamesbot.v1.TableService", {"GetTable": get_table, "Watch": watch}
        )

    async def get_table(self, request: pb.GetTableRequest, context: Any) -> pb.GetTableResponse:
        async with self._call(context):
            await self.answers.wait()
            return pb.GetTableResponse(table=pb.Table(id=request.table_id))

    async def watch(self, request: pb.WatchRequest, context: Any) -> AsyncIterator[pb.WatchResponse]:
        async with self._call(context):
            while (message := await self.messages.get()) is not None:
                yield message

    @asynccontextmanager
    async def _call(self, context: Any) -> AsyncIterator[None]:
        self.metadata = dict(context.invocation_metadata())
        self.seconds_left = context.time_remaining()
        self.begun += 1
        try:
            yield
        except asyncio.CancelledError:
            self.left += 1
            raise

    async def has_begun(self, calls: int = 1) -> None:
        """Come back once so many calls have come."""

        async def probe() -> bool:
            return self.begun >= calls

        await eventually(probe)

    async def is_left(self, calls: int = 1) -> None:
        """Come back once so many calls have been cancelled."""

        async def probe() -> bool:
            return self.left >= calls

        await eventually(probe)


@asynccontextmanager
async def servant() -> AsyncIterator[Servant]:
    """It, as a gRPC server."""
    made = Servant()
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((made.handlers(),))
    made.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield made
    finally:
        await server.stop(0)

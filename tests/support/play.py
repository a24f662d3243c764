"""People at a table, by seat, as tests need them: each with a client of their own, moving by chance."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import grpc

from boardgamesbot.client import Client, new_request_id
from boardgamesbot.v1 import agora_pb2, games_pb2, tables_pb2

TABLES = "/boardgamesbot.v1.TableService/"


@dataclass
class Party:
    """A table whose seat i is `clients[i]`'s. The host has seat 0."""

    clients: list[Client]
    table_id: str
    rng: Random = field(default_factory=lambda: Random(1))

    @property
    def host(self) -> Client:
        return self.clients[0]

    async def now(self) -> tables_pb2.TableServiceGetViewResponse:
        """The table as the host sees it."""
        return await self.host.view(self.table_id)

    async def legal(self) -> tuple[int, int, list[games_pb2.GameMove]]:
        """The seat whose decision it is, the version, and its legal moves."""
        actor = (await self.now()).summary.actor
        found = await self.clients[actor].legal_moves(self.table_id)
        return actor, found.version, [legal.move for legal in found.moves]

    async def request(self) -> tables_pb2.SubmitMoveRequest:
        """A request that plays a legal move, with a request id of its own."""
        seat, version, moves = await self.legal()
        return tables_pb2.SubmitMoveRequest(
            table_id=self.table_id,
            seat=seat,
            version=version,
            request_id=new_request_id(),
            move=self.rng.choice(moves),
        )

    async def play(self, moves: int | None = None) -> int:
        """Play that many moves by chance, or the game to its end; gives how many were played."""
        played = 0
        while moves is None or played < moves:
            request = await self.request()
            client = self.clients[request.seat]
            answer = await client.submit(self.table_id, request.seat, request.version, request.move, request.request_id)
            played += 1
            if answer.summary.is_over:
                break
        return played

    async def play_until(self, phase: agora_pb2.AgoraPhase.ValueType) -> int:
        """Play by chance until the phase is reached; gives the seat whose decision it is."""
        while (view := (await self.now())).view.agora.phase != phase:
            await self.play(1)
        return view.summary.actor


@asynccontextmanager
async def seated(
    address: str,
    players: int = 3,
    *,
    options: agora_pb2.AgoraOptions | None = None,
    clock: tables_pb2.Clock | None = None,
) -> AsyncIterator[Party]:
    """A table with a person in every seat, not started."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(address)) for _ in range(players)]
        for i, client in enumerate(clients):
            await client.sign_in(f"Person {i}")
        given = None if options is None else games_pb2.GameOptions(agora=options)
        table = await clients[0].create_table("agora", players, given, clock=clock)
        for i, client in enumerate(clients):
            await client.take_seat(table.id, i)
        yield Party(clients, table.id)


@asynccontextmanager
async def playing(
    address: str,
    players: int = 3,
    *,
    options: agora_pb2.AgoraOptions | None = None,
    clock: tables_pb2.Clock | None = None,
) -> AsyncIterator[Party]:
    """A table with a person in every seat, started."""
    async with seated(address, players, options=options, clock=clock) as party:
        await party.host.start(party.table_id)
        yield party


async def call(address: str, method: str, request: bytes | Any, token: str = "", *, seconds: float = 15.0) -> bytes:
    """Call a method by its full name on a fresh connection and give the answer's bytes, the contract put aside.

    Raises grpc.aio.AioRpcError.
    """
    data: bytes = request if isinstance(request, bytes) else request.SerializeToString(deterministic=True)
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    async with grpc.aio.insecure_channel(address) as channel:
        unary: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
        return await unary(data, metadata=metadata, timeout=seconds)


async def code_of(
    address: str, method: str, request: bytes | Any, token: str = "", *, seconds: float = 15.0
) -> grpc.StatusCode:
    """The status a call ends with."""
    try:
        await call(address, method, request, token, seconds=seconds)
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


async def first_of_stream(address: str, method: str, request: bytes, token: str = "") -> bytes | None:
    """The first message of a stream, None where it ends without one. Raises grpc.aio.AioRpcError."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    async with grpc.aio.insecure_channel(address) as channel:
        stream: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(method)
        async for message in stream(request, metadata=metadata, timeout=15.0):
            return message
    return None


def watching(
    client: Client, table_id: str, after_version: int = 0
) -> AbstractAsyncContextManager[AsyncGenerator[tables_pb2.WatchResponse, None]]:
    """A watch to be looked at step by step, and ended with the block."""
    return aclosing(client.watch(table_id, after_version))


async def collect(client: Client, table_id: str, after_version: int = 0) -> list[tables_pb2.WatchResponse]:
    """Everything the client's watch gives until the table has ended."""
    return [response async for response in client.watch(table_id, after_version)]


def versions(responses: Sequence[tables_pb2.WatchResponse]) -> list[int]:
    """The versions of responses, in the order they came."""
    return [response.version for response in responses]

"""Tables where people and bots play, with watchers around them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass, field
from random import Random

import grpc

from benchmarks.traffic import seen as kinds
from benchmarks.traffic.gateway import Gateway, GatewayError
from benchmarks.traffic.seen import Seen
from boardgamesbot.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    games_pb2,
    players_pb2,
    players_pb2_grpc,
    tables_pb2,
    tables_pb2_grpc,
)

CALL_SECONDS = 15.0
SUBMIT = "boardgamesbot.v1.TableService/SubmitMove"
AGAIN_SECONDS = 0.2
KEPT_VERSIONS = 100
AT_ONCE = 8
"""So many tables are opened at the same time."""

Metadata = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Mix:
    """Who is at the tables of one generator."""

    game_id: str
    tables: int
    people: int
    """Seats of people at a table."""
    bots: Sequence[str]
    """The bots on the other seats."""
    watchers: int
    """Spectators at every table; everybody who has a seat watches besides."""


@dataclass
class _Table:
    id: str = ""
    people: dict[int, Metadata] = field(default_factory=dict)
    """Who may move, by seat."""
    seat: int = 0
    """Who is to decide at `version`, and how they may."""
    version: int = 0
    moves: Sequence[games_pb2.GameMove] = ()
    sent: dict[int, float] = field(default_factory=dict)
    """When the move that leads to a version was sent; of the last `KEPT_VERSIONS`."""
    streams: list[asyncio.Task[None]] = field(default_factory=list)


class Tables:
    """Keeps `mix.tables` games on; `submit` makes the move that is due at one of them."""

    def __init__(
        self,
        rules: grpc.aio.Channel,
        bots: grpc.aio.Channel | None,
        mix: Mix,
        seed: int,
        gateway: Gateway | None = None,
    ) -> None:
        """Moves go to the gateway, if there is one; everything else to the servers themselves."""
        self._players = players_pb2_grpc.PlayerServiceStub(rules)
        self._tables = tables_pb2_grpc.TableServiceStub(rules)
        self._bots = bots_pb2_grpc.BotServiceStub(bots) if bots is not None else None
        self._gateway = gateway
        self._mix = mix
        self._rng = Random(seed)
        self._ready: asyncio.Queue[_Table] = asyncio.Queue()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._all: list[_Table] = []
        self._guests: list[list[Metadata]] = []
        self._work: set[asyncio.Task[None]] = set()
        self.seen = Seen()

    async def open(self) -> None:
        """Sign in, and open every table. Raises grpc.aio.AioRpcError."""
        self._guests = [
            [await self._sign_in() for _ in range(self._mix.people + self._mix.watchers)]
            for _ in range(self._mix.tables)
        ]
        await asyncio.gather(*(self._open(guests) for guests in self._guests))

    async def close(self) -> None:
        """Leave every table as it is."""
        tasks = [*self._work, *(stream for table in self._all for stream in table.streams)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def submit(self, due: float) -> None:
        """Make the move that was due at `due` at any table that awaits one."""
        loop = asyncio.get_running_loop()
        if self._ready.empty():
            self.seen.waited += 1
        table = await self._ready.get()
        version = table.version
        request = tables_pb2.SubmitMoveRequest(
            table_id=table.id,
            seat=table.seat,
            version=version,
            request_id=uuid.uuid4().hex,
            move=self._rng.choice(table.moves),
        )
        table.sent[version + 1] = loop.time()
        table.sent.pop(version + 1 - KEPT_VERSIONS, None)
        try:
            await self._send(request, table.people[table.seat])
        except (grpc.aio.AioRpcError, GatewayError) as error:
            self._failed(kinds.MOVE, error)
            table.version = version - 1
            self._begin(self._ask(table, table.seat))
        else:
            self.seen.took(kinds.MOVE, loop.time() - due)

    async def _send(self, request: tables_pb2.SubmitMoveRequest, who: Metadata) -> None:
        if self._gateway is None:
            await self._tables.SubmitMove(request, metadata=who, timeout=CALL_SECONDS)
        else:
            async with asyncio.timeout(CALL_SECONDS):
                await self._gateway.call(SUBMIT, request.SerializeToString(), who[0][1])

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _failed(self, what: str, error: grpc.aio.AioRpcError | GatewayError) -> None:
        said = f"{error.code().name}: {error.details()}" if isinstance(error, grpc.aio.AioRpcError) else str(error)
        self.seen.failed(what, said[:120])

    async def _sign_in(self) -> Metadata:
        guest = await self._players.CreateGuest(players_pb2.CreateGuestRequest(), timeout=CALL_SECONDS)
        return (("authorization", f"Bearer {guest.token}"),)

    async def _open(self, guests: Sequence[Metadata]) -> None:
        """Open a table and begin its game, again if that fails."""
        loop = asyncio.get_running_loop()
        while True:
            async with self._room:
                began = loop.time()
                try:
                    table = await self._seated(guests)
                except grpc.aio.AioRpcError as error:
                    self._failed(kinds.OPENED, error)
                else:
                    self.seen.took(kinds.OPENED, loop.time() - began)
                    break
            await asyncio.sleep(AGAIN_SECONDS)
        self._all.append(table)
        table.streams.append(asyncio.create_task(self._follow(table, guests)))
        for watcher in guests[1:]:
            table.streams.append(asyncio.create_task(self._watch(table, watcher)))

    async def _seated(self, guests: Sequence[Metadata]) -> _Table:
        mix, host = self._mix, guests[0]
        opening = tables_pb2.CreateTableRequest(
            game_id=mix.game_id, players=mix.people + len(mix.bots), request_id=uuid.uuid4().hex, unrated=True
        )
        table = _Table((await self._tables.CreateTable(opening, metadata=host, timeout=CALL_SECONDS)).table.id)
        for guest in guests[: mix.people]:
            taking = tables_pb2.TakeSeatRequest(table_id=table.id)
            table.people[(await self._tables.TakeSeat(taking, metadata=guest, timeout=CALL_SECONDS)).seat] = guest
        for bot in mix.bots:
            assert self._bots is not None, "bots are seated by the bots server"
            seating = bots_pb2.SeatBotRequest(table_id=table.id, bot=bot, request_id=uuid.uuid4().hex)
            await self._bots.SeatBot(seating, metadata=host, timeout=CALL_SECONDS)
        starting = tables_pb2.StartTableRequest(table_id=table.id)
        await self._tables.StartTable(starting, metadata=host, timeout=CALL_SECONDS)
        return table

    async def _follow(self, table: _Table, guests: Sequence[Metadata]) -> None:
        """Go where the game goes: to a person's decision, to bots, to its end and then to another table."""
        loop = asyncio.get_running_loop()
        bots_since = 0.0
        async for change in self._changes(table, guests[0]):
            if not change.HasField("table"):
                continue  # not the newest version: others follow at once
            if change.table.status == tables_pb2.TABLE_STATUS_FINISHED:
                break
            if change.table.status != tables_pb2.TABLE_STATUS_PLAYING:
                continue
            actor = change.table.summary.actor
            if actor not in table.people:
                bots_since = bots_since or loop.time()
                continue
            if bots_since:
                self.seen.took(kinds.BOTS, loop.time() - bots_since)
                bots_since = 0.0
            self._begin(self._ask(table, actor))
        for stream in table.streams[1:]:
            stream.cancel()
        self._all.remove(table)
        self._begin(self._open(guests))

    async def _watch(self, table: _Table, watcher: Metadata) -> None:
        loop = asyncio.get_running_loop()
        async for change in self._changes(table, watcher):
            sent = table.sent.get(change.version)
            if sent is not None:
                self.seen.took(kinds.SHOWN, loop.time() - sent)

    async def _changes(self, table: _Table, who: Metadata) -> AsyncIterator[tables_pb2.WatchResponse]:
        """Every version of a table, once, to its end."""
        after = 0
        while True:
            request = tables_pb2.WatchRequest(table_id=table.id, after_version=after)
            try:
                async for change in self._tables.Watch(request, metadata=who):
                    after = change.version
                    yield change
                return
            except grpc.aio.AioRpcError as error:
                self._failed("watch", error)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _ask(self, table: _Table, seat: int) -> None:
        """Find out what a seat may do, if it is to decide, and have the table await it."""
        loop = asyncio.get_running_loop()
        request = tables_pb2.TableServiceListLegalMovesRequest(table_id=table.id)
        while True:
            began = loop.time()
            try:
                answer = await self._tables.ListLegalMoves(request, metadata=table.people[seat], timeout=CALL_SECONDS)
            except grpc.aio.AioRpcError as error:
                self._failed(kinds.LISTED, error)
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            self.seen.took(kinds.LISTED, loop.time() - began)
            if answer.moves and answer.version > table.version:
                table.seat, table.version = seat, answer.version
                table.moves = [legal.move for legal in answer.moves]
                self._ready.put_nowait(table)
            return

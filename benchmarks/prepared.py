"""Games made ready before the clock starts: real tables, and every call that plays them to their end.

The tables are opened, seated and started over gRPC like anybody's. Then the benchmark reads each position, with the
chance still to come, from the store that it owns, plays the game by chance in memory, and writes down the requests.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from random import Random

import grpc

from benchmarks.load import Call
from boardgamesbot.rules.live import LiveTable, decode
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1 import players_pb2, players_pb2_grpc, tables_pb2, tables_pb2_grpc

SEATS = 3
METHOD = "/boardgamesbot.v1.TableService/SubmitMove"
AT_ONCE = 32


class Preparer:
    """Makes games ready at one rules server; `store` is the one it keeps its tables in."""

    def __init__(self, channel: grpc.aio.Channel, store: TableStore) -> None:
        self._players = players_pb2_grpc.PlayerServiceStub(channel)
        self._tables = tables_pb2_grpc.TableServiceStub(channel)
        self._store = store
        self._room = asyncio.Semaphore(AT_ONCE)
        self._rng = Random(1)

    async def lanes(self, count: int, calls: int) -> list[list[Call]]:
        """`count` lanes of at least `calls` calls each, and of whole games. A lane's players are its own."""
        return list(await asyncio.gather(*(self._lane(calls) for _ in range(count))))

    async def _lane(self, calls: int) -> list[Call]:
        async with self._room:
            tokens = await self.sign_in()
            lane: list[Call] = []
            while len(lane) < calls:
                lane += self.calls(await self.table(tokens), tokens)
            return lane

    async def sign_in(self) -> list[str]:
        """The `authorization` of a new guest for every seat of a table."""
        request = players_pb2.CreateGuestRequest()
        guests = [await self._players.CreateGuest(request) for _ in range(SEATS)]
        return [f"Bearer {guest.token}" for guest in guests]

    async def table(self, tokens: Sequence[str]) -> LiveTable:
        """A table whose game has begun, everything about it known; `tokens` are its players' by seat."""
        host = (("authorization", tokens[0]),)
        request = tables_pb2.CreateTableRequest(game_id="agora", players=SEATS, request_id=uuid.uuid4().hex)
        table_id = (await self._tables.CreateTable(request, metadata=host)).table.id
        for seat, token in enumerate(tokens):
            taking = tables_pb2.TakeSeatRequest(table_id=table_id, seat=seat)
            await self._tables.TakeSeat(taking, metadata=(("authorization", token),))
        await self._tables.StartTable(tables_pb2.StartTableRequest(table_id=table_id), metadata=host)
        stored = await self._store.load(table_id)
        assert stored is not None, f"table {table_id} has been started"
        return decode(stored)

    def calls(self, live: LiveTable, tokens: Sequence[str]) -> list[Call]:
        """The calls that play a table's game by chance to its end."""
        state, version = live.playing().copy(), live.version
        calls: list[Call] = []
        while (seat := state.actor) is not None:
            move = self._rng.choice(state.legal_moves())
            request = tables_pb2.SubmitMoveRequest(
                table_id=live.id,
                seat=seat,
                version=version,
                request_id=uuid.uuid4().hex,
                move=live.codec.move_to(move),
            )
            calls.append((tokens[seat], request.SerializeToString()))
            state.apply(move)
            version += 1
        return calls

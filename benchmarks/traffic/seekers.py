"""Players who look for a match."""

from __future__ import annotations

import asyncio
import uuid

import grpc

from benchmarks.traffic import seen as kinds
from benchmarks.traffic.seen import Seen
from benchmarks.traffic.tables import CALL_SECONDS, Metadata
from boardgamesbot.v1 import (
    matchmaking_pb2,
    matchmaking_pb2_grpc,
    players_pb2,
    players_pb2_grpc,
    tables_pb2,
    tables_pb2_grpc,
)

PATIENCE_SECONDS = 60.0
PLAYERS = {"agora": 3, "barcelona": 2}
"""So many make a match."""


class Seekers:
    """Groups that are just large enough for a match; once matched they give their table up."""

    def __init__(self, rules: grpc.aio.Channel, matchmaking: grpc.aio.Channel, game_id: str) -> None:
        self._players = players_pb2_grpc.PlayerServiceStub(rules)
        self._tables = tables_pb2_grpc.TableServiceStub(rules)
        self._tickets = matchmaking_pb2_grpc.MatchmakingServiceStub(matchmaking)
        self._game_id = game_id
        self._idle: list[list[Metadata]] = []
        self.seen = Seen()

    async def seek(self, _due: float) -> None:
        """Have one group find one another."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                group = self._idle.pop() if self._idle else [await self._sign_in() for _ in range(self._size)]
                tables = await asyncio.gather(*(self._matched(guest) for guest in group))
                for guest, (table_id, seat) in zip(group, tables, strict=True):
                    resigning = tables_pb2.ResignRequest(table_id=table_id, seat=seat)
                    await self._tables.Resign(resigning, metadata=guest, timeout=CALL_SECONDS)
                self._idle.append(group)
        except grpc.aio.AioRpcError as error:
            self.seen.failed(kinds.MATCHED, f"{error.code().name}: {error.details()}"[:120])
        except TimeoutError:
            self.seen.failed(kinds.MATCHED, f"not within {PATIENCE_SECONDS:g} s")

    @property
    def _size(self) -> int:
        return PLAYERS[self._game_id]

    async def _sign_in(self) -> Metadata:
        guest = await self._players.CreateGuest(players_pb2.CreateGuestRequest(), timeout=CALL_SECONDS)
        return (("authorization", f"Bearer {guest.token}"),)

    async def _matched(self, guest: Metadata) -> tuple[str, int]:
        loop = asyncio.get_running_loop()
        began = loop.time()
        request = matchmaking_pb2.CreateTicketRequest(
            game_id=self._game_id,
            min_players=self._size,
            max_players=self._size,
            unrated=True,
            request_id=uuid.uuid4().hex,
        )
        ticket = (await self._tickets.CreateTicket(request, metadata=guest, timeout=CALL_SECONDS)).ticket
        watching = matchmaking_pb2.WatchTicketRequest(ticket_id=ticket.id)
        async for response in self._tickets.WatchTicket(watching, metadata=guest):
            if response.ticket.status == matchmaking_pb2.TICKET_STATUS_MATCHED:
                self.seen.took(kinds.MATCHED, loop.time() - began)
                return response.ticket.match.table_id, response.ticket.match.seat
        raise TimeoutError

"""The asynchronous client."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from types import TracebackType
from typing import Self, TypeVar

import grpc

from boardgamesbot.client.channel import CALL_SECONDS, OPTIONS
from boardgamesbot.client.errors import Refused, refusal_of
from boardgamesbot.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    games_pb2,
    players_pb2,
    players_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    tables_pb2,
    tables_pb2_grpc,
)

Q = TypeVar("Q")
R = TypeVar("R")

RECONNECT_SECONDS = 0.2


def new_request_id() -> str:
    """An id that no other request has."""
    return uuid.uuid4().hex


class Client:
    """One player's way in. Raises `Refused` for everything the server refuses.

    `rules` and `bots` are the addresses of the servers; without a `token`, `sign_in` gets one.
    """

    def __init__(self, rules: str, *, bots: str | None = None, token: str = "") -> None:
        self.token = token
        self.player = players_pb2.Player()
        self._rules_channel = grpc.aio.insecure_channel(rules, options=OPTIONS)
        self._bots_channel = grpc.aio.insecure_channel(bots, options=OPTIONS) if bots else None
        self._players = players_pb2_grpc.PlayerServiceStub(self._rules_channel)
        self._rules = rules_pb2_grpc.RulesServiceStub(self._rules_channel)
        self._tables = tables_pb2_grpc.TableServiceStub(self._rules_channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        await self._rules_channel.close()
        if self._bots_channel:
            await self._bots_channel.close()

    async def sign_in(self, name: str = "") -> players_pb2.Player:
        """Become a guest."""
        response = await self._call(self._players.CreateGuest, players_pb2.CreateGuestRequest(name=name))
        self.token, self.player = response.token, response.player
        return self.player

    async def me(self) -> players_pb2.Player:
        """Who the token says this is."""
        self.player = (await self._call(self._players.GetMe, players_pb2.GetMeRequest())).player
        return self.player

    async def games(self) -> list[games_pb2.GameInfo]:
        """The games of the server."""
        return list((await self._call(self._rules.ListGames, rules_pb2.ListGamesRequest())).games)

    async def rulebook(self, game_id: str) -> rules_pb2.GetRulebookResponse:
        """A game's rules and data."""
        return await self._call(self._rules.GetRulebook, rules_pb2.GetRulebookRequest(game_id=game_id))

    async def verify(self, record: games_pb2.GameRecord) -> rules_pb2.VerifyRecordResponse:
        """Have a record replayed."""
        return await self._call(self._rules.VerifyRecord, rules_pb2.VerifyRecordRequest(record=record))

    async def create_table(
        self,
        game_id: str,
        players: int,
        options: games_pb2.GameOptions | None = None,
        visibility: tables_pb2.TableVisibility.ValueType = tables_pb2.TABLE_VISIBILITY_PUBLIC,
    ) -> tables_pb2.Table:
        """Open a table."""
        request = tables_pb2.CreateTableRequest(
            game_id=game_id, players=players, options=options, visibility=visibility, request_id=new_request_id()
        )
        return (await self._call(self._tables.CreateTable, request)).table

    async def tables(self, game_id: str = "") -> list[tables_pb2.Table]:
        """Public tables that are open or being played, newest first: the first page."""
        return list((await self._call(self._tables.ListTables, tables_pb2.ListTablesRequest(game_id=game_id))).tables)

    async def table(self, table_id: str) -> tables_pb2.Table:
        """A table without its game."""
        return (await self._call(self._tables.GetTable, tables_pb2.GetTableRequest(table_id=table_id))).table

    async def take_seat(self, table_id: str, seat: int | None = None) -> int:
        """Take a seat; gives which."""
        request = tables_pb2.TakeSeatRequest(table_id=table_id, seat=seat)
        return (await self._call(self._tables.TakeSeat, request)).seat

    async def leave_seat(self, table_id: str, seat: int | None = None) -> tables_pb2.Table:
        """Leave one's seat, or, as the host, free another's."""
        request = tables_pb2.LeaveSeatRequest(table_id=table_id, seat=seat)
        return (await self._call(self._tables.LeaveSeat, request)).table

    async def seat_bot(self, table_id: str, bot: str, seat: int | None = None) -> int:
        """Seat a bot; gives where."""
        request = bots_pb2.SeatBotRequest(table_id=table_id, bot=bot, seat=seat, request_id=new_request_id())
        return (await self._call(self._bots.SeatBot, request)).seat

    async def list_bots(self, game_id: str = "") -> list[bots_pb2.BotInfo]:
        """The bots on offer, weakest first."""
        return list((await self._call(self._bots.ListBots, bots_pb2.ListBotsRequest(game_id=game_id))).bots)

    async def choose_move(self, state: games_pb2.GameState, bot: str, seed: bytes = b"") -> bots_pb2.ChooseMoveResponse:
        """What a bot plays in a position of one's own; the same `seed`, the same move. No table is needed."""
        request = bots_pb2.ChooseMoveRequest(state=state, bot=bot, seed=seed)
        return await self._call(self._bots.ChooseMove, request)

    async def start(self, table_id: str) -> tables_pb2.Table:
        """Begin the game."""
        request = tables_pb2.StartTableRequest(table_id=table_id)
        return (await self._call(self._tables.StartTable, request)).table

    async def view(self, table_id: str) -> tables_pb2.TableServiceGetViewResponse:
        """The position as one's seat may know it."""
        request = tables_pb2.TableServiceGetViewRequest(table_id=table_id)
        return await self._call(self._tables.GetView, request)

    async def legal_moves(self, table_id: str) -> tables_pb2.TableServiceListLegalMovesResponse:
        """One's legal moves, and the version they are for."""
        request = tables_pb2.TableServiceListLegalMovesRequest(table_id=table_id)
        return await self._call(self._tables.ListLegalMoves, request)

    async def submit(
        self, table_id: str, seat: int, version: int, move: games_pb2.GameMove, request_id: str = ""
    ) -> tables_pb2.SubmitMoveResponse:
        """Play a move."""
        request = tables_pb2.SubmitMoveRequest(
            table_id=table_id, seat=seat, version=version, move=move, request_id=request_id or new_request_id()
        )
        return await self._call(self._tables.SubmitMove, request)

    async def undo(self, table_id: str, seat: int, version: int) -> tables_pb2.UndoMoveResponse:
        """Take back one's last move."""
        request = tables_pb2.UndoMoveRequest(table_id=table_id, seat=seat, version=version, request_id=new_request_id())
        return await self._call(self._tables.UndoMove, request)

    async def resign(self, table_id: str, seat: int) -> tables_pb2.Table:
        """Give up a seat."""
        return (await self._call(self._tables.Resign, tables_pb2.ResignRequest(table_id=table_id, seat=seat))).table

    async def record(self, table_id: str) -> games_pb2.GameRecord:
        """The record of a finished game."""
        request = tables_pb2.GetRecordRequest(table_id=table_id)
        return (await self._call(self._tables.GetRecord, request)).record

    async def watch(self, table_id: str, after_version: int = 0) -> AsyncGenerator[tables_pb2.WatchResponse, None]:
        """Every version of a table after `after_version`, whatever happens to the connection; ends with the table."""
        seen = after_version

        def request() -> tables_pb2.WatchRequest:
            return tables_pb2.WatchRequest(table_id=table_id, after_version=seen)

        async with aclosing(self._unbroken(self._tables.Watch, request)) as responses:
            async for response in responses:
                seen = response.version
                yield response

    async def watch_me(self) -> AsyncGenerator[players_pb2.WatchMeResponse, None]:
        """Every table where it is one's turn, as it comes up, whatever happens to the connection."""
        async with aclosing(self._unbroken(self._players.WatchMe, players_pb2.WatchMeRequest)) as responses:
            async for response in responses:
                yield response

    async def _unbroken(
        self, method: grpc.aio.UnaryStreamMultiCallable[Q, R], request: Callable[[], Q]
    ) -> AsyncGenerator[R, None]:
        """A stream that is asked for again, with a request made anew, whenever the server goes away."""
        while True:
            call = method(request(), metadata=self._metadata(), wait_for_ready=True)
            try:
                async for response in call:
                    yield response
                return
            except grpc.aio.AioRpcError as error:
                refused = refusal_of(error)
                if refused.code != grpc.StatusCode.UNAVAILABLE:
                    raise refused from None
                await asyncio.sleep(refused.retry_after or RECONNECT_SECONDS)
            finally:
                call.cancel()

    @property
    def _bots(self) -> bots_pb2_grpc.BotServiceAsyncStub:
        if self._bots_channel is None:
            raise ValueError("this client was not told where the bots server is")
        return bots_pb2_grpc.BotServiceStub(self._bots_channel)

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    async def _call(self, method: grpc.aio.UnaryUnaryMultiCallable[Q, R], request: Q) -> R:
        try:
            return await method(request, metadata=self._metadata(), timeout=CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error) from None


__all__ = ["Client", "Refused", "new_request_id"]

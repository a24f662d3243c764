"""TableService: reads the request, asks `Tables`, answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from boardgamesbot.players.registry import BOTS
from boardgamesbot.rules import fields
from boardgamesbot.rules.changes import is_person
from boardgamesbot.rules.clocks import clock_asked_for
from boardgamesbot.rules.rules_service import legal_moves_of
from boardgamesbot.rules.showing import without_code
from boardgamesbot.runtime import errors
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.v1 import tables_pb2 as pb
from boardgamesbot.v1 import tables_pb2_grpc
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT_ACCOUNT, PLAYER_KIND_SERVICE

if TYPE_CHECKING:
    from boardgamesbot.rules.feed import Feeds
    from boardgamesbot.rules.live import LiveTable
    from boardgamesbot.rules.tables import Tables
    from boardgamesbot.runtime.interceptor import Context

DEFAULT_PAGE = 20
LARGEST_PAGE = 100


class TableService(tables_pb2_grpc.TableServiceServicer):
    """The only writer of games. A seat is acted for only by its player: the caller's token says who that is."""

    def __init__(self, tables: Tables, feeds: Feeds) -> None:
        self._tables = tables
        self._feeds = feeds

    async def CreateTable(self, request: pb.CreateTableRequest, context: Context) -> pb.CreateTableResponse:
        if caller().player.kind == PLAYER_KIND_BOT_ACCOUNT:
            raise errors.denied("PEOPLE_ONLY", "bot accounts open no tables: they are seated at others'")
        if request.visibility not in pb.TableVisibility.values():
            raise errors.invalid_field("visibility", f"{request.visibility} is not one of its values")
        live = await self._tables.create(
            caller().player,
            request.game_id,
            request.players,
            request.options,
            request.visibility,
            fields.request_id(request.request_id),
            rated=not request.unrated,
            clock=clock_asked_for(request.clock) if request.HasField("clock") else None,
            with_code=request.with_code,
        )
        return pb.CreateTableResponse(table=await self._shown(live))

    async def OpenTable(self, request: pb.OpenTableRequest, context: Context) -> pb.OpenTableResponse:
        if caller().player.kind != PLAYER_KIND_SERVICE:
            raise errors.denied("SERVICE_ONLY", "only services of this platform open tables for matches")
        if not request.match_id:
            raise errors.invalid_field("match_id", "is missing")
        for at, player in enumerate(request.players):
            if player.bot and (player.bot not in BOTS or BOTS[player.bot].by_rule):
                raise errors.invalid_field(f"players[{at}].bot", "is no bot that can be seated")
            if not player.bot and not player.id:
                raise errors.invalid_field(f"players[{at}].id", "is missing")
        if not any(map(is_person, request.players)):
            raise errors.invalid_field("players", "must hold a person")
        live = await self._tables.open_match(
            request.match_id,
            request.game_id,
            request.options,
            request.players,
            rated=request.rated,
            clock=clock_asked_for(request.clock) if request.HasField("clock") else None,
        )
        return pb.OpenTableResponse(table=await self._shown(live))

    async def ListTables(self, request: pb.ListTablesRequest, context: Context) -> pb.ListTablesResponse:
        if not 0 <= request.page_size <= LARGEST_PAGE:
            raise errors.invalid_field("page_size", f"must be 1 to {LARGEST_PAGE}, not {request.page_size}")
        tables, token = await self._tables.page(
            request.game_id, request.status, request.page_size or DEFAULT_PAGE, request.page_token
        )
        tables = [without_code(table, caller().player.id) for table in tables]
        return pb.ListTablesResponse(tables=tables, next_page_token=token)

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> pb.GetTableResponse:
        live = await self._tables.live.now(fields.table_id(request.table_id))
        return pb.GetTableResponse(table=await self._shown(live))

    async def GetTableByCode(self, request: pb.GetTableByCodeRequest, context: Context) -> pb.GetTableByCodeResponse:
        live = await self._tables.by_code(request.code)
        return pb.GetTableByCodeResponse(table=await self._shown(live))

    async def TakeSeat(self, request: pb.TakeSeatRequest, context: Context) -> pb.TakeSeatResponse:
        live, seat = await self._tables.take_seat(
            caller().player, fields.table_id(request.table_id), _optional_seat(request)
        )
        return pb.TakeSeatResponse(table=await self._shown(live), seat=seat)

    async def LeaveSeat(self, request: pb.LeaveSeatRequest, context: Context) -> pb.LeaveSeatResponse:
        live = await self._tables.leave_seat(
            caller().player, fields.table_id(request.table_id), _optional_seat(request)
        )
        return pb.LeaveSeatResponse(table=await self._shown(live))

    async def StartTable(self, request: pb.StartTableRequest, context: Context) -> pb.StartTableResponse:
        live = await self._tables.start(caller().player, fields.table_id(request.table_id))
        return pb.StartTableResponse(table=await self._shown(live))

    async def GetView(self, request: pb.TableServiceGetViewRequest, context: Context) -> pb.TableServiceGetViewResponse:
        live = await self._tables.live.now(fields.table_id(request.table_id))
        response = pb.TableServiceGetViewResponse(
            version=live.version, table=await self._shown(live), summary=live.table.summary
        )
        if live.state is not None:
            seat = live.seat_of(caller().player.id)
            response.view.CopyFrom(live.codec.view_to(live.state.view(seat)))
        return response

    async def ListLegalMoves(
        self, request: pb.TableServiceListLegalMovesRequest, context: Context
    ) -> pb.TableServiceListLegalMovesResponse:
        live = await self._tables.live.now(fields.table_id(request.table_id))
        seat = live.seat_of(caller().player.id)
        if seat is None:
            raise errors.denied("NOT_YOUR_SEAT", "you have no seat at this table", field="table_id")
        yours = live.state is not None and live.state.actor == seat
        moves = legal_moves_of(live.state, live.codec) if yours and live.state is not None else []
        return pb.TableServiceListLegalMovesResponse(version=live.version, moves=moves)

    async def SwapSeats(self, request: pb.SwapSeatsRequest, context: Context) -> pb.SwapSeatsResponse:
        table_id = fields.table_id(request.table_id)
        live = await self._tables.swap_seats(caller().player, table_id, request.seat, request.other_seat)
        return pb.SwapSeatsResponse(table=await self._shown(live))

    async def SubmitMove(self, request: pb.SubmitMoveRequest, context: Context) -> pb.SubmitMoveResponse:
        _check_command(request)
        return await self._tables.submit(caller().player, request)

    async def UndoMove(self, request: pb.UndoMoveRequest, context: Context) -> pb.UndoMoveResponse:
        _check_command(request)
        return await self._tables.undo(caller().player, request)

    async def Resign(self, request: pb.ResignRequest, context: Context) -> pb.ResignResponse:
        live = await self._tables.resign(caller().player, fields.table_id(request.table_id), request.seat)
        return pb.ResignResponse(table=await self._shown(live))

    async def RunOut(self, request: pb.RunOutRequest, context: Context) -> pb.RunOutResponse:
        if caller().player.kind != PLAYER_KIND_SERVICE:
            raise errors.denied("SERVICE_ONLY", "only services of this platform look after clocks")
        table_id, version = fields.table_id(request.table_id), fields.version(request.version)
        return pb.RunOutResponse(acted=await self._tables.run_out(table_id, version))

    async def Watch(self, request: pb.WatchRequest, context: Context) -> AsyncIterator[pb.WatchResponse]:
        table_id = fields.table_id(request.table_id)
        if request.after_version < 0:
            raise errors.invalid_field("after_version", "must be 0 or a version")
        after = request.after_version, request.after_commit
        async with aclosing(self._feeds.watch(caller().player, table_id, *after)) as responses:
            async for response in responses:
                yield response

    async def GetRecord(self, request: pb.GetRecordRequest, context: Context) -> pb.GetRecordResponse:
        return pb.GetRecordResponse(record=await self._tables.record(fields.table_id(request.table_id)))

    async def _shown(self, live: LiveTable) -> pb.Table:
        return await self._tables.shown(live, caller().player)


def _optional_seat(request: pb.TakeSeatRequest | pb.LeaveSeatRequest) -> int | None:
    return request.seat if request.HasField("seat") else None


def _check_command(request: pb.SubmitMoveRequest | pb.UndoMoveRequest) -> None:
    fields.table_id(request.table_id)
    fields.version(request.version)
    fields.request_id(request.request_id)

"""TableService: reads the request, asks `Tables`, answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from boardgamesbot.rules import fields
from boardgamesbot.rules.rules_service import legal_moves_of
from boardgamesbot.runtime import errors
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.v1 import tables_pb2 as pb
from boardgamesbot.v1 import tables_pb2_grpc

if TYPE_CHECKING:
    from boardgamesbot.rules.feed import Feeds
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
        if request.visibility not in pb.TableVisibility.values():
            raise errors.invalid_field("visibility", f"{request.visibility} is not one of its values")
        live = await self._tables.create(
            caller().player,
            request.game_id,
            request.players,
            request.options,
            request.visibility,
            fields.request_id(request.request_id),
        )
        return pb.CreateTableResponse(table=live.table)

    async def ListTables(self, request: pb.ListTablesRequest, context: Context) -> pb.ListTablesResponse:
        if not 0 <= request.page_size <= LARGEST_PAGE:
            raise errors.invalid_field("page_size", f"must be 1 to {LARGEST_PAGE}, not {request.page_size}")
        tables, token = await self._tables.page(
            request.game_id, request.status, request.page_size or DEFAULT_PAGE, request.page_token
        )
        return pb.ListTablesResponse(tables=tables, next_page_token=token)

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> pb.GetTableResponse:
        live = await self._tables.live.now(fields.table_id(request.table_id))
        return pb.GetTableResponse(table=live.table)

    async def TakeSeat(self, request: pb.TakeSeatRequest, context: Context) -> pb.TakeSeatResponse:
        live, seat = await self._tables.take_seat(
            caller().player, fields.table_id(request.table_id), _optional_seat(request)
        )
        return pb.TakeSeatResponse(table=live.table, seat=seat)

    async def LeaveSeat(self, request: pb.LeaveSeatRequest, context: Context) -> pb.LeaveSeatResponse:
        live = await self._tables.leave_seat(
            caller().player, fields.table_id(request.table_id), _optional_seat(request)
        )
        return pb.LeaveSeatResponse(table=live.table)

    async def StartTable(self, request: pb.StartTableRequest, context: Context) -> pb.StartTableResponse:
        live = await self._tables.start(caller().player, fields.table_id(request.table_id))
        return pb.StartTableResponse(table=live.table)

    async def GetView(self, request: pb.TableServiceGetViewRequest, context: Context) -> pb.TableServiceGetViewResponse:
        live = await self._tables.live.now(fields.table_id(request.table_id))
        response = pb.TableServiceGetViewResponse(version=live.version, table=live.table, summary=live.table.summary)
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

    async def SubmitMove(self, request: pb.SubmitMoveRequest, context: Context) -> pb.SubmitMoveResponse:
        _check_command(request)
        return await self._tables.submit(caller().player, request)

    async def UndoMove(self, request: pb.UndoMoveRequest, context: Context) -> pb.UndoMoveResponse:
        _check_command(request)
        return await self._tables.undo(caller().player, request)

    async def Resign(self, request: pb.ResignRequest, context: Context) -> pb.ResignResponse:
        live = await self._tables.resign(caller().player, fields.table_id(request.table_id), request.seat)
        return pb.ResignResponse(table=live.table)

    async def Watch(self, request: pb.WatchRequest, context: Context) -> AsyncIterator[pb.WatchResponse]:
        table_id = fields.table_id(request.table_id)
        if request.after_version < 0:
            raise errors.invalid_field("after_version", "must be 0 or a version")
        async for response in self._feeds.watch(caller().player, table_id, request.after_version):
            yield response

    async def GetRecord(self, request: pb.GetRecordRequest, context: Context) -> pb.GetRecordResponse:
        return pb.GetRecordResponse(record=await self._tables.record(fields.table_id(request.table_id)))


def _optional_seat(request: pb.TakeSeatRequest | pb.LeaveSeatRequest) -> int | None:
    return request.seat if request.HasField("seat") else None


def _check_command(request: pb.SubmitMoveRequest | pb.UndoMoveRequest) -> None:
    fields.table_id(request.table_id)
    fields.version(request.version)
    fields.request_id(request.request_id)

"""BotService: which bots there are, and a seat for them."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

import grpc

from boardgamesbot.players.registry import BOTS, Bot
from boardgamesbot.runtime import errors
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.runtime.tokens import bot_player
from boardgamesbot.v1 import bots_pb2 as pb
from boardgamesbot.v1 import bots_pb2_grpc, tables_pb2, tables_pb2_grpc

if TYPE_CHECKING:
    from boardgamesbot.runtime.interceptor import Context
    from boardgamesbot.runtime.tokens import Tokens

CALL_SECONDS = 10.0


class BotService(bots_pb2_grpc.BotServiceServicer):
    """A bot is a player like any other: seating one means signing it in and having it take the seat."""

    def __init__(self, tokens: Tokens, rules: grpc.aio.Channel) -> None:
        self._tokens = tokens
        self._tables = tables_pb2_grpc.TableServiceStub(rules)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        bots = [bot for bot in BOTS.values() if not request.game_id or request.game_id in bot.brains]
        return pb.ListBotsResponse(
            bots=[
                pb.BotInfo(id=bot.id, name=bot.name, description=bot.description, game_ids=sorted(bot.brains))
                for bot in bots
            ]
        )

    async def SeatBot(self, request: pb.SeatBotRequest, context: Context) -> pb.SeatBotResponse:
        bot = _bot(request.bot)
        player = caller().player
        try:
            table = await self._table(request.table_id, self._tokens.issue(player))
            if table.host != player.id:
                raise errors.denied("NOT_HOST", "only the host of the table may seat a bot")
            if table.game_id not in bot.brains:
                raise errors.invalid_field("bot", f"{bot.name} does not play {table.game_id}")
            guest = bot_player(bot.id, _free_name(bot, table), table.id, _number(player.id, request.request_id))
            seat = request.seat if request.HasField("seat") else None
            taken = await self._tables.TakeSeat(
                tables_pb2.TakeSeatRequest(table_id=table.id, seat=seat),
                metadata=_bearer(self._tokens.issue(guest)),
                timeout=CALL_SECONDS,
            )
        except grpc.aio.AioRpcError as error:
            raise errors.passed_on(error) from None
        return pb.SeatBotResponse(table=taken.table, seat=taken.seat)

    async def _table(self, table_id: str, token: str) -> tables_pb2.Table:
        response: tables_pb2.GetTableResponse = await self._tables.GetTable(
            tables_pb2.GetTableRequest(table_id=table_id), metadata=_bearer(token), timeout=CALL_SECONDS
        )
        return response.table


def _bot(bot_id: str) -> Bot:
    if bot_id not in BOTS:
        raise errors.invalid_field("bot", f"there is no bot {bot_id[:32]!r}; there is {', '.join(BOTS)}")
    return BOTS[bot_id]


def _number(player_id: str, request_id: str) -> str:
    """What tells a bot from the others of its table: the same for the same request, so that it sits down once."""
    if not request_id:
        return secrets.token_hex(8)
    return hashlib.sha256(f"{player_id}\0{request_id}".encode()).hexdigest()[:16]


def _free_name(bot: Bot, table: tables_pb2.Table) -> str:
    """The bot's name, numbered where the table has one of it already."""
    taken = {seat.player.name for seat in table.seats}
    names = (bot.name, *(f"{bot.name} {number}" for number in range(2, len(table.seats) + 2)))
    return next(name for name in names if name not in taken)


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)

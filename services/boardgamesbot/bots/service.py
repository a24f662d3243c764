"""BotService: which bots there are, a seat for them, and what they would play."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

import grpc

from boardgamesbot.bots.asking import bot_asked_for, check_plays
from boardgamesbot.bots.suggesting import suggestion
from boardgamesbot.games import registry
from boardgamesbot.players.registry import BOTS, Bot
from boardgamesbot.runtime import errors, traces
from boardgamesbot.runtime.accounts import player_of, shown
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.runtime.tokens import bot_player
from boardgamesbot.store.accounts import is_account_id
from boardgamesbot.v1 import bots_pb2 as pb
from boardgamesbot.v1 import bots_pb2_grpc, tables_pb2, tables_pb2_grpc
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT_ACCOUNT, Player

if TYPE_CHECKING:
    from boardgamesbot.bots.asking import Asking
    from boardgamesbot.runtime.interceptor import Context
    from boardgamesbot.runtime.tokens import Tokens
    from boardgamesbot.store.accounts import AccountStore

CALL_SECONDS = 10.0
ACCOUNT_TOKEN_SECONDS = 60
"""How long the token lasts with which a bot from outside is seated."""


class BotService(bots_pb2_grpc.BotServiceServicer):
    """A bot is a player like any other: seating one means signing it in and having it take the seat."""

    def __init__(self, tokens: Tokens, rules: grpc.aio.Channel, asking: Asking, accounts: AccountStore) -> None:
        self._tokens = tokens
        self._accounts = accounts
        self._asking = asking
        self._tables = tables_pb2_grpc.TableServiceStub(rules)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        bots = [bot for bot in BOTS.values() if not request.game_id or request.game_id in bot.brains]
        outside = [a for a in await self._accounts.online() if not request.game_id or a.takes(request.game_id)]
        return pb.ListBotsResponse(
            accounts=map(shown, outside),
            bots=[
                pb.BotInfo(
                    id=bot.id,
                    name=bot.name,
                    description=bot.description,
                    game_ids=sorted(bot.brains),
                    by_rule=bot.by_rule,
                    level=bot.level,
                    seconds=bot.seconds,
                )
                for bot in bots
            ],
        )

    async def SeatBot(self, request: pb.SeatBotRequest, context: Context) -> pb.SeatBotResponse:
        player = caller().player
        if player.kind == PLAYER_KIND_BOT_ACCOUNT:
            raise errors.denied("PEOPLE_ONLY", "bot accounts seat no bots")
        if is_account_id(request.bot):
            return await self._seat_account(request, player)
        bot = bot_asked_for(request.bot, "")
        try:
            table = await self._own_table(request.table_id, player)
            check_plays(bot, registry.codec(table.game_id), "bot")
            seat = request.seat if request.HasField("seat") else None
            guest = _by_rule(bot, table, seat) or bot_player(
                bot.id, _free_name(bot, table), table.id, _number(player.id, request.request_id)
            )
            taken = await self._take(table.id, request, self._tokens.issue(guest))
        except grpc.aio.AioRpcError as error:
            raise errors.passed_on(error) from None
        return pb.SeatBotResponse(table=taken.table, seat=taken.seat)

    async def ChooseMove(self, request: pb.ChooseMoveRequest, context: Context) -> pb.ChooseMoveResponse:
        asked, wish = self._asking.read(request)
        return await self._asking.choose(caller().player.id, asked, wish.cost, reasoning=request.reasoning)

    async def WatchChoice(
        self, request: pb.WatchChoiceRequest, context: Context
    ) -> AsyncIterator[pb.WatchChoiceResponse]:
        asked, wish = self._asking.read(request.choice, "choice.")
        choices = self._asking.watch(caller().player.id, asked, wish.cost, reasoning=request.choice.reasoning)
        async with aclosing(choices):
            async for choice, final in choices:
                yield pb.WatchChoiceResponse(choice=choice, final=final)

    async def SuggestMove(
        self, request: pb.SuggestMoveRequest, context: Context
    ) -> AsyncIterator[pb.SuggestMoveResponse]:
        player = caller().player
        if not request.table_id:
            raise errors.invalid_field("table_id", "is missing")
        try:
            now = await self._view(request.table_id, self._tokens.issue(player))
        except grpc.aio.AioRpcError as error:
            raise errors.passed_on(error) from None
        asked, cost = suggestion(now, player, request, self._asking)
        choices = self._asking.watch(player.id, asked, cost, reasoning=request.reasoning)
        async with aclosing(choices):
            async for choice, final in choices:
                yield pb.SuggestMoveResponse(version=now.version, choice=choice, final=final)

    async def _view(self, table_id: str, token: str) -> tables_pb2.TableServiceGetViewResponse:
        response: tables_pb2.TableServiceGetViewResponse = await self._tables.GetView(
            tables_pb2.TableServiceGetViewRequest(table_id=table_id), metadata=_bearer(token), timeout=CALL_SECONDS
        )
        return response

    async def _seat_account(self, request: pb.SeatBotRequest, player: Player) -> pb.SeatBotResponse:
        """Seat a bot from outside: by announcing what it takes it has agreed to that."""
        try:
            table = await self._own_table(request.table_id, player)
            account = await self._accounts.load(request.bot)
            if account is None or account.announcement is None:
                raise errors.precondition("BOT_OFFLINE", "this bot is not online", version=table.version)
            if not account.takes(table.game_id):
                raise errors.invalid_field("bot", f"{account.name} does not play {table.game_id}")
            if not await self._accounts.reserve(account, table.id):
                message = f"{account.name} plays at {account.announcement.max_tables} tables, as many as it takes"
                raise errors.precondition("BOT_BUSY", message, version=table.version)
            token = self._tokens.issue_to_account(player_of(account), account.generation, ACCOUNT_TOKEN_SECONDS)
            try:
                taken = await self._take(table.id, request, token)
            except grpc.aio.AioRpcError:
                if player_of(account) not in [seat.player for seat in table.seats]:
                    await self._accounts.release(account.id, table.id)
                raise
        except grpc.aio.AioRpcError as error:
            raise errors.passed_on(error) from None
        return pb.SeatBotResponse(table=taken.table, seat=taken.seat)

    async def _take(self, table_id: str, request: pb.SeatBotRequest, token: str) -> tables_pb2.TakeSeatResponse:
        seat = request.seat if request.HasField("seat") else None
        taken: tables_pb2.TakeSeatResponse = await self._tables.TakeSeat(
            tables_pb2.TakeSeatRequest(table_id=table_id, seat=seat), metadata=_bearer(token), timeout=CALL_SECONDS
        )
        return taken

    async def _own_table(self, table_id: str, player: Player) -> tables_pb2.Table:
        """A table whose host the player is. Raises ApiError (NOT_HOST), AioRpcError."""
        response: tables_pb2.GetTableResponse = await self._tables.GetTable(
            tables_pb2.GetTableRequest(table_id=table_id),
            metadata=_bearer(self._tokens.issue(player)),
            timeout=CALL_SECONDS,
        )
        if response.table.host != player.id:
            raise errors.denied("NOT_HOST", "only the host of the table may seat a bot")
        return response.table


def _by_rule(bot: Bot, table: tables_pb2.Table, seat: int | None) -> Player | None:
    """Who the bot is at the table already, if the rules seated it there: it is not seated again."""
    for taken in table.seats:
        if bot.by_rule and taken.player.bot == bot.id and seat in (None, taken.seat):
            return taken.player
    return None


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
    return (("authorization", f"Bearer {token}"), *traces.metadata())

"""BotService: which bots there are, a seat for them, and what they would play."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

import grpc

from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed, State
from boardgamesbot.players.registry import BOTS, Bot, may_play
from boardgamesbot.runtime import errors
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.runtime.tokens import bot_player
from boardgamesbot.v1 import bots_pb2 as pb
from boardgamesbot.v1 import bots_pb2_grpc, games_pb2, tables_pb2, tables_pb2_grpc

if TYPE_CHECKING:
    from boardgamesbot.bots.choosing import Choices
    from boardgamesbot.games.proto import Codec
    from boardgamesbot.runtime.interceptor import Context
    from boardgamesbot.runtime.tokens import Tokens
    from boardgamesbot.v1.players_pb2 import Player

CALL_SECONDS = 10.0
SEED_BYTES = 64
"""The longest seed of a bot's chance."""


class BotService(bots_pb2_grpc.BotServiceServicer):
    """A bot is a player like any other: seating one means signing it in and having it take the seat."""

    def __init__(self, tokens: Tokens, rules: grpc.aio.Channel, choices: Choices) -> None:
        self._tokens = tokens
        self._choices = choices
        self._tables = tables_pb2_grpc.TableServiceStub(rules)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        bots = [bot for bot in BOTS.values() if not request.game_id or request.game_id in bot.brains]
        return pb.ListBotsResponse(
            bots=[
                pb.BotInfo(
                    id=bot.id,
                    name=bot.name,
                    description=bot.description,
                    game_ids=sorted(bot.brains),
                    by_rule=bot.by_rule,
                )
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
            seat = request.seat if request.HasField("seat") else None
            guest = _by_rule(bot, table, seat) or bot_player(
                bot.id, _free_name(bot, table), table.id, _number(player.id, request.request_id)
            )
            taken = await self._tables.TakeSeat(
                tables_pb2.TakeSeatRequest(table_id=table.id, seat=seat),
                metadata=_bearer(self._tokens.issue(guest)),
                timeout=CALL_SECONDS,
            )
        except grpc.aio.AioRpcError as error:
            raise errors.passed_on(error) from None
        return pb.SeatBotResponse(table=taken.table, seat=taken.seat)

    async def ChooseMove(self, request: pb.ChooseMoveRequest, context: Context) -> pb.ChooseMoveResponse:
        bot = _bot(request.bot)
        if len(request.seed) > SEED_BYTES:
            raise errors.invalid_field("seed", f"must have at most {SEED_BYTES} bytes, has {len(request.seed)}")
        state, codec = _position(request.state)
        game, seat = codec.game, state.actor
        if seat is None:
            raise errors.invalid_field("state", "is the end of a game: nobody has anything to decide")
        wanted = game.bots_wanted(state.options)
        if game.id not in bot.brains:
            raise errors.invalid_field("bot", f"{bot.name} does not play {game.id}")
        if not may_play(bot.id, seat, wanted):
            plays = f"{wanted[seat]}'s" if seat in wanted else f"not {bot.id}'s"
            raise errors.invalid_field("bot", f"seat {seat}, whose decision it is, is {plays} by the rules")
        view = state.view(seat)
        seed = request.seed or secrets.token_bytes(SEED_BYTES)
        decided = await self._choices.ask(codec, bot.id, view, seed)
        return pb.ChooseMoveResponse(
            seat=seat,
            move=codec.move_to(decided.move),
            text=game.words.move(view, decided.move),
            bot=decided.bot,
        )

    async def _table(self, table_id: str, token: str) -> tables_pb2.Table:
        response: tables_pb2.GetTableResponse = await self._tables.GetTable(
            tables_pb2.GetTableRequest(table_id=table_id), metadata=_bearer(token), timeout=CALL_SECONDS
        )
        return response.table


def _bot(bot_id: str) -> Bot:
    if bot_id not in BOTS:
        raise errors.invalid_field("bot", f"there is no bot {bot_id[:32]!r}; there is {', '.join(BOTS)}")
    return BOTS[bot_id]


def _position(message: games_pb2.GameState) -> tuple[State, Codec]:
    try:
        codec = registry.codec_of(message)
        return codec.state_from(message), codec
    except Malformed as error:
        raise errors.malformed(error.under("state")) from None


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
    return (("authorization", f"Bearer {token}"),)

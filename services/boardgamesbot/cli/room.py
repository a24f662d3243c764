"""What the host of a table may do while it waits for its players: seat bots, free their seats, begin."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from boardgamesbot.cli.console import Console
from boardgamesbot.cli.seating import USUAL
from boardgamesbot.client import Client, Refused
from boardgamesbot.players.registry import BOTS
from boardgamesbot.v1 import tables_pb2
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, PLAYER_KIND_BOT_ACCOUNT

KEYS = f"b seat a bot (b red {USUAL}), f red free a bot's seat, s start with bots, q leave"
_BOTS = (PLAYER_KIND_BOT, PLAYER_KIND_BOT_ACCOUNT)


class Room:
    """A table before its game, for its host. Seats go by their colours."""

    def __init__(self, client: Client, table_id: str, console: Console) -> None:
        self._client = client
        self._table_id = table_id
        self._console = console

    async def press(self, key: str, words: Sequence[str]) -> bool:
        """Do what a key means, with the words typed behind it; False if there is no such key."""
        try:
            match key:
                case "b":
                    await self._seat(words)
                case "f":
                    await self._free(words)
                case "s" if not words:
                    await self._begin()
                case _:
                    return False
        except Refused as error:
            self._say(error.message.removeprefix(f"{error.field}: "))
        except Unclear as unclear:
            self._say(str(unclear))
        return True

    async def _seat(self, words: Sequence[str]) -> None:
        table = await self._client.table(self._table_id)
        rest = list(words)
        seat = _seat_of(table, rest[0]) if rest else None
        if seat is not None:
            del rest[0]
            if seat.HasField("player"):
                raise Unclear(f"{seat.colour} is not free: {seat.player.name} has it.")
        bot = rest.pop(0) if rest else USUAL
        if rest:
            raise Unclear("b, and behind it a colour, a bot, or both: b red greedy.")
        _want_bot(table, bot)
        await self._client.seat_bot(self._table_id, bot, None if seat is None else seat.seat)

    async def _free(self, words: Sequence[str]) -> None:
        table = await self._client.table(self._table_id)
        bots = [seat for seat in table.seats if seat.player.kind in _BOTS]
        chosen = _seat_of(table, words[0]) if len(words) == 1 else bots[0] if not words and len(bots) == 1 else None
        if chosen is None:
            raise Unclear("f, and behind it the colour of the seat whose bot is to go: f red.")
        if chosen not in bots:
            raise Unclear(f"{chosen.colour} is no bot's.")
        await self._client.leave_seat(self._table_id, chosen.seat)

    async def _begin(self) -> None:
        """Seat bots at the free seats; the game begins as soon as none is left."""
        for seat in (await self._client.table(self._table_id)).seats:
            if not seat.HasField("player"):
                await self._client.seat_bot(self._table_id, USUAL, seat.seat)

    def _say(self, words: str) -> None:
        self._console.print(escape(words[:1].upper() + words[1:]))


class Unclear(Exception):
    """What was typed can't be done; says why."""


def _seat_of(table: tables_pb2.Table, typed: str) -> tables_pb2.Seat | None:
    """The seat of a colour, or of the beginning of one; None where what was typed begins no colour. Raises Unclear."""
    if typed.isdecimal():
        raise Unclear(f"Seats go by their colours: {', '.join(seat.colour for seat in table.seats)}.")
    return next((seat for seat in table.seats if seat.colour.lower().startswith(typed.lower())), None)


def _want_bot(table: tables_pb2.Table, bot_id: str) -> None:
    """Raise Unclear unless the bot may sit down at the table."""
    there = [bot.id for bot in BOTS.values() if table.game_id in bot.brains and not bot.by_rule]
    if bot_id not in there:
        raise Unclear(f"There is no bot {bot_id[:32]!r} here, but {', '.join(there)}.")


def seats(table: tables_pb2.Table, me: str) -> str:
    """Who sits where, in one line."""
    shown = []
    for seat in table.seats:
        who = "you" if seat.player.id == me else escape(seat.player.name) or "nobody yet"
        shown.append(f"{seat.colour} {who}")
    return " · ".join(shown)

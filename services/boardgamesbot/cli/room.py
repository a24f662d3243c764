"""What the host of a table may do while it waits for its players: seat bots, free their seats, begin."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from boardgamesbot.cli.console import Console
from boardgamesbot.cli.seating import USUAL
from boardgamesbot.client import Client, Refused
from boardgamesbot.v1 import tables_pb2
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, PLAYER_KIND_BOT_ACCOUNT

KEYS = f"b seat a bot (b 2 {USUAL}), f 2 free a bot's seat, s start with bots, q leave"
_BOTS = (PLAYER_KIND_BOT, PLAYER_KIND_BOT_ACCOUNT)


class Room:
    """A table before its game, for its host. Seats are numbered from 1 here, as they are listed."""

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
        number = _number(table, rest.pop(0)) if rest and rest[0].isdecimal() else None
        bot = rest.pop(0) if rest else USUAL
        if rest:
            raise Unclear("b, and behind it the number of a seat, a bot, or both: b 2 greedy.")
        if number is not None and table.seats[number].HasField("player"):
            raise Unclear(f"Seat {number + 1} is not free: {table.seats[number].player.name} has it.")
        await self._client.seat_bot(self._table_id, bot, number)

    async def _free(self, words: Sequence[str]) -> None:
        table = await self._client.table(self._table_id)
        bots = [seat.seat for seat in table.seats if seat.player.kind in _BOTS]
        if len(words) > 1 or (not words and len(bots) != 1):
            raise Unclear("f, and behind it the number of the seat whose bot is to go: f 2.")
        number = _number(table, words[0]) if words else bots[0]
        if number not in bots:
            raise Unclear(f"On seat {number + 1} there is no bot.")
        await self._client.leave_seat(self._table_id, number)

    async def _begin(self) -> None:
        """Seat bots at the free seats; the game begins as soon as none is left."""
        for seat in (await self._client.table(self._table_id)).seats:
            if not seat.HasField("player"):
                await self._client.seat_bot(self._table_id, USUAL, seat.seat)

    def _say(self, words: str) -> None:
        self._console.print(escape(words[:1].upper() + words[1:]))


class Unclear(Exception):
    """What was typed can't be done; says why."""


def _number(table: tables_pb2.Table, typed: str) -> int:
    """The seat that a number as typed means, from 0. Raises Unclear."""
    if not (typed.isdecimal() and len(typed) < 4 and 1 <= int(typed) <= len(table.seats)):
        raise Unclear(f"The seats are 1 to {len(table.seats)}.")
    return int(typed) - 1


def seats(table: tables_pb2.Table, me: str) -> str:
    """Who sits where, in one line."""
    shown = []
    for number, seat in enumerate(table.seats, 1):
        who = "you" if seat.player.id == me else escape(seat.player.name) or "nobody yet"
        shown.append(f"{number} {seat.colour} {who}")
    return " · ".join(shown)

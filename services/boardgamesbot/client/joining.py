"""Ways to a game: with people, or against the platform's bots."""

from __future__ import annotations

from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Unpack

from boardgamesbot.client.patience import patiently
from boardgamesbot.client.tickets import Wishes
from boardgamesbot.v1 import games_pb2, matchmaking_pb2, tables_pb2

if TYPE_CHECKING:
    from boardgamesbot.client.client import Client


class NoMatch(Exception):
    """The search for others ended without a game; `ticket` says how."""

    def __init__(self, ticket: matchmaking_pb2.Ticket) -> None:
        status = matchmaking_pb2.TicketStatus.Name(ticket.status).removeprefix("TICKET_STATUS_")
        super().__init__(f"no game was found: the ticket is {status}")
        self.ticket = ticket


class Found(NamedTuple):
    """A game that is on."""

    table_id: str
    seat: int
    """One's own seat, from 0."""


async def find_table(client: Client, game_id: str, *, join_code: str = "", **wishes: Unpack[Wishes]) -> Found:
    """Wait for others and accept the match. Raises `NoMatch`, `Refused`."""
    ticket = matchmaking_pb2.Ticket()
    accepted = ""
    async with aclosing(client.find(game_id, join_code=join_code, **wishes)) as tickets:
        async for ticket in tickets:
            if ticket.status == matchmaking_pb2.TICKET_STATUS_PROPOSED and ticket.match.id != accepted:
                accepted = ticket.match.id
                await patiently(partial(client.accept_match, ticket.id, accepted))
    if ticket.status != matchmaking_pb2.TICKET_STATUS_MATCHED:
        raise NoMatch(ticket)
    return Found(ticket.match.table_id, ticket.match.seat)


async def start_against(
    client: Client,
    game_id: str,
    bots: tuple[str, ...],
    options: games_pb2.GameOptions | None = None,
    clock: tables_pb2.Clock | None = None,
) -> tables_pb2.Table:
    """Open a table, sit down, seat the bots in the order given, begin. Raises `Refused`."""
    table = await client.create_table(game_id, 1 + len(bots), options, clock=clock)
    await client.take_seat(table.id)
    by_rule = [seat.player.bot for seat in table.seats if seat.player.bot]
    for bot in bots:
        if bot in by_rule:
            by_rule.remove(bot)
        else:
            await client.seat_bot(table.id, bot)
    return await client.start(table.id)

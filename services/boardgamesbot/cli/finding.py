"""`bgb play --find`: waiting for others to play with, as a person sees it."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click
from rich.markup import escape
from rich.status import Status

from boardgamesbot.cli.beside import beside
from boardgamesbot.cli.console import Console
from boardgamesbot.client import Client, Refused, Wishes
from boardgamesbot.games.base import Options
from boardgamesbot.games.proto import Codec
from boardgamesbot.v1 import matchmaking_pb2 as pb

F = TypeVar("F", bound=Callable[..., Any])

TICK_SECONDS = 0.5
_SPAN = re.compile(r"(\d{1,2})(?:-(\d{1,2}))?")


class NotFound(click.ClickException):
    """The search has ended without a table."""


@dataclass(frozen=True)
class Search:
    """What is looked for."""

    players: tuple[int, int] | None
    bots_after: float | None
    bot: str
    party: int
    join: str
    accept: bool
    unrated: bool
    any_options: bool

    def wishes(self, codec: Codec, options: Options) -> Wishes:
        """The same for the client; what was not said is left to the server."""
        wishes = Wishes(party_size=self.party, acceptance=self.accept, unrated=self.unrated)
        if not self.any_options:
            wishes["options"] = codec.options_to(options)
        if self.players is not None:
            wishes["players"] = self.players
        if self.bots_after is not None:
            wishes |= Wishes(bots_after=self.bots_after, bot=self.bot)
        return wishes


def _span(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """`4`, or `3-5`, as the fewest and the most."""
    if value is None:
        return None
    match = _SPAN.fullmatch(value)
    if match is None:
        raise click.BadParameter(f"{value!r} is neither a number nor two with - between them: 4, 3-5")
    fewest, most = int(match[1]), int(match[2] or match[1])
    if most < fewest:
        raise click.BadParameter(f"{value!r} ends before it begins: the smaller number comes first")
    return fewest, most


_FLAGS = (
    click.option("--find", is_flag=True, help="Find others to play with, of about your strength."),
    click.option(
        "--players", callback=_span, metavar="N[-M]", help="How many at the table.  [as many as the game takes]"
    ),
    click.option("--bots-after", type=click.FloatRange(0), default=None, metavar="SECONDS", help="Then bots may join."),
    click.option("--bot", default="", help="Which bot.  [the server's choice]"),
    click.option("--party", type=click.IntRange(1, 9), default=1, help="How many of you want to sit together.  [1]"),
    click.option("--join", default="", metavar="CODE", help="Be of the party that has this code."),
    click.option("--accept", is_flag=True, help="Be asked before a match is made."),
    click.option("--unrated", is_flag=True, help="A game that leaves all ratings as they are."),
    click.option("--any-options", is_flag=True, help="Whatever options the others want."),
)


def search_options(command: F) -> F:
    """The flags of a search; the command gets them all by name, for `search_meant`."""
    for flag in reversed(_FLAGS):
        command = flag(command)
    return command


def search_meant(*, find: bool, **given: Any) -> Search | None:
    """The search that flags mean; None if they mean none. Raises UsageError where they make no sense."""
    search = Search(**given)
    if search.join:
        if any((search.players, search.bots_after, search.bot, search.party > 1, search.accept, search.unrated)):
            raise click.UsageError("with --join the one who has the code has said all about the search")
        return search
    if find:
        if search.bot and search.bots_after is None:
            raise click.UsageError("--bot goes with --bots-after")
        return search
    if search != Search(None, None, "", 1, "", accept=False, unrated=False, any_options=False):
        more = "; at a table of your own, --hints leaves all ratings as they are" if search.unrated else ""
        raise click.UsageError(f"that is for a search: add --find{more}")
    return None


async def find(console: Console, client: Client, game_id: str, search: Search, wishes: Wishes) -> str:
    """Wait until there is a table, and give its id. Raises NotFound; who is interrupted has cancelled the ticket."""
    waiting = _WaitingRoom(console, client)
    try:
        async with aclosing(client.find(game_id, join_code=search.join, **wishes)) as tickets:
            async for ticket in tickets:
                waiting.show(ticket)
    except asyncio.CancelledError:
        waiting.close()
        console.print("\nYou no longer look for a game.")
        raise
    finally:
        waiting.close()
    if ticket.status != pb.TICKET_STATUS_MATCHED:
        raise NotFound(_END.get(ticket.status, "the search has ended"))
    return ticket.match.table_id


_END = {
    pb.TICKET_STATUS_CANCELLED: "the search has ended: the match was declined, or one of the party stopped looking",
    pb.TICKET_STATUS_EXPIRED: "the search has ended: the match was not accepted in time, or somebody was gone too long",
    pb.TICKET_STATUS_FAILED: "the server could not open a table for the match; it is in its log",
}


def _company(match: pb.Match) -> str:
    """Who is to play: the people by name, and how many bots."""
    names = ", ".join(escape(other.player.name) for other in match.people)
    bots = match.players - len(match.people)
    also = f" and {bots} bot{'s' if bots > 1 else ''}" if bots else ""
    return f"[bold]{names}[/bold]{also}"


@dataclass
class _WaitingRoom:
    """What the person sees while waiting, from one state of the ticket to the next."""

    console: Console
    client: Client
    _status: Status | None = None
    _ticker: asyncio.Task[None] | None = None
    _ticket: pb.Ticket = field(default_factory=pb.Ticket)
    _since: float = field(default_factory=time.monotonic)
    _answer: asyncio.Task[None] | None = None
    _asked: str = ""
    """The match that the person was asked about last."""

    def show(self, ticket: pb.Ticket) -> None:
        """Show a ticket as it is now."""
        before, self._ticket = self._ticket, ticket
        if ticket.status == pb.TICKET_STATUS_PARTY and before.status != ticket.status:
            self.console.print(
                f"The others of your party join with:  [bold]bgb play --join {ticket.join_code}[/bold]", soft_wrap=True
            )
        if ticket.status == pb.TICKET_STATUS_WAITING and before.status == pb.TICKET_STATUS_PROPOSED:
            self._end_status()
            self.console.print("The match fell through. You are first in line again.")
        if ticket.status == pb.TICKET_STATUS_WAITING and before.status == pb.TICKET_STATUS_PARTY:
            self._since = time.monotonic()
        if ticket.status == pb.TICKET_STATUS_PROPOSED and self._asked != ticket.match.id and self._must_accept():
            self._asked = ticket.match.id
            self._end_status()
            self._ask()
            return
        if ticket.status == pb.TICKET_STATUS_MATCHED:
            self._end_status()
            self.console.print(f"Found: {_company(ticket.match)} · table [bold]{ticket.match.table_id}[/bold]")
            return
        if not (ticket.status == pb.TICKET_STATUS_PROPOSED and self._must_accept()):
            self._tick()

    def close(self) -> None:
        """Nothing more is to be shown."""
        self._end_status()
        if self._ticker is not None:
            self._ticker.cancel()
            self._ticker = None

    def _must_accept(self) -> bool:
        own = (other for other in self._ticket.match.people if other.player.id == self.client.player.id)
        return any(not person.accepted for person in own)

    def _tick(self) -> None:
        if self._status is None:
            self._status = self.console.status(self._line())
            self._status.start()
        if self._ticker is None:
            self._ticker = asyncio.create_task(self._keep_ticking())
        self._status.update(self._line())

    async def _keep_ticking(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            if self._status is not None:
                self._status.update(self._line())

    def _end_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _line(self) -> str:
        ticket = self._ticket
        if ticket.status == pb.TICKET_STATUS_PARTY:
            return f"Waiting for your party: {len(ticket.party)} of {ticket.party_size} are here (Ctrl-C ends it)"
        if ticket.status == pb.TICKET_STATUS_PROPOSED:
            yes = sum(other.accepted for other in ticket.match.people)
            return f"A match is found: {yes} of {len(ticket.match.people)} have accepted"
        if ticket.status == pb.TICKET_STATUS_OPENING:
            return "A match is found: the table is being opened"
        parts = [f"Looking for players: {time.monotonic() - self._since:.0f} s"]
        others = ticket.waiting.players - len(ticket.party)
        parts.append(f"{others} other{'s' if others != 1 else ''} waiting" if others > 0 else "nobody else yet")
        if ticket.waiting.HasField("recent_wait"):
            parts.append(f"lately {ticket.waiting.recent_wait.ToMilliseconds() / 1000:.0f} s")
        return " · ".join(parts) + "  (Ctrl-C ends it)"

    def _ask(self) -> None:
        """Ask whether to accept. One question at a time reads what is typed: a newer match takes over the older's."""
        match = self._ticket.match
        seconds = match.accept_within.ToMilliseconds() / 1000
        self.console.print(f"A match for {match.players}: {_company(match)}.")
        self.console.print(f"[dim]Enter to accept within {seconds:.0f} s, n to decline[/dim] > ", end="")
        sys.stdout.flush()
        if self._answer is None:
            self._answer = asyncio.create_task(self._take_answer())

    async def _take_answer(self) -> None:
        line = await beside(sys.stdin.readline)
        self._answer = None
        decline = not line or line.strip().lower().startswith("n")
        try:
            await self.client.accept_match(self._ticket.id, self._asked, decline=decline)
        except Refused as refused:
            self.console.print(f"[dim]{escape(refused.message)}[/dim]")

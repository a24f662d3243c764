"""`bgb table ID`: one table, and what those who run the platform can do about it."""

from __future__ import annotations

import getpass
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.markup import escape

from boardgamesbot.cli import options
from boardgamesbot.cli.asking_store import ask
from boardgamesbot.cli.console import Console, printable
from boardgamesbot.cli.tables import Row, span, who
from boardgamesbot.players.registry import BOTS
from boardgamesbot.rules.archived import ArchivedTables
from boardgamesbot.rules.live import LiveTables, decode_table
from boardgamesbot.rules.opening import table_store, tables_in
from boardgamesbot.rules.operating import Operator
from boardgamesbot.runtime import errors, logs
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.audit import AuditTrail
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.store.overview import Overview
from boardgamesbot.store.secrets import shared_id_secret
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1.tables_pb2 import TableChangeKind, WatchResponse

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.rules.live import LiveTable
    from boardgamesbot.store.overview import Seen
    from boardgamesbot.store.tables import StoredEvent

T = TypeVar("T")

LAST = 10
"""So many of the last versions are told."""


@dataclass(frozen=True)
class Asked:
    """The table the command is about."""

    table_id: str
    settings: Settings


def acting(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of everything that changes a table."""
    for option in (
        click.option("--as", "acting_as", default=None, help="Who you are, for the audit trail.  [your name here]"),
        click.option("--reason", required=True, help="Why, for the audit trail; its players see it too."),
    ):
        command = option(command)
    return command


class OptionsAfterTable(click.Group):
    """A group whose own options may also come behind its argument and its commands, where one looks for them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-"):
            args = self._with_own_first(ctx, args)
        return super().parse_args(ctx, args)

    def _with_own_first(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The same words, the group's own options before all others; what follows another's option is its value."""
        own = _options(self.get_params(ctx))
        names = set(args) & set(self.commands)
        others = {name: option for word in names for name, option in _options(self.commands[word].params).items()}
        first: list[str] = []
        rest: list[str] = []
        at = 0
        while at < len(args) and args[at] != "--":
            name, has_value, _ = args[at].partition("=")
            option = own.get(name, others.get(name))
            words = 1 if option is None or option.is_flag or has_value else 2
            (first if name in own else rest).extend(args[at : at + words])
            at += words
        return [*first, *rest, *args[at:]]


def _options(params: Sequence[click.Parameter]) -> dict[str, click.Option]:
    """Options by the names they have."""
    return {name: param for param in params if isinstance(param, click.Option) for name in param.opts}


@click.group(cls=OptionsAfterTable, invoke_without_command=True)
@click.argument("table_id", metavar="TABLE")
@click.option("--board", is_flag=True, help="Show the board too, as a spectator sees it.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@options.redis_url
@options.data
@options.ruleset
@click.option(
    "--log-level",
    default="warning",
    show_default=True,
    help="With info, what is done here is logged to standard error too.",
)
@options.log_format
@click.pass_context
def table(context: click.Context, /, table_id: str, board: bool, as_json: bool, **given: Any) -> None:
    """Show a table, or do something about it. Nothing hidden is shown: no seed, no hands.

    \b
    bgb table TABLE                                   look at it
    bgb table TABLE wake --reason WHY                 wake the bot, or the clock, it waits for
    bgb table TABLE seat red bot greedy --reason WHY  give a seat to a bot
    bgb table TABLE end --reason WHY                  end it

    Seats go by their colours, as among players, or by the numbers that are shown behind them.

    What is done here is kept: `bgb audit` shows it.
    """
    settings = options.settings(**given)
    context.obj = Asked(table_id, settings)
    if context.invoked_subcommand is None:
        _show(context.obj, board, as_json)


def _show(asked: Asked, board: bool, as_json: bool) -> None:
    async def look(redis: Redis) -> tuple[Seen | None, list[StoredEvent], float, LiveTable | None]:
        store = TableStore(redis, asked.settings.slots)
        seen = await Overview(redis, asked.settings.slots).one(asked.table_id)
        after = max(0, seen.head.version - LAST) if seen else 0
        live = await LiveTables(store, ArchivedTables(None)).now(asked.table_id) if board and seen else None
        return seen, await store.events(asked.table_id, after), await StoreClock(redis).read_ms(), live

    try:
        seen, events, now_ms, live = ask(asked.settings, look)
    except errors.ApiError as error:
        raise click.ClickException(error.message) from None
    if seen is None:
        raise click.ClickException(f"there is no table {asked.table_id!r} in Redis")
    row = Row.of(seen, now_ms)
    if as_json:
        click.echo(json.dumps(row.__dict__, indent=1, ensure_ascii=False))
        return
    _say(f"{row.id}: {row.game}, {row.status}, version {row.version}, opened {span(row.age_s)} ago")
    for seat, name in enumerate(row.seats):
        turn = f"   ← to decide, for {span(row.quiet_s)}" if seat == row.turn else ""
        _say(f"  {row.named(seat)}: {name or 'free'}{turn}")
    if seen.woken is not None:
        since = span(max(0.0, now_ms - seen.woken.last_ms) / 1000)
        seated = row.named(seen.woken.seat)
        _say(f"  the bot {seen.woken.bot}, {seated}, was woken {since} ago, try {seen.woken.attempt}")
    _say("the last versions:")
    for event in events:
        _say(f"  {event.version:>5}  {span(max(0.0, now_ms - event.time_ms) / 1000):>8} ago  {_told(event, row)}")
    if live is not None and live.state is not None:
        names = [escape(seat.player.name) for seat in live.table.seats]
        Console(highlight=False).print(live.game.words.board(live.state.view(None), names), soft_wrap=True)


def _say(words: str) -> None:
    """Names and reasons are other people's: they can't command the terminal."""
    click.echo(printable(words))


def _told(event: StoredEvent, row: Row) -> str:
    """What happened, without what the move was: that may be hidden."""
    response = WatchResponse.FromString(event.event)
    if response.HasField("move_played"):
        stood_in = ", a bot for the one who is away" if response.move_played.stood_in else ""
        return f"{row.named(response.move_played.seat)} decided{stood_in}"
    if response.HasField("move_undone"):
        undone = response.move_undone
        return f"{row.named(undone.seat)} took back, to version {undone.restored_version}"
    change = response.table_change
    words = TableChangeKind.Name(change.kind).removeprefix("TABLE_CHANGE_KIND_").lower().replace("_", " ")
    about = [row.named(change.seat)] if change.HasField("seat") else []
    about += [text for text in (change.player.name, change.reason) if text]
    return ": ".join((words, ", ".join(about))) if about else words


@table.command()
@acting
@click.pass_obj
def end(asked: Asked, reason: str, acting_as: str | None) -> None:
    """End the table: nobody wins, nothing counts for ratings, and the players are told why."""
    live = _act(asked, acting_as, lambda operator: operator.end(asked.table_id, reason))
    click.echo(f"Ended at version {live.version}.")


@table.command()
@acting
@click.pass_obj
def wake(asked: Asked, reason: str, acting_as: str | None) -> None:
    """Wake the bot the table waits for, or have the clock of the person looked at. Harmless where nothing is wrong."""
    woken = _act(asked, acting_as, lambda operator: operator.wake(asked.table_id, reason))
    click.echo(
        {
            "bot": "The bot's turn has been given out again.",
            "clock": "The clock is looked at; if the time is up, what it says is done.",
        }.get(woken, "There is nobody to wake: it is a person's turn, and there is no clock.")
    )


@table.command()
@click.argument("named", metavar="SEAT")
@click.argument("word", type=click.Choice(["bot"]), metavar="bot", expose_value=False)
@click.argument("bot_id", type=click.Choice([bot.id for bot in BOTS.values() if not bot.by_rule]), metavar="BOT")
@acting
@click.pass_obj
def seat(asked: Asked, named: str, bot_id: str, reason: str, acting_as: str | None) -> None:
    """Give SEAT to BOT, as in `seat red bot greedy`. A number will do as well; the first seat is 0.

    In a game, the person whose it was may take it again.
    """
    number = _number(asked, named)
    live = _act(asked, acting_as, lambda operator: operator.seat_bot(asked.table_id, number, BOTS[bot_id], reason))
    if live is None:
        _say(f"Seat {named} is {BOTS[bot_id].name}'s already: nothing was done. If the bot is stuck, `wake` it.")
    else:
        given = live.table.seats[number]
        _say(f"{given.colour} ({number}): {who(given)}; version {live.version}.")


def _number(asked: Asked, named: str) -> int:
    """The number of a seat that is named by it or by its colour."""
    if named.isdecimal():
        return int(named)
    seen = ask(asked.settings, lambda redis: Overview(redis, asked.settings.slots).one(asked.table_id))
    if seen is None:
        raise click.ClickException(f"there is no table {asked.table_id!r} in Redis")
    colours = [seat.colour.lower() for seat in decode_table(seen.head).seats]
    if named.lower() not in colours:
        seats = ", ".join(f"{colour} ({number})" for number, colour in enumerate(colours))
        raise click.BadParameter(f"there is no seat {named!r}: there is {seats}", param_hint="SEAT")
    return colours.index(named.lower())


def _act(asked: Asked, acting_as: str | None, act: Callable[[Operator], Awaitable[T]]) -> T:
    async def acted(redis: Redis) -> T:
        settings = asked.settings
        tables = tables_in(table_store(redis, settings), redis, settings, await shared_id_secret(redis))
        overview, trail = Overview(redis, settings.slots), AuditTrail(redis)
        return await act(Operator(acting_as or getpass.getuser(), tables, overview, trail, settings))

    logs.configure(asked.settings, "table")
    try:
        return ask(asked.settings, acted)
    except errors.ApiError as error:
        raise click.ClickException(error.message) from None

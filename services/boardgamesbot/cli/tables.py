"""`bgb tables`: the live tables, for those who run the platform."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table as Grid

from boardgamesbot.cli import options
from boardgamesbot.cli.asking_store import ask
from boardgamesbot.cli.columns import Column, table
from boardgamesbot.cli.console import Console
from boardgamesbot.games import registry
from boardgamesbot.rules.live import decode_table
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.store.overview import Overview, Seen
from boardgamesbot.v1 import tables_pb2
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT

if TYPE_CHECKING:
    from redis.asyncio import Redis

LARGEST_SAMPLE = 500
"""Of so many tables of a kind the memory is measured."""

COLUMNS = (
    Column("table"),
    Column("game"),
    Column("status", drop=1),
    Column("version", drop=3, right=True),
    Column("turn", drop=2),
    Column("quiet", right=True),
    Column("age", right=True),
    Column("players", least=32),
)


@dataclass(frozen=True)
class Row:
    """A table as the operator sees it: nothing hidden, nothing of the game but whose turn it is."""

    id: str
    game: str
    status: str
    version: int
    seats: list[str]
    """Who sits where, "" where nobody does."""
    colours: list[str]
    """What the seats go by among players."""
    turn: int | None
    """The seat whose decision it is."""
    turn_is_bots: bool
    quiet_s: float
    """For how long nothing has happened."""
    age_s: float
    attempt: int
    """How often the bot whose turn it is has been woken; 0 where it is a person's."""

    @classmethod
    def of(cls, seen: Seen, now_ms: float) -> Row:
        """What is to be said of a table."""
        table = decode_table(seen.head)
        is_on = table.status == tables_pb2.TABLE_STATUS_PLAYING
        turn = table.summary.actor if is_on and table.summary.HasField("actor") else None
        return cls(
            id=table.id,
            game=table.game_id,
            status=status_word(table),
            version=table.version,
            seats=[who(seat) for seat in table.seats],
            colours=[seat.colour for seat in table.seats],
            turn=turn,
            turn_is_bots=turn is not None and table.seats[turn].player.kind == PLAYER_KIND_BOT,
            quiet_s=max(0.0, now_ms - seen.changed_ms) / 1000,
            age_s=max(0.0, now_ms - seen.head.created_ms) / 1000,
            attempt=seen.woken.attempt if seen.woken else 0,
        )

    def named(self, seat: int) -> str:
        """A seat by its colour, as players know it, and its number, as programs do."""
        return f"{self.colours[seat]} ({seat})"

    def is_stuck(self, seconds: float) -> bool:
        """Whether somebody has had the turn for so long."""
        return self.turn is not None and self.quiet_s >= seconds


@click.command()
@click.option(
    "--stuck", type=click.FloatRange(min=0), default=None, metavar="SECONDS",
    help="Only games in which nobody has decided anything for so long.",
)  # fmt: skip
@click.option("--game", "game_id", type=click.Choice(list(registry.GAMES)), default=None, help="Only this game's.")
@click.option("--memory", is_flag=True, help="Instead: how much memory a table takes in Redis, by game and status.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@options.redis_url
@options.data
def tables(stuck: float | None, game_id: str | None, memory: bool, as_json: bool, **given: Any) -> None:
    """List the live tables, those with the longest silence first; whose turn it is (▶), and for how long it is quiet.

    A seat is named by its colour, as players do, with its number behind it, as programs do. A narrow terminal has no
    room for everything: status, turn and version are in a wider one, and in --json.
    `bgb table ID` shows one and what can be done about it; `bgb queues` shows what waits for the bots.
    """
    settings = options.settings(**given)
    games = [game_id] if game_id else list(registry.GAMES)
    if memory:
        _say_memory(ask(settings, lambda redis: _measure(redis, settings, games)), as_json)
        return
    rows = ask(settings, lambda redis: _rows(redis, settings, games))
    if stuck is not None:
        rows = [row for row in rows if row.is_stuck(stuck)]
    if as_json:
        click.echo(json.dumps([row.__dict__ for row in rows], indent=1, ensure_ascii=False))
        return
    if not rows:
        click.echo("No table is live." if stuck is None else "No table is stuck.")
        return
    console = Console(highlight=False)
    console.print(table(COLUMNS, [_cells(row) for row in rows], console.width))
    click.echo(f"{len(rows)} table{'s' if len(rows) != 1 else ''}", err=True)


def _cells(row: Row) -> tuple[str, ...]:
    """What stands in COLUMNS."""
    turn = "" if row.turn is None else row.named(row.turn)
    names = [name or "–" for name in row.seats]
    if row.turn is not None:
        names[row.turn] = f"▶{names[row.turn]}" + (f" (woken {row.attempt} times)" if row.attempt > 1 else "")
    return row.id, row.game, row.status, str(row.version), turn, span(row.quiet_s), span(row.age_s), ", ".join(names)


async def _rows(redis: Redis, settings: Settings, games: Sequence[str]) -> list[Row]:
    now_ms = await StoreClock(redis).read_ms()
    rows = [Row.of(seen, now_ms) async for seen in Overview(redis, settings.slots).live(games)]
    return sorted(rows, key=lambda row: -row.quiet_s)


async def _measure(redis: Redis, settings: Settings, games: Sequence[str]) -> list[dict[str, Any]]:
    overview = Overview(redis, settings.slots)
    kinds: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for found in (overview.live(games), overview.finished()):
        async for seen in found:
            table = decode_table(seen.head)
            kind = (table.game_id, status_word(table))
            if table.game_id in games:
                counts[kind] += 1
                if len(kinds[kind]) < LARGEST_SAMPLE:
                    kinds[kind].append((table.id, table.version))
    told = []
    for (game, status), sample in sorted(kinds.items()):
        sizes = await overview.memory([table_id for table_id, _ in sample])
        told.append(
            {
                "game": game,
                "status": status,
                "tables": counts[game, status],
                "measured": len(sample),
                "versions": round(mean(version for _, version in sample)),
                "bytes_mean": round(mean(sizes)),
                "bytes_most": max(sizes),
            }
        )
    return told


def _say_memory(told: Sequence[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(told, indent=1))
        return
    grid = Grid("game", "status", "tables", "measured", "versions, mean", "KiB, mean", "KiB, most", box=None)
    for column in grid.columns[2:]:
        column.justify = "right"
    for kind in told:
        numbers = (kind["tables"], kind["measured"], kind["versions"])
        sizes = (f"{kind[name] / 1024:.1f}" for name in ("bytes_mean", "bytes_most"))
        grid.add_row(kind["game"], kind["status"], *map(str, numbers), *sizes)
    Console(highlight=False).print(grid)


def status_word(table: tables_pb2.Table) -> str:
    """`open`, `playing`, `finished` or `closed`."""
    return tables_pb2.TableStatus.Name(table.status).removeprefix("TABLE_STATUS_").lower()


def who(seat: tables_pb2.Seat) -> str:
    """Who has a seat, in words, a bot with what it is; "" where nobody does."""
    if not seat.HasField("player"):
        return ""
    name = seat.player.name
    if seat.player.kind == PLAYER_KIND_BOT:
        name = f"{name} [{seat.player.bot}]"
    for person, what in ((seat.away, "away"), (seat.resigned, "resigned")):
        if person.name:
            name += f" for {person.name}, {what}"
    return name


def span(seconds: float) -> str:
    """A time in the unit that suits it: `12 s`, `3.5 min`, `2.1 h`, `4.0 d`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    for size, unit in ((60, "min"), (3600, "h")):
        if seconds < 100 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds / 86_400:.1f} d"

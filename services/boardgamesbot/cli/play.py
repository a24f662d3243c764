"""`bgb play`: a game in the terminal."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import grpc
from rich.markup import escape

from boardgamesbot.cli import options
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.explaining import explained, reach
from boardgamesbot.cli.finding import Search, find, search_meant, search_options
from boardgamesbot.cli.following import follow
from boardgamesbot.cli.lookout import looking_out
from boardgamesbot.cli.picking import Leave
from boardgamesbot.cli.records import save_record
from boardgamesbot.cli.seating import HUMAN, ME, USUAL, check_bots, seating
from boardgamesbot.cli.terminal import Terminal
from boardgamesbot.cli.timing import clock_meant, clock_options
from boardgamesbot.client import Client, Refused, Wishes
from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.v1 import tables_pb2


@click.command()
@click.argument("game_id", metavar="GAME", type=click.Choice(list(registry.GAMES)), required=False)
@click.option(
    "--seats",
    default=None,
    help="Who sits where, in order: me, open (for a friend), or a bot (bgb bots list): me,greedy,greedy.",
)
@click.option("--table", "table_id", default=None, help="Join, or come back to, the table with this id.")
@click.option(
    "--room",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[CODE]",
    help="With GAME: open a table that friends join by a short code. With a CODE: join that one.",
)
@click.option(
    "--hints", is_flag=True, help="With GAME: open a table at which a bot says what it would play; it is not rated."
)
@clock_options
@click.option("--name", default=None, help="Your name at the table.  [$USER]")
@search_options
@options.game_options
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), default=None, help="Write the record here at the end."
)
@options.rules_address
@options.bots_address
@options.matchmaking_address
@options.data
@options.ruleset
def play(
    game_id: str | None,
    seats: str | None,
    table_id: str | None,
    room: str | None,
    hints: bool,
    clock: tables_pb2.Clock | None,
    at_zero: str | None,
    name: str | None,
    given_options: Sequence[tuple[str, str]],
    save: Path | None,
    rules_address: str | None,
    bots_address: str | None,
    matchmaking_address: str | None,
    ruleset: str | None,
    **searched: Any,
) -> None:
    """Play GAME against bots or people: opens a table, joins one with --table, or finds others with --find.

    \b
    bgb play agora --seats me,greedy,greedy,greedy
    bgb play agora --seats me,open,greedy      then a friend: bgb play --table ID
    bgb play agora --room                      friends join by the code it says: bgb play --room CODE
    bgb play agora --room --clock 10m+5s       ten minutes each for the game, and five seconds a turn
    bgb play agora --find --bots-after 20      with whoever looks for a game too
    bgb play barcelona --solo                  alone, against Gaudí

    You pick moves by number. Moves against the rules are shown dimmed: pick one to read why. Also: b (back),
    u (take your last choice back), h (a hint, where the result does not count: --hints, or alone), m (the map again),
    w and n (the whole board, more choices: where the terminal is small), r (rules; r AG-P3.2: one), q (leave; the
    table waits).
    """
    search = search_meant(**searched)
    if game_id is not None and table_id is not None:
        raise click.UsageError("name a game, or a table to join with --table, not both: the table knows its game")
    joins = table_id is not None or bool(room) or (search is not None and bool(search.join))
    if (game_id is None) != joins:
        raise click.UsageError(
            "name a game (bgb play agora), or a table (--table ID), room (--room CODE) or party (--join CODE) to join"
        )
    if joins and (seats is not None or given_options or clock is not None or hints):
        raise click.UsageError(
            "seats, options, the clock and hints are chosen by whoever opens a table or makes a party"
        )
    if room is not None and (table_id is not None or search is not None):
        raise click.UsageError("--room is neither for --table nor for --find")
    if search is not None and clock is not None:
        raise click.UsageError("--clock is for a table you open, not for --find")
    if search is not None and hints:
        raise click.UsageError("--hints is for a table you open, not for --find")
    opening = Opening(seats, given_options, clock_meant(clock, at_zero), with_code=room == "", hints=hints)
    if search is not None and (seats is not None or table_id is not None):
        raise click.UsageError("--find is neither for --seats nor for --table: others are found, and a table with them")
    if save is not None and not os.access(save.parent, os.W_OK):
        raise click.ClickException(f"--save: cannot write into {save.parent}")
    settings = options.settings(
        rules_address=rules_address,
        bots_address=bots_address,
        matchmaking_address=matchmaking_address,
        ruleset=ruleset,
    )
    console = Console(highlight=False)
    terminal = Terminal(console)
    try:
        asyncio.run(
            _play(
                terminal,
                settings,
                game_id,
                opening,
                table_id,
                room,
                search,
                name,
                save,
            )
        )
    except Refused as error:
        raise click.ClickException(explained(error)) from None
    except Malformed as error:
        raise click.ClickException(str(error)) from None
    except (Leave, KeyboardInterrupt):
        console.print()
        if terminal.table_id:
            console.print(f"You left. The table waits for you:  [bold]bgb play --table {terminal.table_id}[/bold]")


@dataclass(frozen=True)
class Opening:
    """How a table is to be opened."""

    seats: str | None
    options: Sequence[tuple[str, str]]
    clock: tables_pb2.Clock | None
    with_code: bool
    """Whether it is a room: friends come by its code, others don't see it."""
    hints: bool = False
    """Whether people may ask for hints; then it is not rated."""


async def _play(
    terminal: Terminal,
    settings: Settings,
    game_id: str | None,
    opening: Opening,
    table_id: str | None,
    room: str | None,
    search: Search | None,
    name: str | None,
    save: Path | None,
) -> None:
    rules = settings.rules_address
    async with Client(rules, bots=settings.bots_address, matchmaking=settings.matchmaking_address) as client:
        await reach(rules)
        await _sign_in(client, rules, name)
        seen = 0
        if room:
            table_id = (await client.table_by_code(room)).id
        if search is not None:
            await reach(settings.matchmaking_address, "--matchmaking-address")
            table_id = await _find_table(terminal, client, game_id, search, opening.options)
        elif table_id is None:
            assert game_id is not None
            await reach(settings.bots_address, "--bots-address")
            await _take_ruleset(client, game_id)
            table_id = await _open_table(terminal, client, game_id, opening)
        else:
            await _take_ruleset(client, (await client.table(table_id)).game_id)
            seen = await _come_to_table(terminal, client, table_id)
        terminal.table_id = table_id
        tell = partial(terminal.tell_platform, rules)
        async with looking_out(rules, tell, lambda: not terminal.is_asking):
            await follow(terminal, client, table_id, seen)
        if save is not None:
            save_record(await client.record(table_id), save)
            terminal.console.print(f"The record is in {save}; check it with  bgb replay {save} --verify")


async def _take_ruleset(client: Client, game_id: str) -> None:
    """Play with the figures that the server plays with; ones that were asked for must be the same."""
    book = await client.rulebook(game_id)
    here, there = registry.CODECS.ruleset(game_id).hash, book.game.ruleset_hash
    if here == there:
        return
    if game_id in registry.CODECS.replaced:
        raise click.ClickException(
            f"the server plays {game_id} with ruleset {there[:12]}, --ruleset names {here[:12]}: "
            "start the server with that one, or leave --ruleset out to play with the server's"
        )
    registry.use(game_id, book.ruleset_json)


async def _sign_in(client: Client, server: str, name: str | None) -> None:
    """Be the guest one was last time at this server, so that one can come back to a table; else a new one."""
    guests = _Guests(server)
    client.token = guests.token(name)
    if client.token:
        try:
            player = await client.me()
            guests.keep(player.name, client.token)
            return
        except Refused:
            pass
    client.token = ""
    try:
        await client.sign_in(name or os.environ.get("USER", "")[:32])
    except Refused as refused:
        if name or refused.code != grpc.StatusCode.INVALID_ARGUMENT:
            raise
        await client.sign_in()  # what one is called on this machine, one can't be called there
    guests.keep(client.player.name, client.token)


class _Guests:
    """The guest tokens this person has, by server, in a file of theirs."""

    def __init__(self, server: str) -> None:
        base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
        self._path = Path(base) / "boardgamesbot" / "guests.json"
        self._server = server

    def _read(self) -> dict[str, str]:
        try:
            kept = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def token(self, name: str | None) -> str:
        """The token of the guest of that name; without a name, of the last one."""
        return self._read().get(self._server if name is None else f"{self._server} {name}", "")

    def keep(self, name: str, token: str) -> None:
        """Keep the token if the folder can be written; without it, one can't come back."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            self._path.write_text(json.dumps({**self._read(), self._server: token, f"{self._server} {name}": token}))
        except OSError:
            return


async def _open_table(terminal: Terminal, client: Client, game_id: str, opening: Opening) -> str:
    game, codec = registry.game(game_id), registry.codec(game_id)
    complete = game.complete_options(dict(opening.options))
    usual = HUMAN if opening.with_code else USUAL
    chosen, wanted = seating(game, complete, opening.seats, usual), game.bots_wanted(complete)
    check_bots(chosen, wanted.values(), await client.list_bots(game_id))
    table = await client.create_table(
        game_id,
        len(chosen),
        codec.options_to(complete),
        tables_pb2.TABLE_VISIBILITY_UNLISTED if opening.with_code else tables_pb2.TABLE_VISIBILITY_PUBLIC,
        unrated=opening.hints,
        clock=opening.clock,
        with_code=opening.with_code,
    )
    terminal.table_id = table.id
    await client.take_seat(table.id, chosen.index(ME))
    for number, seat in enumerate(chosen):
        if seat not in (ME, HUMAN) and number not in wanted:
            await client.seat_bot(table.id, seat, number)
    terminal.console.print(f"Table [bold]{table.id}[/bold] · {escape(game.name)}")
    if HUMAN in chosen:
        way = f"--room {table.code}" if table.code else f"--table {table.id}"
        terminal.console.print(f"Waiting for others. They join with:  [bold]bgb play {way}[/bold]", soft_wrap=True)
    else:
        await client.start(table.id)
    terminal.sit(await client.table(table.id), client.player.id)
    return table.id


async def _find_table(
    terminal: Terminal,
    client: Client,
    game_id: str | None,
    search: Search,
    given_options: Sequence[tuple[str, str]],
) -> str:
    """Look for others, and give the table that is opened for them and us."""
    wishes = Wishes()
    if game_id is not None:
        await _take_ruleset(client, game_id)
        wishes = search.wishes(registry.codec(game_id), registry.game(game_id).complete_options(dict(given_options)))
    table_id = await find(terminal.console, client, game_id or "", search, wishes)
    if game_id is None:
        await _take_ruleset(client, (await client.table(table_id)).game_id)
    return table_id


async def _come_to_table(terminal: Terminal, client: Client, table_id: str) -> int:
    """Take a seat, or one's own again; gives the version from which on there is something new to be told."""
    seated = client.player.id in {seat.player.id for seat in (await client.table(table_id)).seats}
    if not seated:
        await client.take_seat(table_id)
    table = await client.table(table_id)
    terminal.sit(table, client.player.id)
    return table.version - 1 if seated else 0

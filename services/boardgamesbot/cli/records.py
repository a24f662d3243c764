"""`bgb record` and `bgb replay`: games kept in files."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import click
from google.protobuf import json_format
from google.protobuf.message import DecodeError
from rich.markup import escape

from boardgamesbot.cli import options
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.explaining import explained, reach
from boardgamesbot.cli.hanging import hanging
from boardgamesbot.client import Client, Refused
from boardgamesbot.games.base import Malformed
from boardgamesbot.games.proto import UNREADABLE_JSON
from boardgamesbot.games.record import Record, steps, verify
from boardgamesbot.games.record_proto import record_from
from boardgamesbot.v1 import games_pb2


def save_record(record: games_pb2.GameRecord, path: Path) -> None:
    """Write a record as JSON, as the contract maps it."""
    path.write_text(_document(record), encoding="utf-8")


def _document(record: games_pb2.GameRecord) -> str:
    return json_format.MessageToJson(record, indent=1) + "\n"


def load_record(path: Path) -> games_pb2.GameRecord:
    """Read a record: JSON, by itself or as it is archived, or the bytes of the message.

    Ends the program with a clear message if it is neither.
    """
    data = path.read_bytes()
    record = games_pb2.GameRecord()
    try:
        if data.lstrip()[:1] == b"{":
            document = json.loads(data)
            json_format.ParseDict(document.get("record", document), record)  # it begins with a brace: a dict
        else:
            record.ParseFromString(data)
    except (*UNREADABLE_JSON, DecodeError) as error:
        raise click.ClickException(f"{path} is not a record: {error}") from None
    return record


@click.command()
@click.argument("table_id", metavar="TABLE")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=None,
    help="Where to write it; - is the standard output.  [-; at a terminal TABLE.json]",
)
@options.rules_address
@options.data
def record(table_id: str, out: Path | None, rules_address: str | None) -> None:
    """Fetch the record of the finished game at TABLE, seed and all.

    \b
    bgb record TABLE                 writes TABLE.json
    bgb record TABLE > game.json     writes the record, and nothing else, where you say
    """

    async def fetch() -> games_pb2.GameRecord:
        address = options.settings(rules_address=rules_address).rules_address
        async with Client(address) as client:
            await reach(address)
            await client.sign_in()
            return await client.record(table_id)

    try:
        fetched = asyncio.run(fetch())
    except Refused as error:
        raise click.ClickException(explained(error)) from None
    moves = f"{len(fetched.moves)} moves"
    if str(out) == "-" or (out is None and not sys.stdout.isatty()):
        click.echo(_document(fetched), nl=False)
        click.echo(moves, err=True)
        return
    out = out or Path(f"{table_id}.json")
    save_record(fetched, out)
    click.echo(f"{moves} written to {out}", err=True)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--verify", "only_verify", is_flag=True, help="Only check it: seed, every move, result. Exit status 1 on a fault."
)
@click.option("--boards", is_flag=True, help="Show the board after every move, not only at the end.")
@options.ruleset
def replay(file: Path, only_verify: bool, boards: bool, ruleset: str | None) -> None:
    """Show the game in FILE move by move, or verify it."""
    options.settings(ruleset=ruleset)
    try:
        game = record_from(load_record(file))
    except Malformed as error:
        raise click.ClickException(f"{file}: {error}") from None
    verdict = verify(game)
    console = Console(highlight=False)
    if not only_verify and verdict.state is not None:
        _show(console, game, verdict.moves, boards)
    if verdict.fault is not None:
        console.print(f"[red]Faulty[/red] at {escape(verdict.fault.field)}: {escape(verdict.fault.reason)}")
        if verdict.fault.field == "ruleset_hash":
            console.print("Name the ruleset it was played with:  bgb replay --ruleset FILE …", markup=False)
        sys.exit(1)
    state = "over" if verdict.state is not None and verdict.state.is_over else "not over yet"
    console.print(f"[green]Sound[/green]: {verdict.moves} moves replayed from the committed seed; the game is {state}.")


def _show(console: Console, game: Record, moves: int, boards: bool) -> None:
    colours, words = game.game.seat_colours, game.game.words
    plain = [escape("".join(c for c in player.name if c.isprintable())) for player in game.players]
    names = [f"{name} ({colours[seat]})" for seat, name in enumerate(plain)]
    last = None
    for number, step in enumerate(steps(game)):
        if number > moves:
            break
        events = [event.won_by(step.state.winners(game.eligible)) for event in step.events]
        for line in words.account(events, names):
            console.print(hanging(console, line, f"{number:>4}  "))
        if boards and step.state.undoable is False and step.move is not None:
            console.print(words.board(step.state.view(None), plain), soft_wrap=True)
        last = step.state
    if last is not None:
        console.print()
        console.print(words.board(last.view(None), plain), soft_wrap=True)
        console.print()

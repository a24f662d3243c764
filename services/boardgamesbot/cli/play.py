"""`bgb play`: a game in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import grpc
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from boardgamesbot.cli import options
from boardgamesbot.cli.picking import Leave, Picker
from boardgamesbot.cli.records import save_record
from boardgamesbot.cli.seating import HUMAN, ME, check_bots, seating
from boardgamesbot.client import Client, Refused
from boardgamesbot.games import registry
from boardgamesbot.games.base import Game, Malformed, Move, View
from boardgamesbot.games.proto import Codec
from boardgamesbot.v1 import tables_pb2

REACH_SECONDS = 3.0
_ENDED = (tables_pb2.TABLE_STATUS_FINISHED, tables_pb2.TABLE_STATUS_CLOSED)


@click.command()
@click.argument("game_id", metavar="GAME", type=click.Choice(list(registry.GAMES)), required=False)
@click.option(
    "--seats", default=None, help="Who sits where, in order: me, open (for a friend), or a bot: me,greedy,greedy."
)
@click.option("--table", "table_id", default=None, help="Join, or come back to, the table with this id.")
@click.option("--name", default=None, help="Your name at the table.  [$USER]")
@options.game_options
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), default=None, help="Write the record here at the end."
)
@options.rules_address
@options.bots_address
@options.ruleset
def play(
    game_id: str | None,
    seats: str | None,
    table_id: str | None,
    name: str | None,
    given_options: Sequence[tuple[str, str]],
    save: Path | None,
    rules_address: str | None,
    bots_address: str | None,
    ruleset: str | None,
) -> None:
    """Play GAME against bots or people: opens a table, or joins one with --table.

    \b
    bgb play agora --seats me,greedy,greedy,greedy
    bgb play agora --seats me,open,greedy      then a friend: bgb play --table ID
    bgb play barcelona --solo                  alone, against Gaudí

    You pick moves by number. Moves against the rules are shown dimmed: pick one to read why. Also: b (back),
    u (take your last choice back), m (the map again), r (rules), q (leave; the table waits).
    """
    if game_id is not None and table_id is not None:
        raise click.UsageError("name a game, or a table to join with --table, not both: the table knows its game")
    if game_id is None and table_id is None:
        raise click.UsageError("name a game (bgb play agora), or a table to join (--table ID)")
    if table_id is not None and (seats is not None or given_options):
        raise click.UsageError("seats and options of the game are chosen when a table is opened, not with --table")
    if save is not None and not os.access(save.parent, os.W_OK):
        raise click.ClickException(f"--save: cannot write into {save.parent}")
    settings = options.settings(rules_address=rules_address, bots_address=bots_address, ruleset=ruleset)
    console = Console(highlight=False)
    terminal = Terminal(console)
    try:
        asyncio.run(
            _play(
                terminal,
                settings.rules_address,
                settings.bots_address,
                game_id,
                seats,
                table_id,
                name,
                given_options,
                save,
            )
        )
    except Refused as error:
        raise click.ClickException(_explained(error)) from None
    except Malformed as error:
        raise click.ClickException(str(error)) from None
    except (Leave, KeyboardInterrupt):
        console.print()
        if terminal.table_id:
            console.print(f"You left. The table waits for you:  [bold]bgb play --table {terminal.table_id}[/bold]")


def _explained(error: Refused) -> str:
    if error.code == grpc.StatusCode.UNAVAILABLE:
        return f"the server does not answer ({error.message}). Is `bgb serve` running?"
    return error.message


async def _play(
    terminal: Terminal,
    rules: str,
    bots: str,
    game_id: str | None,
    seats: str | None,
    table_id: str | None,
    name: str | None,
    given_options: Sequence[tuple[str, str]],
    save: Path | None,
) -> None:
    async with Client(rules, bots=bots) as client:
        await _reach(rules)
        await _sign_in(client, rules, name)
        await _take_ruleset(client, game_id or (await client.table(table_id or "")).game_id)
        if table_id is None:
            assert game_id is not None
            table_id = await _open_table(terminal, client, game_id, seats, given_options)
            seen = 0
        else:
            seen = await _come_to_table(terminal, client, table_id)
        terminal.table_id = table_id
        await _follow(terminal, client, table_id, seen)
        if save is not None:
            save_record(await client.record(table_id), save)
            terminal.console.print(f"The record is in {save}; check it with  bgb replay {save} --verify")


async def _reach(address: str) -> None:
    """Raise a clear error when nothing listens there."""
    async with grpc.aio.insecure_channel(address) as channel:
        try:
            await asyncio.wait_for(channel.channel_ready(), REACH_SECONDS)
        except TimeoutError:
            raise click.ClickException(
                f"there is no server at {address}. Start one in another terminal with `bgb serve`, "
                "or name another with --rules-address"
            ) from None


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
    await client.sign_in(name or os.environ.get("USER", "")[:32])
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


async def _open_table(
    terminal: Terminal, client: Client, game_id: str, seats: str | None, given_options: Sequence[tuple[str, str]]
) -> str:
    game, codec = registry.game(game_id), registry.codec(game_id)
    complete = game.complete_options(dict(given_options))
    chosen, wanted = seating(game, complete, seats), game.bots_wanted(complete)
    check_bots(chosen, wanted.values(), await client.list_bots(game_id))
    table = await client.create_table(game_id, len(chosen), codec.options_to(complete))
    terminal.table_id = table.id
    await client.take_seat(table.id, chosen.index(ME))
    for number, seat in enumerate(chosen):
        if seat not in (ME, HUMAN) and number not in wanted:
            await client.seat_bot(table.id, seat, number)
    terminal.console.print(f"Table [bold]{table.id}[/bold] · {escape(game.name)}")
    if HUMAN in chosen:
        terminal.console.print(f"Waiting for others. They join with:  [bold]bgb play --table {table.id}[/bold]")
    else:
        await client.start(table.id)
    terminal.sit(await client.table(table.id), client.player.id)
    return table.id


async def _come_to_table(terminal: Terminal, client: Client, table_id: str) -> int:
    """Take a seat, or one's own again; gives the version from which on there is something new to be told."""
    seated = client.player.id in {seat.player.id for seat in (await client.table(table_id)).seats}
    if not seated:
        await client.take_seat(table_id)
    table = await client.table(table_id)
    terminal.sit(table, client.player.id)
    return table.version - 1 if seated else 0


async def _follow(terminal: Terminal, client: Client, table_id: str, seen: int) -> None:
    """Show what happens and ask for moves, until the table has ended."""
    own_turn = False
    async for response in client.watch(table_id, seen):
        if response.HasField("table"):
            terminal.sit(response.table, client.player.id)
        terminal.tell(response)
        table = terminal.table
        if table.status == tables_pb2.TABLE_STATUS_OPEN and response.HasField("table"):
            everybody = all(seat.HasField("player") for seat in table.seats)
            if everybody and table.host == client.player.id:
                await _start(client, table_id)
            continue
        if response.HasField("view") and table.status == tables_pb2.TABLE_STATUS_PLAYING:
            view = terminal.codec.view_from(response.view)
            terminal.view = view
            if view.actor is not None and view.actor == view.seat:
                terminal.show(view, glance=own_turn)
                await _take_turn(terminal, client, table_id, response.version, view)
                own_turn = True
            else:
                own_turn = False
        if table.status in _ENDED and response.HasField("table"):
            terminal.finish(response)


async def _start(client: Client, table_id: str) -> None:
    """Begin the game, unless somebody stood up again or it has begun."""
    try:
        await client.start(table_id)
    except Refused as error:
        if error.reason not in ("SEATS_EMPTY", "WRONG_STATUS"):
            raise


async def _beside(ask: Callable[[View], Move | None], view: View) -> Move | None:
    """The answer to a question asked in a thread that does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Move | None] = loop.create_future()

    def settle(move: Move | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(move)

    def run() -> None:
        move: Move | None = None
        failed: BaseException | None = None
        try:
            move = ask(view)
        except BaseException as error:
            failed = error
        with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits any more
            loop.call_soon_threadsafe(settle, move, failed)

    threading.Thread(target=run, daemon=True).start()
    return await answer


async def _take_turn(terminal: Terminal, client: Client, table_id: str, version: int, view: View) -> None:
    """Ask until a move stands, or the last one is taken back."""
    assert view.seat is not None
    while True:
        move = await _beside(terminal.ask, view)
        try:
            if move is None:
                await client.undo(table_id, view.seat, version)
                terminal.console.print("Taken back.")
                return
            await client.submit(table_id, view.seat, version, terminal.codec.move_to(move))
        except Refused as error:
            if error.reason == "STALE_VERSION":
                return
            terminal.refuse(error)
            continue
        return


class Terminal(Picker):
    """What the person sees and types."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self.table_id = ""
        self.table = tables_pb2.Table()
        self.view: View | None = None
        self._names: list[str] = []
        self._glanced = ""
        """What was shown last: it is not shown again."""

    @property
    def game(self) -> Game:
        return registry.game(self.table.game_id)

    @property
    def codec(self) -> Codec:
        return registry.codec(self.table.game_id)

    def sit(self, table: tables_pb2.Table, me: str) -> None:
        """Take note of who sits where."""
        self.table = table
        self._names = []
        for seat in table.seats:
            name = escape(seat.player.name) if seat.HasField("player") else "nobody yet"
            self._names.append("You" if seat.player.id == me else f"{name} ({seat.colour})")

    def tell(self, response: tables_pb2.WatchResponse) -> None:
        """Say in words what happened."""
        change = response.WhichOneof("change")
        if change == "move_played":
            events = response.move_played.events
        elif change == "table_change":
            self._tell_change(response.table_change)
            events = response.table_change.events
        else:
            who = self._name(response.move_undone.seat)
            self.console.print(f"  [dim]{who} took the move back[/dim]")
            return
        for line in self.game.words.account([self.codec.event_from(event) for event in events], self._names):
            indent = 2 + len(line) - len(line.lstrip())
            self.console.print(Padding(line.lstrip(), (0, 0, 0, indent), expand=False))

    def _name(self, seat: int) -> str:
        return self._names[seat] if seat < len(self._names) else f"seat {seat}"

    def _tell_change(self, change: tables_pb2.TableChange) -> None:
        name = escape(change.player.name)
        what = {
            tables_pb2.TABLE_CHANGE_KIND_SEAT_TAKEN: f"{name} sat down",
            tables_pb2.TABLE_CHANGE_KIND_SEAT_LEFT: f"{name} left",
            tables_pb2.TABLE_CHANGE_KIND_STARTED: "The game begins",
            tables_pb2.TABLE_CHANGE_KIND_RESIGNED: f"{name} resigned; a bot plays on",
            tables_pb2.TABLE_CHANGE_KIND_CLOSED: "The table was closed",
        }.get(change.kind)
        if what:
            self.console.print(f"[dim]{what}.[/dim]")

    def show(self, view: View, *, glance: bool = False) -> None:
        """The position; within one's own turn only what matters for the next decision."""
        shown = [
            "you" if name == "You" else escape(s.player.name)
            for name, s in zip(self._names, self.table.seats, strict=True)
        ]
        words = self.game.words
        drawn = words.glance(view, shown) if glance else words.board(view, shown)
        if glance and drawn == self._glanced:
            return
        self._glanced = drawn if glance else words.glance(view, shown)
        self.console.print()
        self.console.print(drawn, soft_wrap=True)

    def refuse(self, error: Refused) -> None:
        """Say why a move is not allowed, and quote the rule."""
        self.explain(error.message, error.rule)

    def finish(self, response: tables_pb2.WatchResponse) -> None:
        """Show how it ended."""
        if response.HasField("view"):
            self.show(self.codec.view_from(response.view))
            winners = [self._names[seat] for seat in self.table.summary.winners]
            self.console.print(f"\n[bold]{' and '.join(winners)} won.[/bold]")

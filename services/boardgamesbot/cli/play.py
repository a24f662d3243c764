"""`bgb play`: a game in the terminal."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import grpc
from rich.markup import escape
from rich.padding import Padding

from boardgamesbot.cli import options
from boardgamesbot.cli.beside import beside
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.explaining import explained, reach
from boardgamesbot.cli.finding import Search, find, search_meant, search_options
from boardgamesbot.cli.hints import Hinting, hinting
from boardgamesbot.cli.lines import Interrupted, typed_too_early
from boardgamesbot.cli.meanwhile import LEAVE, Meanwhile
from boardgamesbot.cli.picking import Leave, Picker
from boardgamesbot.cli.records import save_record
from boardgamesbot.cli.room import KEYS, Room, seats
from boardgamesbot.cli.seating import HUMAN, ME, USUAL, check_bots, seating
from boardgamesbot.cli.timing import Countdown, clock_meant, clock_options, described
from boardgamesbot.client import Client, Refused, Wishes
from boardgamesbot.client.patience import is_passing
from boardgamesbot.games import registry
from boardgamesbot.games.base import Game, Malformed, Move, View
from boardgamesbot.games.proto import Codec
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.v1 import tables_pb2
from boardgamesbot.v1.players_pb2 import Player

_ASKED_LINES = 15
"""A question takes at most about so many lines, with the choices after a first one."""
_SERVER_SECONDS = 1.5
"""So long after a clock has run out the server's word is waited for."""
_ENDED = (tables_pb2.TABLE_STATUS_FINISHED, tables_pb2.TABLE_STATUS_CLOSED)


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
    w and n (the whole board, more choices: where the terminal is small), r (rules), q (leave; the table waits).
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
            await _take_ruleset(client, game_id)
            table_id = await _open_table(terminal, client, game_id, opening)
        else:
            await _take_ruleset(client, (await client.table(table_id)).game_id)
            seen = await _come_to_table(terminal, client, table_id)
        terminal.table_id = table_id
        await _follow(terminal, client, table_id, seen)
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


async def _follow(terminal: Terminal, client: Client, table_id: str, seen: int) -> None:
    """Show what happens and ask for moves, until the table has ended."""
    own_turn, came = False, True
    terminal.come_back = partial(_come_back, terminal, client)
    terminal.room = Room(client, table_id, terminal.console)
    meanwhile = Meanwhile(terminal.waits, terminal.tell_whose_turn, terminal.press_meanwhile)
    async for response in meanwhile.during(client.watch(table_id, seen)):
        if response.HasField("table"):
            terminal.sit(response.table, client.player.id)
        terminal.tell(response)
        table = terminal.table
        if response.HasField("table"):
            await _see_to_the_seat(terminal, came)
            came = False
        if table.status == tables_pb2.TABLE_STATUS_OPEN and response.HasField("table"):
            everybody = all(seat.HasField("player") for seat in table.seats)
            if everybody and table.host == client.player.id:
                await _start(client, table_id)
            continue
        if response.HasField("view") and table.status == tables_pb2.TABLE_STATUS_PLAYING:
            view = terminal.codec.view_from(response.view)
            terminal.view = view
            if view.actor is not None and view.actor == view.seat:
                if not own_turn:
                    terminal.tell_what_was_too_early()
                terminal.show(view, glance=own_turn)
                await _take_turn(terminal, client, table_id, response.version, view, meanwhile.more)
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


async def _see_to_the_seat(terminal: Terminal, came: bool) -> None:
    """Where a bot has one's seat: take it again if one just `came` or can't be asked, else say how to."""
    if not terminal.is_away:
        terminal.knows_is_away = False
    elif came or not terminal.lines.can_interrupt:
        await terminal.come_back()
    elif not terminal.knows_is_away:
        terminal.knows_is_away = True
        terminal.tell_is_away()


async def _come_back(terminal: Terminal, client: Client) -> None:
    """Take the seat again that a bot was given: who types is there."""
    if terminal.has_no_time:
        return
    try:
        await client.take_seat(terminal.table.id)
    except Refused as error:
        if error.reason not in ("NO_TIME_LEFT", "WRONG_STATUS"):
            raise
        terminal.has_no_time = error.reason == "NO_TIME_LEFT"
        terminal.console.print(f"[dim]{escape(error.message)}[/dim]")


async def _take_turn(
    terminal: Terminal,
    client: Client,
    table_id: str,
    version: int,
    view: View,
    more: Callable[[], Awaitable[None]],
) -> None:
    """Ask until a move stands, the last one is taken back, or `more` has happened at the table."""
    assert view.seat is not None
    while True:
        terminal.hinting = hinting(client, table_id)
        try:
            move = await _answer(terminal, view, more)
        except Interrupted:
            terminal.console.print()
            return
        try:
            if move is None:
                await client.undo(table_id, view.seat, version)
                terminal.console.print("Taken back.")
                return
            await client.submit(table_id, view.seat, version, terminal.codec.move_to(move))
        except Refused as error:
            if error.reason in ("STALE_VERSION", "NOT_YOUR_SEAT"):
                terminal.console.print("[bold]Too late:[/bold] what you chose was not played, as something came first.")
                return
            terminal.refuse(error)
            continue
        return


async def _answer(terminal: Terminal, view: View, more: Callable[[], Awaitable[None]]) -> Move | None:
    """What the person picks. Raises Interrupted if `more` happens before, where the question can be called off."""
    terminal.lines.begin()
    alarm = asyncio.create_task(terminal.ring())
    answer = asyncio.ensure_future(beside(partial(terminal.ask, view)))
    happening = asyncio.ensure_future(more())
    try:
        await asyncio.wait((answer, happening), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done() and terminal.lines.can_interrupt:
            terminal.lines.interrupt()
        return await answer
    finally:
        alarm.cancel()
        happening.cancel()


async def _nothing() -> None:
    """Before there is a table, there is no seat to take."""


class Terminal(Picker):
    """What the person sees and types."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self.table_id = ""
        self.table = tables_pb2.Table()
        self.view: View | None = None
        self.has_no_time = False
        """Whether one's time for the whole game is used up."""
        self.hinting: Hinting | None = None
        """Asks a bot for hints, one after another."""
        self.room: Room | None = None
        """What the host may do before the game."""
        self.come_back: Callable[[], Awaitable[None]] = _nothing
        """Takes the seat again that a bot was given."""
        self.knows_is_away = False
        """Whether the person has been told that a bot has their seat."""
        self._me = ""
        self._left: Countdown | None = None
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
        """Take note of who sits where, and how much time is left."""
        if table.HasField("clock") and not self.table.HasField("clock"):
            self.console.print(f"[dim]Time: {described(table.clock)}.[/dim]", soft_wrap=True)
        self.table, self._me = table, me
        self._left = Countdown(table.running) if table.HasField("running") else None
        self._names = []
        for seat in table.seats:
            name = escape(seat.player.name) if seat.HasField("player") else "nobody yet"
            self._names.append("You" if seat.player.id == me else f"{name} ({seat.colour})")

    @property
    def is_away(self) -> bool:
        """Whether a bot has one's seat until one asks for it again."""
        if self.table.status != tables_pb2.TABLE_STATUS_PLAYING:
            return False
        return any(seat.away.id == self._me and not seat.returning for seat in self.table.seats)

    def tell_is_away(self) -> None:
        """Say that a bot has one's seat, and how to have it again."""
        bot = next(escape(seat.player.name) for seat in self.table.seats if seat.away.id == self._me)
        back = "" if self.has_no_time else " Press Enter, and it is yours again; q leaves."
        self.console.print(f"[bold]{bot} plays in your seat now.[/bold]{back}")

    def tell_what_was_too_early(self) -> None:
        """Say which lines are no answer to a question, as they were typed before it."""
        for line in typed_too_early():
            self.console.print(
                f"[dim]You typed {escape(line)} before you were asked: it has not chosen anything.[/dim]"
            )

    def tell(self, response: tables_pb2.WatchResponse) -> None:
        """Say in words what happened."""
        change = response.WhichOneof("change")
        if change == "move_played":
            events = response.move_played.events
        elif change == "table_change":
            self._tell_change(response.table_change)
            events = response.table_change.events
        elif not response.HasField("move_undone"):
            return  # a table of the archive: all that is left of it is how it ended
        else:
            who = self._name(response.move_undone.seat)
            self.console.print(f"  [dim]{who} took the move back[/dim]")
            return
        for line in self.game.words.account([self.codec.event_from(event) for event in events], self._names):
            self._say(f"  {line}")

    def _say(self, line: str) -> None:
        """A line; where it is too long, what follows is indented as far as its beginning."""
        words = line.lstrip()
        self.console.print(Padding(words, (0, 0, 0, len(line) - len(words)), expand=False))

    def _name(self, seat: int) -> str:
        return self._names[seat] if seat < len(self._names) else f"seat {seat}"

    def _colour(self, seat: int) -> str:
        return self.table.seats[seat].colour if seat < len(self.table.seats) else f"seat {seat}"

    def _tell_change(self, change: tables_pb2.TableChange) -> None:
        player = escape(change.player.name)
        name = "You" if change.player.id == self._me else player
        what = {
            tables_pb2.TABLE_CHANGE_KIND_SEAT_TAKEN: f"{name} sat down as {self._colour(change.seat)}",
            tables_pb2.TABLE_CHANGE_KIND_SEAT_LEFT: f"{name} left",
            tables_pb2.TABLE_CHANGE_KIND_STARTED: "The game begins",
            tables_pb2.TABLE_CHANGE_KIND_RESIGNED: f"{name} resigned; a bot plays on",
            tables_pb2.TABLE_CHANGE_KIND_CLOSED: "The table was closed",
            tables_pb2.TABLE_CHANGE_KIND_OUT_OF_TIME: self._out_of_time(change.player),
            tables_pb2.TABLE_CHANGE_KIND_RETURNED: f"{name} {'are' if name == 'You' else 'is'} back",
            tables_pb2.TABLE_CHANGE_KIND_SWAPPED: f"{self._colour(change.seat)} and {self._colour(change.other_seat)} "
            "have changed places",
            tables_pb2.TABLE_CHANGE_KIND_ENDED: f"Those who run this server ended the table: {escape(change.reason)}",
            tables_pb2.TABLE_CHANGE_KIND_BOT_SEATED: f"{name} has been given the seat: {escape(change.reason)}",
        }.get(change.kind)
        if what:
            self.console.print(f"[dim]{what}.[/dim]")

    async def ring(self) -> None:
        """Say when the time is up, if there is a clock and the server has not said so."""
        if self._left is not None:
            await asyncio.sleep(self._left.seconds + _SERVER_SECONDS)
            self.console.print("\n[bold]Your time is up.[/bold]")

    def _out_of_time(self, player: Player) -> str:
        """What follows from somebody's time being up."""
        is_me = player.id == self._me
        who, they, are = ("you", "you", "you are") if is_me else (escape(player.name), "they", "they are")
        does = {
            tables_pb2.AT_ZERO_MOVE: "a bot makes this decision",
            tables_pb2.AT_ZERO_RESIGN: f"{they} have resigned, and a bot plays on",
        }.get(self.table.clock.at_zero, f"a bot plays on until {are} back")
        return f"{'Your time' if is_me else f'The time of {who}'} is up; {does}"

    def more_keys(self) -> Sequence[str]:
        return () if self.table.rated or self.hinting is None else ("h hint",)

    def waits(self) -> bool:
        """Whether it is somebody else's turn, as far as is known."""
        return self.view is None or self.view.actor != self.view.seat

    def tell_whose_turn(self) -> None:
        """Say who is waited for, and what may be typed."""
        if self.table.status == tables_pb2.TABLE_STATUS_OPEN:
            keys = KEYS if self._is_host() else "q leave"
            self.console.print(f"[dim]Waiting for others: {seats(self.table, self._me)}[/dim]")
            self.console.print(f"[dim]{keys}[/dim]")
        elif self.view is not None and self.view.actor is not None:
            self.console.print(f"[dim]Waiting for {self._name(self.view.actor)}: m map, r rules, q leave[/dim]")

    async def press_meanwhile(self, line: str) -> None:
        """Do what was typed while it is somebody else's turn, or before the game. Raises Leave."""
        key, *words = line.split() or [""]
        if key.lower() == LEAVE:
            raise Leave
        if self.is_away and not self.has_no_time:
            await self.come_back()
            if key not in ("m", "r"):
                return
        match key.lower():
            case "":
                self.tell_whose_turn()
            case "m" if self.view is not None:
                self.show(self.view)
            case "r" if self.table.game_id:
                self.show_rules()
            case other if self.room and self._is_host() and await self.room.press(other, words):
                pass
            case _ if self.view is None:
                self.console.print("[dim]The game has not begun.[/dim]")
                self.tell_whose_turn()
            case _:
                self.console.print("[dim]It is not your turn.[/dim]")
                self.tell_whose_turn()

    def _is_host(self) -> bool:
        """Whether the table waits for its players, and this person says which."""
        return self.table.status == tables_pb2.TABLE_STATUS_OPEN and self.table.host == self._me

    def press(self, key: str) -> bool:
        if key not in ("h", "?"):
            return False
        if self.table.rated or self.hinting is None:
            self.console.print("There are hints only where the result does not count: open a table with --hints.")
            return True
        self.console.print("[dim]thinking …[/dim]")
        for line in self.hinting():
            self._say(line)
        return True

    def aside(self) -> str:
        return f"[bold]{self._left}[/bold] left, until {self._left.until} · " if self._left else ""

    def show(self, view: View, *, glance: bool = False) -> None:
        """The position; within one's own turn only what matters for the next decision."""
        words, names = self.game.words, self._shown_names()
        room = self.console.height - _ASKED_LINES
        self.lean = 0
        if self.console.is_terminal and words.tallest_glance(view, names) > room:
            drawn = words.lean(view, names)
            self.lean = drawn.count("\n") + 1
        else:
            drawn = words.glance(view, names) if glance else words.board(view, names)
        if glance and drawn == self._glanced and not self.lean:
            return
        self._glanced = drawn if glance else words.glance(view, names)
        self.console.print()
        self.console.print(drawn, soft_wrap=True)

    def whole(self, view: View) -> str:
        return self.game.words.board(view, self._shown_names())

    def _shown_names(self) -> list[str]:
        """The players' names by seat, as they stand on boards."""
        return [
            "you" if name == "You" else escape(seat.player.name)
            for name, seat in zip(self._names, self.table.seats, strict=True)
        ]

    def refuse(self, error: Refused) -> None:
        """Say why a move is not allowed, and quote the rule; or that there was nobody to allow it."""
        if is_passing(error):
            self.console.print(f"[red]No answer.[/red] {escape(explained(error))} Then choose again.")
        else:
            self.explain(error.message, error.rule)

    def finish(self, response: tables_pb2.WatchResponse) -> None:
        """Show how it ended."""
        if response.HasField("view"):
            self.show(self.codec.view_from(response.view))
            winners = [self._names[seat] for seat in self.table.summary.winners]
            self.console.print(f"\n[bold]{' and '.join(winners)} won.[/bold]")

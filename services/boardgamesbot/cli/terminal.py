"""The person at the terminal: what they see of a table, and what they type."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from rich.markup import escape
from rich.text import Text

from boardgamesbot.cli.console import Console
from boardgamesbot.cli.explaining import explained, nobody_at
from boardgamesbot.cli.hanging import flowing, hanging
from boardgamesbot.cli.hints import Hinting
from boardgamesbot.cli.lines import typed_too_early
from boardgamesbot.cli.meanwhile import LEAVE
from boardgamesbot.cli.picking import Leave, Picker
from boardgamesbot.cli.room import KEYS, Room, seats
from boardgamesbot.cli.timing import Countdown, described
from boardgamesbot.client import Refused
from boardgamesbot.client.patience import is_passing
from boardgamesbot.games import registry
from boardgamesbot.games.base import Game, Rule, View
from boardgamesbot.games.proto import Codec
from boardgamesbot.v1 import tables_pb2
from boardgamesbot.v1.players_pb2 import Player

_SIGN_LINES = 2
"""At most so many lines explain signs."""
_AGAIN = "m: again"
_ASKED_LINES = 15
"""A question takes at most about so many lines, with the choices after a first one."""
_SERVER_SECONDS = 1.5
"""So long after a clock has run out the server's word is waited for."""


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
        self.is_asking = False
        """Whether a question stands there: nothing is written below it."""
        self._me = ""
        self._left: Countdown | None = None
        self._names: list[str] = []
        self._explained: set[str] = set()
        """Signs whose meaning has been shown."""
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

    def tell_platform(self, address: str, is_there: bool) -> None:
        """Say that the platform has gone away, or is back."""
        if is_there:
            self.console.print("[dim]It answers again.[/dim]")
            return
        said = nobody_at(address)
        self.console.print(f"[bold]{escape(said[:1].upper() + said[1:])}.[/bold]", soft_wrap=True)
        self.console.print("[dim]The game goes on as soon as it answers; Ctrl-C leaves, and the table waits.[/dim]")

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
        self.console.print(hanging(self.console, line))

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
                self.show_again(self.view)
            case "r" if self.table.game_id:
                self.show_rules(*words[:1])
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
            drawn = "\n".join([drawn, *self._signs(view, drawn)])
            self.lean = drawn.count("\n") + 1
        else:
            drawn = words.glance(view, names) if glance else words.board(view, names)
        if glance and drawn == self._glanced and not self.lean:
            return
        self._glanced = drawn if glance else words.glance(view, names)
        self.console.print()
        self.console.print(drawn, soft_wrap=True)

    def show_again(self, view: View) -> None:
        self._explained.clear()
        self.show(view)

    def _signs(self, view: View, drawn: str) -> list[str]:
        """What those signs mean that have not been explained yet, on as many lines as there may be; others later."""
        plain, width = Text.from_markup(drawn).plain, self.console.width
        signs = self.game.words.signs(view)
        new = [sign for sign in signs if sign in plain and sign not in self._explained]
        lines: list[str] = []
        while new and len(lines := flowing([*(signs[sign] for sign in new), _AGAIN], width)) > _SIGN_LINES:
            new.pop()
        self._explained.update(new)
        return [f"[dim]{escape(line)}[/dim]" for line in lines]

    def whole(self, view: View) -> Sequence[str]:
        return self.game.words.pictures(view, self._shown_names())

    def rules(self) -> Sequence[Rule]:
        return self.game.rules_for(self.codec.options_from(self.table.options))

    def _shown_names(self) -> list[str]:
        """The players' names by seat, as they stand on boards."""
        return [
            "you" if name == "You" else escape(seat.player.name)
            for name, seat in zip(self._names, self.table.seats, strict=True)
        ]

    def refuse(self, error: Refused) -> None:
        """Say why a move is not allowed, and quote the rule; or that there was nobody to allow it."""
        if self.lean and self.view is not None:
            self.show(self.view)
        if is_passing(error):
            self.console.print(f"[red]No answer:[/red] {escape(explained(error))} Then choose again.")
        else:
            self.explain(error.message, error.rule)

    def finish(self, response: tables_pb2.WatchResponse) -> None:
        """Show how it ended."""
        if response.HasField("view"):
            self.show(self.codec.view_from(response.view))
            winners = [self._names[seat] for seat in self.table.summary.winners]
            self.console.print(f"\n[bold]{' and '.join(winners)} won.[/bold]")

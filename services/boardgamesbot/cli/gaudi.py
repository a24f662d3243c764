"""`bgb gaudi`: Gaudí for those who play solo Barcelona with the real game."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from boardgamesbot.cli import kept, options
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.picking import Leave, Picker
from boardgamesbot.games import registry
from boardgamesbot.games.barcelona import scoring
from boardgamesbot.games.barcelona.events import TurnBegan
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.gaudi import DIFFICULTIES
from boardgamesbot.games.barcelona.gaudi.asking import Asking, NotUnderstood
from boardgamesbot.games.barcelona.gaudi.physical import PhysicalGame, WrongEntry
from boardgamesbot.games.barcelona.gaudi.questions import SETTING_UP, About, Question
from boardgamesbot.games.barcelona.gaudi.setting_up import PERSON
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.words.wording import many
from boardgamesbot.games.base import Event, Game, IllegalMove, Rule, View

NAMES = ("You", "Gaudí")
_KEYS = "? explains, u takes the last entry back, a enters it again, m map, r rules, q leaves; everything is kept"
_ASKED_APART = (About.SAGRADA, About.VIOLET)
"""What is chosen from a list of its own at every place."""


class Again(Exception):
    """The person wants to enter what was taken back."""


@click.command()
@click.option(
    "--difficulty",
    type=click.Choice([name.lower() for name in DIFFICULTIES]),
    default=None,
    help="How hard Gaudí is.  [normal]",
)
@click.option("--update", is_flag=True, help="He takes both actions of a card, not only the first: much harder.")
@click.option("--expansion", is_flag=True, help="With Passeig de Gràcia.")
@click.option(
    "--load",
    "load_from",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    help="Go on with the game in this file; it is kept there unless --save names another.",
)
@click.option(
    "--save",
    "save_to",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Keep the game in this file.  [a new one in ~/.local/state/boardgamesbot]",
)
@options.ruleset
def gaudi(
    difficulty: str | None,
    update: bool,
    expansion: bool,
    load_from: Path | None,
    save_to: Path | None,
    ruleset: str | None,
) -> None:
    """Let Gaudí play at a real table: solo Barcelona with the game itself before you.

    You lay everything out, draw the citizens and turn up the cards. Enter what lies there, what you do and what came
    to light; Gaudí's turn comes back step by step, with the reason for each. No server is needed.

    \b
    bgb gaudi --difficulty easy
    bgb gaudi --load FILE          goes on after q, Ctrl-C or a crash

    Tiles are entered by number or id, several on a line; citizens as two letters (wu). Moves are picked by number, as
    in `bgb play`. Also: ? (what is meant), u (take the last entry back, as often as you like; b does the same outside
    your own moves), a (enter again what was taken back), m (the map, to compare), r (rules), q (leave).

    The input may come from a file or a pipe, an entry a line.
    """
    options.settings(ruleset=ruleset)
    console = Console(highlight=False)
    table = _table(difficulty, update, expansion, load_from)
    path = _path(load_from, save_to)
    teller = Teller(console, table, path)
    try:
        teller.keep()
        teller.run()
    except (Leave, KeyboardInterrupt):
        console.print()
        _say(console, f"You left. Go on with:  [bold]bgb gaudi --load {escape(str(path))}[/bold]")


def _say(console: Console, markup: str) -> None:
    console.print(markup, soft_wrap=True)


def _table(difficulty: str | None, update: bool, expansion: bool, load_from: Path | None) -> PhysicalGame:
    """The game in the file, or a new one."""
    if load_from is not None:
        if difficulty or update or expansion:
            raise click.UsageError("the file of --load says how that game is played: leave the other options out")
        try:
            return kept.load(load_from)
        except kept.Unreadable as error:
            raise click.ClickException(str(error)) from None
    game = registry.game(kept.GAME_ID)
    assert isinstance(game, Barcelona)
    return PhysicalGame(
        game,
        {
            "solo": (difficulty or "normal").upper(),
            "solo_actions": "BOTH" if update else "FIRST",
            "expansion": "PASSEIG_DE_GRACIA" if expansion else "NONE",
        },
    )


def _path(load_from: Path | None, save_to: Path | None) -> Path:
    """Where the game is kept: never over another one."""
    if save_to is not None and save_to.exists() and (load_from is None or not save_to.samefile(load_from)):
        raise click.ClickException(f"--save: {save_to} is there already; go on with it by --load, or name another file")
    path = save_to or load_from
    if path is None:
        base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
        path = Path(base) / "boardgamesbot" / f"gaudi-{datetime.now():%Y-%m-%d-%H%M%S}.json"
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise click.ClickException(
                f"there is nowhere to keep the game ({error}): name a file with --save"
            ) from None
    if not os.access(path.parent, os.W_OK):
        raise click.ClickException(f"cannot write into {path.parent}: name another file with --save")
    return path


class Teller(Picker):
    """Asks what the person's table shows, and tells what Gaudí does."""

    def __init__(self, console: Console, table: PhysicalGame, path: Path) -> None:
        super().__init__(console)
        self._table = table
        self._path = path
        self._asking = Asking(table)
        self._asked: object = None
        """The question that was asked last in full."""

    @property
    def game(self) -> Game:
        return self._table.game

    def rules(self) -> Sequence[Rule]:
        return self.game.rules_for(self._table.options)

    def keep(self) -> None:
        """Write down everything that was entered."""
        try:
            kept.keep(self._table, self._path)
        except OSError as error:
            _say(self.console, f"[red]The game could not be kept:[/red] {escape(str(error))}")

    # The dialogue

    def run(self) -> None:
        """Ask until the game is over and nothing more is to be taken back. Raises Leave."""
        self._greet()
        while True:
            question = self._table.question
            try:
                if question is None:
                    if not self._finish():
                        return
                elif question.about is About.MOVE:
                    self._decide()
                else:
                    self._answer(question)
            except Again:
                self._again()

    def _greet(self) -> None:
        table = self._table
        given = table.options
        how = [
            given["solo"].lower(),
            "both actions of a card" if given["solo_actions"] == "BOTH" else "the first action of a card",
            "with Passeig de Gràcia" if given["expansion"] != "NONE" else "the base game",
        ]
        _say(self.console, f"[bold]Solo against Gaudí[/bold] · {' · '.join(how)}")
        _say(self.console, f"[dim]Kept in {escape(str(self._path))}[/dim]")
        _say(self.console, f"[dim]{_KEYS}[/dim]")
        if table.state is not None and not table.state.over:
            self._standing()

    def _decide(self) -> None:
        """The person's next move."""
        table = self._table
        assert table.state is not None
        self._asked = None
        move = self.ask(table.state.view(PERSON))
        if move is None:
            self._take_back()
            return
        try:
            self._tell(table.enter(move))
        except IllegalMove as refusal:
            self.explain(str(refusal), refusal.rule.id)

    def _answer(self, question: Question) -> None:
        """What lies on the table, or what chance brought."""
        self._introduce(question)
        line = self.read(f"{escape(self._asking.place(question))} > ")
        match line:
            case "":
                return
            case "?":
                self._explain(question)
            case "b" | "u":
                self._take_back()
            case "m":
                self._map()
            case "r":
                self.show_rules()
            case "q":
                raise Leave
            case _ if not self.press(line):
                self._enter(question, line)

    def _enter(self, question: Question, line: str) -> None:
        """Take one answer after another, up to the first that can't be."""
        words = self._asking.words(question, line)
        asked = question
        for number, word in enumerate(words):
            now = self._table.question
            if now is None or now.about is not question.about or (number and question.about not in SETTING_UP):
                self._complain(f"{' '.join(words[number:])} is left over")
                return
            asked = now
            try:
                answer = self._asking.answer(asked, word)
                events = self._table.enter(answer)
            except NotUnderstood as error:
                self._complain(str(error))
                return
            except WrongEntry as error:
                self._complain(self._asking.objection(error.question, error.answer))
                return
            if len(words) > 1:
                _say(self.console, f"  [dim]{escape(self._asking.entered(asked, answer))}[/dim]")
            self._tell(events)

    def _complain(self, reason: str) -> None:
        _say(self.console, f"[red]Not taken.[/red] {escape(reason[:1].upper() + reason[1:])}.")

    def _introduce(self, question: Question) -> None:
        """The question in full, unless it was asked just before."""
        about = question.about
        setting_up = self._table.state is None
        group = (about, question.place if about in _ASKED_APART else None) if setting_up else self._entered()
        if group == self._asked:
            return
        self._asked = group
        self.console.print()
        _say(self.console, f"[bold]{escape(self._asking.lead(question))}[/bold]")
        if setting_up:
            self._list(question)
        else:
            self._list_in_short(question)

    def _entered(self) -> int:
        return len(self._table.entries)

    def _list(self, question: Question) -> None:
        """Every piece with its number; those that can't be the answer are dim."""
        grid = Table.grid(padding=(0, 2), pad_edge=True)
        grid.add_column(justify="right")
        for choice in self._asking.choices(question):
            style = None if choice.possible else "dim"
            grid.add_row(str(choice.number), escape(choice.id), escape(choice.meaning), style=style)
        self.console.print(grid)

    def _list_in_short(self, question: Question) -> None:
        possible = [choice for choice in self._asking.choices(question) if choice.possible]
        if question.about is About.CITIZENS:
            _say(self.console, f"  [dim]in the bag {self._asking.bag()}[/dim]")
        else:
            self.console.print("  " + " · ".join(f"{choice.number} {escape(choice.id)}" for choice in possible))

    def _explain(self, question: Question) -> None:
        _say(self.console, escape(self._asking.explanation(question)))
        if question.about is About.CITIZENS:
            _say(self.console, f"The bag holds {self._asking.bag()}.")
        else:
            self._list(question)
        _say(self.console, f"[dim]{_KEYS}[/dim]")

    # Back and again

    def can_take_back(self, view: View) -> bool:
        return bool(self._table.entries)

    def more_keys(self) -> Sequence[str]:
        return ("a again",) if self._table.taken_back else ()

    def press(self, key: str) -> bool:
        if key == "a" and self._table.taken_back:
            raise Again
        if key == "?":
            _say(self.console, "Pick what you do by its number; what is marked as against the rules says why.")
            _say(self.console, f"[dim]{_KEYS}[/dim]")
        return key == "?"

    def _take_back(self) -> None:
        if not self._table.entries:
            self._complain("nothing has been entered yet")
            return
        entry = self._table.take_back()
        self.keep()
        question = self._table.question
        assert question is not None
        _say(self.console, f"Taken back: {escape(self._asking.entered(question, entry.answer))}.")

    def _again(self) -> None:
        question, entry = self._table.question, self._table.taken_back[-1]
        assert question is not None
        fits = question.about is entry.about
        said = escape(self._asking.entered(question, entry.answer)) if fits else str(entry.about)
        try:
            events = self._table.again()
        except (WrongEntry, IllegalMove):
            self._complain("what comes next of what was taken back does not fit any more")
            return
        _say(self.console, f"Again: {said}.")
        self._tell(events)

    # What is told

    def _tell(self, events: Sequence[Event]) -> None:
        """Keep what was entered, and say what came of it."""
        self.keep()
        for question, answer in self._table.followed:
            _say(self.console, f"  [dim]{escape(self._asking.entered(question, answer))} (nothing else is left)[/dim]")
        if events and not self._table.moves:
            _say(self.console, "\nThat is the table. [dim]m shows it as it is known here: compare it with yours.[/dim]")
        since = self._table.since
        lines = self.game.words.account(since, NAMES)
        for event, line in list(zip(since, lines, strict=True))[len(since) - len(events) :]:
            if isinstance(event, TurnBegan):
                self._begin_turn(event)
            else:
                _say(self.console, f"  {line}")

    def _begin_turn(self, event: TurnBegan) -> None:
        self.console.print()
        if event.seat == PERSON:
            self._standing()
        else:
            _say(self.console, "[bold]Gaudí's turn[/bold]")

    def _standing(self) -> None:
        state = self._table.state
        assert state is not None
        points = " · ".join(f"{name} {many(state.vp[seat], 'point')}" for seat, name in enumerate(NAMES))
        last = " · [bold red]the last round[/]" if state.ending else ""
        _say(self.console, f"[bold]Round {state.round}[/bold] · {points} · {len(state.bag)} citizens in the bag{last}")

    def show(self, view: View, *, glance: bool = False) -> None:
        """The board as it should lie before the person."""
        words = self.game.words
        shown = [name.lower() if name == NAMES[PERSON] else name for name in NAMES]
        drawn = words.glance(view, shown) if glance else words.board(view, shown)
        self.console.print()
        self.console.print(drawn, soft_wrap=True)

    def _map(self) -> None:
        position = self._table.position
        if position is None:
            self._complain("there is no map before the table is set up")
        else:
            self.show(position.view(PERSON))

    def _finish(self) -> bool:
        """The final scoring of both and who won; whether the last entry is taken back all the same."""
        state = self._table.state
        assert state is not None
        self._show_scoring(state)
        _say(self.console, f"[bold]{NAMES[state.winners()[0]]} won.[/bold]")
        while True:
            try:
                line = self.read("[dim]u takes the last entry back, m map, Enter ends[/dim] > ")
            except Leave:
                self.console.print()
                return False
            match line:
                case "" | "q":
                    return False
                case "u" | "b":
                    self._take_back()
                    return True
                case "m":
                    self._map()
                case "r":
                    self.show_rules()

    def _show_scoring(self, state: BarcelonaState) -> None:
        finals = [scoring.final(state, seat) for seat in range(len(NAMES))]
        rows = [
            ("before", state.vp),
            ("cobblestones", [final.cobblestones for final in finals]),
            ("passengers", [final.passengers for final in finals]),
            ("Modernisme", [final.modernisme for final in finals]),
            *([("Joy on the way", [final.joy for final in finals])] if state.expansion else []),
            *([("left over", [final.left_over for final in finals])] if state.ruleset.left_over_vp else []),
        ]
        table = Table(title="Final scoring", title_justify="left", title_style="bold")
        table.add_column("")
        for name in NAMES:
            table.add_column(name, justify="right")
        for what, points in rows:
            table.add_row(what, *map(str, points))
        table.add_section()
        table.add_row("in all", *map(str, state.scores()), style="bold")
        self.console.print()
        self.console.print(table)

    def read(self, prompt: str) -> str:
        line = super().read(prompt)
        if not sys.stdin.isatty():
            self.console.print(escape(line))
        return line

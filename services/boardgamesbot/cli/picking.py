"""How a person picks a move in the terminal: from short lists, one choice after another."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from rich.markup import escape
from rich.text import Text

from boardgamesbot.cli.choices import Choice, listed, pages
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.lines import Lines
from boardgamesbot.cli.refusals import refusals
from boardgamesbot.games.base import Game, Move, View, Words


class Leave(Exception):
    """The person wants to stop; the game waits."""


@dataclass
class Level:
    """A choice among those after some steps of a move: what is shown, and the moves behind it."""

    label: str
    moves: list[Move]


def levels(words: Words, view: View, moves: Sequence[Move], depth: int) -> list[Level]:
    """The choices after so many steps."""
    found: dict[str, Level] = {}
    for move in moves:
        label = words.steps(view, move)[depth]
        found.setdefault(label, Level(label, [])).moves.append(move)
    return list(found.values())


_LEAST = 3
"""At least so many lines of choices are shown at once, however small the terminal."""
_GO_ON = "[dim]Enter goes on, b back to the question[/dim] > "


class Picker(ABC):
    """Asks for moves, and reads what the person types."""

    lean = 0
    """Where lines are short of, how many the position takes, which is shown above every question; else 0."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.lines = Lines()

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that is played."""

    @abstractmethod
    def show(self, view: View, *, glance: bool = False) -> None:
        """The position; within one's own turn only what matters for the next decision."""

    def whole(self, view: View) -> str:
        """All of the position as markup, where `show` leaves something out."""
        return ""

    def can_take_back(self, view: View) -> bool:
        """Whether `u` is on offer."""
        return view.undoable

    def more_keys(self) -> Sequence[str]:
        """Keys besides those that every game has, each with what it does."""
        return ()

    def press(self, key: str) -> bool:
        """Do what one of `more_keys` does; False if there is no such key."""
        return False

    def aside(self) -> str:
        """What stands at the beginning of the line where a person types."""
        return ""

    def ask(self, view: View) -> Move | None:
        """A move, legal or not, that the person picked; None: take the last one back. Raises Leave, Interrupted."""
        words = self.game.words
        legal = set(view.legal_moves())
        path: list[Level] = [Level("", words.candidates(view))]
        if not self.lean:
            self.console.print()
        is_shown = True
        while True:
            here = levels(words, view, path[-1].moves, len(path) - 1)
            if len(here) == 1 and len(here[0].moves) == 1 and len(path) > 1:
                return here[0].moves[0]
            if len(here) == 1 and len(path) > 1:
                path.append(here[0])
                continue
            asked = words.prompt(view)
            if self.lean and len(path) > 1:
                asked = escape(", ".join(level.label for level in path[1:]))
            if self.lean and not is_shown:
                self.show(view)
            is_shown = False
            picked = self._pick(here, legal, view, asked, can_go_back=len(path) > 1)
            if picked == "back":
                path = path[:1]
            elif picked == "undo":
                return None
            elif isinstance(picked, Level):
                if len(picked.moves) == 1 and len(words.steps(view, picked.moves[0])) == len(path):
                    return picked.moves[0]
                path.append(picked)

    def _pick(self, here: list[Level], legal: set[Move], view: View, asked: str, *, can_go_back: bool) -> Level | str:
        """One of the choices that is not refused, `back`, or `undo`."""
        choices = [Choice(number, level.label, legal.isdisjoint(level.moves)) for number, level in enumerate(here, 1)]
        numbers = f"1-{len(here)}" if len(here) > 1 else "1"
        keys = ", ".join(
            (
                numbers,
                *(["b back"] if can_go_back else []),
                *(["u take back"] if self.can_take_back(view) else []),
                *self.more_keys(),
                "m map",
                *(["w whole board"] if self.lean else []),
                "r rules",
                "q leave",
            )
        )
        prompt = f"{self.aside()}[dim]{keys}[/dim] > "
        laid_out, page = self._laid_out(choices, asked, prompt), 0
        self._show_choices(asked if self.lean or not can_go_back else "", laid_out[page])
        while True:
            answer = self.read(f"{self.aside()}[dim]{keys}[/dim] > ")
            if answer.isdecimal() and len(answer) < 6 and 1 <= int(answer) <= len(here):
                picked = here[int(answer) - 1]
                against = refusals(view, picked.moves) if choices[int(answer) - 1].refused else []
                if not against:
                    return picked
                for rule, reason in against:
                    self.explain(f"{rule.id}: {reason}", rule.id)
                self._show_choices(asked, laid_out[page])
                continue
            match answer:
                case "b" if can_go_back:
                    return "back"
                case "u" if self.can_take_back(view):
                    return "undo"
                case "u":
                    self.console.print("Nothing to take back: nothing was chosen yet, or it showed something hidden.")
                case "n" if len(laid_out) > 1:
                    page = (page + 1) % len(laid_out)
                    self.show(view)
                    self._show_choices(asked, laid_out[page])
                case "m":
                    self.show(view)
                    self._show_choices(asked, laid_out[page])
                case "w" if self.lean:
                    self._show_by_screens(list(Text.from_markup(self.whole(view)).split("\n")))
                    self.show(view)
                    self._show_choices(asked, laid_out[page])
                case "r" if self.lean:
                    self._show_by_screens(list(self._rules().wrap(self.console, self.console.width)))
                    self.show(view)
                    self._show_choices(asked, laid_out[page])
                case "r":
                    self.show_rules()
                case "q":
                    raise Leave
                case "":
                    continue
                case _:
                    if not self.press(answer):
                        self.console.print(f"Type a number ({numbers}), or one of the letters.")

    def _laid_out(self, choices: Sequence[Choice], asked: str, prompt: str) -> list[list[str]]:
        """The choices as pages of lines; all on one where lines are not short of."""
        width = self.console.width
        if not self.lean:
            return [listed(choices, width)]
        taken = self._lines(asked) + self._lines(prompt) + self.lean
        return pages(choices, width, max(_LEAST, self.console.height - taken))

    def _lines(self, markup: str) -> int:
        """So many lines a text takes."""
        return len(self.console.render_lines(Text.from_markup(markup), pad=False))

    def _show_choices(self, asked: str, lines: Sequence[str]) -> None:
        """The question, and its choices with their numbers."""
        if asked:
            self.console.print(f"[bold]{asked}[/bold]")
        for line in lines:
            self.console.print(line, soft_wrap=True)

    def _show_by_screens(self, lines: Sequence[Text]) -> None:
        """What does not fit the terminal, a screen at a time."""
        height = max(1, self.console.height - 1)
        for at in range(0, len(lines), height):
            if at and self.read(_GO_ON) == "b":
                return
            self.console.print(Text("\n").join(lines[at : at + height]), soft_wrap=True)
        self.read("[dim]Enter goes back to the question[/dim] > ")

    def read(self, prompt: str) -> str:
        """What the person typed, in small letters. Raises Leave at the end of the input, Interrupted."""
        self.console.print(prompt, end="")
        sys.stdout.flush()
        line = self.lines.read()
        if not line:
            raise Leave
        return line.strip().lower()

    def show_rules(self) -> None:
        """Every rule, by id."""
        self.console.print(self._rules())

    def _rules(self) -> Text:
        rules = (
            f"[bold]{rule.id}[/bold]  {escape(rule.title)}. {escape(rule.text)}" for rule in self.game.rules.values()
        )
        return Text.from_markup("\n".join(rules))

    def explain(self, message: str, rule_id: str) -> None:
        """Say why a move is not allowed, and quote the rule."""
        self.console.print(f"[red]Not allowed.[/red] {escape(message)}")
        rule = self.game.rules.get(rule_id)
        if rule is not None:
            self.console.print(f"[dim]{rule.id}, {escape(rule.title)}: {escape(rule.text)}[/dim]")

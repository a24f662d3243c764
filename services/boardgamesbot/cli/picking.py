"""How a person picks a move in the terminal: from short lists, one choice after another."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from boardgamesbot.cli.console import Console
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


_NEXT_TO_ANOTHER = 30
"""Choices of at most so many characters stand two in a line where lines are short of."""


class Picker(ABC):
    """Asks for moves, and reads what the person types."""

    lean = False
    """Whether the terminal has few lines: then whatever is asked is asked below the position, which is shown again."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that is played."""

    @abstractmethod
    def show(self, view: View, *, glance: bool = False) -> None:
        """The position; within one's own turn only what matters for the next decision."""

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
        """A move, legal or not, that the person picked; None: take the last one back. Raises Leave."""
        words = self.game.words
        legal = set(view.legal_moves())
        path: list[Level] = [Level("", words.candidates(view))]
        if not self.lean:
            self.console.print()
        self.console.print(f"[bold]{words.prompt(view)}[/bold]")
        while True:
            here = levels(words, view, path[-1].moves, len(path) - 1)
            if len(here) == 1 and len(here[0].moves) == 1 and len(path) > 1:
                return here[0].moves[0]
            if len(here) == 1 and len(path) > 1:
                path.append(here[0])
                continue
            if self.lean and len(path) > 1:
                self.show(view)
                self.console.print(f"[bold]{escape(', '.join(level.label for level in path[1:]))}[/bold]")
            picked = self._pick(here, legal, view, can_go_back=len(path) > 1)
            if picked == "back":
                path = path[:1]
            elif picked == "undo":
                return None
            elif isinstance(picked, Level):
                if len(picked.moves) == 1 and len(words.steps(view, picked.moves[0])) == len(path):
                    return picked.moves[0]
                path.append(picked)

    def _show_choices(self, here: list[Level], legal: set[Move]) -> None:
        """The choices with their numbers."""
        against = [legal.isdisjoint(level.moves) for level in here]
        if not self.lean or max(len(level.label) for level in here) > _NEXT_TO_ANOTHER:
            for number, (level, refused) in enumerate(zip(here, against, strict=True), 1):
                self._show_choice(
                    number, f"{level.label}  (against the rules)" if refused else level.label, dim=refused
                )
            return
        cells = []
        for number, (level, refused) in enumerate(zip(here, against, strict=True), 1):
            line = f"{number:>2} {'✗' if refused else ' '} {escape(level.label)}"
            cells.append(f"[dim]{line}[/dim]" if refused else line)
        if any(against):
            cells.append("[dim]   ✗ against the rules[/dim]")
        grid = Table.grid(padding=(0, 3))
        for first, second in zip(cells[::2], [*cells[1::2], ""], strict=False):
            grid.add_row(first, second)
        self.console.print(Padding(grid, (0, 0, 0, 2), expand=False))

    def _show_choice(self, number: int, label: str, *, dim: bool) -> None:
        head = f"  {number:>2}  "
        words = fill(label, self.console.width, initial_indent=head, subsequent_indent=" " * len(head))
        self.console.print(escape(words), style="dim" if dim else None, soft_wrap=True)

    def _pick(self, here: list[Level], legal: set[Move], view: View, *, can_go_back: bool) -> Level | str:
        self._show_choices(here, legal)
        numbers = f"1-{len(here)}" if len(here) > 1 else "1"
        keys = ", ".join(
            (
                numbers,
                *(["b back"] if can_go_back else []),
                *(["u take back"] if self.can_take_back(view) else []),
                *self.more_keys(),
                "m map",
                "r rules",
                "q leave",
            )
        )
        while True:
            answer = self.read(f"{self.aside()}[dim]{keys}[/dim] > ")
            if answer.isdecimal() and len(answer) < 6 and 1 <= int(answer) <= len(here):
                return here[int(answer) - 1]
            match answer:
                case "b" if can_go_back:
                    return "back"
                case "u" if self.can_take_back(view):
                    return "undo"
                case "u":
                    self.console.print("Nothing to take back: nothing was chosen yet, or it showed something hidden.")
                case "m":
                    self.show(view)
                    if self.lean:
                        self._show_choices(here, legal)
                case "r":
                    self.show_rules()
                case "q":
                    raise Leave
                case "":
                    continue
                case _:
                    if not self.press(answer):
                        self.console.print(f"Type a number ({numbers}), or one of the letters.")

    def read(self, prompt: str) -> str:
        """What the person typed, in small letters. Raises Leave at the end of the input."""
        self.console.print(prompt, end="")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise Leave
        return line.strip().lower()

    def show_rules(self) -> None:
        """Every rule, by id."""
        for rule in self.game.rules.values():
            self.console.print(f"[bold]{rule.id}[/bold]  {escape(rule.title)}. {escape(rule.text)}")

    def explain(self, message: str, rule_id: str) -> None:
        """Say why a move is not allowed, and quote the rule."""
        self.console.print(f"[red]Not allowed.[/red] {escape(message)}")
        rule = self.game.rules.get(rule_id)
        if rule is not None:
            self.console.print(f"[dim]{rule.id}, {escape(rule.title)}: {escape(rule.text)}[/dim]")

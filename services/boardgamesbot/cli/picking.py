"""How a person picks a move in the terminal: from short lists, one choice after another."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from rich.markup import escape

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


class Picker(ABC):
    """Asks for moves, and reads what the person types."""

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
        self.console.print(f"\n[bold]{words.prompt(view)}[/bold]")
        while True:
            here = levels(words, view, path[-1].moves, len(path) - 1)
            if len(here) == 1 and len(here[0].moves) == 1 and len(path) > 1:
                return here[0].moves[0]
            if len(here) == 1 and len(path) > 1:
                path.append(here[0])
                continue
            picked = self._pick(here, legal, view, can_go_back=len(path) > 1)
            if picked == "back":
                path = path[:1]
            elif picked == "undo":
                return None
            elif isinstance(picked, Level):
                if len(picked.moves) == 1 and len(words.steps(view, picked.moves[0])) == len(path):
                    return picked.moves[0]
                path.append(picked)

    def _pick(self, here: list[Level], legal: set[Move], view: View, *, can_go_back: bool) -> Level | str:
        for number, level in enumerate(here, 1):
            allowed = not legal.isdisjoint(level.moves)
            label = escape(level.label)
            self.console.print(
                f"  {number:>2}  {label}" if allowed else f"  [dim]{number:>2}  {label}  (against the rules)[/dim]"
            )
        keys = ", ".join(
            (
                f"1-{len(here)}",
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
                case "r":
                    self.show_rules()
                case "q":
                    raise Leave
                case "":
                    continue
                case _:
                    if not self.press(answer):
                        self.console.print(f"Type a number from 1 to {len(here)}, or one of the letters.")

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

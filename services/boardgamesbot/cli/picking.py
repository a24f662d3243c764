"""How a person picks a move in the terminal: from short lists, one choice after another."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.markup import escape
from rich.text import Text

from boardgamesbot.cli.choices import Choice
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.lines import Lines
from boardgamesbot.cli.listing import Listing
from boardgamesbot.cli.refusals import refusals
from boardgamesbot.cli.screens import screens
from boardgamesbot.games.base import Game, Move, Rule, View, Words


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


_LONGEST_ID = 16
_LEAST = 3
"""At least so many lines of choices are shown at once, however small the terminal."""
_GO_ON = "[dim]Enter goes on, b back to the question[/dim] > "


@dataclass(frozen=True)
class _Question:
    """A choice that is being put to the person."""

    view: View
    asked: str
    keys: str
    listing: Listing


class Picker(ABC):
    """Asks for moves, and reads what the person types."""

    lean = 0
    """Where lines are short of, how many the position takes, which is shown above every question; else 0."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.lines = Lines()
        self._quoted: set[str] = set()
        """Rules that have been shown in full because of a refusal."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that is played."""

    @abstractmethod
    def show(self, view: View, *, glance: bool = False) -> None:
        """The position; within one's own turn only what matters for the next decision."""

    def show_again(self, view: View) -> None:
        """The position for somebody who asks for it."""
        self.show(view)

    def whole(self, view: View) -> Sequence[str]:
        """All of the position as pictures, pieces of markup, where `show` leaves something out."""
        return ()

    def rules(self) -> Sequence[Rule]:
        """The rules that matter in this game."""
        return list(self.game.rules.values())

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
        question = _Question(view, asked, keys, Listing(choices, self.console.width))
        self._fit(question)
        self._show_choices(asked if self.lean or not can_go_back else "", question.listing.lines)
        while True:
            answer = self.read(self._prompt(question))
            if answer.isdecimal() and len(answer) < 6 and 1 <= int(answer) <= len(here):
                picked = here[int(answer) - 1]
                against = refusals(view, picked.moves) if choices[int(answer) - 1].refused else []
                if not against:
                    return picked
                told = [self._explanation(f"{rule.id}: {reason}", rule.id) for rule, reason in against]
                self._ask_anew(question, Text("\n").join(told))
                continue
            match answer.split():
                case ["b"] if can_go_back:
                    return "back"
                case ["u"] if self.can_take_back(view):
                    return "undo"
                case ["u"]:
                    self.console.print("Nothing to take back: nothing was chosen yet, or it showed something hidden.")
                case ["n"] if question.listing.has_more:
                    question.listing.turn()
                    self._ask_anew(question)
                case ["n"]:
                    self.console.print("There are no more choices than these.")
                case ["m"]:
                    self.show_again(view)
                    self._fit(question)
                    self._show_choices(asked, question.listing.lines)
                case ["w"] if self.lean:
                    self._show_by_screens(self.whole(view))
                    self._ask_anew(question)
                case ["r"] if self.lean:
                    self._show_by_screens(map(self._spelled, self.rules()))
                    self._ask_anew(question)
                case ["r"]:
                    self.show_rules()
                case ["r", wanted]:
                    self._ask_anew(question, self._wanted_rule(wanted))
                case ["q"]:
                    raise Leave
                case []:
                    continue
                case _:
                    if not self.press(answer):
                        self.console.print(f"Type a number ({numbers}), or one of the letters.")

    def _prompt(self, question: _Question) -> str:
        return f"{self.aside()}[dim]{question.keys}[/dim] > "

    def _fit(self, question: _Question, more: int = 0) -> None:
        """Lay the choices out for the lines that the position, the question and so many `more` leave."""
        if self.lean:
            taken = self._lines(question.asked) + self._lines(self._prompt(question)) + self.lean + more
            question.listing.fit(max(_LEAST, self.console.height - taken))

    def _ask_anew(self, question: _Question, told: Text | None = None) -> None:
        """The question once more, below what there is to be told; where lines are short of, below the position."""
        more = 0 if told is None else len(self.console.render_lines(told, pad=False))
        if self.lean:
            self.show(question.view)
            if question.listing.has_more or not more:
                self._fit(question, more)
        if told is not None:
            self.console.print(told)
        self._show_choices(question.asked, question.listing.lines)

    def _lines(self, markup: str) -> int:
        """So many lines a text takes."""
        return len(self.console.render_lines(Text.from_markup(markup), pad=False))

    def _show_choices(self, asked: str, lines: Sequence[str]) -> None:
        """The question, and its choices with their numbers."""
        if asked:
            self.console.print(f"[bold]{asked}[/bold]")
        for line in lines:
            self.console.print(line, soft_wrap=True)

    def _show_by_screens(self, pictures: Iterable[str]) -> None:
        """Pieces of markup that do not fit the terminal all together, a screen at a time."""
        width, height = self.console.width, max(1, self.console.height - 1)
        drawn = [list(Text.from_markup(picture).wrap(self.console, width)) for picture in pictures]
        for number, lines in enumerate(screens(drawn, height)):
            if number and self.read(_GO_ON) == "b":
                return
            self.console.print(Text("\n").join(lines), soft_wrap=True)
        self.read("[dim]Enter goes back to the question[/dim] > ")

    def read(self, prompt: str) -> str:
        """What the person typed, in small letters. Raises Leave at the end of the input, Interrupted."""
        self.console.print(prompt, end="")
        sys.stdout.flush()
        line = self.lines.read()
        if not line:
            raise Leave
        return line.strip().lower()

    def show_rules(self, wanted: str = "") -> None:
        """Every rule that matters here, by id; or only the one with the id that is `wanted`."""
        if wanted:
            self.console.print(self._wanted_rule(wanted))
        else:
            self.console.print(Text.from_markup("\n".join(map(self._spelled, self.rules()))))

    def _spelled(self, rule: Rule) -> str:
        return f"[bold]{rule.id}[/bold]  {escape(rule.title)}. {escape(rule.text)}"

    def _wanted_rule(self, wanted: str) -> Text:
        """The rule with an id, in whatever case it was typed."""
        for rule in self.game.rules.values():
            if rule.id.lower() == wanted.lower():
                return Text.from_markup(self._spelled(rule))
        return Text(f"There is no rule {wanted[:_LONGEST_ID]!r}; r shows them all.")

    def explain(self, message: str, rule_id: str) -> None:
        """Say why a move is not allowed, and quote the rule."""
        self.console.print(self._explanation(message, rule_id))

    def _explanation(self, message: str, rule_id: str) -> Text:
        """Why a move is not allowed: with all of the rule the first time, then with its title and how to read it."""
        said = f"[red]Not allowed.[/red] {escape(message)}"
        rule = self.game.rules.get(rule_id)
        if rule is None:
            return Text.from_markup(said)
        if rule_id in self._quoted:
            return Text.from_markup(f"{said} [dim]({escape(rule.title)}: r {rule.id} shows the rule)[/dim]")
        self._quoted.add(rule_id)
        return Text.from_markup(f"{said}\n[dim]{rule.id}, {escape(rule.title)}: {escape(rule.text)}[/dim]")

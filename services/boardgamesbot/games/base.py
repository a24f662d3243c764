"""What every game offers: a `Game` makes `State`s, a `State` shows `View`s.

The names and duties follow OpenSpiel's State and python-chess's Board. Everything above this package
(services, bots, clients) knows games only through what is defined here.

A *seat* is a player's place, counted from 0 clockwise. A *move* is one decision, as a small integer that
means something to its game only; a codec (`games.proto`) turns it into a typed message and a `Words` into a
sentence. A turn of several decisions is a chain of moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, Self

from boardgamesbot.games.state import State as State

if TYPE_CHECKING:
    from boardgamesbot.games.chance import Chance

Move = int
"""One decision, as an integer that means something to its game only."""

Options = Mapping[str, str]
"""The value of every option by name; complete, defaults filled in."""


class RuleSource(StrEnum):
    """Where a rule comes from."""

    RULEBOOK = "rulebook"
    PRINTED = "printed"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule in our own words; refusals and tests name its id."""

    id: str
    title: str
    text: str
    source: RuleSource


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value an option can have."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Flag:
    """A shorter way to give an option a value, for those who type: `--expansion` or `--difficulty hard`."""

    name: str
    value: str = ""
    """The value it stands for; empty: the flag is followed by one of `choices`, in small letters."""
    choices: tuple[str, ...] = ()
    needs: str = ""
    """The flag that goes with it, if it means nothing alone."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game; the first of its values is the default."""

    name: str
    description: str
    values: tuple[OptionValue, ...]
    flags: tuple[Flag, ...] = ()
    """Of several that are given, the last one here is meant."""

    @property
    def default(self) -> str:
        return self.values[0].name


class GameError(Exception):
    """What a game can answer to input that it does not take."""


class IllegalMove(GameError):
    """A move that a rule forbids in this position."""

    def __init__(self, rule: Rule, reason: str, details: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{rule.id}: {reason}")
        self.rule = rule
        self.reason = reason
        self.details: dict[str, str] = dict(details or {})

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[Rule, str, dict[str, str]]]:
        return type(self), (self.rule, self.reason, self.details)


class Malformed(GameError):
    """Input that means nothing to the game: not a move at all, no position, no option.

    `field` is the path of the value at fault, in the words of the contract: `move.agora.walk.to`.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason

    def __reduce__(self) -> tuple[type[Malformed], tuple[str, str]]:
        return type(self), (self.field, self.reason)

    def under(self, prefix: str) -> Malformed:
        """The same fault, seen from a message that holds this one as `prefix`."""
        return Malformed(f"{prefix}.{self.field}" if self.field else prefix, self.reason)


@dataclass(frozen=True)
class Event:
    """Something that happened; each game has its own kinds."""

    def seen_by(self, seat: int | None) -> Self:
        """This event as `seat` (None: a spectator) may know it. The base class hides nothing."""
        return self

    def won_by(self, winners: Sequence[int]) -> Self:
        """This event, the winners being those of the table: a game does not know who resigned."""
        return self


class View(ABC):
    """What one seat, or a spectator, may know of a position. Bots are given views, never a state."""

    seat: int | None
    """The seat it is for; None for a spectator."""

    actor: int | None
    """The seat whose decision it is; None when the game is over."""

    @property
    def undoable(self) -> bool:
        """Whether the last move may be taken back; see `State.undoable`."""
        return False

    @abstractmethod
    def determinize(self, rng: Random) -> State:
        """A full state that agrees with everything this view knows.

        Its own view for the same seat equals this one. What is unknown is drawn with `rng`, chance
        to come included.
        """

    def legal_moves(self) -> list[Move]:
        """The legal moves of this view's seat, sorted; none where the decision is another's.

        Legality depends on nothing a seat does not know, so any determinization gives the same answer.
        """
        if self.seat is None or self.actor != self.seat:
            return []
        return self.determinize(Random(0)).legal_moves()


class Words(ABC):
    """A game in words: for terminals, logs and refusals. Plain English, markup as of the rich library."""

    @abstractmethod
    def move(self, view: View, move: Move) -> str:
        """A move as a short imperative: `Walk a Blue walker from Gràcia to Eixample`."""

    @abstractmethod
    def steps(self, view: View, move: Move) -> tuple[str, ...]:
        """A move as choices one after another, so that a person picks from short lists: `Blue`, `from Gràcia`, …"""

    @abstractmethod
    def candidates(self, view: View) -> list[Move]:
        """The moves the actor may think of: the legal ones, and others that are worth an explanation.

        In the order in which they are shown: by number, but what ends something is last.
        """

    @abstractmethod
    def event(self, event: Event, names: Sequence[str]) -> str:
        """An event, as one seat may know it, as a sentence. `names` are the players' by seat."""

    def account(self, events: Sequence[Event], names: Sequence[str]) -> list[str]:
        """What a move did, a line for each of its events; indented by spaces where it belongs to one before."""
        return [self.event(event, names) for event in events]

    @abstractmethod
    def prompt(self, view: View) -> str:
        """What the actor is asked to decide, as one line."""

    @abstractmethod
    def board(self, view: View, names: Sequence[str]) -> str:
        """The position as several lines for a terminal of 80 columns."""

    def pictures(self, view: View, names: Sequence[str]) -> list[str]:
        """The same as pictures one below another, none of which one wants to see broken."""
        return [self.board(view, names)]

    def glance(self, view: View, names: Sequence[str]) -> str:
        """What one who has seen the board needs for the next decision of the same turn; all of it if not less."""
        return self.board(view, names)

    def lean(self, view: View, names: Sequence[str]) -> str:
        """The position in so few lines that a terminal of 24 has room for the question below; all of it if not."""
        return self.board(view, names)

    def signs(self, view: View) -> Mapping[str, str]:
        """What the signs on `lean` mean that don't explain themselves: by the sign, `★ point`."""
        return {}

    def tallest_glance(self, view: View, names: Sequence[str]) -> int:
        """How many lines `glance` has at most: where there is no room for them and a question, `lean` is shown."""
        return self.glance(view, names).count("\n") + 1


@dataclass(frozen=True)
class Ruleset:
    """A game's data: boards, cards and figures, each with its source."""

    json: str
    """The document, canonical: sorted keys, no spaces."""

    hash: str = field(default="")
    """SHA-256 of `json`, in hexadecimal."""


class Game(ABC):
    """The rules of one game with one ruleset. Immutable; makes states."""

    id: str
    name: str
    min_players: int
    max_players: int
    seat_colours: tuple[str, ...]
    options: tuple[Option, ...]
    rules: Mapping[str, Rule]
    ruleset: Ruleset
    words: Words

    def complete_options(self, given: Mapping[str, str]) -> Options:
        """Every option with its value, defaults filled in. Raises Malformed for one there isn't."""
        known = {option.name: option for option in self.options}
        for name, value in given.items():
            if name not in known:
                raise Malformed(f"options.{name}", f"{self.name} has no such option; it has {', '.join(known)}")
            values = [v.name for v in known[name].values]
            if value not in values:
                raise Malformed(f"options.{name}", f"{value!r} is not one of {', '.join(values)}")
        return {option.name: given.get(option.name, option.default) for option in self.options}

    def check_players(self, players: int, options: Options) -> None:
        """Raise Malformed unless the game, with these options, takes so many players."""
        if not self.min_players <= players <= self.max_players:
            raise Malformed(
                "players", f"{self.name} is for {self.min_players} to {self.max_players} players, not {players}"
            )

    def bots_wanted(self, options: Options) -> Mapping[int, str]:
        """Seats that the rules give to a certain bot, by its id, and to nobody else."""
        return {}

    def rules_for(self, options: Options) -> Sequence[Rule]:
        """The rules that matter in a game with these options, which are complete; all of them if not fewer."""
        return list(self.rules.values())

    @abstractmethod
    def new(self, players: int, options: Options, chance: Chance) -> tuple[State, list[Event]]:
        """Set up a game. The events are what happened before the first decision. Raises Malformed."""

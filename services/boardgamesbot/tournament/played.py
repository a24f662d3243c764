"""What came of a game, and how to get to the position where it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from boardgamesbot.games import registry
from boardgamesbot.games.base import Move, State
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.tournament.schedule import Plan


class Kind(StrEnum):
    """What ended a game before its end."""

    ILLEGAL = "illegal move"
    CRASH = "crash of the bot"
    DEATH = "death of the process"
    RULES = "crash of the rules"


@dataclass(frozen=True)
class Fault:
    """Why a game ended before its end."""

    kind: Kind
    seat: int
    """Whose decision it was."""
    reason: str
    """In a line."""
    details: str
    """The traceback; empty if there is none."""
    moves: tuple[Move, ...]
    """Those made before, in order: with the seed they lead to the position."""


@dataclass(frozen=True)
class Played:
    """What came of a game, by seat. One that ended by a fault has no winner."""

    bots: tuple[str, ...]
    shares: tuple[float, ...]
    """1 for the winner, split where the victory is shared."""
    points: tuple[int, ...]
    turns: tuple[int, ...]
    """How often the decision came to each seat: moves in a row are one turn."""
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    """Of thinking, in all."""
    slowest: tuple[float, ...] = ()
    """Seconds of the longest decision."""
    iterations: tuple[int, ...] = ()
    """Of the search, in all; 0 for bots that do not search."""
    fault: Fault | None = None

    @property
    def illegal(self) -> str:
        """The illegal move that ended the game, in words; empty if none did."""
        return self.fault.reason if self.fault is not None and self.fault.kind is Kind.ILLEGAL else ""


def begin(plan: Plan) -> State:
    """The position before the first decision."""
    game = registry.game(plan.game_id)
    options = game.complete_options(dict(plan.options))
    return game.new(len(plan.bots), options, ChanceStream(plan.seed))[0]


def seats_of(plan: Plan, moves: Sequence[Move]) -> list[int]:
    """Whose each of these moves was, and whose decision came then, if the game was not over."""
    state = begin(plan)
    seats = []
    for move in moves:
        assert state.actor is not None
        seats.append(state.actor)
        state.apply(move)
    return seats if state.actor is None else [*seats, state.actor]

"""What a brain is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from boardgamesbot.games.base import Move, View

Notes = dict[str, Any]
"""What a brain keeps from one decision of a seat to the next, such as its search tree.

It begins empty, belongs to one seat of one table, and may be lost at any time: a brain plays as well by the
rules without it, if not as strongly.
"""


@dataclass(frozen=True)
class Budget:
    """How long a brain may think: until the first of the two is used up. One of iterations alone is reproducible."""

    iterations: int | None = None
    over: Callable[[], bool] = lambda: False
    """Whether time is up; asked often."""


@dataclass(frozen=True)
class Candidate:
    """A move that was thought of, as the thinking seat sees it."""

    move: Move
    visits: int
    """How many times it was tried; 0 where the brain does not count."""
    points: float
    """The seat's expected points at the end of the game."""
    win: float
    """The seat's chance to win, from 0 to 1."""


@dataclass(frozen=True)
class Thought:
    """Where a brain has got to: the move it would make now, and why."""

    move: Move
    candidates: tuple[Candidate, ...] = ()
    """The best first; none where the brain does not weigh moves."""
    iterations: int = 0


class Brain(ABC):
    """Decides for one seat. Keeps nothing between decisions but what it writes into the notes it is given."""

    @abstractmethod
    def choose(self, view: View, rng: Random) -> Move:
        """A legal move for the seat of `view`, whose decision it is. The same view and generator, the same move."""

    def think(self, view: View, rng: Random, budget: Budget, notes: Notes) -> Iterator[Thought]:
        """Thoughts that improve, a few a second at most, the last one being the answer; at least one.

        The same view, generator, notes and budget of iterations give the same answer. A brain that does not search
        has one thought.
        """
        yield Thought(self.choose(view, rng))

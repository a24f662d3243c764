"""A position of any game: the part of the interface that engines inherit, in a module of its own to be compiled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import TYPE_CHECKING, Self

from mypy_extensions import mypyc_attr

if TYPE_CHECKING:
    from boardgamesbot.games.base import Event, Game, Move, Options, View
    from boardgamesbot.games.chance import Chance


@mypyc_attr(allow_interpreted_subclasses=True)
class State(ABC):
    """A position: everything there is to know, hidden things and chance to come included."""

    game: Game
    players: int
    options: Options
    chance: Chance

    @property
    @abstractmethod
    def actor(self) -> int | None:
        """The seat whose decision it is; None when the game is over."""

    @property
    def is_over(self) -> bool:
        return self.actor is None

    @property
    @abstractmethod
    def undoable(self) -> bool:
        """Whether the last move may be taken back: it revealed nothing, and its seat is still to move."""

    @abstractmethod
    def legal_moves(self) -> list[Move]:
        """Every legal move of the actor, sorted; none when the game is over."""

    @abstractmethod
    def check(self, move: Move) -> None:
        """Raise IllegalMove with the rule that `move` breaks here, Malformed if it is no move of this game."""

    @abstractmethod
    def apply(self, move: Move) -> list[Event]:
        """Make a legal move, in place, and say what happened. Does not check: that is `check`'s or the caller's."""

    @abstractmethod
    def copy(self) -> Self:
        """A state of its own: nothing done to either shows in the other."""

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """What `seat` may know of this position; None: a spectator."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Points by seat, as if the game ended now."""

    @abstractmethod
    def winners(self, among: Collection[int] | None = None) -> list[int]:
        """The seats that win, as if the game ended now, of all or of those in `among`. Several share a victory."""

    def play(self, move: Move) -> list[Event]:
        """Check a move, then make it."""
        self.check(move)
        return self.apply(move)

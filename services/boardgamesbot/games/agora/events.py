"""What happens in Agora. Squares are numbers, 0 where the reader may not know; backs are districts, -1 if plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from boardgamesbot.games.base import Event


@dataclass(frozen=True)
class Taken(Event):
    """A square changed hands."""

    seat: int
    from_seat: int
    back: int
    square: int

    def seen_by(self, seat: int | None) -> Self:
        return self if seat in (self.seat, self.from_seat) else replace(self, square=0)


@dataclass(frozen=True)
class Played(Event):
    """A square was played: everybody sees it."""

    seat: int
    square: int
    district: int
    walkers: int


@dataclass(frozen=True)
class Discarded(Event):
    """A square was discarded face down."""

    seat: int
    back: int
    square: int

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, square=0)


@dataclass(frozen=True)
class Walked(Event):
    """`seat` moved a walker of seat `walker` and laid it down."""

    seat: int
    walker: int
    frm: int
    to: int


@dataclass(frozen=True)
class Drawn(Event):
    """A square was drawn from pile 0 or 1."""

    seat: int
    pile: int
    back: int
    square: int

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, square=0)


@dataclass(frozen=True)
class FountainPassed(Event):
    """The Magic Fountain was handed on."""

    from_seat: int
    to_seat: int


@dataclass(frozen=True)
class TurnBegan(Event):
    """A turn began, counted from 1."""

    turn: int
    fountain: int


@dataclass(frozen=True)
class Skipped(Event):
    """A seat could not do what the phase asks for, by the rule named."""

    seat: int
    phase: int
    rule: str


@dataclass(frozen=True)
class Ended(Event):
    """The game ended."""

    points: tuple[int, ...]
    winners: tuple[int, ...]

    def won_by(self, winners: Sequence[int]) -> Self:
        return replace(self, winners=tuple(winners))

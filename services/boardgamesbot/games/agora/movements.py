"""Squares changing place: the log a state keeps, and what a seat with a perfect memory saw of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import NamedTuple


class Moved(IntEnum):
    """How a square changed place; the numbers are those of the contract."""

    DEALT = 1
    TAKEN = 2
    PLAYED = 3
    DISCARDED = 4
    DRAWN = 5


_TAKEN, _PLAYED = int(Moved.TAKEN), int(Moved.PLAYED)
_LAID_DOWN = (int(Moved.PLAYED), int(Moved.DISCARDED))
"""Plain numbers, which are compared at half the cost: every view looks at every movement."""


def _giver(kind: int, seat: int, source: int) -> int:
    """The seat whose hand a square leaves, or -1."""
    if kind == _TAKEN:
        return source
    return seat if kind in _LAID_DOWN else -1


def _getter(kind: int, seat: int) -> int:
    """The seat whose hand a square enters, or -1."""
    return -1 if kind in _LAID_DOWN else seat


class Movement(NamedTuple):
    """One square changing place.

    `seat` got, played or discarded it; `source` is the seat that lost it (TAKEN), the pile 0 or 1 (DRAWN), else -1.
    """

    kind: int
    seat: int
    source: int
    square: int

    @property
    def leaves(self) -> int:
        """The seat whose hand it leaves, or -1."""
        return _giver(self.kind, self.seat, self.source)

    @property
    def enters(self) -> int:
        """The seat whose hand it enters, or -1."""
        return _getter(self.kind, self.seat)


class Log(list[Movement]):
    """The movements of a state in their order. They are only ever added to, so what is written of them stays true."""

    __slots__ = ("_so_many", "_written")

    def __init__(self, movements: Iterable[Movement] = ()) -> None:
        super().__init__(movements)
        self._written = b""
        self._so_many = 0
        """How many of the movements `_written` holds."""

    def copy(self) -> Log:
        """A log of its own, with what is written of it so far."""
        twin = Log(self)
        twin._written, twin._so_many = self._written, self._so_many
        return twin

    def written(self, write: Callable[[Movement], bytes]) -> bytes:
        """What `write`, always the same, makes of each, put together; it is asked only about those added since."""
        if self._so_many < len(self):
            self._written += b"".join(map(write, self[self._so_many :]))
            self._so_many = len(self)
        return self._written


def hands_after(movements: Iterable[Movement], players: int) -> list[list[int]]:
    """The hands that movements lead to, in the order the squares came. Raises ValueError for an impossible one."""
    hands: list[list[int]] = [[] for _ in range(players)]
    for moved in movements:
        if moved.leaves >= 0:
            hands[moved.leaves].remove(moved.square)
        if moved.enters >= 0:
            hands[moved.enters].append(moved.square)
    return hands


class Sighting(NamedTuple):
    """A movement as one reader saw it: `square` is 0 where it was not seen, `back` -1 where all are plain."""

    kind: int
    seat: int
    source: int
    back: int
    square: int

    @property
    def leaves(self) -> int:
        """The seat whose hand it leaves, or -1."""
        return _giver(self.kind, self.seat, self.source)

    @property
    def enters(self) -> int:
        """The seat whose hand it enters, or -1."""
        return _getter(self.kind, self.seat)


def sighting(movement: Movement, back: int, reader: int | None) -> Sighting:
    """What `reader` (None: a spectator) sees of a movement (AG-S5, AG-P1.1, AG-P2.1, AG-P2.4)."""
    kind, seat, source, square = movement
    seen = kind == Moved.PLAYED or reader == seat or (kind == Moved.TAKEN and reader == source)
    return Sighting(kind, seat, source, back, square if seen else 0)


class Known(NamedTuple):
    """A square as a reader knows it: its back (-1 if plain), and its number or 0."""

    back: int
    square: int


class Memory:
    """What a reader can tell for certain, having forgotten nothing: who holds what, and what lies discarded.

    A square that went into a hand in full view is known there until one with the same back leaves that hand
    unseen, unless it was the only one.
    """

    def __init__(self, players: int, sightings: tuple[Sighting, ...]) -> None:
        self.hands: list[list[Known]] = [[] for _ in range(players)]
        self.played: list[list[int]] = [[] for _ in range(players)]
        self.discarded: list[list[Known]] = [[] for _ in range(players)]
        for seen in sightings:
            self._follow(seen)
        for hand in self.hands:
            hand.sort()

    def _follow(self, seen: Sighting) -> None:
        kind, seat, source, back, square = seen
        known = Known(back, square)
        giver, getter = _giver(kind, seat, source), _getter(kind, seat)
        if giver >= 0:
            known = self._leave(self.hands[giver], known)
        if getter >= 0:
            self.hands[getter].append(known)
        elif kind == _PLAYED:
            self.played[seat].append(square)
        else:
            self.discarded[seat].append(known)

    @staticmethod
    def _leave(hand: list[Known], known: Known) -> Known:
        if known.square:
            hand.remove(known if known in hand else Known(known.back, 0))
            return known
        alike = [held for held in hand if held.back == known.back]
        if len(alike) == 1:
            hand.remove(alike[0])
            return alike[0]
        hand[:] = [Known(held.back, 0) if held.back == known.back else held for held in hand]
        hand.remove(known)
        return known

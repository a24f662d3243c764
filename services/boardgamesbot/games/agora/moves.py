"""Agora's moves as small integers: a range of numbers for each kind, so that sorting them is natural.

TAKE 0…9 (the back)    PLAY 100…159 (the square, less one)    DISCARD 200…259
WALK 300…799 (walker, from, to)    DRAW 800…801 (the pile)    PASS 900…904 (the seat)
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.base import Malformed, Move

PILES: Final = 2
MOST_PLAYERS: Final = 5

FIRST_TAKE: Final = 0
FIRST_PLAY: Final = 100
FIRST_DISCARD: Final = 200
FIRST_WALK: Final = 300
FIRST_DRAW: Final = 800
FIRST_PASS: Final = 900


class Kind(IntEnum):
    """What a move does; the value is the first number of its range."""

    TAKE = FIRST_TAKE
    PLAY = FIRST_PLAY
    DISCARD = FIRST_DISCARD
    WALK = FIRST_WALK
    DRAW = FIRST_DRAW
    PASS_FOUNTAIN = FIRST_PASS


class Parts(NamedTuple):
    """A move taken apart.

    `what` is the back, square, walker's seat, pile (0 or 1) or seat; `frm` and `to` are districts of a walk.
    """

    kind: Kind
    what: int
    frm: int = -1
    to: int = -1


def take(back: int) -> Move:
    """Take a square with the back of district `back`."""
    return Kind.TAKE + back


def play(square: int) -> Move:
    """Play the square with this number, 1 to 60."""
    return Kind.PLAY + square - 1


def discard(square: int) -> Move:
    """Discard the square with this number, 1 to 60."""
    return Kind.DISCARD + square - 1


def walk(walker: int, frm: int, to: int) -> Move:
    """Move a walker of seat `walker` from one district to another."""
    return Kind.WALK + (walker * DISTRICTS + frm) * DISTRICTS + to


def draw(pile: int) -> Move:
    """Draw from pile 0 or 1."""
    return Kind.DRAW + pile


def pass_fountain(seat: int) -> Move:
    """Hand the Magic Fountain to a seat."""
    return Kind.PASS_FOUNTAIN + seat


def _all() -> dict[Move, Parts]:
    """Every move there is, taken apart."""
    districts, seats = range(DISTRICTS), range(MOST_PLAYERS)
    squares = range(1, SQUARES + 1)
    return {
        **{take(back): Parts(Kind.TAKE, back) for back in districts},
        **{play(square): Parts(Kind.PLAY, square) for square in squares},
        **{discard(square): Parts(Kind.DISCARD, square) for square in squares},
        **{walk(s, a, b): Parts(Kind.WALK, s, a, b) for s in seats for a in districts for b in districts},
        **{draw(pile): Parts(Kind.DRAW, pile) for pile in range(PILES)},
        **{pass_fountain(seat): Parts(Kind.PASS_FOUNTAIN, seat) for seat in seats},
    }


_PARTS = _all()


def parts(move: Move) -> Parts:
    """What a number means. Raises Malformed for one that means nothing."""
    found = _PARTS.get(move)
    if found is None:
        raise Malformed("move", f"{move} is no move of Agora Barcelona")
    return found

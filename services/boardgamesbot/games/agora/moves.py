"""Agora's moves as small integers: a range of numbers for each kind, so that sorting them is natural.

    TAKE 0…9 (the back)    PLAY 100…159 (the square, less one)    DISCARD 200…259
    WALK 300…799 (walker, from, to)    DRAW 800…801 (the pile)    PASS 900…904 (the seat)
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from boardgamesbot.games.base import Malformed, Move
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES

PILES = 2
MOST_PLAYERS = 5


class Kind(IntEnum):
    """What a move does; the value is the first number of its range."""

    TAKE = 0
    PLAY = 100
    DISCARD = 200
    WALK = 300
    DRAW = 800
    PASS_FOUNTAIN = 900


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


_SIZES = {
    Kind.TAKE: DISTRICTS,
    Kind.PLAY: SQUARES,
    Kind.DISCARD: SQUARES,
    Kind.WALK: MOST_PLAYERS * DISTRICTS * DISTRICTS,
    Kind.DRAW: PILES,
    Kind.PASS_FOUNTAIN: MOST_PLAYERS,
}


def parts(move: Move) -> Parts:
    """What a number means. Raises Malformed for one that means nothing."""
    for kind, size in _SIZES.items():
        rest = move - kind
        if 0 <= rest < size:
            if kind is Kind.WALK:
                walker_and_from, to = divmod(rest, DISTRICTS)
                walker, frm = divmod(walker_and_from, DISTRICTS)
                return Parts(kind, walker, frm, to)
            return Parts(kind, rest + 1 if kind in (Kind.PLAY, Kind.DISCARD) else rest)
    raise Malformed("move", f"{move} is no move of Agora Barcelona")

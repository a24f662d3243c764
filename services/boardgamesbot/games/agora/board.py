"""What never changes of Agora's board, worked out once from a ruleset in the shape the rules of play want it.

Sets of districts are the bits of a number: bit d stands for district d. A set of *ways* out of a district is the
bits of a smaller number: bit i stands for the i-th of the districts it borders on.
"""

from __future__ import annotations

from typing import Final

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.ruleset import DISTRICTS, AgoraRuleset, Setup

ALL_DISTRICTS: Final = (1 << DISTRICTS) - 1


class Board:
    """The tables of one ruleset. Immutable."""

    def __init__(self, ruleset: AgoraRuleset) -> None:
        self.ruleset: Final = ruleset
        self.setups: Final[dict[int, Setup]] = dict(ruleset.setups)
        """By number of players."""
        self.points: Final[list[int]] = list(ruleset.points)
        self.district_of: Final[list[int]] = list(ruleset.district_of)
        """By square, from 1."""
        self.value_of: Final[list[int]] = list(ruleset.value_of)
        """By square, from 1."""
        self.borders: Final[list[int]] = [sum(1 << other for other in others) for others in ruleset.neighbours]
        """By district: the set of those it borders on."""
        self.members: Final[list[list[int]]] = [members_of(districts) for districts in range(ALL_DISTRICTS + 1)]
        """By set of districts: its members in order."""
        self.only: Final[list[int]] = [seats.bit_length() - 1 for seats in range(1 << moves.MOST_PLAYERS)]
        """By set of seats: the only member, or the last of several; -1 if empty."""
        self.most_ways: Final[int] = max(len(others) for others in ruleset.neighbours)
        """How many ways lead out of the best connected district."""
        self.ways: Final[list[int]] = [
            ways_to(ruleset.neighbours[frm], districts)
            for frm in range(DISTRICTS)
            for districts in range(ALL_DISTRICTS + 1)
        ]
        """By district and set of districts, `frm << DISTRICTS | districts`: the set of ways that lead there."""
        self.walks: Final[list[list[int]]] = [
            [moves.walk(seat, frm, to) for i, to in enumerate(ruleset.neighbours[frm]) if ways >> i & 1]
            for seat in range(moves.MOST_PLAYERS)
            for frm in range(DISTRICTS)
            for ways in range(1 << self.most_ways)
        ]
        """By seat, district and set of ways, `(seat * DISTRICTS + frm) << most_ways | ways`: the moves, sorted."""


def members_of(districts: int) -> list[int]:
    """The members of a set of districts, in order."""
    return [district for district in range(DISTRICTS) if districts >> district & 1]


def ways_to(neighbours: tuple[int, ...], districts: int) -> int:
    """The set of ways, to these neighbours in order, that lead to a set of districts."""
    return sum(1 << i for i, to in enumerate(neighbours) if districts >> to & 1)

"""Barcelona's moves as small integers: a range of numbers for each kind, so that sorting them is natural.

A number is `kind * 4096` and what the kind says, packed; see the makers below. One move is one decision: a turn is
a chain of them.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SIDE, SITES, STREETS
from boardgamesbot.games.base import Malformed, Move

RANGE: Final = 4096
CLASSES: Final = 3
BUILDINGS: Final = 4
"""Levels 1, 2, 3 and the corner building, in this order."""
DISPLAY: Final = 4
"""Modernisme tiles shown."""
PROJECTS: Final = 4
"""Project spaces of a player."""
SERVICES: Final = 5
"""Stacks of Public Services."""
SIDEWALK: Final = SIDE * SIDE
HEXAGONS: Final = 14
VIOLETS: Final = 3
MOST_STACKS: Final = 4
MOST_STORED = 32
MOST_SAGRADA_TILES = 32


class Kind(IntEnum):
    """What a move decides."""

    STOP = 0
    """Decline what is offered, or end a series."""
    PLACE = 1
    """Both citizens on an intersection, and which one on top."""
    ACTION = 2
    """Take the action of a street of the intersection."""
    KEEP = 3
    """So many coins; the rest of the storage is cloth."""
    SECTION = 4
    """Where a street tile goes."""
    STACK = 5
    """Which stack of the player board a tile or marker is taken from."""
    INTERSECTION = 6
    """Where an Intersection tile goes."""
    TRAM = 7
    """Where the tram ends."""
    PASSENGER = 8
    """Place a passenger on the tram's section."""
    RIDE = 9
    """Take the action of the passenger's street."""
    COBBLESTONE = 10
    """Where a cobblestone goes on the Sidewalk."""
    SERVICE = 11
    """Which Public Service is built."""
    MODERNISME = 12
    """Which tile shown goes to which project space."""
    IMPROVE = 13
    """Which project space is improved."""
    SAGRADA = 14
    """Which Sagrada Família tile is taken."""
    BUILD = 15
    """What is built where, with the top citizens of which intersections."""
    RESOURCE = 16
    """Coins (0) or cloth (1)."""
    CHOICE = 17
    """Which of two effects."""
    PART = 18
    """Which part of an effect comes first."""
    PEDESTRIAN = 19
    """Which Pedestrian: Barcelona (0) or Gràcia (1)."""
    STEP = 20
    """One more step of the Pedestrian."""
    HEXAGON = 21
    """Where a hexagonal cobblestone goes, and which violet one counts."""
    GAUDI = 22
    """Gaudí's turn: the one move that his rules leave him."""


class Parts(NamedTuple):
    """A move taken apart; what `what`, `which` and `using` are depends on the kind.

    `what`: intersection, street, number of coins, section, stack, space, tile shown, tile, site, choice, Pedestrian.
    `which`: PLACE the class on top (1 to 3); MODERNISME the project space; BUILD the building (0 to 3);
    HEXAGON the violet cobblestone. `using`: BUILD the intersections of the site, as bits in their order.
    """

    kind: Kind
    what: int = 0
    which: int = 0
    using: int = 0


STOP: Final = 0
PASSENGER: Final = int(Kind.PASSENGER) * RANGE
RIDE: Final = int(Kind.RIDE) * RANGE
STEP: Final = int(Kind.STEP) * RANGE
GAUDI: Final = int(Kind.GAUDI) * RANGE

FIRST_PLACE: Final = int(Kind.PLACE) * RANGE
"""The first number of a kind, and so on below: what the makers and the engine add to."""
FIRST_ACTION: Final = int(Kind.ACTION) * RANGE
FIRST_KEEP: Final = int(Kind.KEEP) * RANGE
FIRST_SECTION: Final = int(Kind.SECTION) * RANGE
FIRST_STACK: Final = int(Kind.STACK) * RANGE
FIRST_INTERSECTION: Final = int(Kind.INTERSECTION) * RANGE
FIRST_TRAM: Final = int(Kind.TRAM) * RANGE
FIRST_COBBLESTONE: Final = int(Kind.COBBLESTONE) * RANGE
FIRST_SERVICE: Final = int(Kind.SERVICE) * RANGE
FIRST_MODERNISME: Final = int(Kind.MODERNISME) * RANGE
FIRST_IMPROVE: Final = int(Kind.IMPROVE) * RANGE
FIRST_SAGRADA: Final = int(Kind.SAGRADA) * RANGE
FIRST_BUILD: Final = int(Kind.BUILD) * RANGE
FIRST_RESOURCE: Final = int(Kind.RESOURCE) * RANGE
FIRST_CHOICE: Final = int(Kind.CHOICE) * RANGE
FIRST_PART: Final = int(Kind.PART) * RANGE
FIRST_PEDESTRIAN: Final = int(Kind.PEDESTRIAN) * RANGE
FIRST_HEXAGON: Final = int(Kind.HEXAGON) * RANGE


def place(intersection: int, top: int) -> Move:
    """Place both citizens, the one of class `top` (1 to 3) on top."""
    return FIRST_PLACE + intersection * 4 + top


def simple(kind: Kind, what: int) -> Move:
    """A move of a kind that says one thing only."""
    return kind * RANGE + what


def modernisme(shown: int, space: int) -> Move:
    """Put the tile at place `shown` of the display into a project space."""
    return FIRST_MODERNISME + shown * PROJECTS + space


def build(site: int, building: int, using: int) -> Move:
    """Build on a site with the top citizens of the intersections in `using`, as bits in the site's order."""
    return FIRST_BUILD + (site * BUILDINGS + building) * 16 + using


def hexagon(space: int, violet: int) -> Move:
    """Place a hexagonal cobblestone and count the condition of a violet one."""
    return FIRST_HEXAGON + space * VIOLETS + violet


_SIMPLE = {
    Kind.STOP: 1,
    Kind.ACTION: STREETS,
    Kind.KEEP: MOST_STORED,
    Kind.SECTION: SECTIONS,
    Kind.STACK: MOST_STACKS,
    Kind.INTERSECTION: INTERSECTIONS,
    Kind.TRAM: SECTIONS,
    Kind.PASSENGER: 1,
    Kind.RIDE: 1,
    Kind.COBBLESTONE: SIDEWALK,
    Kind.SERVICE: SERVICES,
    Kind.IMPROVE: PROJECTS,
    Kind.SAGRADA: MOST_SAGRADA_TILES,
    Kind.RESOURCE: 2,
    Kind.CHOICE: 2,
    Kind.PART: 2,
    Kind.PEDESTRIAN: 2,
    Kind.STEP: 1,
    Kind.GAUDI: 1,
}


def kind_of(move: Move) -> int:
    """The kind of a move that is known to be one."""
    return move // RANGE


@cache
def parts(move: Move) -> Parts:
    """What a number means. Raises Malformed for one that means nothing."""
    number, rest = divmod(move, RANGE)
    if 0 <= number <= max(Kind):
        kind = Kind(number)
        found = _parts(kind, rest)
        if found is not None:
            return found
    raise Malformed("move", f"{move} is no move of Barcelona")


def _parts(kind: Kind, rest: int) -> Parts | None:
    if kind in _SIMPLE:
        return Parts(kind, rest) if rest < _SIMPLE[kind] else None
    if kind is Kind.PLACE:
        where, top = divmod(rest, 4)
        return Parts(kind, where, top) if where < INTERSECTIONS and top else None
    if kind is Kind.MODERNISME:
        shown, space = divmod(rest, PROJECTS)
        return Parts(kind, shown, space) if shown < DISPLAY else None
    if kind is Kind.BUILD:
        where, using = divmod(rest, 16)
        site, building = divmod(where, BUILDINGS)
        return Parts(kind, site, building, using) if site < SITES else None
    space, violet = divmod(rest, VIOLETS)
    return Parts(kind, space, violet) if space < HEXAGONS else None

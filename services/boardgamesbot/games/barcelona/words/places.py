"""What the city's places are called, in refusals and on the terminal.

Vertical streets are A to E from the left, horizontal ones 1 to 5 from the top; where they cross is `C2`, and
everything else is named after its intersections.
"""

from __future__ import annotations

from boardgamesbot.games.barcelona.geometry import (
    BLOCKS_A_SIDE,
    DIAGONAL,
    SIDE,
    SITES,
    City,
    at,
    ends,
)
from boardgamesbot.games.barcelona.moves import SIDEWALK

COLUMNS = "ABCDE"
VIOLET_PLACES = ("left", "middle", "right")
"""Where the violet cobblestones lie."""
PEDESTRIAN_NAMES = ("the Barcelona Pedestrian", "the Gràcia Pedestrian")
"""By the city they start from."""


def intersection(number: int) -> str:
    """`C2`."""
    y, x = divmod(number, SIDE)
    return f"{COLUMNS[x]}{y + 1}"


def section(number: int) -> str:
    """`B2-C2`."""
    first, second = ends(number)
    return f"{intersection(first)}-{intersection(second)}"


def street(number: int) -> str:
    """`street C`, `street 3` or `the Diagonal`."""
    if number == DIAGONAL:
        return "the Diagonal"
    return f"street {COLUMNS[number]}" if number < SIDE else f"street {number - SIDE + 1}"


def block(number: int) -> str:
    """`the block B2-C3`, by its top left and bottom right."""
    row, column = divmod(number, BLOCKS_A_SIDE)
    return f"the block {intersection(at(column, row))}-{intersection(at(column + 1, row + 1))}"


def site(city: City, number: int) -> str:
    """`the block B2-C3`, or `the upper corner of the block D1-E2` for one of its triangles."""
    place = city.sites[number]
    if not place.corner:
        return block(place.block)
    upper = number + 1 < SITES and city.sites[number + 1].block == place.block
    return f"the {'upper' if upper else 'lower'} corner of {block(place.block)}"


def site_in_short(city: City, number: int) -> str:
    """`block B2-C3`, or `D1-E2, upper corner`."""
    said = site(city, number).removeprefix("the ")
    corner, _, where = said.partition(" of the block ")
    return f"{where}, {corner}" if where else said


def sidewalk(space: int) -> str:
    """`space 8 of the Sidewalk`, counted from its top left along the rows."""
    if not 0 <= space < SIDEWALK:
        raise IndexError(space)
    return f"space {space + 1} of the Sidewalk"


def hexagon(space: int) -> str:
    """`hexagonal space 5`."""
    return f"hexagonal space {space + 1}"

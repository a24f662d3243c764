"""Gaudí's arrow: directions from his meeple, clockwise, as whole numbers so that no rounding decides (BA-G3).

Points are in twelfths of a block: the middle of a section and the centre of any site are whole there.
"""

from __future__ import annotations

from typing import NamedTuple

from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SIDE, Site, ends

UNIT = 12
ARROWS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Clockwise from the north, which is up."""
NOWHERE = len(ARROWS)
"""The direction from a point to itself: after all others."""
_BY_SIGNS = {(0, -1): 0, (1, -1): 1, (1, 0): 2, (1, 1): 3, (0, 1): 4, (-1, 1): 5, (-1, 0): 6, (-1, -1): 7}


class Point(NamedTuple):
    """A place in the city, or on the Sidewalk, in twelfths of a block."""

    x: int
    y: int


def turns(arrow: int, origin: Point, point: Point) -> int:
    """How many eighths of a circle clockwise from the arrow a point lies; only the signs of its distances count."""
    dx, dy = point.x - origin.x, point.y - origin.y
    signs = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
    return NOWHERE if signs == (0, 0) else (_BY_SIGNS[signs] - arrow) % len(ARROWS)


def order(arrow: int, origin: Point, point: Point) -> tuple[int, int, int]:
    """Arrow order: clockwise from the arrow, then higher up, then further left."""
    return turns(arrow, origin, point), point.y, point.x


def kings_distance(a: int, b: int) -> int:
    """Steps of a chess king between two intersections, or two spaces of the Sidewalk."""
    return max(abs(a % SIDE - b % SIDE), abs(a // SIDE - b // SIDE))


def of_intersection(intersection: int) -> Point:
    """Where an intersection, or a space of the Sidewalk, is."""
    return Point(UNIT * (intersection % SIDE), UNIT * (intersection // SIDE))


def middle_of(intersections: tuple[int, ...]) -> Point:
    """The mean of some intersections: of two, three or four."""
    share = UNIT // len(intersections)
    return Point(share * sum(i % SIDE for i in intersections), share * sum(i // SIDE for i in intersections))


POINTS = tuple(of_intersection(i) for i in range(INTERSECTIONS))
MIDDLES = tuple(middle_of(ends(section)) for section in range(SECTIONS))
"""The middle of each section."""


def centre(site: Site) -> Point:
    """The centre of a building site."""
    return middle_of(site.around)

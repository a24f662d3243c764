"""The city's grid: intersections, street sections, blocks and building sites, all as small integers.

Intersections are `y * 5 + x`, x from left, y from top. Sections: 0…19 lie on horizontal streets, `y * 4 + x`
between x and x + 1; 20…39 on vertical ones, `20 + x * 4 + y` between y and y + 1. Blocks are `row * 4 + column`.
Streets, and the action spaces at their ends: 0…4 vertical, 5…9 horizontal, 10 the diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

SIDE: Final = 5
BLOCKS_A_SIDE: Final = SIDE - 1
INTERSECTIONS: Final = SIDE * SIDE
SECTIONS: Final = 2 * SIDE * BLOCKS_A_SIDE
BLOCKS: Final = BLOCKS_A_SIDE * BLOCKS_A_SIDE
STREETS: Final = 2 * SIDE + 1
DIAGONAL: Final = STREETS - 1
SITES: Final = BLOCKS + BLOCKS_A_SIDE
"""Whole blocks, and two triangles in each block that the diagonal cuts."""


class Site(NamedTuple):
    """A place for one building: a whole block, or half of one that the diagonal cuts."""

    block: int
    corner: bool
    """Whether it is a triangle."""
    around: tuple[int, ...]
    """The intersections at its corners, in order."""


@dataclass(frozen=True)
class City:
    """The grid with its diagonal; `rising` runs from the bottom left to the top right."""

    rising: bool
    on_diagonal: tuple[bool, ...]
    """By intersection."""
    streets_at: tuple[tuple[int, ...], ...]
    """The streets that cross at each intersection: vertical, horizontal, and the diagonal where it does."""
    sections_at: tuple[tuple[int, ...], ...]
    """The sections that touch each intersection."""
    sites: tuple[Site, ...]
    around: tuple[tuple[bool, tuple[int, ...]], ...]
    """Of each site whether it is a triangle, and the intersections at its corners: quick to walk over."""
    sites_at: tuple[tuple[int, ...], ...]
    """The sites that touch each intersection."""


def at(x: int, y: int) -> int:
    """The intersection at column x and row y."""
    return y * SIDE + x


def horizontal(x: int, y: int) -> int:
    """The section right of (x, y)."""
    return y * BLOCKS_A_SIDE + x


def vertical(x: int, y: int) -> int:
    """The section below (x, y)."""
    return SECTIONS // 2 + x * BLOCKS_A_SIDE + y


def ends(section: int) -> tuple[int, int]:
    """The two intersections that a section joins."""
    half = SECTIONS // 2
    if section < half:
        y, x = divmod(section, BLOCKS_A_SIDE)
        return at(x, y), at(x + 1, y)
    x, y = divmod(section - half, BLOCKS_A_SIDE)
    return at(x, y), at(x, y + 1)


def street_of(section: int) -> int:
    """The street that a section is part of."""
    half = SECTIONS // 2
    return SIDE + section // BLOCKS_A_SIDE if section < half else (section - half) // BLOCKS_A_SIDE


def along(street: int) -> range:
    """The sections of a street, in order; none for the diagonal, which carries no tiles."""
    if street == DIAGONAL:
        return range(0)
    first = (street - SIDE) * BLOCKS_A_SIDE if street >= SIDE else SECTIONS // 2 + street * BLOCKS_A_SIDE
    return range(first, first + BLOCKS_A_SIDE)


def is_border(section: int) -> bool:
    """Whether a tram may enter the city there: on one of the four outer streets."""
    return street_of(section) in (0, SIDE - 1, SIDE, DIAGONAL - 1)


NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(other for other in range(SECTIONS) if other != section and set(ends(other)) & set(ends(section)))
    for section in range(SECTIONS)
)
"""The sections that share an intersection with each, at any angle."""

BORDER: tuple[int, ...] = tuple(section for section in range(SECTIONS) if is_border(section))
"""Where a tram may enter."""


def city(*, rising: bool) -> City:
    """The grid with a diagonal that rises, or falls, from left to right."""
    last = SIDE - 1
    diagonal = [x == last - y if rising else x == y for y in range(SIDE) for x in range(SIDE)]
    sites: list[Site] = []
    for row in range(BLOCKS_A_SIDE):
        for column in range(BLOCKS_A_SIDE):
            corners = (at(column, row), at(column + 1, row), at(column, row + 1), at(column + 1, row + 1))
            block = row * BLOCKS_A_SIDE + column
            cut = column + row == last - 1 if rising else column == row
            if cut:
                without = (3, 0) if rising else (2, 1)
                sites += [Site(block, True, tuple(c for i, c in enumerate(corners) if i != left)) for left in without]
            else:
                sites.append(Site(block, False, corners))
    return City(
        rising=rising,
        on_diagonal=tuple(diagonal),
        streets_at=tuple(
            (i % SIDE, SIDE + i // SIDE, DIAGONAL) if diagonal[i] else (i % SIDE, SIDE + i // SIDE)
            for i in range(INTERSECTIONS)
        ),
        sections_at=tuple(
            tuple(section for section in range(SECTIONS) if i in ends(section)) for i in range(INTERSECTIONS)
        ),
        sites=tuple(sites),
        around=tuple((site.corner, site.around) for site in sites),
        sites_at=tuple(
            tuple(number for number, site in enumerate(sites) if i in site.around) for i in range(INTERSECTIONS)
        ),
    )

"""What tiles, stones and Amenities count: one function for each name that the data files may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.geometry import BLOCKS, BLOCKS_A_SIDE

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

Counter = Callable[["BarcelonaState", int], int]


def blocks_of(state: BarcelonaState, seat: int) -> list[bool]:
    """Whether a seat has a marker in each block, at any height, in either triangle (BA-CS4)."""
    own = [False] * BLOCKS
    for site, markers in enumerate(state.markers):
        if seat in markers:
            own[state.ruleset.city.sites[site].block] = True
    return own


def bottom_markers(state: BarcelonaState, seat: int) -> int:
    """Own markers at the bottom of their stack on buildings that are no corners; a lone one counts."""
    sites = state.ruleset.city.sites
    return sum(1 for i, pile in enumerate(state.markers) if pile and pile[0] == seat and not sites[i].corner)


def corner_blocks(state: BarcelonaState, seat: int) -> int:
    """Blocks with a corner building of one's own."""
    sites = state.ruleset.city.sites
    return len({sites[i].block for i, pile in enumerate(state.markers) if seat in pile and sites[i].corner})


def longest_line(state: BarcelonaState, seat: int) -> int:
    """Blocks in the longest straight unbroken line of own blocks, along a row or a column."""
    own, longest = blocks_of(state, seat), 0
    for line in range(BLOCKS_A_SIDE):
        in_row = in_column = 0
        for place in range(BLOCKS_A_SIDE):
            in_row = in_row + 1 if own[line * BLOCKS_A_SIDE + place] else 0
            in_column = in_column + 1 if own[place * BLOCKS_A_SIDE + line] else 0
            longest = max(longest, in_row, in_column)
    return longest


def rows(state: BarcelonaState, seat: int) -> int:
    """Rows of blocks with at least one own marker."""
    own, found = blocks_of(state, seat), 0
    for row in range(BLOCKS_A_SIDE):
        if True in own[row * BLOCKS_A_SIDE : (row + 1) * BLOCKS_A_SIDE]:
            found += 1
    return found


def upgrades(state: BarcelonaState, seat: int) -> int:
    """Own markers that lie on another marker."""
    found = 0
    for pile in state.markers:
        if len(pile) > 1:
            found += pile[1:].count(seat)
    return found


def markers(state: BarcelonaState, seat: int) -> int:
    """Own building markers on the board."""
    found = 0
    for pile in state.markers:
        if pile:
            found += pile.count(seat)
    return found


def passengers_on_streets(state: BarcelonaState, seat: int) -> int:
    """Own passengers on sections with a street tile, whoever's."""
    found = 0
    for section, owner in enumerate(state.passengers):
        if owner == seat and state.streets[section]:
            found += 1
    return found


def emptied_stacks(state: BarcelonaState, seat: int) -> int:
    """Emptied stacks of markers, narrow and wide streets on the player board."""
    return emptied_marker_stacks(state, seat) + state.narrow[seat].count(0) + state.wide[seat].count(0)


def emptied_marker_stacks(state: BarcelonaState, seat: int) -> int:
    """Emptied stacks of markers on the player board."""
    return state.marker_stacks[seat].count(0)


def improved_modernisme(state: BarcelonaState, seat: int) -> int:
    """Own Modernisme tiles whose project space is improved."""
    return sum(
        1 for tile, improved in zip(state.projects[seat], state.improved[seat], strict=True) if tile >= 0 and improved
    )


COUNTS: dict[str, Counter] = {
    "bottom_markers": bottom_markers,
    "corner_blocks": corner_blocks,
    "longest_line": longest_line,
    "intersections": lambda state, seat: state.intersections_built[seat],
    "passengers": lambda state, seat: state.passengers_placed[seat],
    "passengers_on_streets": passengers_on_streets,
    "wide_streets": lambda state, seat: sum(state.ruleset.wide.sizes) - sum(state.wide[seat]),
    "narrow_streets": lambda state, seat: sum(state.ruleset.narrow.sizes) - sum(state.narrow[seat]),
    "services": lambda state, seat: len(state.services_of[seat]),
    "cobblestones": lambda state, seat: state.cobblestones_placed[seat],
    "modernisme_tiles": lambda state, seat: len([tile for tile in state.projects[seat] if tile >= 0]),
    "improved_spaces": lambda state, seat: sum(state.improved[seat]),
    "improved_modernisme": improved_modernisme,
    "sagrada_tiles": lambda state, seat: len(state.sagrada_of[seat]),
    "rows": rows,
    "upgrades": upgrades,
    "markers": markers,
    "resources": lambda state, seat: state.coins[seat] + state.cloth[seat],
    "cerda_multiplier": lambda state, seat: state.ruleset.multipliers[state.cerda[seat]],
    "emptied_stacks": emptied_stacks,
    "emptied_marker_stacks": emptied_marker_stacks,
    "joy_barcelona": lambda state, seat: state.joy[2 * seat],
    "joy_gracia": lambda state, seat: state.joy[2 * seat + 1],
}
"""By the name in the data files; effects refer to a count by its place here."""
COUNTERS = tuple(COUNTS.values())
"""The same by place."""

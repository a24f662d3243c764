"""Constructing a building, and what it sets going."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.events import Built, CitizenTracked, MarkerPlaced, Pieces, RowBonusTaken
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE
from boardgamesbot.games.barcelona.moves import BUILDINGS, FIRST_STACK, RANGE, build
from boardgamesbot.games.barcelona.reasons import FOR_BUILDING, FOR_ROW, FOR_TRACK
from boardgamesbot.games.barcelona.tasks import (
    DO_EFFECT,
    DO_EMPTIED,
    DO_MARKER,
    DO_ROW_BONUS,
    DO_TO_TRACK,
    DO_TRACK_VP,
    Task,
)

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move

_MARKERS: Final = int(Pieces.MARKERS)
TOP: Final = 3
"""The bits of a stack that tell its top citizen."""
FITTING: Final = (((0, 1, 2), (1, 2), (2,), ()), ((3,), (), (), (), ()))
"""The kinds of buildings that fit a block (0) or a corner (1), by the kind standing there plus 1 (BA-B2, BA-B3)."""


def may_stand(state: BarcelonaState, site: int, kind: int) -> bool:
    """Whether a kind of building fits a site as it is: empty, or lower for a block (BA-B2, BA-B3)."""
    return kind in FITTING[state.ruleset.city.sites[site].corner][state.buildings[site] + 1]


@cache
def choices(citizens: int, wants: int) -> tuple[tuple[int, ...], ...]:
    """The ways to choose citizens for a building, as bits, sorted; by the tops around its site, two bits each (BA-B2).

    So many citizens it takes, one of them of the class it wants (0: any).
    """
    return tuple(_choices(citizens, wants, [tops >> shift & TOP for shift in (0, 2, 4, 6)]) for tops in range(256))


def _choices(citizens: int, wants: int, tops: list[int]) -> tuple[int, ...]:
    occupied = [i for i, top in enumerate(tops) if top]
    found = [
        sum(1 << i for i in chosen)
        for chosen in combinations(occupied, citizens)
        if not wants or any(tops[i] == wants for i in chosen)
    ]
    return tuple(sorted(found))


def ask_build(state: BarcelonaState, _: Task) -> list[Move]:
    """Every site, building and choice of citizens; there is no declining (BA-B1)."""
    if not any(state.marker_stacks[state.seat]):
        return []
    citizens, standing, left = state.citizens, state.buildings, state.buildings_left
    ways = [choices(building.citizens, building.wants) for building in state.ruleset.buildings]
    found: list[Move] = []
    for site, (corner, around) in enumerate(state.ruleset.city.around):
        tops = shift = 0
        for intersection in around:
            tops |= (citizens[intersection] & TOP) << shift
            shift += 2
        if tops:
            for kind in FITTING[corner][standing[site] + 1]:
                if left[kind]:
                    first = build(site, kind, 0)
                    found += [first + using for using in ways[kind][tops]]
    return found


def raise_building(state: BarcelonaState, site: int, kind: int, used: tuple[int, ...]) -> tuple[int, ...]:
    """The top citizens of some intersections off, the tile onto its site; gives the citizens' classes."""
    classes = tuple(state.citizens[i] & TOP for i in used)
    for i in used:
        state.citizens[i] >>= 2
    state.buildings_left[kind] -= 1
    state.buildings[site] = kind
    if state.events is not None:
        state.tell(Built(state.seat, site, kind, used, classes))
    return classes


def answer_build(state: BarcelonaState, _: Task, move: Move) -> None:
    """Citizens off, tile on, rewards, marker, row bonus, citizens to the track, its points (BA-B5)."""
    where, using = divmod(move % RANGE, 16)
    number, kind = divmod(where, BUILDINGS)
    state.tasks.pop()
    around = state.ruleset.city.sites[number].around
    classes = raise_building(state, number, kind, tuple(i for bit, i in enumerate(around) if using >> bit & 1))
    state.push(
        (DO_EFFECT, state.ruleset.buildings[kind].effect, FOR_BUILDING, 0),
        (DO_MARKER, number),
        (DO_ROW_BONUS, number),
        (DO_TO_TRACK, *classes),
        (DO_TRACK_VP,),
    )


def ask_marker(state: BarcelonaState, _: Task) -> list[Move]:
    """Any stack of markers that is not empty."""
    return [FIRST_STACK + i for i, left in enumerate(state.marker_stacks[state.seat]) if left]


def place_marker(state: BarcelonaState, site: int, stack: int) -> None:
    """A marker from a stack onto a building, above any that lies there."""
    seat = state.seat
    state.marker_stacks[seat][stack] -= 1
    state.markers[site] = (*state.markers[site], seat)
    if state.events is not None:
        state.tell(MarkerPlaced(seat, site, stack))


def answer_marker(state: BarcelonaState, task: Task, move: Move) -> None:
    site, stack = task[1], move % RANGE
    state.tasks.pop()
    place_marker(state, site, stack)
    state.tasks.append((DO_EMPTIED, _MARKERS, stack))


def do_row_bonus(state: BarcelonaState, task: Task) -> None:
    """The first building of a row of blocks takes its bonus (BA-B6)."""
    row = state.ruleset.city.sites[task[1]].block // BLOCKS_A_SIDE
    if state.bonus_left[row]:
        state.bonus_left[row] = False
        if state.events is not None:
            state.tell(RowBonusTaken(state.seat, row))
        gains.points(state, state.seat, state.ruleset.row_vp, FOR_ROW)


def free_space(state: BarcelonaState, row: int) -> int:
    """The leftmost free space of a row of the citizen track; its length when it is full (BA-B7)."""
    space = state.track[row]
    for covered in state.ruleset.covered[state.boards]:
        if covered <= space:
            space += 1
    return space


def do_to_track(state: BarcelonaState, task: Task) -> None:
    """Each citizen to the leftmost free space of its row; out of the game where it is full (BA-B7, BA-B9)."""
    length = len(state.ruleset.track_vp)
    for citizen in task[1:]:
        row = citizen - 1
        space = free_space(state, row)
        if space < length:
            state.track[row] += 1
        else:
            state.box[row] += 1
            space = -1
        if state.events is not None:
            state.tell(CitizenTracked(state.seat, citizen, space))


def track_points(state: BarcelonaState) -> int:
    """The lowest points in sight on any row; the last ones where all are covered (BA-B8)."""
    points = state.ruleset.track_vp
    lowest = min(free_space(state, 0), free_space(state, 1), free_space(state, 2))
    return points[min(lowest, len(points) - 1)]


def do_track_vp(state: BarcelonaState, _: Task) -> None:
    gains.points(state, state.seat, track_points(state), FOR_TRACK)

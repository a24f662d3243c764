"""Constructing a building, and what it sets going."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.events import Built, CitizenTracked, MarkerPlaced, Pieces, Reason, RowBonusTaken
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE
from boardgamesbot.games.barcelona.moves import RANGE, Kind, build, parts, simple
from boardgamesbot.games.barcelona.tasks import Do, Task

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.ruleset import Building
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move

TOP = 3
"""The bits of a stack that tell its top citizen."""


def may_stand(state: BarcelonaState, site: int, kind: int) -> bool:
    """Whether a kind of building fits a site as it is: empty, or lower for a block (BA-B2, BA-B3)."""
    corner, there = state.ruleset.city.sites[site].corner, state.buildings[site]
    if state.ruleset.buildings[kind].corner != corner:
        return False
    return there < 0 or (not corner and there < kind)


def _choices(building: Building, tops: list[int]) -> list[int]:
    """The ways to choose citizens for a building among the tops around its site, as bits (BA-B2)."""
    occupied = [i for i, top in enumerate(tops) if top]
    return [
        sum(1 << i for i in chosen)
        for chosen in combinations(occupied, building.citizens)
        if not building.wants or any(tops[i] == building.wants for i in chosen)
    ]


def ask_build(state: BarcelonaState, _: Task) -> list[Move]:
    """Every site, building and choice of citizens; there is no declining (BA-B1)."""
    if not any(state.marker_stacks[state.seat]):
        return []
    buildings, citizens = state.ruleset.buildings, state.citizens
    found: list[Move] = []
    for number, site in enumerate(state.ruleset.city.sites):
        tops = [citizens[i] & TOP for i in site.around]
        if not any(tops):
            continue
        for kind, building in enumerate(buildings):
            if state.buildings_left[kind] and may_stand(state, number, kind):
                found += sorted(build(number, kind, using) for using in _choices(building, tops))
    return found


def raise_building(state: BarcelonaState, site: int, kind: int, used: tuple[int, ...]) -> tuple[int, ...]:
    """The top citizens of some intersections off, the tile onto its site; gives the citizens' classes."""
    classes = tuple(state.citizens[i] & TOP for i in used)
    for i in used:
        state.citizens[i] >>= 2
    state.buildings_left[kind] -= 1
    state.buildings[site] = kind
    state.tell(Built(state.seat, site, kind, used, classes))
    return classes


def answer_build(state: BarcelonaState, _: Task, move: Move) -> None:
    """Citizens off, tile on, rewards, marker, row bonus, citizens to the track, its points (BA-B5)."""
    made = parts(move)
    number, kind, using = made.what, made.which, made.using
    state.tasks.pop()
    around = state.ruleset.city.sites[number].around
    classes = raise_building(state, number, kind, tuple(i for bit, i in enumerate(around) if using >> bit & 1))
    state.push(
        (Do.EFFECT, state.ruleset.buildings[kind].effect, Reason.BUILDING, 0),
        (Do.MARKER, number),
        (Do.ROW_BONUS, number),
        (Do.TO_TRACK, *classes),
        (Do.TRACK_VP,),
    )


def ask_marker(state: BarcelonaState, _: Task) -> list[Move]:
    """Any stack of markers that is not empty."""
    return [simple(Kind.STACK, i) for i, left in enumerate(state.marker_stacks[state.seat]) if left]


def place_marker(state: BarcelonaState, site: int, stack: int) -> None:
    """A marker from a stack onto a building, above any that lies there."""
    seat = state.seat
    state.marker_stacks[seat][stack] -= 1
    state.markers[site] = (*state.markers[site], seat)
    state.tell(MarkerPlaced(seat, site, stack))


def answer_marker(state: BarcelonaState, task: Task, move: Move) -> None:
    site, stack = task[1], move % RANGE
    state.tasks.pop()
    place_marker(state, site, stack)
    state.push((Do.EMPTIED, Pieces.MARKERS, stack))


def do_row_bonus(state: BarcelonaState, task: Task) -> None:
    """The first building of a row of blocks takes its bonus (BA-B6)."""
    row = state.ruleset.city.sites[task[1]].block // BLOCKS_A_SIDE
    if state.bonus_left[row]:
        state.bonus_left[row] = False
        state.tell(RowBonusTaken(state.seat, row))
        gains.points(state, state.seat, state.ruleset.row_vp, Reason.ROW)


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
        state.tell(CitizenTracked(state.seat, citizen, space))


def track_points(state: BarcelonaState) -> int:
    """The lowest points in sight on any row; the last ones where all are covered (BA-B8)."""
    points = state.ruleset.track_vp
    lowest = min(free_space(state, row) for row in range(3))
    return points[min(lowest, len(points) - 1)]


def do_track_vp(state: BarcelonaState, _: Task) -> None:
    gains.points(state, state.seat, track_points(state), Reason.TRACK)

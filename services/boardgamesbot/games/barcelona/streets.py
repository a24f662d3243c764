"""Streets and intersections: tiles from the player board onto the city."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.events import IntersectionBuilt, Pieces, StackEmptied, StreetBuilt
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE
from boardgamesbot.games.barcelona.moves import FIRST_INTERSECTION, FIRST_SECTION, FIRST_STACK, RANGE, STOP
from boardgamesbot.games.barcelona.reasons import FOR_ICON, FOR_RUN, FOR_STACK
from boardgamesbot.games.barcelona.tasks import DO_EFFECT, DO_EMPTIED, DO_RUN, DO_STREET, DO_STREET_STACK, Task

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move

NARROW: Final = 1
WIDE: Final = 2
_MARKERS: Final = int(Pieces.MARKERS)
_NARROW_TILES: Final = int(Pieces.NARROW)
_WIDE_TILES: Final = int(Pieces.WIDE)


def stacks(state: BarcelonaState, seat: int, pieces: int) -> list[int]:
    """How many pieces are left in each stack of a player board."""
    if pieces == _MARKERS:
        return state.marker_stacks[seat]
    return state.narrow[seat] if pieces == _NARROW_TILES else state.wide[seat]


def tiles(state: BarcelonaState, seat: int, kind: int) -> list[int]:
    """How many narrow (1) or wide (2) street tiles are left in each stack."""
    return state.narrow[seat] if kind == NARROW else state.wide[seat]


def can_build_street(state: BarcelonaState, seat: int, kind: int) -> bool:
    """A tile in stock and a free section (BA-ST1)."""
    return any(tiles(state, seat, kind)) and 0 in state.streets


def ask_street(state: BarcelonaState, task: Task) -> list[Move]:
    """Any section without a tile (BA-ST1)."""
    _, kind, _, first = task
    if not any(tiles(state, state.seat, kind)):
        return []
    found = [] if first else [STOP]
    first_section = FIRST_SECTION
    return found + [first_section + section for section, built in enumerate(state.streets) if not built]


def answer_street(state: BarcelonaState, task: Task, move: Move) -> None:
    _, kind, more, _ = task
    state.tasks.pop()
    if move == STOP:
        return
    if more > 1:
        state.tasks.append((DO_STREET, kind, more - 1, 0))
    state.tasks.append((DO_STREET_STACK, kind, move % RANGE))


def ask_street_stack(state: BarcelonaState, task: Task) -> list[Move]:
    """Any stack with a tile in it."""
    return [FIRST_STACK + i for i, left in enumerate(tiles(state, state.seat, task[1])) if left]


def lay_street(state: BarcelonaState, kind: int, section: int, stack: int) -> None:
    """A tile from a stack onto a section, before what it brings."""
    seat = state.seat
    tiles(state, seat, kind)[stack] -= 1
    state.streets[section] = kind
    state.street_owners[section] = seat
    if state.events is not None:
        state.tell(StreetBuilt(seat, section, kind, stack))


def answer_street_stack(state: BarcelonaState, task: Task, move: Move) -> None:
    """Tile, printed benefit, run, and last the reward of an emptied stack (BA-ST3)."""
    _, kind, section = task
    stack = move % RANGE
    state.tasks.pop()
    lay_street(state, kind, section, stack)
    state.push(
        (DO_EFFECT, state.ruleset.icons[section], FOR_ICON, 0),
        (DO_RUN, section),
        (DO_EMPTIED, _NARROW_TILES if kind == NARROW else _WIDE_TILES, stack),
    )


def run_length(state: BarcelonaState, section: int) -> int:
    """Street tiles, anybody's, in an unbroken straight run through a section that has one (BA-ST2)."""
    streets, start = state.streets, section - section % BLOCKS_A_SIDE
    end = start + BLOCKS_A_SIDE - 1
    first = last = section
    while first > start and streets[first - 1]:
        first -= 1
    while last < end and streets[last + 1]:
        last += 1
    return last - first + 1


def run_points(state: BarcelonaState, section: int) -> int:
    """What a run is worth to the tile on a section: the kind of that tile decides (BA-ST2)."""
    return state.ruleset.run_vp[state.streets[section]] * run_length(state, section)


def do_run(state: BarcelonaState, task: Task) -> None:
    gains.points(state, state.seat, run_points(state, task[1]), FOR_RUN)


def do_emptied(state: BarcelonaState, task: Task) -> None:
    """The reward of a stack from which the last piece was just taken (BA-ST3)."""
    _, pieces, stack = task
    if stacks(state, state.seat, pieces)[stack]:
        return
    if state.events is not None:
        state.tell(StackEmptied(state.seat, Pieces(pieces), stack))
    ruleset = state.ruleset
    rewards = (ruleset.markers, ruleset.narrow, ruleset.wide)[pieces - 1].rewards
    state.tasks.append((DO_EFFECT, rewards[stack], FOR_STACK, 0))


def intersection_cost(state: BarcelonaState, seat: int) -> int | None:
    """The cloth that the leftmost Intersection tile costs; None if there is none left (BA-I1)."""
    costs, built = state.ruleset.intersection_cost, state.intersections_built[seat]
    return costs[built] if built < len(costs) else None


def can_build_intersection(state: BarcelonaState, seat: int, *, free: bool) -> bool:
    """A tile left, cloth for it unless it is free, and an intersection without one (BA-I1)."""
    cost = intersection_cost(state, seat)
    return cost is not None and (free or cost <= state.cloth[seat]) and -1 in state.intersection_owners


def ask_intersection(state: BarcelonaState, task: Task) -> list[Move]:
    """Any intersection without a tile; citizens on it do not matter (BA-I1)."""
    _, free, first = task
    if not can_build_intersection(state, state.seat, free=bool(free)):
        return []
    found = [] if first else [STOP]
    return found + [FIRST_INTERSECTION + i for i, owner in enumerate(state.intersection_owners) if owner < 0]


def lay_intersection(state: BarcelonaState, where: int) -> tuple[int, int]:
    """An Intersection tile, with its points and Cerdà steps; gives the coins and cloth to be gained (BA-I2)."""
    seat = state.seat
    state.intersections_built[seat] += 1
    state.intersection_owners[where] = seat
    if state.events is not None:
        state.tell(IntersectionBuilt(seat, where))
    points, steps, coins, cloth = visible_benefits(state, where)
    gains.points(state, seat, points, FOR_ICON)
    gains.cerda(state, seat, steps, FOR_ICON)
    return coins, cloth


def answer_intersection(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    if move == STOP:
        return
    seat, where = state.seat, move % RANGE
    cost = intersection_cost(state, seat)
    assert cost is not None
    if not task[1]:
        gains.pay(state, seat, 0, cost)
    coins, cloth = lay_intersection(state, where)
    gains.resources(state, seat, coins, cloth, FOR_ICON)


def visible_benefits(state: BarcelonaState, intersection: int) -> tuple[int, int, int, int]:
    """The icons not covered by street tiles around an intersection: points, Cerdà steps, coins, cloth (BA-I2)."""
    points = steps = coins = cloth = 0
    for section in state.ruleset.city.sections_at[intersection]:
        if not state.streets[section]:
            gain = state.ruleset.icon_gains[section]
            points, steps, coins, cloth = points + gain[0], steps + gain[1], coins + gain[2], cloth + gain[3]
    return points, steps, coins, cloth

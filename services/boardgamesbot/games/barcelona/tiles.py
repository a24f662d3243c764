"""Cobblestones, Public Services, Modernisme and Sagrada Família tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.events import (
    CobblestonePlaced,
    ModernismeShown,
    ModernismeTaken,
    ProjectImproved,
    SagradaTaken,
    ServiceBuilt,
)
from boardgamesbot.games.barcelona.geometry import SIDE
from boardgamesbot.games.barcelona.moves import (
    FIRST_COBBLESTONE,
    FIRST_IMPROVE,
    FIRST_SAGRADA,
    FIRST_SERVICE,
    RANGE,
    SIDEWALK,
    STOP,
    modernisme,
    parts,
)
from boardgamesbot.games.barcelona.reasons import FOR_SAGRADA, FOR_SERVICE, FOR_SIDEWALK
from boardgamesbot.games.barcelona.tasks import DO_EFFECT, DO_IMPROVE, Task

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move

BESIDE: tuple[tuple[int, ...], ...] = tuple(
    tuple(
        space
        for space, here in (
            (i - SIDE, i >= SIDE),
            (i - 1, i % SIDE),
            (i + 1, (i + 1) % SIDE),
            (i + SIDE, i < SIDEWALK - SIDE),
        )
        if here
    )
    for i in range(SIDEWALK)
)
"""The spaces of the Sidewalk beside each, along its rows and columns."""


def icons(state: BarcelonaState) -> tuple[int, ...]:
    """The effects on the Sidewalk in use (BA-PG14)."""
    return state.ruleset.overlay if state.expansion else state.ruleset.sidewalk


# Cobblestones


def open_spaces(state: BarcelonaState) -> list[int]:
    """Free spaces of the Sidewalk beside a cobblestone or its start (BA-C1)."""
    effects, stones = icons(state), state.sidewalk
    found: list[int] = []
    for space, owner in enumerate(stones):
        if owner < 0 and effects[space] >= 0:
            for beside in BESIDE[space]:
                if stones[beside] >= 0 or effects[beside] < 0:
                    found.append(space)
                    break
    return found


def can_place_cobblestone(state: BarcelonaState, seat: int) -> bool:
    """A cobblestone left and a space for it (BA-C1)."""
    return state.cobblestones_placed[seat] < state.ruleset.cobblestones and bool(open_spaces(state))


def ask_cobblestone(state: BarcelonaState, task: Task) -> list[Move]:
    """A free space beside another stone (BA-C1)."""
    if state.cobblestones_placed[state.seat] >= state.ruleset.cobblestones:
        return []
    found = [FIRST_COBBLESTONE + space for space in open_spaces(state)]
    return found if task[1] else [STOP, *found]


def lay_cobblestone(state: BarcelonaState, space: int) -> None:
    """A cobblestone onto the Sidewalk, before its icon."""
    state.sidewalk[space] = state.seat
    state.cobblestones_placed[state.seat] += 1
    if state.events is not None:
        state.tell(CobblestonePlaced(state.seat, space))


def answer_cobblestone(state: BarcelonaState, _: Task, move: Move) -> None:
    """The storage grows before the icon is gained (BA-C1)."""
    state.tasks.pop()
    if move == STOP:
        return
    space = move % RANGE
    lay_cobblestone(state, space)
    state.tasks.append((DO_EFFECT, icons(state)[space], FOR_SIDEWALK, 0))


# Public Services


def service_cost(state: BarcelonaState, stack: int) -> int | None:
    """The coins that the top tile of a stack costs; None if the stack is used up (BA-P1)."""
    taken = state.services_taken[stack]
    return state.ruleset.service_cost[taken] if taken < state.ruleset.service_tiles[state.boards] else None


def services_in_reach(state: BarcelonaState, seat: int) -> list[int]:
    """The stacks of which a seat can build the top tile now (BA-P1, BA-P2)."""
    found = []
    for stack, service in enumerate(state.service_types):
        cost = service_cost(state, stack)
        if cost is not None and cost <= state.coins[seat] and service not in state.services_of[seat]:
            found.append(stack)
    return found


def can_build_service(state: BarcelonaState, seat: int) -> bool:
    """A tile of a type not owned yet, and the coins for it (BA-P1, BA-P2)."""
    return bool(services_in_reach(state, seat))


def ask_service(state: BarcelonaState, _: Task) -> list[Move]:
    return [FIRST_SERVICE + stack for stack in services_in_reach(state, state.seat)]


def take_service(state: BarcelonaState, stack: int) -> None:
    """The top tile of a stack, before its points and its effect."""
    tier, service = state.services_taken[stack], state.service_types[stack]
    state.services_taken[stack] += 1
    state.services_of[state.seat].append(service)
    if state.events is not None:
        state.tell(ServiceBuilt(state.seat, stack, service, tier))


def answer_service(state: BarcelonaState, _: Task, move: Move) -> None:
    """Points and Cerdà steps first, then the effect (BA-P1, BA-P3)."""
    seat, stack = state.seat, move % RANGE
    state.tasks.pop()
    tier, service = state.services_taken[stack], state.service_types[stack]
    gains.pay(state, seat, state.ruleset.service_cost[tier], 0)
    take_service(state, stack)
    state.push(
        (DO_EFFECT, state.ruleset.service_effect[tier], FOR_SERVICE, 0),
        (DO_EFFECT, state.ruleset.services[service].effect, FOR_SERVICE, 0),
    )


# Modernisme


def can_take_modernisme(state: BarcelonaState, seat: int) -> bool:
    """A tile shown and a free project space (BA-M1)."""
    return max(state.shown) >= 0 and -1 in state.projects[seat]


def ask_modernisme(state: BarcelonaState, task: Task) -> list[Move]:
    """Any tile shown into any free project space (BA-M1)."""
    spaces = [space for space, tile in enumerate(state.projects[state.seat]) if tile < 0]
    found = [modernisme(i, space) for i, tile in enumerate(state.shown) if tile >= 0 for space in spaces]
    return found if task[1] else [STOP, *found]


def take_modernisme(state: BarcelonaState, shown: int, space: int) -> None:
    """A tile of the display into a project space; the stack fills the gap (BA-M1)."""
    tile = state.shown[shown]
    state.projects[state.seat][space] = tile
    if state.events is not None:
        state.tell(ModernismeTaken(state.seat, tile, shown, space))
    state.shown[shown] = state.modernisme_stack.pop() if state.modernisme_stack else -1
    if state.events is not None:
        state.tell(ModernismeShown(state.shown[shown], shown))


def answer_modernisme(state: BarcelonaState, _: Task, move: Move) -> None:
    state.tasks.pop()
    if move == STOP:
        return
    made = parts(move)
    shown, space = made.what, made.which
    take_modernisme(state, shown, space)
    state.undo = False


def improve_cost(state: BarcelonaState, seat: int) -> int | None:
    """The cloth that improving the next project space costs; None if all are improved (BA-M2)."""
    improved = sum(state.improved[seat])
    costs = state.ruleset.improve_cost
    return costs[improved] if improved < len(costs) else None


def can_improve(state: BarcelonaState, seat: int, *, free: bool) -> bool:
    """A project space not improved yet, and the cloth for it unless it is free (BA-M2)."""
    cost = improve_cost(state, seat)
    return cost is not None and (free or cost <= state.cloth[seat])


def ask_improve(state: BarcelonaState, task: Task) -> list[Move]:
    """Any project space not improved yet; it may be empty (BA-M2)."""
    _, _, free, first = task
    if not can_improve(state, state.seat, free=bool(free)):
        return []
    found = [FIRST_IMPROVE + space for space, done in enumerate(state.improved[state.seat]) if not done]
    return found if first else [STOP, *found]


def answer_improve(state: BarcelonaState, task: Task, move: Move) -> None:
    _, more, free, _ = task
    state.tasks.pop()
    if move == STOP:
        return
    seat, space = state.seat, move % RANGE
    cost = improve_cost(state, seat)
    assert cost is not None
    if not free:
        gains.pay(state, seat, 0, cost)
    state.improved[seat][space] = 1
    if state.events is not None:
        state.tell(ProjectImproved(seat, space))
    if more > 1:
        state.tasks.append((DO_IMPROVE, more - 1, free, 0))


# Sagrada Família


def ask_sagrada(state: BarcelonaState, task: Task) -> list[Move]:
    """Any tile left of the level; points instead where there is none (BA-SF2, BA-SF3)."""
    level = task[1]
    tiles = state.ruleset.sagrada_tiles
    found = [FIRST_SAGRADA + tile for tile in state.sagrada_left if tiles[tile].level == level]
    if not found:
        if state.events is not None:
            state.tell(SagradaTaken(state.seat, -1, level))
        gains.points(state, state.seat, state.ruleset.none_left_vp[level], FOR_SAGRADA)
    return found


def take_sagrada_tile(state: BarcelonaState, tile: int) -> None:
    """A tile from beside the board, before its effect."""
    state.sagrada_left.remove(tile)
    state.sagrada_of[state.seat].append(tile)
    if state.events is not None:
        state.tell(SagradaTaken(state.seat, tile, state.ruleset.sagrada_tiles[tile].level))


def answer_sagrada(state: BarcelonaState, _: Task, move: Move) -> None:
    tile = move % RANGE
    state.tasks.pop()
    take_sagrada_tile(state, tile)
    state.tasks.append((DO_EFFECT, state.ruleset.sagrada_tiles[tile].effect, FOR_SAGRADA, 0))

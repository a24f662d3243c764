"""Trams and passengers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains, interpreter
from boardgamesbot.games.barcelona.events import ActionTaken, PassengerPlaced, TramMoved
from boardgamesbot.games.barcelona.geometry import BORDER, NEIGHBOURS, SECTIONS, street_of
from boardgamesbot.games.barcelona.moves import FIRST_TRAM, PASSENGER, RANGE, RIDE, STOP
from boardgamesbot.games.barcelona.reasons import FOR_ACTION, FOR_RUN
from boardgamesbot.games.barcelona.streets import run_points
from boardgamesbot.games.barcelona.tasks import DO_EFFECT, DO_PASSENGER, DO_RIDE, Task

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move

_BITS = tuple(1 << section for section in range(SECTIONS))
_NEIGHBOURS = tuple(sum(_BITS[other] for other in others) for others in NEIGHBOURS)
_BORDER = sum(_BITS[section] for section in BORDER)


def reachable(state: BarcelonaState, seat: int) -> int:
    """The sections, as bits, where a seat's tram may end its way (BA-TR1)."""
    networks = _networks(state, seat)
    where, steps = state.trams[seat], state.ruleset.tram_steps
    if where < 0:
        found = _BORDER
        steps -= 1
    else:
        found = _BITS[where]
    for _ in range(steps):
        found = _step(found, networks)
    return found


def _step(found: int, networks: list[int]) -> int:
    """One step: to a neighbour, or anywhere in a network of own streets that one is in or beside."""
    near = found
    for section in range(SECTIONS):
        if found >> section & 1:
            near |= _NEIGHBOURS[section]
    for network in networks:
        if network & near:
            near |= network
    return near


def _networks(state: BarcelonaState, seat: int) -> list[int]:
    """The connected groups of a seat's own street tiles, as bits."""
    networks: list[int] = []
    for section, owner in enumerate(state.street_owners):
        if owner == seat:
            joined = _BITS[section]
            near = joined | _NEIGHBOURS[section]
            apart = []
            for network in networks:
                if network & near:
                    joined |= network
                else:
                    apart.append(network)
            networks = [*apart, joined]
    return networks


def ask_tram(state: BarcelonaState, task: Task) -> list[Move]:
    """Where the tram ends; staying is one of the ways (BA-TR1)."""
    found = reachable(state, state.seat)
    start = FIRST_TRAM
    ways = [start + section for section in range(SECTIONS) if found & _BITS[section]]
    return ways if task[2] else [STOP, *ways]


def answer_tram(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    if move == STOP:
        return
    seat, section = state.seat, move % RANGE
    entered = state.trams[seat] < 0
    state.trams[seat] = section
    if state.events is not None:
        state.tell(TramMoved(seat, section, entered))
    state.tasks.append((DO_PASSENGER, section, task[1]))


def passenger_cost(state: BarcelonaState, seat: int) -> int | None:
    """The cloth that the next passenger costs; None if there is none left (BA-TR2)."""
    costs, placed = state.ruleset.passenger_cost, state.passengers_placed[seat]
    return costs[placed] if placed < len(costs) else None


def ask_passenger(state: BarcelonaState, task: Task) -> list[Move]:
    """A passenger where there is none, paid for unless it is free (BA-TR2, BA-TR5)."""
    _, section, free = task
    cost = passenger_cost(state, state.seat)
    if cost is None or state.passengers[section] >= 0 or not (free or cost <= state.cloth[state.seat]):
        return []
    return [STOP, PASSENGER]


def seat_passenger(state: BarcelonaState, section: int) -> None:
    """A passenger onto a section; one's own street there scores again (BA-TR3)."""
    seat = state.seat
    state.passengers[section] = seat
    state.passengers_placed[seat] += 1
    if state.events is not None:
        state.tell(PassengerPlaced(seat, section))
    if state.street_owners[section] == seat:
        gains.points(state, seat, run_points(state, section), FOR_RUN)


def answer_passenger(state: BarcelonaState, task: Task, move: Move) -> None:
    _, section, free = task
    state.tasks.pop()
    if move == STOP:
        return
    seat = state.seat
    cost = passenger_cost(state, seat)
    assert cost is not None
    if not free:
        gains.pay(state, seat, 0, cost)
    seat_passenger(state, section)
    state.tasks.append((DO_RIDE, section))


def ask_ride(state: BarcelonaState, task: Task) -> list[Move]:
    """The action of the passenger's street, if it can be carried out (BA-TR4)."""
    action = state.ruleset.actions[state.slots[street_of(task[1])]]
    return [STOP, RIDE] if interpreter.can(state, action.effect) else []


def answer_ride(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    if move == STOP:
        return
    street = street_of(task[1])
    action = state.slots[street]
    if state.events is not None:
        state.tell(ActionTaken(state.seat, street, action, True))
    state.tasks.append((DO_EFFECT, state.ruleset.actions[action].effect, FOR_ACTION, 1))

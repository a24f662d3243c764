"""Gaudí's Pedestrians: they walk, their dice never change, and stones go where his rule says (BA-G12 to BA-G15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.effects import Op
from boardgamesbot.games.barcelona.events import Arrived, Criterion, HexagonPlaced, Matter, Reason, Stepped, WentBack
from boardgamesbot.games.barcelona.gaudi.choosing import arrow, choose
from boardgamesbot.games.barcelona.gaudi.effects import resources
from boardgamesbot.games.barcelona.pedestrians import BARCELONA, GRACIA, LAST_STEP, hexagons_left

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_HEX_DIRECTION = (0, 1, 2, 2, 3, 4, 5, 5)
"""The six directions of a hexagon, N first and clockwise, for each of the eight arrows: E goes on to SE, W to NW."""


def farther(state: BarcelonaState) -> int:
    """The Pedestrian farther along, Barcelona's of equals (BA-G13)."""
    path = state.path[2 * state.seat : 2 * state.seat + 2]
    return choose(state, Matter.PEDESTRIAN, [BARCELONA, GRACIA], [(Criterion.FARTHER, lambda p: -path[p])])


def walk(state: BarcelonaState, pedestrian: int, steps: int) -> None:
    """All the steps (BA-G13): no Amenities, no meeting, for the die is fixed (BA-G12)."""
    i = 2 * state.seat + pedestrian
    for _ in range(steps):
        state.path[i] += 1
        if state.path[i] < LAST_STEP:
            state.tell(Stepped(state.seat, pedestrian, state.path[i]))
        else:
            _arrive(state, pedestrian)


def _arrive(state: BarcelonaState, pedestrian: int) -> None:
    """Points by the die, a resource at its highest, a stone, and back with the die as it is (BA-G14)."""
    seat, ruleset = state.seat, state.ruleset
    i = 2 * seat + pedestrian
    joy = state.joy[i]
    state.tell(Arrived(seat, pedestrian, joy))
    gains.points(state, seat, ruleset.arrival_vp[joy], Reason.ARRIVAL)
    if joy >= ruleset.resource_from:
        resources(state, 1, Reason.ARRIVAL)
    if hexagons_left(state) > 0 and -1 in state.hexagons:
        _place_stone(state)
    state.path[i] = 0
    state.tell(WentBack(seat, pedestrian))


def _place_stone(state: BarcelonaState) -> None:
    """The most points printed, then round the middle violet stone, the left and the right one (BA-G15)."""
    around = stones_in_order(state)
    free = [space for space in around if state.hexagons[space] < 0]
    nodes, rewards = state.ruleset.nodes, state.ruleset.hexagon_rewards

    def preferred(space: int) -> int:
        node = nodes[rewards[space]]
        return -node.a if node.op == Op.VP else 0

    space = choose(state, Matter.HEXAGON, free, [(Criterion.MOST_POINTS, preferred), (Criterion.ARROW, around.index)])
    state.hexagons[space] = state.seat
    state.tell(HexagonPlaced(state.seat, space, -1, 0))
    resources(state, state.ruleset.gaudi.for_hexagon, Reason.HEXAGON)


def stones_in_order(state: BarcelonaState) -> list[int]:
    """The spaces round the middle, left and right violet stone, each clockwise from the arrow, without repeats."""
    first = _HEX_DIRECTION[arrow(state)]
    found: list[int] = []
    left, middle, right = state.ruleset.hexagon_rings
    for ring in (middle, left, right):
        found += [space for space in (*ring[first:], *ring[:first]) if space not in found]
    return found

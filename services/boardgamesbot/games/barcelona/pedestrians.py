"""Pedestrians on the Passeig de Gràcia, their Joy, and hexagonal cobblestones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.counts import COUNTERS
from boardgamesbot.games.barcelona.effects import Op
from boardgamesbot.games.barcelona.events import Arrived, HexagonPlaced, Stepped, WentBack
from boardgamesbot.games.barcelona.moves import FIRST_PEDESTRIAN, RANGE, STEP, STOP, hexagon, parts
from boardgamesbot.games.barcelona.reasons import FOR_AMENITY, FOR_ARRIVAL, FOR_HEXAGON, FOR_MEETING
from boardgamesbot.games.barcelona.tasks import DO_HEXAGON, DO_RESOURCE, DO_WALK, DO_WENT_BACK, Task

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move

BARCELONA, GRACIA = 0, 1
LAST_STEP = 4
"""The step that reaches the destination."""


def place_of(pedestrian: int, steps: int) -> int:
    """Where a Pedestrian stands on the street: 1 nearest Barcelona to 3 nearest Gràcia; 0 in a city."""
    if not 1 <= steps < LAST_STEP:
        return 0
    return steps if pedestrian == BARCELONA else LAST_STEP - steps


def amenity_at(state: BarcelonaState, pedestrian: int, steps: int) -> int:
    """The Amenities tile beside a Pedestrian: Barcelona's lie on the right, Gràcia's on the left."""
    return state.amenities[pedestrian * 3 + place_of(pedestrian, steps) - 1]


def enjoys(state: BarcelonaState, seat: int, pedestrian: int, steps: int) -> bool:
    """Whether the action of the Amenities tile was done often enough for this step (BA-PG5)."""
    amenity = state.ruleset.amenities[amenity_at(state, pedestrian, steps)]
    return COUNTERS[amenity.count](state, seat) >= steps * amenity.each


def ask_walk(_: BarcelonaState, __: Task) -> list[Move]:
    """One more step, or no more (BA-PG4)."""
    return [STOP, STEP]


def answer_walk(state: BarcelonaState, task: Task, move: Move) -> None:
    _, pedestrian, left = task
    state.tasks.pop()
    if move == STOP:
        return
    if left > 1:
        state.tasks.append((DO_WALK, pedestrian, left - 1))
    seat = state.seat
    i = 2 * seat + pedestrian
    state.path[i] += 1
    if state.path[i] == LAST_STEP:
        _arrive(state, seat, pedestrian)
        return
    if state.events is not None:
        state.tell(Stepped(seat, pedestrian, state.path[i]))
    if enjoys(state, seat, pedestrian, state.path[i]):
        gains.joy(state, seat, pedestrian, 1, FOR_AMENITY)
    place = place_of(pedestrian, state.path[i])
    if place == place_of(1 - pedestrian, state.path[2 * seat + 1 - pedestrian]):
        gains.joy(state, seat, BARCELONA, 1, FOR_MEETING)
        gains.joy(state, seat, GRACIA, 1, FOR_MEETING)


def _arrive(state: BarcelonaState, seat: int, pedestrian: int) -> None:
    """Points, hexagonal cobblestone, resource, and back to the start (BA-PG8, BA-PG9, BA-PG11, BA-PG12)."""
    joy, ruleset = state.joy[2 * seat + pedestrian], state.ruleset
    if state.events is not None:
        state.tell(Arrived(seat, pedestrian, joy))
    state.tasks.append((DO_WENT_BACK, pedestrian))
    if joy >= ruleset.resource_from:
        state.tasks.append((DO_RESOURCE, 1, FOR_ARRIVAL))
    if joy >= ruleset.hexagon_from:
        state.tasks.append((DO_HEXAGON,))
    gains.points(state, seat, ruleset.arrival_vp[joy], FOR_ARRIVAL)


def do_went_back(state: BarcelonaState, task: Task) -> None:
    i = 2 * state.seat + task[1]
    state.joy[i] = state.ruleset.joy_start
    state.path[i] = 0
    if state.events is not None:
        state.tell(WentBack(state.seat, task[1]))


def ask_walk_one(_: BarcelonaState, __: Task) -> list[Move]:
    """Which Pedestrian makes all the steps, or none (BA-PG4)."""
    return [STOP, FIRST_PEDESTRIAN + BARCELONA, FIRST_PEDESTRIAN + GRACIA]


def answer_walk_one(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    if move != STOP:
        state.tasks.append((DO_WALK, move % RANGE, task[1]))


def ask_joy_any(state: BarcelonaState, _: Task) -> list[Move]:
    """A Pedestrian whose Joy can still rise (BA-PG7)."""
    joy, most = state.joy[2 * state.seat : 2 * state.seat + 2], state.ruleset.joy_most
    return [FIRST_PEDESTRIAN + pedestrian for pedestrian in (BARCELONA, GRACIA) if joy[pedestrian] < most]


def answer_joy_any(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    gains.joy(state, state.seat, move % RANGE, task[1], task[2])


def hexagons_left(state: BarcelonaState) -> int:
    """Grey hexagonal cobblestones in the supply."""
    return state.ruleset.hexagon_stones - sum(1 for owner in state.hexagons if owner >= 0)


def ask_hexagon(state: BarcelonaState, _: Task) -> list[Move]:
    """A free space, and one of the violet stones beside it; none if no stone is left (BA-PG9, BA-PG10)."""
    if hexagons_left(state) <= 0:
        return []
    beside = state.ruleset.hexagon_beside
    return [hexagon(i, violet) for i, owner in enumerate(state.hexagons) if owner < 0 for violet in beside[i]]


def answer_hexagon(state: BarcelonaState, _: Task, move: Move) -> None:
    """The reward covered, times the violet stone's condition, as one gain (BA-PG10)."""
    made = parts(move)
    space, violet = made.what, made.which
    seat = state.seat
    state.tasks.pop()
    state.hexagons[space] = seat
    times = COUNTERS[state.ruleset.violet[state.violet[violet]].count](state, seat)
    if state.events is not None:
        state.tell(HexagonPlaced(seat, space, violet, times))
    op, a, b, _ = state.ruleset.nodes[state.ruleset.hexagon_rewards[space]]
    match op:
        case Op.VP:
            gains.points(state, seat, a * times, FOR_HEXAGON)
        case Op.CERDA:
            gains.cerda(state, seat, a * times, FOR_HEXAGON)
        case Op.GAIN:
            gains.resources(state, seat, a * times, b * times, FOR_HEXAGON)

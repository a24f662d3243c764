"""Whether the pending tasks of a position that came from outside are those of a turn (`tasks`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.effects import Op, ops_of
from boardgamesbot.games.barcelona.moves import STOP
from boardgamesbot.games.barcelona.play import ASKED
from boardgamesbot.games.barcelona.streets import stacks
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.base import Malformed, Move

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_TASKS = "barcelona.position.tasks"
_END = [Do.DRAW, Do.CERDA_CHECK]
_BUILT = [*_END, Do.TRACK_VP, Do.TO_TRACK, Do.ROW_BONUS]
_FRAMES = (
    [*_BUILT, Do.MARKER],
    _BUILT,
    [*_END, Do.BUILD, Do.ACTIONS],
)
"""What may lie beneath the tasks of effects."""
_OF_GAUDI = [*_END, Do.GAUDI]
_WHOLE = ([*_END, Do.BUILD, Do.PLACE], [*_END, Do.BUILD], [Do.START_DIE], _OF_GAUDI)
"""What is all there is to be done."""
_WAITING = {Do.EFFECT, Do.STREET, Do.RUN, Do.EMPTIED, Do.SAGRADA, Do.WALK, Do.RESOURCE, Do.WENT_BACK}
"""The tasks of effects that may lie beneath others."""
_ONLY_ON_TOP = {
    Do.KEEP,
    Do.STREET_STACK,
    Do.INTERSECTION,
    Do.TRAM,
    Do.PASSENGER,
    Do.RIDE,
    Do.COBBLESTONE,
    Do.SERVICE,
    Do.MODERNISME,
    Do.IMPROVE,
    Do.CHOICE,
    Do.PARTS,
    Do.WALK_ONE,
    Do.JOY_ANY,
    Do.HEXAGON,
}
_OF_EXPANSION = {Do.WALK, Do.WALK_ONE, Do.JOY_ANY, Do.HEXAGON, Do.WENT_BACK, Do.START_DIE}
_OPS_OF_EXPANSION = {Op.MOVE, Op.MOVE_ONE, Op.JOY, Op.JOY_ANY}
_ARRIVAL = {Do.RESOURCE, Do.HEXAGON, Do.KEEP}


def check_tasks(state: BarcelonaState) -> None:
    """Raise Malformed unless the tasks are those of a turn, and each fits the board (BA-T1, BA-T2)."""
    if state.over:
        if state.tasks:
            raise Malformed(_TASKS, "must be empty when the game is over")
        return
    kinds = [Do(task[0]) for task in state.tasks]
    if state.is_gaudi(state.seat) != (kinds == _OF_GAUDI):
        raise Malformed(_TASKS, "must be DRAW, CERDA_CHECK and GAUDI in Gaudí's turn, and only then")
    if kinds not in _WHOLE:
        frame = next((frame for frame in _FRAMES if kinds[: len(frame)] == frame), None)
        if frame is None:
            raise Malformed(_TASKS, "are not those of a turn: from DRAW, CERDA_CHECK and BUILD upwards")
        for i in range(len(frame), len(kinds)):
            on_top = i == len(kinds) - 1
            if kinds[i] not in _WAITING and not (on_top and kinds[i] in _ONLY_ON_TOP):
                raise Malformed(f"{_TASKS}[{i}].kind", "can't be at this place")
    if kinds[-1] not in ASKED:
        raise Malformed(f"{_TASKS}[{len(kinds) - 1}].kind", "must be one that asks something, as the last one")
    for i, task in enumerate(state.tasks):
        reason = _OF_EXPANSION & {task[0]} and not state.expansion and "is of Passeig de Gràcia"
        reason = reason or _CHECKS.get(Do(task[0]), _nothing)(state, task)
        if reason:
            raise Malformed(f"{_TASKS}[{i}]", reason)
    _check_arrival(kinds)
    if Do.ROW_BONUS in kinds:
        _check_new_building(state)


def check_asks(state: BarcelonaState) -> list[Move]:
    """The legal moves. Raise Malformed if there is nothing to decide."""
    if state.over:
        return []
    legal = ASKED[state.task[0]](state, state.task)
    if not legal or legal == [STOP]:
        raise Malformed(f"{_TASKS}[{len(state.tasks) - 1}]", "leaves nothing to decide")
    return legal


def _check_arrival(kinds: list[Do]) -> None:
    """Only what an arrival brings comes before the Pedestrian goes back (BA-PG8)."""
    if Do.WENT_BACK in kinds:
        i = kinds.index(Do.WENT_BACK)
        if not set(kinds[i + 1 :]) <= _ARRIVAL:
            raise Malformed(f"{_TASKS}[{i}].kind", "can't be at this place")
    elif Do.HEXAGON in kinds:
        raise Malformed(f"{_TASKS}[{kinds.index(Do.HEXAGON)}].kind", "comes with an arrival only")


def _check_new_building(state: BarcelonaState) -> None:
    """Marker, bonus and citizens are those of one new building (BA-B5)."""
    to_track = next(i for i, task in enumerate(state.tasks) if task[0] == Do.TO_TRACK)
    site = state.tasks[to_track + 1][1]
    if any(task[1] != site for task in state.tasks if task[0] == Do.MARKER):
        raise Malformed(f"{_TASKS}[{to_track + 2}].site", f"must be {site + 1}, where the new building is")
    building = state.ruleset.buildings[state.buildings[site]]
    citizens = state.tasks[to_track][1:]
    if len(citizens) != building.citizens or (building.wants and building.wants not in citizens):
        raise Malformed(f"{_TASKS}[{to_track}].citizens", f"are not those that a {building.name} takes")


# What is wrong with a task of each kind; empty: nothing


def _nothing(_: BarcelonaState, __: Task) -> str:
    return ""


def _actions(state: BarcelonaState, task: Task) -> str:
    where, streets = task[1], task[2]
    crossing = sum(1 << street for street in state.ruleset.city.streets_at[where])
    if streets & ~crossing:
        return "names a street that does not cross there"
    return "" if state.citizens[where] >> 2 else "must be where both citizens were placed"


def _effect(state: BarcelonaState, task: Task) -> str:
    if not state.expansion and _OPS_OF_EXPANSION & set(ops_of(state.ruleset.nodes, task[1])):
        return "is of Passeig de Gràcia"
    wanted = {Do.CHOICE: Op.CHOICE, Do.PARTS: Op.ANY_ORDER}.get(Do(task[0]))
    return "" if wanted in (None, state.ruleset.nodes[task[1]].op) else "asks for an effect of two"


def _emptied(state: BarcelonaState, task: Task) -> str:
    return "" if task[2] < len(stacks(state, state.seat, task[1])) else "names a stack that there is not"


def _street_stack(state: BarcelonaState, task: Task) -> str:
    return "needs a section without a tile" if state.streets[task[2]] else ""


def _run(state: BarcelonaState, task: Task) -> str:
    return "" if state.street_owners[task[1]] == state.seat else "needs a street tile of the player"


def _passenger(state: BarcelonaState, task: Task) -> str:
    return "" if state.trams[state.seat] == task[1] else "must be where the tram is"


def _ride(state: BarcelonaState, task: Task) -> str:
    return "" if state.passengers[task[1]] == state.seat else "needs a passenger of the player"


def _marker(state: BarcelonaState, task: Task) -> str:
    if not any(state.marker_stacks[state.seat]):
        return "needs a marker in stock"
    return _row_bonus(state, task)


def _row_bonus(state: BarcelonaState, task: Task) -> str:
    return "" if state.buildings[task[1]] >= 0 else "needs a building"


def _start_die(state: BarcelonaState, task: Task) -> str:
    third = (state.first + 2) % state.players
    if state.players < 3 or state.round != 1 or (state.seat, task[1]) != (third, third):
        return "is the third player's, before the first turn"
    joy = state.joy[2 * third : 2 * third + 2]
    return "" if set(joy) == {state.ruleset.joy_start} else "comes before the Joy it brings"


_CHECKS: dict[Do, Callable[[BarcelonaState, Task], str]] = {
    Do.ACTIONS: _actions,
    Do.EFFECT: _effect,
    Do.CHOICE: _effect,
    Do.PARTS: _effect,
    Do.EMPTIED: _emptied,
    Do.STREET_STACK: _street_stack,
    Do.RUN: _run,
    Do.PASSENGER: _passenger,
    Do.RIDE: _ride,
    Do.MARKER: _marker,
    Do.ROW_BONUS: _row_bonus,
    Do.START_DIE: _start_die,
}

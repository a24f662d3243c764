"""The one interpreter of the vocabulary of effects: turns a node into gains and tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.counts import COUNTERS
from boardgamesbot.games.barcelona.effects import Node, Op
from boardgamesbot.games.barcelona.moves import FIRST_CHOICE, FIRST_PART, RANGE, STOP
from boardgamesbot.games.barcelona.streets import NARROW, WIDE, can_build_intersection, can_build_street
from boardgamesbot.games.barcelona.tasks import (
    DO_CHOICE,
    DO_COBBLESTONE,
    DO_EFFECT,
    DO_IMPROVE,
    DO_INTERSECTION,
    DO_JOY_ANY,
    DO_MODERNISME,
    DO_PARTS,
    DO_RESOURCE,
    DO_SAGRADA,
    DO_SERVICE,
    DO_STREET,
    DO_TRAM,
    DO_WALK,
    DO_WALK_ONE,
    Task,
)
from boardgamesbot.games.barcelona.tiles import (
    can_build_service,
    can_improve,
    can_place_cobblestone,
    can_take_modernisme,
)

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move


def do_effect(state: BarcelonaState, task: Task) -> None:
    """Carry out one node, what it is made of next; depth first (BA-T2)."""
    number, reason, first = task[1], task[2], task[3]
    node = state.ruleset.nodes[number]
    _DOES[node.op](state, node, number, reason, first)


def can(state: BarcelonaState, number: int) -> bool:
    """Whether an effect can do anything now: what may be chosen (BA-A8)."""
    node = state.ruleset.nodes[number]
    possible = _CAN[node.op]
    return possible is None or possible(state, node)


# What each operation does: by state, node and its number, what it is done for, and whether it can't be declined


def _sequence(state: BarcelonaState, node: Node, _: int, reason: int, first: int) -> None:
    kids = node.kids
    for i in range(len(kids) - 1, 0, -1):
        state.tasks.append((DO_EFFECT, kids[i], reason, 0))
    if kids:
        state.tasks.append((DO_EFFECT, kids[0], reason, first))


def _choice(state: BarcelonaState, _: Node, number: int, reason: int, first: int) -> None:
    state.tasks.append((DO_CHOICE, number, reason, first))


def _any_order(state: BarcelonaState, _: Node, number: int, reason: int, __: int) -> None:
    state.tasks.append((DO_PARTS, number, reason))


def _vp(state: BarcelonaState, node: Node, _: int, reason: int, __: int) -> None:
    gains.points(state, state.seat, node.a, reason)


def _gain(state: BarcelonaState, node: Node, _: int, reason: int, __: int) -> None:
    gains.resources(state, state.seat, node.a, node.b, reason)


def _resource(state: BarcelonaState, node: Node, _: int, reason: int, __: int) -> None:
    state.tasks.append((DO_RESOURCE, node.a, reason))


def _cerda(state: BarcelonaState, node: Node, _: int, reason: int, __: int) -> None:
    gains.cerda(state, state.seat, node.a, reason)


def _sagrada(state: BarcelonaState, node: Node, _: int, reason: int, __: int) -> None:
    for level in reversed(gains.sagrada(state, state.seat, node.a, reason)):
        state.tasks.append((DO_SAGRADA, level))


def _narrow(state: BarcelonaState, node: Node, _: int, __: int, first: int) -> None:
    state.tasks.append((DO_STREET, NARROW, node.a, first))


def _wide(state: BarcelonaState, node: Node, _: int, __: int, first: int) -> None:
    state.tasks.append((DO_STREET, WIDE, node.a, first))


def _intersection(state: BarcelonaState, node: Node, _: int, __: int, first: int) -> None:
    state.tasks.append((DO_INTERSECTION, node.a, first))


def _cobblestone(state: BarcelonaState, _: Node, __: int, ___: int, first: int) -> None:
    state.tasks.append((DO_COBBLESTONE, first))


def _service(state: BarcelonaState, _: Node, __: int, ___: int, ____: int) -> None:
    state.tasks.append((DO_SERVICE,))


def _modernisme(state: BarcelonaState, _: Node, __: int, ___: int, first: int) -> None:
    state.tasks.append((DO_MODERNISME, first))


def _improve(state: BarcelonaState, node: Node, _: int, __: int, first: int) -> None:
    state.tasks.append((DO_IMPROVE, node.a, node.b, first))


def _tram(state: BarcelonaState, node: Node, _: int, __: int, first: int) -> None:
    state.tasks.append((DO_TRAM, node.a, first))


def _move(state: BarcelonaState, node: Node, _: int, __: int, ___: int) -> None:
    state.tasks.append((DO_WALK, node.a, node.b))


def _move_one(state: BarcelonaState, node: Node, _: int, __: int, ___: int) -> None:
    state.tasks.append((DO_WALK_ONE, node.a))


def _joy(state: BarcelonaState, node: Node, _: int, reason: int, __: int) -> None:
    gains.joy(state, state.seat, node.a, node.b, reason)


def _joy_any(state: BarcelonaState, node: Node, _: int, reason: int, __: int) -> None:
    state.tasks.append((DO_JOY_ANY, node.a, reason))


def _vp_per(state: BarcelonaState, node: Node, _: int, reason: int, __: int) -> None:
    gains.points(state, state.seat, node.a * COUNTERS[node.b](state, state.seat), reason)


_DOING: dict[Op, Callable[[BarcelonaState, Node, int, int, int], None]] = {
    Op.SEQUENCE: _sequence,
    Op.CHOICE: _choice,
    Op.ANY_ORDER: _any_order,
    Op.VP: _vp,
    Op.GAIN: _gain,
    Op.RESOURCE: _resource,
    Op.CERDA: _cerda,
    Op.SAGRADA: _sagrada,
    Op.NARROW: _narrow,
    Op.WIDE: _wide,
    Op.INTERSECTION: _intersection,
    Op.COBBLESTONE: _cobblestone,
    Op.SERVICE: _service,
    Op.MODERNISME: _modernisme,
    Op.IMPROVE: _improve,
    Op.TRAM: _tram,
    Op.MOVE: _move,
    Op.MOVE_ONE: _move_one,
    Op.JOY: _joy,
    Op.JOY_ANY: _joy_any,
    Op.VP_PER: _vp_per,
}


# Whether an operation can do anything; of those not here one always can


def _any_kid(state: BarcelonaState, node: Node) -> bool:
    return any(can(state, kid) for kid in node.kids)


def _can_narrow(state: BarcelonaState, _: Node) -> bool:
    return can_build_street(state, state.seat, NARROW)


def _can_wide(state: BarcelonaState, _: Node) -> bool:
    return can_build_street(state, state.seat, WIDE)


def _can_intersection(state: BarcelonaState, node: Node) -> bool:
    return can_build_intersection(state, state.seat, free=bool(node.a))


def _can_cobblestone(state: BarcelonaState, _: Node) -> bool:
    return can_place_cobblestone(state, state.seat)


def _can_service(state: BarcelonaState, _: Node) -> bool:
    return can_build_service(state, state.seat)


def _can_modernisme(state: BarcelonaState, _: Node) -> bool:
    return can_take_modernisme(state, state.seat)


def _can_improve(state: BarcelonaState, node: Node) -> bool:
    return can_improve(state, state.seat, free=bool(node.b))


_POSSIBLE: dict[Op, Callable[[BarcelonaState, Node], bool]] = {
    Op.SEQUENCE: _any_kid,
    Op.CHOICE: _any_kid,
    Op.ANY_ORDER: _any_kid,
    Op.NARROW: _can_narrow,
    Op.WIDE: _can_wide,
    Op.INTERSECTION: _can_intersection,
    Op.COBBLESTONE: _can_cobblestone,
    Op.SERVICE: _can_service,
    Op.MODERNISME: _can_modernisme,
    Op.IMPROVE: _can_improve,
}

_DOES: Final = tuple(_DOING[op] for op in Op)
_CAN: Final = tuple(_POSSIBLE.get(op) for op in Op)


# Effects that leave something to choose


def ask_choice(state: BarcelonaState, task: Task) -> list[Move]:
    """One of two effects, of those that can do anything."""
    kids = state.ruleset.nodes[task[1]].kids
    found = [FIRST_CHOICE + i for i, kid in enumerate(kids) if can(state, kid)]
    return found if task[3] else [STOP, *found]


def answer_choice(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    if move != STOP:
        state.tasks.append((DO_EFFECT, state.ruleset.nodes[task[1]].kids[move % RANGE], task[2], 1))


def ask_parts(_: BarcelonaState, __: Task) -> list[Move]:
    """Which of two parts comes first; it is finished before the other begins."""
    return [FIRST_PART, FIRST_PART + 1]


def answer_parts(state: BarcelonaState, task: Task, move: Move) -> None:
    kids = state.ruleset.nodes[task[1]].kids
    chosen = move % RANGE
    state.tasks.pop()
    state.push((DO_EFFECT, kids[chosen], task[2], 0), (DO_EFFECT, kids[1 - chosen], task[2], 0))

"""The one interpreter of the vocabulary of effects: turns a node into gains and tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.counts import COUNTERS
from boardgamesbot.games.barcelona.effects import Op
from boardgamesbot.games.barcelona.moves import RANGE, STOP, Kind, simple
from boardgamesbot.games.barcelona.streets import can_build_intersection, can_build_street
from boardgamesbot.games.barcelona.tasks import Do, Task
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
    _, number, reason, first = task
    op, a, b, kids = state.ruleset.nodes[number]
    seat = state.seat
    match op:
        case Op.SEQUENCE:
            state.push(*((Do.EFFECT, kid, reason, first if i == 0 else 0) for i, kid in enumerate(kids)))
        case Op.CHOICE:
            state.push((Do.CHOICE, number, reason, first))
        case Op.ANY_ORDER:
            state.push((Do.PARTS, number, reason))
        case Op.VP:
            gains.points(state, seat, a, reason)
        case Op.GAIN:
            gains.resources(state, seat, a, b, reason)
        case Op.RESOURCE:
            state.push((Do.RESOURCE, a, reason))
        case Op.CERDA:
            gains.cerda(state, seat, a, reason)
        case Op.SAGRADA:
            state.push(*((Do.SAGRADA, level) for level in gains.sagrada(state, seat, a, reason)))
        case Op.NARROW:
            state.push((Do.STREET, 1, a, first))
        case Op.WIDE:
            state.push((Do.STREET, 2, a, first))
        case Op.INTERSECTION:
            state.push((Do.INTERSECTION, a, first))
        case Op.COBBLESTONE:
            state.push((Do.COBBLESTONE, first))
        case Op.SERVICE:
            state.push((Do.SERVICE,))
        case Op.MODERNISME:
            state.push((Do.MODERNISME, first))
        case Op.IMPROVE:
            state.push((Do.IMPROVE, a, b, first))
        case Op.TRAM:
            state.push((Do.TRAM, a, first))
        case Op.MOVE:
            state.push((Do.WALK, a, b))
        case Op.MOVE_ONE:
            state.push((Do.WALK_ONE, a))
        case Op.JOY:
            gains.joy(state, seat, a, b, reason)
        case Op.JOY_ANY:
            state.push((Do.JOY_ANY, a, reason))
        case Op.VP_PER:
            gains.points(state, seat, a * COUNTERS[b](state, seat), reason)


def can(state: BarcelonaState, number: int) -> bool:
    """Whether an effect can do anything now: what may be chosen (BA-A8)."""
    op, a, b, kids = state.ruleset.nodes[number]
    seat = state.seat
    match op:
        case Op.SEQUENCE | Op.CHOICE | Op.ANY_ORDER:
            return any(can(state, kid) for kid in kids)
        case Op.NARROW:
            return can_build_street(state, seat, 1)
        case Op.WIDE:
            return can_build_street(state, seat, 2)
        case Op.INTERSECTION:
            return can_build_intersection(state, seat, free=bool(a))
        case Op.COBBLESTONE:
            return can_place_cobblestone(state, seat)
        case Op.SERVICE:
            return can_build_service(state, seat)
        case Op.MODERNISME:
            return can_take_modernisme(state, seat)
        case Op.IMPROVE:
            return can_improve(state, seat, free=bool(b))
    return True


def ask_choice(state: BarcelonaState, task: Task) -> list[Move]:
    """One of two effects, of those that can do anything."""
    kids = state.ruleset.nodes[task[1]].kids
    found = [simple(Kind.CHOICE, i) for i, kid in enumerate(kids) if can(state, kid)]
    return found if task[3] else [STOP, *found]


def answer_choice(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    if move != STOP:
        state.push((Do.EFFECT, state.ruleset.nodes[task[1]].kids[move % RANGE], task[2], 1))


def ask_parts(_: BarcelonaState, __: Task) -> list[Move]:
    """Which of two parts comes first; it is finished before the other begins."""
    return [simple(Kind.PART, 0), simple(Kind.PART, 1)]


def answer_parts(state: BarcelonaState, task: Task, move: Move) -> None:
    kids = state.ruleset.nodes[task[1]].kids
    chosen = move % RANGE
    state.tasks.pop()
    state.push((Do.EFFECT, kids[chosen], task[2], 0), (Do.EFFECT, kids[1 - chosen], task[2], 0))

"""Which function asks, answers or carries out each kind of task."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from boardgamesbot.games.barcelona import building, gains, interpreter, pedestrians, streets, tiles, trams, turn
from boardgamesbot.games.barcelona.gaudi import turn as gaudi
from boardgamesbot.games.barcelona.tasks import Do, Task

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move

Ask = Callable[["BarcelonaState", Task], "list[Move]"]
"""The legal moves, sorted; none, or only to stop: there is nothing to decide and the task is over (BA-T2)."""
Answer = Callable[["BarcelonaState", Task, "Move"], None]
Carry = Callable[["BarcelonaState", Task], None]

ASKED: dict[int, Ask] = {
    Do.PLACE: turn.ask_place,
    Do.ACTIONS: turn.ask_actions,
    Do.KEEP: gains.ask_keep,
    Do.STREET: streets.ask_street,
    Do.STREET_STACK: streets.ask_street_stack,
    Do.INTERSECTION: streets.ask_intersection,
    Do.TRAM: trams.ask_tram,
    Do.PASSENGER: trams.ask_passenger,
    Do.RIDE: trams.ask_ride,
    Do.COBBLESTONE: tiles.ask_cobblestone,
    Do.SERVICE: tiles.ask_service,
    Do.MODERNISME: tiles.ask_modernisme,
    Do.IMPROVE: tiles.ask_improve,
    Do.SAGRADA: tiles.ask_sagrada,
    Do.CHOICE: interpreter.ask_choice,
    Do.PARTS: interpreter.ask_parts,
    Do.WALK: pedestrians.ask_walk,
    Do.WALK_ONE: pedestrians.ask_walk_one,
    Do.JOY_ANY: pedestrians.ask_joy_any,
    Do.HEXAGON: pedestrians.ask_hexagon,
    Do.RESOURCE: gains.ask_resource,
    Do.BUILD: building.ask_build,
    Do.MARKER: building.ask_marker,
    Do.START_DIE: turn.ask_start_die,
    Do.GAUDI: gaudi.ask_gaudi,
}
ANSWERS: dict[int, Answer] = {
    Do.PLACE: turn.answer_place,
    Do.ACTIONS: turn.answer_actions,
    Do.KEEP: gains.answer_keep,
    Do.STREET: streets.answer_street,
    Do.STREET_STACK: streets.answer_street_stack,
    Do.INTERSECTION: streets.answer_intersection,
    Do.TRAM: trams.answer_tram,
    Do.PASSENGER: trams.answer_passenger,
    Do.RIDE: trams.answer_ride,
    Do.COBBLESTONE: tiles.answer_cobblestone,
    Do.SERVICE: tiles.answer_service,
    Do.MODERNISME: tiles.answer_modernisme,
    Do.IMPROVE: tiles.answer_improve,
    Do.SAGRADA: tiles.answer_sagrada,
    Do.CHOICE: interpreter.answer_choice,
    Do.PARTS: interpreter.answer_parts,
    Do.WALK: pedestrians.answer_walk,
    Do.WALK_ONE: pedestrians.answer_walk_one,
    Do.JOY_ANY: pedestrians.answer_joy_any,
    Do.HEXAGON: pedestrians.answer_hexagon,
    Do.RESOURCE: gains.answer_resource,
    Do.BUILD: building.answer_build,
    Do.MARKER: building.answer_marker,
    Do.START_DIE: turn.answer_start_die,
    Do.GAUDI: gaudi.answer_gaudi,
}
DONE: dict[int, Carry] = {
    Do.EFFECT: interpreter.do_effect,
    Do.RUN: streets.do_run,
    Do.EMPTIED: streets.do_emptied,
    Do.WENT_BACK: pedestrians.do_went_back,
    Do.ROW_BONUS: building.do_row_bonus,
    Do.TO_TRACK: building.do_to_track,
    Do.TRACK_VP: building.do_track_vp,
    Do.CERDA_CHECK: turn.do_cerda_check,
    Do.DRAW: turn.do_draw,
}


def _unasked(_: BarcelonaState, task: Task) -> list[Move]:
    raise LookupError(f"{Do(task[0]).name} asks nothing")


def _unanswered(_: BarcelonaState, task: Task, __: Move) -> None:
    raise LookupError(f"{Do(task[0]).name} has no answer")


_KINDS = range(max(Do) + 1)
ASK: Final[tuple[Ask, ...]] = tuple(ASKED.get(kind, _unasked) for kind in _KINDS)
"""The same by number, as the engine looks them up."""
ANSWER: Final[tuple[Answer, ...]] = tuple(ANSWERS.get(kind, _unanswered) for kind in _KINDS)
CARRY: Final[tuple[Carry | None, ...]] = tuple(DONE.get(kind) for kind in _KINDS)

"""Why a move is not legal: the rule that forbids it here, and the particulars in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.moves import Kind, Parts, parts
from boardgamesbot.games.barcelona.refusals.objections import OBJECTIONS
from boardgamesbot.games.barcelona.rules import RULES
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.base import IllegalMove

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_ASKS: dict[int, tuple[Kind, str]] = {
    Do.PLACE: (Kind.PLACE, "place your citizens"),
    Do.ACTIONS: (Kind.ACTION, "take an action, or no more"),
    Do.KEEP: (Kind.KEEP, "choose what stays in your storage"),
    Do.STREET: (Kind.SECTION, "build a street"),
    Do.STREET_STACK: (Kind.STACK, "choose the stack that the street comes from"),
    Do.INTERSECTION: (Kind.INTERSECTION, "place an Intersection tile"),
    Do.TRAM: (Kind.TRAM, "move your tram"),
    Do.PASSENGER: (Kind.PASSENGER, "place a passenger, or none"),
    Do.RIDE: (Kind.RIDE, "take the action of the passenger's street, or not"),
    Do.COBBLESTONE: (Kind.COBBLESTONE, "place a cobblestone"),
    Do.SERVICE: (Kind.SERVICE, "build a Public Service"),
    Do.MODERNISME: (Kind.MODERNISME, "take a Modernisme tile"),
    Do.IMPROVE: (Kind.IMPROVE, "improve a project space"),
    Do.SAGRADA: (Kind.SAGRADA, "take a Sagrada Família tile"),
    Do.CHOICE: (Kind.CHOICE, "choose one of two effects"),
    Do.PARTS: (Kind.PART, "choose which part comes first"),
    Do.WALK: (Kind.STEP, "walk one more step, or none"),
    Do.WALK_ONE: (Kind.PEDESTRIAN, "choose the Pedestrian that walks, or none"),
    Do.JOY_ANY: (Kind.PEDESTRIAN, "choose the Pedestrian whose Joy rises"),
    Do.HEXAGON: (Kind.HEXAGON, "place a hexagonal cobblestone"),
    Do.RESOURCE: (Kind.RESOURCE, "choose coins or cloth"),
    Do.BUILD: (Kind.BUILD, "construct a building"),
    Do.MARKER: (Kind.STACK, "choose the stack that your marker comes from"),
    Do.START_DIE: (Kind.PEDESTRIAN, "choose the Pedestrian that starts with more Joy"),
}
"""By what is being asked, the kind of its answers, and what it is time to do then."""

_WANTS = {
    Kind.PLACE: "to place citizens",
    Kind.ACTION: "to take the action of a street",
    Kind.KEEP: "to choose what stays in your storage",
    Kind.SECTION: "to build a street",
    Kind.STACK: "to choose a stack",
    Kind.INTERSECTION: "to place an Intersection tile",
    Kind.TRAM: "to move your tram",
    Kind.PASSENGER: "to place a passenger",
    Kind.RIDE: "to take the action of a passenger's street",
    Kind.COBBLESTONE: "to place a cobblestone",
    Kind.SERVICE: "to build a Public Service",
    Kind.MODERNISME: "to take a Modernisme tile",
    Kind.IMPROVE: "to improve a project space",
    Kind.SAGRADA: "to take a Sagrada Família tile",
    Kind.BUILD: "to construct a building",
    Kind.RESOURCE: "to choose coins or cloth",
    Kind.CHOICE: "to choose between two effects",
    Kind.PART: "to choose which part comes first",
    Kind.PEDESTRIAN: "to choose a Pedestrian",
    Kind.STEP: "to walk",
    Kind.HEXAGON: "to place a hexagonal cobblestone",
    Kind.GAUDI: "to play Gaudí's turn",
}
"""What a move of each kind is for."""

_JUST_CHOSEN = (
    Do.STREET,
    Do.INTERSECTION,
    Do.TRAM,
    Do.COBBLESTONE,
    Do.SERVICE,
    Do.MODERNISME,
    Do.IMPROVE,
    Do.CHOICE,
)
"""What can be declined unless it is the first thing that an effect just chosen asks for."""


def refusal(state: BarcelonaState, wanted: Parts) -> IllegalMove:
    """Say why a move that is not among the legal ones is not. Does not ask whether it is."""
    if state.over:
        return _no("BA-E1", "the game is over")
    if not state.legal:
        return _no("BA-T2", "nothing is being decided here")
    task = state.task
    if task[0] == Do.GAUDI:
        reason = "it is Gaudí's turn: his cards and rules make all of it one move, and leave no other"
        return _no("BA-G4", reason, asked=Kind.GAUDI.name, wanted=wanted.kind.name)
    kind, asked = _ASKS[task[0]]
    if wanted.kind is Kind.GAUDI and state.solo:
        reason = f"Gaudí's turn is not yours to play: it is made for him after yours, and now it is time to {asked}"
        return _no("BA-G4", reason, asked=kind.name, wanted=wanted.kind.name)
    if wanted.kind is Kind.STOP:
        return _not_declined(state, task)
    if wanted.kind is not kind:
        reason = f"now it is time to {asked}, not {_WANTS[wanted.kind]}"
        return _no("BA-T2", reason, asked=kind.name, wanted=wanted.kind.name)
    objection = OBJECTIONS.get(task[0])
    if objection is None:
        return _no("BA-T2", f"that can't be chosen when it is time to {asked}", asked=kind.name)
    rule, reason, details = objection(state, task, wanted)
    return _no(rule, reason, **details)


def _no(rule: str, reason: str, **details: object) -> IllegalMove:
    return IllegalMove(RULES[rule], reason, {name: str(value) for name, value in details.items()})


def _not_declined(state: BarcelonaState, task: Task) -> IllegalMove:
    """Why what is asked has to be decided (BA-T2, BA-B1)."""
    if task[0] == Do.BUILD:
        return _must_build(state)
    kind, asked = _ASKS[task[0]]
    if task[0] in _JUST_CHOSEN:
        reason = f"you have just chosen this, so you have to {asked}"
    elif task[0] == Do.PLACE:
        reason = "you have to place your citizens: only the actions after that can be declined"
    else:
        reason = f"you have to {asked}: that can't be declined"
    return _no("BA-T2", reason, asked=kind.name)


def _must_build(state: BarcelonaState) -> IllegalMove:
    """Names a building that is possible, for a player who sees none."""
    possible = parts(state.legal[0])
    building = state.ruleset.buildings[possible.which].name
    site = places.site(state.ruleset.city, possible.what)
    reason = f"you have to construct a building as long as you can: a {building} is possible on {site}"
    return _no("BA-B1", reason, building=building, site=site)

"""Why an effect can't be carried out just now: the rule, and the particulars in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from boardgamesbot.games.barcelona.effects import Node, Op
from boardgamesbot.games.barcelona.streets import NARROW, WIDE, intersection_cost, tiles
from boardgamesbot.games.barcelona.tiles import improve_cost, open_spaces, service_cost, services_in_reach
from boardgamesbot.games.barcelona.words.wording import many

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

STREET_KINDS = {NARROW: "narrow street", WIDE: "wide street"}


class Obstacle(NamedTuple):
    """What is in the way of something that the player to move would like to do."""

    rule: str
    reason: str
    details: Mapping[str, object] = MappingProxyType({})


def of_effect(state: BarcelonaState, number: int) -> Obstacle | None:
    """What keeps an effect from doing anything now; None if nothing does (BA-A8)."""
    node = state.ruleset.nodes[number]
    if node.kids:
        found = [of_effect(state, kid) for kid in node.kids]
        return None if None in found else found[0]
    obstacle = _OF_OP.get(node.op)
    return None if obstacle is None else obstacle(state, node)


def of_street(state: BarcelonaState, kind: int) -> Obstacle | None:
    """No tile in stock, or no section for it (BA-ST1)."""
    if not any(tiles(state, state.seat, kind)):
        return Obstacle("BA-ST1", f"you have no {STREET_KINDS[kind]} left", {"tile": STREET_KINDS[kind]})
    if 0 not in state.streets:
        return Obstacle("BA-ST1", "every section has a street tile already")
    return None


def of_intersection(state: BarcelonaState, *, free: bool) -> Obstacle | None:
    """No tile left, too little cloth for it, or no intersection (BA-I1)."""
    cost = intersection_cost(state, state.seat)
    if cost is None:
        return Obstacle("BA-I1", "you have no Intersection tile left")
    if not free and cost > state.cloth[state.seat]:
        return _too_dear(state, "BA-I1", "your next Intersection tile", cost)
    if -1 not in state.intersection_owners:
        return Obstacle("BA-I1", "every intersection has an Intersection tile already")
    return None


def of_cobblestone(state: BarcelonaState) -> Obstacle | None:
    """No cobblestone left, or no space (BA-C1)."""
    if state.cobblestones_placed[state.seat] >= state.ruleset.cobblestones:
        return Obstacle("BA-C1", "you have no cobblestone left")
    if not open_spaces(state):
        return Obstacle("BA-C1", "no space of the Sidewalk is left")
    return None


def of_service(state: BarcelonaState, stack: int) -> Obstacle | None:
    """The stack is used up, its type is owned already, or its top tile is too dear (BA-P1, BA-P2)."""
    seat, service = state.seat, state.service_types[stack]
    name, cost = state.ruleset.services[service].name, service_cost(state, stack)
    if cost is None:
        return Obstacle("BA-P1", f"no tile of {name} is left", {"service": name})
    if service in state.services_of[seat]:
        return Obstacle("BA-P2", f"you have built {name} already", {"service": name})
    if cost > state.coins[seat]:
        coins = state.coins[seat]
        return Obstacle(
            "BA-P1",
            f"{name} costs {many(cost, 'coin')} and you have {coins}",
            {"service": name, "cost": cost, "coins": coins},
        )
    return None


def of_modernisme(state: BarcelonaState) -> Obstacle | None:
    """No tile shown, or no project space for it (BA-M1)."""
    if -1 not in state.projects[state.seat]:
        return Obstacle("BA-M1", "all your project spaces hold a tile")
    if max(state.shown) < 0:
        return Obstacle("BA-M1", "no Modernisme tile is left in the display")
    return None


def of_improvement(state: BarcelonaState, *, free: bool) -> Obstacle | None:
    """Every space is improved, or too little cloth (BA-M2)."""
    cost = improve_cost(state, state.seat)
    if cost is None:
        return Obstacle("BA-M2", "all your project spaces are improved already")
    if not free and cost > state.cloth[state.seat]:
        return _too_dear(state, "BA-M2", "improving a project space", cost)
    return None


def _of_any_service(state: BarcelonaState, _: Node) -> Obstacle | None:
    """No stack has a tile to build; the cheapest of those that only want coins is named, if there is any."""
    if services_in_reach(state, state.seat):
        return None
    found = [of_service(state, stack) for stack in range(len(state.service_types))]
    costs = [
        cost
        for stack, obstacle in enumerate(found)
        if obstacle and obstacle.rule == "BA-P1" and (cost := service_cost(state, stack)) is not None
    ]
    if not costs:
        return Obstacle("BA-P2", "you have built every type of Public Service of which a tile is left")
    cost, coins = min(costs), state.coins[state.seat]
    return Obstacle(
        "BA-P1",
        f"the cheapest Public Service that you can still build costs {many(cost, 'coin')} and you have {coins}",
        {"cost": cost, "coins": coins},
    )


def _too_dear(state: BarcelonaState, rule: str, what: str, cost: int) -> Obstacle:
    cloth = state.cloth[state.seat]
    return Obstacle(rule, f"{what} costs {cost} cloth and you have {cloth}", {"cost": cost, "cloth": cloth})


_OF_OP: dict[Op, Callable[[BarcelonaState, Node], Obstacle | None]] = {
    Op.NARROW: lambda state, _: of_street(state, NARROW),
    Op.WIDE: lambda state, _: of_street(state, WIDE),
    Op.INTERSECTION: lambda state, node: of_intersection(state, free=bool(node.a)),
    Op.COBBLESTONE: lambda state, _: of_cobblestone(state),
    Op.SERVICE: _of_any_service,
    Op.MODERNISME: lambda state, _: of_modernisme(state),
    Op.IMPROVE: lambda state, node: of_improvement(state, free=bool(node.b)),
}

"""What is wrong with a choice of the kind that is being asked, one function for each task.

Each is called for a choice that is not legal and says why; choices that always are have no function here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.building import TOP
from boardgamesbot.games.barcelona.geometry import DIAGONAL
from boardgamesbot.games.barcelona.moves import Parts
from boardgamesbot.games.barcelona.refusals import obstacles
from boardgamesbot.games.barcelona.refusals.obstacles import STREET_KINDS, Obstacle
from boardgamesbot.games.barcelona.ruleset import CLASSES
from boardgamesbot.games.barcelona.streets import tiles as street_tiles
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.barcelona.tiles import icons
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import joined, many

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.ruleset import Building
    from boardgamesbot.games.barcelona.state import BarcelonaState


def _whose(state: BarcelonaState, seat: int) -> str:
    """`your` for the player to move, `Grey's` for another."""
    return "your" if seat == state.seat else f"{state.ruleset.seat_colours[seat]}'s"


def _class(citizen: int) -> str:
    return f"{CLASSES[citizen - 1]} class"


# Placing and actions


def _place(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    where, top, seat = places.intersection(wanted.what), wanted.which, state.seat
    there = state.citizens[wanted.what]
    if there:
        reason = f"{where} is not empty: a citizen of the {_class(there & TOP)} is on top there"
        return Obstacle("BA-A1", reason, {"intersection": where})
    if top not in state.hands[seat]:
        held = joined([_class(citizen) for citizen in sorted(set(state.hands[seat]))])
        reason = f"you hold no citizen of the {_class(top)}, only of the {held}"
        return Obstacle("BA-A2", reason, {"class": CLASSES[top - 1]})
    cost, coins = state.ruleset.diagonal_cost, state.coins[seat]
    return Obstacle(
        "BA-A3",
        f"{where} is on the Diagonal, which costs {many(cost, 'coin')}, and you have {coins}",
        {"intersection": where, "cost": cost, "coins": coins},
    )


def _action(state: BarcelonaState, task: Task, wanted: Parts) -> Obstacle:
    _, intersection, left = task
    street, where = places.street(wanted.what), places.intersection(intersection)
    crossing = state.ruleset.city.streets_at[intersection]
    if wanted.what not in crossing:
        names = joined([places.street(number) for number in crossing])
        reason = f"{street} does not pass {where}, where {names} cross"
        return Obstacle("BA-A7", reason, {"street": street, "intersection": where})
    action = state.ruleset.actions[state.slots[wanted.what]]
    named = {"street": street, "action": action.name}
    if not left >> wanted.what & 1:
        if wanted.what == DIAGONAL and _may_stand_for_free(state):
            reason = f"{action.name}, the action of {street}, is gone: you took it, or stand on {where} for free"
            return Obstacle("BA-A4", reason, named)
        return Obstacle("BA-A7", f"you have taken {action.name}, the action of {street}, this turn", named)
    obstacle = obstacles.of_effect(state, action.effect)
    assert obstacle is not None, "an action that nothing is in the way of is legal"
    return Obstacle(
        "BA-A8",
        f"{action.name}, the action of {street}, is not possible: {obstacle.reason}",
        {**named, "because": obstacle.rule, **obstacle.details},
    )


def _may_stand_for_free(state: BarcelonaState) -> bool:
    """Whether the citizens may have been placed on the diagonal for free: nothing else is empty (BA-A4)."""
    on_diagonal = state.ruleset.city.on_diagonal
    return all(on_diagonal[i] for i, stack in enumerate(state.citizens) if not stack)


# Goods and stacks


def _keep(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    coins, cloth, room = state.coins[state.seat], state.cloth[state.seat], state.capacity(state.seat)
    least, most = max(0, room - cloth), min(coins, room)
    which = many(least, "coin") if least == most else f"{least} to {most} coins"
    return Obstacle(
        "BA-R1",
        f"you have {many(coins, 'coin')} and {cloth} cloth for {room} spaces and have to fill them all: "
        f"keep {which}, not {wanted.what}, and cloth in the rest",
        {"coins": coins, "cloth": cloth, "spaces": room, "least": least, "most": most},
    )


def _street_stack(state: BarcelonaState, task: Task, wanted: Parts) -> Obstacle:
    stacks = street_tiles(state, state.seat, task[1])
    return _stack("BA-ST1", f"{STREET_KINDS[task[1]]}s", len(stacks), wanted.what)


def _marker(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    return _stack("BA-B4", "markers", len(state.marker_stacks[state.seat]), wanted.what)


def _stack(rule: str, pieces: str, stacks: int, wanted: int) -> Obstacle:
    name = f"stack {wanted + 1} of your {pieces}"
    reason = f"there is no {name}, only {stacks}" if wanted >= stacks else f"{name} is empty"
    return Obstacle(rule, reason, {"stack": wanted + 1})


# The city


def _section(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    where = places.section(wanted.what)
    whose = _whose(state, state.street_owners[wanted.what])
    there = STREET_KINDS[state.streets[wanted.what]]
    return Obstacle("BA-ST1", f"{whose} {there} is on {where} already", {"section": where, "there": there})


def _intersection(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    where = places.intersection(wanted.what)
    whose = _whose(state, state.intersection_owners[wanted.what])
    return Obstacle("BA-I1", f"{whose} Intersection tile is on {where} already", {"intersection": where})


def _tram(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    to, tram, steps = places.section(wanted.what), state.trams[state.seat], state.ruleset.tram_steps
    if tram < 0:
        reason = (
            f"{to} is too far: your tram comes into the city on one of the outer streets, A, E, 1 and 5, "
            f"as the first of {many(steps, 'step')}"
        )
        return Obstacle("BA-TR1", reason, {"section": to, "steps": steps})
    start = places.section(tram)
    reason = (
        f"{to} is more than {many(steps, 'step')} from {start}, street tiles of yours that are joined being one step"
    )
    return Obstacle("BA-TR1", reason, {"section": to, "from": start, "steps": steps})


# The side board


def _cobblestone(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    where = places.sidewalk(wanted.what)
    owner = state.sidewalk[wanted.what]
    if owner >= 0:
        reason = f"{_whose(state, owner)} cobblestone is on {where} already"
    elif icons(state)[wanted.what] < 0:
        reason = f"{where} is the printed cobblestone"
    else:
        reason = f"{where} is beside no cobblestone; corner to corner does not count"
    return Obstacle("BA-C1", reason, {"space": wanted.what + 1})


def _service(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    obstacle = obstacles.of_service(state, wanted.what)
    assert obstacle is not None, "a service that nothing is in the way of is legal"
    return obstacle


def _modernisme(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    if state.shown[wanted.what] < 0:
        reason = f"no Modernisme tile is at place {wanted.what + 1} of the display"
        return Obstacle("BA-M1", reason, {"place": wanted.what + 1})
    tile = state.ruleset.scorings[state.projects[state.seat][wanted.which]].name
    reason = f"your project space {wanted.which + 1} holds a tile already: {tile}"
    return Obstacle("BA-M1", reason, {"space": wanted.which + 1, "tile": tile})


def _improve(_: BarcelonaState, __: Task, wanted: Parts) -> Obstacle:
    return Obstacle("BA-M2", f"your project space {wanted.what + 1} is improved already", {"space": wanted.what + 1})


def _sagrada(state: BarcelonaState, task: Task, wanted: Parts) -> Obstacle:
    tiles, level = state.ruleset.sagrada_tiles, task[1] + 1
    if wanted.what >= len(tiles):
        reason = f"there is no Sagrada Família tile with number {wanted.what}"
        return Obstacle("BA-SF2", reason, {"level": level})
    tile = tiles[wanted.what]
    taken = next((seat for seat, own in enumerate(state.sagrada_of) if wanted.what in own), None)
    if tile.level != task[1]:
        reason = f'"{tile.name}" is a tile of level {tile.level + 1}, and the one to take now is of level {level}'
    elif taken is not None:
        who = "you have" if taken == state.seat else f"{state.ruleset.seat_colours[taken]} has"
        reason = f'{who} taken "{tile.name}" already'
    else:
        reason = f'"{tile.name}" is not in this game'
    return Obstacle("BA-SF2", reason, {"tile": tile.name, "level": level})


def _choice(state: BarcelonaState, task: Task, wanted: Parts) -> Obstacle:
    obstacle = obstacles.of_effect(state, state.ruleset.nodes[task[1]].kids[wanted.what])
    assert obstacle is not None, "an effect that nothing is in the way of can be chosen"
    return obstacle


# The Passeig de Gràcia


def _joy_any(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    name, joy = places.PEDESTRIAN_NAMES[wanted.what], state.joy[2 * state.seat + wanted.what]
    return Obstacle("BA-PG7", f"{name} has a Joy of {joy}, the most there is", {"pedestrian": name, "joy": joy})


def _hexagon(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    where, owner = places.hexagon(wanted.what), state.hexagons[wanted.what]
    details: dict[str, object] = {"space": wanted.what + 1, "violet": places.VIOLET_PLACES[wanted.which]}
    if owner >= 0:
        return Obstacle("BA-PG10", f"{_whose(state, owner)} hexagonal cobblestone is on {where} already", details)
    near = [f"the {places.VIOLET_PLACES[violet]}" for violet in state.ruleset.hexagon_beside[wanted.what]]
    are = "is" if len(near) == 1 else "are"
    reason = f"beside {where} {are} {joined(near)} violet cobblestone, not the {details['violet']} one"
    return Obstacle("BA-PG10", reason, details)


# Building


def _build(state: BarcelonaState, _: Task, wanted: Parts) -> Obstacle:
    building, where = state.ruleset.buildings[wanted.which], places.site(state.ruleset.city, wanted.what)
    details = {"building": building.name, "site": where}
    return (
        _ground(state, wanted.what, building, details)
        or _supply(state, wanted.which, building, details)
        or _neighbours(state, wanted.what, building, details)
        or _used(state, wanted, building, details)
    )


def _ground(state: BarcelonaState, number: int, building: Building, details: dict[str, str]) -> Obstacle | None:
    """The wrong kind of site, or one with a building that is as high (BA-B2, BA-B3)."""
    site, there, name = state.ruleset.city.sites[number], state.buildings[number], details["site"]
    if building.corner and not site.corner:
        return Obstacle(
            "BA-B2", f"a {building.name} needs a corner cut off by the Diagonal, and {name} is whole", details
        )
    if site.corner and not building.corner:
        return Obstacle("BA-B2", f"a {building.name} needs a whole block, which {name} is not", details)
    if there < 0:
        return None
    standing = state.ruleset.buildings[there]
    marker = state.markers[number]
    whose = f"{_whose(state, marker[-1])} " if marker else "a "
    if site.corner:
        reason = f"{whose}{standing.name} is on {name}, and nothing goes over that"
    elif standing.level >= building.level:
        reason = f"{whose}{standing.name} is on {name}, and only a higher level goes over it"
    else:
        return None
    return Obstacle("BA-B3", reason, {**details, "there": standing.name})


def _supply(state: BarcelonaState, kind: int, building: Building, details: dict[str, str]) -> Obstacle | None:
    """No tile is left (BA-B4). Who has no marker left is not asked to build."""
    if state.buildings_left[kind]:
        return None
    return Obstacle("BA-B4", f"no tile of a {building.name} is left", details)


def _neighbours(state: BarcelonaState, number: int, building: Building, details: dict[str, str]) -> Obstacle | None:
    """Too few citizens around the site, or none of the class wanted (BA-B2)."""
    around = state.ruleset.city.sites[number].around
    tops = [state.citizens[i] & TOP for i in around]
    living = sum(1 for top in tops if top)
    corners = joined([places.intersection(i) for i in around])
    if living < building.citizens:
        reason = f"a {building.name} takes {building.citizens} citizens, and {corners} have only {living}"
        return Obstacle("BA-B2", reason, {**details, "citizens": str(building.citizens), "there": str(living)})
    if building.wants and building.wants not in tops:
        wants = CLASSES[building.wants - 1]
        reason = f"a {building.name} wants a citizen of the {_class(building.wants)}, and none is on top on {corners}"
        return Obstacle("BA-B2", reason, {**details, "class": wants})
    return None


def _used(state: BarcelonaState, wanted: Parts, building: Building, details: dict[str, str]) -> Obstacle:
    """The wrong citizens for a building that could be built there (BA-B2)."""
    around = state.ruleset.city.sites[wanted.what].around
    if wanted.using >> len(around):
        reason = f"{details['site']} has {len(around)} intersections, no more"
        return Obstacle("BA-B2", reason, details)
    used = [i for bit, i in enumerate(around) if wanted.using >> bit & 1]
    empty = [places.intersection(i) for i in used if not state.citizens[i]]
    if empty:
        return Obstacle("BA-B2", f"no citizen is on {joined(empty, 'or')}", {**details, "intersection": empty[0]})
    if len(used) != building.citizens:
        reason = f"a {building.name} takes {building.citizens} citizens, not {len(used)}"
        return Obstacle("BA-B2", reason, {**details, "citizens": str(building.citizens), "chosen": str(len(used))})
    corners = joined([places.intersection(i) for i in used])
    reason = f"a {building.name} wants a citizen of the {_class(building.wants)}, and none is on top on {corners}"
    return Obstacle("BA-B2", reason, {**details, "class": CLASSES[building.wants - 1]})


OBJECTIONS: dict[int, Callable[[BarcelonaState, Task, Parts], Obstacle]] = {
    Do.PLACE: _place,
    Do.ACTIONS: _action,
    Do.KEEP: _keep,
    Do.STREET: _section,
    Do.STREET_STACK: _street_stack,
    Do.INTERSECTION: _intersection,
    Do.TRAM: _tram,
    Do.COBBLESTONE: _cobblestone,
    Do.SERVICE: _service,
    Do.MODERNISME: _modernisme,
    Do.IMPROVE: _improve,
    Do.SAGRADA: _sagrada,
    Do.CHOICE: _choice,
    Do.JOY_ANY: _joy_any,
    Do.HEXAGON: _hexagon,
    Do.BUILD: _build,
    Do.MARKER: _marker,
}
"""By what is being asked."""

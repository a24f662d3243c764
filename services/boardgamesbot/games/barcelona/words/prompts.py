"""What is to be decided in Barcelona, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from boardgamesbot.games.barcelona.geometry import street_of
from boardgamesbot.games.barcelona.streets import NARROW, intersection_cost
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.tiles import improve_cost
from boardgamesbot.games.barcelona.trams import passenger_cost
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import CITIES, CITIZENS, effect_in_words, goods, joined, many

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState


def prompt(state: BarcelonaState) -> str:
    """What the player is asked, with what it gives or costs, as markup."""
    return "The game is over." if state.over else escape(_question(state))


def _question(state: BarcelonaState) -> str:
    ruleset, seat = state.ruleset, state.seat
    do, *rest = state.task
    match do:
        case Do.PLACE:
            hand = ", ".join(CITIZENS[citizen] for citizen in state.hands[seat] if citizen) or "hidden"
            where = f"an empty intersection (the diagonal costs {many(ruleset.diagonal_cost, 'coin')})"
            return f"Place both citizens ({hand}) on {where}: you then take the actions of its streets."
        case Do.ACTIONS:
            return f"Take an action of {places.intersection(rest[0])}, or no more: {_actions(state, rest[0], rest[1])}."
        case Do.KEEP:
            have = goods(state.coins[seat], state.cloth[seat])
            return f"You have {have}, but room for {state.capacity(seat)}: what stays?"
        case Do.STREET:
            return _street(state, *rest)
        case Do.STREET_STACK:
            kind = "narrow" if rest[0] == NARROW else "wide"
            reward = "emptying a stack gives its reward"
            return f"Take the {kind} street for {places.section(rest[1])} from which stack of your board? ({reward})"
        case Do.INTERSECTION:
            cost = 0 if rest[0] else intersection_cost(state, seat) or 0
            price = f"for {many(cost, 'cloth')}" if cost else "for nothing"
            return f"Build an Intersection {price}: you gain the icons in sight on the streets around it."
        case Do.TRAM:
            if state.trams[seat] < 0:
                return "Bring your tram into the city: where does it end its way? A passenger may get off there."
            where = places.section(state.trams[seat])
            return f"Move your tram from {where}: where does it end its way? A passenger may get off there."
        case Do.PASSENGER:
            return _passenger(state, *rest)
        case Do.RIDE:
            street = street_of(rest[0])
            return f"Take the action of your passenger's street, too? {_action(state, street)}."
        case Do.COBBLESTONE:
            return "Place a cobblestone beside another one: you gain the icon it covers, and room for one more good."
        case Do.SERVICE:
            return "Build a Public Service of a type that you do not have: you pay its coins and get what it shows."
        case Do.MODERNISME:
            return "Take a Modernisme tile into a free project space: it scores at the end of the game."
        case Do.IMPROVE:
            cost = 0 if rest[1] else improve_cost(state, seat) or 0
            price = f"for {many(cost, 'cloth')}" if cost else "for nothing"
            left = f" ({rest[0]} left)" if rest[0] > 1 else ""
            plain, improved = ruleset.project_factors
            return f"Improve a project space {price}{left}: its tile scores × {improved} at the end, not × {plain}."
        case Do.SAGRADA:
            return f"Take a Sagrada Família tile of level {rest[0] + 1}: you get what it shows at once."
        case Do.CHOICE:
            first, second = (effect_in_words(ruleset, kid) for kid in ruleset.nodes[rest[0]].kids)
            return f"Choose an effect. The first: {first}. The second: {second}."
        case Do.PARTS:
            first, second = (effect_in_words(ruleset, kid) for kid in ruleset.nodes[rest[0]].kids)
            return f"You get two parts: which comes first? The first: {first}. The second: {second}."
        case Do.WALK:
            return _walk(state, *rest)
        case Do.WALK_ONE:
            return f"Which Pedestrian walks up to {many(rest[0], 'step')}?"
        case Do.JOY_ANY:
            return f"Which Pedestrian gains {rest[0]} Joy?"
        case Do.HEXAGON:
            return "Place a hexagonal cobblestone: you gain what it covers, times what the violet one counts."
        case Do.RESOURCE:
            return f"Gain {many(rest[0], 'coin')} or {many(rest[0], 'cloth')}?"
        case Do.BUILD:
            return "Construct a building, as one is possible: choose its site, what it is and the citizens who move in."
        case Do.MARKER:
            site = places.site(ruleset.city, rest[0])
            return f"Take the marker for {site} from which stack of your board? (emptying a stack gives its reward)"
        case Do.START_DIE:
            return f"Which of your Pedestrians begins with Joy {ruleset.third_seat_die}?"
        case Do.GAUDI:
            return "It is Gaudí's turn: his cards and priorities leave him no choice."
    return "Nothing is to be decided."


def _action(state: BarcelonaState, street: int) -> str:
    name = state.ruleset.actions[state.slots[street]].name
    return f"{name} ({places.street(street)})"


def _actions(state: BarcelonaState, intersection: int, left: int) -> str:
    streets = state.ruleset.city.streets_at[intersection]
    return joined([_action(state, street) for street in streets if left >> street & 1], "or")


def _street(state: BarcelonaState, kind: int, more: int, first: int) -> str:
    points = many(state.ruleset.run_vp[kind], "point")
    name = "narrow" if kind == NARROW else "wide"
    which = f"a {name} street" if more == 1 else f"a {name} street (up to {more})"
    another = "Build" if first else "You may build"
    return f"{another} {which}: you gain the icon it covers, and {points} for each tile of its run."


def _passenger(state: BarcelonaState, section: int, free: int) -> str:
    cost = 0 if free else passenger_cost(state, state.seat) or 0
    price = f"for {many(cost, 'cloth')}" if cost else "for nothing"
    street = street_of(section)
    return f"Place a passenger on {places.section(section)} {price}? You may then take {_action(state, street)}."


def _walk(state: BarcelonaState, pedestrian: int, left: int) -> str:
    at = state.path[2 * state.seat + pedestrian]
    joy = state.joy[2 * state.seat + pedestrian]
    where = f"on its {('first', 'second', 'third')[at - 1]} space" if at else f"in {CITIES[pedestrian]}"
    who = places.PEDESTRIAN_NAMES[pedestrian]
    return f"Walk {who} another step? It is {where} with Joy {joy}, and may walk {many(left, 'more step')}."

"""Moves of Barcelona in words: a short imperative, with what the move gives or costs where that is easily said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.events import Pieces
from boardgamesbot.games.barcelona.geometry import DIAGONAL, street_of
from boardgamesbot.games.barcelona.moves import Kind, Parts
from boardgamesbot.games.barcelona.pedestrians import LAST_STEP, amenity_at, enjoys
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset
from boardgamesbot.games.barcelona.streets import NARROW, WIDE, intersection_cost, run_length, stacks, visible_benefits
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.barcelona.tiles import icons, improve_cost, service_cost
from boardgamesbot.games.barcelona.trams import passenger_cost
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import (
    CITIES,
    CITIZENS,
    ORDINALS,
    count_name,
    effect_in_words,
    goods,
    joined,
    many,
    run,
    steps,
)

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_DECLINING = {
    Do.ACTIONS: "Take no more actions",
    Do.STREET: "Build no more streets",
    Do.INTERSECTION: "Build no Intersection",
    Do.TRAM: "Leave the tram and place no passenger",
    Do.PASSENGER: "Place no passenger",
    Do.RIDE: "Do without the street's action",
    Do.COBBLESTONE: "Place no cobblestone",
    Do.MODERNISME: "Take no Modernisme tile",
    Do.IMPROVE: "Improve no more project spaces",
    Do.CHOICE: "Take neither effect",
    Do.WALK: "Walk no further",
    Do.WALK_ONE: "Walk with neither Pedestrian",
}


class Phrases:
    """Moves of one ruleset in words."""

    def __init__(self, ruleset: BarcelonaRuleset) -> None:
        self._ruleset = ruleset

    def of(self, state: BarcelonaState, made: Parts) -> str:
        """A move, legal or not, as seen from a position."""
        task: Task = (0,) if state.over else state.task
        match made.kind:
            case Kind.STOP:
                return _DECLINING.get(Do(task[0]), "Stop") if task[0] else "Stop"
            case Kind.PLACE:
                return self._place(state, made.what, made.which)
            case Kind.ACTION:
                return f"Take {self._action(state, made.what)}"
            case Kind.RIDE:
                if task[0] != Do.RIDE:
                    return "Take the action of the passenger's street"
                return f"Through the passenger, take {self._action(state, street_of(task[1]))}"
            case Kind.KEEP:
                room = state.capacity(state.seat) - made.what
                return f"Keep {goods(made.what, max(0, room))}"
            case Kind.SECTION:
                return self._section(state, task, made.what)
            case Kind.STACK:
                return self._stack(state, task, made.what)
            case Kind.INTERSECTION:
                return self._intersection(state, task, made.what)
            case Kind.TRAM:
                here = state.trams[state.seat] == made.what
                return f"Leave the tram on {places.section(made.what)}" if here else self._tram(state, made.what)
            case Kind.PASSENGER:
                return self._passenger(state, task)
            case _:
                return self._at_the_side(state, task, made)

    def _at_the_side(self, state: BarcelonaState, task: Task, made: Parts) -> str:
        """Moves that concern tiles, stones, buildings and Pedestrians."""
        ruleset = self._ruleset
        match made.kind:
            case Kind.COBBLESTONE:
                effect = icons(state)[made.what]
                gain = f": {effect_in_words(ruleset, effect)}" if effect >= 0 else ""
                return f"Place a cobblestone on {places.sidewalk(made.what)}{gain}"
            case Kind.SERVICE:
                return self._service(state, made.what)
            case Kind.MODERNISME:
                tile = state.shown[made.what]
                what = f"the tile {self._scoring(tile)}" if tile >= 0 else f"tile {made.what + 1}"
                return f"Take {what} into project space {made.which + 1}"
            case Kind.IMPROVE:
                cost = 0 if task[0] == Do.IMPROVE and task[2] else improve_cost(state, state.seat) or 0
                tile = state.projects[state.seat][made.what]
                holding = self._scoring(tile) if tile >= 0 else "empty"
                return f"Improve project space {made.what + 1} ({holding})" + (
                    f" for {many(cost, 'cloth')}" if cost else ""
                )
            case Kind.SAGRADA:
                if made.what >= len(ruleset.sagrada_tiles):
                    return f"Take Sagrada Família tile {made.what + 1}"
                taken = ruleset.sagrada_tiles[made.what]
                return f"Take the Sagrada Família tile {taken.id}: {effect_in_words(ruleset, taken.effect)}"
            case Kind.BUILD:
                return self._build(state, made)
            case Kind.RESOURCE:
                number = task[1] if task[0] == Do.RESOURCE else 1
                return f"Gain {many(number, ('coin', 'cloth')[made.what])}"
            case Kind.CHOICE | Kind.PART:
                return self._part(task, made)
            case Kind.PEDESTRIAN:
                return self._pedestrian(state, task, made.what)
            case Kind.STEP:
                return self._step(state, task)
            case Kind.GAUDI:
                return "Play Gaudí's turn"
            case _:
                return self._hexagon(state, made.what, made.which)

    def street(self, state: BarcelonaState, street: int) -> str:
        """A street with its action: `street C: Coins`."""
        return f"{places.street(street)}: {self._ruleset.actions[state.slots[street]].name}"

    def crossing(self, state: BarcelonaState, where: int) -> str:
        """An intersection with its cost and the actions of all its streets: `C3, for 1 coin: Coins, Tram and Wide`."""
        streets = self._ruleset.city.streets_at[where]
        cost = f", for {many(self._ruleset.diagonal_cost, 'coin')}" if DIAGONAL in streets else ""
        names = joined([self._ruleset.actions[state.slots[street]].name for street in streets])
        return f"{places.intersection(where)}{cost}: {names}"

    def shown(self, state: BarcelonaState, place: int) -> str:
        """A tile of the Modernisme display."""
        tile = state.shown[place]
        return self._scoring(tile) if tile >= 0 else "no tile"

    def _action(self, state: BarcelonaState, street: int) -> str:
        action = self._ruleset.actions[state.slots[street]]
        return f"{action.name} ({places.street(street)}): {effect_in_words(self._ruleset, action.effect)}"

    def _scoring(self, tile: int) -> str:
        scoring = self._ruleset.scorings[tile]
        return f"{scoring.vp} × {scoring.name}"

    def _place(self, state: BarcelonaState, where: int, top: int) -> str:
        hand = state.hands[state.seat]
        bottom = [citizen for citizen in hand if citizen]
        if top in bottom:
            bottom.remove(top)
        below = f" on {CITIZENS[bottom[0]]}" if len(bottom) == 1 else ""
        return f"Place {CITIZENS[top]}{below} on {self.crossing(state, where)}"

    def _section(self, state: BarcelonaState, task: Task, section: int) -> str:
        kind = task[1] if task[0] == Do.STREET else 0
        name = {NARROW: "a narrow street", WIDE: "a wide street"}.get(kind, "a street")
        said = f"Build {name} on {places.section(section)}"
        if state.streets[section] or not kind:
            return said
        length = run_length(state, section)
        icon = effect_in_words(self._ruleset, self._ruleset.icons[section])
        return f"{said}: {icon}, {run(length, length * self._ruleset.run_vp[kind])}"

    def _stack(self, state: BarcelonaState, task: Task, stack: int) -> str:
        if task[0] == Do.MARKER:
            pieces, what = Pieces.MARKERS, "the marker"
        elif task[0] == Do.STREET_STACK:
            pieces, what = (Pieces.NARROW if task[1] == NARROW else Pieces.WIDE), "the tile"
        else:
            return f"Take from stack {stack + 1}"
        left = stacks(state, state.seat, pieces)
        ruleset = self._ruleset
        rewards = (ruleset.markers, ruleset.narrow, ruleset.wide)[pieces - 1].rewards
        said = f"Take {what} from stack {stack + 1}"
        if stack >= len(left) or not left[stack]:
            return f"{said}, which is empty"
        reward = effect_in_words(ruleset, rewards[stack])
        if left[stack] == 1:
            return f"{said} and empty it: {reward}"
        return f"{said} ({left[stack] - 1} left then; emptying it gives {reward})"

    def _intersection(self, state: BarcelonaState, task: Task, where: int) -> str:
        free = task[0] == Do.INTERSECTION and task[1]
        cost = 0 if free else intersection_cost(state, state.seat) or 0
        points, cerda, coins, cloth = visible_benefits(state, where)
        gains = [many(points, "point")] if points else []
        gains += [steps(cerda, "Cerdà")] if cerda else []
        gains += [goods(coins, cloth)] if coins or cloth else []
        price = f" for {many(cost, 'cloth')}" if cost else ""
        return f"Build an Intersection on {places.intersection(where)}{price}: {joined(gains)}"

    def _tram(self, state: BarcelonaState, section: int) -> str:
        whither = "Bring the tram into the city, to" if state.trams[state.seat] < 0 else "Move the tram to"
        street = street_of(section)
        action = self._ruleset.actions[state.slots[street]].name
        return f"{whither} {places.section(section)} ({places.street(street)}: {action})"

    def _passenger(self, state: BarcelonaState, task: Task) -> str:
        if task[0] != Do.PASSENGER:
            return "Place a passenger"
        _, section, free = task
        cost = 0 if free else passenger_cost(state, state.seat) or 0
        said = f"Place a passenger on {places.section(section)}" + (f" for {many(cost, 'cloth')}" if cost else "")
        if state.street_owners[section] != state.seat:
            return said
        length = run_length(state, section)
        return f"{said}: {run(length, length * self._ruleset.run_vp[state.streets[section]])}"

    def _service(self, state: BarcelonaState, stack: int) -> str:
        ruleset = self._ruleset
        service = ruleset.services[state.service_types[stack]]
        cost = service_cost(state, stack)
        if cost is None:
            return f"Build {service.name}, of which none is left"
        gain = effect_in_words(ruleset, ruleset.service_effect[state.services_taken[stack]])
        return f"Build {service.name} for {many(cost, 'coin')}: {gain}, then {effect_in_words(ruleset, service.effect)}"

    def _build(self, state: BarcelonaState, made: Parts) -> str:
        city, building = self._ruleset.city, self._ruleset.buildings[made.which]
        around = city.sites[made.what].around
        used = [
            f"{places.intersection(i)}" + (f" ({CITIZENS[state.citizens[i] & 3]})" if state.citizens[i] else "")
            for bit, i in enumerate(around)
            if made.using >> bit & 1
        ]
        return f"Build a {building.name} on {places.site(city, made.what)}, with the citizens of {joined(used)}"

    def _part(self, task: Task, made: Parts) -> str:
        order = "First:" if made.kind is Kind.PART else "Choose:"
        if task[0] not in (Do.CHOICE, Do.PARTS):
            return f"{order} {('the first', 'the second')[made.what]}"
        return f"{order} {effect_in_words(self._ruleset, self._ruleset.nodes[task[1]].kids[made.what])}"

    def _pedestrian(self, state: BarcelonaState, task: Task, pedestrian: int) -> str:
        who = places.PEDESTRIAN_NAMES[pedestrian]
        joy = state.joy[2 * state.seat + pedestrian]
        match task[0]:
            case Do.WALK_ONE:
                return f"Walk {who}, up to {many(task[1], 'step')} (Joy {joy})"
            case Do.JOY_ANY:
                raised = min(self._ruleset.joy_most, joy + task[1])
                return f"Raise the Joy of {who} from {joy} to {raised}"
            case Do.START_DIE:
                return f"Begin with Joy {self._ruleset.third_seat_die} for {who}"
        return f"Choose {who}"

    def _step(self, state: BarcelonaState, task: Task) -> str:
        if task[0] != Do.WALK:
            return "Walk a step"
        pedestrian = task[1]
        i = 2 * state.seat + pedestrian
        step, joy, ruleset = state.path[i] + 1, state.joy[i], self._ruleset
        who = places.PEDESTRIAN_NAMES[pedestrian]
        if step == LAST_STEP:
            return f"Walk {who} into {CITIES[1 - pedestrian]} with Joy {joy}: {many(ruleset.arrival_vp[joy], 'point')}"
        amenity = ruleset.amenities[amenity_at(state, pedestrian, step)]
        wanted = many(amenity.each * step, count_name(amenity.count))
        outcome = "1 Joy" if enjoys(state, state.seat, pedestrian, step) else "no Joy"
        return f"Walk {who} to its {ORDINALS[step - 1]} space, {amenity.name}: {outcome} ({wanted} wanted)"

    def _hexagon(self, state: BarcelonaState, space: int, violet: int) -> str:
        ruleset = self._ruleset
        stone = ruleset.violet[state.violet[violet]] if state.violet else None
        said = f"Place a hexagonal cobblestone on {places.hexagon(space)}"
        reward = effect_in_words(ruleset, ruleset.hexagon_rewards[space])
        beside = f"the {places.VIOLET_PLACES[violet]} violet one"
        if stone is None:
            return f"{said}: {reward}, counting {beside}"
        times = tuple(COUNTS.values())[stone.count](state, state.seat)
        return f"{said}: {reward} × {times}, counting {beside} ({stone.name})"

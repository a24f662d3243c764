"""Barcelona in words: moves, and how a person is led to one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import moves, places
from boardgamesbot.games.barcelona.boards import board
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SIDE, SITES, street_of
from boardgamesbot.games.barcelona.moves import Kind, simple
from boardgamesbot.games.barcelona.phrases import Phrases
from boardgamesbot.games.barcelona.prompts import prompt
from boardgamesbot.games.barcelona.sentences import Sentences
from boardgamesbot.games.barcelona.streets import tiles
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.tiles import icons
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.barcelona.wording import CITIZENS, effect_in_words, many
from boardgamesbot.games.base import Event, Move, View, Words

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.game import Barcelona
    from boardgamesbot.games.barcelona.state import BarcelonaState

_ALWAYS_SAME = {
    Kind.STOP: "no, or no more",
    Kind.PASSENGER: "a passenger",
    Kind.RIDE: "the action of the passenger's street",
    Kind.STEP: "a step",
}


class BarcelonaWords(Words):
    """Words of Barcelona. Names of players are put in as they are given: escape markup in them first."""

    def __init__(self, game: Barcelona) -> None:
        self._game = game
        self._phrases = Phrases(game.ruleset)
        self._sentences = Sentences(game.ruleset)

    def move(self, view: View, move: Move) -> str:
        assert isinstance(view, BarcelonaView)
        return self._phrases.of(view.position, moves.parts(move))

    def steps(self, move: Move) -> tuple[str, ...]:
        kind, what, which, using = moves.parts(move)
        ruleset = self._game.ruleset
        match kind:
            case Kind.STOP | Kind.PASSENGER | Kind.RIDE | Kind.STEP:
                return (_ALWAYS_SAME[kind],)
            case Kind.PLACE:
                return *_to_intersection(what), f"{CITIZENS[which]} on top"
            case Kind.INTERSECTION:
                return _to_intersection(what)
            case Kind.ACTION:
                return (places.street(what),)
            case Kind.SECTION | Kind.TRAM:
                return places.street(street_of(what)), places.section(what)
            case Kind.KEEP:
                return (f"{many(what, 'coin')}, the rest cloth",)
            case Kind.STACK:
                return (f"stack {what + 1}",)
            case Kind.COBBLESTONE:
                return f"row {what // SIDE + 1} of the Sidewalk", f"space {what + 1}"
            case Kind.SERVICE:
                return (f"stack {what + 1} of Public Services",)
            case Kind.MODERNISME:
                return f"tile {what + 1} of the display", f"into project space {which + 1}"
            case Kind.IMPROVE:
                return (f"project space {what + 1}",)
            case Kind.SAGRADA:
                sagrada = ruleset.sagrada_tiles
                if what >= len(sagrada):
                    return (f"tile {what + 1}",)
                return (f"{sagrada[what].id}: {effect_in_words(ruleset, sagrada[what].effect)}",)
            case Kind.BUILD:
                around = ruleset.city.sites[what].around
                used = [places.intersection(i) for bit, i in enumerate(around) if using >> bit & 1]
                site = places.site(ruleset.city, what)
                return site, f"a {ruleset.buildings[which].name}", f"with {' '.join(used) or 'nobody'}"
            case Kind.RESOURCE:
                return (("coins", "cloth")[what],)
            case Kind.CHOICE:
                return (("the first effect", "the second effect")[what],)
            case Kind.PART:
                return (("first the first part", "first the second part")[what],)
            case Kind.PEDESTRIAN:
                return (places.PEDESTRIAN_NAMES[what],)
            case Kind.HEXAGON:
                return places.hexagon(what), f"counting the {places.VIOLET_PLACES[which]} violet one"

    def candidates(self, view: View) -> list[Move]:
        assert isinstance(view, BarcelonaView)
        legal = view.legal_moves()
        return sorted({*legal, *_worth_explaining(view.position)}) if legal else []

    def event(self, event: Event, names: Sequence[str]) -> str:
        return self._sentences.of(event, names)

    def prompt(self, view: View) -> str:
        assert isinstance(view, BarcelonaView)
        return prompt(view.position)

    def board(self, view: View, names: Sequence[str]) -> str:
        assert isinstance(view, BarcelonaView)
        return board(view, names)


def _to_intersection(number: int) -> tuple[str, str]:
    """An intersection in two choices: its vertical street, then itself."""
    return places.street(number % SIDE), places.intersection(number)


def _worth_explaining(state: BarcelonaState) -> Iterable[Move]:
    """Moves of the kind that is asked for, legal or not: what a person may think of."""
    seat = state.seat
    match state.task[0]:
        case Do.PLACE:
            top = min(state.hands[seat])
            return (moves.place(i, top) for i in range(INTERSECTIONS))
        case Do.ACTIONS:
            here = state.ruleset.city.streets_at[state.task[1]]
            return (simple(Kind.ACTION, street) for street in here)
        case Do.STREET:
            return (simple(Kind.SECTION, section) for section in range(SECTIONS))
        case Do.STREET_STACK:
            return (simple(Kind.STACK, i) for i in range(len(tiles(state, seat, state.task[1]))))
        case Do.MARKER:
            return (simple(Kind.STACK, i) for i in range(len(state.marker_stacks[seat])))
        case Do.INTERSECTION:
            return (simple(Kind.INTERSECTION, i) for i in range(INTERSECTIONS))
        case Do.TRAM:
            return (simple(Kind.TRAM, section) for section in range(SECTIONS))
        case Do.COBBLESTONE:
            effects, stones = icons(state), state.sidewalk
            return (simple(Kind.COBBLESTONE, i) for i in range(moves.SIDEWALK) if effects[i] >= 0 and stones[i] < 0)
        case Do.SERVICE:
            return (simple(Kind.SERVICE, i) for i in range(len(state.service_types)))
        case Do.MODERNISME:
            shown = [i for i, tile in enumerate(state.shown) if tile >= 0]
            return (moves.modernisme(i, space) for i in shown for space in range(moves.PROJECTS))
        case Do.IMPROVE:
            return (simple(Kind.IMPROVE, i) for i in range(moves.PROJECTS))
        case Do.CHOICE:
            return (simple(Kind.CHOICE, i) for i in range(2))
        case Do.JOY_ANY:
            return (simple(Kind.PEDESTRIAN, i) for i in range(2))
        case Do.BUILD:
            return _buildings_worth_explaining(state)
    return ()


def _buildings_worth_explaining(state: BarcelonaState) -> Iterable[Move]:
    """Buildings where there are citizens enough around, with those next at hand, if none is possible there."""
    possible = {moves.parts(move)[1:3] for move in state.legal}
    for site in range(SITES):
        around = state.ruleset.city.sites[site].around
        occupied = [bit for bit, i in enumerate(around) if state.citizens[i]]
        for kind, building in enumerate(state.ruleset.buildings):
            fits = building.corner == state.ruleset.city.sites[site].corner
            if fits and (site, kind) not in possible and len(occupied) >= building.citizens:
                yield moves.build(site, kind, sum(1 << bit for bit in occupied[: building.citizens]))

"""Barcelona in words: moves, and how a person is led to one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.gaudi.account import account
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SIDE, SITES, street_of
from boardgamesbot.games.barcelona.moves import Kind, simple
from boardgamesbot.games.barcelona.streets import tiles
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.tiles import icons
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.boards import glance, pictures, tallest_glance
from boardgamesbot.games.barcelona.words.lean import lean, signs
from boardgamesbot.games.barcelona.words.phrases import Phrases
from boardgamesbot.games.barcelona.words.prompts import prompt
from boardgamesbot.games.barcelona.words.sentences import Sentences
from boardgamesbot.games.barcelona.words.wording import CITIZENS, effect_in_words, joined
from boardgamesbot.games.base import Event, Move, View, Words

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.game import Barcelona
    from boardgamesbot.games.barcelona.state import BarcelonaState


class BarcelonaWords(Words):
    """Words of Barcelona. Names of players are put in as they are given: escape markup in them first."""

    def __init__(self, game: Barcelona) -> None:
        self._game = game
        self._phrases = Phrases(game.ruleset)
        self._sentences = Sentences(game.ruleset)

    def move(self, view: View, move: Move) -> str:
        assert isinstance(view, BarcelonaView)
        return self._phrases.of(view.position, moves.parts(move))

    def steps(self, view: View, move: Move) -> tuple[str, ...]:
        assert isinstance(view, BarcelonaView)
        state, made = view.position, moves.parts(move)
        kind, what, which, using = made
        said = self._phrases.of(state, made)
        match kind:
            case Kind.PLACE:
                return self._phrases.street(state, what % SIDE), self._phrases.crossing(state, what), _top(which)
            case Kind.INTERSECTION:
                return places.street(what % SIDE), said
            case Kind.SECTION | Kind.TRAM:
                return self._phrases.street(state, street_of(what)), said
            case Kind.COBBLESTONE:
                return f"row {what // SIDE + 1} of the Sidewalk", said
            case Kind.MODERNISME:
                return f"{what + 1}: {self._phrases.shown(state, what)}", f"into project space {which + 1}"
            case Kind.BUILD:
                around = self._game.ruleset.city.sites[what].around
                used = [
                    f"{places.intersection(i)} ({CITIZENS[state.citizens[i] & 3]})"
                    for bit, i in enumerate(around)
                    if using >> bit & 1
                ]
                building = self._game.ruleset.buildings[which]
                gains = effect_in_words(self._game.ruleset, building.effect)
                site = places.site_in_short(self._game.ruleset.city, what)
                return site, f"a {building.name}: {gains}", f"with {joined(used) or 'nobody'}"
            case Kind.HEXAGON:
                reward = effect_in_words(self._game.ruleset, self._game.ruleset.hexagon_rewards[what])
                return f"{places.hexagon(what)}: {reward}", f"counting the {places.VIOLET_PLACES[which]} violet one"
        return (said,)

    def candidates(self, view: View) -> list[Move]:
        assert isinstance(view, BarcelonaView)
        legal = view.legal_moves()
        return sorted({*legal, *_worth_explaining(view.position)}, key=_order) if legal else []

    def event(self, event: Event, names: Sequence[str]) -> str:
        return self._sentences.of(event, names)

    def account(self, events: Sequence[Event], names: Sequence[str]) -> list[str]:
        return account(events, lambda event: self.event(event, names), names)

    def prompt(self, view: View) -> str:
        assert isinstance(view, BarcelonaView)
        return prompt(view.position)

    def board(self, view: View, names: Sequence[str]) -> str:
        return "\n".join(self.pictures(view, names))

    def pictures(self, view: View, names: Sequence[str]) -> list[str]:
        assert isinstance(view, BarcelonaView)
        return pictures(view, names)

    def glance(self, view: View, names: Sequence[str]) -> str:
        assert isinstance(view, BarcelonaView)
        return glance(view, names)

    def lean(self, view: View, names: Sequence[str]) -> str:
        assert isinstance(view, BarcelonaView)
        return lean(view, names)

    def signs(self, view: View) -> Mapping[str, str]:
        assert isinstance(view, BarcelonaView)
        return signs(view)

    def tallest_glance(self, view: View, names: Sequence[str]) -> int:
        assert isinstance(view, BarcelonaView)
        return tallest_glance(view, names)


def _order(move: Move) -> tuple[bool, Move]:
    """By number, but what declines or ends something stands last."""
    return move == moves.STOP, move


def _top(citizen: int) -> str:
    return f"{CITIZENS[citizen]} on top"


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

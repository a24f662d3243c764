"""The position of Barcelona drawn for a terminal of 80 columns.

The city comes last, so that it stands right above the question: a terminal shows the end of what is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape

from boardgamesbot.games.barcelona import gaudi
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.scoring import totals, value
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.tiles import improve_cost
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.citymap import MEEPLE, CityMap
from boardgamesbot.games.barcelona.words.inks import Seats, citizen, clipped, flow, in_class, ink, name
from boardgamesbot.games.barcelona.words.sideboards import SideBoards, title
from boardgamesbot.games.barcelona.words.wording import CITIES, CITIZENS, effect_sign

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_LEGEND = "★ points  ● coin  ■ cloth  ▲ Cerdà  † Sagrada  ♙ passenger  ▣ tram  <> costs "
_DRAWN = "P(WM) P's tile, W on M · 3 BO level 3, O on B · ◤ corner · ─ narrow ═ wide"
_NAME = 20
_SHOWN = 60
_IN_THE_CITY = (Do.PLACE, Do.ACTIONS, Do.STREET, Do.INTERSECTION, Do.TRAM, Do.PASSENGER, Do.RIDE, Do.BUILD)
_ON_THE_PASSEIG = (Do.WALK, Do.WALK_ONE, Do.JOY_ANY, Do.HEXAGON)
_STEPS = ("at the start", "step 1", "step 2", "step 3", "arrived")


def board(view: BarcelonaView, names: Sequence[str]) -> str:
    """The position as markup: players, side boards, citizen track, city, and the reader's hand."""
    state = view.position
    seats = Seats(state.ruleset.seat_colours)
    sides = SideBoards(state, seats)
    parts = [
        [_heading(state, names)],
        [line for seat in range(state.players) for line in _player(state, seats, seat, names[seat])],
        [*sides.stack_rewards(), *sides.sagrada()],
        sides.services(),
        sides.display(),
        sides.buildings_and_sidewalk(),
        *([sides.passeig()] if state.expansion else []),
        sides.citizen_track(),
        [title("City", _DRAWN), *CityMap(state, seats).lines()],
        [ink("dim", f"{_LEGEND}{state.ruleset.diagonal_cost}●"), *_hand(view)],
    ]
    return "\n".join("\n".join(part) for part in parts)


def glance(view: BarcelonaView, names: Sequence[str]) -> str:
    """What the next decision is about, and the own player board: for one who has seen the rest."""
    state = view.position
    seats = Seats(state.ruleset.seat_colours)
    sides = SideBoards(state, seats)
    task = Do(state.task[0]) if state.tasks else Do.DRAW
    parts = []
    if task in _IN_THE_CITY:
        parts.append([title("City", _DRAWN), *CityMap(state, seats).lines()])
    elif task in _ON_THE_PASSEIG:
        parts.append(sides.passeig())
    elif task == Do.COBBLESTONE:
        parts.append(sides.sidewalk())
    elif task == Do.SERVICE:
        parts.append(sides.services())
    elif task == Do.MODERNISME:
        parts.append(sides.display())
    if view.seat is not None:
        parts.append(_player(state, seats, view.seat, names[view.seat]))
    return "\n".join("\n".join(part) for part in parts)


def _heading(state: BarcelonaState, names: Sequence[str]) -> str:
    last = "  [bold red]the last round[/]" if state.ending and not state.over else ""
    over = "  [bold red]the game is over[/]" if state.over else ""
    who = f"first player {name(names[state.first], _NAME).rstrip()}"
    if state.solo:
        actions = "both actions" if state.both_actions else "first action"
        who = f"solo: {gaudi.DIFFICULTIES[state.difficulty].lower()}, {actions}"
    return f"{title(f'Round {state.round}')}  {who}  {len(state.bag)} citizens in the bag{last}{over}"


def _hand(view: BarcelonaView) -> list[str]:
    if not view.hand:
        return []
    citizens = "  ·  ".join(f"{citizen(one)} {in_class(one, CITIZENS[one])}" for one in view.hand)
    return [f"{ink('bold', 'Your hand')}  {citizens}"]


def _player(state: BarcelonaState, seats: Seats, seat: int, given: str) -> list[str]:
    """A player board in compact lines."""
    mark = "▶" if state.actor == seat else " "
    colour = f"{seats.letters[seat]} {seats.colours[seat]:<7}"
    who = f"{seats.ink(seat, colour)}[bold]{name(given, _NAME)}[/]"
    goods = (
        f"a resource is {state.ruleset.gaudi.worth[state.difficulty]}★"
        if state.is_gaudi(seat)
        else f"{state.coins[seat]}● {state.cloth[seat]}■ (storage {state.capacity(seat)})"
    )
    points = f"[bold]{state.vp[seat]}★[/] ({totals(state)[seat]}★ if it ended now)"
    pieces = [*_tracks(state, seat), *_stock(state, seat), *_projects(state, seat), *_tiles(state, seat)]
    cards = flow(_cards(state, seats), 4) if state.is_gaudi(seat) else []
    return [f"{mark} {who} {points}  {goods}", *cards, *flow(pieces, 4)]


def _cards(state: BarcelonaState, seats: Seats) -> list[str]:
    """Gaudí's meeple, his deck as far as it is in sight, and the cards turned up."""
    ruleset = state.ruleset
    pieces = [
        f"{seats.ink(gaudi.SEAT, MEEPLE)} {places.intersection(state.meeple)}",
        f"{ink('dim', 'deck')} {len(state.deck)}, arrow {ARROWS[ruleset.gaudi.cards[state.deck[-1]].arrow]}",
    ]
    if state.discards:
        face_up = state.discards[-1]
        first, second = (ruleset.actions[action].name for action in ruleset.gaudi.cards[face_up].actions)
        shown = f"{first}, {second}" if state.both_actions else f"{first} (not {second})"
        pieces.append(f"{ink('dim', 'face up')} {face_up + 1}: {clipped(shown, _SHOWN)}")
    if state.discards[:-1]:
        seen = "·".join(str(card + 1) for card in sorted(state.discards[:-1]))
        pieces.append(f"{ink('dim', 'below it')} {clipped(seen, _SHOWN)}")
    return pieces


def _tracks(state: BarcelonaState, seat: int) -> list[str]:
    ruleset = state.ruleset
    at, reached = state.cerda[seat], state.sagrada[seat]
    multiplier = ruleset.multipliers[at]
    higher = next((i for i, times in enumerate(ruleset.multipliers) if times > multiplier), None)
    cerda = f"Cerdà {at} ×{multiplier}" + (f" (×{ruleset.multipliers[higher]} at {higher})" if higher else "")
    threshold = next((space for space in ruleset.thresholds if space > reached), None)
    sagrada = f"Sagrada {reached}" + (f" (tile at {threshold})" if threshold else "")
    return [cerda, sagrada]


def _stock(state: BarcelonaState, seat: int) -> list[str]:
    """Pieces left in stacks, and those bought one after another with what the next costs."""
    ruleset = state.ruleset
    stones, riders = state.cobblestones_placed[seat], state.passengers_placed[seat]
    built = state.intersections_built[seat]
    return [
        *(
            f"{ink('dim', what)} {'·'.join(str(left) for left in stacks)}"
            for what, stacks in (
                ("markers", state.marker_stacks[seat]),
                ("narrow", state.narrow[seat]),
                ("wide", state.wide[seat]),
            )
        ),
        f"{ink('dim', 'Intersections')} {built} ({_next(state, seat, ruleset.intersection_cost[built:])})",
        f"{ink('dim', 'passengers')} {riders} = {ruleset.passenger_vp[riders]}★ "
        f"({_next(state, seat, ruleset.passenger_cost[riders:])})",
        f"{ink('dim', 'stones')} {stones} = {ruleset.cobblestone_vp[stones]}★",
    ]


def _next(state: BarcelonaState, seat: int, costs: Sequence[int]) -> str:
    """What the next of some pieces costs; how many are left, for Gaudí, who pays nothing."""
    if not costs:
        return "none left"
    return f"{len(costs)} left" if state.is_gaudi(seat) else f"next {costs[0]}■"


def _projects(state: BarcelonaState, seat: int) -> list[str]:
    """Project spaces with their tiles; an improved one has its higher factor."""
    ruleset = state.ruleset
    cost = None if state.is_gaudi(seat) else improve_cost(state, seat)
    pieces = [ink("dim", "projects") + ("" if cost is None else f" (improve {cost}■)")]
    for space, tile in enumerate(state.projects[seat]):
        factor = ruleset.project_factors[state.improved[seat][space]]
        if tile < 0:
            pieces.append(f"#{space + 1} free ×{factor}")
        else:
            scoring = ruleset.scorings[tile]
            worth = value(state, seat, tile) * factor
            pieces.append(f"#{space + 1} {scoring.vp} × {escape(scoring.name)} ×{factor} = {worth}★")
    return pieces


def _tiles(state: BarcelonaState, seat: int) -> list[str]:
    """Public Services and Sagrada Família tiles, and the Pedestrians."""
    ruleset = state.ruleset
    pieces = []
    if state.services_of[seat]:
        built = ", ".join(ruleset.services[service].name for service in state.services_of[seat])
        pieces.append(f"{ink('dim', 'built')} {escape(built)}")
    if state.sagrada_of[seat]:
        taken = ", ".join(effect_sign(ruleset, ruleset.sagrada_tiles[tile].effect) for tile in state.sagrada_of[seat])
        pieces.append(f"{ink('dim', 'Sagrada tiles')} {escape(taken)}")
    if state.expansion:
        pieces += [
            f"{ink('dim', CITIES[i])} ☻{state.joy[2 * seat + i]} {_STEPS[state.path[2 * seat + i]]}" for i in (0, 1)
        ]
    return pieces

"""The position of Barcelona drawn for a terminal of 80 columns.

The city comes last, so that it stands right above the question: a terminal shows the end of what is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gaudi
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.barcelona.words.citymap import CityMap
from boardgamesbot.games.barcelona.words.inks import Seats, citizen, in_class, ink, name
from boardgamesbot.games.barcelona.words.playerboards import NAME, PlayerBoards
from boardgamesbot.games.barcelona.words.sideboards import SideBoards, title
from boardgamesbot.games.barcelona.words.wording import CITIZENS

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_LEGEND = "★ points  ● coin  ■ cloth  ▲ Cerdà  † Sagrada  ♙ passenger  ▣ tram  <> costs "
_DRAWN = "P(WM) P's tile, W on M · 3 BO level 3, O on B · ◤ corner · ─ narrow ═ wide"
_IN_THE_CITY = (Do.PLACE, Do.ACTIONS, Do.STREET, Do.INTERSECTION, Do.TRAM, Do.PASSENGER, Do.RIDE, Do.BUILD)
_ON_THE_PASSEIG = (Do.WALK, Do.WALK_ONE, Do.JOY_ANY, Do.HEXAGON)


def pictures(view: BarcelonaView, names: Sequence[str]) -> list[str]:
    """The position as pieces of markup: players, side boards, citizen track, city, and the reader's hand."""
    state = view.position
    seats = Seats(state.ruleset.seat_colours)
    sides = SideBoards(state, seats)
    parts = [
        [_heading(state, names)],
        *(PlayerBoards(state, seats).whole(seat, names[seat]) for seat in range(state.players)),
        [*sides.stack_rewards(), *sides.sagrada()],
        sides.services(),
        sides.display(),
        sides.buildings_and_sidewalk(),
        *([sides.passeig()] if state.expansion else []),
        sides.citizen_track(),
        [ink("dim", f"{_LEGEND}{state.ruleset.diagonal_cost}●")],
        _city(state, seats),
        _hand(view),
    ]
    return ["\n".join(part) for part in parts if part]


def tallest_glance(view: BarcelonaView, names: Sequence[str]) -> int:
    """So many lines a glance at the city takes."""
    state = view.position
    seats = Seats(state.ruleset.seat_colours)
    own = 0 if view.seat is None else len(PlayerBoards(state, seats).whole(view.seat, names[view.seat]))
    return len(_city(state, seats)) + own


def glance(view: BarcelonaView, names: Sequence[str]) -> str:
    """What the next decision is about, and the own player board: for one who has seen the rest."""
    state = view.position
    seats = Seats(state.ruleset.seat_colours)
    sides = SideBoards(state, seats)
    task = Do(state.task[0]) if state.tasks else Do.DRAW
    parts = []
    if task in _IN_THE_CITY:
        parts.append(_city(state, seats))
    elif task in _ON_THE_PASSEIG:
        parts.append(sides.passeig())
    elif task == Do.COBBLESTONE:
        parts.append(sides.sidewalk())
    elif task == Do.SERVICE:
        parts.append(sides.services())
    elif task == Do.MODERNISME:
        parts.append(sides.display())
    if view.seat is not None:
        parts.append(PlayerBoards(state, seats).whole(view.seat, names[view.seat]))
    return "\n".join("\n".join(part) for part in parts)


def _city(state: BarcelonaState, seats: Seats) -> list[str]:
    return [title("City", _DRAWN), *CityMap(state, seats).lines()]


def _heading(state: BarcelonaState, names: Sequence[str]) -> str:
    last = "  [bold red]the last round[/]" if state.ending and not state.over else ""
    over = "  [bold red]the game is over[/]" if state.over else ""
    who = f"first player {name(names[state.first], NAME).rstrip()}"
    if state.solo:
        actions = "both actions" if state.both_actions else "first action"
        who = f"solo: {gaudi.DIFFICULTIES[state.difficulty].lower()}, {actions}"
    return f"{title(f'Round {state.round}')}  {who}  {len(state.bag)} citizens in the bag{last}{over}"


def _hand(view: BarcelonaView) -> list[str]:
    if not view.hand:
        return []
    citizens = "  ·  ".join(f"{citizen(one)} {in_class(one, CITIZENS[one])}" for one in view.hand)
    return [f"{ink('bold', 'Your hand')}  {citizens}"]

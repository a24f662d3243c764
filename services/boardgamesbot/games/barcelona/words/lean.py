"""The position of Barcelona in at most fifteen lines of 80 columns: a small terminal has the question below it as well.

What the next decision is about, and what everybody has; the rest is on the whole board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.barcelona.words.inks import WIDTH, Seats, citizen, flow, ink, name, width
from boardgamesbot.games.barcelona.words.leanmap import LeanMap
from boardgamesbot.games.barcelona.words.playerboards import PlayerBoards
from boardgamesbot.games.barcelona.words.sideboards import SideBoards

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_SIGNS = {
    "★": "★ point",
    "●": "● coin",
    "■": "■ cloth",
    "▲": "▲ Cerdà step",
    "†": "† Sagrada step",
    "─": "─ narrow",
    "═": "═ wide street",
    "▦": "▦ cobblestone",
    "▣": "▣ tram",
    "♙": "♙ passenger",
    "☻": "☻ Joy",
    "→B": "→B Barcelona walk",
    "→G": "→G Gràcia walk",
    "♚": "♚ Gaudí",
}
_NAME = 12
_LEAST_NAME = 3


def lean(view: BarcelonaView, names: Sequence[str]) -> str:
    """Everybody's points and goods, what is to be decided about, and the reader's own board."""
    state = view.position
    seats = Seats(state.ruleset.seat_colours)
    sides, boards = SideBoards(state, seats), PlayerBoards(state, seats)
    seat = view.seat
    task = Do(state.task[0]) if state.tasks else Do.DRAW
    about = {
        Do.WALK: sides.walks,
        Do.WALK_ONE: sides.walks,
        Do.JOY_ANY: sides.walks,
        Do.HEXAGON: sides.hexagons,
        Do.COBBLESTONE: sides.sidewalk,
        Do.SERVICE: sides.services,
        Do.MODERNISME: sides.display,
    }.get(task)
    if about is not None:
        part = about()
    elif task == Do.IMPROVE and seat is not None:
        part = flow(boards.projects(seat), 2)
    else:
        part = LeanMap(state, seats).lines()
    own: list[str] = []
    if seat is not None:
        own = flow([*boards.tracks(seat), f"{ink('dim', 'storage')} {state.capacity(seat)}", *_hand(view)], 2, 0)
    if seat is not None and about is None:
        own += flow([*boards.stacks(seat), *boards.prices(seat)], 2, 0)
    elif seat is not None and task == Do.MODERNISME:
        own += flow(boards.projects(seat), 2, 0)
    return "\n".join([_players(state, seats, names), *part, *own])


def signs(view: BarcelonaView) -> dict[str, str]:
    """What the signs mean, in the order in which they are explained."""
    return {
        **_SIGNS,
        "<": f"<> costs {view.position.ruleset.diagonal_cost}●",
    }


def _players(state: BarcelonaState, seats: Seats, names: Sequence[str]) -> str:
    """The round, and everybody's points, coins and cloth in a line."""
    begin = ink("bold", f"Round {state.round}") + ("[bold red]![/]" if state.ending else "")
    goods = [
        f"[bold]{state.vp[seat]}★[/] {'' if state.is_gaudi(seat) else f'{state.coins[seat]}●{state.cloth[seat]}■'}"
        for seat in range(state.players)
    ]
    taken = width(begin) + sum(width(said) + len(" ▶P  ") for said in goods)
    columns = max(_LEAST_NAME, min(_NAME, (WIDTH - taken) // state.players))
    said = [
        f" {'▶' if state.actor == seat else ' '}{seats.letter(seat)} {name(names[seat], columns)} {goods[seat]}"
        for seat in range(state.players)
    ]
    return f"{begin}{''.join(said)}".rstrip()


def _hand(view: BarcelonaView) -> list[str]:
    return [f"{ink('dim', 'hand')} {''.join(citizen(one) for one in view.hand)}"] if view.hand else []

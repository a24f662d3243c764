"""The position of Agora in fifteen lines of 80 columns: a small terminal has the question below it as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.core import district_points
from boardgamesbot.games.agora.marks import code, inked

if TYPE_CHECKING:
    from boardgamesbot.games.agora.game import Agora
    from boardgamesbot.games.agora.view import AgoraView

_TITLE = 24
_COLUMN = 7
_NUMBER = 4
"""The part of a column in which a number stands; how many of them are lying follows."""


def lean(game: Agora, view: AgoraView) -> str:
    """A line for each district: its walkers by player, and the districts it borders on."""
    return "\n".join(
        (
            _heading(game, view),
            _players(game, view),
            *(_district(game, view, district) for district in range(len(game.ruleset.district_names))),
            _row(game, "points", district_points(view.total, view.players, game.board.points)),
            _row(game, "walkers left", view.supply),
            _hand(game, view),
        )
    )


def _heading(game: Agora, view: AgoraView) -> str:
    piles = []
    for pile in range(moves.PILES):
        size, top = view.pile_sizes[pile], view.pile_tops[pile]
        piles.append(f"{size} {code(top)}" if size and top >= 0 else str(size or "used up"))
    parts = [
        f"[bold]Turn {view.turn} of {view.turns}[/bold]",
        f"piles {', '.join(piles)}",
        f"◆ {game.seat_colours[view.fountain]}",
    ]
    if view.first_walk is not None:
        walk = view.first_walk
        parts.append(f"first walk: {game.seat_colours[walk.what]} {code(walk.frm)} → {code(walk.to)}")
    return "  ".join(parts)


def _players(game: Agora, view: AgoraView) -> str:
    cells = []
    for seat in range(view.players):
        mark = "▶" if seat == view.actor else ""
        cells.append(inked(game.seat_colours[seat], f"{mark + game.seat_colours[seat]:>{_COLUMN}}"))
    return f"[dim]{'★ leads, (1) lies':<{_TITLE}}[/dim]{''.join(cells)}  [dim]borders on[/dim]"


def _district(game: Agora, view: AgoraView, district: int) -> str:
    ruleset = game.ruleset
    first = district * view.players
    row = view.total[first : first + view.players]
    cells = []
    for seat in range(view.players):
        lying = view.lying[first + seat]
        leads = row[seat] == max(row) and row.count(max(row)) == 1
        text = "·"
        if row[seat]:
            text = f"{'★' if leads else ''}{row[seat]}"
        cells.append(_cell(game, seat, text, f"({lying})" if lying else ""))
    points = f" {ruleset.points[district]}"
    name = f"{code(district)} {ruleset.district_names[district]}"[: _TITLE - len(points)] + points
    borders = " ".join(code(neighbour) for neighbour in ruleset.neighbours[district])
    gap = " " * (2 if view.players < game.max_players else 1)
    return f"{name:<{_TITLE}}{''.join(cells)}{gap}[dim]{borders}[/dim]"


def _row(game: Agora, what: str, numbers: Sequence[int]) -> str:
    cells = (_cell(game, seat, str(number)) for seat, number in enumerate(numbers))
    return f"[dim]{what:<{_TITLE}}[/dim]{''.join(cells)}"


def _cell(game: Agora, seat: int, number: str, lying: str = "") -> str:
    return inked(game.seat_colours[seat], f"{number:>{_NUMBER}}{lying:<{_COLUMN - _NUMBER}}")


def _hand(game: Agora, view: AgoraView) -> str:
    if view.seat is None:
        return ""
    ruleset = game.ruleset
    squares = " ".join(f"{code(ruleset.district_of[square])}{ruleset.value_of[square]}" for square in view.hand)
    colour = game.seat_colours[view.seat]
    return f"[bold]You are {inked(colour, colour)}[/bold], your hand: {squares or 'empty'}"

"""Games of Barcelona to be spoken of and drawn, and a position made by hand that has something of everything."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from rich.markup import escape, render

from boardgamesbot.games.barcelona.geometry import at, horizontal, vertical
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.chance import FastChance
from tests.support.barcelona import GAME, MIDDLE, RULESET, UPPER, WORKING

WORDS = GAME.words
EXPANSION = {"expansion": "PASSEIG_DE_GRACIA"}
SOLO = {"solo": "NORMAL"}
NAMES = ("You", "Ada (Grey)", "Bernat (Blue)", "Cinta (Orange)")
LONG = escape("[red]Maria del Roser i [/] Puigdollers")
SHOWN = ("you", "Ada", LONG, "Cinta")
"""Names for boards, one of them too long and full of markup."""


def new(players: int = 2, seed: int = 1, **options: str) -> BarcelonaState:
    """A game before its first decision."""
    state, _ = GAME.new(players, GAME.complete_options(options), FastChance(Random(seed)))
    return state


def at_decisions(state: BarcelonaState, seed: int) -> Iterator[BarcelonaState]:
    """The same state at every decision of a random game."""
    rng = Random(seed)
    while not state.is_over:
        yield state
        state.apply(rng.choice(state.legal_moves()))


def plain_board(state: BarcelonaState, seat: int | None = 0) -> list[str]:
    """The lines of a board as a person sees them."""
    return render(WORDS.board(state.view(seat), SHOWN[: state.players])).plain.split("\n")


def line_with(lines: list[str], start: str) -> str:
    """The one line that begins so."""
    (line,) = [line for line in lines if line.startswith(start)]
    return line


@cache
def _made() -> BarcelonaState:
    state = new(2, 1, actions="FIRST_GAME")
    state.seat = 0
    state.tasks = [(Do.BUILD,)]
    state.bonus_left = [True, False, True, True]
    state.citizens[at(1, 0)] = MIDDLE + 4 * WORKING
    state.citizens[at(2, 1)] = WORKING
    state.citizens[at(4, 0)] = UPPER
    state.intersection_owners[at(1, 0)] = 1
    state.intersections_built[1] = 1
    state.streets[horizontal(0, 0)], state.street_owners[horizontal(0, 0)] = 1, 0
    state.streets[horizontal(1, 0)], state.street_owners[horizontal(1, 0)] = 2, 1
    state.passengers[horizontal(1, 0)] = 0
    state.trams = [horizontal(1, 0), vertical(0, 0)]
    state.streets[vertical(0, 0)], state.street_owners[vertical(0, 0)] = 2, 0
    state.narrow[0][0] -= 1
    first_block = next(i for i, site in enumerate(RULESET.city.sites) if site.block == 0)
    state.buildings[first_block], state.markers[first_block] = 1, (1, 0)
    upper = next(i for i, site in enumerate(RULESET.city.sites) if site.block == 3)
    state.buildings[upper], state.markers[upper] = 3, (0,)
    state.buildings[upper + 1], state.markers[upper + 1] = 3, (1,)
    state.track = [1, 0, 7]
    state.coins[0], state.cloth[0], state.vp[0] = 3, 1, 42
    state.cerda[0], state.sagrada[0] = 6, 3
    state.shown[0], state.projects[0][2] = -1, 5
    state.improved[0][2] = 1
    state.services_of[1].append(state.service_types[3])
    state.services_taken[3] = 1
    state.sidewalk[7] = 1
    state.hands[0] = [WORKING, UPPER]
    state.settle()
    return state


def made() -> BarcelonaState:
    """A position in which seat 0 builds, with pieces of both players everywhere; a copy, to be changed at will."""
    return _made().copy()

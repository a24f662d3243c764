"""The rounds after a turn: drawn by chance as its seat may expect them, and played on quickly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.players.architect.swift import Swift


def drawn(end: BarcelonaState, rng: Random) -> BarcelonaState:
    """A full position for the end of a turn that was played on a seat's view: all that is hidden is drawn by chance.

    The seat's own next citizens are hidden, too.
    """
    state = BarcelonaView(end, None).determinize(rng)
    shown, stack = state.shown, state.modernisme_stack
    for place, tile in enumerate(shown):
        if tile < 0 and stack:
            shown[place] = stack.pop()
    return state


def played_on(state: BarcelonaState, turns: int, prices: Sequence[Sequence[float]], tries: int) -> BarcelonaState:
    """The position after so many turns of whoever is next, each the best of so many tries; uses up `state`.

    Every seat has prices of its own, in the order of the seats.
    """
    while turns and not state.over:
        turns -= 1
        seat = state.seat
        if state.is_gaudi(seat):
            state.advance(state.legal[0])
        else:
            state = Swift(state, seat, prices[seat]).played(state, tries)
    return state

"""Bots that do what a test wants, and games that nobody played."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from boardgamesbot.games.base import Move, View
from boardgamesbot.players.base import Brain, Budget, Notes, Thought
from boardgamesbot.players.registry import BOTS, Bot
from boardgamesbot.tournament.played import Played

STRAW = 10**6
"""A move of no game."""


class Searching(Brain):
    """Picks a move by chance again and again, as long as it may; remembers how often it was asked."""

    def choose(self, view: View, rng: Random) -> Move:
        return rng.choice(view.legal_moves())

    def think(self, view: View, rng: Random, budget: Budget, notes: Notes) -> Iterator[Thought]:
        notes["asked"] = notes.get("asked", 0) + 1
        iterations = 0
        while True:
            move = self.choose(view, rng)
            iterations += 1
            if budget.over() or iterations == budget.iterations:
                break
            yield Thought(move, iterations=iterations)
        yield Thought(move, iterations=iterations)


class Failing(Searching):
    """Fails when it is asked for the so-many-th time, in one way or another."""

    def __init__(self, how: str, at: int) -> None:
        self._how = how
        self._at = at

    def think(self, view: View, rng: Random, budget: Budget, notes: Notes) -> Iterator[Thought]:
        notes["asked"] = notes.get("asked", 0) + 1
        if notes["asked"] != self._at:
            yield Thought(self.choose(view, rng))
        elif self._how == "raises":
            raise ZeroDivisionError("out of its depth")
        elif self._how == "cheats":
            yield Thought(STRAW)
        elif self._how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        else:
            yield from ()


def seat_bots(patch: pytest.MonkeyPatch, brains: Mapping[str, Brain], seconds: float = 0.0) -> None:
    """Have bots with these brains among those there are, for the time of a test."""
    for bot, brain in brains.items():
        patch.setitem(BOTS, bot, Bot(bot, bot, "", {"agora": brain, "barcelona": brain}, seconds=seconds))


def game_of(bots: tuple[str, ...], points: tuple[int, ...], winners: tuple[int, ...] | None = None) -> Played:
    """A game that came to these points. Who has the most has won if nobody else is named."""
    won = winners or tuple(seat for seat, mine in enumerate(points) if mine == max(points))
    shares = tuple(1 / len(won) if seat in won else 0.0 for seat in range(len(bots)))
    ones = (1,) * len(bots)
    return Played(bots, shares, points, ones, ones, (0.5,) * len(bots), (0.5,) * len(bots), (7,) * len(bots))

"""The brain of a seat that decides nothing: the rules of its game leave it one move at a time."""

from __future__ import annotations

from random import Random

from boardgamesbot.games.base import Move, View
from boardgamesbot.players.base import Brain


class Forced(Brain):
    """Plays the only legal move. Where there is a choice it has nothing to say, and raises ValueError."""

    def choose(self, view: View, rng: Random) -> Move:
        (move,) = view.legal_moves()
        return move

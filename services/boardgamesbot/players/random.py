"""The bot that plays by chance."""

from __future__ import annotations

from random import Random

from boardgamesbot.games.base import Move, View
from boardgamesbot.players.base import Brain


class RandomBrain(Brain):
    """Any legal move, each as likely as the others."""

    def choose(self, view: View, rng: Random) -> Move:
        return rng.choice(view.legal_moves())

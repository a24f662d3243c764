"""What a brain is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random

from boardgamesbot.games.base import Move, View


class Brain(ABC):
    """Decides for one seat. Keeps nothing between decisions."""

    @abstractmethod
    def choose(self, view: View, rng: Random) -> Move:
        """A legal move for the seat of `view`, whose decision it is. The same view and generator, the same move."""

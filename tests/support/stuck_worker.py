"""`bgb worker` with one bot more: `stuck`, which never answers."""

from __future__ import annotations

from random import Random

from boardgamesbot.cli import main
from boardgamesbot.games.base import Move, View
from boardgamesbot.players.base import Brain
from boardgamesbot.players.registry import BOTS, Bot


class Stuck(Brain):
    """Thinks for ever."""

    def choose(self, view: View, rng: Random) -> Move:
        while True:
            rng.random()


BOTS["stuck"] = Bot("stuck", "Stuck", "Thinks for ever.", {"agora": Stuck()})

if __name__ == "__main__":
    main()

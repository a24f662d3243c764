"""Random games of one engine, its own or another's: `python -m benchmarks.random_play ENGINE`, a worker of `peers`.

Reads numbers of seconds from standard input, one a line; plays for so long, and answers with the decisions made and
the processor seconds that they took. Every engine is driven by the same loop: make the list of legal moves, draw one,
make it; chance is drawn by the engine's own means and counts as no decision.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from typing import Any

Play = Callable[[Random], int]
"""Play one game by chance; gives the number of decisions."""


def agora() -> Play:
    """Agora Barcelona for four, as a search plays it: on the core of the engine."""
    from boardgamesbot.games.agora.state import AgoraState
    from boardgamesbot.games.chance import FastChance
    from boardgamesbot.games.registry import GAMES

    game = GAMES["agora"]
    options = game.complete_options({})

    def play(rng: Random) -> int:
        state, _ = game.new(4, options, FastChance(rng))
        assert isinstance(state, AgoraState)
        core, chance = state.core, state.chance
        decisions = 0
        while legal := core.legal():
            core.advance(legal[int(rng.random() * len(legal))], chance)
            decisions += 1
        return decisions

    return play


def barcelona(expansion: str) -> Play:
    """Barcelona for two, without events."""
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.chance import FastChance
    from boardgamesbot.games.registry import GAMES

    game = GAMES["barcelona"]
    options = game.complete_options({"expansion": expansion})

    def play(rng: Random) -> int:
        state, _ = game.new(2, options, FastChance(rng))
        assert isinstance(state, BarcelonaState)
        decisions = 0
        while legal := state.legal_moves():
            state.advance(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def open_spiel(name: str, *, even: bool) -> Play:
    """A game of OpenSpiel, in C++; `even`: all that chance can bring is equally likely, and quickly drawn."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game: Any = pyspiel.load_game(name)

    def play(rng: Random) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0] if even else _drawn(outcomes, rng))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                decisions += 1
        return decisions

    return play


def _drawn(outcomes: list[tuple[int, float]], rng: Random) -> int:
    left = rng.random()
    for action, probability in outcomes:
        left -= probability
        if left < 0:
            return action
    return outcomes[-1][0]


def catanatron() -> Play:
    """Settlers of Catan for four by catanatron, in Python; a game is cut off where it cuts its own off."""
    from catanatron import Color, Game, RandomPlayer  # type: ignore[import-not-found, unused-ignore]
    from catanatron.game import TURNS_LIMIT  # type: ignore[import-not-found, unused-ignore]

    colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)

    def play(rng: Random) -> int:
        game: Any = Game([RandomPlayer(colour) for colour in colours], seed=int(rng.random() * 2**31))
        decisions = 0
        while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            legal = game.state.playable_actions
            game.execute(legal[int(rng.random() * len(legal))], validate_action=False)
            decisions += 1
        return decisions

    return play


ENGINES: dict[str, Callable[[], Play]] = {
    "agora": agora,
    "barcelona": lambda: barcelona("NONE"),
    "passeig": lambda: barcelona("PASSEIG_DE_GRACIA"),
    "backgammon": lambda: open_spiel("backgammon", even=False),
    "hearts": lambda: open_spiel("hearts", even=True),
    "catanatron": catanatron,
}
LIBRARIES = {"backgammon": "open_spiel", "hearts": "open_spiel", "catanatron": "catanatron"}
"""Of the engines that are not ours."""


def main() -> None:
    """Serve the seconds asked for."""
    engine = sys.argv[1]
    play = ENGINES[engine]()
    rng = Random(1)
    play(rng)
    print("ready", version(LIBRARIES[engine]) if engine in LIBRARIES else "", flush=True)
    for line in sys.stdin:
        seconds, decisions, begin = float(line), 0, time.process_time()
        while (spent := time.process_time() - begin) < seconds:
            decisions += play(rng)
        print(decisions, spent, flush=True)


if __name__ == "__main__":
    main()

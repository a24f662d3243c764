"""How quick the games' engines are on one core: whole games, and what servers and searches do all the time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import cast

from benchmarks import report
from benchmarks.timing import rate
from boardgamesbot.games import registry
from boardgamesbot.games.agora.core import Core
from boardgamesbot.games.agora.state import AgoraState
from boardgamesbot.games.base import Game, State
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream, FastChance
from boardgamesbot.games.proto import Codec
from boardgamesbot.v1 import games_pb2

POSITIONS = 200
"""How many positions, drawn from whole games, the single operations are measured on."""


def run(seconds: float, rounds: int) -> str:
    """Measure every game, and report in Markdown."""
    return "\n\n".join(
        _section((AgoraBench if id_ == "agora" else Bench)(codec, seconds, rounds))
        for id_, codec in registry.CODECS.items()
    )


def _section(bench: Bench) -> str:
    game = bench.codec.game
    rows = []
    for name, measure in bench.measures().items():
        rates = []
        for players in bench.players:
            rates.append(report.count(measure(players)))
            print(f"engine: {game.name}: {name}, {players} players: {rates[-1]}/s", file=sys.stderr)
        rows.append([name, *rates])
    return "\n\n".join(
        [
            f"## Engine of {game.name}: a second on one core",
            report.table(["", *(f"{players} players" for players in bench.players)], rows),
            f"Medians of {bench.rounds} rounds of {bench.seconds:g} s. A checked game makes the list of legal moves at "
            "every decision, draws one, and has it checked like a stranger's before it is made. The rest is measured "
            f"on {POSITIONS} positions drawn from whole random games, the views for the seat whose decision it is.",
        ]
    )


def play_checked(game: Game, players: int, rng: Random) -> int:
    """Play a game by chance, every move checked; gives the number of decisions."""
    state, _ = game.new(players, game.complete_options({}), FastChance(rng))
    decisions = 0
    while not state.is_over:
        legal = state.legal_moves()
        state.play(legal[int(rng.random() * len(legal))])
        decisions += 1
    return decisions


class Bench:
    """The measurements of one game; each takes a number of players and gives a rate a second."""

    def __init__(self, codec: Codec, seconds: float, rounds: int) -> None:
        self.codec = codec
        self.seconds = seconds
        self.rounds = rounds
        self.players = range(codec.game.min_players, codec.game.max_players + 1)
        self._positions: dict[int, list[State]] = {}

    def measures(self) -> dict[str, Callable[[int], float]]:
        """What is measured, by name."""
        return {
            "random games, checked": self.games,
            "decisions in them": self.decisions,
            "`State.copy`": self.copies,
            "`State.view`": self.views,
            "`View.determinize`": self.determinizations,
            "`View.legal_moves`": self.legal_moves_of_views,
            "state to bytes and back": self.states_over_the_wire,
            "view to bytes and back": self.views_over_the_wire,
        }

    def positions(self, players: int) -> list[State]:
        """Positions with a decision to make, from the beginning, the middle and the end of random games."""
        if players not in self._positions:
            game, rng = self.codec.game, Random(players)
            found: list[State] = []
            while len(found) < 8 * POSITIONS:
                state, _ = game.new(players, game.complete_options({}), ChanceStream(rng.randbytes(SEED_BYTES)))
                while not state.is_over:
                    found.append(state.copy())
                    state.play(rng.choice(state.legal_moves()))
            self._positions[players] = rng.sample(found, POSITIONS)
        return self._positions[players]

    def games(self, players: int) -> float:
        rng = Random(1)

        def one() -> int:
            play_checked(self.codec.game, players, rng)
            return 1

        return rate(one, self.seconds, self.rounds)

    def decisions(self, players: int) -> float:
        rng = Random(1)
        return rate(lambda: play_checked(self.codec.game, players, rng), self.seconds, self.rounds)

    def copies(self, players: int) -> float:
        return self._on_positions(players, lambda state: state.copy())

    def views(self, players: int) -> float:
        return self._on_positions(players, lambda state: state.view(state.actor))

    def determinizations(self, players: int) -> float:
        # A view remembers what it has worked out, as a search that draws many worlds from one wants it.
        views = [state.view(state.actor) for state in self.positions(players)]
        rng = Random(1)

        def all_of_them() -> int:
            for view in views:
                view.determinize(rng)
            return len(views)

        return rate(all_of_them, self.seconds, self.rounds)

    def legal_moves_of_views(self, players: int) -> float:
        return self._on_positions(players, lambda state: state.view(state.actor).legal_moves())

    def states_over_the_wire(self, players: int) -> float:
        def there_and_back(state: State) -> State:
            data = self.codec.state_to(state).SerializeToString()
            return self.codec.state_from(games_pb2.GameState.FromString(data))

        return self._on_positions(players, there_and_back)

    def views_over_the_wire(self, players: int) -> float:
        def there_and_back(state: State) -> object:
            data = self.codec.view_to(state.view(state.actor)).SerializeToString()
            return self.codec.view_from(games_pb2.GameView.FromString(data))

        return self._on_positions(players, there_and_back)

    def _on_positions(self, players: int, action: Callable[[State], object]) -> float:
        states = self.positions(players)

        def all_of_them() -> int:
            for state in states:
                action(state)
            return len(states)

        return rate(all_of_them, self.seconds, self.rounds)


class AgoraBench(Bench):
    """Agora's, with what its search does on the core of the engine."""

    def measures(self) -> dict[str, Callable[[int], float]]:
        return super().measures() | {
            "`Core`: random moves, listed and made": self.core_moves,
            "`Core.play_out`: whole games": self.core_games,
            "`Core.copy`": self.core_copies,
            "`AgoraView.sample`": self.samples,
        }

    def core_moves(self, players: int) -> float:
        rng = Random(1)

        def one() -> int:
            core, chance = self._dealt(players, rng), FastChance(rng)
            made = 0
            while legal := core.legal():
                core.advance(legal[int(rng.random() * len(legal))], chance)
                made += 1
            return made

        return rate(one, self.seconds, self.rounds)

    def core_games(self, players: int) -> float:
        rng = Random(1)

        def one() -> int:
            self._dealt(players, rng).play_out(FastChance(rng))
            return 1

        return rate(one, self.seconds, self.rounds)

    def core_copies(self, players: int) -> float:
        return self._on_positions(players, lambda state: cast(AgoraState, state).core.copy())

    def samples(self, players: int) -> float:
        views = [cast(AgoraState, state).view(state.actor) for state in self.positions(players)]
        rng = Random(1)

        def all_of_them() -> int:
            for view in views:
                view.sample(rng)
            return len(views)

        return rate(all_of_them, self.seconds, self.rounds)

    def _dealt(self, players: int, rng: Random) -> Core:
        game = self.codec.game
        state, _ = game.new(players, game.complete_options({}), FastChance(rng))
        return cast(AgoraState, state).core

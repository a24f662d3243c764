"""How quick Agora's engine is on one core: whole games, and what servers and searches do all the time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random

from benchmarks import report
from benchmarks.timing import rate
from boardgamesbot.games import registry
from boardgamesbot.games.base import Game, State
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream, FastChance
from boardgamesbot.v1 import games_pb2

PLAYERS = (3, 4, 5)
POSITIONS = 200
"""How many positions, drawn from whole games, the single operations are measured on."""

_codec = registry.codec("agora")
_game = _codec.game


def run(seconds: float, rounds: int) -> str:
    """Measure, and report in Markdown."""
    measures: dict[str, Callable[[int, float, int], float]] = {
        "random games, checked": _games,
        "decisions in them": _decisions,
        "`State.copy`": _copies,
        "`State.view`": _views,
        "`View.determinize`": _determinizations,
        "`View.legal_moves`": _legal_moves_of_views,
        "state to bytes and back": _states_over_the_wire,
        "view to bytes and back": _views_over_the_wire,
    }
    rows = []
    for name, measure in measures.items():
        rates = []
        for players in PLAYERS:
            rates.append(report.count(measure(players, seconds, rounds)))
            print(f"engine: {name}, {players} players: {rates[-1]}/s", file=sys.stderr)
        rows.append([name, *rates])
    return "\n\n".join(
        [
            "## Engine: a second on one core",
            report.table(["", *(f"{players} players" for players in PLAYERS)], rows),
            f"Medians of {rounds} rounds of {seconds:g} s. A checked game makes the list of legal moves at every "
            "decision, draws one, and has it checked like a stranger's before it is made. The rest is measured on "
            f"{POSITIONS} positions drawn from whole random games, the views for the seat whose decision it is.",
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


def positions(players: int) -> list[State]:
    """Positions with a decision to make, from the beginning, the middle and the end of random games."""
    rng = Random(players)
    found: list[State] = []
    while len(found) < 8 * POSITIONS:
        state, _ = _game.new(players, _game.complete_options({}), ChanceStream(rng.randbytes(SEED_BYTES)))
        while not state.is_over:
            found.append(state.copy())
            state.play(rng.choice(state.legal_moves()))
    return rng.sample(found, POSITIONS)


def _games(players: int, seconds: float, rounds: int) -> float:
    rng = Random(1)

    def one() -> int:
        play_checked(_game, players, rng)
        return 1

    return rate(one, seconds, rounds)


def _decisions(players: int, seconds: float, rounds: int) -> float:
    rng = Random(1)
    return rate(lambda: play_checked(_game, players, rng), seconds, rounds)


def _on_positions(players: int, seconds: float, rounds: int, action: Callable[[State], object]) -> float:
    states = positions(players)

    def all_of_them() -> int:
        for state in states:
            action(state)
        return len(states)

    return rate(all_of_them, seconds, rounds)


def _copies(players: int, seconds: float, rounds: int) -> float:
    return _on_positions(players, seconds, rounds, lambda state: state.copy())


def _views(players: int, seconds: float, rounds: int) -> float:
    return _on_positions(players, seconds, rounds, lambda state: state.view(state.actor))


def _determinizations(players: int, seconds: float, rounds: int) -> float:
    # A view remembers what it has worked out, as a search that draws many worlds from one wants it.
    views = [state.view(state.actor) for state in positions(players)]
    rng = Random(1)

    def all_of_them() -> int:
        for view in views:
            view.determinize(rng)
        return len(views)

    return rate(all_of_them, seconds, rounds)


def _legal_moves_of_views(players: int, seconds: float, rounds: int) -> float:
    return _on_positions(players, seconds, rounds, lambda state: state.view(state.actor).legal_moves())


def _states_over_the_wire(players: int, seconds: float, rounds: int) -> float:
    def there_and_back(state: State) -> State:
        return _codec.state_from(games_pb2.GameState.FromString(_codec.state_to(state).SerializeToString()))

    return _on_positions(players, seconds, rounds, there_and_back)


def _views_over_the_wire(players: int, seconds: float, rounds: int) -> float:
    def there_and_back(state: State) -> object:
        data = _codec.view_to(state.view(state.actor)).SerializeToString()
        return _codec.view_from(games_pb2.GameView.FromString(data))

    return _on_positions(players, seconds, rounds, there_and_back)

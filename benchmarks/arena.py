"""Bots of Agora against one another, to tune them: `python -m benchmarks.arena agora@0.25s greedy greedy greedy`.

A bot is an id of the registry; `@0.25s` or `@400i` behind it is its budget for a decision, in seconds of processor time
or in iterations (left out: the bot's own seconds); behind that may come figures of a level to try out:
`agora@400i:curiosity=0.2,warmth=1.0`. Every deal is played in each seating there is. With `--out` each game is a line
of JSON, and an interrupted match goes on where it was. Searching bots keep their notes through a game.
"""

from __future__ import annotations

import ast
import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import islice, permutations
from pathlib import Path
from random import Random
from typing import Any

import click

from boardgamesbot.games import registry
from boardgamesbot.games.base import Move, View
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players.agora_search import tree
from boardgamesbot.players.agora_search.brain import AgoraSearch
from boardgamesbot.players.agora_search.levels import NO_LIMIT, Level
from boardgamesbot.players.base import Brain, Budget, Notes
from boardgamesbot.players.registry import BOTS

_NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Game:
    """One game that was played, by seat."""

    number: int
    bots: tuple[str, ...]
    points: tuple[int, ...]
    shares: tuple[float, ...]
    """1 for the winner, split where the victory is shared."""
    seconds: tuple[float, ...]
    decisions: tuple[int, ...]
    iterations: tuple[int, ...]


class Player:
    """A bot with its budget, in one seat of one game."""

    def __init__(self, spec: str, seed: str) -> None:
        name, _, figures = spec.partition(":")
        bot_id, _, budget = name.partition("@")
        bot = BOTS[bot_id]
        self._brain: Brain = AgoraSearch(tried_out(figures)) if figures else bot.brains["agora"]
        self._seconds = float(budget[:-1]) if budget.endswith("s") else bot.seconds
        self._iterations = int(budget[:-1]) if budget.endswith("i") else None
        self._rng = Random(seed)
        self._notes: Notes = {}
        self.seconds = 0.0
        self.decisions = 0
        self.iterations = 0

    def move(self, view: View) -> Move:
        """Its move; what it took is added up."""
        started = time.process_time()
        end = started + self._seconds
        if self._iterations is None:
            budget = Budget(over=lambda: time.process_time() >= end)
        else:
            budget = Budget(iterations=self._iterations)
        *_, thought = self._brain.think(view, self._rng, budget, self._notes)
        self.seconds += time.process_time() - started
        self.decisions += 1
        self.iterations += thought.iterations
        return thought.move


def tried_out(figures: str) -> Level:
    """The full level with other figures: `curiosity=0.2,sampled=12`."""
    given = dict(figure.split("=", 1) for figure in figures.split(","))
    return Level(**{"iterations": NO_LIMIT, "casual": 400, **{name: ast.literal_eval(v) for name, v in given.items()}})


def play(number: int, bots: Sequence[str], seed: str, options: dict[str, str]) -> Game:
    """One game, its moves checked."""
    game = registry.game("agora")
    state, _ = game.new(len(bots), game.complete_options(options), ChanceStream(Random(seed).randbytes(32)))
    players = [Player(bot, f"{seed}/{seat}") for seat, bot in enumerate(bots)]
    while (actor := state.actor) is not None:
        move = players[actor].move(state.view(actor))
        if move not in state.legal_moves():
            raise ValueError(
                f"{bots[actor]} in seat {actor} answered {move}, which is not legal, in game {number} of {seed}"
            )
        state.apply(move)
    winners = state.winners()
    return Game(
        number,
        tuple(bots),
        tuple(state.scores()),
        tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(bots))),
        tuple(round(player.seconds, 3) for player in players),
        tuple(player.decisions for player in players),
        tuple(player.iterations for player in players),
    )


def seatings(bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Every way to seat them, sorted; bots alike are interchangeable."""
    return sorted(set(permutations(bots)))


def sitting_after(bots: Sequence[str], number: int) -> tuple[str, ...]:
    """The seating of the game with this number: every seating there is, in turn."""
    seated = seatings(bots)
    return seated[number % len(seated)]


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins."""
    if not games:
        return 0.0, 1.0
    z2 = _NORMAL_95**2
    share = wins / games
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = _NORMAL_95 * math.sqrt(share * (1 - share) / games + z2 / (4 * games**2)) / (1 + z2 / games)
    return middle - half, middle + half


def report(games: Sequence[Game]) -> Iterator[str]:
    """The match so far: a line for each bot. Wins of bots alike in one game are added up."""
    names = sorted({bot for game in games for bot in game.bots})
    for name in names:
        wins = points = spent = 0.0
        decisions = iterations = seats = 0
        by_seat: dict[int, float] = defaultdict(float)
        for game in games:
            for seat, bot in enumerate(game.bots):
                if bot == name:
                    seats += 1
                    wins += game.shares[seat]
                    by_seat[seat] += game.shares[seat]
                    points += game.points[seat]
                    spent += game.seconds[seat]
                    decisions += game.decisions[seat]
                    iterations += game.iterations[seat]
        low, high = wilson(wins, len(games))
        each_seat = " ".join(f"{by_seat[seat]:.0f}" for seat in range(len(games[0].bots)))
        yield (
            f"{name:24} {wins:7.1f} of {len(games)} games: {wins / len(games):6.1%} ({low:.1%} to {high:.1%}), "
            f"{points / seats:5.1f} points, a decision {1000 * spent / decisions:6.1f} ms "
            f"and {iterations / decisions:.0f} iterations, wins by seat {each_seat}"
        )


def _kept(out: Path | None) -> list[Game]:
    if out is None or not out.exists():
        return []
    kept: list[Game] = []
    for line in out.read_text().splitlines():
        game: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in json.loads(line).items()}
        kept.append(Game(**game))
    return kept


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("bots", nargs=-1, required=True)
@click.option("--games", default=24, show_default=True, type=click.IntRange(1))
@click.option("--seed", default="arena", show_default=True)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Lines of games; kept ones count.")
@click.option("--option", "options", multiple=True, help="An option of the game: NAME=VALUE.")
def main(
    bots: tuple[str, ...], games: int, seed: str, workers: int, out: Path | None, options: tuple[str, ...]
) -> None:
    """Let BOTS, three to five of them, play Agora against one another, and count."""
    compiled = "compiled" if tree.__file__.endswith(".so") else "not compiled"
    seated = seatings(bots)
    played = _kept(out)[:games]
    done = {game.number for game in played}
    chosen = dict(option.split("=", 1) for option in options)
    plans = (
        (number, seated[number % len(seated)], f"{seed}:{number // len(seated)}", chosen)
        for number in range(games)
        if number not in done
    )
    print(f"{' '.join(bots)}, seed {seed}, search {compiled}")
    with ProcessPoolExecutor(workers) as pool:
        futures = {pool.submit(play, *plan) for plan in islice(plans, games)}
        try:
            for future in as_completed(futures):
                game = future.result()
                played.append(game)
                if out is not None:
                    with out.open("a") as lines:
                        lines.write(json.dumps(asdict(game)) + "\n")
                if sys.stderr.isatty() or len(played) % 10 == 0:
                    print(f"{len(played)}/{games}", *report(played), sep="\n", file=sys.stderr)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
    if played:
        print(*report(played), sep="\n")


if __name__ == "__main__":
    main()

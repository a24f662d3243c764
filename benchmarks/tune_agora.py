"""The figures of the Agora AI's evaluation, learned from games: `python -m benchmarks.tune_agora --help`.

Bots play; at the end of every turn the position is written down, and in the end who held each district and who won.
From that, for each number of turns left, the figures are worked out that make what happened likeliest:

- the chance of a seat to hold a district is its share of all seats' strengths there, a strength being the exponential
  of so much for each of its walkers there, for each walker in its supply, and for each point of value of the squares
  of the district in its hand (a conditional logit model; Newton's method);
- what players get beyond that goes by their place in the last turn, if all hand the Fountain to the left: the mean for
  each place with one turn left, and how much of it is to be seen earlier already (least squares);
- the chance to win is a share too, of the exponentials of the points expected so, divided by a scale.

The rows printed are those of `players/agora_search/figures.py`.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import click

from benchmarks.arena import Player, sitting_after
from boardgamesbot.games import registry
from boardgamesbot.games.agora.core import PASS_FOUNTAIN
from boardgamesbot.games.agora.game import Agora
from boardgamesbot.games.agora.ruleset import DISTRICTS, AgoraRuleset
from boardgamesbot.games.agora.state import AgoraState
from boardgamesbot.games.chance import ChanceStream

FIGURES = 3
"""Of a walker, of a walker in the supply, of a point of value in the hand."""
_RIDGE = 1e-3
_STEPS = 30

Features = list[list[float]]
"""By seat: walkers, supply, value in the hand."""


@dataclass(frozen=True)
class Position:
    """The end of a turn."""

    left: int
    """Turns left."""
    fountain: int
    total: list[int]
    supply: list[int]
    hands: list[list[int]]


@dataclass(frozen=True)
class Record:
    """A game: its positions, and what came of it."""

    players: int
    positions: list[Position]
    total: list[int]
    scores: list[int]
    winners: list[int]


def record(bots: Sequence[str], noise: float, seed: str) -> Record:
    """A game of bots; one move in so many, `noise`, is by chance, so that not all games are alike."""
    game = registry.game("agora")
    assert isinstance(game, Agora)
    rng = Random(seed)
    state, _ = game.new(len(bots), game.complete_options({}), ChanceStream(rng.randbytes(32)))
    assert isinstance(state, AgoraState)
    players = [Player(bot, f"{seed}/{seat}") for seat, bot in enumerate(bots)]
    positions: list[Position] = []
    while (actor := state.actor) is not None:
        if state.phase == PASS_FOUNTAIN:
            hands = [list(hand) for hand in state.hands]
            left = state.turns - state.turn
            positions.append(Position(left, state.fountain, list(state.total), list(state.supply), hands))
        if rng.random() < noise:
            state.play(rng.choice(state.legal_moves()))
        else:
            state.play(players[actor].move(state.view(actor)))
    return Record(len(bots), positions, list(state.total), state.scores(), state.winners())


def features(ruleset: AgoraRuleset, players: int, position: Position) -> list[Features]:
    """By district."""
    in_hand = [[0.0] * players for _ in range(DISTRICTS)]
    for seat, hand in enumerate(position.hands):
        for square in hand:
            in_hand[ruleset.district_of[square]][seat] += ruleset.value_of[square]
    return [
        [
            [float(position.total[district * players + seat]), float(position.supply[seat]), in_hand[district][seat]]
            for seat in range(players)
        ]
        for district in range(DISTRICTS)
    ]


def shares(of: Features, figures: Sequence[float]) -> list[float]:
    """The chance of each seat to hold a district."""
    worth = [sum(f * x for f, x in zip(figures, seat, strict=True)) for seat in of]
    most = max(worth)
    strength = [math.exp(each - most) for each in worth]
    return [each / sum(strength) for each in strength]


def fit(cases: Sequence[tuple[Features, int, float]]) -> list[float]:
    """The likeliest figures; a case is a district, the seat that held it in the end, and its weight."""
    figures = [0.0] * FIGURES
    weights = sum(weight for _, _, weight in cases)
    for _ in range(_STEPS):
        slope = [-_RIDGE * figure for figure in figures]
        bend = [[_RIDGE * (row == column) for column in range(FIGURES)] for row in range(FIGURES)]
        for of, holder, weight in cases:
            chances = shares(of, figures)
            mean = [sum(p * seat[i] for p, seat in zip(chances, of, strict=True)) for i in range(FIGURES)]
            for i in range(FIGURES):
                slope[i] += weight / weights * (of[holder][i] - mean[i])
                for j in range(FIGURES):
                    both = sum(p * seat[i] * seat[j] for p, seat in zip(chances, of, strict=True))
                    bend[i][j] += weight / weights * (both - mean[i] * mean[j])
        step = solved(bend, slope)
        figures = [figure + by for figure, by in zip(figures, step, strict=True)]
        if max(abs(by) for by in step) < 1e-6:
            break
    return figures


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a small system of equations (Gauss; the matrix is positive definite)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        for below in range(at + 1, size):
            ratio = rows[below][at] / rows[at][at]
            rows[below] = [b - ratio * a for a, b in zip(rows[at], rows[below], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        rest = sum(rows[at][column] * found[column] for column in range(at + 1, size))
        found[at] = (rows[at][size] - rest) / rows[at][at]
    return found


def points_scale(cases: Sequence[tuple[list[float], list[int]]]) -> tuple[float, float]:
    """The scale of points that makes the winners likeliest, and the mean surprise (nats) it leaves."""

    def surprise(scale: float) -> float:
        total = 0.0
        for expected, winners in cases:
            most = max(expected)
            strength = [math.exp((each - most) / scale) for each in expected]
            total -= sum(math.log(strength[seat] / sum(strength)) for seat in winners) / len(winners)
        return total / len(cases)

    best = min((1.15**step for step in range(26)), key=surprise)
    return best, surprise(best)


@dataclass(frozen=True)
class Row:
    """What was learned of positions with so many turns left."""

    left: int
    positions: int
    figures: list[float]
    order: list[float]
    """Points beyond those expected, by place in the last turn."""
    foresight: float
    """What share of the order's effect with one turn left is to be seen."""
    scale: float
    surprise: float
    """About the winner, in nats; it is log(players) where nothing is known."""


def rows_of(records: Sequence[Record], ruleset: AgoraRuleset) -> Iterator[Row]:
    """What is learned, by turns left, the fewest first."""
    by_left: dict[int, list[tuple[Record, Position]]] = defaultdict(list)
    for game in records:
        for position in game.positions:
            by_left[position.left].append((game, position))
    order: list[float] = []
    for left, games in sorted(by_left.items()):
        districts = [features(ruleset, game.players, position) for game, position in games]
        cases: list[tuple[Features, int, float]] = []
        for (game, _), each in zip(games, districts, strict=True):
            for district, of in enumerate(each):
                row = game.total[district * game.players : (district + 1) * game.players]
                if max(row):
                    cases.append((of, row.index(max(row)), float(ruleset.points[district])))
        figures = fit(cases)
        expected = [
            [
                sum(points * share for points, share in zip(ruleset.points, column, strict=True))
                for column in zip(*(shares(of, figures) for of in each), strict=True)
            ]
            for each in districts
        ]
        beyond = _beyond(games, expected)
        order = order or beyond
        foresight = sum(a * b for a, b in zip(order, beyond, strict=True)) / sum(a * a for a in order)
        chances = [
            (
                [
                    points + foresight * order[(seat - position.fountain - left) % game.players]
                    for seat, points in enumerate(each)
                ],
                game.winners,
            )
            for (game, position), each in zip(games, expected, strict=True)
        ]
        yield Row(left, len(games), figures, beyond, foresight, *points_scale(chances))


def _beyond(games: Sequence[tuple[Record, Position]], expected: Sequence[Sequence[float]]) -> list[float]:
    """The mean of the points got beyond those expected, by place in the last turn."""
    players = games[0][0].players
    sums = [0.0] * players
    for (game, position), points in zip(games, expected, strict=True):
        for seat in range(players):
            sums[(seat - position.fountain - position.left) % players] += game.scores[seat] - points[seat]
    return [total / len(games) for total in sums]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Learn the figures of the Agora AI's evaluation from games."""


@main.command()
@click.argument("bots", nargs=-1, required=True)
@click.option("--games", default=200, show_default=True, type=click.IntRange(1))
@click.option("--noise", default=0.05, show_default=True, type=click.FloatRange(0, 1), help="Moves by chance, of 1.")
@click.option("--seed", default="tune", show_default=True)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1))
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="Goes on where it was.")
def play(bots: tuple[str, ...], games: int, noise: float, seed: str, workers: int, out: Path) -> None:
    """Let BOTS play (as `benchmarks.arena` names them), and write the games down, a line each."""
    kept = len(out.read_text().splitlines()) if out.exists() else 0
    with ProcessPoolExecutor(workers) as pool, out.open("a") as lines:
        futures = [pool.submit(record, sitting_after(bots, n), noise, f"{seed}:{n}") for n in range(kept, games)]
        for number, future in enumerate(futures, kept + 1):
            lines.write(json.dumps(asdict(future.result())) + "\n")
            lines.flush()
            print(f"\r{number}/{games} games", end="", flush=True)
    print()


@main.command(name="fit")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def fit_files(files: tuple[Path, ...]) -> None:
    """Work the figures out from the games in FILES, all of them with as many players."""
    records: list[Record] = []
    for file in files:
        for line in file.read_text().splitlines():
            game = json.loads(line)
            game["positions"] = [Position(**position) for position in game["positions"]]
            records.append(Record(**game))
    game_of = registry.game("agora")
    assert isinstance(game_of, Agora)
    print("left  positions   walker  supply    hand   points  surprise  foresight  by place in the last turn")
    for row in rows_of(records, game_of.ruleset):
        walker, supply, hand = row.figures
        order = " ".join(f"{points:6.2f}" for points in row.order)
        print(
            f"{row.left:4} {row.positions:10} {walker:8.3f} {supply:7.3f} {hand:7.3f} {row.scale:8.2f} "
            f"{row.surprise:9.3f} {row.foresight:10.2f}  {order}",
            flush=True,
        )


if __name__ == "__main__":
    main()

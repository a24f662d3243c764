"""Finds the prices and weights of the architect by games that it plays against itself, and measures it.

    python tools/tune_architect.py prices --generations 20 --seed 1
    python tools/tune_architect.py judge --games 3000 --seed 1
    python tools/tune_architect.py match --games 200 --iterations 80

`prices` and `judge` print what goes into `players/architect/weights.py`. Everything follows from the seeds. What was
found this way, and what it was worth, is told in docs/bots/architect.md.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

import click

from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.chance import FastChance
from boardgamesbot.players.architect.ahead import drawn, played_on
from boardgamesbot.players.architect.brain import Architect, Effort
from boardgamesbot.players.architect.judge import FEATURES, Sight
from boardgamesbot.players.architect.plans import Turns
from boardgamesbot.players.architect.prospect import FACTORS, PLAIN, PRICES
from boardgamesbot.players.architect.swift import Swift
from boardgamesbot.players.architect.weights import PRICES as TUNED
from boardgamesbot.players.architect.weights import WEIGHTS
from boardgamesbot.players.base import Budget, Notes
from boardgamesbot.players.greedy_barcelona import GreedyBarcelona

GAME = Barcelona()
_NORMAL_95 = 1.96
Made = TypeVar("Made")


@dataclass(frozen=True)
class Table:
    """How many play, and whether with the expansion."""

    players: int
    expansion: bool

    def begin(self, name: str) -> BarcelonaState:
        """A new game; the same name, the same game."""
        options = GAME.complete_options({"expansion": "PASSEIG_DE_GRACIA"} if self.expansion else {})
        return GAME.new(self.players, options, FastChance(Random(name)))[0]


TABLES = (Table(2, False), Table(2, True), Table(3, False), Table(4, False), Table(4, True))


def lead(points: Sequence[float], seat: int) -> float:
    """How far a seat is ahead of the others on average."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and its standard error."""
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    return mean, (squares / (len(values) - 1) / len(values)) ** 0.5


# Prices: quick players against quick players


def duel(number: int, table: Table, name: str, ours: Sequence[float], theirs: Sequence[float], tries: int) -> float:
    """The lead at the end of a seat that plays by our prices among others that play by theirs."""
    state, hero = table.begin(f"{name}/{number // table.players}"), number % table.players
    prices = [ours if seat == hero else theirs for seat in range(table.players)]
    while not state.over:
        state = played_on(state, 1, prices, tries)
    return lead(state.scores(), hero)


def duels(
    table: Table, name: str, games: int, ours: Sequence[float], theirs: Sequence[float], tries: int
) -> tuple[float, float]:
    """The mean lead over games, seats in turn, and its standard error."""
    return mean_and_error([duel(number, table, name, ours, theirs, tries) for number in range(games)])


def felt(number: int, seed: str, best: Sequence[float], steps: Sequence[float], games: int, tries: int) -> list[float]:
    """What a change of all prices at random, made both ways, says about each of them."""
    rng = Random(f"{seed}.{number}")
    by = [rng.gauss(0, 1) for _ in steps]
    ours, theirs = ([p + sign * z * s for p, z, s in zip(best, by, steps, strict=True)] for sign in (1, -1))
    ahead, _ = duels(rng.choice(TABLES), f"{seed}.{number}", games, ours, theirs, tries)
    return [ahead * z for z in by]


def verified(
    number: int, seed: str, ours: Sequence[float], theirs: Sequence[float], games: int, tries: int
) -> tuple[float, float]:
    """How far the one prices lead the other at one of the tables."""
    return duels(TABLES[number % len(TABLES)], f"{seed}.{number}", games, ours, theirs, tries)


def spread(job: Callable[[int], Made], numbers: Iterable[int], workers: int) -> Iterator[Made]:
    """What a job makes of each number, in their order, by so many processes at once."""
    if workers == 1:
        yield from map(job, numbers)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(job, numbers)


@click.group()
def main() -> None:
    """Tune and measure the architect."""


@main.command()
@click.option("--generations", default=20)
@click.option("--directions", default=30, help="Changes at random that each generation tries both ways.")
@click.option("--games", default=48, help="Games for each of them.")
@click.option("--step", default=0.2, help="Of such a change, in one factor; three times as much in the points.")
@click.option("--stride", default=3.0, help="How far a generation goes, in such steps.")
@click.option("--seed", default=1)
@click.option("--tries", default=4, help="Beginnings that the quick players try of each turn.")
@click.option("--start", default="", help="Prices to begin with, as JSON; those in use if empty.")
@click.option("--workers", default=1)
def prices(
    generations: int,
    directions: int,
    games: int,
    step: float,
    stride: float,
    seed: int,
    tries: int,
    start: str,
    workers: int,
) -> None:
    """Climb: quick players with prices changed at random play those with the opposite change, and tell which way is up.

    A stride that does not hold up in new games is not made, and the next one is shorter.
    """
    best: list[float] = json.loads(start) if start else list(TUNED)
    steps = [step if k < len(FACTORS) else 3 * step for k in range(len(PRICES))]
    for generation in range(1, generations + 1):
        name = f"prices {seed}.{generation}"
        feel = partial(felt, seed=name, best=best, steps=steps, games=games, tries=tries)
        slope = [sum(column) for column in zip(*spread(feel, range(directions), workers), strict=True)]
        size = sum(value * value for value in slope) ** 0.5
        ahead = [p + stride * s * value / size for p, s, value in zip(best, steps, slope, strict=True)]
        check = partial(verified, seed=f"{name} again", ours=ahead, theirs=best, games=6 * games, tries=tries)
        gains = list(spread(check, range(len(TABLES)), workers))
        gain = sum(value for value, _ in gains) / len(gains)
        error = sum(value * value for _, value in gains) ** 0.5 / len(gains)
        click.echo(f"{generation:3} stride {stride:.2f}: {gain:+.1f} ± {_NORMAL_95 * error:.1f} points a game")
        if gain > 0:
            best = ahead
            click.echo(json.dumps([round(price, 3) for price in best]))
        else:
            stride *= 0.7
    for number, table in enumerate(TABLES):
        gain, error = verified(number, "prices checked", best, PLAIN, 400, tries)
        click.echo(f"{table}: {gain:+.1f} ± {_NORMAL_95 * error:.1f} points a game ahead of the plain prices")


# Weights: the points that quick players still got


@dataclass
class Fit:
    """Ridge regression towards given weights, one row after another."""

    start: Sequence[float]

    def __post_init__(self) -> None:
        size = len(self.start)
        self.products = [[0.0] * size for _ in range(size)]
        self.sums = [0.0] * size
        self.rows = 0
        self.squares = 0.0

    def add(self, row: Sequence[float], target: float) -> None:
        """One observation."""
        rest = target - sum(value * weight for value, weight in zip(row, self.start, strict=True))
        self.rows += 1
        self.squares += rest * rest
        used = [(i, value) for i, value in enumerate(row) if value]
        for i, value in used:
            self.sums[i] += value * rest
            products = self.products[i]
            for j, other in used:
                products[j] += value * other

    def solved(self, pull: float) -> list[float]:
        """The weights; `pull` is how many rows' worth the start counts, feature by feature."""
        size = len(self.sums)
        rows = [[*products, total] for products, total in zip(self.products, self.sums, strict=True)]
        for i in range(size):
            rows[i][i] += pull * (self.products[i][i] / self.rows) + 1e-9
        for i in range(size):
            pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
            rows[i], rows[pivot] = rows[pivot], rows[i]
            for r in range(i + 1, size):
                factor = rows[r][i] / rows[i][i]
                if factor:
                    rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
        found = [0.0] * size
        for i in reversed(range(size)):
            found[i] = (rows[i][size] - sum(rows[i][j] * found[j] for j in range(i + 1, size))) / rows[i][i]
        return [weight + change for weight, change in zip(self.start, found, strict=True)]


def spread_out(state: BarcelonaState) -> list[list[float]]:
    """The row of each seat: every feature, and the same times how far off the end is."""
    rows = []
    for seat in range(state.players):
        sight = Sight(state, seat)
        row: list[float] = []
        for value in sight.features(state):
            row += (value, value * sight.far)
        rows.append(row)
    return rows


def watched(table: Table, name: str, stray: float) -> Iterable[tuple[list[int], list[list[float]]]]:
    """Points and rows of all seats after each turn of a game, and at last its final points without rows.

    Quick players at the tuned prices; some of their first moves are not the best, but one of the next best.
    """
    state, rng = table.begin(name), Random(name)
    while not state.over:
        seat = state.seat
        if state.task[0] == Do.PLACE and rng.random() < stray:
            ratings = Swift(state, seat, TUNED).rate(state)
            order = sorted(range(len(ratings)), key=lambda i: -ratings[i])
            state.advance(state.legal[rng.choice(order[:8])])
        play_on_turn(state, seat)
        if not state.over:
            yield state.vp.copy(), spread_out(state)
    yield state.scores(), []


def play_on_turn(state: BarcelonaState, seat: int) -> None:
    """The turn of a seat to its end, whatever of it is over already."""
    if not state.over and state.seat == seat:
        swift = Swift(state, seat, TUNED)
        state.advance(swift.pick(state))
        swift.finish(state)


@main.command()
@click.option("--games", default=3000)
@click.option("--stray", default=0.3, help="How many of the first moves are not the best.")
@click.option("--pull", default=100.0, help="How many rows' worth the weights in use count.")
@click.option("--seed", default=1)
def judge(games: int, stray: float, pull: float, seed: int) -> None:
    """Learn from games of quick players what each thing a seat has comes to in the end."""
    began = time.monotonic()
    fit, level, rng = Fit(WEIGHTS), Fit([0.0, 0.0]), Random(seed)
    held_out: list[tuple[list[float], float, list[float], float]] = []
    for number in range(games):
        table = TABLES[number % len(TABLES)]
        seen = list(watched(table, f"judge {seed}.{number}", stray))
        final = seen.pop()[0]
        for points, rows in rng.sample(seen, min(8, len(seen))):
            seat = rng.randrange(table.players)
            to_come = [float(end - now) for end, now in zip(final, points, strict=True)]
            row = [lead(column, seat) for column in zip(*rows, strict=True)]
            if number % 10:
                fit.add(row, lead(to_come, seat))
            else:
                held_out.append((row, lead(to_come, seat), rows[seat], to_come[seat]))
        if number % 500 == 499:
            click.echo(f"{number + 1} games, {time.monotonic() - began:.0f} s", err=True)
    weights = fit.solved(pull)
    for _, _, own, to_come_own in held_out:
        level.add(own[:2], to_come_own - sum(v * w for v, w in zip(own[2:], weights[2:], strict=True)))
    weights[:2] = level.solved(0.0)
    for label, tried in (("before", WEIGHTS), ("after", weights)):
        errors = [target - sum(v * w for v, w in zip(row, tried, strict=True)) for row, target, _, _ in held_out]
        click.echo(f"{label}: a lead is off by {(sum(e * e for e in errors) / len(errors)) ** 0.5:.1f} points")
    for i, name in enumerate(FEATURES):
        click.echo(f'    ("{name}", {weights[2 * i]:.2f}, {weights[2 * i + 1]:.2f}),')


# Weights again: what it comes to if of several good turns another one is played


Group = list[tuple[list[float], float]]


def compared(number: int, seed: int, plans: int, futures: int, often: float, stray: float) -> list[Group]:
    """For some turns of a game of quick players: a few of the good ways to play it, each with its row and the lead
    beyond the points at hand that came of it, on average over the same futures played to the end of the game.
    """
    table, name = TABLES[number % len(TABLES)], f"choices {seed}.{number}"
    state, rng, groups = table.begin(name), Random(name), []
    while not state.over:
        seat = state.seat
        if state.task[0] == Do.PLACE and rng.random() < often:
            position = state.view(seat).position
            quick = Swift(position, seat, TUNED)
            found = Turns(quick).find(position, rng, Budget(), 60)[:24]
            chosen, dealt = rng.sample(found, min(plans, len(found))), rng.getrandbits(32)
            if not any(plan.end.over for plan in chosen):
                groups.append([tried_out(plan.end, seat, dealt, futures) for plan in chosen])
        if state.task[0] == Do.PLACE and rng.random() < stray:
            state.advance(rng.choice(state.legal))
        play_on_turn(state, seat)
    return groups


def tried_out(end: BarcelonaState, seat: int, seed: int, futures: int) -> tuple[list[float], float]:
    """The row of a turn's end, and the lead beyond its points that comes of it."""
    row = [lead(column, seat) for column in zip(*spread_out(end), strict=True)]
    leads = []
    for number in range(futures):
        state = drawn(end, Random(seed + number))
        leads.append(lead(played_on(state, 1_000, [TUNED] * end.players, 1).scores(), seat))
    return row, sum(leads) / futures - lead(end.vp, seat)


@main.command()
@click.option("--games", default=1000)
@click.option("--plans", default=6)
@click.option("--futures", default=2)
@click.option("--often", default=0.2, help="How many of the turns are looked at.")
@click.option("--stray", default=0.1, help="How many of the first moves are any.")
@click.option("--pull", default=30.0, help="How many rows' worth the weights in use count.")
@click.option("--seed", default=1)
@click.option("--workers", default=1)
def choices(
    games: int, plans: int, futures: int, often: float, stray: float, pull: float, seed: int, workers: int
) -> None:
    """Learn from the turns that might have been played instead what each thing that they bring is worth."""
    began = time.monotonic()
    fit = Fit(WEIGHTS)
    held_out: list[list[tuple[list[float], float]]] = []
    looked = partial(compared, seed=seed, plans=plans, futures=futures, often=often, stray=stray)
    for number, groups in enumerate(spread(looked, range(games), workers)):
        for group in groups:
            size = len(group)
            middle = [sum(column) / size for column in zip(*(row for row, _ in group), strict=True)]
            average = sum(target for _, target in group) / size
            centred = [
                ([value - mean for value, mean in zip(row, middle, strict=True)], target - average)
                for row, target in group
            ]
            if number % 10 == 9:
                held_out.append(centred)
                continue
            for row, target in centred:
                fit.add(row, target)
        if number % 100 == 99:
            click.echo(f"{number + 1} games, {fit.rows} rows, {time.monotonic() - began:.0f} s", err=True)
    weights = fit.solved(pull)
    for label, tried in (("blind", [0.0] * len(WEIGHTS)), ("before", WEIGHTS), ("after", weights)):
        errors = [t - sum(v * w for v, w in zip(row, tried, strict=True)) for group in held_out for row, t in group]
        click.echo(
            f"{label}: what a turn adds is off by {(sum(e * e for e in errors) / len(errors)) ** 0.5:.2f} points"
        )
    for i, name in enumerate(FEATURES):
        click.echo(f'    ("{name}", {weights[2 * i]:.2f}, {weights[2 * i + 1]:.2f}),')


# Matches


@dataclass(frozen=True)
class Result:
    """A game of an architect among greedy bots."""

    points: list[int]
    hero: int
    share: float
    """Of the victory."""
    seconds: float
    """Processor time that the architect thought."""
    turns: int


def match_game(number: int, table: Table, effort: Effort, iterations: int) -> Result:
    """One game, the architect in the seat whose turn it is; as many games as there are seats begin alike."""
    hero, name, architect = number % table.players, f"match {number // table.players}", Architect(effort)
    state, rng, notes = table.begin(name), Random(name), Notes()
    greedy, seconds, turns = GreedyBarcelona(), 0.0, 0
    while (seat := state.actor) is not None:
        view = state.view(seat)
        if seat == hero:
            turns += state.task[0] == Do.PLACE
            began = time.process_time()
            *_, last = architect.think(view, rng, Budget(iterations), notes)
            seconds += time.process_time() - began
            move = last.move
        else:
            move = greedy.choose(view, rng)
        state.check(move)
        state.advance(move)
    winners = state.winners()
    return Result(state.scores(), hero, (hero in winners) / len(winners), seconds, turns)


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z2, share = _NORMAL_95**2, wins / games
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = _NORMAL_95 * (share * (1 - share) / games + z2 / (4 * games * games)) ** 0.5 / (1 + z2 / games)
    return middle - half, middle + half


def known(results: Path | None) -> dict[int, Result]:
    """The games that a file of results has, by their numbers."""
    if results is None or not results.exists():
        return {}
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    return {row.pop("number"): Result(**row) for row in rows}


def told(games: Sequence[Result]) -> str:
    """The result of some games in a line."""
    count, won = len(games), sum(game.share for game in games)
    mean, error = mean_and_error([lead(game.points, game.hero) for game in games])
    own = sum(game.points[game.hero] for game in games) / count
    others = sum((sum(game.points) - game.points[game.hero]) / (len(game.points) - 1) for game in games) / count
    low, high = wilson(won, count)
    seconds = sum(game.seconds for game in games) / sum(game.turns for game in games)
    return (
        f"{count} games: won {won / count:.1%} ({low:.1%} to {high:.1%}), {own:.0f} to {others:.0f} points, "
        f"lead {mean:+.1f} ± {_NORMAL_95 * error:.1f}, {seconds:.3f} s of processor time a turn"
    )


@main.command()
@click.option("--games", default=200)
@click.option("--first", default=0, help="The number of the first game.")
@click.option("--players", default=2)
@click.option("--expansion", is_flag=True)
@click.option("--iterations", default=Effort().expected)
@click.option("--effort", default="{}", help="What of the effort to change, as JSON.")
@click.option("--workers", default=1)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file of JSON lines, one for each game; games that it has are not played again.",
)
def match(
    games: int,
    first: int,
    players: int,
    expansion: bool,
    iterations: int,
    effort: str,
    workers: int,
    results: Path | None,
) -> None:
    """Play one architect among greedy bots, seats in turn."""
    job = partial(
        match_game,
        table=Table(players, expansion),
        effort=replace(Effort(), **json.loads(effort)),
        iterations=iterations,
    )
    numbers = range(first, first + games)
    played = {number: game for number, game in known(results).items() if number in numbers}
    missing = [number for number in numbers if number not in played]
    for number, result in zip(missing, spread(job, missing, workers), strict=True):
        played[number] = result
        if results is not None:
            with results.open("a") as file:
                file.write(json.dumps({"number": number, **asdict(result)}) + "\n")
        if len(played) % 10 == 0 and len(played) < games:
            click.echo(told(list(played.values())))
    click.echo(told(list(played.values())))


if __name__ == "__main__":
    main()

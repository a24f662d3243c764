"""`bgb simulate`: bots play many games, and what came of it."""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from boardgamesbot.cli import options
from boardgamesbot.games import registry
from boardgamesbot.games.base import IllegalMove, Malformed
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players.registry import BOTS

_NORMAL_95 = 1.959964
"""Between minus and plus so many standard deviations lie 95 % of a normal distribution."""


@dataclass(frozen=True)
class Plan:
    """One game to be played."""

    game_id: str
    options: tuple[tuple[str, str], ...]
    bots: tuple[str, ...]
    """By seat."""
    seed: bytes


@dataclass(frozen=True)
class Played:
    """What came of it, by seat; `illegal` names the first illegal move, which ended the game."""

    bots: tuple[str, ...]
    shares: tuple[float, ...]
    """1 for the winner, split where the victory is shared."""
    points: tuple[int, ...]
    turns: tuple[int, ...]
    """How often the decision came to each seat: moves in a row are one turn."""
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    illegal: str = ""


@dataclass
class Tally:
    """Sums over games."""

    games: int = 0
    wins: float = 0.0
    points: int = 0
    turns: int = 0
    moves: int = 0
    seconds: float = 0.0

    def add(self, played: Played, seat: int) -> None:
        self.games += 1
        self.wins += played.shares[seat]
        self.points += played.points[seat]
        self.turns += played.turns[seat]
        self.moves += played.moves[seat]
        self.seconds += played.seconds[seat]


@dataclass
class Report:
    """All tallies of a number of players."""

    by_bot: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_seat: dict[tuple[str, int], Tally] = field(default_factory=lambda: defaultdict(Tally))
    illegal: list[str] = field(default_factory=list)
    games: int = 0
    turns: int = 0
    moves: int = 0
    longest: tuple[int, int] = (0, 0)
    """Moves and turns of the longest game."""

    def add(self, played: Played) -> None:
        length = (sum(played.moves), sum(played.turns))
        self.games += 1
        self.moves += length[0]
        self.turns += length[1]
        self.longest = max(self.longest, length)
        if played.illegal:
            self.illegal.append(played.illegal)
        for seat, bot in enumerate(played.bots):
            self.by_bot[bot].add(played, seat)
            self.by_seat[bot, seat].add(played, seat)


def play_out(plan: Plan) -> Played:
    """Play a game of bots, every move checked. Each bot is given its own seat's view and nothing else."""
    game = registry.game(plan.game_id)
    players = len(plan.bots)
    state, _ = game.new(players, game.complete_options(dict(plan.options)), ChanceStream(plan.seed))
    rng = Random(plan.seed)
    turns, moves, seconds, illegal = [0] * players, [0] * players, [0.0] * players, ""
    before = None
    while (seat := state.actor) is not None:
        brain = BOTS[plan.bots[seat]].brains[plan.game_id]
        started = time.perf_counter()
        move = brain.choose(state.view(seat), rng)
        seconds[seat] += time.perf_counter() - started
        moves[seat] += 1
        turns[seat] += seat != before
        before = seat
        try:
            state.play(move)
        except (IllegalMove, Malformed) as error:
            illegal = f"{plan.bots[seat]} in seat {seat}, seed {plan.seed.hex()}: {error}"
            break
    winners = [] if illegal else state.winners()
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
    return Played(plan.bots, tuple(shares), tuple(state.scores()), tuple(turns), tuple(moves), tuple(seconds), illegal)


def plans(
    game_id: str, options: Sequence[tuple[str, str]], players: int, bots: Sequence[str], games: int, seed: str
) -> Iterator[Plan]:
    """The games to be played: the bots go round the seats, and the same seed gives the same games.

    A bot that the rules want in a seat stays in it.
    """
    game = registry.game(game_id)
    wanted = game.bots_wanted(game.complete_options(dict(options)))
    free = [seat for seat in range(players) if seat not in wanted]
    seated = [*bots, *[bots[-1]] * players][: len(free)]
    for number in range(games):
        turn = number % len(free)
        round_ = dict(zip(free, seated[turn:] + seated[:turn], strict=True)) | dict(wanted)
        digest = hashlib.sha256(f"{seed}:{game_id}:{players}:{number}".encode()).digest()
        yield Plan(game_id, tuple(options), tuple(round_[seat] for seat in range(players)), digest)


@click.command()
@click.argument("game_id", metavar="GAME", type=click.Choice(list(registry.GAMES)))
@click.option("--players", default=None, help="How many play; several with commas: 3,4,5.  [the fewest of the game]")
@click.option(
    "--seats",
    default="greedy,random",
    show_default=True,
    help="The bots; the last fills what is left, and all go round the seats. One that the rules want is not named.",
)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Games for each number of players."
)
@click.option("--seed", default="0", show_default=True, help="The same seed, the same games.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default=True,
    help="Games played at the same time.",
)
@options.game_options
@options.ruleset
def simulate(
    game_id: str,
    players: str | None,
    seats: str,
    games: int,
    seed: str,
    jobs: int,
    given_options: Sequence[tuple[str, str]],
    ruleset: str | None,
) -> None:
    """Let bots play GAME against one another, and report wins, points, turns, moves and time by bot and seat."""
    options.settings(ruleset=ruleset)
    game = registry.game(game_id)
    bots = [bot.strip() for bot in seats.split(",")]
    try:
        counts = [int(count) for count in (players or str(game.min_players)).split(",")]
        complete = game.complete_options(dict(given_options))
        for count in counts:
            game.check_players(count, complete)
    except ValueError:
        raise click.BadParameter("must be numbers with commas: 3,4,5", param_hint="--players") from None
    except Malformed as error:
        raise click.ClickException(str(error)) from None
    able = [bot.id for bot in BOTS.values() if game_id in bot.brains and not bot.by_rule]
    for bot in bots:
        if bot in BOTS and BOTS[bot].by_rule:
            raise click.BadParameter(
                f"{bot!r} has a seat where the rules give it one, and is not named", param_hint="--seats"
            )
        if bot not in able:
            raise click.BadParameter(
                f"{bot!r} is not a bot for {game_id}; there is {', '.join(able)}", param_hint="--seats"
            )
    reports = _play_all(game_id, tuple(complete.items()), counts, bots, games, seed, jobs)
    console = Console()
    for count, report in reports.items():
        title = f"{game.name}, {count} players, {games} games, seed {seed}"
        console.print(_table(title, report, count, is_fair=not game.bots_wanted(complete)))
    illegal = [line for report in reports.values() for line in report.illegal]
    console.print(f"Illegal moves: {len(illegal)}")
    for line in illegal[:10]:
        console.print(f"  {line}", highlight=False)
    if illegal:
        raise SystemExit(1)


def _play_all(
    game_id: str,
    options: Sequence[tuple[str, str]],
    counts: Sequence[int],
    bots: Sequence[str],
    games: int,
    seed: str,
    jobs: int,
) -> dict[int, Report]:
    ruleset = registry.game(game_id).ruleset.json
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    reports = {}
    with (
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
        ProcessPoolExecutor(jobs, initializer=registry.use, initargs=(game_id, ruleset)) as pool,
    ):
        for count in counts:
            report = reports[count] = Report()
            task = progress.add_task(f"{count} players", total=games)
            todo = plans(game_id, options, count, bots, games, seed)
            for played in pool.map(play_out, todo, chunksize=max(1, min(8, games // (4 * jobs)))):
                report.add(played)
                progress.advance(task)
    return reports


def _table(title: str, report: Report, players: int, *, is_fair: bool) -> Table:
    """`is_fair`: all have the same chance, so that it says something what each would win."""
    caption = (
        (f"fair share of wins: {1 / players:.1%}\n" if is_fair else "")
        + "95 %: where the share of wins in the long run lies, 19 times in 20\n"
        f"a game: {report.turns / report.games:.1f} turns, {report.moves / report.games:.1f} moves; "
        f"the longest: {report.longest[1]} turns, {report.longest[0]} moves"
    )
    table = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    for name in ("bot", "seat"):
        table.add_column(name)
    for name in ("games", "wins", "95 %", "points", "turns", "moves", "ms a move"):
        table.add_column(name, justify="right")
    row = partial(_row, table)
    for bot, tally in sorted(report.by_bot.items()):
        row(bot, "all", tally)
        for seat in range(players):
            if (bot, seat) in report.by_seat:
                row("", str(seat), report.by_seat[bot, seat])
        table.add_section()
    return table


def interval(wins: float, games: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share of wins; shared victories count as the part they are."""
    z2 = _NORMAL_95**2
    middle = (wins + z2 / 2) / (games + z2)
    half = _NORMAL_95 / (games + z2) * math.sqrt(wins * (games - wins) / games + z2 / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def _row(table: Table, bot: str, seat: str, tally: Tally) -> None:
    table.add_row(
        bot,
        seat,
        str(tally.games),
        f"{tally.wins / tally.games:.1%}",
        "–".join(f"{bound:.0%}" for bound in interval(tally.wins, tally.games)),
        f"{tally.points / tally.games:.1f}",
        f"{tally.turns / tally.games:.1f}",
        f"{tally.moves / tally.games:.1f}",
        f"{1000 * tally.seconds / tally.moves:.2f}",
    )

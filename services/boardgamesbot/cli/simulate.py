"""`bgb simulate`: bots play many games, and what came of it."""

from __future__ import annotations

import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from boardgamesbot.cli import options
from boardgamesbot.cli.console import Console
from boardgamesbot.games import registry
from boardgamesbot.games.base import Game, Malformed, Options
from boardgamesbot.tournament import faults, report
from boardgamesbot.tournament.entrants import BadEntrant, Entrant
from boardgamesbot.tournament.played import Played
from boardgamesbot.tournament.results import BadResults, from_json
from boardgamesbot.tournament.run import RESULTS, WRITERS, Run
from boardgamesbot.tournament.schedule import Seating, Tournament
from boardgamesbot.tournament.standings import standings

USUAL = "greedy,random"
SAID_SECONDS = 30.0
"""Without a terminal to draw a bar on, a line of progress is written this often."""
SHOWN_FAULTS = 10
INTERRUPTED = 130
"""The exit status of what a person ended by Ctrl-C."""
_WITH_RESUME = {"resume", "games", "workers", "out", "faults_folder", "ruleset"}

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("game_id", metavar="[GAME]", required=False, type=click.Choice(list(registry.GAMES)))
@click.option(
    "--seats",
    "--bots",
    "seats",
    default=None,
    help="Who sits at one table; the last fills what is left, and all go round the seats. A bot that searches may have "
    f"its budget for a move with it: agora@0.25s, agora@400i. One that the rules want is not named.  [{USUAL}]",
)
@click.option("--league", default=None, help="These bots meet in pairs, two against two or head to head.")
@click.option(
    "--players", default=None, help="How many play; several with commas: 3,4,5.  [as many as are named; a league: even]"
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Games for each number of players, and in a league for each pair.",
)
@click.option(
    "--seating",
    type=click.Choice([seating.value for seating in Seating]),
    default=Seating.ROTATE.value,
    show_default=True,
    help="Bots keep their order and go round the seats, or sit in every way there is.",
)
@click.option("--seed", default="0", show_default=True, help="The same seed, the same deals.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=None,
    help="For a move, for each bot that searches and has no budget with its name.  [the bot's own]",
)
@click.option(
    "--iterations",
    type=click.IntRange(1),
    default=None,
    help="The same, in iterations of the search: the same seed then has the same games.",
)
@click.option(
    "--workers",
    "--jobs",
    "workers",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default=True,
    help="Games played at the same time, each in a process of its own.",
)
@click.option(
    "--out",
    multiple=True,
    type=_FILE,
    help="Write the results: .json (to go on with), .csv (a line a seat), .svg (a picture); may be repeated.",
)
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Go on with the results in this .json, to the end or to more --games.",
)
@click.option(
    "--faults",
    "faults_folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("faults"),
    show_default=True,
    metavar="DIR",
    help="Where the record of a game goes that a bot broke off, for `bgb replay`.",
)
@options.game_options
@options.ruleset
@click.pass_context
def simulate(
    context: click.Context,
    /,
    game_id: str | None,
    resume: Path | None,
    workers: int,
    out: Sequence[Path],
    faults_folder: Path,
    ruleset: str | None,
    **described: Any,
) -> None:
    """Let bots play GAME against one another, and report wins, points and ratings, with how sure they are.

    \b
    bgb simulate agora --players 3,4,5 --games 120
    bgb simulate agora --seats agora,greedy,greedy,greedy --seconds 0.1 --games 200
    bgb simulate agora --seats greedy,random,random --seating every --out results.json --out results.svg
    bgb simulate agora --league agora-easy,agora,greedy --iterations 500 --games 60
    bgb simulate barcelona --seats greedy,random --expansion
    bgb simulate --resume results.json --games 400

    Every deal is played in all seatings, and the same seed has the same games, however many workers play them (searches
    by --seconds excepted). Ctrl-C stops it and reports what was played. Exit status 1 if a bot crashed or made an
    illegal move.
    """
    options.settings(ruleset=ruleset)
    _check_files(out, resume)
    if resume is not None:
        tournament, games = _resumed(context, resume, described["games"])
        run = Run(tournament, [resume, *out], faults_folder, games)
    elif game_id is None:
        raise click.UsageError("name a game (bgb simulate agora), or results to go on with (--resume FILE)")
    else:
        run = Run(_meant(registry.game(game_id), **described), out, faults_folder)
    with _stopped_like_ctrl_c():
        stopped = _play(run, workers)
    _show(run, Console())
    if stopped:
        _say_how_to_go_on(run)
        raise SystemExit(INTERRUPTED)
    if any(faults.of(run.games)):
        raise SystemExit(1)


def _meant(
    game: Game,
    given_options: Sequence[tuple[str, str]],
    seats: str | None,
    league: str | None,
    players: str | None,
    games: int,
    seating: str,
    seed: str,
    seconds: float | None,
    iterations: int | None,
) -> Tournament:
    """The tournament that these flags describe. Raises BadParameter, UsageError."""
    if seats is not None and league is not None:
        raise click.UsageError("--seats is one table, --league many: give one of them")
    if seconds is not None and iterations is not None:
        raise click.UsageError("--seconds and --iterations are both the budget of a move: give one of them")
    hint = "--seats" if league is None else "--league"
    bots = _entrants(game.id, league or seats or USUAL, seconds, iterations, hint)
    try:
        complete = game.complete_options(dict(given_options))
        counts = _counts(players) if players else [_usual_players(game, complete, len(bots), league is not None)]
        meant = Tournament(
            game_id=game.id,
            options=tuple(complete.items()),
            players=tuple(dict.fromkeys(counts)),
            bots=tuple(map(str, bots)),
            games=games,
            seed=seed,
            seating=Seating(seating),
            is_league=league is not None,
        )
        meant.check()
    except Malformed as error:
        name, _, option = error.field.partition(".")
        hints = {"players": "--players" if players else hint, "bots": hint, "options": f"--option {option}"}
        raise click.BadParameter(error.reason, param_hint=hints[name]) from None
    return meant


def _entrants(game_id: str, named: str, seconds: float | None, iterations: int | None, hint: str) -> list[Entrant]:
    entrants = []
    for label in named.split(","):
        try:
            entrant = Entrant.parse(label.strip())
            entrant.check(game_id)
        except BadEntrant as error:
            raise click.BadParameter(str(error), param_hint=hint) from None
        entrants.append(entrant.within(seconds, iterations))
    if (seconds or iterations) and not any(entrant.searches for entrant in entrants):
        flag = "--seconds" if seconds else "--iterations"
        raise click.BadParameter(f"none of {named} searches: leave it out", param_hint=flag)
    return entrants


def _counts(players: str) -> list[int]:
    try:
        return [int(count) for count in players.split(",")]
    except ValueError:
        raise click.BadParameter("must be numbers with commas: 3,4,5", param_hint="--players") from None


def _usual_players(game: Game, complete: Options, bots: int, is_league: bool) -> int:
    """How many play if nobody says: a seat for each bot; in a league as few as can be shared out evenly."""
    if is_league:
        return game.min_players + game.min_players % 2
    return max(game.min_players, bots + len(game.bots_wanted(complete)))


def _check_files(out: Sequence[Path], resume: Path | None) -> None:
    if resume is not None and not os.access(resume.parent, os.W_OK):
        raise click.BadParameter(f"cannot write into {resume.parent}", param_hint="--resume")
    for file in out:
        why = ""
        if file.suffix not in WRITERS:
            why = f"{file}: its name must end with one of {', '.join(WRITERS)}"
        elif not os.access(file.parent, os.W_OK):
            why = f"cannot write into {file.parent}"
        elif file.suffix == RESULTS and file.exists() and file != resume:
            why = f"{file} is there already: go on with it (--resume {file}), or remove it"
        if why:
            raise click.BadParameter(why, param_hint="--out")


def _resumed(context: click.Context, file: Path, games: int) -> tuple[Tournament, dict[int, Played]]:
    """What is in a file of results, with as many games as are wanted now."""
    for parameter in context.command.params:
        name = parameter.name or ""
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and name not in _WITH_RESUME:
            named = "GAME" if name == "game_id" else parameter.opts[0]
            raise click.UsageError(f"--resume takes {named} out of the file: do not give it")
    if file.suffix != RESULTS:
        raise click.BadParameter(f"{file}: only {RESULTS} can be gone on with", param_hint="--resume")
    try:
        tournament, played = from_json(file.read_text("utf-8"))
    except (BadResults, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--resume") from None
    if context.get_parameter_source("games") is not ParameterSource.COMMANDLINE:
        return tournament, played
    if games < tournament.games:
        raise click.BadParameter(f"{file} is about {tournament.games}: it can only be more", param_hint="--games")
    return replace(tournament, games=games), played


@contextmanager
def _stopped_like_ctrl_c() -> Iterator[None]:
    """Whoever ends the program by SIGTERM gets the report, too."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Watched:
    """The progress of a run, for who waits for it: a bar, or lines where there is no terminal."""

    def __init__(self, run: Run, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("games", total=run.tournament.total, completed=len(run.games), standing="")
        self._total, self._done, self._before = run.tournament.total, len(run.games), len(run.games)
        self._began = self._said = time.monotonic()
        self._games: dict[str, int] = defaultdict(int)
        self._wins: dict[str, float] = defaultdict(float)
        for played in run.games.values():
            self._count(played)

    def came(self, played: Played) -> None:
        """One more game is over."""
        self._count(played)
        self._done += 1
        self._bar.update(self._task, advance=1, standing=escape(self.standing))
        now = time.monotonic()
        if not self._bar.console.is_terminal and now - self._said > SAID_SECONDS:
            self._said = now
            left = (now - self._began) / (self._done - self._before) * (self._total - self._done)
            click.echo(
                f"{self._done}/{self._total} games, about {timedelta(seconds=round(left))} left; {self.standing}",
                err=True,
            )

    @property
    def standing(self) -> str:
        """Who has won how much so far, the best first."""
        shares = {bot: self._wins[bot] / games for bot, games in self._games.items()}
        return ", ".join(f"{bot} {shares[bot]:.0%}" for bot in sorted(shares, key=lambda bot: -shares[bot]))

    def _count(self, played: Played) -> None:
        if played.fault is None:
            for bot in set(played.bots):
                self._games[bot] += 1
            for bot, share in zip(played.bots, played.shares, strict=True):
                self._wins[bot] += share


def _play(run: Run, workers: int) -> bool:
    """Play what is left; whether it was stopped before the end."""
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), TextColumn("{task.fields[standing]}")),
    )
    console = Console(stderr=True)
    # Drawn when the run says so: a thread that draws would be in the way of workers being forked.
    with Progress(*columns, console=console, transient=True, auto_refresh=False, speed_estimate_period=3600) as bar:
        watched = _Watched(run, bar)
        try:
            run.play(workers, watched.came, bar.refresh)
        except KeyboardInterrupt:
            return True
        except OSError as error:
            bar.stop()
            _show(run, Console())
            raise click.ClickException(f"cannot go on: {error}") from None
    return False


def _show(run: Run, console: Console) -> None:
    """The tables, what went wrong, and where it is written."""
    for of in standings(run.tournament, run.games).values():
        for table in report.tables(run.tournament, of):
            console.print(table)
    failed = list(faults.of(run.games))
    console.print(f"Illegal moves: {sum(bool(played.illegal) for _, played in failed)}")
    others = sum(not played.illegal for _, played in failed)
    console.print(f"Crashes: {others}")
    for number, played in failed[:SHOWN_FAULTS]:
        console.print(f"  {faults.account(number, played)}", highlight=False, markup=False)
        console.print(f"    bgb replay {run.record_of(number)}", highlight=False, markup=False, soft_wrap=True)
    for _, played in failed[:1]:
        if played.fault is not None and played.fault.details:
            console.print(played.fault.details, highlight=False, markup=False, soft_wrap=True)
    if run.files:
        console.print("Written: " + ", ".join(map(str, run.files)), highlight=False, markup=False, soft_wrap=True)


def _say_how_to_go_on(run: Run) -> None:
    kept = [file for file in run.files if file.suffix == RESULTS]
    how = f"go on with  bgb simulate --resume {kept[0]}" if kept else "with --out FILE.json one could go on with it"
    click.echo(f"Stopped after {len(run.games)} of {run.tournament.total} games; {how}", err=True)

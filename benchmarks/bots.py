"""Measures the bots' fixed ratings: `python -m benchmarks.bots`, a few minutes for each game.

Each bot plays, in each game with each number of players, one seat after another against nothing but `greedy`, and is
rated as people are. The scale is laid through `greedy`: its mu is what everybody begins with, by definition. What is
measured takes the place of what the file held for the same bots and games; the rest stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from boardgamesbot.games import registry
from boardgamesbot.matchmaking import bot_ratings
from boardgamesbot.players.skill import Skill, after
from boardgamesbot.tournament import faults
from boardgamesbot.tournament.entrants import able
from boardgamesbot.tournament.played import Played
from boardgamesbot.tournament.schedule import Plan
from boardgamesbot.tournament.standings import ranks_of
from boardgamesbot.tournament.workers import play_all

ANCHOR = "greedy"
ANCHORED = Skill(sigma=1.0)
"""The rating of `greedy`: about as certain as that of somebody who has played a thousand games."""
DIGITS = 3


@dataclass(frozen=True)
class Measuring:
    """One bot to be measured in one game with one number of players."""

    game_id: str
    players: int
    bot: str
    budget: str = ""
    """How long it thinks about a decision, as a line-up of a tournament says it: `0.1s`, `1500i`; empty: as it is."""

    def plans(self, games: int, seed: str) -> Iterable[Plan]:
        """The games: the bot goes round the seats. The same seed, the same games."""
        game = registry.game(self.game_id)
        options = tuple(game.complete_options({}).items())
        for number in range(games):
            bots = [ANCHOR] * self.players
            bots[number % self.players] = f"{self.bot}@{self.budget}" if self.budget else self.bot
            digest = hashlib.sha256(f"{seed}:{self.game_id}:{self.players}:{self.bot}:{number}".encode()).digest()
            yield Plan(self.game_id, options, tuple(bots), digest, number, number)

    def rated(self, games: Iterable[Played]) -> Skill:
        """What the bot's rating comes to, the others' standing still."""
        skill = Skill()
        for number, played in enumerate(games):
            if played.fault is not None:
                raise click.ClickException(faults.account(number, played))
            seat = number % self.players
            before = [skill if at == seat else ANCHORED for at in range(self.players)]
            skill = after(before, ranks_of(played))[seat]
        return skill

    def entry(self, bot: str, skill: Skill, games: int, command: str) -> dict[str, Any]:
        """What is kept of a bot."""
        return {
            "game": self.game_id,
            "players": self.players,
            "bot": bot,
            "mu": round(skill.mu, DIGITS),
            "sigma": round(skill.sigma, DIGITS),
            "games": games,
            "command": command,
            "ruleset": registry.game(self.game_id).ruleset.hash,
        }


@click.command()
@click.option("--game", "games_named", multiple=True, type=click.Choice(list(registry.GAMES)), help="[every game]")
@click.option("--bot", "bots_named", multiple=True, help="[every bot that can be seated]")
@click.option("--games", type=click.IntRange(1), default=50, show_default=True, help="Games for each measurement.")
@click.option("--budget", default="", help="Of thought for a decision, other than at a table: 0.1s, 1500i.")
@click.option("--seed", default="ratings", show_default=True, help="The same seed, the same games.")
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True)
def main(
    games_named: tuple[str, ...],
    bots_named: tuple[str, ...],
    games: int,
    budget: str,
    seed: str,
    workers: int,
) -> None:
    """Measure the bots' fixed ratings and write them to bot_ratings.json."""
    for game_id in games_named or registry.GAMES:
        game = registry.game(game_id)
        for players in range(game.min_players, game.max_players + 1):
            for bot in able(game_id):
                if bot != ANCHOR and (not bots_named or bot in bots_named):
                    _measure(Measuring(game_id, players, bot, budget), games, seed, workers)


def _measure(measuring: Measuring, games: int, seed: str, workers: int) -> None:
    command = (
        f"python -m benchmarks.bots --game {measuring.game_id} --bot {measuring.bot} --games {games} --seed {seed}"
    )
    if measuring.budget:
        command += f" --budget {measuring.budget}"
    by_number: dict[int, Played] = {}
    with (
        closing(play_all(measuring.plans(games, seed), workers)) as coming,
        click.progressbar(
            coming, length=games, label=f"{measuring.bot}, {measuring.players}", file=sys.stderr
        ) as shown,
    ):
        by_number.update((plan.number, played) for plan, played in shown)
    played = [by_number[number] for number in range(games)]
    skill = measuring.rated(played)
    for bot, rated in ((ANCHOR, ANCHORED), (measuring.bot, skill)):
        write(Path(str(bot_ratings.FILE)), measuring.entry(bot, rated, games, command))
    won = sum(one.shares[number % measuring.players] for number, one in enumerate(played))
    click.echo(
        f"{measuring.game_id:<10} {measuring.players} players  {measuring.bot:<8} {skill.points:>5}"
        f"  mu {skill.mu:>7.3f}  sigma {skill.sigma:.3f}  won {won:g} of {games}"
    )


def write(file: Path, entry: dict[str, Any]) -> None:
    """Put what is kept of a bot into the file, in the place of what was there of the same."""

    def place(one: dict[str, Any]) -> tuple[str, int, str]:
        return one["game"], one["players"], one["bot"]

    kept: dict[str, Any] = {"anchor": ANCHOR, "bots": []}
    if file.exists():
        kept = json.loads(file.read_text("utf-8"))
    bots = [one for one in kept["bots"] if place(one) != place(entry)]
    kept["bots"] = sorted([*bots, entry], key=place)
    file.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

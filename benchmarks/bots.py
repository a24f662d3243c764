"""Measures the bots' fixed ratings: `python -m benchmarks.bots`, a few minutes for each game.

Each bot plays, in each game with each number of players, one seat after another against nothing but `greedy`, and is
rated as people are. The scale is laid through `greedy`: its mu is what everybody begins with, by definition. What is
measured takes the place of what the file held for the same bots and games; the rest stays.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from boardgamesbot.cli.simulate import Plan, Played, play_out
from boardgamesbot.games import registry
from boardgamesbot.matchmaking import bot_ratings
from boardgamesbot.matchmaking.rating import Skill, after, ranks_of
from boardgamesbot.players.registry import BOTS
from boardgamesbot.v1.games_pb2 import GameSummary
from boardgamesbot.v1.tables_pb2 import Seat, Table

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

    def plans(self, games: int, seed: str) -> Iterable[Plan]:
        """The games: the bot goes round the seats. The same seed, the same games."""
        game = registry.game(self.game_id)
        options = tuple(game.complete_options({}).items())
        for number in range(games):
            bots = [ANCHOR] * self.players
            bots[number % self.players] = self.bot
            digest = hashlib.sha256(f"{seed}:{self.game_id}:{self.players}:{self.bot}:{number}".encode()).digest()
            yield Plan(self.game_id, options, tuple(bots), digest)

    def rated(self, games: Iterable[Played]) -> Skill:
        """What the bot's rating comes to, the others' standing still."""
        skill = Skill()
        for number, played in enumerate(games):
            if played.illegal:
                raise click.ClickException(f"an illegal move: {played.illegal}")
            seat = number % self.players
            before = [skill if at == seat else ANCHORED for at in range(self.players)]
            skill = after(before, ranks_of(_table(played)))[seat]
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


def _table(played: Played) -> Table:
    """The table that such a game would have been."""
    winners = [seat for seat, share in enumerate(played.shares) if share]
    return Table(
        seats=[Seat(seat=seat) for seat in range(len(played.bots))],
        summary=GameSummary(points=played.points, winners=winners),
    )


def _able(game_id: str) -> list[str]:
    return [bot.id for bot in BOTS.values() if game_id in bot.brains and not bot.by_rule and bot.id != ANCHOR]


@click.command()
@click.option("--game", "games_named", multiple=True, type=click.Choice(list(registry.GAMES)), help="[every game]")
@click.option("--bot", "bots_named", multiple=True, help="[every bot that can be seated]")
@click.option("--games", type=click.IntRange(1), default=50, show_default=True, help="Games for each measurement.")
@click.option("--seed", default="ratings", show_default=True, help="The same seed, the same games.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True)
def main(games_named: tuple[str, ...], bots_named: tuple[str, ...], games: int, seed: str, jobs: int) -> None:
    """Measure the bots' fixed ratings and write them to bot_ratings.json."""
    with ProcessPoolExecutor(jobs) as pool:
        for game_id in games_named or registry.GAMES:
            game = registry.game(game_id)
            for players in range(game.min_players, game.max_players + 1):
                for bot in _able(game_id):
                    if not bots_named or bot in bots_named:
                        _measure(Measuring(game_id, players, bot), games, seed, pool)


def _measure(measuring: Measuring, games: int, seed: str, pool: Executor) -> None:
    command = (
        f"python -m benchmarks.bots --game {measuring.game_id} --bot {measuring.bot} --games {games} --seed {seed}"
    )
    played = list(pool.map(play_out, measuring.plans(games, seed), chunksize=4))
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

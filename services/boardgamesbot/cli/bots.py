"""`bgb bots`: the server of bots, and the list of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import ceil, sqrt
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from boardgamesbot.cli import options
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.programs import run_program
from boardgamesbot.games import registry
from boardgamesbot.games.base import Game
from boardgamesbot.matchmaking.bot_ratings import bot_id, pools
from boardgamesbot.players.registry import BOTS, Bot
from boardgamesbot.players.skill import POINTS_A_UNIT
from boardgamesbot.store.ratings import Pool


@click.group(invoke_without_command=True)
@options.setting("bots_listen", "Where to listen.")
@options.setting("choice_seconds", "The longest a bot thinks about a move that was asked for.")
@options.setting("choice_iterations", "The most iterations it does for one.")
@options.setting("quota_seconds", "Seconds of thinking a player may have saved up to ask for.")
@options.setting("quota_refill", "How many of them come back with every second.")
@options.rules_address
@options.broker_url
@options.common
@click.pass_context
def bots(context: click.Context, /, **given: Any) -> None:
    """Serve BotService; `bgb bots list` only lists the bots there are."""
    if context.invoked_subcommand is None:
        from boardgamesbot.bots.server import serve

        run_program("bots", serve, given)


@bots.command("list")
@click.argument("game_id", metavar="[GAME]", required=False, type=click.Choice(list(registry.KINDS)))
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def list_bots(game_id: str | None, as_json: bool) -> None:
    """List the bots of GAME, or of every game, weakest first: for `--seats` of `bgb play` and `bgb simulate`.

    Needs no server. The ratings were measured in games among bots; 1500 is anybody who has just come.
    """
    games = [registry.game(one) for one in ([game_id] if game_id else registry.KINDS)]
    if as_json:
        told = [_told(game, bot) for game in games for bot in _bots_of(game)]
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
        return
    console = Console(highlight=False)
    for game in games:
        console.print(_table(game))
        console.print()
    console.print(_descriptions(games))
    console.print(f"\n{_certainty(games)}", style="dim")


def _bots_of(game: Game) -> Iterator[Bot]:
    return (bot for bot in BOTS.values() if game.id in bot.brains)


def _sizes(game: Game) -> range:
    return range(game.min_players, game.max_players + 1)


def _points(game: Game, bot: Bot) -> dict[int, int]:
    """The measured ratings by the number of players; none where it was not measured."""
    found = {size: pools().get(Pool(game.id, size), []) for size in _sizes(game)}
    return {size: one.points for size, rated in found.items() for one in rated if one.who == bot_id(bot.id)}


def _certainty(games: list[Game]) -> str:
    """What differences between the ratings shown say."""
    sigmas = [one.sigma for game in games for size in _sizes(game) for one in pools().get(Pool(game.id, size), [])]
    chance = 2 * sqrt(2) * max(sigmas) * POINTS_A_UNIT
    return (
        "Ratings are cautious: a bot is at least as strong as its number says. Two that lie less than "
        f"{ceil(chance / 50) * 50} points apart may be equal."
    )


def _told(game: Game, bot: Bot) -> dict[str, Any]:
    return {
        "bot": bot.id,
        "name": bot.name,
        "description": bot.description,
        "game": game.id,
        "players": [game.min_players, game.max_players],
        "level": bot.level,
        "seconds": bot.seconds,
        "by_rule": bot.by_rule,
        "ratings": _points(game, bot),
    }


def _table(game: Game) -> Table:
    title = f"{game.name}, {game.min_players} to {game.max_players} players"
    table = Table("bot", "name", "level", title=title, title_justify="left", title_style="bold", box=None)
    table.add_column("thinks", justify="right")
    for size in _sizes(game):
        table.add_column(f"rating\nof {size}", justify="right")
    for bot in _bots_of(game):
        points = _points(game, bot)
        thinks = f"{bot.seconds:g} s" if bot.seconds else "at once"
        ratings = (str(points.get(size, "–")) for size in _sizes(game))
        table.add_row(bot.id, escape(bot.name), bot.level, thinks, *ratings)
    return table


def _descriptions(games: list[Game]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for bot in dict.fromkeys(bot.id for game in games for bot in _bots_of(game)):
        grid.add_row(bot, escape(BOTS[bot].description))
    return grid

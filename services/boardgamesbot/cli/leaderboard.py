"""`bgb leaderboard`: who plays a game best."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import click
from rich.markup import escape
from rich.table import Table

from boardgamesbot.cli import options
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.explaining import explained, reach
from boardgamesbot.client import Client, Refused
from boardgamesbot.games import registry
from boardgamesbot.v1 import matchmaking_pb2 as pb

LARGEST_PAGE = 100


@click.command()
@click.argument("game_id", metavar="GAME", type=click.Choice(list(registry.KINDS)))
@click.option("--players", type=click.IntRange(1), default=None, help="For this number of players.  [each there is]")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many to show.")
@options.rules_address
@options.matchmaking_address
@options.data
def leaderboard(
    game_id: str, players: int | None, top: int, rules_address: str | None, matchmaking_address: str | None
) -> None:
    """Show the best players of GAME, and where the bots stand among them."""
    settings = options.settings(rules_address=rules_address, matchmaking_address=matchmaking_address)
    kind = registry.KINDS[game_id]
    sizes = range(kind.min_players, kind.max_players + 1)
    if players is not None and players not in sizes:
        raise click.BadParameter(f"must be {sizes[0]} to {sizes[-1]} in {kind.name}", param_hint="--players")

    async def fetch() -> dict[int, tuple[list[pb.Rating], int]]:
        async with Client(settings.rules_address, matchmaking=settings.matchmaking_address) as client:
            await reach(settings.rules_address)
            await reach(settings.matchmaking_address, "--matchmaking-address")
            await client.sign_in()
            return {size: await _best(client, game_id, size, top) for size in ([players] if players else sizes)}

    try:
        boards = asyncio.run(fetch())
    except Refused as error:
        raise click.ClickException(explained(error)) from None
    console = Console(highlight=False)
    for size, (ratings, games_needed) in boards.items():
        console.print(_table(f"{kind.name}, {size} players", ratings, games_needed))


async def _best(client: Client, game_id: str, players: int, top: int) -> tuple[list[pb.Rating], int]:
    """The best so many, and how many games it takes to be among them."""
    found: list[pb.Rating] = []
    token = ""
    while True:
        size = min(top - len(found), LARGEST_PAGE)
        page = await client.leaderboard(game_id, players, page_size=size, page_token=token)
        found += page.ratings
        token = page.next_page_token
        if not token or len(found) >= top:
            return found, page.games_needed


def _table(title: str, ratings: Sequence[pb.Rating], games_needed: int) -> Table:
    caption = f"listed from {games_needed} games on; bots were measured, and do not move"
    table = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    table.add_column("rank", justify="right")
    table.add_column("name")
    table.add_column("rating", justify="right")
    table.add_column("games", justify="right")
    for rating in ratings:
        is_bot = bool(rating.player.bot)
        name = "".join(c for c in rating.player.name if c.isprintable())
        table.add_row(
            str(rating.rank),
            f"[dim]{escape(name)} (bot)[/dim]" if is_bot else escape(name),
            str(rating.points),
            "" if is_bot else str(rating.games),
        )
    return table

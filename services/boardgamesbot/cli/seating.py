"""Who sits where at a table that is opened from the command line."""

from __future__ import annotations

from collections.abc import Collection

import click

from boardgamesbot.games.base import Game, Options
from boardgamesbot.v1 import bots_pb2

ME = "me"
HUMAN = "open"
USUAL = "greedy"


def seating(game: Game, options: Options, given: str | None, usual: str = USUAL) -> list[str]:
    """The seats as typed, or as is usual: oneself in the first that is free, and `usual` ones beside one.

    A seat that the rules give to a bot has it in either case. Raises Malformed, ClickException.
    """
    wanted = game.bots_wanted(options)
    if given is None:
        seats = [wanted.get(seat, usual) for seat in range(game.min_players)]
        seats[min(set(range(len(seats))) - set(wanted))] = ME
        return seats
    seats = [seat.strip() for seat in given.split(",")]
    game.check_players(len(seats), options)
    if any(seats[seat] != bot for seat, bot in wanted.items()):
        right = ",".join(wanted.get(number, seat) for number, seat in enumerate(seats))
        raise click.ClickException(f"--seats: the rules seat the bot themselves: --seats {right}, or leave --seats out")
    if seats.count(ME) != 1:
        raise click.ClickException("exactly one of --seats must be `me`")
    return seats


def check_bots(seats: Collection[str], wanted: Collection[str], bots: Collection[bots_pb2.BotInfo]) -> None:
    """Raise ClickException for somebody in `seats` whom nobody knows, or who sits only where the rules say."""
    free = [bot.id for bot in bots if not bot.by_rule]
    for seat in seats:
        if seat not in (ME, HUMAN, *free, *wanted):
            by_rule = " has a seat only where the rules give it one" if seat in {bot.id for bot in bots} else ""
            why = by_rule or f" is neither me, open, nor a bot ({', '.join(free)})"
            raise click.ClickException(f"--seats: {seat!r}{why}")

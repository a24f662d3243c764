"""Suggestions for a person's own seat: when they are given, and what is asked of the bot then."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from boardgamesbot.bots.asking import SEED_BYTES, bot_asked_for, check_plays, strongest
from boardgamesbot.bots.choosing import Asked
from boardgamesbot.games import registry
from boardgamesbot.runtime import errors
from boardgamesbot.v1 import bots_pb2 as pb
from boardgamesbot.v1 import tables_pb2

if TYPE_CHECKING:
    from boardgamesbot.bots.asking import Asking
    from boardgamesbot.v1.players_pb2 import Player

CLOCK_SHARE = 0.5
"""No more than this share of what is left on a person's clock is spent on a suggestion."""
LEAST_SECONDS = 0.05


def suggestion(
    now: tables_pb2.TableServiceGetViewResponse, player: Player, request: pb.SuggestMoveRequest, asking: Asking
) -> tuple[Asked, float]:
    """What to ask for a player who looks at a table as it is `now`, and what it costs. Raises ApiError."""
    table, version = now.table, now.version
    seat = next((seat.seat for seat in table.seats if seat.HasField("player") and seat.player.id == player.id), None)
    if seat is None:
        raise errors.denied("NOT_YOUR_SEAT", "you have no seat at this table", field="table_id")
    if table.status != tables_pb2.TABLE_STATUS_PLAYING:
        raise errors.precondition("WRONG_STATUS", "no game is on here", version=version)
    if table.rated:
        message = "this table is rated: there are suggestions only at tables whose result does not count"
        raise errors.precondition("HINTS_OFF", message, version=version)
    if now.summary.actor != seat:
        raise errors.precondition("NOT_YOUR_TURN", f"the decision is seat {now.summary.actor}'s", version=version)
    codec = registry.codec(table.game_id)
    here = codec.game.ruleset.hash
    if here != table.ruleset_hash:
        raise errors.ruleset_unavailable(table.game_id, table.ruleset_hash, here, version)
    bot = bot_asked_for(request.bot, request.level) if request.bot else strongest(table.game_id)
    if request.level and not request.bot:
        raise errors.invalid_field("level", "is that of a bot: name the bot as well")
    check_plays(bot, codec, "bot")
    if bot.by_rule:
        raise errors.invalid_field("bot", f"{bot.name} plays only in seats that the rules give to a bot")
    wish = asking.wish(bot, request.budget)
    seconds, cost = wish.seconds, wish.cost
    if seconds and table.HasField("running"):
        seconds = min(seconds, max(LEAST_SECONDS, CLOCK_SHARE * table.running.left_ms / 1000))
        cost = seconds
    notes = f"{table.id}:{seat}:hints"
    view = codec.view_from(now.view)
    return Asked(codec, view, bot.id, secrets.token_bytes(SEED_BYTES), seconds, wish.iterations, notes), cost

"""What both clients know of tickets: how a wish to play becomes a request."""

from __future__ import annotations

import uuid
from typing import TypedDict

from google.protobuf.duration_pb2 import Duration

from boardgamesbot.v1 import games_pb2, matchmaking_pb2

LIVE = frozenset(
    {
        matchmaking_pb2.TICKET_STATUS_PARTY,
        matchmaking_pb2.TICKET_STATUS_WAITING,
        matchmaking_pb2.TICKET_STATUS_PROPOSED,
        matchmaking_pb2.TICKET_STATUS_OPENING,
    }
)
"""The statuses of a ticket that has not ended."""


class Wishes(TypedDict, total=False):
    """What a ticket may ask for; what is left out is the server's choice."""

    players: tuple[int, int]
    """The fewest and the most players at the table."""
    options: games_pb2.GameOptions
    """The options of the game; left out, any."""
    party_size: int
    """How many want to sit at the same table."""
    window: tuple[float, float, float]
    """How far apart in rating: at first, more with every second, at most."""
    bots_after: float
    """After how many seconds bots may fill the table; left out, never."""
    bot: str
    """Which bot."""
    acceptance: bool
    """Whether a match is to be accepted."""
    unrated: bool
    """Whether the game is to leave all ratings as they are."""


def new_request_id() -> str:
    """An id that no other request has."""
    return uuid.uuid4().hex


def ticket_request(game_id: str, request_id: str, wishes: Wishes) -> matchmaking_pb2.CreateTicketRequest:
    """The request for a ticket."""
    fewest, most = wishes.get("players", (0, 0))
    request = matchmaking_pb2.CreateTicketRequest(
        game_id=game_id,
        request_id=request_id,
        min_players=fewest,
        max_players=most,
        options=wishes.get("options"),
        party_size=wishes.get("party_size", 0),
        acceptance=wishes.get("acceptance", False),
        unrated=wishes.get("unrated", False),
    )
    if "window" in wishes:
        initial, growth, maximum = wishes["window"]
        request.window.CopyFrom(matchmaking_pb2.RatingWindow(initial=initial, growth=growth, maximum=maximum))
    if "bots_after" in wishes:
        after = Duration()
        after.FromMilliseconds(round(wishes["bots_after"] * 1000))
        request.bots.CopyFrom(matchmaking_pb2.BotFill(after=after, bot=wishes.get("bot", "")))
    return request

"""What one can ask of a bot, and the requests that say so."""

from __future__ import annotations

from typing import TypedDict

from boardgamesbot.v1 import bots_pb2, games_pb2

Position = games_pb2.GameState | games_pb2.GameView
"""A whole position, or what the seat whose decision it is knows of it."""

SERVER_SECONDS = 10.0
"""The longest thought that a server allows unless it is told otherwise."""


class Thinking(TypedDict, total=False):
    """How a bot is to think; left out, as it does by itself."""

    level: str
    """Its level, where it comes in several."""
    seconds: float
    """For how long at most."""
    iterations: int
    """For how many iterations at most; alone, they make the answer reproducible."""
    reasoning: bool
    """Whether the answer is to say what it was chosen from."""


def choice_request(position: Position, bot: str, seed: bytes, wishes: Thinking) -> bots_pb2.ChooseMoveRequest:
    """The request for a bot's move in a position."""
    request = bots_pb2.ChooseMoveRequest(
        bot=bot,
        seed=seed,
        level=wishes.get("level", ""),
        budget=_budget(wishes),
        reasoning=wishes.get("reasoning", False),
    )
    if isinstance(position, games_pb2.GameView):
        request.view.CopyFrom(position)
    else:
        request.state.CopyFrom(position)
    return request


def suggestion_request(table_id: str, bot: str, wishes: Thinking) -> bots_pb2.SuggestMoveRequest:
    """The request for a suggestion at a table."""
    return bots_pb2.SuggestMoveRequest(
        table_id=table_id,
        bot=bot,
        level=wishes.get("level", ""),
        budget=_budget(wishes),
        reasoning=wishes.get("reasoning", False),
    )


def longest_seconds(wishes: Thinking) -> float:
    """How long the bot may think, as far as one can tell."""
    return wishes.get("seconds", SERVER_SECONDS)


def _budget(wishes: Thinking) -> bots_pb2.Budget | None:
    budget = bots_pb2.Budget()
    if "seconds" in wishes:
        budget.milliseconds = round(wishes["seconds"] * 1000)
    if "iterations" in wishes:
        budget.iterations = wishes["iterations"]
    return budget if budget.ByteSize() else None

"""How a bot decides: it is asked, and where it fails, the first simpler one that does not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from boardgamesbot.games.base import IllegalMove, Malformed, Move, View
from boardgamesbot.players.registry import BOTS, FALLBACKS, Bot
from boardgamesbot.runtime import logs

log = logs.logger(__name__)

TRIES = 2
"""A bot that has been asked more often than this for one decision is not asked again: a simpler one answers."""


@dataclass(frozen=True)
class Decided:
    """A move, and the bot that chose it."""

    move: Move
    bot: str


def decide(
    bot_id: str, view: View, game_id: str, generator: Callable[[str], Random], *, attempt: int = 1, **where: object
) -> Decided:
    """The bot's move. `generator` gives each bot its chance; `where` is for the log."""
    for bot in _askable(bot_id, attempt):
        brain = bot.brains.get(game_id)
        if brain is None:
            continue
        started = time.monotonic()
        try:
            move = brain.choose(view, generator(bot.id))
            _check(view, move)
        except (IllegalMove, Malformed) as error:
            rule = error.rule.id if isinstance(error, IllegalMove) else ""
            log.error("bot answered an illegal move", bot=bot.id, rule=rule, **where)
        except Exception:
            log.exception("bot failed", bot=bot.id, **where)
        else:
            log.debug("bot decided", bot=bot.id, seconds=round(time.monotonic() - started, 4), **where)
            return Decided(move, bot.id)
    return Decided(view.legal_moves()[0], "")


def _askable(bot_id: str, attempt: int) -> Iterable[Bot]:
    """The bots to ask, in order."""
    if attempt <= TRIES and bot_id in BOTS:
        yield BOTS[bot_id]
    yield from (bot for bot in FALLBACKS if bot.id != bot_id)


def _check(view: View, move: Move) -> None:
    """Raise IllegalMove or Malformed unless the move is legal as far as the seat can tell, which is for certain."""
    view.determinize(Random(0)).check(move)

"""Who waits for a game, and how good matches were of late, as metrics: every matchmaking server tells all of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from boardgamesbot.games import registry
from boardgamesbot.runtime import logs, metrics
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.census import Census

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.store.tickets import TicketStore

log = logs.logger(__name__)

LOOK_SECONDS = 5.0


async def count_for_ever(tickets: TicketStore, redis: Redis, settings: Settings) -> None:
    """Look at what there is every few seconds, if anybody wants to know."""
    census = Census(redis, settings.slots)
    while metrics.are_kept():
        try:
            await count(tickets, census)
        except UNAVAILABLE as error:
            log.debug("store unavailable: nothing is counted", error=type(error).__name__)
        except Exception:
            log.exception("counting failed; it goes on")
        await asyncio.sleep(LOOK_SECONDS)


async def count(tickets: TicketStore, census: Census) -> None:
    """Look once. Raises one of `UNAVAILABLE`."""
    due = await census.due_tickets()
    metrics.TICKETS_DUE_SECONDS.set(due.oldest_ms / 1000)
    for game_id, game in registry.KINDS.items():
        for queue in await tickets.queues(game_id, range(game.min_players, game.max_players + 1)):
            labels = (game_id, str(queue.players))
            metrics.TICKETS.set(queue.waiting, *labels)
            if queue.recent_wait_ms is not None:
                metrics.MATCH_WAIT_SECONDS.set(queue.recent_wait_ms / 1000, *labels)
            if queue.recent_difference is not None:
                metrics.MATCH_DIFFERENCE.set(queue.recent_difference, *labels)

"""What there is to be done on the whole platform, and how Redis is, as metrics: every dispatcher tells all of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from boardgamesbot.games import registry
from boardgamesbot.runtime import logs, metrics
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.census import Census

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redis.asyncio import Redis

    from boardgamesbot.bots.queues import Backlog
    from boardgamesbot.runtime.settings import Settings

log = logs.logger(__name__)

LOOK_SECONDS = 5.0
STATUSES = ("open", "playing")


async def count_for_ever(redis: Redis, settings: Settings) -> None:
    """Look at what there is every few seconds, if anybody wants to know."""
    census = Census(redis, settings.slots)
    while metrics.are_kept():
        try:
            await count(census)
        except UNAVAILABLE as error:
            metrics.STORE_UP.set(0)
            log.debug("store unavailable: nothing is counted", error=type(error).__name__)
        except Exception:
            log.exception("counting failed; it goes on")
        await asyncio.sleep(LOOK_SECONDS)


async def count(census: Census) -> None:
    """Look once. Raises one of `UNAVAILABLE`."""
    tables = await census.tables([f"{game}:{status}" for game in registry.KINDS for status in STATUSES])
    for kind, number in tables.items():
        game, _, status = kind.partition(":")
        metrics.TABLES.set(number, game, status)
    overdue, outbox = await census.overdue(), await census.outbox()
    metrics.OVERDUE.set(overdue.number)
    metrics.OVERDUE_SECONDS.set(overdue.oldest_ms / 1000)
    metrics.OUTBOX.set(outbox.number)
    metrics.OUTBOX_SECONDS.set(outbox.oldest_ms / 1000)
    server = await census.server()
    metrics.STORE_UP.set(1)
    if server is not None:
        metrics.STORE_MEMORY.set(server.memory_bytes)
        metrics.STORE_MEMORY_MAX.set(server.memory_max_bytes)
        metrics.STORE_REPLICAS.set(server.replicas)
        metrics.STORE_CLIENTS.set(server.clients)
        metrics.STORE_SAVE_FAILED.set(server.failed_to_save)


def tell(found: Iterable[Backlog], now_ms: float) -> None:
    """What waits for workers."""
    for backlog in found:
        metrics.QUEUE_TASKS.set(backlog.waiting, backlog.queue)
        metrics.QUEUE_SECONDS.set(backlog.age(now_ms), backlog.queue)

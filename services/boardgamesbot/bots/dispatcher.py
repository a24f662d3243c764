"""The dispatcher as a process: `bgb dispatcher`.

Hands the outboxes' turns to Celery, watches over deadlines - turns of bots that are overdue, and clocks of people -
and sweeps the lists of tables.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import asdict
from time import monotonic
from typing import Any

from celery import Celery

from boardgamesbot.bots import counting
from boardgamesbot.bots.app import PLAY_TURN, RUN_OUT, make_app
from boardgamesbot.bots.queues import AGAIN, CLOCKS, TURNS, Backlog, backlogs, headers, kind_of, waiting_since
from boardgamesbot.bots.turn import Turn
from boardgamesbot.runtime import jobs, logs, metrics, monitor, traces
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.watching_redis import watch
from boardgamesbot.store.client import connect
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.store.outbox import CLOCK, Delivery, Outbox
from boardgamesbot.store.tables import TableStore
from boardgamesbot.store.tasks import ended

log = logs.logger(__name__)

READ_MS = 500
BATCH = 50
"""Entries read at once, of each slot."""
RECLAIM_MS = 2_000
WATCH_SECONDS = 0.5
SWEEP_SECONDS = 30.0
"""So often some of the tables that are listed are looked for: those that have expired leave the lists."""
RETRY_SECONDS = 0.3
SAY_SECONDS = 5.0
"""No more often it says that work waits for too long."""
LONG = 0.5
"""This share of a turn's deadline is long to wait for a worker."""


class Dispatcher:
    """One of any number: each turn is read by one of them, and by another if that one dies."""

    def __init__(self, outbox: Outbox, tables: TableStore, app: Celery, clock: StoreClock, settings: Settings) -> None:
        self._outbox = outbox
        self._tables = tables
        self._clock = clock
        self._app = app
        self._say_again = 0.0
        self._consumer = settings.dispatcher_name or socket.gethostname()
        self._deadline_ms = settings.bot_turn_seconds * 1000
        self._again_ms = settings.bot_again_ms

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set."""
        await jobs.work((self._dispatch, self._watch, self._sweep), stop, "dispatcher", RETRY_SECONDS)

    async def _dispatch(self) -> None:
        while True:
            await self._send(await self._outbox.read(self._consumer, READ_MS, BATCH))

    async def _watch(self) -> None:
        while True:
            await self._send(await self._outbox.reclaim(self._consumer, RECLAIM_MS))
            waiting = waiting_since(await self._backlogs())
            for resent in await self._outbox.rearm_overdue(self._again_ms, waiting=waiting):
                if resent.attempt:
                    metrics.WOKEN_AGAIN.add()
                    log.warning("bot's turn overdue: woken again", table=resent.table_id, attempt=resent.attempt)
                else:
                    log.debug("time is up", table=resent.table_id, version=resent.version)
            await asyncio.sleep(WATCH_SECONDS)

    async def _sweep(self) -> None:
        while True:
            await self._tables.sweep_lists()
            await asyncio.sleep(SWEEP_SECONDS)

    async def _backlogs(self) -> list[Backlog]:
        """What waits for workers; it is said where that is for so long that deadlines are in danger."""
        found = await asyncio.to_thread(backlogs, self._app)
        now_ms = await self._clock.read_ms()
        counting.tell(found, now_ms)
        if monotonic() >= self._say_again:
            for backlog in found:
                if (age := backlog.age(now_ms)) > LONG * self._deadline_ms / 1000:
                    log.warning(
                        "work waits for workers", queue=backlog.queue, waiting=backlog.waiting, oldest=round(age, 2)
                    )
                    self._say_again = monotonic() + SAY_SECONDS
        return found

    async def _send(self, deliveries: Sequence[Delivery]) -> None:
        """Hand turns to Celery, then take them out of the outbox: after a crash in between they are sent again."""
        if deliveries:
            await asyncio.to_thread(self._publish, deliveries)
            await self._outbox.done(deliveries)
            if metrics.are_kept():
                now_ms = await self._clock.read_ms()
                for delivery in deliveries:
                    metrics.DISPATCHED.add(delivery.kind)
                    metrics.HANDOFF_SECONDS.observe(max(0.0, now_ms - delivery.since_ms) / 1000)

    def _publish(self, deliveries: Sequence[Delivery]) -> None:
        with self._app.producer_pool.acquire(block=True) as producer:
            for delivery in deliveries:
                name, queue, about = _task(delivery)
                with traces.span(
                    "hand over", kind="producer", carried=delivery.trace, table=delivery.table_id, queue=queue
                ):
                    self._app.send_task(
                        name,
                        kwargs=about,
                        queue=queue,
                        headers=headers(delivery.since_ms, traces.carry()),
                        producer=producer,
                        retry=False,
                        argsrepr="",  # Celery would write down what only its logs show, at a tenth of sending's cost
                        kwargsrepr="",
                    )


def _task(delivery: Delivery) -> tuple[str, str, dict[str, Any]]:
    """The task's name, its queue and what it is about."""
    if delivery.kind == CLOCK:
        return RUN_OUT, CLOCKS, {"table_id": delivery.table_id, "version": delivery.version}
    turn = Turn(
        table_id=delivery.table_id,
        version=delivery.version,
        seat=delivery.seat,
        bot=delivery.bot,
        player_id=delivery.player_id,
        attempt=delivery.attempt,
        since_ms=delivery.since_ms,
    )
    queues = AGAIN if turn.attempt > 1 else TURNS
    return PLAY_TURN, queues[kind_of(turn.bot)], asdict(turn)


async def run(settings: Settings, stop: asyncio.Event) -> None:
    """Dispatch until `stop` is set."""
    redis = watch(connect(settings.redis_url))
    app = make_app(settings)
    counts = asyncio.create_task(counting.count_for_ever(redis, settings))
    log.info("ready", slots=settings.slots)
    monitor.ready()
    try:
        outbox, tables = Outbox(redis, settings.slots), TableStore(redis, settings.slots)
        await Dispatcher(outbox, tables, app, StoreClock(redis), settings).run(stop)
    finally:
        await ended(counts)
        app.close()
        await redis.aclose()
    log.info("stopped")

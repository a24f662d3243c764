"""The archivist as a process: `bgb archivist`.

Writes every finished table into the archive, once, and lets it leave the store some time later. Killed at any moment,
it or another does what was begun again, with the same outcome: the same bytes under the same name.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardgamesbot.archive.base import ArchiveUnavailable
from boardgamesbot.archive.documents import ArchivedTable
from boardgamesbot.archive.opening import open_archive
from boardgamesbot.rules.history import history_of, record_of
from boardgamesbot.rules.live import decode_table
from boardgamesbot.rules.opening import table_store
from boardgamesbot.runtime import jobs, logs, metrics, monitor
from boardgamesbot.runtime.watching_redis import watch
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.client import connect
from boardgamesbot.store.finished import ARCHIVISTS, Finished, FinishedTable
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_FINISHED

if TYPE_CHECKING:
    from boardgamesbot.archive.base import Archive
    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.store.tables import TableStore

log = logs.logger(__name__)

READ_MS = 500
BATCH = 20
"""Finished tables read at once, of each slot."""
AT_ONCE = 8
"""So many tables are written at the same time: each waits for the disk, or the network, more than it works."""
RECLAIM_MS = 5_000
"""What was begun so long ago, and not done, is begun again."""
WATCH_SECONDS = 2.0
RETRY_SECONDS = 0.5


class NoArchive(Exception):
    """There is nothing to do for an archivist."""


class Archivist:
    """One of any number: each table is read by one of them, and by another if that one dies before it is archived."""

    def __init__(
        self, finished: Finished, store: TableStore, archive: Archive, consumer: str, *, kept_seconds: int
    ) -> None:
        """`kept_seconds`: how long a table stays in the store once it is archived."""
        self._finished = finished
        self._store = store
        self._archive = archive
        self._consumer = consumer
        self._kept_seconds = kept_seconds

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set."""
        await jobs.work((self._read, self._watch), stop, "archivist", RETRY_SECONDS)

    async def archive(self, tables: Sequence[FinishedTable]) -> None:
        """Write tables, then report them as done. What fails is left for later; the others are not held up."""
        room = asyncio.Semaphore(AT_ONCE)

        async def one(finished: FinishedTable) -> None:
            async with room:
                await self._archive_or_leave(finished)

        await asyncio.gather(*map(one, tables))

    async def _archive_or_leave(self, finished: FinishedTable) -> None:
        try:
            await self._archive_one(finished)
        except UNAVAILABLE:
            raise
        except ArchiveUnavailable as error:
            metrics.ARCHIVE_FAILURES.add()
            log.error("archive unavailable: the table is kept until it is there", error=str(error))
        except Exception:
            metrics.ARCHIVE_FAILURES.add()
            log.exception("a table cannot be archived now: it will be tried again", table=finished.table_id)

    async def _archive_one(self, finished: FinishedTable) -> None:
        stored = await self._store.load(finished.table_id)
        if stored is None:
            log.error("a table was gone before it was archived", table=finished.table_id)
        else:
            table = decode_table(stored)
            if table.status != TABLE_STATUS_FINISHED:
                raise ValueError(f"a table left as finished has status {table.status}")
            history = history_of(await self._store.events(table.id, 0), stored.version)
            table.ClearField("code")
            archived = ArchivedTable(table, record_of(table, stored.snapshot, history.standing), finished.time_ms)
            await self._archive.put(archived.name, archived.to_bytes())
            await self._store.expire_sooner(table.id, self._kept_seconds)
            metrics.ARCHIVED.add()
            log.info("table archived", table=table.id, name=archived.name)
        await self._finished.done([finished])

    async def _read(self) -> None:
        while True:
            await self.archive(await self._finished.read(self._consumer, READ_MS, BATCH))

    async def _watch(self) -> None:
        while True:
            await self.archive(await self._finished.reclaim(self._consumer, RECLAIM_MS))
            await asyncio.sleep(WATCH_SECONDS)


async def run(settings: Settings, stop: asyncio.Event) -> None:
    """Archive until `stop` is set. Raises NoArchive, BadArchive, and ArchiveUnavailable where it can't be written."""
    archive = open_archive(settings.archive)
    if archive is None:
        raise NoArchive("BGB_ARCHIVE names no archive: there is nothing to do")
    await archive.check()
    redis = watch(connect(settings.redis_url))
    finished = Finished(redis, settings.slots, group=ARCHIVISTS, archived=True)
    archivist = Archivist(
        finished,
        table_store(redis, settings),
        archive,
        socket.gethostname(),
        kept_seconds=max(1, int(settings.archived_minutes * 60)),
    )
    log.info("ready", archive=settings.archive.partition("?")[0])
    monitor.ready()
    try:
        await archivist.run(stop)
    finally:
        await redis.aclose()
    log.info("stopped")

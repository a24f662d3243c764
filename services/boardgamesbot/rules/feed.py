"""What watchers are sent: one reader a table and process, however many watch.

A feed reads each new version once, works each out once for a seat (or for all spectators), and wakes the
watchers. The truth is the table's stream of events in the store: a watcher asks for what came after the
last version it has seen, so nothing is missed and nothing comes twice.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from boardgamesbot.rules.live import ENDED, LiveTable, LiveTables
from boardgamesbot.rules.showing import shown
from boardgamesbot.runtime import errors, logs
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.keys import table_channel
from boardgamesbot.store.tasks import ended
from boardgamesbot.v1 import games_pb2, tables_pb2

if TYPE_CHECKING:
    from boardgamesbot.games.proto import Codec
    from boardgamesbot.store.tables import StoredEvent, TableStore
    from boardgamesbot.store.wakeups import Wakeups
    from boardgamesbot.v1.players_pb2 import Player

log = logs.logger(__name__)

KEPT_RESPONSES = 16
"""Versions times seats that a feed keeps worked out, some 6 KiB each: for those who watch as it happens. Who is further
behind has them worked out anew."""

KEPT_ENTRIES = 16
"""Versions that a feed keeps as the store has them, for the same."""

BATCH = 200
"""Versions read from the store at once."""

CHECK_SECONDS = 10.0
"""A feed looks at the store this often even when nobody woke it."""

RETRY_SECONDS = 0.2


class Feeds:
    """The feeds of this process."""

    def __init__(self, store: TableStore, wakeups: Wakeups, tables: LiveTables) -> None:
        self._store = store
        self._wakeups = wakeups
        self._tables = tables
        self._feeds: dict[str, _Feed] = {}

    async def watch(
        self, player: Player, table_id: str, after_version: int, after_commit: str = ""
    ) -> AsyncGenerator[tables_pb2.WatchResponse, None]:
        """Every version after `after_version`, as `player`'s seat may know it; ends when the table has.

        Where the commit that made that version is no more, or whatever was sent since, the table is sent anew.
        """
        live = await self._tables.now(table_id)
        stands = not after_commit or live.is_archived or await self._stands(table_id, after_version, after_commit)
        if stands and after_version > live.version:
            raise errors.invalid_field("after_version", f"the table is only at version {live.version}")
        async with self._feed(table_id) as feed:
            if not stands:
                await feed.look()
            seen, era = after_version, feed.era if stands else None
            while True:
                live = await feed.later_than(seen, era)
                seat = live.seat_of(player.id)
                if era != feed.era:
                    era, seen = feed.era, live.version
                    yield await self._shown(feed.anew(live, seat), player)
                for response in await feed.responses(live, seen, seat):
                    seen = response.version
                    yield await self._shown(response, player)
                if seen == live.version and live.status in ENDED:
                    return

    async def _stands(self, table_id: str, version: int, commit: str) -> bool:
        """Whether this commit made the version, as far as the store knows today."""
        made = await self._store.events(table_id, version - 1, 1)
        return any(event.version == version and event.commit == commit for event in made)

    async def _shown(self, response: tables_pb2.WatchResponse, player: Player) -> tables_pb2.WatchResponse:
        """A response for all of a seat, as `player` may see it at this moment."""
        table = await shown(response.table, player.id, self._store)
        if table is response.table:
            return response
        own = tables_pb2.WatchResponse()
        own.CopyFrom(response)
        own.table.CopyFrom(table)
        return own

    @asynccontextmanager
    async def _feed(self, table_id: str) -> AsyncIterator[_Feed]:
        feed = self._feeds.get(table_id)
        if feed is None or feed.has_failed:
            feed = self._feeds[table_id] = _Feed(table_id, self._store, self._wakeups, self._tables)
        feed.watchers += 1
        try:
            yield feed
        finally:
            feed.watchers -= 1
            if feed.watchers == 0:
                if self._feeds.get(table_id) is feed:
                    del self._feeds[table_id]
                await feed.close()


class _Feed:
    """One table, read once for all who watch it here."""

    def __init__(self, table_id: str, store: TableStore, wakeups: Wakeups, tables: LiveTables) -> None:
        self.watchers = 0
        self._table_id = table_id
        self._store = store
        self._wakeups = wakeups
        self._tables = tables
        self._live: LiveTable | None = None
        self._gone: errors.ApiError | None = None
        self._reading = asyncio.Lock()
        self.era = 0
        """How often the store went back on what it had said before."""
        self._moved = asyncio.Condition()
        self._entries: OrderedDict[int, tables_pb2.WatchResponse] = OrderedDict()
        self._responses: OrderedDict[tuple[int, int | None, bool], tables_pb2.WatchResponse] = OrderedDict()
        self._pump = asyncio.create_task(self._follow())

    @property
    def has_failed(self) -> bool:
        """Whether it reads no more: the next watcher needs another."""
        return self._gone is not None

    async def close(self) -> None:
        # How it ends knows where it ended, and so this feed: with all that was worked out it would wait for the garbage
        # collector. It is let go first, for whoever closes it may be cancelled.
        pump = self._pump
        del self._pump
        await ended(pump)

    async def later_than(self, version: int, era: int | None) -> LiveTable:
        """The table, as soon as it is at a version later than `version`, has ended, or it is no more that `era`."""
        async with self._moved:
            while self._gone is None and (
                self._live is None
                or (self._live.version <= version and self._live.status not in ENDED and self.era == era)
            ):
                await self._moved.wait()
        if self._gone is not None:
            raise self._gone
        assert self._live is not None
        return self._live

    def anew(self, live: LiveTable, seat: int | None) -> tables_pb2.WatchResponse:
        """The table as it is, for those who were shown what is no more."""
        entry = tables_pb2.WatchResponse(version=live.version, commit=live.commit, restarted=True)
        return self._worked_out(entry, live, seat, shows_position=True)

    async def responses(self, live: LiveTable, after: int, seat: int | None) -> list[tables_pb2.WatchResponse]:
        """The next versions after `after` up to `live`, as `seat` may know them; the last one shows the position."""
        if after >= live.version:
            return []
        if live.is_archived:
            last = tables_pb2.WatchResponse(version=live.version)
            return [self._response(last, live, seat, shows_position=True)]
        entries = [self._entries.get(version) for version in range(after + 1, live.version + 1)]
        if any(entry is None for entry in entries):
            stored = await self._store.events(self._table_id, after, BATCH)
            entries = [_entry(s) for s in stored if s.version <= live.version]
        return [
            self._response(entry, live, seat, shows_position=entry.version == live.version)
            for entry in entries
            if entry is not None
        ]

    def _response(
        self, entry: tables_pb2.WatchResponse, live: LiveTable, seat: int | None, *, shows_position: bool
    ) -> tables_pb2.WatchResponse:
        key = (entry.version, seat, shows_position)
        response = self._responses.get(key)
        if response is None:
            response = self._responses[key] = self._worked_out(entry, live, seat, shows_position=shows_position)
            if len(self._responses) > KEPT_RESPONSES:
                self._responses.popitem(last=False)
        return response

    def _worked_out(
        self, entry: tables_pb2.WatchResponse, live: LiveTable, seat: int | None, *, shows_position: bool
    ) -> tables_pb2.WatchResponse:
        response = as_seen_by(entry, live.codec, seat)
        if shows_position:
            response.table.CopyFrom(live.table)
            if live.state is not None:
                response.view.CopyFrom(live.codec.view_to(live.state.view(seat)))
        return response

    async def _follow(self) -> None:
        while True:
            try:
                async with self._wakeups.subscribe(table_channel(self._table_id)) as wakeup:
                    while True:
                        await self.look()
                        await wakeup.wait(CHECK_SECONDS)
            except UNAVAILABLE as error:
                log.warning("feed waits for the store", table=self._table_id, error=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
            except errors.ApiError as error:
                await self._fail(error)
                return
            except Exception:
                log.exception("feed failed", table=self._table_id)
                await self._fail(
                    errors.unavailable("FEED_FAILED", "the table can't be read now: connect again", RETRY_SECONDS)
                )
                return

    async def _fail(self, error: errors.ApiError) -> None:
        """Tell all who watch that nothing more comes from here, and why."""
        async with self._moved:
            self._gone = error
            self._moved.notify_all()

    async def look(self) -> None:
        """Read what is new."""
        async with self._reading:
            await self._read()

    async def _read(self) -> None:
        live = await self._tables.now(self._table_id)
        before = self._live
        if before is not None and (live.version, live.commit) == (before.version, before.commit):
            return
        goes_on = True
        if before is not None and not live.is_archived:
            since = await self._store.events(self._table_id, before.version - 1, BATCH)
            goes_on = bool(since) and since[0].version == before.version and before.commit in ("", since[0].commit)
            if not goes_on:
                log.warning("the store went back", table=self._table_id, shown=before.version, now=live.version)
                self._entries.clear()
                self._responses.clear()
            for stored in since[1:] if goes_on else ():
                self._entries[stored.version] = _entry(stored)
            while len(self._entries) > KEPT_ENTRIES:
                self._entries.popitem(last=False)
        async with self._moved:
            self._live = live
            self.era += not goes_on
            self._moved.notify_all()


def _entry(stored: StoredEvent) -> tables_pb2.WatchResponse:
    """What happened, with nothing held back."""
    entry = tables_pb2.WatchResponse.FromString(stored.event)
    entry.commit = stored.commit
    return entry


def as_seen_by(entry: tables_pb2.WatchResponse, codec: Codec, seat: int | None) -> tables_pb2.WatchResponse:
    """What happened, without what `seat` may not know."""
    response = tables_pb2.WatchResponse()
    response.CopyFrom(entry)
    if response.HasField("move_played"):
        _mask(response.move_played.events, codec, seat)
    elif response.HasField("table_change"):
        _mask(response.table_change.events, codec, seat)
    return response


def _mask(events: Iterable[games_pb2.GameEvent], codec: Codec, seat: int | None) -> None:
    for event in events:
        event.CopyFrom(codec.event_to(codec.event_from(event).seen_by(seat)))

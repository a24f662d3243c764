"""Tables in memory: decoded once, kept by version, trusted only as far as the store confirms them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardgamesbot.games import registry
from boardgamesbot.games.record import replay
from boardgamesbot.games.record_proto import record_from
from boardgamesbot.rules import clocks
from boardgamesbot.runtime import errors
from boardgamesbot.v1 import games_pb2, tables_pb2

if TYPE_CHECKING:
    from boardgamesbot.archive.documents import ArchivedTable
    from boardgamesbot.games.base import Game, State
    from boardgamesbot.games.proto import Codec
    from boardgamesbot.rules.archived import ArchivedTables
    from boardgamesbot.store.tables import StoredTable, TableHead, TableStore

CACHED_TABLES = 4096
CACHED_ENDED = 64
"""Of those whose game is over so many: they are looked at for a moment, and nothing happens to them any more."""

ENDED = (tables_pb2.TABLE_STATUS_FINISHED, tables_pb2.TABLE_STATUS_CLOSED)
"""What a table is at which nothing happens any more."""


@dataclass(frozen=True)
class LiveTable:
    """One version of a table. Never changed: a change makes another."""

    table: tables_pb2.Table
    state: State | None
    """The game; None before it starts."""
    commit: str = ""
    """The commit that made the version; empty where nobody knows: it isn't made yet, or was before commits had ids."""
    is_archived: bool = False
    """Whether it has left the store: nothing happens to it any more."""

    @property
    def id(self) -> str:
        return self.table.id

    @property
    def version(self) -> int:
        return self.table.version

    @property
    def status(self) -> tables_pb2.TableStatus.ValueType:
        return self.table.status

    @property
    def game(self) -> Game:
        return registry.game(self.table.game_id)

    @property
    def codec(self) -> Codec:
        return registry.codec(self.table.game_id)

    def seat_of(self, player_id: str) -> int | None:
        """The seat `player_id` has, or None."""
        for seat in self.table.seats:
            if seat.HasField("player") and seat.player.id == player_id:
                return seat.seat
        return None

    def seat_left_by(self, player_id: str) -> int | None:
        """The seat `player_id` is away from, their time having run out, or None."""
        for seat in self.table.seats:
            if seat.HasField("away") and seat.away.id == player_id:
                return seat.seat
        return None

    def eligible(self) -> list[int]:
        """The seats that can still win: those nobody resigned."""
        return [seat.seat for seat in self.table.seats if not seat.HasField("resigned")]

    def playing(self) -> State:
        """The game that is on. Raises ApiError (WRONG_STATUS)."""
        if self.state is None or self.status != tables_pb2.TABLE_STATUS_PLAYING:
            word = tables_pb2.TableStatus.Name(self.status).removeprefix("TABLE_STATUS_").lower()
            raise errors.precondition("WRONG_STATUS", f"no game is on here: the table is {word}", version=self.version)
        return self.state


class LiveTables:
    """The tables this process has seen lately, the least recent forgotten first."""

    def __init__(self, store: TableStore, archived: ArchivedTables) -> None:
        self._store = store
        self._archived = archived
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._ended: OrderedDict[str, LiveTable] = OrderedDict()

    async def at(self, table_id: str, version: int) -> LiveTable:
        """The table at `version` or later: from memory where it is there, else as the store has it."""
        kept = self._kept(table_id)
        if kept is not None and kept.version == version:
            self.keep(kept)
            return kept
        return await self._load(table_id)

    async def now(self, table_id: str) -> LiveTable:
        """The table as the store has it now, or the archive. Raises ApiError (TABLE_NOT_FOUND)."""
        kept = self._kept(table_id)
        if kept is not None and kept.is_archived:
            return kept
        if kept is not None and await self._store.latest(table_id) == (kept.version, kept.commit):
            return kept
        return await self._load(table_id)

    def keep(self, live: LiveTable) -> None:
        """Remember a version that has been committed."""
        self.forget(live.id)
        tables, most = (self._ended, CACHED_ENDED) if live.status in ENDED else (self._tables, CACHED_TABLES)
        tables[live.id] = live
        if len(tables) > most:
            tables.popitem(last=False)

    def forget(self, table_id: str) -> None:
        self._tables.pop(table_id, None)
        self._ended.pop(table_id, None)

    def _kept(self, table_id: str) -> LiveTable | None:
        return self._tables.get(table_id) or self._ended.get(table_id)

    async def _load(self, table_id: str) -> LiveTable:
        stored = await self._store.load(table_id)
        if stored is None:
            self.forget(table_id)
            archived = await self._archived.find(table_id)
            if archived is None:
                raise errors.table_not_found(table_id)
            live = revived(archived)
        else:
            live = decode(stored)
        self.keep(live)
        return live


def decode_table(stored: TableHead) -> tables_pb2.Table:
    """A table out of the store, without its game."""
    table = tables_pb2.Table.FromString(stored.table)
    table.version = stored.version
    table.create_time.FromMilliseconds(stored.created_ms)
    clocks.show(table, stored.clocks)
    return table


def decode(stored: StoredTable) -> LiveTable:
    """A table out of the store, with its game. Raises ApiError (RULESET_UNAVAILABLE)."""
    table = decode_table(stored)
    here = registry.game(table.game_id).ruleset.hash
    if here != table.ruleset_hash:
        raise errors.ruleset_unavailable(table.game_id, table.ruleset_hash, here, stored.version)
    if not stored.snapshot:
        return LiveTable(table, None, stored.commit)
    state = registry.codec(table.game_id).state_from(games_pb2.GameState.FromString(stored.snapshot))
    return LiveTable(table, state, stored.commit)


def revived(archived: ArchivedTable) -> LiveTable:
    """A table out of the archive, at its last position. Raises ApiError (RULESET_UNAVAILABLE)."""
    table = archived.table
    here = registry.game(table.game_id).ruleset.hash
    if here != table.ruleset_hash:
        raise errors.ruleset_unavailable(table.game_id, table.ruleset_hash, here, table.version)
    return LiveTable(table, replay(record_from(archived.record)), is_archived=True)

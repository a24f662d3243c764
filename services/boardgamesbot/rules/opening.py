"""Tables as the settings want them: for whoever reads or changes them in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.archive.opening import open_archive
from boardgamesbot.rules.archived import ArchivedTables
from boardgamesbot.rules.tables import Tables
from boardgamesbot.store.opened import OpenedTables
from boardgamesbot.store.scripts import Replicas
from boardgamesbot.store.tables import TableStore

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.runtime.settings import Settings


def table_store(redis: Redis, settings: Settings) -> TableStore:
    """Where the tables are."""
    return TableStore(redis, settings.slots, Replicas(settings.commit_replicas, settings.commit_replicas_ms))


def tables_in(store: TableStore, redis: Redis, settings: Settings, secret: bytes) -> Tables:
    """What can be done with them. Raises BadArchive."""
    opened = OpenedTables(redis, settings.player_open_tables, int(settings.open_table_hours * 3_600))
    return Tables(store, opened, settings, secret, ArchivedTables(open_archive(settings.archive)))

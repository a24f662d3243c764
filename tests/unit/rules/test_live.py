"""Which tables a rules server remembers."""

from __future__ import annotations

from typing import cast

import pytest

from boardgamesbot.rules.archived import ArchivedTables
from boardgamesbot.rules.live import CACHED_ENDED, LiveTable, LiveTables
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_FINISHED, TABLE_STATUS_PLAYING, Table, TableStatus


class NoStore:
    """Was asked what should have been remembered."""

    async def load(self, table_id: str) -> None:
        raise LookupError(table_id)


def live(number: int, status: TableStatus.ValueType, version: int = 7) -> LiveTable:
    return LiveTable(Table(id=f"{number:014}", status=status, version=version), None)


@pytest.fixture
def tables() -> LiveTables:
    return LiveTables(cast(TableStore, NoStore()), ArchivedTables(None))


async def test_games_that_are_over_are_soon_forgotten_and_those_that_are_on_are_not(tables: LiveTables) -> None:
    on = live(0, TABLE_STATUS_PLAYING)
    tables.keep(on)
    over = [live(number, TABLE_STATUS_FINISHED) for number in range(1, CACHED_ENDED + 2)]
    for one in over:
        tables.keep(one)
    assert await tables.at(on.id, 7) is on
    assert await tables.at(over[-1].id, 7) is over[-1]
    with pytest.raises(LookupError, match=over[0].id):
        await tables.at(over[0].id, 7)


async def test_a_game_that_ends_is_remembered_once(tables: LiveTables) -> None:
    tables.keep(live(1, TABLE_STATUS_PLAYING, version=7))
    end = live(1, TABLE_STATUS_FINISHED, version=8)
    tables.keep(end)
    assert await tables.at(end.id, 8) is end
    tables.forget(end.id)
    with pytest.raises(LookupError):
        await tables.at(end.id, 8)

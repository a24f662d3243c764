"""A table as one player may see it at this moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.rules import clocks
from boardgamesbot.v1.tables_pb2 import Table

if TYPE_CHECKING:
    from collections.abc import Collection

    from boardgamesbot.store.tables import TableStore


async def shown(table: Table, player_id: str, store: TableStore) -> Table:
    """The table with the time that is left, without its code for those who are not at it."""
    if not table.HasField("running"):
        return without_code(table, player_id)
    copy = Table()
    copy.CopyFrom(without_code(table, player_id))
    await clocks.count_down(copy, store)
    return copy


def without_code(table: Table, player_id: str) -> Table:
    """The table, without its code for those who are not at it."""
    if not table.code or player_id in _at(table):
        return table
    copy = Table()
    copy.CopyFrom(table)
    copy.ClearField("code")
    return copy


def _at(table: Table) -> Collection[str]:
    return {table.host, *(person.id for seat in table.seats for person in (seat.player, seat.away))}

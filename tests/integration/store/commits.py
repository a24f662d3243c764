"""Commits as tests make them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from boardgamesbot.store.keys import new_table_id
from boardgamesbot.store.tables import Commit, Committed, TableStore, Wake

BOT = Wake(seat=1, bot="greedy", player_id="bot-1")


def commit(table_id: str, expected_version: int, **changed: Any) -> Commit:
    """A commit whose bytes all tell the version it makes; some of them can't be text."""
    made = str(expected_version + 1).encode()
    plain = Commit(
        table_id=table_id,
        expected_version=expected_version,
        table=b"table \xff\x00" + made,
        snapshot=b"snapshot \xfe\r\n" + made,
        event=b"event \xfd" + made,
        move=b"move " + made,
        answer=b"answer:\x00:" + made,
        expire_s=3600,
    )
    return replace(plain, **changed)


async def create(store: TableStore, **changed: Any) -> str:
    """A new table at version 1; gives its id."""
    table_id = changed.pop("table_id", None) or new_table_id()
    assert (await store.commit(commit(table_id, 0, **changed))).version == 1
    return table_id


async def advance(store: TableStore, table_id: str, first: int, last: int) -> list[Committed]:
    """Take a table from version `first` to version `last`, one at a time."""
    return [await store.commit(commit(table_id, version)) for version in range(first, last)]

"""The archivist is killed again and again while games end: each comes into the archive, once, and is let go."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from redis.asyncio import Redis

from boardgamesbot.archive.documents import ArchivedTable
from boardgamesbot.store import keys
from boardgamesbot.store.tables import TableStore
from tests.support.archive import files
from tests.support.finished import finish_all, person, table
from tests.support.platform import Platform
from tests.support.waiting import eventually

pytestmark = pytest.mark.faults

SECONDS = 60.0
ROUNDS = 2
TABLES = 20
"""That end in each round."""


async def test_a_killed_archivist_loses_no_table_and_archives_none_twice(
    redis: Redis, redis_url: str, tmp_path: Path
) -> None:
    archive, ended, rng = tmp_path / "archive", [], Random(8)
    with Platform(redis_url, tmp_path, archive=str(archive), archived_minutes=30) as platform:
        for _ in range(ROUNDS):
            platform.start("archivist")
            made = [table([person("ada"), person("bea")], (number, 1)) for number in range(TABLES)]
            await finish_all(TableStore(redis), made)
            ended += made
            enough = len(files(archive)) + rng.randrange(1, TABLES)
            await eventually(lambda enough=enough: _has(archive, enough), SECONDS)  # type: ignore[misc]
            platform.kill("archivist")
        platform.start("archivist")
        began = asyncio.get_running_loop().time()
        await eventually(lambda: _let_go(redis, [one.id for one in ended]), SECONDS)
        assert asyncio.get_running_loop().time() - began < 30, "within seconds of its start"
    found = [ArchivedTable.from_bytes(path.read_bytes()) for path in files(archive)]
    assert sorted(one.table.id for one in found) == sorted(one.id for one in ended)
    points = {one.id: list(one.summary.points) for one in ended}
    assert all(list(one.record.result.points) == points[one.table.id] for one in found)


async def _has(archive: Path, number: int) -> bool:
    return len(files(archive)) >= number


async def _let_go(redis: Redis, table_ids: list[str]) -> bool:
    pipe = redis.pipeline(transaction=False)
    for table_id in table_ids:
        pipe.ttl(keys.table(table_id))
    left = await pipe.execute()
    return all(0 < seconds <= 1800 for seconds in left)

"""A table that has left Redis is answered for out of the archive: everything that could be read can be, no more."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner
from redis.asyncio import Redis

from boardgamesbot.cli import main
from boardgamesbot.client import Client, Refused
from boardgamesbot.rules.live import LiveTable
from boardgamesbot.store.keys import new_table_id
from boardgamesbot.v1.tables_pb2 import GetTableRequest
from tests.support.archive import archivist, files, finished_table, leave_redis
from tests.support.platform import rules_server
from tests.support.play import TABLES, code_of, collect
from tests.support.waiting import eventually

SECONDS = 30.0


async def _archive(redis: Redis, redis_url: str, folder: Path, game_id: str = "agora", players: int = 3) -> LiveTable:
    live = await finished_table(redis, game_id, players, archive=str(folder))

    async def there() -> bool:
        return bool(files(folder))

    async with archivist(redis_url, folder):
        await eventually(there, SECONDS)
    return live


@pytest.mark.parametrize(("game_id", "players"), [("agora", 3), ("barcelona", 2)])
async def test_all_answers_are_as_before(
    redis: Redis, redis_url: str, reading: str, folder: Path, game_id: str, players: int
) -> None:
    live = await _archive(redis, redis_url, folder, game_id, players)
    async with Client(reading) as client:
        await client.sign_in("Spectator")
        before = await client.table(live.id), await client.view(live.id), await client.record(live.id)
        last = (await collect(client, live.id, live.version - 1))[-1]
        await leave_redis(redis, live.id)
    async with rules_server(redis_url, archive=str(folder)) as fresh, Client(fresh) as client:
        await client.sign_in("Spectator")
        assert (await client.table(live.id), await client.view(live.id), await client.record(live.id)) == before
        assert not (await client.verify(before[2])).HasField("fault")
        (only,) = await collect(client, live.id)
        assert (only.version, only.view, only.table) == (live.version, last.view, before[0])
        assert await collect(client, live.id, live.version) == []
        for refused in (client.take_seat(live.id), client.start(live.id), client.resign(live.id, 0)):
            with pytest.raises(Refused) as caught:
                await refused
            assert caught.value.code in (grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.PERMISSION_DENIED)


async def test_a_table_nobody_archived_is_not_there(reading: str) -> None:
    table_id = new_table_id()
    async with Client(reading) as client:
        await client.sign_in()
        for asked in (client.table(table_id), client.record(table_id), client.view(table_id)):
            with pytest.raises(Refused) as caught:
                await asked
            assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND")


async def test_a_file_that_cannot_be_read_is_not_a_table_that_is_not_there(
    redis: Redis, redis_url: str, reading: str, folder: Path
) -> None:
    live = await _archive(redis, redis_url, folder)
    await leave_redis(redis, live.id)
    (file,) = files(folder)
    whole = file.read_bytes()
    request = GetTableRequest(table_id=live.id)
    async with Client(reading) as client:
        await client.sign_in()
        file.write_bytes(whole[: len(whole) // 2])
        assert await code_of(reading, TABLES + "GetTable", request, client.token) == grpc.StatusCode.UNAVAILABLE
        file.write_bytes(whole)
        assert await code_of(reading, TABLES + "GetTable", request, client.token) == grpc.StatusCode.OK
    result = await asyncio.to_thread(CliRunner().invoke, main, ["replay", "--verify", str(file)])
    assert result.exit_code == 0, result.output
    assert "Sound" in result.output

"""The archive in a bucket, at a server that speaks S3 on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis.asyncio import Redis

from boardgamesbot.archive.base import Archive, ArchiveUnavailable
from boardgamesbot.archive.documents import ArchivedTable
from boardgamesbot.archive.opening import open_archive
from boardgamesbot.client import Client
from boardgamesbot.store.embedded import free_port
from boardgamesbot.store.tables import TableStore
from tests.support.archive import archivist, finished_table, leave_redis
from tests.support.platform import rules_server
from tests.support.waiting import eventually

boto3 = pytest.importorskip("boto3")
server = pytest.importorskip("moto.server")

NAME = "agora/0a/bc/0abcdefghijklm.json"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Where the server is; it has one bucket, `games`."""
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=free_port(), verbose=False)
    running.start()
    address = "http://{}:{}".format(*running.get_host_and_port())
    try:
        keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
        boto3.client("s3", endpoint_url=address, **keys).create_bucket(Bucket="games")
        yield address
    finally:
        running.stop()


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")


def _open(setting: str) -> Archive:
    archive = open_archive(setting)
    assert archive is not None
    return archive


async def test_what_was_put_is_got_below_the_prefix(endpoint: str) -> None:
    archive = _open(f"s3://games/one/two?endpoint={endpoint}&region=us-east-1")
    await archive.check()
    assert await archive.get(NAME) is None
    await archive.put(NAME, b"one")
    await archive.put(NAME, b"one")
    assert await archive.get(NAME) == b"one"
    whole = _open(f"s3://games?endpoint={endpoint}&region=us-east-1")
    assert await whole.get("one/two/" + NAME) == b"one"
    assert await whole.get(NAME) is None


async def test_what_is_wrong_with_a_bucket_is_said(endpoint: str) -> None:
    archive = _open(f"s3://not-there?endpoint={endpoint}&region=us-east-1")
    with pytest.raises(ArchiveUnavailable, match="not-there"):
        await archive.check()
    with pytest.raises(ArchiveUnavailable, match="not-there"):
        await archive.put(NAME, b"one")


async def test_a_game_is_archived_and_read_again(redis: Redis, redis_url: str, endpoint: str) -> None:
    setting = f"s3://games/live?endpoint={endpoint}&region=us-east-1"
    live = await finished_table(redis, archive=setting)
    archive = _open(setting)
    name = ArchivedTable(live.table, None, 0).name  # type: ignore[arg-type]

    async def there() -> bool:
        return await archive.get(name) is not None

    async with archivist(redis_url, setting):
        await eventually(there, 30)
    assert await TableStore(redis).load(live.id) is not None
    await leave_redis(redis, live.id)
    async with rules_server(redis_url, archive=setting) as address, Client(address) as client:
        await client.sign_in()
        assert (await client.table(live.id)).version == live.version
        assert not (await client.verify(await client.record(live.id))).HasField("fault")

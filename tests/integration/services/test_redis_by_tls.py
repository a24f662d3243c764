"""Redis by TLS: for the store and for Celery, by one URL. The server's end of it is a proxy of the test's."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as NotConnected

from boardgamesbot.client import Client
from boardgamesbot.store.client import connect
from boardgamesbot.v1 import tables_pb2
from tests.support.certificates import Authority
from tests.support.platform import Platform
from tests.support.play import collect
from tests.support.proxy import CuttingProxy

SECONDS = 60.0


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "certificates")


@pytest.fixture
async def by_tls(redis: Redis, redis_url: str, authority: Authority) -> AsyncIterator[str]:
    """The URL of the session's Redis where it is reached by TLS alone; who signed its certificate is not said."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*authority.sign("redis"))
    parts = urlsplit(redis_url)
    assert parts.port is not None
    async with CuttingProxy(parts.port, context) as proxy:
        password = f":{parts.password}@" if parts.password else ""
        yield f"rediss://{password}127.0.0.1:{proxy.port}/0"


async def test_the_store_believes_only_certificates_of_the_authority_it_is_told(
    by_tls: str, authority: Authority, tmp_path: Path
) -> None:
    stranger = Authority(tmp_path / "others")
    async with connect(f"{by_tls}?ssl_ca_certs={authority.file}") as redis:
        assert await redis.ping()
    for told in (by_tls, f"{by_tls}?ssl_ca_certs={stranger.file}"):
        async with connect(told) as redis:
            with pytest.raises(NotConnected, match="certificate"):
                await redis.ping()


async def test_bots_play_on_a_store_and_a_broker_by_tls(by_tls: str, authority: Authority, tmp_path: Path) -> None:
    with Platform(f"{by_tls}?ssl_ca_certs={authority.file}", tmp_path) as platform:
        settings = platform.settings
        await asyncio.to_thread(platform.start, "rules", "bots", "dispatcher", "worker")
        async with Client(settings.rules_address, bots=settings.bots_address) as client, asyncio.timeout(SECONDS):
            await client.sign_in("Host")
            table = await client.create_table("agora", 3)
            for _ in range(3):
                await client.seat_bot(table.id, "greedy")
            await client.start(table.id)
            seen = await collect(client, table.id)
    assert seen[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED

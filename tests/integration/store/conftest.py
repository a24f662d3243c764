"""Fixtures of the store's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.store.tables import TableStore


@pytest.fixture
def store(redis: Redis) -> TableStore:
    return TableStore(redis)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A server that the test may kill."""
    with EmbeddedServer(tmp_path / "data") as server:
        yield server


@pytest.fixture
async def own_redis(own_server: EmbeddedServer) -> AsyncIterator[Redis]:
    client = connect(own_server.url)
    yield client
    await client.aclose()

"""Fixtures for tests of every kind: a real Redis server a test session, empty for every test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from redis.asyncio import Redis

from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """The session's server. Tests that stop or kill a server start one of their own."""
    with EmbeddedServer(tmp_path_factory.mktemp("redis"), appendfsync="everysec") as server:
        yield server


@pytest.fixture
def redis_url(redis_server: EmbeddedServer) -> str:
    """Where the session's server is."""
    return redis_server.url


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    """A client of the session's server, which is empty now."""
    client = connect(redis_url)
    await client.flushdb()
    yield client
    await client.aclose()

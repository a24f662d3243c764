"""Fixtures for tests of every kind: a real Redis server a test session, empty for every test."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator

import pytest
from _pytest.nodeid import coerce_node_id
from redis.asyncio import Redis

from boardgamesbot import compiled
from boardgamesbot.store import embedded
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer


def pytest_configure() -> None:
    """Test no compiled code whose source is unknown; that of the known ones is compared on import."""
    strays = compiled.strays()
    if strays:
        raise pytest.UsageError(f"compiled by no build of this package: {', '.join(strays)}; `make pure` removes them")
    _keep_to_own_ports()


def _keep_to_own_ports() -> None:
    """Give each worker ports of its own: no other listens on one between its being found free and being used."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    first, end = embedded.PORTS
    share = (end - first) // workers
    embedded.PORTS = (first + worker * share, first + (worker + 1) * share)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep groups of tests together: xdist 3.8 writes the group where pytest 9.2 no longer looks for it."""
    for item in items:
        named = getattr(item, "_nodeid", item.nodeid)
        if named != item.nodeid:
            item._id = coerce_node_id(named)


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

"""Fixtures of the store's tests: on one server, or, where STORE_TESTS_ON says so, on Sentinels or a Cluster."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.store.scripts import Replicas
from boardgamesbot.store.tables import TableStore
from tests.support.redis_groups import ClusterGroup, Sentinels

GROUPS: dict[str, type[Sentinels] | type[ClusterGroup]] = {"sentinel": Sentinels, "cluster": ClusterGroup}


@pytest.fixture(scope="session")
def group_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the group of servers is that these tests are run on; empty: on the session's one server."""
    kind = os.environ.get("STORE_TESTS_ON", "alone")
    if kind == "alone":
        yield ""
        return
    with GROUPS[kind](tmp_path_factory.mktemp(kind)) as group:
        yield group.url


@pytest.fixture
def redis_url(group_url: str, redis_server: EmbeddedServer) -> str:
    """Where the tests' store is."""
    return group_url or redis_server.url


@pytest.fixture
def alone(group_url: str) -> None:
    """For tests about the session's one server."""
    if group_url:
        pytest.skip("about one server")


@pytest.fixture
def store(redis: Redis, group_url: str) -> TableStore:
    """In a group, with the setting that waits for a replica."""
    return TableStore(redis, replicas=Replicas(wanted=1 if group_url else 0))


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

"""Games of bots go on, whole and sound, while the master under them is replaced, on Sentinels and on a Cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardgamesbot.client import Client
from boardgamesbot.store import keys
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import tables_pb2
from tests.support.platform import Platform
from tests.support.play import versions
from tests.support.redis_groups import ClusterGroup, Node, Sentinels, until

pytestmark = [pytest.mark.long, pytest.mark.faults, pytest.mark.timeout(400)]

_MasterOf = Callable[[str], Node]
GAMES = 6
KILL_AT = 40
"""The version of the first game at which its master is killed."""
SECONDS = 180.0


@pytest.fixture
def sentinels(tmp_path: Path) -> Iterator[tuple[Platform, Sentinels]]:
    """Celery finds its broker through the Sentinels too."""
    with (
        Sentinels(tmp_path / "servers") as group,
        Platform(group.url, tmp_path, commit_replicas=1, commit_replicas_ms=500) as platform,
    ):
        yield platform, group


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[Platform, ClusterGroup]]:
    with (
        ClusterGroup(tmp_path / "servers") as group,
        EmbeddedServer(tmp_path / "broker") as broker,
        Platform(group.url, tmp_path, broker_url=broker.url, commit_replicas=1, commit_replicas_ms=500) as platform,
    ):
        yield platform, group


async def test_on_sentinels(sentinels: tuple[Platform, Sentinels]) -> None:
    platform, group = sentinels
    await _games_with_a_kill(platform, group, lambda _: group.master())


async def test_on_a_cluster(cluster: tuple[Platform, ClusterGroup]) -> None:
    platform, group = cluster
    await _games_with_a_kill(platform, group, lambda table_id: group.master_of(keys.table(table_id)))


async def _games_with_a_kill(platform: Platform, group: Sentinels | ClusterGroup, master_of: _MasterOf) -> None:
    await asyncio.to_thread(platform.start, "rules", "bots", "matchmaking", "dispatcher", "worker")
    killed: list[Node] = []

    def kill(table_id: str) -> None:
        victim = master_of(table_id)
        victim.kill()
        killed.append(victim)
        until(lambda: master_of(table_id) is not victim, "another master")
        victim.start()  # as the replica of the other

    async with Client(platform.settings.rules_address, bots=platform.settings.bots_address) as client:
        await client.sign_in("Watcher")
        tables = []
        for _ in range(GAMES):
            table = await client.create_table("agora", 3)
            for _ in range(3):
                await client.seat_bot(table.id, "greedy")
            tables.append(table.id)

        async def follow(table_id: str) -> list[tables_pb2.WatchResponse]:
            seen = []
            async for response in client.watch(table_id):
                seen.append(response)
                if table_id == tables[0] and response.version == KILL_AT:
                    await asyncio.to_thread(kill, table_id)
            return seen

        async with asyncio.timeout(SECONDS):
            watchers = [asyncio.create_task(follow(table_id)) for table_id in tables]
            await asyncio.gather(*map(client.start, tables))
            for table_id, seen in zip(tables, await asyncio.gather(*watchers), strict=True):
                assert versions(seen) == list(range(1, seen[-1].version + 1))
                assert not any(response.restarted for response in seen)
                assert seen[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED
                record = await client.record(table_id)
                assert not (await client.verify(record)).HasField("fault")
                played = sum(response.HasField("move_played") for response in seen)
                assert len(record.moves) == played
    assert killed

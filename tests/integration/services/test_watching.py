"""Watchers miss nothing, see nothing twice, and come back from wherever they were."""

from __future__ import annotations

import asyncio
import gc
import weakref
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message
from redis.asyncio import Redis

from boardgamesbot.client import Client, Refused
from boardgamesbot.rules.archived import ArchivedTables
from boardgamesbot.rules.feed import Feeds
from boardgamesbot.rules.live import LiveTables
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.store.tables import TableStore
from boardgamesbot.store.wakeups import Wakeups
from boardgamesbot.v1 import tables_pb2
from tests.support.archive import finished_table
from tests.support.platform import Platform
from tests.support.play import Party, collect, playing, seated, versions, watching
from tests.support.waiting import eventually


async def test_a_seat_and_a_spectator_see_every_version_once(rules: str, replica: str) -> None:
    async with seated(rules) as party, Client(replica) as spectator, Client(replica) as late:
        await spectator.sign_in()
        await late.sign_in()
        watchers = [asyncio.create_task(collect(client, party.table_id)) for client in (party.clients[1], spectator)]
        await party.host.start(party.table_id)
        await party.play(30)
        watchers.append(asyncio.create_task(collect(late, party.table_id)))
        await party.play()
        now = await party.now()
        for seen in await asyncio.wait_for(asyncio.gather(*watchers), 10):
            assert versions(seen) == list(range(1, now.version + 1))
            assert seen[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED
            assert seen[-1].view.agora.phase == now.view.agora.phase
            assert {response.WhichOneof("change") for response in seen} == {"table_change", "move_played"}


async def test_a_watch_can_be_resumed_from_any_version(rules: str, replica: str) -> None:
    async with playing(rules) as party:
        await party.play()
        whole = await collect(party.clients[1], party.table_id)
        last = whole[-1].version
        async with Client(replica, token=party.clients[1].token) as elsewhere:
            for after in (0, 1, 4, 5, 6, 77, last - 2, last - 1, last):
                rest = await collect(elsewhere, party.table_id, after)
                assert [_change(response) for response in rest] == [_change(r) for r in whole[after:]]
            with pytest.raises(Refused) as caught:
                await collect(elsewhere, party.table_id, last + 1)
            assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, "after_version")
            with pytest.raises(Refused) as caught:
                await collect(elsewhere, party.table_id, -1)
            assert caught.value.field == "after_version"


def _change(response: tables_pb2.WatchResponse) -> tuple[int, str | None, Message | None]:
    kind = response.WhichOneof("change")
    change: Message | None = getattr(response, kind) if kind else None
    return response.version, kind, change


async def test_the_newest_version_shows_the_position_it_led_to(rules: str) -> None:
    async with playing(rules) as party, watching(party.host, party.table_id, (await party.now()).version) as stream:
        for _ in range(10):
            await party.play(1)
            response = await asyncio.wait_for(anext(stream), 5)
            now = await party.now()
            assert (response.version, response.view) == (now.version, now.view)
            assert response.table.version == now.version


async def test_a_table_nobody_knows_cannot_be_watched(rules: str) -> None:
    async with Client(rules) as client:
        await client.sign_in()
        with pytest.raises(Refused) as caught:
            await collect(client, "00aaaaaaaaaaaa")
        assert caught.value.reason == "TABLE_NOT_FOUND"


async def test_a_hundred_watchers_come_and_go(rules: str) -> None:
    """Feeds are shared and closed with their last watcher: whoever comes after still sees everything."""
    async with playing(rules) as party, Client(rules) as spectator:
        await spectator.sign_in()

        async def look(count: int) -> list[int]:
            seen = []
            async for response in spectator.watch(party.table_id):
                seen.append(response.version)
                if len(seen) == count:
                    break
            return seen

        for _ in range(4):
            looks = [asyncio.create_task(look(1 + i % 5)) for i in range(25)]
            await party.play(5)
            for i, seen in enumerate(await asyncio.wait_for(asyncio.gather(*looks), 10)):
                assert seen == list(range(1, 2 + i % 5))


async def test_a_watch_survives_the_death_and_restart_of_the_server(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "redis") as redis, Platform(redis.url, tmp_path) as platform:
        platform.start("rules")
        async with playing(platform.settings.rules_address) as party:
            watch = asyncio.create_task(collect(party.clients[2], party.table_id))
            for _ in range(2):
                await party.play(15)
                platform.kill("rules")
                await asyncio.to_thread(platform.start, "rules")
            await _play_on(party)
            seen = await asyncio.wait_for(watch, 20)
            assert versions(seen) == list(range(1, (await party.now()).version + 1))
            assert not (await party.host.verify(await party.host.record(party.table_id))).HasField("fault")


async def _play_on(party: Party) -> None:
    await party.play()
    assert (await party.now()).summary.is_over


async def test_a_server_that_stops_sends_its_watchers_on(tmp_path: Path) -> None:
    """SIGTERM: streams end at once with UNAVAILABLE, so that clients go to another replica."""
    with EmbeddedServer(tmp_path / "redis") as redis, Platform(redis.url, tmp_path) as platform:
        platform.start("rules")
        async with (
            playing(platform.settings.rules_address) as party,
            watching(party.host, party.table_id) as stream,
        ):
            for version in range(1, 6):
                assert (await anext(stream)).version == version
            assert await asyncio.wait_for(asyncio.to_thread(platform.stop), 3) == {"rules": 0}
            await asyncio.to_thread(platform.start, "rules")
            await party.play(1)
            assert (await asyncio.wait_for(anext(stream), 10)).version == 6


async def _interrupted(task: asyncio.Task[None]) -> None:
    """Ending a task, where whoever does it is cancelled meanwhile."""
    task.cancel()
    raise asyncio.CancelledError


@pytest.mark.parametrize("is_interrupted", [False, True])
async def test_nothing_stays_of_what_was_worked_out_for_watchers_who_left(
    redis: Redis, monkeypatch: pytest.MonkeyPatch, is_interrupted: bool
) -> None:
    store, wakeups = TableStore(redis), Wakeups(redis)
    live = await finished_table(redis)
    feeds = Feeds(store, wakeups, LiveTables(store, ArchivedTables(None)))
    if is_interrupted:
        monkeypatch.setattr("boardgamesbot.rules.feed.ended", _interrupted)
    gc.disable()
    try:
        responses = feeds.watch(live.table.seats[0].player, live.id, 0)
        await anext(responses)
        (feed,) = map(weakref.ref, feeds._feeds.values())
        with suppress(asyncio.CancelledError):
            await responses.aclose()
        del responses

        async def is_gone() -> bool:
            return feed() is None

        await eventually(is_gone)
    finally:
        gc.enable()
        await wakeups.close()

"""Gaudí's turn survives whoever plays it: it is made, once, by another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from boardgamesbot.client import Client
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import tables_pb2
from tests.support.held_worker import GO, HELD
from tests.support.platform import Platform, until
from tests.support.play import versions
from tests.support.solo import GAUDI, PERSON, check_turns, new_solo_table, play_out, play_turn
from tests.support.waiting import eventually

pytestmark = pytest.mark.faults

SECONDS = 60.0


@asynccontextmanager
async def _held_in_his_turn(folder: Path, workers: int) -> AsyncIterator[tuple[Platform, Client, str, int]]:
    """A solo table whose Gaudí has been given out and is held in a worker; with the version it is at."""
    with (
        EmbeddedServer(folder / "redis") as redis,
        Platform(redis.url, folder, bot_turn_seconds=1.0, bot_think_seconds=0.5, worker_processes=workers) as platform,
    ):
        platform.start("rules", "bots", "dispatcher")
        platform.start("worker", module="tests.support.held_worker")
        settings = platform.settings
        async with Client(settings.rules_address, bots=settings.bots_address) as ada, asyncio.timeout(SECONDS):
            await ada.sign_in("Ada")
            table_id = await new_solo_table(ada)
            version = await play_turn(ada, table_id, Random(2))
            await asyncio.to_thread(until, (folder / HELD).exists, "Gaudí's turn is held")
            yield platform, ada, table_id, version


async def _until_played(client: Client, table_id: str, version: int) -> tables_pb2.TableServiceGetViewResponse:
    async def played() -> tables_pb2.TableServiceGetViewResponse | None:
        now = await client.view(table_id)
        return now if now.version > version else None

    now = await eventually(played, SECONDS)
    assert now is not None
    assert (now.version, now.summary.actor) == (version + 1, PERSON)
    return now


async def _whole_game(client: Client, table_id: str) -> None:
    """The game goes on to its end; nothing in it is missing, doubled, or out of turn."""
    seen = await play_out(client, table_id)
    assert versions(seen) == list(range(1, seen[-1].version + 1))
    assert seen[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED
    record = await client.record(table_id)
    check_turns(record)
    assert [move.seat for move in record.moves] == [
        response.move_played.seat for response in seen if response.HasField("move_played")
    ]
    assert not (await client.verify(record)).HasField("fault")


async def test_a_worker_killed_while_he_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn was handed out and is lost with the worker; another worker finishes it."""
    monkeypatch.setenv("HELD_FOLDER", str(tmp_path))
    async with _held_in_his_turn(tmp_path, workers=1) as (platform, ada, table_id, version):
        platform.kill("worker")
        now = await ada.view(table_id)
        assert (now.version, now.summary.actor) == (version, GAUDI)
        platform.start("worker")
        await _until_played(ada, table_id, version)
        await _whole_game(ada, table_id)


async def test_a_worker_that_comes_late_with_his_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The watchdog has given the turn to another, who has played it, when the first one comes to its end."""
    monkeypatch.setenv("HELD_FOLDER", str(tmp_path))
    async with _held_in_his_turn(tmp_path, workers=2) as (platform, ada, table_id, version):
        after = await _until_played(ada, table_id, version)
        (tmp_path / GO).touch()
        await _whole_game(ada, table_id)
        assert "woken again" in platform.log("dispatcher")
        first = await anext(ada.watch(table_id, version))
        assert (first.version, first.move_played.seat) == (after.version, GAUDI)

"""Somebody asks for a bot's move, and whoever is at it dies: there is an answer all the same, and soon."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from boardgamesbot.bots.queues import CHOICES, QUICK
from boardgamesbot.client import Client
from boardgamesbot.games import registry
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import bots_pb2, games_pb2
from tests.support.platform import Platform, until
from tests.support.waiting import eventually

pytestmark = pytest.mark.faults

STRANGE = "tests.support.strange_bots"
PATIENCE_SECONDS = 60.0
"""So long a question waits for a worker that does not answer."""
SOON_SECONDS = 25.0
"""So long an answer may take when a worker has died: another one starts meanwhile, on a machine that has much to do."""
LONG_SECONDS = 40.0
"""So long a bot thinks that nobody kills."""


@asynccontextmanager
async def _platform(folder: Path, *workers: str) -> AsyncIterator[tuple[Platform, Client]]:
    """A platform with these workers; what their bots do is in the folder."""
    with (
        EmbeddedServer(folder / "redis") as redis,
        Platform(
            redis.url,
            folder,
            bot_turn_seconds=PATIENCE_SECONDS,
            choice_seconds=LONG_SECONDS,
            worker_processes=1,
        ) as platform,
    ):
        platform.start("rules")
        _start(platform, folder, "bots", *workers)
        settings = platform.settings
        async with Client(settings.rules_address, bots=settings.bots_address) as client:
            await client.sign_in("Asker")
            yield platform, client


def _start(platform: Platform, folder: Path, *names: str) -> None:
    platform.start(*names, module=STRANGE, STRANGE_FOLDER=str(folder))


def _position() -> games_pb2.GameState:
    game = registry.game("agora")
    state, _ = game.new(3, game.complete_options({}), ChanceStream(bytes(range(32))))
    return registry.codec("agora").state_to(state)


async def _once_it_thinks(folder: Path) -> None:
    await asyncio.to_thread(until, (folder / "begun").exists, "the bot thinks")


def _child(worker: int) -> int:
    """The process of a worker that has its tasks."""
    (child, *_) = Path(f"/proc/{worker}/task/{worker}/children").read_text().split()
    return int(child)


def _begun(folder: Path) -> int:
    """How often the bot began to think."""
    return len((folder / "begun").read_text().split())


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("wishes", "iterations"),
    [({"seconds": LONG_SECONDS}, range(1, 100)), ({"iterations": 100}, [100])],
    ids=["at once where its time is gone", "all iterations where they are counted"],
)
async def test_a_question_whose_worker_dies_is_answered_by_another(
    tmp_path: Path, wishes: dict[str, Any], iterations: range | list[int]
) -> None:
    async with _platform(tmp_path, "worker") as (platform, client):
        chosen = asyncio.create_task(client.choose_move(_position(), "searcher", reasoning=True, **wishes))
        await _once_it_thinks(tmp_path)
        platform.kill("worker")
        _start(platform, tmp_path, "worker")
        async with asyncio.timeout(SOON_SECONDS):
            answer = await chosen
    assert answer.bot == "searcher"
    assert answer.reasoning.iterations in iterations
    assert _begun(tmp_path) == 2, "nobody thinks twice about what is answered"


@pytest.mark.timeout(120)
async def test_a_question_whose_process_of_a_worker_dies_is_answered_by_the_next(tmp_path: Path) -> None:
    async with _platform(tmp_path, "worker") as (platform, client):
        chosen = asyncio.create_task(client.choose_move(_position(), "searcher", iterations=100, reasoning=True))
        await _once_it_thinks(tmp_path)
        os.kill(_child(platform.pid("worker")), signal.SIGKILL)
        async with asyncio.timeout(SOON_SECONDS):
            answer = await chosen
    assert (answer.bot, answer.reasoning.iterations) == ("searcher", 100)


@pytest.mark.timeout(120)
async def test_what_a_bot_had_come_to_when_its_worker_died_is_its_answer(tmp_path: Path) -> None:
    """There is no other worker, and none is needed."""
    seen: list[bots_pb2.WatchChoiceResponse] = []
    async with (
        _platform(tmp_path, "worker") as (platform, client),
        asyncio.timeout(SOON_SECONDS),
        aclosing(client.watch_choice(_position(), "searcher", seconds=LONG_SECONDS)) as responses,
    ):
        async for response in responses:
            if not seen:
                platform.kill("worker")
            seen.append(response)
    assert [response.final for response in seen] == [False] * (len(seen) - 1) + [True]
    assert seen[-1].choice == seen[-2].choice


@pytest.mark.timeout(120)
async def test_a_question_that_the_broker_loses_is_asked_again(tmp_path: Path) -> None:
    """As when Redis is killed before it has written it down."""
    async with _platform(tmp_path) as (platform, client):
        chosen = asyncio.create_task(client.choose_move(_position(), "greedy"))
        redis = connect(platform.settings.redis_url)
        await eventually(lambda: redis.llen(CHOICES[QUICK]), SOON_SECONDS)
        await redis.delete(CHOICES[QUICK])
        await redis.aclose()
        _start(platform, tmp_path, "worker")
        async with asyncio.timeout(SOON_SECONDS):
            assert (await chosen).bot == "greedy"

"""Programs of a running platform are killed in the middle of a game: the game ends by itself, whole and sound."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from boardgamesbot.client import Client
from boardgamesbot.v1 import tables_pb2
from tests.support.platform import Serve, Supervised, until
from tests.support.play import versions

pytestmark = pytest.mark.faults

KILL_AT = (40, 100)
"""The versions at which a program is killed."""

GAME_SECONDS = 60.0
LONGEST_PAUSE_SECONDS = 20.0
"""How long the game may rest after a kill: a restart and a wake by the watchdog, not the broker's time-out (80 s)."""


@pytest.fixture(scope="module")
def supervised(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervised]:
    with Serve(tmp_path_factory.mktemp("serve")) as running:
        yield running


@asynccontextmanager
async def _game_of_bots(supervised: Supervised) -> AsyncIterator[tuple[Client, str]]:
    async with Client(supervised.rules, bots=supervised.bots) as client:
        await client.sign_in("Watcher")
        table = await client.create_table("agora", 4)
        for _ in range(4):
            await client.seat_bot(table.id, "greedy")
        await client.start(table.id)
        yield client, table.id


async def _game_with_kills(supervised: Supervised, kill: Callable[[], object], at: Sequence[int] = KILL_AT) -> None:
    async with _game_of_bots(supervised) as (client, table_id), asyncio.timeout(GAME_SECONDS):
        seen: list[tables_pb2.WatchResponse] = []
        kills = list(at)
        longest, last = 0.0, time.monotonic()
        async for response in client.watch(table_id):
            now = time.monotonic()
            longest, last = max(longest, now - last), now
            seen.append(response)
            if kills and response.version >= kills[0]:
                kills.pop(0)
                kill()
        assert not kills, "the game was over before the last kill"
        assert versions(seen) == list(range(1, seen[-1].version + 1))
        assert seen[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED
        assert longest < LONGEST_PAUSE_SECONDS
        record = await client.record(table_id)
        verdict = await client.verify(record)
        assert not verdict.HasField("fault"), verdict.fault
        played = [response.move_played.seat for response in seen if response.HasField("move_played")]
        assert [move.seat for move in record.moves] == played
        assert verdict.moves == len(played)


@pytest.mark.parametrize("program", ["worker-quick", "dispatcher", "rules", "redis"])
async def test_a_game_survives_the_death_of(supervised: Supervised, program: str) -> None:
    killed: list[int] = []

    def kill() -> None:
        """Kill the program, unless the one that is to follow the last killed is not there yet."""
        pid = supervised.pids()[program]
        if pid not in killed:
            killed.append(supervised.kill(program))

    await _game_with_kills(supervised, kill)
    assert killed
    await asyncio.to_thread(until, lambda: supervised.pids()[program] not in killed, f"{program} runs again")


async def test_a_game_survives_the_death_of_processes_that_think(supervised: Supervised) -> None:
    """A child of the worker is killed, as the kernel does when memory runs out; its turn is played by another."""

    def kill() -> None:
        children = _children(supervised.pids()["worker-quick"])
        assert children
        os.kill(children[0], signal.SIGKILL)

    await _game_with_kills(supervised, kill)


async def test_a_game_survives_the_death_of_everything_but_the_supervisor(supervised: Supervised) -> None:
    def kill() -> None:
        for program in ("redis", "worker-quick", "rules", "dispatcher", "bots"):
            try:
                supervised.kill(program)
            except ProcessLookupError:
                continue  # its successor is not there yet

    await _game_with_kills(supervised, kill, (60,))


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


async def test_a_game_goes_on_when_the_whole_platform_died(tmp_path: Path) -> None:
    """`bgb serve` itself is killed, its programs die with it, and another one finds the game as it was."""
    serve = Serve(tmp_path)
    async with asyncio.timeout(GAME_SECONDS):
        with serve as first:
            async with _game_of_bots(first) as (client, table_id):
                before: list[tables_pb2.WatchResponse] = []
                async for response in client.watch(table_id):
                    before.append(response)
                    if response.version >= 40:
                        break
                token = client.token
            pids = first.pids()
            serve.kill()
        await asyncio.to_thread(_until_gone, pids)
        with Serve(tmp_path) as second:
            async with Client(second.rules, token=token) as client:
                seen = [response async for response in client.watch(table_id)]
                assert versions(seen) == list(range(1, seen[-1].version + 1))
                assert [r.move_played for r in seen[: len(before)]] == [r.move_played for r in before]
                assert not (await client.verify(await client.record(table_id))).HasField("fault")


def _until_gone(pids: dict[str, int]) -> None:
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids.values()), "every program is gone")

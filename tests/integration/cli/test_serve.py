"""The supervisor of `bgb serve`: it starts, gives up and stops as it says."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from boardgamesbot.cli.serve import PortTaken, Program, StartFailed, Supervisor, unless
from boardgamesbot.store.embedded import HOST, free_port

SECONDS = 20.0
DEAF = "import time; time.sleep(600)"
LEAVES = """
import pathlib, signal, sys, time
here, mine, others = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
def leave(*_):
    (here / f"{mine}.asked").touch()
    while not all((here / other).exists() for other in others):
        time.sleep(0.01)
    (here / f"{mine}.left").touch()
    sys.exit(0)
signal.signal(signal.SIGTERM, leave)
(here / f"{mine}.up").touch()
while True:
    time.sleep(0.05)
"""
"""A program that ends, when it is asked to, as soon as certain files are there."""


@asynccontextmanager
async def supervisor(folder: Path, start_seconds: float = SECONDS) -> AsyncIterator[Supervisor]:
    made = Supervisor(folder, {}, start_seconds)
    try:
        yield made
    finally:
        await made.stop()


def deaf(port: int | None = None) -> Program:
    return Program("deaf", [sys.executable, "-c", DEAF], port)


def leaving(folder: Path, name: str, *files: str) -> Program:
    return Program(name, [sys.executable, "-c", LEAVES, str(folder), name, *files])


async def until_there(*files: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while not all(file.exists() for file in files):
        assert time.monotonic() < deadline, files
        await asyncio.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_program_that_does_not_answer_is_given_up_and_it_says_what_to_do(tmp_path: Path) -> None:
    async with supervisor(tmp_path, start_seconds=0.2) as made:
        with pytest.raises(StartFailed, match=r"deaf runs, but .* within 0.2 s; .* --start-seconds"):
            await made.start(deaf(free_port()))


async def test_a_program_that_ends_at_once_is_told_from_one_that_is_slow(tmp_path: Path) -> None:
    async with supervisor(tmp_path) as made:
        with pytest.raises(StartFailed, match="ended at once with status 3"):
            await made.start(Program("gone", [sys.executable, "-c", "raise SystemExit(3)"], free_port()), deaf())


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as other:
        port = other.getsockname()[1]
        async with supervisor(tmp_path) as made:
            with pytest.raises(PortTaken, match=f"deaf on port {port}"):
                await made.start(deaf(port))


async def test_to_stop_it_need_not_have_started(tmp_path: Path) -> None:
    stop = asyncio.Event()
    async with supervisor(tmp_path, start_seconds=600) as made:
        starting = asyncio.create_task(unless(stop, made.start(deaf(free_port()))))
        await until_there(tmp_path / "processes.json")
        (pid,) = json.loads((tmp_path / "processes.json").read_text()).values()
        stop.set()
        assert await asyncio.wait_for(starting, SECONDS) is False
    assert not is_running(pid)


async def test_what_was_started_together_is_stopped_together_and_what_others_need_after_them(tmp_path: Path) -> None:
    async with supervisor(tmp_path) as made:
        await made.start(leaving(tmp_path, "rules", "gateway.left", "worker.left"))
        await made.start(
            leaving(tmp_path, "gateway", "worker.asked"),
            leaving(tmp_path, "worker", "gateway.asked"),
        )
        await until_there(*(tmp_path / f"{name}.up" for name in ("rules", "gateway", "worker")))
        stopping = asyncio.create_task(made.stop())
        await until_there(tmp_path / "gateway.asked")
        assert not (tmp_path / "rules.asked").exists()
        await asyncio.wait_for(stopping, SECONDS)
    assert all((tmp_path / f"{name}.left").exists() for name in ("rules", "gateway", "worker"))


async def test_files_of_settings_are_not_handed_on_beside_what_was_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BGB_TOKEN_KEY_FILE", "somewhere")
    says = "import os, pathlib, sys; pathlib.Path(sys.argv[1]).write_text(str('BGB_TOKEN_KEY_FILE' in os.environ))"
    said = tmp_path / "said"
    async with supervisor(tmp_path) as made:
        await made.start(Program("says", [sys.executable, "-c", says, str(said)]))
        await until_there(said)
        while not said.read_text():
            await asyncio.sleep(0.01)
    assert said.read_text() == "False"

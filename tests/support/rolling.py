"""Programs of a platform in two replicas, each of which can be stopped kindly and started again."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, ClassVar, Self
from urllib.request import urlopen

from boardgamesbot.bots.server import serve as serve_bots
from boardgamesbot.gateway.server import serve as serve_gateway
from boardgamesbot.matchmaking.server import serve as serve_matchmaking
from boardgamesbot.rules.server import serve as serve_rules
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.embedded import HOST, die_with_parent, free_port
from tests.support.limitless import SETTINGS
from tests.support.platform import is_well, until

SERVERS = ("rules", "bots", "matchmaking", "gateway")
PROGRAMS = (*SERVERS, "dispatcher", "worker")
REPLICAS = 2
STOP_SECONDS = 30.0


class Replicas:
    """The programs on one Redis, two of each; servers are known by the addresses of both."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        self._folder = folder
        self._listen = {name: [f"{HOST}:{free_port()}" for _ in range(REPLICAS)] for name in SERVERS}
        self.addresses = {name: ",".join(places) for name, places in self._listen.items()}
        rules, bots, matchmaking, _ = (self.addresses[name] for name in SERVERS)
        limitless: dict[str, Any] = dict(SETTINGS)
        self._settings = Settings(
            redis_url=redis_url,
            rules_address=rules,
            bots_address=bots,
            matchmaking_address=matchmaking,
            worker_processes=1,
            log_level="warning",
            **limitless,
        )
        self._processes: dict[tuple[str, int], subprocess.Popen[bytes]] = {}
        self._logs: list[IO[bytes]] = []

    @property
    def pages(self) -> list[str]:
        """Where the gateways are."""
        return [f"http://{place}" for place in self._listen["gateway"]]

    def each(self) -> Iterator[tuple[str, int]]:
        """Every replica: the second ones last, so that one of each is there at any time."""
        for number in range(REPLICAS):
            for name in PROGRAMS:
                yield name, number

    def settings(self, name: str, number: int) -> Settings:
        """The settings of a replica."""
        changed: dict[str, Any] = {"dispatcher_name": f"dispatcher-{number}"}
        if name in SERVERS:
            changed[f"{name}_listen"] = self._listen[name][number]
        return dataclasses.replace(self._settings, **changed)

    def launch(self, name: str, number: int) -> None:
        """Start a replica without waiting for it."""
        settings = self.settings(name, number)
        log = (self._folder / f"{name}-{number}.log").open("ab")
        self._logs.append(log)
        self._processes[name, number] = subprocess.Popen(
            [sys.executable, "-m", "boardgamesbot", name],
            env={**os.environ, **settings.to_environment()},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=die_with_parent,
            start_new_session=True,
        )

    def await_ready(self, name: str, number: int) -> None:
        """Come back when a replica answers. Workers and dispatchers answer nobody."""
        if name in SERVERS:
            until(partial(self._is_ready, name, number), f"{name} {number} is ready")

    def stop(self, name: str, number: int) -> int:
        """Ask a replica to end, as a deployment does; gives its exit status."""
        process = self._processes.pop((name, number))
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise

    async def roll(self, name: str, number: int) -> int:
        """Stop a replica kindly, start it again, and wait until it is ready; gives the status it ended with."""
        status = await asyncio.to_thread(self.stop, name, number)
        self.launch(name, number)
        await asyncio.to_thread(self.await_ready, name, number)
        return status

    def log(self) -> str:
        """What all of them logged so far."""
        return "\n".join(file.read_text(errors="replace") for file in sorted(self._folder.glob("*.log")))

    def _is_ready(self, name: str, number: int) -> bool:
        if (process := self._processes.get((name, number))) is not None:
            status = process.poll()
            assert status is None, f"{name} ended with status {status}: {self.log()[-3000:]}"
        place = self._listen[name][number]
        if name != "gateway":
            return is_well(place)
        try:
            with urlopen(f"http://{place}/readyz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def __enter__(self) -> Self:
        for name, number in self.each():
            self.launch(name, number)
        for name, number in self.each():
            self.await_ready(name, number)
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.send_signal(signal.SIGTERM)
        for process in self._processes.values():
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        for log in self._logs:
            log.close()


class ReplicasHere(Replicas):
    """The servers alone, inside this process: they start in no time. Whoever plays their bots is somebody else."""

    _SERVE: ClassVar = {
        "rules": serve_rules,
        "bots": serve_bots,
        "matchmaking": serve_matchmaking,
        "gateway": serve_gateway,
    }

    def __init__(self, redis_url: str, folder: Path) -> None:
        super().__init__(redis_url, folder)
        self._stops: dict[tuple[str, int], asyncio.Event] = {}
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}

    def each(self) -> Iterator[tuple[str, int]]:
        for name, number in super().each():
            if name in SERVERS:
                yield name, number

    def launch(self, name: str, number: int) -> None:
        stop = self._stops[name, number] = asyncio.Event()
        self._tasks[name, number] = asyncio.create_task(self._SERVE[name](self.settings(name, number), stop))

    async def roll(self, name: str, number: int) -> int:
        self._stops[name, number].set()
        await self._tasks[name, number]
        self.launch(name, number)
        await asyncio.to_thread(self.await_ready, name, number)
        return 0

    async def __aenter__(self) -> Self:
        for name, number in self.each():
            self.launch(name, number)
        for name, number in self.each():
            await asyncio.to_thread(self.await_ready, name, number)
        return self

    async def __aexit__(self, *_: object) -> None:
        for stop in self._stops.values():
            stop.set()
        await asyncio.gather(*self._tasks.values())

"""The platform under test: rules servers inside this process, and every program as a process that can be killed."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, Self
from urllib.request import urlopen

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from boardgamesbot.bots.server import serve as serve_bots
from boardgamesbot.client.channel import Tls, open_blocking_channel, open_channel
from boardgamesbot.gateway.server import serve as serve_gateway
from boardgamesbot.matchmaking.server import serve as serve_matchmaking
from boardgamesbot.rules.server import serve
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.embedded import HOST, die_with_parent, free_port

READY_SECONDS = 120.0
STOP_SECONDS = 60.0
POLL_SECONDS = 0.02
SOON = [(f"grpc.{which}_reconnect_backoff_ms", 20) for which in ("initial", "min", "max")]
"""A server that does not listen yet is asked again at once, not after a second."""


@asynccontextmanager
async def rules_server(
    redis_url: str, address: str = "", *, tls: Tls | None = None, **settings: Any
) -> AsyncIterator[str]:
    """A rules server of this process, a replica of any other on the same Redis; gives its address.

    `tls`: how it is asked whether it is well.
    """
    address = address or f"{HOST}:{free_port()}"
    stop = asyncio.Event()
    server = asyncio.create_task(
        serve(Settings(redis_url=redis_url, rules_listen=address, rules_address=address, **settings), stop)
    )
    try:
        await _until_well(address, server, tls)
        yield address
    finally:
        stop.set()
        await server


@asynccontextmanager
async def matchmaking_server(
    redis_url: str, rules: str, *, tls: Tls | None = None, **settings: Any
) -> AsyncIterator[str]:
    """A matchmaking server of this process, with its matcher; gives its address."""
    address = f"{HOST}:{free_port()}"
    stop = asyncio.Event()
    server = asyncio.create_task(
        serve_matchmaking(
            Settings(
                redis_url=redis_url,
                rules_address=rules,
                matchmaking_listen=address,
                matchmaking_address=address,
                **settings,
            ),
            stop,
        )
    )
    try:
        await _until_well(address, server, tls)
        yield address
    finally:
        stop.set()
        await server


@asynccontextmanager
async def bots_server(redis_url: str, rules: str, *, tls: Tls | None = None, **settings: Any) -> AsyncIterator[str]:
    """A bots server of this process, without a worker; gives its address."""
    address = f"{HOST}:{free_port()}"
    stop = asyncio.Event()
    server = asyncio.create_task(
        serve_bots(Settings(redis_url=redis_url, rules_address=rules, bots_listen=address, **settings), stop)
    )
    try:
        await _until_well(address, server, tls)
        yield address
    finally:
        stop.set()
        await server


@asynccontextmanager
async def gateway_server(**settings: Any) -> AsyncIterator[str]:
    """A gateway of this process; gives its address, `http://HOST:PORT`. `settings` say where the servers are."""
    listen = f"{HOST}:{free_port()}"
    stop = asyncio.Event()
    server = asyncio.create_task(serve_gateway(Settings(gateway_listen=listen, **settings), stop))
    try:
        deadline = time.monotonic() + READY_SECONDS
        while True:
            assert not server.done(), server.exception()
            assert time.monotonic() < deadline, f"the gateway does not answer on {listen}"
            try:
                _, writer = await asyncio.open_connection(*listen.split(":"))
            except OSError:
                await asyncio.sleep(POLL_SECONDS)
                continue
            writer.close()
            break
        yield f"http://{listen}"
    finally:
        stop.set()
        await server


async def _until_well(address: str, server: asyncio.Task[None], tls: Tls | None = None) -> None:
    async with open_channel(address, tls, SOON) as channel:
        check = asyncio.ensure_future(
            health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), wait_for_ready=True, timeout=READY_SECONDS
            )
        )
        await asyncio.wait((check, server), return_when=asyncio.FIRST_COMPLETED)
        if server.done():
            check.cancel()
            await server
        assert (await check).status == health_pb2.HealthCheckResponse.SERVING


def is_well(address: str, tls: Tls | None = None) -> bool:
    """Whether a server answers that it is well, at this moment."""
    with open_blocking_channel(address, tls, None) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=1)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def until(probe: Callable[[], bool], what: str, seconds: float = READY_SECONDS) -> None:
    """Come back as soon as `probe` is true. Raises AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not probe():
        assert time.monotonic() < deadline, f"{what}: not within {seconds:g} s"
        time.sleep(POLL_SECONDS)


class Platform:
    """The programs of the platform as processes on one Redis, each started and killed at will.

    What they log goes to `NAME.log` in the folder.
    """

    def __init__(self, redis_url: str, folder: Path, *, tls: Tls | None = None, **settings: Any) -> None:
        """`tls`: how the servers are asked whether they are well."""
        rules, bots, matchmaking, gateway = (f"{HOST}:{free_port()}" for _ in range(4))
        self.settings = Settings(
            redis_url=redis_url,
            rules_listen=rules,
            rules_address=rules,
            bots_listen=bots,
            bots_address=bots,
            matchmaking_listen=matchmaking,
            matchmaking_address=matchmaking,
            gateway_listen=gateway,
            gateway_address=gateway,
            dispatcher_name="test",
            **settings,
        )
        self._folder = folder
        self._tls = tls
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._logs: list[IO[bytes]] = []

    def start(self, *names: str, module: str = "boardgamesbot", **environment: str) -> None:
        """Start programs and wait until those that answer do. `module` has a command line like `bgb`.

        A name may go on behind a hyphen (`worker-deep`), so that there can be several. `environment` is added.
        """
        for name in names:
            log = (self._folder / f"{name}.log").open("ab")
            self._logs.append(log)
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", module, name.partition("-")[0]],
                env={**os.environ, **self.settings.to_environment(), **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,
                start_new_session=True,
            )
        for name in names:
            if name == "gateway":
                until(self._answers_http, "the gateway is ready")
            elif name in ("rules", "bots", "matchmaking"):
                address = getattr(self.settings, f"{name}_address")
                until(partial(self._is_ready, name, address), f"{name} is well")

    def _is_ready(self, name: str, address: str) -> bool:
        status = self._processes[name].poll()
        assert status is None, f"{name} ended with status {status}: {self.log(name)[-2000:]}"
        return is_well(address, self._tls)

    def _answers_http(self) -> bool:
        assert self._processes["gateway"].poll() is None, self.log("gateway")[-2000:]
        url, context = f"http://{self.settings.gateway_address}/readyz", None
        if self.settings.gateway_tls_cert:
            url = url.replace("http", "https", 1)
            context = ssl.create_default_context(cafile=self.settings.tls_ca)
        try:
            with urlopen(url, timeout=2, context=context) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def pid(self, name: str) -> int:
        """The process id of a program."""
        return self._processes[name].pid

    def log(self, name: str) -> str:
        """What a program logged so far."""
        return (self._folder / f"{name}.log").read_text()

    def kill(self, name: str) -> None:
        """Kill a program and the processes it made, as a crash would."""
        process = self._processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> dict[str, int]:
        """Ask every program to end, the last started first; gives their exit statuses."""
        statuses = {}
        for name, process in reversed(self._processes.items()):
            process.send_signal(signal.SIGTERM)
            try:
                statuses[name] = process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                statuses[name] = process.wait()
        self._processes.clear()
        for log in self._logs:
            log.close()
        return statuses

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@dataclasses.dataclass(frozen=True)
class Supervised:
    """A running `bgb serve`."""

    data: Path
    rules: str
    bots: str
    matchmaking: str
    page: str
    """Where the gateway is: `http://HOST:PORT`."""

    def pids(self) -> dict[str, int]:
        """The process id of each program, as it is now."""
        pids: dict[str, int] = json.loads((self.data / "processes.json").read_text())
        return pids

    def kill(self, name: str) -> int:
        """Kill a program with every process it made, as a crash would; gives its process id."""
        pid = self.pids()[name]
        os.killpg(pid, signal.SIGKILL)
        return pid


def free_port_base() -> int:
    """A number whose port, the one before it and the three after it, nobody listens on at this moment."""
    while True:
        base = free_port()
        try:
            with ExitStack() as probes:
                for port in range(base - 1, base + 4):
                    probes.enter_context(socket.create_server((HOST, port)))
        except OSError:
            continue
        return base


class Serve:
    """`bgb serve` as a process; a context manager that gives a `Supervised`. `words` are more of its options."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._folder = folder
        self._words = words
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Supervised:
        base = free_port_base()
        data, out, log = self._folder / "data", self._folder / "out", self._folder / "log"
        with out.open("wb") as stdout, log.open("wb") as stderr:
            process = self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "boardgamesbot",
                    "serve",
                    "--data",
                    str(data),
                    "--port-base",
                    str(base),
                    *self._words,
                ],
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                preexec_fn=die_with_parent,
                start_new_session=True,
            )

        def is_ready() -> bool:
            assert process.poll() is None, log.read_text()
            return "ready" in out.read_text()

        until(is_ready, "bgb serve is ready")
        rules, bots, matchmaking, gateway = (f"{HOST}:{base + above}" for above in range(4))
        return Supervised(data, rules, bots, matchmaking, f"http://{gateway}")

    def kill(self) -> None:
        """Kill the supervisor, as a crash would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        if self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise

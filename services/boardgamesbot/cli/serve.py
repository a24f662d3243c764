"""`bgb serve`: the whole platform on one machine, each program its own process, restarted if it dies."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import fcntl
import json
import os
import shlex
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import IO, Any

import click
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from boardgamesbot.cli import options
from boardgamesbot.cli.local import forget_servers, keep_redis_url, keep_servers
from boardgamesbot.client.here import usual_folder
from boardgamesbot.games import registry, rulesets
from boardgamesbot.gateway.page import Page, folder_of
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.server import run_until_signal
from boardgamesbot.runtime.settings import ENVIRONMENT_PREFIX, FILE_SUFFIX, Settings
from boardgamesbot.store.embedded import (
    LOG_NAME,
    ServerNotFound,
    answering_pid,
    die_with_parent,
    password_of,
    server_command,
)

log = logs.logger(__name__)

HOST = "127.0.0.1"
PORT_BASE = 7410
MEASURED = (
    "rules", "bots", "matchmaking", "dispatcher", "worker-quick", "worker-deep", "gateway", "archivist",
)  # fmt: skip
"""The programs that have metrics, in the order of their ports."""
PAGE_PORT = 8080
STOP_SECONDS = 15.0
POLL_SECONDS = 0.02
TELL_SECONDS = 10.0
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
WELL_AFTER_SECONDS = 3.0
"""A program that ran this long starts again at once when it dies."""


class StartFailed(Exception):
    """A program did not get ready; the message says which, why, and what to do."""


class PortTaken(StartFailed):
    """Something else listens where a program should."""


@dataclasses.dataclass(frozen=True)
class Program:
    """One process of the platform."""

    name: str
    command: list[str]
    port: int | None = None
    """Where it answers; None: it answers nowhere."""
    answers: Callable[[Program, int], Awaitable[bool]] | None = None
    """Whether the process with this id is ready; left out: it answers the gRPC health protocol."""
    metrics_listen: str = ""
    """Where it answers those who run it; empty: nowhere."""


class Supervisor:
    """Keeps programs running, each a child of this process, until it is told to stop."""

    def __init__(self, data: Path, environment: dict[str, str], start_seconds: float) -> None:
        self._data = data
        inherited = {name: value for name, value in os.environ.items() if not _is_settings_file(name)}
        self._environment = {**inherited, **environment}
        self._start_seconds = start_seconds
        self._groups: list[list[str]] = []
        self._processes: dict[str, asyncio.subprocess.Process] = {}
        self._keepers: list[asyncio.Task[None]] = []
        self._unready: set[str] = set()
        self._stopping = False

    async def start(self, *programs: Program) -> None:
        """Start programs at the same time, wait until all answer, and keep them running from then on.

        Raises StartFailed.
        """
        self._groups.append([program.name for program in programs])
        telling = asyncio.create_task(self._tell_who_is_late())
        try:
            async with asyncio.TaskGroup() as group:
                for program in programs:
                    group.create_task(self._start(program))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        finally:
            telling.cancel()

    async def _tell_who_is_late(self) -> None:
        """On a slow machine, say what is waited for."""
        while True:
            await asyncio.sleep(TELL_SECONDS)
            click.echo(f"not ready yet: {', '.join(sorted(self._unready))}")

    async def _start(self, program: Program) -> None:
        if program.port is not None and not _is_free(program.port):
            raise PortTaken(f"cannot listen for {program.name} on port {program.port}: it is taken")
        self._unready.add(program.name)
        process = await self._launch(program)
        await self._until_ready(program, process)
        self._unready.remove(program.name)
        self._keepers.append(asyncio.create_task(self._keep(program, process)))

    async def stop(self) -> None:
        """Stop all programs: at the same time what was started so, and the last started first."""
        self._stopping = True
        for keeper in self._keepers:
            keeper.cancel()
        for names in reversed(self._groups):
            await asyncio.gather(*(self._end(name) for name in names if name in self._processes))
        (self._data / "processes.json").unlink(missing_ok=True)

    async def _end(self, name: str) -> None:
        began = time.monotonic()
        await _end(self._processes[name])
        log.info("program stopped", name=name, seconds=round(time.monotonic() - began, 2))

    async def _launch(self, program: Program) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            *program.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=sys.stderr,
            env={**self._environment, "BGB_METRICS_LISTEN": program.metrics_listen},
            preexec_fn=die_with_parent,
            start_new_session=True,
        )
        self._processes[program.name] = process
        self._write_pids()
        return process

    async def _launch_again(self, program: Program) -> asyncio.subprocess.Process:
        while True:
            try:
                return await self._launch(program)
            except OSError:
                log.exception("cannot start the program now", name=program.name)
                await asyncio.sleep(LONGEST_PAUSE_SECONDS)

    def _write_pids(self) -> None:
        pids = {name: process.pid for name, process in self._processes.items()}
        target = self._data / "processes.json"
        draft = target.with_suffix(".new")
        draft.write_text(json.dumps(pids, indent=1) + "\n")
        draft.replace(target)

    async def _until_ready(self, program: Program, process: asyncio.subprocess.Process) -> None:
        if program.port is None:
            return
        deadline = time.monotonic() + self._start_seconds
        while time.monotonic() < deadline:
            if process.returncode is not None:
                raise StartFailed(f"{program.name} ended at once with status {process.returncode}; above is why")
            if await (program.answers or _answers_grpc)(program, process.pid):
                return
            await asyncio.sleep(POLL_SECONDS)
        raise StartFailed(
            f"{program.name} runs, but did not answer on port {program.port} within {self._start_seconds:g} s; "
            "if this machine is slow or busy, give it longer with --start-seconds"
        )

    async def _keep(self, program: Program, process: asyncio.subprocess.Process) -> None:
        pause = FIRST_PAUSE_SECONDS
        while True:
            started = time.monotonic()
            status = await process.wait()
            if self._stopping:
                return
            if time.monotonic() - started > WELL_AFTER_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            log.warning("program died: starting it again", name=program.name, status=status, seconds=pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            process = await self._launch_again(program)


async def unless(stop: asyncio.Event, work: Coroutine[None, None, None]) -> bool:
    """Whether the work was done before it was time to stop; if not, it is given up at once."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
        return not stop.is_set()
    finally:
        for task in (working, stopping):
            task.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)


def _is_settings_file(variable: str) -> bool:
    """Whether a variable names a file with a setting: what was in it is handed to the programs as it was read."""
    return variable.startswith(ENVIRONMENT_PREFIX) and variable.endswith(FILE_SUFFIX)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _answers_redis(password: str) -> Callable[[Program, int], Awaitable[bool]]:
    async def answers(program: Program, pid: int) -> bool:
        assert program.port is not None
        return await asyncio.to_thread(answering_pid, program.port, password) == pid

    return answers


async def _answers_http(program: Program, _: int) -> bool:
    try:
        reader, writer = await asyncio.open_connection(HOST, program.port)
    except OSError:
        return False
    try:
        writer.write(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        return (await asyncio.wait_for(reader.readline(), 2)).startswith(b"HTTP/1.1 200")
    except (OSError, TimeoutError):
        return False
    finally:
        writer.close()


async def _answers_grpc(program: Program, _: int) -> bool:
    async with grpc.aio.insecure_channel(f"{HOST}:{program.port}") as channel:
        with contextlib.suppress(grpc.aio.AioRpcError):
            stub = health_pb2_grpc.HealthStub(channel)
            answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=1)
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
    return False


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ask a process to end, twice if need be, then end it."""
    for seconds in (STOP_SECONDS, STOP_SECONDS / 3):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), seconds)
    if process.returncode is None:
        process.kill()
        await process.wait()


@contextlib.contextmanager
def _locked(data: Path) -> Iterator[IO[str]]:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data / "lock").open("w")
    except OSError as error:
        raise click.ClickException(f"cannot write to {data}: {error.strerror}; choose a folder with --data") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise click.ClickException(
                f"another `bgb serve` is using {data}; stop that one, or choose another folder with --data"
            ) from None
        yield lock


def _keep_rulesets(data: Path) -> str:
    """Copy the rulesets of one's own, so that a program started again has the same, whatever became of the files.

    The copies stay, each under its hash: a table is played on with the ruleset it was opened with.
    """
    kept = []
    for game_id, ruleset in registry.CODECS.replaced.items():
        copy = data / "rulesets" / f"{game_id}-{ruleset.hash[:12]}.json"
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        copy.write_text(rulesets.page(game_id, rulesets.parts_of(ruleset)), encoding="utf-8")
        kept.append(str(copy))
    return os.pathsep.join(kept)


def _play_command(data: Path) -> str:
    """What to type in another terminal to play here."""
    program = os.path.relpath(sys.argv[0]) if os.sep in sys.argv[0] else "bgb"
    words = [program, "play agora --seats me,greedy,greedy,greedy"]
    if data != usual_folder().resolve():
        words.append(f"--data {shlex.quote(str(data))}")
    return " ".join(words)


@dataclasses.dataclass(frozen=True)
class Workers:
    """How many processes there are for bots."""

    quick: int
    """For those that answer at once: they wait for servers more than they think."""
    deep: int
    """For those that search: each takes a core for itself, and one is left to everybody else."""

    @classmethod
    def suited(cls, cores: int) -> Workers:
        """As many as suit a machine with so many cores."""
        return cls(quick=max(3, cores), deep=max(1, cores - 1))


def _metrics_addresses(first: str) -> dict[str, str]:
    """Where each program answers those who run it, `first` the first of them."""
    if not first:
        return {}
    host, _, port = first.rpartition(":")
    return {name: f"{host}:{int(port) + above}" for above, name in enumerate(MEASURED)}


async def _serve(data: Path, settings: Settings, workers: Workers, redis_port: int, stop: asyncio.Event) -> None:
    bgb = [sys.executable, "-m", "boardgamesbot"]
    worker = [*bgb, "worker"]
    redis_data = data / "redis"
    rules_port, bots_port, matchmaking_port, gateway_port = (
        int(listen.rpartition(":")[2])
        for listen in (
            settings.rules_listen, settings.bots_listen, settings.matchmaking_listen, settings.gateway_listen,
        )
    )  # fmt: skip
    supervisor = Supervisor(data, settings.to_environment(), settings.start_seconds)
    groups = (
        (
            Program(
                "redis", server_command(redis_data, redis_port), redis_port, _answers_redis(password_of(redis_data))
            ),
        ),
        (Program("rules", [*bgb, "rules"], rules_port),),
        (
            Program("bots", [*bgb, "bots"], bots_port),
            Program("matchmaking", [*bgb, "matchmaking"], matchmaking_port),
            Program("dispatcher", [*bgb, "dispatcher"]),
            *([Program("archivist", [*bgb, "archivist"])] if settings.archive else []),
            Program("worker-quick", [*worker, "--queues", "quick", "--worker-processes", str(workers.quick)]),
            Program("worker-deep", [*worker, "--queues", "deep", "--worker-processes", str(workers.deep)]),
            Program("gateway", [*bgb, "gateway"], gateway_port, _answers_http),
        ),
    )
    metrics = _metrics_addresses(settings.metrics_listen)
    try:
        for programs in groups:
            programs = tuple(dataclasses.replace(one, metrics_listen=metrics.get(one.name, "")) for one in programs)
            if not await unless(stop, supervisor.start(*programs)):
                return
        page = f"http://localhost:{gateway_port}"
        if Page(folder_of(settings)).is_built:
            click.echo(f"ready: {page} in a browser; the HTTP API there too, described at {page}/api")
        else:
            click.echo(f"ready: the HTTP API on {page}, described at {page}/api; the page is not built (`make web`)")
        click.echo(
            f"       gRPC: games and tables on {settings.rules_address}, bots on {settings.bots_address}, "
            f"matchmaking on {settings.matchmaking_address}"
        )
        started = [one.name for programs in groups for one in programs if one.name in metrics]
        if started:
            told = ", ".join(f"{name} on {metrics[name]}" for name in started)
            click.echo(f"       /metrics, /healthz and /readyz of {told}")
        click.echo(f"       data in {data}; stop with Ctrl-C")
        for game_id, ruleset in registry.CODECS.replaced.items():
            click.echo(f"       {game_id} with ruleset {ruleset.hash[:12]}, not the one shipped")
        click.echo(f"       play:  {_play_command(data)}")
        sys.stdout.flush()
        await stop.wait()
        click.echo("stopping …")
    finally:
        await supervisor.stop()


@click.command()
@click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), envvar="BGB_DATA", default=None,
    help="Where the games are kept.  [BGB_DATA; ~/.local/share/boardgamesbot]",
)  # fmt: skip
@click.option(
    "--port-base", type=click.IntRange(1025, 65000), default=PORT_BASE, show_default=True,
    help="Rules server here, bots server one above, matchmaking server two above, Redis one below.",
)  # fmt: skip
@click.option(
    "--port", type=click.IntRange(1, 65535), default=None,
    help="The page and the HTTP API.  [8080; with another --port-base: three above it]",
)  # fmt: skip
@click.option(
    "--quick-processes", type=click.IntRange(1), default=None,
    help="How many bots that answer at once do so at the same time.  [a core each, at least 3]",
)  # fmt: skip
@click.option(
    "--deep-processes", type=click.IntRange(1), default=None,
    help="How many bots that search do so at the same time.  [a core less than there are, at least 1]",
)  # fmt: skip
@options.setting("start_seconds", "How long to wait for a program to answer before giving up.")
@options.setting("page", "The folder with the built page.")
@options.setting("archive", "Where finished games are kept for good: a folder, or s3://BUCKET/PREFIX?endpoint=URL.")
@options.ruleset
@click.option("--log-level", default="warning", show_default=True, help="debug, info, warning or error.")
@options.log_format
@options.setting(
    "metrics_listen",
    f"Where the {MEASURED[0]} program answers /metrics, /healthz and /readyz; the others each a port further: "
    f"{', '.join(MEASURED[1:])}.",
)
@options.traces
def serve(
    data: Path | None,
    port_base: int,
    port: int | None,
    quick_processes: int | None,
    deep_processes: int | None,
    **given: Any,
) -> None:
    """Run the whole platform on this machine: Redis, rules, bots, matchmaking, dispatcher, workers, and the page.

    Everything listens on 127.0.0.1 only, in the clear. A program that dies is started again; games survive all of it.
    """
    data = (data or usual_folder()).resolve()
    rules, bots, matchmaking = (f"{HOST}:{port_base + above}" for above in range(3))
    if port is None:
        port = PAGE_PORT if port_base == PORT_BASE else port_base + 3
    given |= {
        "redis_url": f"redis://127.0.0.1:{port_base - 1}/0",
        "broker_url": "",
        "commit_replicas": 0,
        "rules_listen": rules,
        "rules_address": rules,
        "bots_listen": bots,
        "bots_address": bots,
        "matchmaking_listen": matchmaking,
        "matchmaking_address": matchmaking,
        "gateway_listen": f"{HOST}:{port}",
        "gateway_address": f"{HOST}:{port}",
        "dispatcher_name": "serve",
        **dict.fromkeys(("tls_cert", "tls_key", "tls_ca", "gateway_tls_cert", "gateway_tls_key"), ""),
        "tls_clients": "any",
    }
    settings = options.settings(**given)
    suited = Workers.suited(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    workers = Workers(quick_processes or suited.quick, deep_processes or suited.deep)
    logs.configure(settings, "serve")
    with _locked(data):
        redis_url = keep_redis_url(data / "redis", port_base - 1)
        settings = dataclasses.replace(settings, redis_url=redis_url, ruleset=_keep_rulesets(data))
        keep_servers(data, dataclasses.asdict(settings))
        try:
            run_until_signal(lambda stop: _serve(data, settings, workers, port_base - 1, stop))
        except ServerNotFound as error:
            raise click.ClickException(str(error)) from None
        except PortTaken as error:
            raise click.ClickException(f"{error}; choose other ports with --port-base and --port") from None
        except StartFailed as error:
            raise click.ClickException(f"{error}; Redis's log is {data / 'redis' / LOG_NAME}") from None
        finally:
            forget_servers(data)
    click.echo("stopped")

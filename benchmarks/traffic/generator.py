"""One generator process: told what rate to offer for how long, it says what it saw."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random
from types import TracebackType
from typing import Self

import grpc
import uvloop

from benchmarks.traffic.arrivals import poisson
from benchmarks.traffic.gateway import Gateway
from benchmarks.traffic.seekers import Seekers
from benchmarks.traffic.seen import Seen
from benchmarks.traffic.tables import Mix, Tables
from boardgamesbot.store.embedded import die_with_parent

READY_SECONDS = 120.0
REST_SECONDS = 20.0
"""How long is waited for what is under way when the time is over."""


@dataclass(frozen=True)
class Deployment:
    """Where the servers are; empty: not used."""

    rules: str
    bots: str = ""
    matchmaking: str = ""
    gateway: str = ""


@dataclass(frozen=True)
class Window:
    """What is offered for how long."""

    moves: float
    """Moves a second."""
    seekers: float
    """Groups a second that look for a match."""
    seconds: float


class GeneratorFailed(Exception):
    """A generator could not open its tables; the message says why."""


class Generators:
    """Several generator processes that share a load. The same seed gives the same arrivals."""

    def __init__(self, processes: int, deployment: Deployment, mix: Mix, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._ends: list[Connection] = []
        self._processes = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            tables = mix.tables // processes + (number < mix.tables % processes)
            share = Mix(mix.game_id, tables, mix.people, mix.bots, mix.watchers)
            arguments = (theirs, deployment, share, seed + number)
            self._processes.append(context.Process(target=_main, args=arguments, daemon=True))
            self._ends.append(ours)

    def __enter__(self) -> Self:
        for process in self._processes:
            process.start()
        self._answers(READY_SECONDS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for end in self._ends:
            end.close()
        for process in self._processes:
            process.join(REST_SECONDS)
            process.kill()

    def run(self, window: Window) -> Seen:
        """Offer it, and say what was seen."""
        number = len(self._ends)
        for end in self._ends:
            end.send(Window(window.moves / number, window.seekers / number, window.seconds))
        return Seen.together(self._answers(window.seconds + 2 * REST_SECONDS + READY_SECONDS))

    def _answers(self, seconds: float) -> list[Seen]:
        answers = []
        for end in self._ends:
            if not end.poll(seconds):
                raise GeneratorFailed(f"a generator said nothing for {seconds:g} s")
            answer = end.recv()
            if isinstance(answer, str):
                raise GeneratorFailed(answer)
            answers.append(answer)
        return answers


def _main(end: Connection, deployment: Deployment, mix: Mix, seed: int) -> None:
    die_with_parent()
    uvloop.run(_serve(end, deployment, mix, seed))


async def _serve(end: Connection, deployment: Deployment, mix: Mix, seed: int) -> None:
    rng = Random(seed)
    async with AsyncExitStack() as stack:
        rules = await stack.enter_async_context(_channel(deployment.rules))
        bots = await stack.enter_async_context(_channel(deployment.bots)) if deployment.bots else None
        gateway = Gateway(deployment.gateway) if deployment.gateway else None
        if gateway is not None:
            stack.callback(gateway.close)
        tables = Tables(rules, bots, mix, seed, gateway)
        seekers = None
        if deployment.matchmaking:
            matchmaking = await stack.enter_async_context(_channel(deployment.matchmaking))
            seekers = Seekers(rules, matchmaking, mix.game_id)
        try:
            await tables.open()
        except (grpc.aio.AioRpcError, TimeoutError) as error:
            end.send(f"tables could not be opened at {deployment.rules}: {error}")
            return
        end.send(tables.seen)
        while True:
            try:
                window: Window = await asyncio.to_thread(end.recv)
            except EOFError:
                await tables.close()
                return
            end.send(await _window(tables, seekers, window, rng))


async def _window(tables: Tables, seekers: Seekers | None, window: Window, rng: Random) -> Seen:
    tables.seen = seen = Seen()
    if seekers is not None:
        seekers.seen = seen
    cpu = time.process_time()
    arriving = [_arrive(tables.submit, window.moves, window.seconds, Random(rng.random()), seen, "move")]
    if seekers is not None:
        arriving.append(_arrive(seekers.seek, window.seekers, window.seconds, Random(rng.random()), seen, "matched"))
    await asyncio.gather(*arriving)
    seen.cpu_seconds = time.process_time() - cpu
    tables.seen = Seen()
    if seekers is not None:
        seekers.seen = Seen()
    return seen


async def _arrive(
    act: Callable[[float], Awaitable[None]], rate: float, seconds: float, rng: Random, seen: Seen, what: str
) -> None:
    """Begin `act` whenever it is due; what has not ended some time after the last is given up, and counted."""
    under_way: set[asyncio.Task[None]] = set()
    async for due in poisson(rate, seconds, rng):
        task = asyncio.create_task(_as_task(act, due))
        under_way.add(task)
        task.add_done_callback(under_way.discard)
    left: Sequence[asyncio.Task[None]] = list(under_way)
    if left:
        _, late = await asyncio.wait(left, timeout=REST_SECONDS)
        for task in late:
            task.cancel()
            seen.failed(what, f"still under way {REST_SECONDS:g} s after the end")


async def _as_task(act: Callable[[float], Awaitable[None]], due: float) -> None:
    await act(due)


@asynccontextmanager
async def _channel(address: str) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        await asyncio.wait_for(channel.channel_ready(), READY_SECONDS)
        yield channel

"""The load: clients that each wait for an answer before they send the next call."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.pool import Pool
from types import TracebackType
from typing import Self

import grpc
import uvloop

Call = tuple[str, bytes]
"""The `authorization` and the request, as they go over the wire."""

Lane = Sequence[Call]
"""What one client sends, in order."""

CALL_SECONDS = 15.0


@dataclass(frozen=True)
class Sample:
    """What the clients of one or several processes saw in one window."""

    rate: float
    """Answered calls a second."""
    latencies: list[float]
    """Of every call in seconds, sorted."""
    exhausted: bool
    """The window ended early: a lane had no call left."""
    cpu_seconds: float
    """Processor time of the clients."""


class Load:
    """`processes` client processes, kept from one window to the next. Every client has a connection of its own."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: Pool | None = None

    def __enter__(self) -> Self:
        self._pool = multiprocessing.get_context("spawn").Pool(self._processes)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._pool is not None
        self._pool.terminate()
        self._pool.join()

    def run(self, address: str, method: str, lanes: Sequence[Lane], seconds: float) -> Sample:
        """Send every lane's calls, all lanes at the same time, for `seconds`. Raises grpc.aio.AioRpcError."""
        assert self._pool is not None
        shares = [share for i in range(self._processes) if (share := lanes[i :: self._processes])]
        samples = self._pool.starmap(_window, [(address, method, share, seconds) for share in shares], chunksize=1)
        return Sample(
            rate=sum(sample.rate for sample in samples),
            latencies=sorted(latency for sample in samples for latency in sample.latencies),
            exhausted=any(sample.exhausted for sample in samples),
            cpu_seconds=sum(sample.cpu_seconds for sample in samples),
        )


def _window(address: str, method: str, lanes: Sequence[Lane], seconds: float) -> Sample:
    return uvloop.run(_drive(address, method, lanes, seconds))


async def _drive(address: str, method: str, lanes: Sequence[Lane], seconds: float) -> Sample:
    channels = [
        grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(len(lanes))
    ]
    try:
        await asyncio.wait_for(asyncio.gather(*(channel.channel_ready() for channel in channels)), CALL_SECONDS)
        latencies: list[float] = []
        exhausted = False
        cpu = time.process_time()
        begin = time.perf_counter()
        end = begin + seconds

        async def play(channel: grpc.aio.Channel, lane: Lane) -> None:
            nonlocal end, exhausted
            send: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
            for authorization, request in lane:
                sent = time.perf_counter()
                if sent >= end:
                    return
                await send(request, metadata=(("authorization", authorization),), timeout=CALL_SECONDS)
                latencies.append(time.perf_counter() - sent)
            exhausted = True
            end = min(end, time.perf_counter())

        await asyncio.gather(*(play(channel, lane) for channel, lane in zip(channels, lanes, strict=True)))
        elapsed = time.perf_counter() - begin
        return Sample(len(latencies) / elapsed, latencies, exhausted, time.process_time() - cpu)
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))

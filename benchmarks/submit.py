"""Moves a second through SubmitMove, beside the floor: gRPC and Redis with nothing in between."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

import grpc
import uvloop

from benchmarks import floor, machine, report, steps
from benchmarks.floor import Sizes
from benchmarks.load import Lane, Load, Sample
from benchmarks.prepared import METHOD, Preparer
from benchmarks.processes import server
from benchmarks.timing import percentile
from boardgamesbot.rules.live import LiveTable
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import HOST, EmbeddedServer, free_port
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1.tables_pb2 import SubmitMoveResponse

TABLES = (1, 50, 200)
SPARE = 1.3
"""So many times the calls that the floor managed are made ready: the rules server isn't that much quicker."""

WARM_SECONDS = 1.0

_REST_OF_ENTRY = 29
"""The bytes of an entry beside event and move: the commit's id and its time."""


@dataclass
class Side:
    """One of the two servers, and what was seen of it at one number of tables."""

    name: str
    address: str
    method: str
    pids: tuple[int, int]
    """The server's process and Redis's."""
    rates: list[float] = field(default_factory=list)
    p50: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    cpu: list[tuple[float, float, float]] = field(default_factory=list)
    """Processor time of server, Redis and clients for one call, in µs."""

    def measure(self, load: Load, lanes: Sequence[Lane], seconds: float) -> Sample:
        """Put load on it for `seconds`, and note what was seen."""
        before = [machine.cpu_seconds(pid) for pid in self.pids]
        sample = load.run(self.address, self.method, lanes, seconds)
        spent = [machine.cpu_seconds(pid) - cpu for pid, cpu in zip(self.pids, before, strict=True)]
        calls = len(sample.latencies)
        self.rates.append(sample.rate)
        self.p50.append(percentile(sample.latencies, 50) * 1000)
        self.p99.append(percentile(sample.latencies, 99) * 1000)
        self.cpu.append((spent[0] / calls * 1e6, spent[1] / calls * 1e6, sample.cpu_seconds / calls * 1e6))
        print(
            f"submit: {len(lanes)} tables, {self.name}: {sample.rate:,.0f}/s, p50 {self.p50[-1]:.2f} ms, "
            f"p99 {self.p99[-1]:.2f} ms{', lanes used up early' if sample.exhausted else ''}",
            file=sys.stderr,
        )
        return sample

    def forget(self) -> None:
        """Begin anew with another number of tables."""
        for seen in (self.rates, self.p50, self.p99, self.cpu):
            seen.clear()


def run(seconds: float, rounds: int, clients: int, tables: Sequence[int] = TABLES) -> str:
    """Measure, and report in Markdown."""
    with (
        tempfile.TemporaryDirectory(prefix="bgb-bench-") as folder,
        EmbeddedServer(Path(folder) / "redis", appendfsync="always") as redis,
        Load(clients) as load,
    ):
        fsync = machine.fsync_ms(Path(folder))
        rules_address, floor_address = f"{HOST}:{free_port()}", f"{HOST}:{free_port()}"
        settings = Settings(redis_url=redis.url, rules_listen=rules_address, log_level="warning")
        redis_pid = redis.pid
        assert redis_pid is not None, "Redis has just answered"
        with server("boardgamesbot", ["rules"], settings.to_environment(), rules_address) as rules_pid:
            sample_table, sizes = uvloop.run(_sizes(rules_address, settings, max(tables)))
            print(f"submit: one move writes and answers {sizes}", file=sys.stderr)
            arguments = [floor_address, redis.url, sizes.to_json()]
            with server("benchmarks.floor", arguments, {}, floor_address) as floor_pid:
                sides = (
                    Side("floor", floor_address, floor.METHOD, (floor_pid, redis_pid)),
                    Side("SubmitMove", rules_address, METHOD, (rules_pid, redis_pid)),
                )
                rows, costs = [], []
                for number in tables:
                    _interleave(sides, load, settings, number, seconds, rounds)
                    rows += _rows(sides, number)
                    costs += _costs(sides, number)
                    for side in sides:
                        side.forget()
    return "\n\n".join(
        [
            "## SubmitMove against its floor",
            report.table(
                ["tables", "server", "moves/s", "p50 ms", "p99 ms", "of the floor's moves/s", "times its p99"], rows
            ),
            f"Medians of {rounds} interleaved rounds of {seconds:g} s; ratios are medians of the rounds' ratios. One "
            "client a table, which holds the tokens of all 3 seats and sends the next move when the last is answered, "
            f"over a connection of its own; {clients} client process{'es' if clients > 1 else ''}. Timed is the call "
            "as the client sees it: tables are set up, moves chosen and requests encoded before the clock starts. "
            "One rules server process, one Redis with `appendfsync always` (an append of 4 KiB and its fdatasync "
            f"take {fsync:.2f} ms here), all on one machine, nproc {len(os.sched_getaffinity(0))}. The floor is a "
            "bare `grpc.aio` method on uvloop that gets the same requests and makes one Lua call, an XADD and an HSET "
            f"of the same sizes: {sizes.event} B of event and move, {sizes.table} B of table, {sizes.snapshot} B of "
            f"position, {sizes.answer} B of answer.",
            "### Processor time of one call",
            report.table(["tables", "server", "server µs", "Redis µs", "client µs", "sum µs"], costs),
            steps.run(sample_table),
        ]
    )


def _interleave(
    sides: Sequence[Side], load: Load, settings: Settings, tables: int, seconds: float, rounds: int
) -> None:
    """Measure the floor, then SubmitMove, `rounds` times."""
    bare, real = sides
    lanes = prepare(settings, tables, 1)
    endless = [[call for _ in range(_enough(20_000, tables) // len(lane) + 1) for call in lane] for lane in lanes]
    warm = load.run(bare.address, bare.method, endless, WARM_SECONDS)
    load.run(real.address, real.method, lanes, WARM_SECONDS)
    for _ in range(rounds):
        lanes = prepare(settings, tables, _enough(warm.rate * SPARE * seconds, tables))
        bare.measure(load, lanes, seconds)
        real.measure(load, lanes, seconds)


def _enough(calls: float, lanes: int) -> int:
    return int(calls / lanes) + 1


def prepare(settings: Settings, lanes: int, calls: int) -> list[Lane]:
    """Tables with the calls that are to be made at each, nothing of it timed."""

    async def prepare() -> list[Lane]:
        redis = connect(settings.redis_url)
        async with grpc.aio.insecure_channel(settings.rules_listen) as channel:
            made = await Preparer(channel, TableStore(redis, settings.slots)).lanes(lanes, calls)
        await redis.aclose()
        return list(made)

    return uvloop.run(prepare())


async def _sizes(address: str, settings: Settings, tables: int) -> tuple[LiveTable, Sizes]:
    """What one move writes, on average over a game that is played through, and the table it began at."""
    redis = connect(settings.redis_url)
    store = TableStore(redis, settings.slots)
    async with grpc.aio.insecure_channel(address) as channel:
        preparer = Preparer(channel, store)
        tokens = await preparer.sign_in()
        live = await preparer.table(tokens)
        submit: grpc.aio.UnaryUnaryMultiCallable[bytes, SubmitMoveResponse] = channel.unary_unary(
            METHOD, response_deserializer=SubmitMoveResponse.FromString
        )
        kept, answers = [], []
        for authorization, request in preparer.calls(live, tokens):
            answer = await submit(request, metadata=(("authorization", authorization),))
            answers.append(answer.ByteSize())
            stored = await store.load(live.id)
            assert stored is not None, "the table was just played at"
            kept.append(stored)
        events = await store.events(live.id, live.version)
    await redis.aclose()
    return live, Sizes(
        event=round(fmean(len(entry.event) + len(entry.move) for entry in events)) + _REST_OF_ENTRY,
        table=round(fmean(len(stored.table) for stored in kept)),
        snapshot=round(fmean(len(stored.snapshot) for stored in kept)),
        answer=round(fmean(answers)),
        tables=tables,
    )


def _rows(sides: Sequence[Side], tables: int) -> list[list[str]]:
    bare, real = sides
    rate = median(a / b for a, b in zip(real.rates, bare.rates, strict=True))
    p99 = median(a / b for a, b in zip(real.p99, bare.p99, strict=True))
    return [
        [
            str(tables),
            side.name,
            report.count(median(side.rates)),
            f"{median(side.p50):.2f}",
            f"{median(side.p99):.2f}",
            *ratios,
        ]
        for side, ratios in ((bare, ("", "")), (real, (f"**{rate:.2f}**", f"**{p99:.2f}**")))
    ]


def _costs(sides: Sequence[Side], tables: int) -> list[list[str]]:
    rows = []
    for side in sides:
        means = [median(column) for column in zip(*side.cpu, strict=True)]
        rows.append([str(tables), side.name, *(f"{mean:.0f}" for mean in means), f"{sum(means):.0f}"])
    return rows

"""Many tables of bots at once on `bgb serve`: `python -m benchmarks.turns --tables 200`.

Every table plays a whole game. Looked at are the times between its commits, by the store's clock: none may be longer
than a turn's deadline; and its record, which must replay: no turn is lost, none is played twice.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
import grpc
from redis.asyncio import Redis

from benchmarks import machine, report
from benchmarks.timing import percentile
from boardgamesbot.client import Client
from boardgamesbot.games import registry
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import keys
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import HOST, die_with_parent, server_url
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_FINISHED, Table

AT_ONCE = 16
READY_SECONDS = 60.0
POLL_SECONDS = 1.0
_TOLD = 40
"""So many lines of the platform's log are shown where something went wrong, the last ones."""


@dataclass(frozen=True)
class Played:
    """What became of one table."""

    rests: list[float]
    """How long each decision took, in seconds."""
    fault: str
    """What is wrong with it; empty if nothing."""
    finished: bool = True


@click.command()
@click.option("--tables", type=click.IntRange(1), default=200, show_default=True)
@click.option("--game", "game_id", type=click.Choice(list(registry.KINDS)), default="agora", show_default=True)
@click.option("--bots", default="greedy,greedy,greedy,greedy", show_default=True, help="Who sits at each table.")
@click.option("--port-base", type=click.IntRange(1025, 65000), default=17410, show_default=True)
@click.option(
    "--minutes", type=click.FloatRange(min=0.1), default=15.0, show_default=True, help="Stop then, ended or not."
)
@click.option("--set", "given", multiple=True, metavar="BGB_NAME=VALUE", help="A setting; may be repeated.")
def main(tables: int, game_id: str, bots: str, port_base: int, minutes: float, given: Sequence[str]) -> None:
    """Let many tables of bots play at once; exit status 1 if a turn was late, lost or double."""
    seats = bots.split(",")
    environment = dict(pair.split("=", 1) for pair in given)
    settings = Settings.from_environment({**os.environ, **environment})
    with tempfile.TemporaryDirectory(prefix="bgb-bench-") as folder, ExitStack() as stack:
        log, redis_data = Path(folder) / "log", Path(folder) / "data" / "redis"
        redis_data.mkdir(parents=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "boardgamesbot", "serve", "--data", f"{folder}/data", "--port-base", str(port_base)],
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=stack.enter_context(log.open("wb")),
            preexec_fn=die_with_parent,
        )
        try:
            begun = time.monotonic()
            redis_url = server_url(redis_data, port_base - 1)
            deadline = settings.bot_turn_seconds
            played = asyncio.run(_play(port_base, redis_url, game_id, seats, tables, minutes * 60, deadline))
            spent = time.monotonic() - begun
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()
        told = log.read_text().splitlines()
    rests = sorted(rest for one in played for rest in one.rests)
    faults = [one.fault for one in played if one.fault]
    late = sum(rest > settings.bot_turn_seconds for rest in rests)
    print(f"## {tables} tables of bots at once\n\n{machine.describe()}; load {os.getloadavg()[0]:.1f} at the end.\n")
    rows = [
        ["games played to their end", str(sum(one.finished for one in played))],
        ["turns", str(len(rests))],
        ["turns a second", f"{len(rests) / spent:.0f}"],
        *([f"a turn, p{percent}", f"{percentile(rests, percent):.3f} s"] for percent in (50, 99)),
        ["the longest turn", f"{rests[-1]:.3f} s"],
        [f"later than the deadline, {settings.bot_turn_seconds:g} s", str(late)],
        ["woken again", str(sum("woken again" in line for line in told))],
        ["tables with a turn lost or double", str(len(faults))],
    ]
    print(report.table([f"{game_id}: {bots}", ""], rows))
    for fault in faults[:10]:
        print(f"fault: {fault}", file=sys.stderr)
    if late or faults:
        notable = [line for line in told if any(f"[{level}" in line for level in ("warning", "error", "critical"))]
        print("What the platform had to say:", *notable[-_TOLD:], sep="\n", file=sys.stderr)
    sys.exit(1 if late or faults else 0)


async def _play(
    port_base: int, redis_url: str, game_id: str, seats: Sequence[str], tables: int, seconds: float, deadline: float
) -> list[Played]:
    addresses = [f"{HOST}:{port_base + above}" for above in range(2)]
    for address in addresses:
        async with grpc.aio.insecure_channel(address) as channel:
            await asyncio.wait_for(channel.channel_ready(), READY_SECONDS)
    redis = connect(redis_url)
    room = asyncio.Semaphore(AT_ONCE)
    async with Client(addresses[0], bots=addresses[1]) as client:
        await client.sign_in("Benchmark")

        async def seated() -> Table:
            async with room:
                table = await client.create_table(game_id, len(seats), unrated=True)
                for bot in seats:
                    await client.seat_bot(table.id, bot)
                return table

        async def judged(table: Table) -> Played:
            async with room:
                return await _judged(client, TableStore(redis), table.id, begins=len(seats) + 2, deadline=deadline)

        opened = await asyncio.gather(*(seated() for _ in range(tables)))
        await asyncio.gather(*(client.start(table.id) for table in opened))
        await _until_finished(redis, tables, seconds)
        found = list(await asyncio.gather(*(judged(table) for table in opened)))
    await redis.aclose()
    return found


async def _until_finished(redis: Redis, tables: int, seconds: float) -> None:
    """Come back when all tables have ended, or time is up."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        slots = range(keys.DEFAULT_SLOTS)
        finished = sum([int(await redis.zcard(keys.listed(slot, "finished"))) for slot in slots])
        print(f"turns: {finished} of {tables} tables have ended", file=sys.stderr)
        if finished >= tables:
            return
        await asyncio.sleep(POLL_SECONDS)


async def _judged(client: Client, store: TableStore, table_id: str, begins: int, deadline: float) -> Played:
    """What became of a table whose game began with version `begins`."""
    events = await store.events(table_id, begins - 1)
    rests = [(after.time_ms - before.time_ms) / 1000 for before, after in pairwise(events)]
    table = await client.table(table_id)
    if table.status != TABLE_STATUS_FINISHED:
        stands = (await store.now_ms() - events[-1].time_ms) / 1000
        fault = f"{table_id} has stood at version {table.version} for {stands:.1f} s: a turn is lost"
        return Played(rests, fault if stands > deadline else "", finished=False)
    versions = [event.version for event in events]
    record = await client.record(table_id)
    verdict = await client.verify(record)
    if verdict.HasField("fault"):
        return Played(rests, f"{table_id}: {verdict.fault.field}: {verdict.fault.reason}")
    if versions != list(range(begins, table.version + 1)) or len(record.moves) != len(rests):
        return Played(rests, f"{table_id} has {len(record.moves)} moves in versions {versions[0]} to {table.version}")
    return Played(rests, "")


if __name__ == "__main__":
    main()

"""What a bot's turn costs beside the thinking, on an idle machine: `python -m benchmarks.handoff`.

One table at a time, so that nothing waits for anything else: from the commit that makes it a bot's turn to the start of
its task and to its first thought, and from its answer to the commit of its move.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import click

from benchmarks import machine, report
from benchmarks.processes import program, server
from benchmarks.timed_bots import TIMED
from benchmarks.timing import percentile
from boardgamesbot.client import Client
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import HOST, EmbeddedServer, free_port
from boardgamesbot.store.tables import TableStore

SEATS = 3
WARM_TURNS = 20
"""The first turns are not counted: processes begin, connections are made."""
GAME_SECONDS = 120.0

STEPS = ("commit → task starts", "commit → bot thinks", "answer → commit", "commit → commit")


@click.command()
@click.option("--games", type=click.IntRange(1), default=8, show_default=True, help="Games, some 130 turns each.")
@click.option("--fsync", type=click.Choice(["always", "everysec"]), default="always", show_default=True)
def main(games: int, fsync: str) -> None:
    """Measure the hand-off of turns and report in Markdown."""
    with tempfile.TemporaryDirectory(prefix="bgb-bench-") as folder, ExitStack() as stack:
        redis = stack.enter_context(EmbeddedServer(Path(folder) / "redis", appendfsync=fsync))  # type: ignore[arg-type]
        rules, bots = (f"{HOST}:{free_port()}" for _ in range(2))
        settings = Settings(
            redis_url=redis.url,
            rules_listen=rules,
            rules_address=rules,
            bots_listen=bots,
            bots_address=bots,
            worker_queues="quick",
            log_level="warning",
        )
        timed = Path(folder) / "timed"
        environment = settings.to_environment() | {"TIMED_FILE": str(timed)}
        stack.enter_context(server("boardgamesbot", ["rules"], environment, rules))
        stack.enter_context(server("benchmarks.timed_bots", ["bots"], environment, bots))
        stack.enter_context(program("boardgamesbot", ["dispatcher"], environment))
        stack.enter_context(program("benchmarks.timed_bots", ["worker"], environment))
        found = asyncio.run(_play(settings, timed, games))
    rows = [
        [step, *(f"{percentile(sorted(times), percent):.2f}" for percent in (50, 90, 99, 100))]
        for step, times in zip(STEPS, found, strict=True)
    ]
    print(f"## Hand-off of bots' turns\n\n{machine.describe()}; load {os.getloadavg()[0]:.1f} at the end.\n")
    print(report.table(["step", "p50 ms", "p90 ms", "p99 ms", "most ms"], rows))
    print(
        f"\n{len(found[0])} turns of {games} games of Agora, one table at a time, Redis with `appendfsync {fsync}`, "
        "all programs on this machine. Commits are known to the millisecond by the store's clock; both ways the whole "
        "millisecond counts against us. `commit → bot thinks` has the start of the task, the look at the table, and "
        "the way to the process that thinks."
    )


async def _play(settings: Settings, timed: Path, games: int) -> list[list[float]]:
    """The times of every step, in ms."""
    steps: list[list[float]] = [[] for _ in STEPS]
    redis = connect(settings.redis_url)
    store = TableStore(redis)
    async with Client(settings.rules_address, bots=settings.bots_address) as client:
        await client.sign_in("Benchmark")
        for game in range(games):
            await asyncio.to_thread(timed.unlink, missing_ok=True)
            table = await client.create_table("agora", SEATS)
            for _ in range(SEATS):
                await client.seat_bot(table.id, TIMED)
            started = (await client.start(table.id)).version
            async with asyncio.timeout(GAME_SECONDS):
                async for _ in client.watch(table.id, started):
                    pass
            commits = [event.time_ms for event in await store.events(table.id, started - 1)]
            notes = [line.split() for line in (await asyncio.to_thread(timed.read_text)).splitlines()]
            for step, times in zip(steps, _steps(commits, notes), strict=True):
                step.extend(times[0 if game else WARM_TURNS :])
            print(f"handoff: game {game + 1} of {games}, {len(commits) - 1} turns", file=sys.stderr)
    await redis.aclose()
    return steps


def _steps(commits: Sequence[int], notes: Sequence[Sequence[str]]) -> list[list[float]]:
    """The steps of a game's turns. Raises ValueError where a turn came twice or late: then it is no idle machine."""
    if "".join(what for what, _ in notes) != "sta" * (len(commits) - 1):
        raise ValueError("turns came twice: the machine was too busy to measure")
    times = [int(ns) / 1e6 for _, ns in notes]
    turns = list(pairwise(commits))
    starts, thinks, answers = times[0::3], times[1::3], times[2::3]
    return [
        [start - before for start, (before, _) in zip(starts, turns, strict=True)],
        [think - before for think, (before, _) in zip(thinks, turns, strict=True)],
        [after + 1 - answer for answer, (_, after) in zip(answers, turns, strict=True)],
        [float(after - before) for before, after in turns],
    ]


if __name__ == "__main__":
    main()

"""What it costs that an accepted move survives, and what is lost otherwise: `python -m benchmarks.durability`.

Real servers on loopback: a master with two replicas behind three Sentinels, and a Cluster of three masters with a
replica each. The prices come from one run in which the settings take turns, so that whatever else the machine does hits
all of them. A master is killed in two ways: while its replicas follow it closely, and while they have fallen behind.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from statistics import median
from time import monotonic

import click

from benchmarks import machine, report
from benchmarks.timing import percentile
from boardgamesbot.store import keys
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import free_port
from boardgamesbot.store.scripts import Replicas
from boardgamesbot.store.tables import TableStore
from tests.support.committing import Committer, Outcome, committers, plain_commit, run
from tests.support.redis_groups import ClusterGroup, Node, Sentinels, until

FSYNC = ("everysec", "always")
WAITS = (0, 1, 2)
AT_ONCE = (1, 32)
"""How many commit at the same time."""
SIZE = 1_500
"""Bytes of each of the parts of a commit: about those of a move of Agora Barcelona."""
BULKY = 12_000
"""The same where replicas are to fall behind: what they have not read yet must not fit into the system's buffers."""

SLOTS = 16
WORKERS = 16
WARM_SECONDS = 1.0
BEHIND_SECONDS = 0.7
AFTER_SECONDS = 1.0
GONE_SECONDS = 15.0

Group = Sentinels | ClusterGroup


@dataclass
class Price:
    """What was measured of one setting, a figure a round."""

    rates: list[float] = field(default_factory=list)
    medians: list[float] = field(default_factory=list)
    tails: list[float] = field(default_factory=list)


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Of the prices; medians count.")
@click.option("--seconds", type=click.FloatRange(0.1), default=1.0, show_default=True, help="Of each measurement.")
@click.option("--failovers", type=click.IntRange(0), default=3, show_default=True, help="Of each kind.")
def main(rounds: int, seconds: float, failovers: int) -> None:
    """Measure prices and losses and report in Markdown."""
    print(f"{machine.describe()}\n")
    prices = asyncio.run(_prices(rounds, seconds))
    header = ["appendfsync, replicas waited for, at once", "commits/s", "p50 ms", "p99 ms", "of the fastest"]
    print(report.table(header, list(_price_rows(prices))), end="\n\n")
    rows = []
    kinds: dict[str, Callable[[Path], Group]] = {"Sentinel": Sentinels, "Cluster": ClusterGroup}
    for (name, kind), behind in product(kinds.items(), (False, True)):
        for wanted in (0, 1):
            outcomes = []
            for number in range(failovers):
                _tell(f"{name}, {'behind' if behind else 'close'}, {wanted} waited for: {number + 1}")
                outcomes.append(_failover(kind, Replicas(wanted, 500), behind=behind))
            if outcomes:
                rows.append(_failover_row(name, wanted, outcomes, behind=behind))
    header = [
        "group, replicas, waited for",
        "failovers",
        "accepted",
        "lost",
        "doubled",
        "no writes for s (median, worst)",
    ]
    print(report.table(header, rows))


async def _prices(rounds: int, seconds: float) -> dict[tuple[str, int, int], Price]:
    prices = {setting: Price() for setting in product(FSYNC, WAITS, AT_ONCE)}
    with _group(Sentinels) as group:
        redis = connect(group.url)
        for number in range(rounds):
            _tell(f"prices: round {number + 1} of {rounds}")
            for (fsync, wanted, at_once), price in prices.items():
                for node in group.nodes:
                    await asyncio.to_thread(node.ask, "CONFIG SET", "appendfsync", fsync)
                store = TableStore(redis, replicas=Replicas(wanted, 2_000))
                times = sorted(await _commits(store, at_once, seconds))
                price.rates.append(len(times) / seconds)
                price.medians.append(percentile(times, 50) * 1000)
                price.tails.append(percentile(times, 99) * 1000)
        await redis.aclose()
    return prices


async def _commits(store: TableStore, at_once: int, seconds: float) -> list[float]:
    """How long each commit took, in seconds."""
    times: list[float] = []
    end = monotonic() + seconds

    async def go(committer: Committer) -> None:
        version = 0
        while (began := monotonic()) < end:
            made = await store.commit(plain_commit(committer.table_id, version, f"r{version}", SIZE))
            version = made.version
            times.append(monotonic() - began)

    await asyncio.gather(*map(go, committers(at_once, SLOTS)))
    return times


def _price_rows(prices: dict[tuple[str, int, int], Price]) -> Iterator[list[str]]:
    for at_once in AT_ONCE:
        most = max(median(price.rates) for (_, _, count), price in prices.items() if count == at_once)
        for (fsync, wanted, count), price in prices.items():
            if count == at_once:
                rate = median(price.rates)
                yield [
                    f"{fsync}, {wanted}, {count}",
                    report.count(rate),
                    f"{median(price.medians):.2f}",
                    f"{median(price.tails):.2f}",
                    f"{rate / most:.0%}",
                ]


def _failover(kind: Callable[[Path], Group], replicas: Replicas, *, behind: bool) -> Outcome:
    with _group(kind) as group:
        return asyncio.run(_survive(group, replicas, behind=behind))


async def _survive(group: Group, replicas: Replicas, *, behind: bool) -> Outcome:
    redis = connect(group.url)
    at_work = committers(WORKERS, SLOTS)
    first = at_work[0].table_id
    master = await asyncio.to_thread(_master, group, first)
    concerned = {one.table_id for one in at_work if await asyncio.to_thread(_master, group, one.table_id) is master}

    async def kill() -> None:
        await asyncio.sleep(WARM_SECONDS)
        followers = [
            node for node in group.nodes if node is not master and node.info().get("master_port") == master.port
        ]
        if behind:
            for node in followers:
                _leave_behind(group, node)
            await asyncio.sleep(BEHIND_SECONDS)
        master.kill()
        if behind and isinstance(group, ClusterGroup):
            for node in followers:
                node.go_on()
        await asyncio.to_thread(until, lambda: _master(group, first) is not master, "another master", GONE_SECONDS)
        if isinstance(group, ClusterGroup):
            master.start()
        await asyncio.to_thread(group_writes, group, first)
        await asyncio.sleep(AFTER_SECONDS)

    size = BULKY if behind else SIZE
    outcome = await run(
        TableStore(redis, replicas=replicas), at_work, kill, lambda one: one.table_id in concerned, size
    )
    await redis.aclose()
    return outcome


def group_writes(group: Group, table_id: str) -> None:
    """Wait until the table's master takes writes and has a replica."""
    until(lambda: _master(group, table_id).info()["connected_slaves"] >= 1, "a replica", GONE_SECONDS)


def _leave_behind(group: Group, node: Node) -> None:
    """Have a replica hear nothing more of its master."""
    if isinstance(group, Sentinels):
        node.ask("REPLICAOF", "127.0.0.1", free_port())
    else:
        node.stop_for_now()


def _master(group: Group, table_id: str) -> Node:
    return group.master() if isinstance(group, Sentinels) else group.master_of(keys.table(table_id))


def _failover_row(name: str, wanted: int, outcomes: list[Outcome], *, behind: bool) -> list[str]:
    gaps = [outcome.gap for outcome in outcomes]
    return [
        f"{name}, {'fallen behind' if behind else 'close'}, {wanted}",
        str(len(outcomes)),
        report.count(sum(outcome.accepted for outcome in outcomes)),
        str(sum(outcome.lost for outcome in outcomes)),
        str(sum(outcome.doubled for outcome in outcomes)),
        f"{median(gaps):.1f}, {max(gaps):.1f}",
    ]


@contextmanager
def _group(kind: Callable[[Path], Group]) -> Iterator[Group]:
    with tempfile.TemporaryDirectory(prefix="bgb-bench-") as folder, kind(Path(folder) / "servers") as group:
        yield group


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

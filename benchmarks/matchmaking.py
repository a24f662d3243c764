"""Matchmaking: what a match costs while few or many wait, how many are made a second, what the windows are worth."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any

import uvloop
from redis.asyncio import Redis

from benchmarks import report
from benchmarks.processes import server
from benchmarks.timing import percentile
from boardgamesbot.games import registry
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import keys
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import HOST, EmbeddedServer, free_port
from boardgamesbot.store.tickets import NewTicket, Person, TicketStore, Window

GAME = "agora"
SIZE = 3
WAITING = (1_000, 50_000)
"""Numbers of tickets that wait."""
SAMPLES = 300
"""Matches, and tries without one, that are timed at each number."""
THROUGHPUT = 3_000
"""Tickets that are there when the matches a second are counted."""
TABLES = 1_500
"""The same, when each match is followed to its table."""
ROUNDS = 3
ARRIVALS = 400
"""People of the simulation."""
ARRIVALS_A_SECOND = 20.0
SPREAD = 200.0
"""The standard deviation of their ratings, around 1500."""
TTL_MS = 3_600_000
FAR_AHEAD_MS = 3_600_000
AT_ONCE = 50
SECONDS = 300.0
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Met:
    """What became of the people of a simulation."""

    differences: list[float]
    """Of every two at the same table."""
    waits: list[float]
    """Of everybody, in seconds."""
    left: int
    """Those who still wait when the last has come and the time is up."""


def run(waiting: Sequence[int] = WAITING) -> str:
    """Measure, and report in Markdown."""
    with (
        tempfile.TemporaryDirectory(prefix="bgb-bench-") as folder,
        EmbeddedServer(Path(folder) / "redis", appendfsync="everysec") as redis,
    ):
        costs = uvloop.run(_costs(redis.url, waiting))
        formed = median(uvloop.run(_formed_a_second(redis.url)) for _ in range(ROUNDS))
        opened = median(_opened_a_second(redis.url) for _ in range(ROUNDS))
        print(f"matchmaking: {formed:.0f} matches, {opened:.0f} tables a second", file=sys.stderr)
        quality = uvloop.run(_quality(redis.url))
    return "\n\n".join(
        [
            "## Matchmaking",
            report.table(["tickets waiting", "µs a match", "µs a try without one", "µs to make a ticket"], costs),
            f"Processor time in Redis, medians of {SAMPLES}, in one run on one Redis. Tables of {SIZE}; all wait "
            "in the same line, with ratings spread evenly, so that every look finds as many of the nearest as it takes "
            "into account, none of whom suits: those who wait want nobody but their equals.",
            report.table(
                ["", "a second"],
                [
                    ["matches made, one matcher, no tables", report.count(formed)],
                    ["matches made and their games begun, one matchmaking and one rules server", report.count(opened)],
                ],
            ),
            f"Medians of {ROUNDS}; {THROUGHPUT} and {TABLES} tickets that were there before the first match was made, "
            f"tables of {SIZE}, Redis with `appendfsync everysec`.",
            "### What the windows are worth",
            report.table(["", "mean difference in rating", "mean wait s", "p90 wait s", "left at the end"], quality),
            f"{ARRIVALS} people who come at random, {ARRIVALS_A_SECOND:.0f} a second on average, ratings normal around "
            f"1500 with a standard deviation of {SPREAD:.0f}, tables of {SIZE}. The same arrivals in every row, in "
            "real time on a real Redis, except for first come, first served, which is worked out from the arrivals.",
        ]
    )


@asynccontextmanager
async def _store(url: str) -> AsyncIterator[tuple[Redis, TicketStore]]:
    redis = connect(url)
    await redis.flushdb()
    try:
        yield redis, TicketStore(redis, ttl_ms=TTL_MS, accept_ms=TTL_MS)
    finally:
        await redis.aclose()


def _ticket(number: int, rating: float, window: Window) -> NewTicket:
    codec = registry.codec(GAME)
    return NewTicket(
        id=f"t{number}",
        owner=Person(f"guest-{number}", f"Guest {number}"),
        game=GAME,
        options=codec.options_to(codec.game.complete_options({})).SerializeToString(),
        fingerprint="usual",
        is_flexible=True,
        ratings={SIZE: rating},
        size=1,
        code="",
        window=window,
        bots_ms=None,
        bot="greedy",
        wants_acceptance=False,
        is_unrated=True,
        request=b"",
    )


async def _create(store: TicketStore, tickets: Iterator[NewTicket]) -> None:
    """Make tickets, many at a time."""

    async def some() -> None:
        for ticket in tickets:
            await store.create(ticket)

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))


async def _spent_us(redis: Redis, awaitable: Any) -> tuple[float, Any]:
    """The processor time that Redis spent on the one script that something calls, and what came of it."""
    await redis.config_resetstat()
    outcome = await awaitable
    stats: Any = await redis.info("commandstats")
    return float(stats["cmdstat_evalsha"]["usec"]), outcome


async def _costs(url: str, numbers: Sequence[int]) -> list[list[str]]:
    rows = []
    async with _store(url) as (redis, store):
        made, rng = 0, Random(1)
        for number in numbers:
            picky = (_ticket(i, 3000 * rng.random(), Window(0, 0, 0)) for i in range(made, number))
            await _create(store, picky)
            made = number
            await _rest(redis)
            matches: list[float] = []
            tries: list[float] = []
            creations: list[float] = []
            for sample in range(SAMPLES):
                base = 1_000_000 + number * 1000 + SIZE * sample
                rating = 500 + 2000 * rng.random()
                for i in range(SIZE):
                    ticket = _ticket(base + i, rating, Window(100, 0, 100))
                    spent, _ = await _spent_us(redis, store.create(ticket))
                    creations.append(spent)
                    spent, formed = await _spent_us(redis, store.form(1))
                    (matches if formed.made else tries).append(spent)
                assert formed.made == 1, "three that suit one another are matched"
            rows.append([f"{number:,}", *(f"{median(times):.0f}" for times in (matches, tries, creations))])
            print(f"matchmaking: {' | '.join(rows[-1])}", file=sys.stderr)
    return rows


async def _rest(redis: Redis) -> None:
    """Let the turn of all who wait come only after the measurement."""
    seconds, _ = await redis.time()
    waiting: Any = await redis.zrange(keys.DUE_TICKETS, 0, -1)
    for i in range(0, len(waiting), 1000):
        due = seconds * 1000 + FAR_AHEAD_MS
        await redis.zadd(keys.DUE_TICKETS, dict.fromkeys(waiting[i : i + 1000], due))


async def _formed_a_second(url: str) -> float:
    async with _store(url) as (_, store):
        rng = Random(2)
        await _create(store, (_ticket(i, rng.gauss(1500, SPREAD), Window(1000, 0, 1000)) for i in range(THROUGHPUT)))
        begin, made = time.perf_counter(), 0
        while made < THROUGHPUT // SIZE:
            made += (await store.form(20)).made
        return made / (time.perf_counter() - begin)


def _opened_a_second(url: str) -> float:
    rules, matchmaking = (f"{HOST}:{free_port()}" for _ in range(2))
    settings = Settings(
        redis_url=url, rules_listen=rules, rules_address=rules, matchmaking_listen=matchmaking, log_level="warning"
    )
    environment = settings.to_environment()

    async def prepare() -> None:
        async with _store(url) as (_, store):
            rng = Random(3)
            await _create(store, (_ticket(i, rng.gauss(1500, SPREAD), Window(1000, 0, 1000)) for i in range(TABLES)))

    async def count() -> float:
        """From the moment the first match was made, by Redis's clock, until everybody's game is on."""
        redis = connect(url)
        store = TicketStore(redis, ttl_ms=TTL_MS, accept_ms=TTL_MS)
        async with asyncio.timeout(SECONDS):
            while True:
                statuses = redis.pipeline(transaction=False)
                for i in range(TABLES):
                    statuses.hget(keys.ticket(f"t{i}"), "status")
                if set(await statuses.execute()) == {b"matched"}:
                    break
                await asyncio.sleep(POLL_SECONDS)
            end = await store.now_ms()
        tickets = [await store.load(f"t{i}") for i in range(TABLES)]
        begin = min(ticket.match.formed_ms for ticket in tickets if ticket and ticket.match)
        await redis.aclose()
        return TABLES / SIZE / ((end - begin) / 1000)

    uvloop.run(prepare())
    with (
        server("boardgamesbot", ["rules"], environment, rules),
        server("boardgamesbot", ["matchmaking"], environment, matchmaking),
    ):
        return uvloop.run(count())


async def _quality(url: str) -> list[list[str]]:
    rng = Random(4)
    arrivals, at = [], 0.0
    for _ in range(ARRIVALS):
        at += rng.expovariate(ARRIVALS_A_SECOND)
        arrivals.append((at, rng.gauss(1500, SPREAD)))
    defaults = Settings()
    windows = {
        "the windows of the settings": Window(
            defaults.rating_window, defaults.rating_window_growth, defaults.rating_window_max
        ),
        "half as wide at first": Window(defaults.rating_window / 2, defaults.rating_window_growth, 1000),
        "a quarter, growing twice as fast": Window(defaults.rating_window / 4, 2 * defaults.rating_window_growth, 1000),
    }
    rows = [_row("first come, first served", _first_come(arrivals))]
    for name, window in windows.items():
        rows.append(_row(name, await _simulated(url, arrivals, window)))
    return rows


def _row(name: str, met: Met) -> list[str]:
    row = [
        name,
        f"{fmean(met.differences):.0f}",
        f"{fmean(met.waits):.2f}",
        f"{percentile(sorted(met.waits), 90):.2f}",
        str(met.left),
    ]
    print(f"matchmaking: {' | '.join(row)}", file=sys.stderr)
    return row


def _first_come(arrivals: Sequence[tuple[float, float]]) -> Met:
    """Whoever comes sits down at the table that is being filled."""
    differences, waits = [], []
    tables = [arrivals[i : i + SIZE] for i in range(0, len(arrivals) - SIZE + 1, SIZE)]
    for table in tables:
        differences += [abs(a[1] - b[1]) for a, b in combinations(table, 2)]
        waits += [table[-1][0] - at for at, _ in table]
    return Met(differences, waits, len(arrivals) - SIZE * len(tables))


async def _simulated(url: str, arrivals: Sequence[tuple[float, float]], window: Window) -> Met:
    """Have people come in real time, with one matcher; when the last has come, a while is waited for the rest."""
    async with _store(url) as (_, store):
        begin = time.perf_counter()
        stop = asyncio.Event()

        async def match() -> None:
            while not stop.is_set():
                if not (await store.form(20)).made:
                    await asyncio.sleep(0.02)

        matching = asyncio.create_task(match())
        for number, (at, rating) in enumerate(arrivals):
            await asyncio.sleep(max(0.0, begin + at - time.perf_counter()))
            await store.create(_ticket(number, rating, window))
        await asyncio.sleep(arrivals[-1][0] / 4)
        stop.set()
        await matching
        differences, waits, left, seen = [], [], 0, set()
        for number in range(len(arrivals)):
            ticket = await store.load(f"t{number}")
            assert ticket is not None, "no ticket expires within the simulation"
            if ticket.match is None:
                left += 1
                continue
            waits.append((ticket.match.formed_ms - ticket.queued_ms) / 1000)
            if ticket.match.id not in seen:
                seen.add(ticket.match.id)
                numbers = [int(seat.person.id.removeprefix("guest-")) for seat in ticket.match.seats if seat.person]
                differences += [abs(arrivals[a][1] - arrivals[b][1]) for a, b in combinations(numbers, 2)]
        return Met(differences, waits, left)

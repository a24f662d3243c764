"""SubmitMove beside boardgame.io: the same machine, the same minutes, the same kind of client.

`python -m benchmarks.beside` prints a report in Markdown. One driver, in Node, plays at both servers: one client a
table, which sends the next move when the last is answered, over a connection of its own. boardgame.io keeps its games
in memory, as it comes; ours are in Redis, on disk before a move is answered.
"""

from __future__ import annotations

import base64
import json
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click

from benchmarks import machine, report
from benchmarks.load import Lane
from benchmarks.prepared import METHOD
from benchmarks.processes import server
from benchmarks.submit import prepare
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.embedded import HOST, EmbeddedServer, die_with_parent, free_port

FOLDER = Path(__file__).parent / "peers_server"
WITH_NODE = Path(__file__).parent.parent / "web" / "with-node"
START_SECONDS = 60.0
WARM_SECONDS = 1.0
MOST_RATE = 3_000
"""More moves a second than the driver can make: so many are prepared."""


@dataclass(frozen=True)
class Seen:
    """What the driver saw of one server in one window."""

    rate: float
    p50: float
    p99: float
    """Milliseconds."""
    cores: float
    """How many cores the driver itself kept busy."""
    exhausted: bool
    """The window ended early: the prepared moves were used up."""
    count: int


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--tables", multiple=True, type=click.IntRange(1), default=(1, 50, 200), show_default=True)
@click.option("--seconds", default=3.0, show_default=True, help="Seconds of one measurement.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="Measurements; medians count.")
@click.option("--write", type=click.Path(dir_okay=False), help="Write the report to this file as well.")
def main(tables: Sequence[int], seconds: float, rounds: int, write: str | None) -> None:
    """Moves a second of both servers, at several numbers of tables."""
    if not (FOLDER / "node_modules").is_dir():
        raise click.ClickException("boardgame.io is not installed: make bench-beside")
    with (
        tempfile.TemporaryDirectory(prefix="bgb-bench-") as folder,
        _ours(Path(folder)) as settings,
        _theirs() as other,
    ):
        rows = []
        for number in tables:
            seen: dict[str, list[Seen]] = {"boardgame.io": [], "SubmitMove": []}
            for _ in range(rounds):
                empty: list[Lane] = [[] for _ in range(number)]
                seen["boardgame.io"].append(_drive("socket", other, empty, seconds))
                calls = int(MOST_RATE * (seconds + WARM_SECONDS) / number) + 1
                lanes = prepare(settings, number, calls)
                seen["SubmitMove"].append(_drive("rpc", settings.rules_listen, lanes, seconds))
                for name, found in seen.items():
                    one = found[-1]
                    print(
                        f"beside: {number} tables, {name}: {one.rate:,.0f}/s, p50 {one.p50:.2f} ms, "
                        f"p99 {one.p99:.2f} ms{', moves used up early' if one.exhausted else ''}",
                        file=sys.stderr,
                    )
            rows += [_row(number, name, found) for name, found in seen.items()]
    command = shlex.join(["python", "-m", "benchmarks.beside", *sys.argv[1:]])
    text = "\n\n".join(
        [
            f"# Beside boardgame.io\n\n`{command}`, {time.strftime('%Y-%m-%d', time.gmtime())}, on "
            f"{machine.describe()}.",
            report.table(["tables", "server", "moves/s", "p50 ms", "p99 ms", "cores of the driver"], rows),
            f"Medians of {rounds} interleaved rounds of {seconds:g} s after {WARM_SECONDS:g} s of warming up. "
            f"boardgame.io {_version()} with its own server and store, in memory, a game of 120 cards for three, "
            "without credentials, 180 moves a match. Ours: three-player Agora, every move with a token, checked by "
            "the rules and on disk (`appendfsync always`) before it is answered. One driver in Node plays at both: "
            "Socket.IO's client there, gRPC's here.",
        ]
    )
    print(text)
    if write:
        Path(write).write_text(text + "\n")


@contextmanager
def _ours(folder: Path) -> Iterator[Settings]:
    with EmbeddedServer(folder / "redis", appendfsync="always") as redis:
        address = f"{HOST}:{free_port()}"
        settings = Settings(redis_url=redis.url, rules_listen=address, log_level="warning")
        with server("boardgamesbot", ["rules"], settings.to_environment(), address):
            yield settings


@contextmanager
def _theirs() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen(
        [WITH_NODE, "node", FOLDER / "serve.mjs", str(port)], stdout=subprocess.PIPE, preexec_fn=die_with_parent
    )
    try:
        assert process.stdout is not None
        if not process.stdout.readline():
            raise click.ClickException("boardgame.io did not start, see above")
        yield f"{HOST}:{port}"
    finally:
        process.kill()
        process.wait()


def _drive(kind: str, address: str, lanes: Sequence[Lane], seconds: float) -> Seen:
    plan = {
        "kind": kind,
        "address": address,
        "method": METHOD,
        "seconds": seconds,
        "warm": WARM_SECONDS,
        "lanes": [[[who, base64.b64encode(request).decode()] for who, request in lane] for lane in lanes],
    }
    driver = subprocess.run(
        [WITH_NODE, "node", FOLDER / "drive.mjs"],
        input=json.dumps(plan).encode(),
        stdout=subprocess.PIPE,
        timeout=START_SECONDS + seconds * 10,
        check=True,
    )
    return Seen(**json.loads(driver.stdout))


def _row(tables: int, name: str, found: Sequence[Seen]) -> list[str]:
    return [
        str(tables),
        name,
        report.count(median(one.rate for one in found)),
        f"{median(one.p50 for one in found):.2f}",
        f"{median(one.p99 for one in found):.2f}",
        f"{median(one.cores for one in found):.2f}",
    ]


def _version() -> str:
    package: dict[str, Any] = json.loads((FOLDER / "node_modules" / "boardgame.io" / "package.json").read_text())
    return str(package["version"])


if __name__ == "__main__":
    main()

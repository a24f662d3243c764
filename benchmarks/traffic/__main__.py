"""`python -m benchmarks.traffic`: progress on standard error, the report in Markdown on standard output."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from benchmarks.traffic import report
from benchmarks.traffic.generator import Deployment, GeneratorFailed, Generators, Window
from benchmarks.traffic.probe import Probe
from benchmarks.traffic.runs import Soak, Step, ramp, soak, step
from benchmarks.traffic.tables import Mix
from boardgamesbot.store.embedded import HOST, die_with_parent, server_url

SERVE_SECONDS = 120.0
LOCAL_SETTINGS = {"BGB_TABLE_DAYS": "0.004", "BGB_LOG_LEVEL": "warning"}
"""Of the platform that is started for a measurement: tables leave minutes after their last move, so that memory can
come to rest within it."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--rules", default="", metavar="HOST:PORT", help="The rules server; without it a platform is started here."
)
@click.option("--bots-server", default="", metavar="HOST:PORT", help="The bots server, to seat bots.")
@click.option("--matchmaking", default="", metavar="HOST:PORT", help="The matchmaking server, for seekers.")
@click.option("--gateway", default="", metavar="HOST:PORT", help="A gateway: moves go there, over HTTP.")
@click.option("--redis", default="", metavar="URL", help="The Redis of the deployment, to count what it is asked.")
@click.option(
    "--pids", type=click.Path(exists=True, dir_okay=False), help="A processes.json of programs on this machine."
)
@click.option("--game", "game_id", type=click.Choice(["agora", "barcelona"]), default="agora", show_default=True)
@click.option("--tables", default=50, show_default=True, type=click.IntRange(1), help="Games that are on at a time.")
@click.option("--people", default=3, show_default=True, type=click.IntRange(1), help="People at a table.")
@click.option("--bots", default="", metavar="BOT,BOT", help="The bots at a table.")
@click.option("--watchers", default=1, show_default=True, type=click.IntRange(0), help="Spectators at a table.")
@click.option("--seekers", default=0.0, show_default=True, help="Groups a second that look for a match.")
@click.option("--rate", default=50.0, show_default=True, help="Moves of people a second; of a ramp, the first.")
@click.option("--seconds", default=10.0, show_default=True, help="How long one rate is offered.")
@click.option("--ramp", "find", is_flag=True, help="Raise the rate until the deployment is full.")
@click.option("--most-ms", default=250.0, show_default=True, help="It is full when the 99th percentile is above this.")
@click.option("--halvings", default=2, show_default=True, help="How closely a ramp looks for where it is full.")
@click.option("--minutes", type=float, help="Soak for so long: exit status 1 if anything fails or memory grows.")
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1), help="Processes of the generator.")
@click.option("--seed", default=1, show_default=True, help="Of the arrivals.")
@click.option("--set", "given", multiple=True, metavar="BGB_NAME=VALUE", help="A setting of the platform started here.")
@click.option("--port-base", type=click.IntRange(1025, 65000), default=17610, show_default=True)
@click.option("--json", "json_file", type=click.Path(dir_okay=False), help="Write every figure to this file as well.")
def main(
    rules: str,
    bots_server: str,
    matchmaking: str,
    gateway: str,
    redis: str,
    pids: str | None,
    game_id: str,
    tables: int,
    people: int,
    bots: str,
    watchers: int,
    seekers: float,
    rate: float,
    seconds: float,
    find: bool,
    most_ms: float,
    halvings: int,
    minutes: float | None,
    processes: int,
    seed: int,
    given: Sequence[str],
    port_base: int,
    json_file: str | None,
) -> None:
    """Offer a deployment moves at a rate, whether it keeps up or not, and report what its clients saw."""
    mix = Mix(game_id, tables, people, tuple(filter(None, bots.split(","))), watchers)
    window = Window(rate, seekers, seconds)
    command = shlex.join(["python", "-m", "benchmarks.traffic", *sys.argv[1:]])
    try:
        with _deployment(rules, bots_server, matchmaking, redis, pids, given, port_base) as (deployment, probe):
            if not seekers:
                deployment = replace(deployment, matchmaking="")
            if gateway:
                deployment = replace(deployment, gateway=gateway)
            with Generators(processes, deployment, mix, seed) as generators:

                def take(offered: Window) -> Step:
                    return step(generators, probe, offered)

                outcome: Soak | None = None
                if minutes is not None:
                    outcome = soak(take, window, minutes)
                    steps = outcome.steps
                else:
                    steps = ramp(take, window, most_ms, halvings) if find else [take(window)]
    except GeneratorFailed as error:
        raise click.ClickException(str(error)) from None
    print(report.markdown(command, mix, steps, outcome, most_ms if find else None))
    if json_file:
        Path(json_file).write_text(json.dumps(report.figures(command, mix, steps, outcome), indent=1) + "\n")
    if outcome is not None and outcome.faults:
        sys.exit(1)


@contextmanager
def _deployment(
    rules: str, bots: str, matchmaking: str, redis: str, pids: str | None, given: Sequence[str], port_base: int
) -> Iterator[tuple[Deployment, Probe]]:
    """The deployment that was named, or one that is there as long as the block."""
    if rules:
        programs = json.loads(Path(pids).read_text()) if pids else {}
        yield Deployment(rules, bots, matchmaking), Probe(programs, redis)
        return
    settings = LOCAL_SETTINGS | dict(pair.split("=", 1) for pair in given)
    with tempfile.TemporaryDirectory(prefix="bgb-traffic-") as folder:
        data = Path(folder) / "data"
        command = [sys.executable, "-m", "boardgamesbot", "serve", "--data", str(data), "--port-base", str(port_base)]
        process = subprocess.Popen(
            command, env={**os.environ, **settings}, stdout=subprocess.PIPE, preexec_fn=die_with_parent
        )
        try:
            programs = _programs(process, data / "processes.json")
            addresses = [f"{HOST}:{port_base + above}" for above in range(3)]
            yield Deployment(*addresses), Probe(programs, server_url(data / "redis", port_base - 1))
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()


def _programs(process: subprocess.Popen[bytes], names: Path) -> dict[str, int]:
    """The programs by name, once the platform says where it is."""
    assert process.stdout is not None
    end = time.monotonic() + SERVE_SECONDS
    while time.monotonic() < end and process.poll() is None:
        if process.stdout.readline():
            found: dict[str, int] = json.loads(names.read_text())
            return found
    raise GeneratorFailed("the platform did not start, see above")


if __name__ == "__main__":
    main()

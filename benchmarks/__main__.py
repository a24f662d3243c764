"""`python -m benchmarks`, or `make bench`: progress on standard error, the report in Markdown on standard output."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import click

from benchmarks import engine, machine, matchmaking, submit

RESULTS = Path(__file__).parent / "results" / "latest.md"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--only", type=click.Choice(["engine", "submit", "matchmaking"]), help="Run this one alone.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Seconds of one measurement. [0.5; 3]")
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1), help="Measurements; medians count.")
@click.option("--clients", default=1, show_default=True, type=click.IntRange(1), help="Client processes of `submit`.")
@click.option(
    "--tables",
    multiple=True,
    type=click.IntRange(1),
    default=submit.TABLES,
    show_default=True,
    help="Numbers of tables for `submit`; may be given several times.",
)
@click.option(
    "--waiting",
    multiple=True,
    type=click.IntRange(1),
    default=matchmaking.WAITING,
    show_default=True,
    help="Numbers of waiting tickets for `matchmaking`, the smallest first; may be given several times.",
)
@click.option("--write", is_flag=True, help=f"Write the report to {RESULTS.parent.name}/{RESULTS.name} as well.")
def main(
    only: str | None,
    seconds: float | None,
    rounds: int,
    clients: int,
    tables: tuple[int, ...],
    waiting: tuple[int, ...],
    write: bool,
) -> None:
    """Measure the engine, SubmitMove against its floor, and matchmaking."""
    command = shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]])
    parts = [f"# Benchmarks\n\n`{command}`, {time.strftime('%Y-%m-%d', time.gmtime())}, on {machine.describe()}."]
    if only in (None, "engine"):
        parts.append(engine.run(seconds or 0.5, rounds))
    if only in (None, "submit"):
        parts.append(submit.run(seconds or 3.0, rounds, clients, tables))
    if only in (None, "matchmaking"):
        parts.append(matchmaking.run(waiting))
    text = "\n\n".join(parts) + "\n"
    print(text, end="")
    if write:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(text)


if __name__ == "__main__":
    main()

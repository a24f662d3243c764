"""Random moves a second on one core, ours and others': `make bench-peers`.

Our engines run twice, as plain Python and compiled, out of copies of the sources, so that neither hides the other. All
are measured in turns, round after round, so that a machine that slows down slows all of them; the medians count, of
processor time. The others come from the dependency group `peers`, in a Python environment of their own.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import click

from benchmarks import report
from benchmarks.machine import processor

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).parent / "results" / "engines.md"
OURS = {
    "agora": "Agora Barcelona, 4 players",
    "barcelona": "Barcelona, 2 players",
    "passeig": "Barcelona with Passeig de Gràcia, 2 players",
}
PEERS = {
    "backgammon": ("open_spiel", "backgammon, 2 players (C++)"),
    "hearts": ("open_spiel", "hearts, 4 players (C++)"),
    "catanatron": ("catanatron", "Settlers of Catan, 4 players (Python)"),
}


class Worker:
    """A process that plays random games of one engine when it is asked to."""

    def __init__(self, engine: str, python: Path, sources: Path) -> None:
        self._process = subprocess.Popen(
            [str(python), "-m", "benchmarks.random_play", engine],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": os.pathsep.join((str(sources), str(ROOT)))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = self._line().removeprefix("ready").strip()
        """Of the library that the engine is from; empty for ours."""

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise click.ClickException(f"{shlex.join(map(str, self._process.args))} ended; see above")  # type: ignore[arg-type]
        return line

    def rate(self, seconds: float) -> float:
        """Decisions a second of processor time."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        decisions, spent = self._line().split()
        return int(decisions) / float(spent)

    def stop(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@contextlib.contextmanager
def _copies() -> Iterator[dict[str, Path]]:
    """The sources twice: as they are, and compiled."""
    with tempfile.TemporaryDirectory(prefix="bgb-peers-") as temporary:
        found = {}
        for kind in ("pure", "compiled"):
            folder = Path(temporary) / kind
            for part in ("services", "tools"):
                shutil.copytree(
                    ROOT / part,
                    folder / part,
                    ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "compiled.json"),
                )
            for part in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
                shutil.copy(ROOT / part, folder / part)
            found[kind] = folder / "services"
        print("compiling a copy of the engines ...", file=sys.stderr)
        subprocess.run(
            [sys.executable, "tools/compile.py"], cwd=found["compiled"].parent, check=True, stdout=sys.stderr
        )
        yield found


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--seconds", default=1.0, show_default=True, type=click.FloatRange(min=0, min_open=True))
@click.option("--rounds", default=7, show_default=True, type=click.IntRange(1), help="Measurements; medians count.")
@click.option(
    "--peers-python",
    default=ROOT / ".venv" / "peers" / "bin" / "python",
    type=click.Path(path_type=Path),
    help="The Python that has the engines of others.  [.venv/peers/bin/python]",
)
@click.option("--write", is_flag=True, help=f"Write the report to {RESULTS.parent.name}/{RESULTS.name} as well.")
def main(seconds: float, rounds: int, peers_python: Path, write: bool) -> None:
    """Measure our engines, pure and compiled, beside those of others, and print a table in Markdown."""
    if not peers_python.exists():
        raise click.UsageError(f"there is no {peers_python}: `make bench-peers` makes it")
    with _copies() as copies, contextlib.ExitStack() as stack:
        workers: dict[str, Worker] = {}
        for engine, name in OURS.items():
            for kind in ("compiled", "pure"):
                workers[f"{name}, {kind}"] = worker = Worker(engine, Path(sys.executable), copies[kind])
                stack.callback(worker.stop)
        for engine, (package, name) in PEERS.items():
            worker = Worker(engine, peers_python, copies["pure"])
            stack.callback(worker.stop)
            workers[f"{package} {worker.version}: {name}"] = worker
        rates: dict[str, list[float]] = {name: [] for name in workers}
        for played in range(rounds):
            for name, worker in workers.items():
                rates[name].append(worker.rate(seconds))
            print(f"round {played + 1} of {rounds}", file=sys.stderr)
    rows = [
        [name, report.count(median(found)), f"{report.count(min(found))} – {report.count(max(found))}"]
        for name, found in sorted(rates.items(), key=lambda entry: -median(entry[1]))
    ]
    command = f"python -m benchmarks.peers --seconds {seconds:g} --rounds {rounds}"
    text = "\n\n".join(
        [
            "# Engines: random moves a second",
            f"`{command}`, {time.strftime('%Y-%m-%d', time.gmtime())}, on {processor()}, one core, "
            f"{platform.system()} {platform.release()}, Python {platform.python_version()}.",
            report.table(["engine", "moves/s", "lowest – highest"], rows),
            f"Medians of {rounds} rounds of {seconds:g} s of processor time, taken in turns. A move: the list of legal "
            "moves is made, one is drawn by a Python program, and made; new games included, chance (dice, deals) not "
            "counted as moves. The games differ in what a move is, so the figures tell what a search can expect of "
            "each, not whose programmers are better.",
        ]
    )
    print(text)
    if write:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(text + "\n")


if __name__ == "__main__":
    main()

"""Check docs/faults.md: is each test it names there? With --run: how does each line fare?

python tools/faults_table.py [--run]
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "faults.md"
_ROW = re.compile(r"^\| (?P<number>\d+) \| (?P<fault>[^|]+) \|", re.MULTILINE)
_TEST = re.compile(r"\[(?P<name>test_\w+)\]\(\.\./(?P<file>tests/[\w/]+\.py)\)")


@dataclass(frozen=True)
class Line:
    """One fault of the table."""

    number: int
    fault: str
    tests: tuple[tuple[Path, str], ...]
    """File and function."""

    def missing(self) -> Iterator[str]:
        """The tests that are not there."""
        for file, name in self.tests:
            if not file.exists() or f"def {name}(" not in file.read_text("utf-8"):
                yield f"{file.relative_to(ROOT)}::{name}"

    def passes(self) -> bool:
        """Whether its tests pass, those that take long included."""
        files = sorted({str(file) for file, _ in self.tests})
        names = " or ".join(sorted({name for _, name in self.tests}))
        command = [sys.executable, "-m", "pytest", "-q", "-m", "", "-p", "no:cacheprovider", *files, "-k", names]
        return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def lines(text: str) -> list[Line]:
    """The faults of the page, in their order."""
    found = []
    for row in _ROW.finditer(text):
        end = text.index("\n", row.start())
        tests = tuple((ROOT / t["file"], t["name"]) for t in _TEST.finditer(text, row.start(), end))
        found.append(Line(int(row["number"]), row["fault"], tests))
    return found


def main() -> int:
    """The exit status is 0 if every line has tests, all of them are there, and, where they are run, they pass."""
    well = True
    for line in lines(PAGE.read_text("utf-8")):
        missing = list(line.missing())
        verdict = "without a test" if not line.tests else "missing: " + ", ".join(missing) if missing else "there"
        if verdict == "there" and "--run" in sys.argv[1:]:
            verdict = "passed" if line.passes() else "FAILED"
        well &= verdict in ("there", "passed")
        sys.stdout.write(f"{line.number:3} {verdict:8} {line.fault}\n")
        sys.stdout.flush()
    return 0 if well else 1


if __name__ == "__main__":
    raise SystemExit(main())

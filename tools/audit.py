"""Asks the advisories of PyPI and npm about everything that is shipped: the locked versions, none left out.

    python tools/audit.py [--strict]

Exit status 1 where a weakness is known. Where nobody can be asked (no network, a mirror without advisories) it says so
and for what, and the status is 0, or with --strict 1: silence is not taken for a clean bill.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements/run.txt",)
"""Of what runs in production; the tools of developers see no stranger's data."""
SECONDS = 300
ACCEPTED: Mapping[str, str] = {}
"""Advisories that do not concern us, by id, and why not."""


@dataclass(frozen=True)
class Found:
    """A known weakness of a package."""

    package: str
    advisory: str
    remedy: str


@dataclass(frozen=True)
class Answer:
    """What was found, and what nobody could be asked about."""

    asked: int
    found: tuple[Found, ...] = ()
    unanswered: tuple[str, ...] = ()


def python_answer(report: Mapping[str, Any]) -> Answer:
    """What pip-audit's report in JSON says."""
    found, unanswered = [], []
    for package in report["dependencies"]:
        if "skip_reason" in package:
            unanswered.append(package["name"])
        for weakness in package.get("vulns", ()):
            fixed = ", ".join(weakness.get("fix_versions", ())) or "none yet"
            name = f"{package['name']} {package['version']}"
            found.append(Found(name, weakness["id"], f"fixed in {fixed}"))
    return Answer(len(report["dependencies"]), tuple(found), tuple(unanswered))


def page_answer(report: Mapping[str, Any]) -> Answer:
    """What npm's report in JSON says."""
    if "vulnerabilities" not in report:
        return Answer(1, unanswered=("the page's packages",))
    found = [
        Found(name, advisory["url"] if isinstance(advisory, dict) else f"by {advisory}", weakness["range"])
        for name, weakness in report["vulnerabilities"].items()
        for advisory in weakness["via"]
    ]
    return Answer(report["metadata"]["dependencies"]["prod"], tuple(found))


def _reported(command: list[str], folder: Path) -> Mapping[str, Any] | None:
    """What a program reports in JSON; None: it could not."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False)
        report = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]}: {type(error).__name__}", file=sys.stderr)
        return None
    return report if isinstance(report, dict) else None


def _answers() -> Iterator[tuple[str, Answer]]:
    for lock in LOCKS:
        command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off"]
        report = _reported([*command, "--disable-pip", "--no-deps", "--requirement", lock], ROOT)
        yield lock, python_answer(report) if report else Answer(1, unanswered=("all of it",))
    report = _reported(["./with-node", "npm", "audit", "--json", "--omit=dev"], ROOT / "web")
    yield "web/package-lock.json", page_answer(report) if report else Answer(1, unanswered=("all of it",))


def main(strict: bool) -> int:
    """Ask, and say what came of it."""
    status = 0
    for what, answer in _answers():
        new = [found for found in answer.found if found.advisory not in ACCEPTED]
        for found in new:
            print(f"{what}: {found.package}: {found.advisory} ({found.remedy})")
        if answer.unanswered:
            some = f"{len(answer.unanswered)} of {answer.asked}"
            print(f"{what}: NOBODY TO ASK about {some}: {', '.join(answer.unanswered[:5])} …", file=sys.stderr)
        if not new and len(answer.unanswered) < answer.asked:
            print(f"{what}: nothing known against {answer.asked - len(answer.unanswered)} packages")
        if new or (strict and answer.unanswered):
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main("--strict" in sys.argv[1:]))

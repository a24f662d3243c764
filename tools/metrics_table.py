"""Writes the table of metrics into docs/metrics.md: python tools/metrics_table.py [FILE]."""

from __future__ import annotations

import sys
from pathlib import Path

from boardgamesbot.runtime.metrics import ALL

PAGE = Path(__file__).parents[1] / "docs" / "metrics.md"
BEGIN, END = "<!-- table -->\n", "<!-- /table -->\n"


def table() -> str:
    """The metrics, in the order in which they are declared."""
    rows = ["| metric | kind | labels | programs | meaning |", "|---|---|---|---|---|"]
    rows += [
        f"| `{metric.name}` | {metric.kind} | {', '.join(f'`{label}`' for label in metric.labels)} "
        f"| {metric.programs} | {metric.meaning} |"
        for metric in ALL.values()
    ]
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The page with the table as it is now."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    target.write_text(page(target.read_text("utf-8")), "utf-8")

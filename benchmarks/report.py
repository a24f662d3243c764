"""Markdown out of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table: the first column to the left, the others to the right."""
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(["---", *["--:"] * (len(header) - 1)]) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def count(value: float) -> str:
    """A large number as a person reads it: `12,345`."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"

"""Choices with their numbers, laid out for a terminal: one below another, or as many to a page as there is room for."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from rich.cells import cell_len, set_cell_size
from rich.markup import escape

AGAINST = "✗ against the rules"
_MARGIN = 2
_BEFORE = 5
"""What stands before a label: its number, and a sign where it is against the rules."""
_GAP = 3
_MOST_IN_A_LINE = 3


@dataclass(frozen=True)
class Choice:
    """One of several things a person may pick."""

    number: int
    label: str
    refused: bool
    """Whether it is against the rules."""


def listed(choices: Sequence[Choice], width: int) -> list[str]:
    """Lines of markup, a line or more for each choice."""
    lines = []
    for choice in choices:
        label = f"{choice.label}  (against the rules)" if choice.refused else choice.label
        lines += _folded(label, f"  {choice.number:>2}  ", width, dim=choice.refused)
    return lines


def pages(choices: Sequence[Choice], width: int, height: int) -> list[list[str]]:
    """The same on pages of at most so many lines, several choices in a line where they fit."""
    legend, found = _legend(choices), _paged(choices, width, height)
    made = []
    for at, page in enumerate(found):
        first, last = (found[(at + 1) % len(found)][0][0], _last(found, (at + 1) % len(found), len(choices)))
        more = f"n shows {first}-{last} of {len(choices)}" if last > first else f"n shows {first} of {len(choices)}"
        foot = [f"   {' · '.join([*legend, more])}"] if len(found) > 1 else [f"[dim]   {word}[/dim]" for word in legend]
        made.append([line for _, lines in page for line in lines] + foot)
    return made


def page_with(number: int, choices: Sequence[Choice], width: int, height: int) -> int:
    """On which of those pages a choice is."""
    firsts = [page[0][0] for page in _paged(choices, width, height)]
    return bisect(firsts, number) - 1


def _legend(choices: Sequence[Choice]) -> list[str]:
    return [AGAINST] if any(choice.refused for choice in choices) else []


def _paged(choices: Sequence[Choice], width: int, height: int) -> list[list[tuple[int, list[str]]]]:
    """The rows of each page; all on one if there is room, else with a line left free below them."""
    rows = _rows(choices, width)
    if sum(len(lines) for _, lines in rows) + len(_legend(choices)) <= height:
        return [rows]
    found: list[list[tuple[int, list[str]]]] = [[]]
    for row in rows:
        if found[-1] and sum(len(lines) for _, lines in [*found[-1], row]) >= height:
            found.append([])
        found[-1].append(row)
    return found


def _last(found: Sequence[Sequence[tuple[int, list[str]]]], page: int, count: int) -> int:
    """The number of the last choice on a page."""
    return found[page + 1][0][0] - 1 if page + 1 < len(found) else count


def _rows(choices: Sequence[Choice], width: int) -> list[tuple[int, list[str]]]:
    """Rows of choices, each with the number of its first."""
    cell = _BEFORE + max(cell_len(choice.label) for choice in choices)
    beside = min(_MOST_IN_A_LINE, (width - _MARGIN + _GAP) // (cell + _GAP))
    if beside <= 1:
        return [
            (
                choice.number,
                _folded(
                    choice.label,
                    f"{' ' * _MARGIN}{choice.number:>2} {'✗' if choice.refused else ' '} ",
                    width,
                    dim=choice.refused,
                ),
            )
            for choice in choices
        ]
    rows = []
    for at in range(0, len(choices), beside):
        cells = []
        for choice in choices[at : at + beside]:
            text = f"{choice.number:>2} {'✗' if choice.refused else ' '} {choice.label}"
            said = escape(set_cell_size(text, cell))
            cells.append(f"[dim]{said}[/dim]" if choice.refused else said)
        rows.append((choices[at].number, [(" " * _MARGIN + (" " * _GAP).join(cells)).rstrip()]))
    return rows


def _folded(label: str, head: str, width: int, *, dim: bool) -> list[str]:
    words = escape(fill(label, width, initial_indent=head, subsequent_indent=" " * len(head)))
    return [f"[dim]{line}[/dim]" if dim else line for line in words.split("\n")]

"""Tables that fit the terminal: what must stay whole does, the rest is folded, and what matters least left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.markup import escape
from rich.table import Table

_GAP = 2
_LONG_WORD = 20
"""A longer word may be broken."""


@dataclass(frozen=True)
class Column:
    """A column of a table in a terminal."""

    title: str
    least: int = 0
    """To so many characters it may be folded; 0: it stays whole."""
    drop: int = 0
    """Where there is no room, the column with the highest number goes first; 0: it stays."""
    right: bool = False
    """Whether it is set to the right."""


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> Table:
    """A table of plain texts, a cell for each column, for a terminal that is `width` characters wide."""
    shown = list(range(len(columns)))
    cells = [[column.title, *(row[at] for row in rows)] for at, column in enumerate(columns)]
    natural = [max(map(cell_len, texts)) for texts in cells]

    def least(at: int) -> int:
        if not columns[at].least:
            return natural[at]
        longest_word = max(cell_len(word) for text in cells[at] for word in text.split() or [""])
        return min(natural[at], max(columns[at].least, cell_len(columns[at].title), min(longest_word, _LONG_WORD)))

    while sum(least(at) + _GAP for at in shown) - _GAP > width:
        at = max(shown, key=lambda at: columns[at].drop)
        if not columns[at].drop:
            break
        shown.remove(at)
    widths = {at: least(at) for at in shown}
    for _ in range(width - sum(widths.values()) - _GAP * (len(shown) - 1)):
        at = max(shown, key=lambda at: natural[at] / widths[at])
        widths[at] += natural[at] > widths[at]
    made = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False)
    for at, chosen in widths.items():
        column = columns[at]
        justify: Literal["left", "right"] = "right" if column.right else "left"
        made.add_column(column.title, justify=justify, no_wrap=not column.least, overflow="fold", width=chosen)
    for row in rows:
        made.add_row(*(escape(row[at]) for at in shown))
    return made

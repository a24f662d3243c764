"""Lines too long for a terminal: where they may be folded, and where what follows begins."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.text import Text

from boardgamesbot.cli.console import Console

_GAP = "  "
_LEAST = 20
"""So many columns a text has at least, however narrow the terminal."""


def hanging(console: Console, line: str, head: str = "") -> Text:
    """A line of markup behind a plain head; where it is folded, it is indented as far as its own first word."""
    words = line.lstrip(" ")
    head += " " * (len(line) - len(words))
    folded = Text.from_markup(words).wrap(console, max(_LEAST, console.width - len(head)))
    for part in folded:
        part.rstrip()
    return Text(head).append_text(Text("\n" + " " * len(head)).join(folded))


def flowing(pieces: Iterable[str], width: int) -> list[str]:
    """Plain texts one after another, on as many lines as they need; none is broken."""
    lines: list[str] = []
    for piece in pieces:
        if lines and cell_len(lines[-1]) + len(_GAP) + cell_len(piece) <= width:
            lines[-1] += _GAP + piece
        else:
            lines.append(piece)
    return lines

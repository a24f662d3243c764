"""Colours and columns of the drawn board: pieces of rich markup whose width on the screen is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.markup import escape, render

WIDTH = 80
"""Columns of a terminal."""

_SEATS = {"Purple": "magenta", "Grey": "grey70", "Blue": "bright_blue", "Orange": "orange3"}
_CITIZENS = ("dim", "green", "bright_red", "dodger_blue1")
_LETTERS = "?WMU"


def ink(style: str, text: str) -> str:
    """Plain text in a style."""
    return f"[{style}]{escape(text)}[/]" if text else ""


def citizen(number: int) -> str:
    """The letter of a class, in its colour."""
    return ink(_CITIZENS[number], _LETTERS[number])


def in_class(number: int, text: str) -> str:
    """Text in the colour of a class."""
    return ink(_CITIZENS[number], text)


def width(markup: str) -> int:
    """Columns that a piece takes."""
    return cell_len(render(markup).plain if "[" in markup else markup)


def left(markup: str, columns: int) -> str:
    """A piece filled up with spaces on its right."""
    return markup + " " * (columns - width(markup))


def centred(markup: str, columns: int, fill: str = " ", style: str = "") -> str:
    """A piece in the middle of its columns; `fill`, in a style, on both sides."""
    room = max(0, columns - width(markup))
    before, after = fill * (room // 2), fill * (room - room // 2)
    return f"{ink(style, before)}{markup}{ink(style, after)}" if style else f"{before}{markup}{after}"


def clipped(text: str, columns: int) -> str:
    """Plain text as a piece of at most so many columns."""
    return escape(text if cell_len(text) <= columns else set_cell_size(text, columns - 1).rstrip() + "…")


def name(markup: str, columns: int) -> str:
    """A player's name, escaped as it is given, as a piece of exactly so many columns."""
    return left(clipped(render(markup).plain, columns), columns)


def lines(text: str, columns: int, most: int) -> list[str]:
    """Plain text broken between words, as pieces; at most so many lines."""
    broken = wrap(text, columns)
    if len(broken) > most:
        broken[most - 1] = " ".join(broken[most - 1 :])
    return [clipped(line, columns) for line in broken[:most]]


def flow(pieces: Iterable[str], indent: int, first: int | None = None) -> list[str]:
    """Pieces one after another, on as many lines as they need; each stays whole. `first` indents the first line."""
    found: list[str] = []
    margin = indent if first is None else first
    line = ""
    for piece in pieces:
        if line and margin + width(line) + 2 + width(piece) > WIDTH:
            found.append(" " * margin + line)
            line, margin = piece, indent
        else:
            line = f"{line}  {piece}" if line else piece
    return [*found, " " * margin + line] if line else found


def beside(first: Sequence[str], second: Sequence[str], columns: int) -> list[str]:
    """Two columns side by side, the first of so many columns."""
    rows = max(len(first), len(second))
    one, two = ([*part, *[""] * (rows - len(part))] for part in (first, second))
    return [(left(a, columns) + b).rstrip() for a, b in zip(one, two, strict=True)]


class Seats:
    """The colours and letters of the seats."""

    def __init__(self, colours: Sequence[str]) -> None:
        self.colours = colours
        self._styles = [_SEATS.get(colour, "bold") for colour in colours]
        initials = [colour[0].upper() for colour in colours]
        self.letters = initials if len(set(initials)) == len(initials) else [str(i + 1) for i in range(len(colours))]

    def ink(self, seat: int, text: str) -> str:
        """Text in the colour of a seat; plain for nobody."""
        return ink(self._styles[seat], text) if seat >= 0 else escape(text)

    def style(self, seat: int) -> str:
        """The colour of a seat; faint for nobody."""
        return self._styles[seat] if seat >= 0 else "dim"

    def letter(self, seat: int) -> str:
        """The letter of a seat, in its colour."""
        return self.ink(seat, self.letters[seat])

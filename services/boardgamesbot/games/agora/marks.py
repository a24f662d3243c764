"""Short names and colours that Agora's pictures for a terminal share."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.markup import escape, render

CODES = ("LC", "SG", "GR", "HG", "NB", "SA", "SM", "EI", "MA", "CV")
"""Short names of the districts, in their order."""

_STYLES = {"Blue": "bright_blue", "Red": "bright_red", "Yellow": "yellow", "Green": "green", "White": "bright_white"}


def inked(colour: str, text: str) -> str:
    """A text in a player's colour."""
    style = _STYLES.get(colour, "default")
    return f"[{style}]{text}[/{style}]"


def name(markup: str, columns: int) -> str:
    """A player's name, escaped as it is given, in exactly so many columns."""
    plain = render(markup).plain
    if cell_len(plain) > columns:
        plain = set_cell_size(plain, columns - 1).rstrip() + "…"
    return escape(set_cell_size(plain, columns))


def code(district: int) -> str:
    """The short name of a district; -1: of one that is not known."""
    return CODES[district] if district >= 0 else "?"

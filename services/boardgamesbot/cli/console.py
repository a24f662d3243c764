"""A console that shows nothing but text: what comes from servers, files and other people can't command the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rich.console
from rich.segment import Segment

_SHOWN_AS: dict[int, str | None] = {
    code: chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"
    for code in (*range(0x20), 0x7F, *range(0x80, 0xA0))
    if chr(code) not in "\n\t"
}
_SHOWN_AS |= dict.fromkeys((0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""What commands terminals is shown as a picture of itself; what turns writing around is left out."""


def printable(text: str) -> str:
    """A text as a terminal may get it."""
    return text.translate(_SHOWN_AS)


class Console(rich.console.Console):
    """Rich's console; only Rich itself may send what commands the terminal."""

    def render(self, *arguments: Any, **named: Any) -> Iterable[Segment]:
        for segment in super().render(*arguments, **named):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style)

"""What is longer than a terminal, a screen at a time: broken between pictures, not within one that fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

L = TypeVar("L")


def screens(pictures: Sequence[Sequence[L]], height: int) -> list[list[L]]:
    """The lines of pictures on screens of so many lines; only a picture that is taller than that is broken."""
    found: list[list[L]] = [[]]
    for picture in pictures:
        if found[-1] and len(found[-1]) + len(picture) > height:
            found.append([])
        for line in picture:
            if len(found[-1]) == height:
                found.append([])
            found[-1].append(line)
    return found

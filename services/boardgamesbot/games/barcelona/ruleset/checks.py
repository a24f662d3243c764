"""Checks that the reading of a ruleset is made of. Each raises Malformed with the place at fault."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from boardgamesbot.games.base import Malformed

LONGEST_WORD = 48
MOST_PARTS = 8
DEEPEST = 4
"""Lists and choices in one another that an effect may be made of."""


class Named(Protocol):
    """An entry of a list."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


def want(condition: bool, where: str, reason: str) -> None:
    """That something is so."""
    if not condition:
        raise Malformed(where, reason)


def length(value: Sequence[object], entries: int, where: str) -> None:
    """That a list has so many entries."""
    want(len(value) == entries, where, f"must have {entries} entries, not {len(value)}")


def unique(entries: Sequence[Named], where: str) -> dict[str, int]:
    """The number of each id. Names are told apart too: people choose by them."""
    for field in ("id", "name"):
        seen: set[str] = set()
        for i, entry in enumerate(entries):
            value: str = getattr(entry, field)
            want(value not in seen, f"{where}[{i}].{field}", f"{value!r} is that of another entry already")
            seen.add(value)
    return {entry.id: i for i, entry in enumerate(entries)}


def rising(numbers: Sequence[int]) -> bool:
    """Whether each number is higher than the one before."""
    return all(low < high for low, high in pairwise(numbers))


def in_bounds(effect: object, where: str, depth: int = 0) -> None:
    """That an effect is no longer and no deeper than any game needs, before it is read word by word."""
    if isinstance(effect, str):
        want(len(effect) <= LONGEST_WORD, where, f"must have at most {LONGEST_WORD} characters")
    elif isinstance(effect, list):
        want(len(effect) <= MOST_PARTS, where, f"must have at most {MOST_PARTS} parts")
        want(depth < DEEPEST, where, f"must have at most {DEEPEST} lists or choices in one another")
        for i, part in enumerate(effect):
            in_bounds(part, f"{where}[{i}]", depth + 1)
    elif isinstance(effect, dict) and len(effect) == 1:
        for name, part in effect.items():
            in_bounds(part, f"{where}.{name}", depth)

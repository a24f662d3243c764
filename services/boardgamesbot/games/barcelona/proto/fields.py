"""Fields of messages, in both directions: what the messages of moves, events and tasks are put together from.

A field turns a value of the engine into what the message holds, and back with nothing taken on trust. Numbers that a
person counts are one higher in messages, and 0 there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from boardgamesbot.games.barcelona.proto.effects import effect_texts
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset
from boardgamesbot.games.base import Malformed

MOST_PLAYERS = 4
MOST = 99_999
"""More than any number of points or pieces comes to, and safe to add to."""


class Field(NamedTuple):
    """One field of a message."""

    name: str
    write: Callable[[Any], Any]
    """What the message holds for a value of the engine."""
    read: Callable[[Any, str], Any]
    """The value of the engine for what the message holds; raises Malformed with the path given."""


class Shape(NamedTuple):
    """A message that is one choice of a oneof."""

    name: str
    make: Callable[..., Any]
    fields: tuple[Field, ...] = ()

    def write(self, values: Iterable[Any]) -> dict[str, Any]:
        """The choice, by its name, that holds these values."""
        held = {field.name: field.write(value) for field, value in zip(self.fields, values, strict=True)}
        return {self.name: self.make(**held)}

    def read(self, message: Any, where: str) -> list[Any]:
        """The values, in the order of the fields, that a choice holds."""
        return [field.read(getattr(message, field.name), f"{where}.{field.name}") for field in self.fields]


class Ids:
    """The ids of a ruleset's tiles, by kind, and its effects in words."""

    def __init__(self, ruleset: BarcelonaRuleset) -> None:
        self.actions = tuple(entry.id for entry in ruleset.actions)
        self.services = tuple(entry.id for entry in ruleset.services)
        self.sagrada = tuple(entry.id for entry in ruleset.sagrada_tiles)
        self.scorings = tuple(entry.id for entry in ruleset.scorings)
        self.amenities = tuple(entry.id for entry in ruleset.amenities)
        self.violet = tuple(entry.id for entry in ruleset.violet)
        self.effects = effect_texts(ruleset.nodes)


def within(number: int, low: int, high: int, where: str) -> int:
    """A number, if it is from `low` to `high`."""
    if not low <= number <= high:
        raise Malformed(where, f"must be {low} to {high}, not {number}")
    return number


def so_many(values: Sequence[Any], count: int, where: str) -> None:
    """Refuse a list that has not `count` elements."""
    if len(values) != count:
        raise Malformed(where, f"must have {count} elements, not {len(values)}")


def number_of(ids: Sequence[str], name: str, where: str) -> int:
    """The number of a tile by its id."""
    if name not in ids:
        raise Malformed(where, f"{name[:32]!r} is not one of {', '.join(ids)}" if name else "is missing")
    return ids.index(name)


def number(name: str, low: int, high: int) -> Field:
    """A number that is the same inside."""
    return Field(name, int, lambda held, where: within(held, low, high, where))


def amount(name: str) -> Field:
    """How many of something, from 0."""
    return number(name, 0, MOST)


def seat(name: str) -> Field:
    """A seat, from 0."""
    return number(name, 0, MOST_PLAYERS - 1)


def counted(name: str, count: int, *, none: bool = False) -> Field:
    """One of `count` things that a person counts from 1; with `none`, 0 is none of them (inside -1)."""
    return Field(name, lambda value: value + 1, lambda held, where: within(held, 0 if none else 1, count, where) - 1)


def enum(name: str, last: int, *, first: int = 1) -> Field:
    """A value of an enum of the contract, from 1; inside, they begin with `first`."""
    return Field(name, lambda value: value + 1 - first, lambda held, where: within(held, 1, last, where) - 1 + first)


def member(name: str, kind: type[IntEnum]) -> Field:
    """A member of an enum of the engine that has the numbers of the contract's."""
    return Field(name, int, lambda held, where: kind(within(held, min(kind), max(kind), where)))


def truth(name: str) -> Field:
    """Whether something is so."""
    return Field(name, bool, lambda held, _: bool(held))


def bit(name: str) -> Field:
    """Whether something is so, inside as 0 or 1."""
    return Field(name, bool, lambda held, _: int(held))


def tile(name: str, ids: Sequence[str], *, none: bool = False) -> Field:
    """A tile by its id; with `none`, an empty id is no tile (inside -1)."""

    def read(held: str, where: str) -> int:
        return -1 if none and not held else number_of(ids, held, where)

    return Field(name, lambda value: "" if none and value < 0 else ids[value], read)


def several(one: Field, *, most: int = 64) -> Field:
    """A list of what `one` is, inside as a tuple."""

    def read(held: Sequence[Any], where: str) -> tuple[Any, ...]:
        if len(held) > most:
            raise Malformed(where, f"must have at most {most} elements, not {len(held)}")
        return tuple(one.read(element, f"{where}[{i}]") for i, element in enumerate(held))

    return Field(one.name, lambda values: [one.write(value) for value in values], read)


def citizen(name: str, *, unknown: bool = False) -> Field:
    """A citizen by class; with `unknown`, it may be one that the reader does not know (0)."""
    return number(name, 0 if unknown else 1, 3)

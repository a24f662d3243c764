"""Dataclasses that came over the broker or a socket, read with nothing taken on trust."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from types import UnionType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from boardgamesbot.games.base import Malformed

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def read(kind: type[T], about: Mapping[str, Any]) -> T:
    """Named values as the dataclass they were made from. Raises Malformed with the field that is not of its type."""
    wanted = _types(kind)
    for name in about:
        if name not in wanted:
            raise Malformed(name, "is no part of it")
    for field in fields(kind):
        if field.name not in about:
            if field.default is MISSING:
                raise Malformed(field.name, "is missing")
        elif type(about[field.name]) not in wanted[field.name]:
            raise Malformed(field.name, f"is {type(about[field.name]).__name__}, which it must not be")
    return kind(**about)


@lru_cache
def _types(kind: type[DataclassInstance]) -> dict[str, tuple[type, ...]]:
    """The types of each field; JSON writes a whole number where a fraction may be."""
    found = {}
    for name, hint in get_type_hints(kind).items():
        types = get_args(hint) if isinstance(hint, UnionType) else (get_origin(hint) or hint,)
        found[name] = (*types, int) if float in types else tuple(types)
    return found

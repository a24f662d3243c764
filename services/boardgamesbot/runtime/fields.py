"""Reading the fields of a request: what makes no sense is refused with the path of the field."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from boardgamesbot.games.base import Malformed
from boardgamesbot.runtime import errors

A = TypeVar("A")
R = TypeVar("R")

REQUEST_ID_LENGTH = 64


def read(field: str, reader: Callable[[A], R], value: A) -> R:
    """`reader(value)`, its Malformed turned into a refusal of `field` (empty: the reader's own path)."""
    try:
        return reader(value)
    except Malformed as error:
        raise errors.malformed(error.under(field) if field else error) from None


def request_id(value: str) -> str:
    """A request id: 1 to 64 printable characters. Raises ApiError."""
    if not value:
        raise errors.invalid_field("request_id", "is missing: make one up, unique for this call")
    if len(value) > REQUEST_ID_LENGTH or not value.isprintable():
        raise errors.invalid_field("request_id", f"must be 1 to {REQUEST_ID_LENGTH} printable characters")
    return value

"""Reading the fields of a request about a table: what makes no sense is refused with the path of the field."""

from __future__ import annotations

from boardgamesbot.runtime import errors
from boardgamesbot.runtime.fields import read, request_id
from boardgamesbot.store.keys import is_table_id


def table_id(value: str) -> str:
    """A table id that could be one. Raises ApiError (INVALID_FIELD, or TABLE_NOT_FOUND where it is only unknown)."""
    if not value:
        raise errors.invalid_field("table_id", "is missing")
    if not is_table_id(value):
        raise errors.table_not_found(value)
    return value


def version(value: int) -> int:
    """The version of a table. Raises ApiError."""
    if value < 1:
        raise errors.invalid_field("version", f"must be the version the request was made for, from 1, not {value}")
    return value


__all__ = ["read", "request_id", "table_id", "version"]

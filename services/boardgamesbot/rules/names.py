"""Names as they are shown at tables."""

from __future__ import annotations

import unicodedata

from boardgamesbot.runtime import errors

NAME_LENGTH = 32


def clean_name(name: str) -> str:
    """A name as it is shown: one line, nothing invisible. Raises ApiError (INVALID_FIELD)."""
    clean = " ".join(unicodedata.normalize("NFKC", name).split())
    if len(clean) > NAME_LENGTH:
        raise errors.invalid_field("name", f"must have at most {NAME_LENGTH} characters, has {len(clean)}")
    if not clean.isprintable():
        raise errors.invalid_field("name", "holds characters that can't be shown")
    return clean

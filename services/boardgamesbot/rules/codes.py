"""Codes of tables: short enough to be read out, hard to guess, and without letters that look or sound alike."""

from __future__ import annotations

import hashlib

from boardgamesbot.runtime import errors

LENGTH = 6
LETTERS = "ACDEFGHJKLMNPQRTUVWXY3479"
TRIES = 20


def code_from(digest: bytes, attempt: int) -> str:
    """The code that belongs to an unpredictable `digest`, another one for every `attempt`."""
    number = int.from_bytes(hashlib.sha256(b"code" + attempt.to_bytes(2) + digest).digest())
    return "".join(LETTERS[number // len(LETTERS) ** i % len(LETTERS)] for i in range(LENGTH))


def typed(value: str) -> str:
    """A code as somebody typed it. Raises ApiError (INVALID_FIELD)."""
    code = "".join(value.split()).replace("-", "").upper()
    if not code:
        raise errors.invalid_field("code", "is missing")
    if len(code) != LENGTH or not set(code) <= set(LETTERS):
        raise errors.invalid_field("code", f"has {LENGTH} characters, of {LETTERS}")
    return code

"""Tokens kept in files, so that a program comes back as the player it was."""

from __future__ import annotations

import os
from pathlib import Path

OWNER_ONLY = 0o600


def kept_token(file: Path) -> str:
    """The token of a file; empty where there is no such file. Raises OSError."""
    try:
        return file.read_text("ascii").strip()
    except FileNotFoundError:
        return ""


def keep_token(file: Path, token: str) -> None:
    """Write a token to a file that only its owner may read; never half a token. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w", encoding="ascii") as written:
        written.write(token + "\n")
    fresh.replace(file)

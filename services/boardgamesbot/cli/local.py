"""What `bgb serve` leaves on this machine for the other commands of whoever runs it."""

from __future__ import annotations

import os
from pathlib import Path

from boardgamesbot.store.embedded import server_url

URL_NAME = "url"


def data_folder() -> Path:
    """Where `bgb serve` keeps its data unless told otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "boardgamesbot"


def keep_redis_url(redis_data: Path, port: int) -> str:
    """Leave the address of the Redis with its data there, password and all, where only this user reads it; gives it."""
    redis_data.mkdir(mode=0o700, exist_ok=True)
    url, path = server_url(redis_data, port), redis_data / URL_NAME
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{url}\n")
    draft.replace(path)
    return url


def kept_redis_url() -> str | None:
    """Where the Redis of the last `bgb serve` is; None where there was none."""
    data = Path(os.environ.get("BGB_DATA") or data_folder())
    try:
        return (data / "redis" / URL_NAME).read_text("ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None

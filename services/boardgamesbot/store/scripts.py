"""The Lua scripts of this package."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.commands.core import AsyncScript


def script(redis: Redis, name: str, *, after: str = "") -> AsyncScript:
    """The script in `<name>.lua`, put behind `<after>.lua` if named; it is sent once, then called by its hash."""
    parts = [files(__package__).joinpath(f"{part}.lua").read_text("utf-8") for part in (after, name) if part]
    return redis.register_script("\n".join(parts))

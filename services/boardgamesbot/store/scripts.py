"""The Lua scripts of this package."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.commands.core import AsyncScript


def script(redis: Redis, name: str) -> AsyncScript:
    """The script in `<name>.lua`; it is sent once, then called by its hash."""
    return redis.register_script(files(__package__).joinpath(f"{name}.lua").read_text("utf-8"))

"""What `bgb serve` leaves on this machine for the other commands of whoever runs it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from boardgamesbot.client.here import SERVERS_NAME, data_folder, servers_here
from boardgamesbot.store.embedded import server_url

F = TypeVar("F", bound=Callable[..., Any])

URL_NAME = "url"
SERVERS = ("rules_address", "bots_address", "matchmaking_address", "gateway_address")
"""The settings that say where servers are."""
KEPT = (*SERVERS, "archive")
"""The settings of a running `bgb serve` that other commands work with too, besides its Redis."""
_DATA = f"{__name__}.data"


def _note_data(context: click.Context, _: click.Parameter, data: Path | None) -> None:
    context.meta[_DATA] = data


def data_option(command: F) -> F:
    """`--data`, for commands that look for what a `bgb serve` has left; `data_here` gives it."""
    return click.option(
        "--data", type=click.Path(file_okay=False, path_type=Path), envvar="BGB_DATA", default=None,
        callback=_note_data, expose_value=False,
        help="The folder of the `bgb serve` that is meant.  [BGB_DATA; ~/.local/share/boardgamesbot]",
    )(command)  # fmt: skip


def data_here() -> Path:
    """The folder of the `bgb serve` that is meant: that of `--data`, of BGB_DATA, or the usual one."""
    context = click.get_current_context(silent=True)
    given: Path | None = context.meta.get(_DATA) if context else None
    return given or data_folder()


def keep_redis_url(redis_data: Path, port: int) -> str:
    """Leave the address of the Redis with its data there, password and all, where only this user reads it; gives it."""
    redis_data.mkdir(mode=0o700, exist_ok=True)
    url = server_url(redis_data, port)
    _keep(redis_data / URL_NAME, f"{url}\n")
    return url


def kept_redis_url() -> str | None:
    """Where the Redis of the last `bgb serve` is; None where there was none."""
    try:
        return (data_here() / "redis" / URL_NAME).read_text("ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def keep_servers(data: Path, settings: Mapping[str, str]) -> None:
    """Leave what other commands are to work with while these servers run: a value for each of KEPT."""
    _keep(data / SERVERS_NAME, json.dumps({name: settings[name] for name in KEPT}, indent=1) + "\n")


def forget_servers(data: Path) -> None:
    """Take back what `keep_servers` has left."""
    (data / SERVERS_NAME).unlink(missing_ok=True)


def kept_servers() -> dict[str, str]:
    """What the `bgb serve` that runs now has left; nothing where none runs."""
    return {name: value for name, value in servers_here(data_here()).items() if name in KEPT}


def found(given: Collection[str]) -> dict[str, str]:
    """The settings that a `bgb serve` of this machine answers for, where those `given` (names) leave it open.

    Who names a Redis means that one; who names a Redis or a server means another platform than the one here.
    """
    settings = {}
    if "redis_url" not in given:
        if url := kept_redis_url():
            settings["redis_url"] = url
        if not set(SERVERS) & set(given):
            settings |= {name: value for name, value in kept_servers().items() if name not in given}
    return settings


def _keep(path: Path, text: str) -> None:
    """Write a file that only this user reads; it is whole at any moment."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    draft.replace(path)

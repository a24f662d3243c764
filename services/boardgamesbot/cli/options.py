"""Options that several commands share, and how a command gets its settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from boardgamesbot.runtime.settings import BadSetting, Settings

F = TypeVar("F", bound=Callable[..., Any])

_DEFAULTS = Settings()


def setting(name: str, help: str) -> Callable[[F], F]:
    """The flag of a setting; its environment variable and its default are shown in the help."""
    flag = "--" + name.replace("_", "-")
    default = getattr(_DEFAULTS, name)
    shown = f"{help}  [BGB_{name.upper()}" + (f"; {default}]" if default != "" else "]")
    return click.option(flag, name, type=type(default), default=None, help=shown)


def settings(**overrides: Any) -> Settings:
    """The settings of the environment and of the flags given. Ends the program with a clear message if they are bad."""
    try:
        return Settings.from_environment(**overrides)
    except BadSetting as error:
        raise click.ClickException(str(error)) from None


redis_url = setting("redis_url", "The platform's Redis.")
broker_url = setting("broker_url", "Celery's broker; left out: the same Redis.")
rules_address = setting("rules_address", "Where the rules server is.")
bots_address = setting("bots_address", "Where the bots server is.")
log_level = setting("log_level", "debug, info, warning or error.")
log_format = setting("log_format", "console or json.")


def common(command: F) -> F:
    """The options every program of the platform has."""
    for option in (log_format, log_level, redis_url):
        command = option(command)
    return command

"""Options that several commands share, and how a command gets its settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

import click

from boardgamesbot.games import registry
from boardgamesbot.games.base import Game
from boardgamesbot.runtime import rulesets
from boardgamesbot.runtime.settings import BadSetting, Settings

F = TypeVar("F", bound=Callable[..., Any])

_DEFAULTS = Settings()


def setting(name: str, help: str) -> Callable[[F], F]:
    """The flag of a setting; its environment variable and its default are shown in the help."""
    flag = "--" + name.replace("_", "-")
    default = getattr(_DEFAULTS, name)
    shown = f"{help}  [BGB_{name.upper()}" + (f"; {default}]" if default != "" else "]")
    return click.option(flag, name, type=type(default), default=None, help=shown)


class UnusableRuleset(click.ClickException):
    """A ruleset file is bad: nothing is started with it."""

    exit_code = 2


def settings(**overrides: Any) -> Settings:
    """The settings of the environment and of the flags given, their rulesets put to use.

    Ends the program with a clear message if they are bad.
    """
    try:
        given = Settings.from_environment(**overrides)
        rulesets.use(given.ruleset)
    except BadSetting as error:
        raise click.ClickException(str(error)) from None
    except rulesets.BadRuleset as error:
        raise UnusableRuleset(str(error)) from None
    return given


redis_url = setting("redis_url", "The platform's Redis.")
broker_url = setting("broker_url", "Celery's broker; left out: the same Redis.")
rules_address = setting("rules_address", "Where the rules server is.")
bots_address = setting("bots_address", "Where the bots server is.")
ruleset = click.option(
    "--ruleset",
    multiple=True,
    metavar="FILE",
    callback=lambda _, __, files: os.pathsep.join(files) or None,
    help="Play with the figures of this file, `bgb ruleset --help` says how; once for each game.  [BGB_RULESET]",
)
log_level = setting("log_level", "debug, info, warning or error.")
log_format = setting("log_format", "console or json.")


def common(command: F) -> F:
    """The options every program of the platform has."""
    for option in (log_format, log_level, ruleset, redis_url):
        command = option(command)
    return command


_WITHOUT = "NONE"
"""The default of an option that is something a game is played without or with."""


def shorthands(games: Mapping[str, Game | type[Game]]) -> dict[str, dict[str, str]]:
    """The options that deserve a flag of their own name: by default without it, else with it, and nothing between.

    By flag, what it stands for in each game that has it: `{"expansion": {"barcelona": "PASSEIG_DE_GRACIA"}}`.
    """
    found: dict[str, dict[str, str]] = {}
    for game_id, game in games.items():
        for option in game.options:
            if option.default == _WITHOUT and len(option.values) == 2:
                found.setdefault(option.name, {})[game_id] = option.values[1].name
    return found


def game_options(command: F) -> F:
    """`--option NAME=VALUE` and its shorthands; the command gets all of them as `given_options`, pairs of strings.

    A shorthand that the game named does not have is passed on all the same, for the game to refuse.
    """
    flags = shorthands(registry.KINDS)

    @wraps(command)
    def with_pairs(*args: Any, given_options: tuple[str, ...], **others: Any) -> Any:
        meant = flags_meant(flags, {name: others.pop(name) for name in flags}, others.get("game_id"))
        pairs = [(name, value) for name, _, value in (given.partition("=") for given in given_options)]
        return command(*args, given_options=(*meant, *pairs), **others)

    made = click.option(
        "--option", "given_options", multiple=True, metavar="NAME=VALUE", help="An option of the game; may be repeated."
    )(with_pairs)
    for name, values in flags.items():
        long = "; ".join(f"{game_id}: --option {name}={value}" for game_id, value in values.items())
        made = click.option(f"--{name.replace('_', '-')}", name, is_flag=True, help=f"Short for  {long}")(made)
    return cast(F, made)


def flags_meant(
    flags: Mapping[str, Mapping[str, str]], given: Mapping[str, bool], game_id: str | None
) -> list[tuple[str, str]]:
    """The options that shorthands stand for in a game."""
    return [(name, flags[name].get(game_id or "", "")) for name, is_given in given.items() if is_given]

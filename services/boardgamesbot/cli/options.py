"""Options that several commands share, and how a command gets its settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from boardgamesbot.cli import local
from boardgamesbot.games import registry
from boardgamesbot.games.base import Flag, Game, Option
from boardgamesbot.runtime import rulesets
from boardgamesbot.runtime.settings import ENVIRONMENT_PREFIX, FILE_SUFFIX, BadSetting, Settings

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
    chosen = {name: value for name, value in overrides.items() if value is not None}
    try:
        given = Settings.from_environment(None, **found(chosen), **chosen)
        _check_page(given.page)
        rulesets.use(given.ruleset)
    except BadSetting as error:
        raise click.ClickException(str(error)) from None
    except rulesets.BadRuleset as error:
        raise UnusableRuleset(str(error)) from None
    return given


def found(chosen: Collection[str] = ()) -> dict[str, str]:
    """The settings that a `bgb serve` on this machine answers for: neither the environment nor `chosen` names them."""
    prefix = ENVIRONMENT_PREFIX
    variables = {name.removesuffix(FILE_SUFFIX) for name, value in os.environ.items() if name.startswith(prefix)}
    return local.found({*chosen, *(name.removeprefix(prefix).lower() for name in variables)})


def _check_page(folder: str) -> None:
    """Raises BadSetting for a folder that is named and not there; `web/dist` may be built later."""
    if folder and not Path(folder).is_dir():
        raise BadSetting(f"BGB_PAGE: there is no folder {folder}")


data = local.data_option
redis_url = setting("redis_url", "The platform's Redis.")
broker_url = setting("broker_url", "Celery's broker; left out: the same Redis.")
rules_address = setting("rules_address", "Where the rules server is.")
bots_address = setting("bots_address", "Where the bots server is.")
matchmaking_address = setting("matchmaking_address", "Where the matchmaking server is.")
gateway_address = setting("gateway_address", "Where the gateway is.")
ruleset = click.option(
    "--ruleset",
    multiple=True,
    metavar="FILE",
    callback=lambda _, __, files: os.pathsep.join(files) or None,
    help="Play with the figures of this file, `bgb ruleset --help` says how; once for each game.  [BGB_RULESET]",
)
log_level = setting("log_level", "debug, info, warning or error.")
log_format = setting("log_format", "console or json.")
metrics_listen = setting("metrics_listen", "Where to answer /metrics, /healthz and /readyz.")
traces = setting("traces", "Where traces go: grpc://HOST:PORT, or an http URL.")


def common(command: F) -> F:
    """The options every program of the platform has."""
    return told(ruleset(redis_url(command)))


def told(command: F) -> F:
    """What every program tells of itself, and where: logs, metrics, traces."""
    for option in (traces, metrics_listen, log_format, log_level):
        command = option(command)
    return command


@dataclass(frozen=True)
class Meant:
    """What a flag means in one game."""

    option: Option
    flag: Flag


Flags = Mapping[str, Mapping[str, Meant]]
"""By the flag's name, what it means in each game that has it."""


def flags_of(games: Mapping[str, Game | type[Game]]) -> Flags:
    """The flags that the options of these games have."""
    found: dict[str, dict[str, Meant]] = {}
    for game_id, game in games.items():
        for option in game.options:
            for flag in option.flags:
                found.setdefault(flag.name, {})[game_id] = Meant(option, flag)
    return found


def game_options(command: F) -> F:
    """`--option NAME=VALUE` and the games' flags; the command gets all of them as `given_options`, pairs of strings."""
    flags = flags_of(registry.KINDS)

    @wraps(command)
    def with_pairs(*args: Any, given_options: tuple[str, ...], **others: Any) -> Any:
        typed = {name: value for name in flags if (value := others.pop(_parameter(name)))}
        game_id = others.get("game_id")
        pairs = [spelled(game_id, *given.partition("=")[::2]) for given in given_options]
        chosen = options_meant(flags, typed, pairs, game_id)
        return command(*args, given_options=chosen, **others)

    made = click.option(
        "--option",
        "given_options",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the game, in any case; may be repeated.",
    )(with_pairs)
    for name in reversed(list(flags)):
        made = _flag(name, flags[name])(made)
    return cast(F, made)


def spelled(game_id: str | None, name: str, value: str) -> tuple[str, str]:
    """An option and its value as the game spells them, in whatever case they were typed; else as they were typed."""
    for option in registry.KINDS[game_id].options if game_id else ():
        if option.name.lower() == name.lower():
            names = {one.name.lower(): one.name for one in option.values}
            return option.name, names.get(value.lower(), value)
    return name, value


def _parameter(name: str) -> str:
    return f"flag_{name}"


def _flag(name: str, meant: Mapping[str, Meant]) -> Callable[[F], F]:
    """A flag as click has it: a switch, or one that is followed by a choice."""
    choices = dict.fromkeys(choice for one in meant.values() for choice in one.flag.choices)
    long = "; ".join(
        f"{game_id}: --option {one.option.name}={one.flag.value or '|'.join(one.flag.choices)}"
        for game_id, one in meant.items()
    )
    needs = ", ".join(dict.fromkeys(f"with --{one.flag.needs}" for one in meant.values() if one.flag.needs))
    shown = f"Short for  {long}" + (f"  ({needs})" if needs else "")
    if choices:
        kind = click.Choice([choice.lower() for choice in choices], case_sensitive=False)
        return click.option(f"--{name}", _parameter(name), type=kind, default=None, help=shown)
    return click.option(f"--{name}", _parameter(name), is_flag=True, help=shown)


def options_meant(
    flags: Flags, typed: Mapping[str, str | bool], pairs: Sequence[tuple[str, str]], game_id: str | None
) -> list[tuple[str, str]]:
    """The options that flags and `--option` name together, each once. Raises UsageError where they contradict.

    Without a game nobody knows what they mean; they are given back as they are.
    """
    if game_id is None:
        return [*((name, "") for name in typed), *pairs]
    named = dict(pairs)
    meant: dict[str, str] = {}
    for name, value in typed.items():
        if game_id not in flags[name]:
            raise click.UsageError(f"--{name} is for {', '.join(flags[name])}, not for {game_id}")
        option, flag = flags[name][game_id].option, flags[name][game_id].flag
        if option.name in named:
            given = f"--option {option.name}={named[option.name]}"
            raise click.UsageError(f"--{name} and {given} are for the same: leave one out")
        if flag.needs and flag.needs not in typed:
            needed = flags[flag.needs][game_id].option
            if named.get(needed.name, needed.default) == needed.default:
                raise click.UsageError(f"--{name} goes with --{flag.needs}")
        meant[option.name] = flag.value or next(choice for choice in flag.choices if choice.lower() == value)
    return [*meant.items(), *pairs]

"""`bgb settings`: what a program started here would work with, and whether it could."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields

import click

from boardgamesbot.cli import options
from boardgamesbot.runtime.masking import shown
from boardgamesbot.runtime.settings import ENVIRONMENT_PREFIX, FILE_SUFFIX, Settings

OTHERS = ("BGB_DATA", "BGB_COMPILE")
"""Variables of ours that are no settings of a program: of `bgb serve`, and of the build."""


@dataclass(frozen=True)
class Effective:
    """A setting as it is here."""

    name: str
    """Of the variable."""
    value: str
    """With nothing secret in it."""
    source: str
    """default, environment, file, or bgb serve: what one that has run here has left."""
    remark: str = ""
    """What one might take it for and it is not."""


@click.command()
@click.option("--check", is_flag=True, help="Only say what is wrong; exit status 1 if anything is.")
@click.option("--changed", is_flag=True, help="Only those that are not as they come.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@options.data
def settings(check: bool, changed: bool, as_json: bool) -> None:
    """Show the settings of this environment, keys and passwords masked, and refuse those that make no sense.

    What `bgb serve` was told and nothing here names is found in its folder: where its Redis is and, while it runs,
    where its servers are and its archive. Others look for servers at BGB_…_ADDRESS; BGB_…_LISTEN is where a server
    would listen that were started here by itself, and is marked where the one that runs is elsewhere.

    A variable BGB_… that is no setting is named: it is most often a slip of the pen.
    """
    left = options.found()
    given = options.settings()
    strangers = list(unknown(os.environ))
    for stranger in strangers:
        click.echo(stranger, err=True)
    if not check:
        _print([one for one in effective(given, os.environ, left) if not changed or one.source != "default"], as_json)
    elif not strangers:
        click.echo("The settings make sense.")
    sys.exit(1 if check and strangers else 0)


def effective(given: Settings, environment: Mapping[str, str], left: Collection[str]) -> Iterator[Effective]:
    """Every setting in the order of the table; those `left` (names) are known from a `bgb serve`."""
    for setting in fields(given):
        name = ENVIRONMENT_PREFIX + setting.name.upper()
        unnamed = "bgb serve" if setting.name in left else "default"
        source = "file" if environment.get(name + FILE_SUFFIX) else "environment" if name in environment else unnamed
        remark = _elsewhere(setting.name, given, left) if source == "default" else ""
        yield Effective(name, shown(setting.name, getattr(given, setting.name)), source, remark)


def _elsewhere(name: str, given: Settings, left: Collection[str]) -> str:
    """That the server which runs is not where this setting says, if it is not."""
    address = name.removesuffix("_listen") + "_address"
    if not name.endswith("_listen") or address not in left or getattr(given, address) == getattr(given, name):
        return ""
    return f"not in use: `bgb serve` runs, and its server is at {getattr(given, address)}"


def unknown(environment: Mapping[str, str]) -> Iterator[str]:
    """What to say about each variable that begins like ours and is none."""
    names = [ENVIRONMENT_PREFIX + setting.name.upper() for setting in fields(Settings)]
    known = {*names, *(name + FILE_SUFFIX for name in names), *OTHERS}
    for stranger in sorted(environment):
        if stranger.startswith(ENVIRONMENT_PREFIX) and stranger not in known:
            near = difflib.get_close_matches(stranger, known, n=1)
            yield f"{stranger} is no setting" + (f": is {near[0]} meant?" if near else "")


def _print(found: list[Effective], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({one.name: _as_json(one) for one in found}, indent=1))
        return
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        remark = f"  ({one.remark})" if one.remark else ""
        click.echo(f"{one.name:<{width}}  {one.source:<11}  {one.value}{remark}")


def _as_json(one: Effective) -> dict[str, str]:
    found = {"value": one.value, "from": one.source}
    return found | {"remark": one.remark} if one.remark else found

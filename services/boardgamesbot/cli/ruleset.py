"""`bgb ruleset`: the figures of a game, to be read, edited and checked."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import click

from boardgamesbot.cli import options
from boardgamesbot.games import registry
from boardgamesbot.games.rulesets import WIDTH, differences, page, parts_of, shipped_parts, sourced
from boardgamesbot.runtime import rulesets


@click.group()
def ruleset() -> None:
    """Print the figures of a game, or check a file with your own.

    \b
    bgb ruleset agora > mine.json     then edit it,
    bgb ruleset check mine.json       see that it is sound and what it changes,
    bgb serve --ruleset mine.json     and play with it

    A file holds any of the parts of a ruleset; one that it leaves out is as shipped.
    """


def _lines(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Entries with a note one a line; others beside their neighbours: `scorings: PASSENGER, WIDE, …`."""
    for (parent, note), group in groupby(entries, lambda entry: (entry[0].rpartition(".")[0], entry[1])):
        names = ", ".join(where.rpartition(".")[2] for where, _ in group)
        line = f"{parent}: {names}" + (f" ({note})" if note else "")
        yield from textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _printer(game_id: str) -> click.Command:
    @click.command(game_id, help=f"Print the ruleset of {registry.KINDS[game_id].name} that is in use, as JSON.")
    @click.option("--part", "names", multiple=True, metavar="NAME", help="Only this part; may be repeated.")
    @click.option("--source", default=None, help="No JSON, but which entries are of this source: reconstructed, …")
    @options.ruleset
    def show(names: tuple[str, ...], source: str | None, ruleset: str | None) -> None:
        options.settings(ruleset=ruleset)
        parts = parts_of(registry.CODECS.ruleset(game_id))
        for name in names:
            if name not in parts:
                raise click.BadParameter(f"there is no part {name!r}; there is {', '.join(parts)}", param_hint="--part")
        chosen = {name: parts[name] for name in names or parts}
        if source is None:
            click.echo(page(game_id, chosen), nl=False)
            return
        for line in _lines(sourced(chosen, source)):
            click.echo(line)

    return show


for _game_id in registry.KINDS:
    ruleset.add_command(_printer(_game_id))


@ruleset.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Say what is wrong with FILE, or what it changes. Exit status 2 if a game can't be played with it."""
    try:
        game_id, document = rulesets.read(file)
    except rulesets.BadRuleset as error:
        raise options.UnusableRuleset(str(error)) from None
    changed = list(differences(shipped_parts(game_id), json.loads(document)))
    click.echo(f"{file}: sound, a ruleset of {game_id}, hash {registry.CODECS.load(game_id, document).hash}")
    click.echo(f"{len(changed) or 'no'} value{'' if len(changed) == 1 else 's'} other than shipped")
    for change in changed:
        click.echo(f"  {change.where}: {change.own}, shipped: {change.shipped}")

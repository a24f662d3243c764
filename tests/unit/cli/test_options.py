"""Options of games on the command line, and the flags that are short for them."""

from __future__ import annotations

from collections.abc import Sequence

import click
import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main
from boardgamesbot.cli.options import game_options, shorthands
from boardgamesbot.games.base import Game, Option, OptionValue


def game_with(*options: Option) -> type[Game]:
    """A game of which only its options are known."""
    return type("Some", (Game,), {"options": options})


def option(name: str, *values: str) -> Option:
    """An option with these values."""
    return Option(name, name, tuple(OptionValue(value, value) for value in values))


def test_an_option_that_is_without_or_with_gets_a_flag() -> None:
    games = {
        "one": game_with(option("dragons", "NONE", "FIERCE"), option("map", "SMALL", "LARGE")),
        "two": game_with(option("dragons", "NONE", "MILD"), option("cards", "NONE", "FEW", "MANY")),
    }
    assert shorthands(games) == {"dragons": {"one": "FIERCE", "two": "MILD"}}


@click.command()
@click.argument("game_id")
@game_options
def show(game_id: str, given_options: Sequence[tuple[str, str]]) -> None:
    """Print what a command is given."""
    click.echo(f"{game_id} {dict(given_options)}")


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ([], {}),
        (["--expansion"], {"expansion": "PASSEIG_DE_GRACIA"}),
        (
            ["--option", "actions=FIRST_GAME", "--expansion"],
            {"expansion": "PASSEIG_DE_GRACIA", "actions": "FIRST_GAME"},
        ),
        (["--option", "expansion=NONE"], {"expansion": "NONE"}),
    ],
)
def test_a_command_is_given_pairs(words: list[str], given: dict[str, str]) -> None:
    result = CliRunner().invoke(show, ["barcelona", *words])
    assert result.output == f"barcelona {given}\n"


@pytest.mark.parametrize("command", ["simulate", "play"])
def test_the_help_says_what_a_flag_is_short_for(command: str) -> None:
    shown = CliRunner().invoke(main, [command, "--help"]).output
    assert "--option expansion=PASSEIG_DE_GRACIA" in " ".join(shown.split())


def test_a_game_without_the_option_refuses_its_flag() -> None:
    result = CliRunner().invoke(main, ["simulate", "agora", "--expansion"])
    assert result.exit_code != 0
    assert "Agora Barcelona has no such option" in result.output

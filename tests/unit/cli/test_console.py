"""What others have written can't command the terminal."""

from __future__ import annotations

import io

import click
import pytest
from click.testing import CliRunner
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from boardgamesbot.cli import main
from boardgamesbot.cli.console import Console, printable

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202eevil\u2066"


def shown(thing: object) -> str:
    file = io.StringIO()
    Console(file=file, force_terminal=True, width=80, highlight=False).print(thing)
    return file.getvalue()


@pytest.mark.parametrize("wrap", [escape, Text, lambda text: Panel(escape(text)), lambda text: Panel(Text(text))])
def test_nothing_of_a_text_reaches_the_terminal_as_a_command(wrap: object) -> None:
    assert callable(wrap)
    out = shown(wrap(EVIL))
    assert "evil" in out
    for command in ("\x1b]", "\x1b[2J", "\x07", "\x9b", "\x7f", "\u202e", "\u2066"):
        assert command not in out, repr(command)


def test_a_cell_of_a_table_is_no_way_round() -> None:
    table = Table()
    table.add_column("name")
    table.add_row(escape(EVIL))
    assert "\x1b]" not in shown(table)


def test_richs_own_colours_lines_and_letters_of_all_languages_stay() -> None:
    out = shown("[bold red]Núria[/bold red]\nנוריה\t×")
    assert "\x1b[1;31mNúria\x1b[0m\nנוריה" in out


def test_the_message_of_a_refusal_is_no_way_round(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def fails() -> None:
        raise click.ClickException(f"the server says {EVIL}")

    monkeypatch.setitem(main.commands, "fails", fails)
    result = CliRunner().invoke(main, ["fails"])
    assert result.exit_code == 1
    assert "the server says" in result.output
    assert "\x1b" not in result.output
    assert printable(EVIL) in result.output

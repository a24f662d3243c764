"""Lines too long for a terminal."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from click.testing import CliRunner

from boardgamesbot.cli import main
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.hanging import flowing, hanging

GOLDEN = Path(__file__).parents[2] / "golden"
WIDTH = 40


def test_what_is_folded_hangs_below_its_own_beginning() -> None:
    out = StringIO()
    console = Console(file=out, width=WIDTH)
    console.print(hanging(console, "  Ada [dim]built[/dim] a wide street on A1-B1 from stack 2", "  12  "))
    first, second = out.getvalue().splitlines()
    assert first.startswith("  12    Ada built a wide street")
    assert second.startswith(" " * 8)
    assert second[8] != " "
    assert max(map(len, (first, second))) <= WIDTH


def test_a_replay_is_numbered_and_nothing_else_stands_below_the_numbers() -> None:
    shown = CliRunner(env={"COLUMNS": "60"}).invoke(main, ["replay", str(GOLDEN / "barcelona-2.json")])
    assert shown.exit_code == 0, shown.output
    lines = shown.output.split("\n\n")[0].splitlines()
    told = [line for line in lines if line[:6].strip()]
    folded = [line for line in lines if not line[:6].strip()]
    assert len(folded) > 20
    assert all(line[:4].strip().isdecimal() for line in told)
    assert all(line.startswith(" " * 6) for line in folded)


def test_pieces_are_never_broken() -> None:
    assert flowing(["★ point", "● coin", "■ cloth"], 16) == ["★ point  ● coin", "■ cloth"]
    assert flowing([], 16) == []

"""Clocks on the command line."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import click
import pytest
from click.testing import CliRunner

from boardgamesbot.cli import timing
from boardgamesbot.v1 import tables_pb2


@click.command()
@timing.clock_options
def command(clock: tables_pb2.Clock | None, at_zero: str | None) -> None:
    meant = timing.clock_meant(clock, at_zero)
    click.echo("none" if meant is None else f"{timing.described(meant)}|{meant.at_zero}")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ([], "none"),
        (["--clock", "60"], "1:00 for each decision; a bot plays on for who is late, until they are back|1"),
        (["--clock", "1.5m", "--at-zero", "move"], "1:30 for each decision; a bot makes the decision of who is late|2"),
        (["--clock", "2d", "--at-zero", "resign"], "2 days 0 h for each decision; who is late has resigned|3"),
        (
            ["--clock", "10m+5s", "--at-zero", "bot"],
            "10:00 for the whole game, and 0:05 more each turn; a bot plays on for who is late, until they are back|1",
        ),
    ],
)
def test_a_clock_as_typed(words: list[str], shown: str) -> None:
    assert CliRunner().invoke(command, words).output.strip() == shown


@pytest.mark.parametrize("words", [["--clock", "soon"], ["--clock", "5x"], ["--clock", "5m+"], ["--at-zero", "bot"]])
def test_what_is_no_clock_is_refused(words: list[str]) -> None:
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (7.9, "0:07"), (600, "10:00"), (7199, "1:59:59"), (86_400, "1 day 0 h"), (172_800, "2 days 0 h")],
)
def test_time_as_it_is_shown(seconds: float, words: str) -> None:
    assert timing.spoken(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "pattern"), [(90, r"\d\d:\d\d:\d\d"), (172_800, r"[A-Z][a-z]{2} \d\d [A-Z][a-z]{2}, \d\d:\d\d")]
)
def test_until_when_there_is_time(seconds: int, pattern: str) -> None:
    countdown = timing.Countdown(tables_pb2.RunningClock(left_ms=seconds * 1000))
    assert re.fullmatch(pattern, countdown.until)
    end = datetime.now().astimezone() + timedelta(seconds=seconds)
    close = {f"{end + timedelta(seconds=late):%H:%M}" for late in (-60, 0, 60)}
    assert any(shown in countdown.until for shown in close)

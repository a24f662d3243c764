"""Clocks of tables on the command line: how they are typed, and how the time that is left is shown."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

import click
from google.protobuf.duration_pb2 import Duration

from boardgamesbot.v1 import tables_pb2

F = TypeVar("F", bound=Callable[..., Any])

AT_ZERO = {
    "bot": tables_pb2.AT_ZERO_BOT_PLAYS_ON,
    "move": tables_pb2.AT_ZERO_MOVE,
    "resign": tables_pb2.AT_ZERO_RESIGN,
}
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_A_DAY = timedelta(days=1)
_SPAN = re.compile(r"(\d{1,7}(?:\.\d{1,3})?)([smhd]?)")


def clock_options(command: F) -> F:
    """`--clock` and `--at-zero`; the command gets them as `clock` and `at_zero`, for `clock_meant`."""
    at_zero = click.option(
        "--at-zero",
        type=click.Choice(list(AT_ZERO)),
        default=None,
        help="When a player's time is up: a bot plays on till they are back, or makes the move, or they resign.  [bot]",
    )
    clock = click.option(
        "--clock",
        callback=_clock,
        metavar="TIME",
        default=None,
        help="A clock for the table: 60 (seconds a move), 2d (days a move), 10m+5s (a bank, and more each turn).",
    )
    return clock(at_zero(command))


def clock_meant(clock: tables_pb2.Clock | None, at_zero: str | None) -> tables_pb2.Clock | None:
    """The clock that the flags mean together. Raises UsageError."""
    if clock is None:
        if at_zero is not None:
            raise click.UsageError("--at-zero goes with --clock")
        return None
    meant = tables_pb2.Clock(at_zero=AT_ZERO[at_zero or "bot"])
    meant.MergeFrom(clock)
    return meant


def _clock(_: click.Context, __: click.Parameter, value: str | None) -> tables_pb2.Clock | None:
    if value is None:
        return None
    start, plus, increment = value.replace(" ", "").partition("+")
    if not plus:
        return tables_pb2.Clock(per_move=_span(start))
    return tables_pb2.Clock(bank=tables_pb2.TimeBank(start=_span(start), increment=_span(increment)))


def _span(typed: str) -> Duration:
    match = _SPAN.fullmatch(typed)
    if match is None:
        raise click.BadParameter(f"{typed!r} is no time: a number of seconds, or one with s, m, h or d behind it")
    span = Duration()
    span.FromMilliseconds(round(float(match[1]) * 1000) * _SECONDS[match[2]])
    return span


class Countdown:
    """What is left of a clock that ran when the server spoke last, counted down by this machine's stopwatch."""

    def __init__(self, running: tables_pb2.RunningClock) -> None:
        self._left = running.left_ms / 1000
        self._since = time.monotonic()

    @property
    def seconds(self) -> float:
        return max(0.0, self._left - (time.monotonic() - self._since))

    @property
    def until(self) -> str:
        """When it is at zero, by the clock and calendar of this machine."""
        now = datetime.now().astimezone()
        end = now + timedelta(seconds=self.seconds)
        return f"{end:%H:%M:%S}" if end - now < _A_DAY else f"{end:%a %d %b, %H:%M}"

    def __str__(self) -> str:
        return spoken(self.seconds)


def spoken(seconds: float) -> str:
    """`0:07`, `9:58`, `1:59:59`, `1 day 23 h`."""
    whole = int(seconds)
    days, hours, minutes = whole // 86_400, whole // 3600 % 24, whole // 60 % 60
    if days:
        return f"{days} day{'s' if days > 1 else ''} {hours} h"
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def described(clock: tables_pb2.Clock) -> str:
    """A clock in words."""
    if clock.HasField("bank"):
        time_there_is = (
            f"{spoken(clock.bank.start.ToMilliseconds() / 1000)} for the whole game, and "
            f"{spoken(clock.bank.increment.ToMilliseconds() / 1000)} more each turn"
        )
    else:
        time_there_is = f"{spoken(clock.per_move.ToMilliseconds() / 1000)} for each decision"
    at_zero = {
        tables_pb2.AT_ZERO_MOVE: "a bot makes the decision of who is late",
        tables_pb2.AT_ZERO_RESIGN: "who is late has resigned",
    }.get(clock.at_zero, "a bot plays on for who is late, until they are back")
    return f"{time_there_is}; {at_zero}"

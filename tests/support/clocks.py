"""Clocks for tables, and time called at them by hand: no dispatcher, no worker."""

from __future__ import annotations

import asyncio
from typing import Self

from google.protobuf.duration_pb2 import Duration

from boardgamesbot.bots.timekeeper import Timekeeper
from boardgamesbot.client import SyncClient
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.v1 import tables_pb2
from tests.support.bots import TOKEN_KEY


def duration(ms: int) -> Duration:
    made = Duration()
    made.FromMilliseconds(ms)
    return made


def per_move(ms: int, at_zero: tables_pb2.AtZero.ValueType = tables_pb2.AT_ZERO_UNSPECIFIED) -> tables_pb2.Clock:
    """So much for every decision."""
    return tables_pb2.Clock(per_move=duration(ms), at_zero=at_zero)


def bank(
    start_ms: int, increment_ms: int = 0, at_zero: tables_pb2.AtZero.ValueType = tables_pb2.AT_ZERO_UNSPECIFIED
) -> tables_pb2.Clock:
    """So much for the whole game."""
    given = tables_pb2.TimeBank(start=duration(start_ms), increment=duration(increment_ms))
    return tables_pb2.Clock(bank=given, at_zero=at_zero)


class Time:
    """Calls time at a rules server that signs with `TOKEN_KEY`."""

    def __init__(self, address: str) -> None:
        self._address = address

    def __enter__(self) -> Self:
        self._client = SyncClient(self._address)
        self._keeper = Timekeeper(self._client, Tokens(TOKEN_KEY.encode(), 60))
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    async def call(self, table_id: str, version: int) -> bool:
        """Say that time is up; whether that had an effect."""
        return await asyncio.to_thread(self._keeper.run_out, table_id, version)

"""The load generator plays at real tables, and counts what it sees."""

from __future__ import annotations

import asyncio

import grpc

from benchmarks.traffic import seen as kinds
from benchmarks.traffic.gateway import GatewayError
from benchmarks.traffic.seen import Seen
from benchmarks.traffic.tables import Mix, Tables
from boardgamesbot.client import Client

MOVES = 40
SECONDS = 60.0


async def test_every_move_is_made_once_shown_to_everybody_else_and_followed_by_the_next(rules: str) -> None:
    mix = Mix("agora", tables=3, people=3, bots=(), watchers=1)
    async with grpc.aio.insecure_channel(rules) as channel, Client(rules) as client, asyncio.timeout(SECONDS):
        await client.sign_in()
        tables = Tables(channel, None, mix, seed=1)
        await tables.open()
        begun = sum(table.version for table in await client.tables())
        tables.seen = seen = Seen()
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(tables.submit(loop.time()) for _ in range(MOVES)))
        while seen.count(kinds.SHOWN) < MOVES * 3:
            await asyncio.sleep(0.01)
        ended = sum(table.version for table in await client.tables())
        await tables.close()
    assert not seen.errors
    assert seen.count(kinds.MOVE) == MOVES
    assert ended - begun == MOVES


async def test_a_server_that_refuses_is_an_error_and_the_table_goes_on(rules: str) -> None:
    mix = Mix("agora", tables=1, people=3, bots=(), watchers=0)
    async with grpc.aio.insecure_channel(rules) as channel, asyncio.timeout(SECONDS):
        tables = Tables(channel, None, mix, seed=1)
        await tables.open()
        loop = asyncio.get_running_loop()
        await tables.submit(loop.time())
        send, tables._send = tables._send, _refused  # type: ignore[method-assign, assignment]
        await tables.submit(loop.time())
        tables._send = send  # type: ignore[method-assign]
        await tables.submit(loop.time())
        await tables.close()
    assert list(tables.seen.errors) == ["move: 503: busy"]
    assert tables.seen.count(kinds.MOVE) == 2


async def _refused(*_: object) -> None:
    raise GatewayError("503: busy")

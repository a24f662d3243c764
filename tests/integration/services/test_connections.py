"""Clients are had to connect anew once in a while, so that new replicas get their share, and notice nothing of it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import grpc
from redis.asyncio import Redis

from boardgamesbot.v1 import players_pb2, players_pb2_grpc, tables_pb2, tables_pb2_grpc
from tests.support.bots import TOKEN_KEY
from tests.support.platform import rules_server
from tests.support.play import seated
from tests.support.proxy import CuttingProxy

SECONDS = 20


async def test_a_stream_outlives_the_connection_that_new_calls_use_no_more(redis: Redis, redis_url: str) -> None:
    async with (
        rules_server(redis_url, token_key=TOKEN_KEY, connection_seconds=0.3) as address,
        CuttingProxy(int(address.rpartition(":")[2])) as proxy,
        seated(address) as party,
        grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}", options=[("grpc.enable_retries", 0)]) as channel,
    ):
        signed_in = (("authorization", f"Bearer {party.host.token}"),)
        watch = tables_pb2_grpc.TableServiceStub(channel).Watch(
            tables_pb2.WatchRequest(table_id=party.table_id), metadata=signed_in
        )
        first = await watch.read()
        players = players_pb2_grpc.PlayerServiceStub(channel)
        deadline = time.monotonic() + SECONDS
        while proxy.connections < 3:
            assert time.monotonic() < deadline, f"{proxy.connections} connections only"
            await players.GetMe(players_pb2.GetMeRequest(), metadata=signed_in)
        await party.host.start(party.table_id)
        seen: list[Any] = [first]
        while seen[-1].table.status != tables_pb2.TABLE_STATUS_PLAYING:
            seen.append(await asyncio.wait_for(watch.read(), SECONDS))
        assert [one.version for one in seen] == list(range(1, len(seen) + 1))
        watch.cancel()

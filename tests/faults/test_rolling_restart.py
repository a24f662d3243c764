"""Every program is restarted, one replica after another, while it is played on: nobody is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from random import Random

import pytest

from boardgamesbot.client import Client
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import tables_pb2
from tests.support.kills import Kind, Players, Tally
from tests.support.platform import rules_server
from tests.support.rolling import Replicas, ReplicasHere

pytestmark = pytest.mark.faults

SECONDS = 100.0
LONG_SECONDS = 900.0
PEOPLE = (Kind("agora", 3), Kind("agora", 3, searched=True))

MIXED = (*PEOPLE, Kind("agora", 1, ("greedy", "greedy")), Kind("barcelona", 0, ("greedy", "greedy")))


async def _play_while_rolling(replicas: Replicas, tally: Tally, kinds: Sequence[Kind]) -> list[int]:
    """Restart every replica under play; people have no patience but the SDK's own. Gives how each ended."""
    rules, bots, matchmaking = (replicas.addresses[name] for name in ("rules", "bots", "matchmaking"))
    players = Players(rules, bots, matchmaking, replicas.pages, tally, Random(1), kinds=kinds, patience=0.0)
    playing = asyncio.create_task(players.play(len(kinds)))
    statuses = [await replicas.roll(name, number) for name, number in replicas.each()]
    players.stop()
    await playing
    return statuses


def _check(tally: Tally, kinds: Sequence[Kind]) -> None:
    assert tally.tables >= len(kinds)
    assert tally.accepted > 50
    assert tally.searches >= 3
    assert tally.is_clean, tally.as_json()


@pytest.mark.timeout(300)
async def test_no_client_sees_an_error_while_every_server_is_restarted(redis_url: str, tmp_path: Path) -> None:
    """Calls are answered and streams go on without a gap while each replica of each server stops and comes back."""
    tally = Tally()
    async with asyncio.timeout(SECONDS), ReplicasHere(redis_url, tmp_path) as replicas:
        await _play_while_rolling(replicas, tally, PEOPLE)
    _check(tally, PEOPLE)


@pytest.mark.long
@pytest.mark.timeout(LONG_SECONDS)
async def test_no_client_sees_an_error_while_every_program_is_restarted(tmp_path: Path) -> None:
    """The same with every program as a process, workers and dispatchers too, and bots at the tables."""
    tally = Tally()
    with EmbeddedServer(tmp_path / "redis") as redis, Replicas(redis.url, tmp_path) as replicas:
        async with asyncio.timeout(LONG_SECONDS):
            statuses = await _play_while_rolling(replicas, tally, MIXED)
        log = replicas.log()
    _check(tally, MIXED)
    assert set(statuses) == {0}
    assert "call failed" not in log
    assert "Traceback" not in log


async def test_a_client_of_two_addresses_goes_on_with_the_one_that_is_there(redis_url: str) -> None:
    """One replica is away from the beginning and the other one comes and goes: calls and a stream do not mind."""
    async with rules_server(redis_url) as first, Client(f"127.0.0.1:1,{first}") as client:
        await client.sign_in("Ada")
        table = await client.create_table("agora", 3)
        async with aclosing(client.watch(table.id)) as versions:
            assert (await anext(versions)).version == 1
            async with rules_server(redis_url) as second, Client(f"{first},{second}", token=client.token) as both:
                seats = {await both.take_seat(table.id) for _ in range(6)}
            assert seats == {0}
            assert (await anext(versions)).table_change.kind == tables_pb2.TABLE_CHANGE_KIND_SEAT_TAKEN


@pytest.mark.parametrize(
    ("addresses", "says"),
    [("rules:1,127.0.0.1:2", "rules:1"), ("127.0.0.1:1,[::1]:2", "one kind"), ("1.2.3.4,", "port")],
)
async def test_addresses_that_cannot_be_are_refused_by_name(addresses: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Client(addresses)

"""Programs are killed while people look for games: each search still ends at one table, and nobody at two."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, aclosing, suppress
from pathlib import Path

import pytest
from redis.asyncio import Redis

from boardgamesbot.client import Client
from boardgamesbot.v1 import matchmaking_pb2 as pb
from tests.support.platform import Platform, Serve, Supervised

pytestmark = pytest.mark.faults

SECONDS = 60.0
GROUPS = 6
"""So many groups of three look for a game."""
BETWEEN_SECONDS = 0.4


async def _search(client: Client, **wishes: object) -> pb.Ticket:
    """The end of a search, the connection to the servers lost in between or not."""
    async for ticket in client.find("agora", **wishes):  # type: ignore[arg-type]
        last = ticket
    return last


async def _guests(stack: AsyncExitStack, rules: str, matchmaking: str, *names: str) -> list[Client]:
    clients = []
    for name in names:
        client = await stack.enter_async_context(Client(rules, matchmaking=matchmaking))
        await client.sign_in(name)
        clients.append(client)
    return clients


async def test_a_matcher_killed_between_match_and_table_leaves_one_table(
    redis: Redis, redis_url: str, tmp_path: Path
) -> None:
    """The match stands while no table can be opened; whoever comes after opens it, once."""
    with Platform(redis_url, tmp_path) as platform:
        platform.start("rules", "matchmaking")
        async with AsyncExitStack() as stack, asyncio.timeout(SECONDS):
            addresses = platform.settings.rules_address, platform.settings.matchmaking_address
            clients = await _guests(stack, *addresses, "Ada", "Bea", "Cleo")
            platform.kill("rules")
            tickets = [await client.create_ticket("agora", players=(3, 3)) for client in clients]
            for client, ticket in zip(clients, tickets, strict=True):
                async with aclosing(client.watch_ticket(ticket.id)) as states:
                    async for opening in states:
                        if opening.status == pb.TICKET_STATUS_OPENING:
                            break
            platform.kill("matchmaking")
            platform.start("rules", "matchmaking")
            ends = []
            for client, ticket in zip(clients, tickets, strict=True):
                async with aclosing(client.watch_ticket(ticket.id)) as states:
                    ends.append([state async for state in states][-1])
            assert {end.status for end in ends} == {pb.TICKET_STATUS_MATCHED}
            assert {end.match.id for end in ends} == {opening.match.id}
            (table_id,) = {end.match.table_id for end in ends}
            assert (await clients[0].table(table_id)).version == 1
            assert [table.id for table in await clients[0].tables()] == [table_id]


@pytest.fixture(scope="module")
def supervised(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervised]:
    with Serve(tmp_path_factory.mktemp("serve")) as running:
        yield running


@pytest.mark.parametrize("programs", [("matchmaking",), ("rules",), ("redis",), ("matchmaking", "rules", "redis")])
async def test_searches_survive_the_death_of(supervised: Supervised, programs: tuple[str, ...]) -> None:
    """Groups of three look for a game one after another, and in the middle of each something is killed."""
    killed: list[int] = []

    def kill(program: str) -> None:
        """Kill the program, unless the one that is to follow the last killed is not there yet."""
        pid = supervised.pids()[program]
        if pid not in killed:
            with suppress(ProcessLookupError):
                killed.append(supervised.kill(program))

    async with AsyncExitStack() as stack, asyncio.timeout(SECONDS):
        clients = await _guests(stack, supervised.rules, supervised.matchmaking, *(f"P{i}" for i in range(3 * GROUPS)))
        searches = []
        for number, client in enumerate(clients):
            searches.append(asyncio.create_task(_search(client, players=(3, 3), unrated=len(programs) > 1)))
            if number % 3 == 1:
                kill(programs[number // 3 % len(programs)])
            # The next one comes when this one has begun to wait, or has been matched, at the latest.
            await asyncio.wait(searches[-1:], timeout=BETWEEN_SECONDS)
        ends = await asyncio.gather(*searches)
        assert len(killed) >= 2
        assert {end.status for end in ends} == {pb.TICKET_STATUS_MATCHED}
        assert set(Counter(end.match.table_id for end in ends).values()) == {3}
        assert set(Counter(end.match.id for end in ends).values()) == {3}
        matches = {end.match.id: end.match.table_id for end in ends}
        for client, end in zip(clients, ends, strict=True):
            table = await client.table(end.match.table_id)
            assert (table.match_id, table.version) == (end.match.id, 1)
            assert table.seats[end.match.seat].player == client.player
        everywhere = [table for table in await clients[0].tables("agora") if table.match_id in matches]
        assert sorted(table.id for table in everywhere) == sorted(matches.values())

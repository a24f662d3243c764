"""The store goes back and gives the numbers of lost versions to others: nobody takes one for the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import grpc
import pytest
from redis.asyncio import Redis

from boardgamesbot.client import Client, Refused
from boardgamesbot.store.tables import Stale, TableStore
from boardgamesbot.v1 import tables_pb2
from tests.integration.store.commits import commit, create
from tests.support.bots import TOKEN_KEY
from tests.support.losing import Kept
from tests.support.platform import rules_server
from tests.support.play import Party, collect, playing

SECONDS = 10.0


@pytest.fixture
async def rules(redis: Redis, redis_url: str) -> AsyncIterator[str]:
    async with rules_server(redis_url, token_key=TOKEN_KEY) as address:
        yield address


@pytest.fixture
async def replica(rules: str, redis_url: str) -> AsyncIterator[str]:
    async with rules_server(redis_url, token_key=TOKEN_KEY) as address:
        yield address


async def test_a_commit_made_for_a_lost_version_is_stale(redis: Redis) -> None:
    store = TableStore(redis)
    table_id = await create(store)
    kept = Kept(redis, table_id)
    await kept.keep()
    lost = await store.commit(commit(table_id, 1))
    await kept.put_back()
    made = await store.commit(commit(table_id, 1))
    assert made.version == lost.version
    assert made.commit != lost.commit
    with pytest.raises(Stale):
        await store.commit(commit(table_id, 2, expected_commit=lost.commit))
    assert (await store.commit(commit(table_id, 2, expected_commit=made.commit))).version == 3


async def test_a_move_is_never_worked_out_from_a_lost_version(redis: Redis, rules: str, replica: str) -> None:
    """One server remembers the lost version, and another has made a different one of the same number."""
    async with playing(rules) as party, elsewhere(replica, party) as others:
        kept, request = Kept(redis, party.table_id), await party.request()
        moves = (await party.clients[request.seat].legal_moves(party.table_id)).moves
        await kept.keep()
        await submit(party, request)
        await kept.put_back()
        other = next(legal.move for legal in moves if legal.move != request.move)
        request.move.CopyFrom(other)
        request.request_id = "another"
        await submit(others, request)
        await party.play(1)
        await party.play()
        record = await party.host.record(party.table_id)
        assert record.moves[0].move == other
        assert not (await party.host.verify(record)).HasField("fault")


async def test_watchers_of_a_lost_version_are_sent_the_table_anew(redis: Redis, rules: str, replica: str) -> None:
    async with playing(rules) as party, elsewhere(replica, party) as others:
        await party.play(3)
        kept = Kept(redis, party.table_id)
        await kept.keep()
        before = (await party.now()).version
        at_work = [asyncio.create_task(collect(client, party.table_id)) for client in (party.host, others.host)]
        await party.play(2)
        seen = await until(party.host, party.table_id, before + 2)
        assert (seen[-1].version, seen[-1].commit != "") == (before + 2, True)

        await kept.put_back()
        again = await until(others.host, party.table_id, before, seen[-1])
        assert [(response.version, response.restarted) for response in again] == [(before, True)]
        assert again[0].WhichOneof("change") is None
        assert again[0].view == (await others.now()).view
        known = next(response for response in seen if response.version == before)
        others.rng.seed(7)
        await others.play(2)
        on = await until(others.host, party.table_id, before + 2, known)
        assert [(response.version, response.restarted) for response in on] == [
            (before + 1, False),
            (before + 2, False),
        ]
        with pytest.raises(Refused) as caught:
            await until(others.host, party.table_id, before + 9, tables_pb2.WatchResponse(version=before + 9))
        assert caught.value.code == grpc.StatusCode.INVALID_ARGUMENT

        await others.play()
        whole = await collect(others.host, party.table_id)
        for seen in await asyncio.wait_for(asyncio.gather(*at_work), SECONDS):
            assert sum(response.restarted for response in seen) == 1
            begins = next(i for i, response in enumerate(seen) if response.restarted)
            since = {response.version: response.commit for response in seen[begins:]}
            assert since == {r.version: r.commit for r in whole if r.version >= seen[begins].version}


async def submit(party: Party, request: tables_pb2.SubmitMoveRequest) -> None:
    client = party.clients[request.seat]
    await client.submit(party.table_id, request.seat, request.version, request.move, request.request_id)


async def until(
    client: Client, table_id: str, version: int, after: tables_pb2.WatchResponse | None = None
) -> list[tables_pb2.WatchResponse]:
    """What a watch gives up to a version; `after` is the last response that had been seen."""
    start = tables_pb2.WatchResponse() if after is None else after
    seen = []
    async with asyncio.timeout(SECONDS):
        async for response in client.watch(table_id, start.version, start.commit):
            seen.append(response)
            if response.version == version:
                break
    return seen


@asynccontextmanager
async def elsewhere(address: str, party: Party) -> AsyncIterator[Party]:
    """The same people at the same table, through another server."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(address, token=one.token)) for one in party.clients]
        yield Party(clients, party.table_id)

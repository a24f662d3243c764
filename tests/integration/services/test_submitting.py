"""A move is played once: whatever races it, whatever repeats it, through whichever replica."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import grpc
import pytest

from boardgamesbot.client import Refused, new_request_id, refusal_of
from boardgamesbot.v1 import tables_pb2
from tests.support.play import TABLES, Party, call, playing

SUBMIT = TABLES + "SubmitMove"
RIVALS = 50


async def _submitted(address: str, request: tables_pb2.SubmitMoveRequest, token: str) -> bytes | Refused:
    try:
        return await call(address, SUBMIT, request, token)
    except grpc.aio.AioRpcError as error:
        return refusal_of(error)


async def _versions_in_store(party: Party) -> list[int]:
    """The versions a newcomer is shown, up to now."""
    now = (await party.now()).version
    seen: list[int] = []
    async for response in party.host.watch(party.table_id):
        seen.append(response.version)
        if response.version >= now:
            break
    return seen


async def test_of_fifty_moves_for_one_position_exactly_one_is_played(rules: str, replica: str) -> None:
    async with playing(rules) as party:
        for _ in range(3):
            seat, version, moves = await party.legal()
            requests = [
                tables_pb2.SubmitMoveRequest(
                    table_id=party.table_id,
                    seat=seat,
                    version=version,
                    request_id=new_request_id(),
                    move=moves[i % len(moves)],
                )
                for i in range(RIVALS)
            ]
            answers = await asyncio.gather(
                *(
                    _submitted((rules, replica)[i % 2], request, party.clients[seat].token)
                    for i, request in enumerate(requests)
                )
            )
            accepted = [tables_pb2.SubmitMoveResponse.FromString(a) for a in answers if isinstance(a, bytes)]
            refused = [a for a in answers if isinstance(a, Refused)]
            assert [answer.version for answer in accepted] == [version + 1]
            assert {(r.code, r.reason, r.version) for r in refused} == {
                (grpc.StatusCode.ABORTED, "STALE_VERSION", version + 1)
            }
            assert len(refused) == RIVALS - 1
            assert await _versions_in_store(party) == list(range(1, version + 2))


async def _in_sequence(rules: str, replica: str, request: tables_pb2.SubmitMoveRequest, token: str) -> list[bytes]:
    async with grpc.aio.insecure_channel(rules) as channel:
        metadata = (("authorization", f"Bearer {token}"),)
        data = request.SerializeToString()
        submit: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(SUBMIT)
        return [await submit(data, metadata=metadata, timeout=10) for _ in range(3)]


async def _at_once_through_both_replicas(
    rules: str, replica: str, request: tables_pb2.SubmitMoveRequest, token: str
) -> list[bytes]:
    return list(await asyncio.gather(*(call((rules, replica)[i % 2], SUBMIT, request, token) for i in range(10))))


async def _after_a_reconnect_elsewhere(
    rules: str, replica: str, request: tables_pb2.SubmitMoveRequest, token: str
) -> list[bytes]:
    return [await call(address, SUBMIT, request, token) for address in (rules, replica, rules)]


@pytest.mark.parametrize("send", [_in_sequence, _at_once_through_both_replicas, _after_a_reconnect_elsewhere])
async def test_a_request_sent_again_has_one_effect_and_the_same_answer(
    rules: str,
    replica: str,
    send: Callable[[str, str, tables_pb2.SubmitMoveRequest, str], Awaitable[list[bytes]]],
) -> None:
    async with playing(rules) as party:
        for _ in range(3):
            request = await party.request()
            answers = await send(rules, replica, request, party.clients[request.seat].token)
            assert len(set(answers)) == 1
            assert tables_pb2.SubmitMoveResponse.FromString(answers[0]).version == request.version + 1
            assert (await party.now()).version == request.version + 1


async def test_a_request_is_still_answered_when_the_table_has_moved_on(rules: str, replica: str) -> None:
    async with playing(rules) as party:
        request = await party.request()
        token = party.clients[request.seat].token
        first = await call(rules, SUBMIT, request, token)
        await party.play(10)
        before = (await party.now()).version
        assert [await call(address, SUBMIT, request, token) for address in (rules, replica)] == [first, first]
        assert (await party.now()).version == before
        await party.play()
        assert await call(replica, SUBMIT, request, token) == first


async def test_a_request_id_belongs_to_its_player(rules: str) -> None:
    """Another player's move is not mistaken for a repeat because it has the same request id."""
    async with playing(rules) as party:
        moved: set[int] = set()
        while len(moved) < 2:
            request = await party.request()
            if request.seat not in moved:
                request.request_id = "same"
                moved.add(request.seat)
            data = await call(rules, SUBMIT, request, party.clients[request.seat].token)
            assert tables_pb2.SubmitMoveResponse.FromString(data).version == request.version + 1


async def test_a_table_asked_for_twice_is_one_table(rules: str, replica: str) -> None:
    async with playing(rules) as party:
        request = tables_pb2.CreateTableRequest(game_id="agora", players=3, request_id="once")
        created = await asyncio.gather(
            *(call((rules, replica)[i % 2], TABLES + "CreateTable", request, party.host.token) for i in range(10))
        )
        tables = [tables_pb2.CreateTableResponse.FromString(data).table for data in created]
        assert len({table.id for table in tables}) == 1
        assert {table.version for table in tables} == {1}
        other = await call(rules, TABLES + "CreateTable", request, party.clients[1].token)
        assert tables_pb2.CreateTableResponse.FromString(other).table.id != tables[0].id

"""Whoever is not the player of a seat gets nothing of it and changes nothing, by any method, however they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
from redis.asyncio import Redis

from boardgamesbot.client import Client, new_request_id, refusal_of
from boardgamesbot.runtime.tokens import Tokens, bot_player, new_guest
from boardgamesbot.v1 import tables_pb2, tables_pb2_grpc
from tests.support.bots import TOKEN_KEY
from tests.support.platform import rules_server
from tests.support.play import Party, call, playing, seated

TOKENS = Tokens(TOKEN_KEY.encode(), 60)
TABLES = "/boardgamesbot.v1.TableService/"
SECONDS = 20.0
ELSEWHERE = "00bbbbbbbbbbbb"


@pytest.fixture
async def rules(redis: Redis, redis_url: str) -> AsyncIterator[str]:
    async with rules_server(redis_url, token_key=TOKEN_KEY) as address:
        yield address


async def strangers(party: Party, seat: int) -> dict[str, str]:
    """Tokens of everybody who is not the player of the seat, good ones all of them."""
    other = next(client for at, client in enumerate(party.clients) if at != seat)
    return {
        "another seat": other.token,
        "a guest without a seat": TOKENS.issue(new_guest("Eve")),
        "a guest of the same name": TOKENS.issue(new_guest(party.clients[seat].player.name)),
        "a bot of another table": TOKENS.issue(bot_player("greedy", "Greedy", ELSEWHERE, "1")),
    }


async def refusal(address: str, method: str, request: bytes, token: str) -> tuple[str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(address, TABLES + method, request, token)
    refused = refusal_of(caught.value)
    return refused.code.name, refused.reason


async def test_nobody_acts_for_another_seat(rules: str) -> None:
    async with playing(rules) as party:
        await party.play(2)
        submit = await party.request()
        seat, version, table_id = submit.seat, submit.version, party.table_id
        before = await party.now()
        requests = {
            "SubmitMove": submit,
            "UndoMove": tables_pb2.UndoMoveRequest(
                table_id=table_id, seat=seat, version=version, request_id=new_request_id()
            ),
            "Resign": tables_pb2.ResignRequest(table_id=table_id, seat=seat),
        }
        for who, token in (await strangers(party, seat)).items():
            for method, request in requests.items():
                code, reason = await refusal(rules, method, request.SerializeToString(), token)
                assert (code, reason) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT"), (who, method)
            code, _ = await refusal(
                rules, "RunOut", tables_pb2.RunOutRequest(table_id=table_id, version=version).SerializeToString(), token
            )
            assert code == "PERMISSION_DENIED", who
        assert await party.now() == before
        answer = await call(rules, TABLES + "SubmitMove", submit, party.clients[seat].token)
        assert answer, "its own player plays the very same request"


async def test_nobody_but_the_host_frees_a_seat_swaps_two_or_begins(rules: str) -> None:
    async with seated(rules) as party:
        table_id, before = party.table_id, await party.now()
        requests = {
            "LeaveSeat": tables_pb2.LeaveSeatRequest(table_id=table_id, seat=0),
            "SwapSeats": tables_pb2.SwapSeatsRequest(table_id=table_id, seat=0, other_seat=1),
            "StartTable": tables_pb2.StartTableRequest(table_id=table_id),
        }
        for who, token in (await strangers(party, 0)).items():
            for method, request in requests.items():
                code, reason = await refusal(rules, method, request.SerializeToString(), token)
                assert (code, reason) == ("PERMISSION_DENIED", "NOT_HOST"), (who, method)
        assert await party.now() == before


async def test_a_stream_without_a_good_token_gets_nothing_even_once_the_player_has_come(rules: str) -> None:
    """The stream of the right player is open beside it, on the same connection, while moves are played."""
    async with playing(rules) as party:
        request = tables_pb2.WatchRequest(table_id=party.table_id)
        async with grpc.aio.insecure_channel(rules) as channel:
            watch = tables_pb2_grpc.TableServiceStub(channel).Watch
            right = watch(request, metadata=(("authorization", f"Bearer {party.host.token}"),), timeout=SECONDS)
            await right.read()
            expired = Tokens(TOKEN_KEY.encode(), -1).issue(party.host.player)
            wrong = [
                watch(request, metadata=metadata, timeout=SECONDS)
                for metadata in (
                    (),
                    (("authorization", "Bearer rubbish"),),
                    (("authorization", f"Bearer {expired}"),),
                    (("authorization", f"Basic {party.host.token}"),),
                )
            ]
            await party.play(2)
            assert await right.read()
            for stream in wrong:
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await stream.read()
                assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
            right.cancel()


async def test_a_stream_of_anybody_else_shows_what_spectators_see(rules: str) -> None:
    """To the byte, whoever it is, though the seat's own stream has more in it."""
    async with playing(rules) as party:
        await party.play(3)
        seat = 0
        now = (await party.now()).version

        async def first_view(token: str) -> bytes:
            async with Client(rules, token=token) as client:
                seen = await asyncio.wait_for(client.view(party.table_id), SECONDS)
                assert seen.version == now
                return seen.view.SerializeToString(deterministic=True)

        tokens = await strangers(party, seat)
        del tokens["another seat"]
        own = await first_view(party.clients[seat].token)
        shown = {who: await first_view(token) for who, token in tokens.items()}
        assert len(set(shown.values())) == 1
        assert own not in shown.values()

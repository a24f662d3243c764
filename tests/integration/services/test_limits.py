"""How much one player, and one address, may ask of the servers; and that nobody else pays for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack
from typing import Any

import grpc
import httpx
import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from redis.asyncio import Redis

from boardgamesbot.client import Client, Refused, refusal_of
from boardgamesbot.client.patience import patiently
from boardgamesbot.runtime.tokens import Tokens, new_guest, service_player
from boardgamesbot.v1 import players_pb2, players_pb2_grpc, tables_pb2, tables_pb2_grpc
from tests.support.bots import TOKEN_KEY
from tests.support.platform import gateway_server, rules_server

TOKENS = Tokens(TOKEN_KEY.encode(), 60)
SECONDS = 20.0


async def refused(call: Awaitable[object]) -> Refused | None:
    """The refusal, which says when to come again; None: it was not refused."""
    try:
        await call
    except Refused as error:
        refusal = error
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
    else:
        return None
    assert refusal.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refusal.retry_after is not None
    assert 0 < refusal.retry_after <= 120
    return refusal


@pytest.fixture
async def crowd() -> AsyncIterator[AsyncExitStack]:
    """Clients that are closed in the end."""
    async with AsyncExitStack() as clients:
        yield clients


async def player(crowd: AsyncExitStack, address: str) -> Client:
    return await crowd.enter_async_context(Client(address, token=TOKENS.issue(new_guest("Ada"))))


async def test_a_player_has_so_many_calls_and_then_must_wait_alone(
    redis: Redis, redis_url: str, crowd: AsyncExitStack
) -> None:
    limited: dict[str, Any] = {"player_calls_per_second": 0.5, "player_burst": 3}
    async with rules_server(redis_url, token_key=TOKEN_KEY, **limited) as address:
        greedy, modest = await player(crowd, address), await player(crowd, address)
        outcomes = [await refused(greedy.me()) for _ in range(5)]
        assert [outcome is None for outcome in outcomes] == [True, True, True, False, False]
        last = outcomes[-1]
        assert last is not None
        assert last.reason == "TOO_MANY_REQUESTS"
        assert "come from you" in last.message
        assert await refused(modest.me()) is None
        async with Client(address, token=greedy.token) as again:
            assert await refused(again.me()) is not None, "another connection of the same player"


async def test_whoever_is_patient_waits_as_long_as_they_are_told_and_gets_an_answer(
    redis: Redis, redis_url: str, crowd: AsyncExitStack
) -> None:
    async with rules_server(redis_url, token_key=TOKEN_KEY, player_calls_per_second=5.0, player_burst=1) as address:
        ada = await player(crowd, address)
        began = asyncio.get_running_loop().time()
        for _ in range(3):
            assert (await patiently(ada.me, SECONDS)).name == "Ada"
        assert asyncio.get_running_loop().time() - began >= 0.35


async def test_an_address_has_so_many_calls_whoever_makes_them_and_wrong_tokens_count(
    redis: Redis, redis_url: str, crowd: AsyncExitStack
) -> None:
    limited: dict[str, Any] = {"address_calls_per_second": 0.01, "address_burst": 4, "trusted_peers": ""}
    async with rules_server(redis_url, token_key=TOKEN_KEY, **limited) as address:
        async with Client(address, token="rubbish") as stranger:
            for _ in range(2):
                with pytest.raises(Refused, match="not one of this server's"):
                    await stranger.me()
        assert await refused((await player(crowd, address)).me()) is None
        assert await refused((await player(crowd, address)).me()) is None
        assert await refused((await player(crowd, address)).me()) is not None
        async with grpc.aio.insecure_channel(address) as channel:
            tables = tables_pb2_grpc.TableServiceStub(channel)
            token = TOKENS.issue(service_player("matchmaking"))
            request = tables_pb2.RunOutRequest(table_id="00aaaaaaaaaaaa", version=1)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await tables.RunOut(request, metadata=(("authorization", f"Bearer {token}"),))
            assert caught.value.code() == grpc.StatusCode.NOT_FOUND, "the platform's own services are not counted"


async def test_an_address_makes_so_many_guests(redis: Redis, redis_url: str) -> None:
    async with rules_server(redis_url, address_guests_per_minute=3, trusted_peers="") as address:
        async with grpc.aio.insecure_channel(address) as channel:
            stub = players_pb2_grpc.PlayerServiceStub(channel)
            outcomes = [await refused(stub.CreateGuest(players_pb2.CreateGuestRequest())) for _ in range(4)]
        assert [outcome is None for outcome in outcomes] == [True, True, True, False]
        last = outcomes[-1]
        assert last is not None
        assert "guests a minute" in last.message


async def test_streams_are_counted_and_given_back(redis: Redis, redis_url: str, crowd: AsyncExitStack) -> None:
    async with rules_server(redis_url, token_key=TOKEN_KEY, player_streams=2) as address:
        ada = await player(crowd, address)
        table = await ada.create_table("agora", 3)
        await ada.take_seat(table.id)
        async with grpc.aio.insecure_channel(address) as channel:
            watch = tables_pb2_grpc.TableServiceStub(channel).Watch
            metadata = (("authorization", f"Bearer {ada.token}"),)
            request = tables_pb2.WatchRequest(table_id=table.id)
            streams = [watch(request, metadata=metadata, timeout=SECONDS) for _ in range(2)]
            for stream in streams:
                assert isinstance(await stream.read(), tables_pb2.WatchResponse)
            refusal = await refused(watch(request, metadata=metadata, timeout=SECONDS).read())
            assert refusal is not None
            assert refusal.reason == "TOO_MANY_STREAMS"
            streams[0].cancel()
            async with asyncio.timeout(SECONDS):
                while await refused(watch(request, metadata=metadata, timeout=SECONDS).read()) is not None:
                    await asyncio.sleep(0.01)


async def test_asking_what_services_there_are_is_counted_as_well(redis: Redis, redis_url: str) -> None:
    async with (
        rules_server(redis_url, address_streams=1, trusted_peers="") as address,
        grpc.aio.insecure_channel(address) as channel,
    ):
        asks = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo
        first = asks(timeout=SECONDS)
        await first.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        assert "boardgamesbot.v1.TableService" in str(await first.read())
        assert await refused(asks(timeout=SECONDS).read()) is not None
        first.cancel()


async def test_a_player_opens_so_many_tables_and_may_open_more_when_some_begin_or_close(
    redis: Redis, redis_url: str, crowd: AsyncExitStack
) -> None:
    async with rules_server(redis_url, token_key=TOKEN_KEY, player_open_tables=2) as address:
        ada, ben = await player(crowd, address), await player(crowd, address)
        first, second = [await ada.create_table("agora", 3) for _ in range(2)]
        for _ in range(2):
            refusal = await refused(ada.create_table("agora", 3))
            assert refusal is not None
            assert refusal.reason == "TOO_MANY_TABLES"
        assert await refused(ben.create_table("agora", 3)) is None
        await ada.take_seat(first.id)
        await ada.leave_seat(first.id)  # the last person leaves: the table closes
        assert await refused(ada.create_table("agora", 3)) is None
        assert await refused(ada.create_table("agora", 3)) is not None
        others = [await player(crowd, address) for _ in range(2)]
        for one in (ada, *others):
            await one.take_seat(second.id)
        await ada.start(second.id)
        assert await refused(ada.create_table("agora", 3)) is None


async def test_tables_are_opened_at_a_rate(redis: Redis, redis_url: str, crowd: AsyncExitStack) -> None:
    async with rules_server(redis_url, token_key=TOKEN_KEY, player_tables_per_minute=2) as address:
        ada = await player(crowd, address)
        outcomes = [await refused(ada.create_table("agora", 3)) for _ in range(3)]
        assert [outcome is None for outcome in outcomes] == [True, True, False]


async def test_behind_the_gateway_each_client_has_an_address_of_its_own(redis: Redis, redis_url: str) -> None:
    """The servers count those whom the gateway names; whom a client names itself, nobody believes."""
    limited: dict[str, Any] = {"address_guests_per_minute": 2}
    async with (
        rules_server(redis_url, **limited) as rules,
        gateway_server(rules_address=rules, gateway_trusted_proxies="127.0.0.1") as gateway,
        httpx.AsyncClient(timeout=SECONDS) as web,
    ):

        async def guest(forwarded: str) -> int:
            url = f"{gateway}/boardgamesbot.v1.PlayerService/CreateGuest"
            return (await web.post(url, json={}, headers={"x-forwarded-for": forwarded})).status_code

        assert [await guest("203.0.113.5") for _ in range(3)] == [200, 200, 429]
        assert await guest("203.0.113.6") == 200
        assert await guest("203.0.113.7, 203.0.113.5") == 429, "the last is whom the proxy saw"
    async with rules_server(redis_url, trusted_peers="", **limited) as rules:
        async with grpc.aio.insecure_channel(rules) as channel:
            stub = players_pb2_grpc.PlayerServiceStub(channel)
            outcomes = [
                await refused(
                    stub.CreateGuest(
                        players_pb2.CreateGuestRequest(), metadata=(("x-forwarded-for", f"203.0.113.{number}"),)
                    )
                )
                for number in range(3)
            ]
        assert [outcome is None for outcome in outcomes] == [True, True, False]


async def test_a_bot_account_at_a_hundred_tables_lives_with_the_limits_as_they_come(
    redis: Redis, redis_url: str, crowd: AsyncExitStack
) -> None:
    async with rules_server(redis_url, token_key=TOKEN_KEY) as address:
        ada = await player(crowd, address)
        made = await ada.create_bot_account("Hundred")
        table = await ada.create_table("agora", 3)
        async with grpc.aio.insecure_channel(address) as channel:
            stub = tables_pb2_grpc.TableServiceStub(channel)
            metadata = (("authorization", f"Bearer {made.token}"),)
            streams = [
                stub.Watch(tables_pb2.WatchRequest(table_id=table.id), metadata=metadata, timeout=SECONDS)
                for _ in range(100)
            ]
            for stream in streams:
                await stream.read()
            view = tables_pb2.TableServiceGetViewRequest(table_id=table.id)
            answers = await asyncio.gather(*(stub.GetView(view, metadata=metadata) for _ in range(300)))
            assert len(answers) == 300
            for stream in streams:
                stream.cancel()

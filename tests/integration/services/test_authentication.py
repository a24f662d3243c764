"""Who has no good token gets nothing, from any method of any service."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import AsyncIterator

import grpc
import jwt
import pytest
from redis.asyncio import Redis

from boardgamesbot.bots.server import serve as serve_bots
from boardgamesbot.client import Client, Refused, refusal_of
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tokens import Tokens, new_guest
from boardgamesbot.store.embedded import HOST, free_port
from boardgamesbot.v1 import bots_pb2, matchmaking_pb2, players_pb2, rules_pb2, tables_pb2
from tests.support.bots import TOKEN_KEY
from tests.support.platform import rules_server
from tests.support.play import call, code_of, first_of_stream, seated

WATCH = "/boardgamesbot.v1.TableService/Watch"
OPEN = {"/boardgamesbot.v1.PlayerService/CreateGuest"}


def _methods() -> list[tuple[str, bool]]:
    """Every method that wants a token, and whether it streams."""
    files = (tables_pb2.DESCRIPTOR, players_pb2.DESCRIPTOR, bots_pb2.DESCRIPTOR, matchmaking_pb2.DESCRIPTOR)
    methods = [
        (f"/{service.full_name}/{method.name}", method.server_streaming)
        for file in files
        for service in file.services_by_name.values()
        for method in service.methods
    ]
    return [(name, streams) for name, streams in methods if name not in OPEN]


@pytest.fixture
async def bots(rules: str, redis_url: str) -> AsyncIterator[str]:
    """The address of a bots server beside the rules server."""
    address = f"{HOST}:{free_port()}"
    stop = asyncio.Event()
    settings = Settings(redis_url=redis_url, bots_listen=address, rules_address=rules, token_key=TOKEN_KEY)
    server = asyncio.create_task(serve_bots(settings, stop))
    async with grpc.aio.insecure_channel(address) as channel:
        await asyncio.wait_for(channel.channel_ready(), 10)
    yield address
    stop.set()
    await server


async def _refusal(address: str, method: str, *, streams: bool, token: str) -> Refused:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await (first_of_stream if streams else call)(address, method, b"", token)
    return refusal_of(caught.value)


def test_there_are_methods_to_test() -> None:
    names = [name.rpartition("/")[2] for name, _ in _methods()]
    assert {"SubmitMove", "Watch", "GetRecord", "WatchMe", "GetMe", "SeatBot", "OpenTable", "CreateTicket"} <= set(
        names
    )
    assert "CreateGuest" not in names


@pytest.mark.parametrize(("method", "streams"), _methods())
async def test_every_method_wants_a_good_token(
    rules: str, bots: str, matchmaking: str, method: str, streams: bool
) -> None:
    service = method.split(".")[-1].partition("/")[0]
    address = {"BotService": bots, "MatchmakingService": matchmaking}.get(service, rules)
    player = new_guest("Ada")
    now = int(time.time())
    claims = {"aud": "boardgamesbot", "sub": player.id, "name": "Ada", "kind": "guest", "iat": now, "exp": now + 60}
    good = jwt.encode(claims, TOKEN_KEY, algorithm="HS256")
    head, body, signature = good.split(".")
    forged = {**claims, "sub": "guest-somebody-else"}
    bad = {
        "": "TOKEN_MISSING",
        "rubbish": "TOKEN_INVALID",
        f"{head}.{_part(forged)}.{signature}": "TOKEN_INVALID",
        f"{_part({'alg': 'none', 'typ': 'JWT'})}.{body}.": "TOKEN_INVALID",
        jwt.encode(claims, "another key, just as long as the first", algorithm="HS256"): "TOKEN_INVALID",
        jwt.encode({**claims, "aud": "another"}, TOKEN_KEY, algorithm="HS256"): "TOKEN_INVALID",
        jwt.encode({**claims, "kind": "admin"}, TOKEN_KEY, algorithm="HS256"): "TOKEN_INVALID",
        jwt.encode({k: v for k, v in claims.items() if k != "exp"}, TOKEN_KEY, algorithm="HS256"): "TOKEN_INVALID",
        Tokens(TOKEN_KEY.encode(), -1).issue(player): "TOKEN_EXPIRED",
    }
    for token, reason in bad.items():
        refusal = await _refusal(address, method, streams=streams, token=token)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason), token


def _part(value: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


async def test_rules_and_signing_in_want_no_token(rules: str) -> None:
    for service in rules_pb2.DESCRIPTOR.services_by_name.values():
        for method in service.methods:
            code = await code_of(rules, f"/{service.full_name}/{method.name}", b"")
            assert code in (grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT), method.name
    async with Client(rules) as client:
        assert (await client.sign_in("Ada")).name == "Ada"
        assert (await client.me()).name == "Ada"


async def test_a_stream_ends_when_its_token_does(redis: Redis, redis_url: str) -> None:
    async with rules_server(redis_url, token_key=TOKEN_KEY) as address, seated(address) as party:
        short = Tokens(TOKEN_KEY.encode(), 2).issue(party.host.player)
        request = tables_pb2.WatchRequest(table_id=party.table_id).SerializeToString()
        async with grpc.aio.insecure_channel(address) as channel:
            stream: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(WATCH)
            metadata = (("authorization", f"Bearer {short}"),)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                async for _ in stream(request, metadata=metadata, timeout=10):
                    pass
        assert refusal_of(caught.value).reason == "TOKEN_EXPIRED"


async def test_all_replicas_sign_with_the_key_they_share_in_the_store(redis: Redis, redis_url: str) -> None:
    async with rules_server(redis_url) as one, rules_server(redis_url) as other:
        async with Client(one) as first:
            player = await first.sign_in("Ada")
        async with Client(other, token=first.token) as second:
            assert await second.me() == player

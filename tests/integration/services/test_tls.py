"""TLS between programs: who has no certificate where one is wanted gets nothing, and everything still works."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import httpx
import pytest
from redis.asyncio import Redis

from boardgamesbot.client import BlockingClient, Client, Refused, Tls
from boardgamesbot.client.channel import open_channel
from boardgamesbot.runtime import tls as runtime_tls
from boardgamesbot.runtime.settings import BadSetting, Settings
from boardgamesbot.runtime.tls import client_tls, server_credentials
from boardgamesbot.store.embedded import HOST
from boardgamesbot.v1 import players_pb2, players_pb2_grpc
from tests.support.bots import TOKEN_KEY
from tests.support.certificates import Authority
from tests.support.platform import Platform, bots_server, gateway_server, matchmaking_server, rules_server

READY_SECONDS = 10.0


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "certificates")


async def signs_in(address: str, tls: Tls | None) -> bool:
    """Whether a call gets through."""
    async with open_channel(address, tls, None) as channel:
        stub = players_pb2_grpc.PlayerServiceStub(channel)
        try:
            made = await stub.CreateGuest(players_pb2.CreateGuestRequest(name="Ada"), timeout=READY_SECONDS)
        except grpc.aio.AioRpcError as error:
            assert error.code() == grpc.StatusCode.UNAVAILABLE, error
            return False
    return bool(made.token)


@asynccontextmanager
async def server(redis_url: str, authority: Authority, **settings: str) -> AsyncIterator[str]:
    async with rules_server(
        redis_url, tls=authority.tls("probe"), **{**authority.settings("rules"), **settings}
    ) as address:
        yield address


async def test_a_server_with_a_certificate_speaks_tls_only(
    redis: Redis, redis_url: str, authority: Authority, tmp_path: Path
) -> None:
    async with server(redis_url, authority) as address:
        assert await signs_in(address, authority.tls())
        assert not await signs_in(address, None), "in the clear"
        assert not await signs_in(address, Authority(tmp_path / "others").tls()), "signed by somebody else"
        assert not await signs_in(f"grpc://{address}", authority.tls()), "the address says in the clear"


async def test_where_certificates_are_wanted_a_caller_without_one_is_refused(
    redis: Redis, redis_url: str, authority: Authority, tmp_path: Path
) -> None:
    others = Authority(tmp_path / "others")
    async with server(redis_url, authority, tls_clients="require") as address:
        assert await signs_in(address, authority.tls("caller"))
        assert not await signs_in(address, authority.tls()), "no certificate"
        own = others.sign("caller")
        assert not await signs_in(address, Tls.from_files(authority.file, *own)), "one signed by somebody else"


async def test_a_certificate_for_another_host_is_refused(redis: Redis, redis_url: str, authority: Authority) -> None:
    certificate, key = authority.sign("elsewhere", "rules.example")
    credentials = server_credentials(Settings(tls_cert=str(certificate), tls_key=str(key)))
    assert credentials is not None
    serving = grpc.aio.server()
    port = serving.add_secure_port(f"{HOST}:0", credentials)
    await serving.start()
    assert not await signs_in(f"{HOST}:{port}", authority.tls())
    await serving.stop(None)


async def test_a_renewed_certificate_is_shown_to_the_next_caller(redis: Redis, redis_url: str, tmp_path: Path) -> None:
    before, after = Authority(tmp_path / "before"), Authority(tmp_path / "after")
    async with server(redis_url, before) as address:
        assert not await signs_in(address, after.tls())
        certificate, key = after.sign("rules")
        (tmp_path / "before" / "rules.key").write_bytes(key.read_bytes())
        assert await signs_in(address, before.tls()), "half of a renewal changes nothing"
        (tmp_path / "before" / "rules.pem").write_bytes(certificate.read_bytes())
        assert await signs_in(address, after.tls())


async def test_the_sdk_is_told_by_an_argument_the_address_or_the_environment(
    redis: Redis, redis_url: str, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    def name_of(address: str, tls: Tls | None = None) -> str:
        with BlockingClient(address, tls=tls) as client:
            return client.sign_in("Ada").name

    async with server(redis_url, authority, tls_clients="require") as address:
        assert await asyncio.to_thread(name_of, address, authority.tls("argument")) == "Ada"
        certificate, key = authority.sign("environment")
        for name, file in {"CA": authority.file, "CERT": certificate, "KEY": key}.items():
            monkeypatch.setenv(f"BGB_TLS_{name}", str(file))
        for same in (address, f"grpcs://{address}"):
            assert await asyncio.to_thread(name_of, same) == "Ada"


def secured(authority: Authority) -> dict[str, str]:
    """The settings of a platform all of whose programs want certificates of each other."""
    page, page_key = authority.sign("page")
    wanted = authority.settings("services", clients="require")
    return {**wanted, "gateway_tls_cert": str(page), "gateway_tls_key": str(page_key)}


async def test_servers_talk_to_each_other_with_certificates_wanted(
    redis: Redis, redis_url: str, authority: Authority
) -> None:
    """A match is found and begun, a bot is seated, the gateway passes on: each server calls another."""
    wanted, probe = secured(authority) | {"token_key": TOKEN_KEY}, authority.tls("person")
    async with AsyncExitStack() as running:
        rules = await running.enter_async_context(rules_server(redis_url, tls=probe, **wanted))
        bots = await running.enter_async_context(bots_server(redis_url, rules, tls=probe, **wanted))
        matchmaking = await running.enter_async_context(matchmaking_server(redis_url, rules, tls=probe, **wanted))
        addresses = {"rules_address": rules, "bots_address": bots, "matchmaking_address": matchmaking}
        gateway = await running.enter_async_context(gateway_server(**addresses, **wanted))
        client = await running.enter_async_context(Client(rules, bots=bots, matchmaking=matchmaking, tls=probe))
        await client.sign_in("Ada")
        found = await client.find_table("agora", players=(3, 3), bots_after=0.0, bot="greedy")
        assert (await client.view(found.table_id)).version > 0
        table = await client.create_table("agora", 3)
        assert await client.seat_bot(table.id, "greedy") >= 0
        web = await running.enter_async_context(https(authority))
        url = gateway.replace("http://", "https://")
        answer = await web.post(f"{url}/boardgamesbot.v1.PlayerService/CreateGuest", json={"name": "Bea"})
        assert answer.json()["player"]["name"] == "Bea"
        assert set((await web.get(f"{url}/readyz")).json()["servers"].values()) == {"serving"}


@pytest.mark.long
@pytest.mark.parametrize("log_format", ["console", "json"])
async def test_a_platform_with_certificates_wanted_plays_a_game_and_logs_no_secret(
    redis: Redis, redis_url: str, authority: Authority, tmp_path: Path, log_format: str
) -> None:
    """Every program as a process of its own; bots play, which workers call the rules server for.

    Of what all of them log at the lowest level, nothing is a token, a key or a password.
    """
    wanted, probe = secured(authority), authority.tls("person")
    wanted |= {"log_level": "debug", "log_format": log_format, "token_key": TOKEN_KEY}
    secrets = [TOKEN_KEY, authority.key("services").splitlines()[1]]
    if password := urlsplit(redis_url).password:
        secrets.append(password)
    programs = ("rules", "bots", "matchmaking", "dispatcher", "worker", "gateway")
    with Platform(redis_url, tmp_path, tls=probe, **wanted) as platform:
        await asyncio.to_thread(platform.start, *programs)
        settings = platform.settings
        async with Client(settings.rules_address, bots=settings.bots_address, tls=probe) as client:
            await client.sign_in("Ada")
            table = await client.start_against("agora", "greedy", "greedy")
            async for turn in client.turns(table.id):
                await turn.moves[0].play()
            record = await client.record(table.id)
            account = await client.create_bot_account("Mine")
            secrets += [client.token, account.token, record.seed.hex()]
        async with https(authority) as web:
            url = f"https://{settings.gateway_address}/boardgamesbot.v1.PlayerService/GetMe"
            for token in (client.token, f"{client.token}x"):
                await web.post(url, json={}, headers={"authorization": f"Bearer {token}"})
    logged = {name: platform.log(name) for name in programs}
    assert all(logged.values())
    assert "TOKEN_INVALID" in logged["rules"], "what is looked into is what was meant"
    for name, text in logged.items():
        for secret in secrets:
            assert secret not in text, name
            assert secret.rpartition(".")[2] not in text, f"{name}: the signature"
        assert "eyJ" not in text, f"{name}: the head of a token"


def https(authority: Authority) -> httpx.AsyncClient:
    return httpx.AsyncClient(verify=ssl.create_default_context(cafile=str(authority.file)), timeout=READY_SECONDS)


async def test_the_gateway_shows_a_renewed_certificate(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_tls, "LOOK_SECONDS", 0.05)
    other = Authority(tmp_path / "other")
    certificate, key = authority.sign("page")
    async with gateway_server(gateway_tls_cert=str(certificate), gateway_tls_key=str(key)) as plain:
        url = plain.replace("http://", "https://") + "/healthz"
        async with https(authority) as web:
            assert (await web.get(url)).text == "alive\n"
        with pytest.raises(httpx.HTTPError):
            async with httpx.AsyncClient() as web:
                await web.get(plain + "/healthz")
        for new, old in zip(other.sign("page"), (certificate, key), strict=True):
            old.write_bytes(new.read_bytes())
        async with asyncio.timeout(READY_SECONDS):
            while True:
                try:
                    async with https(other) as web:
                        assert (await web.get(url)).text == "alive\n"
                    break
                except httpx.ConnectError:
                    await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "given",
    [
        {"tls_cert": "a.pem"},
        {"gateway_tls_key": "a.key"},
        {"tls_clients": "some"},
        {"tls_clients": "require"},
        {"tls_clients": "require", "tls_cert": "a.pem", "tls_key": "a.key"},
    ],
)
def test_settings_that_make_no_sense_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match="TLS"):
        Settings(**given)


def test_files_that_are_no_certificates_are_named(authority: Authority, tmp_path: Path) -> None:
    certificate, key = authority.sign("rules")
    other = tmp_path / "other.key"
    other.write_text("no key")
    for cert, private in ((certificate, other), (certificate, tmp_path / "nowhere"), (key, certificate)):
        with pytest.raises(BadSetting, match="BGB_TLS"):
            server_credentials(Settings(tls_cert=str(cert), tls_key=str(private)))
    with pytest.raises(BadSetting, match="nowhere"):
        client_tls(Settings(tls_ca=str(tmp_path / "nowhere")))


async def test_a_client_that_does_not_believe_the_server_is_told_so_in_time(
    redis: Redis, redis_url: str, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client._call, "__defaults__", (1.0,))
    async with server(redis_url, authority) as address:
        client = Client(address, tls=Authority(tmp_path / "others").tls())
        with pytest.raises(Refused) as caught:
            await client.sign_in("Ada")
        await client.close()
    assert caught.value.code in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE)

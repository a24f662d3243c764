"""What one client may ask for: sizes, numbers, time; and browsers of other origins."""

from __future__ import annotations

import asyncio
import gzip
from contextlib import AsyncExitStack

import pytest

from boardgamesbot.gateway import asgi, server
from tests.integration.gateway.conftest import client_of
from tests.integration.gateway.servant import Servant
from tests.integration.gateway.wire import PLAYERS, TABLES, call, debug_of, framed, frames, trailers
from tests.support.platform import gateway_server

WATCH = f"{TABLES}/Watch"
GET_TABLE = f"{TABLES}/GetTable"
JSON = {"content-type": "application/json"}
SECONDS = 10


async def raw(address: str, data: bytes) -> bytes:
    """All that comes back for bytes sent."""
    reader, writer = await asyncio.open_connection(*address.removeprefix("http://").split(":"))
    try:
        writer.write(data)
        async with asyncio.timeout(SECONDS):
            return await reader.read()
    finally:
        writer.close()


async def test_a_body_that_is_too_large_is_refused(told: Servant) -> None:
    async with gateway_server(gateway_body_bytes=2000, **told.addresses) as address, client_of(address) as client:
        for content in (b'{"name":"' + b"x" * 2000, gzip.compress(b"{" + b" " * 2000)):
            packed = {"content-encoding": "gzip"} if content.startswith(b"\x1f") else {}
            answer = await client.post(f"{PLAYERS}/CreateGuest", content=content, headers={**JSON, **packed})
            assert answer.status_code == 429
            info = debug_of(answer.json(), "ErrorInfo")
            assert (info["reason"], info["metadata"]["limit"]) == ("MESSAGE_TOO_LARGE", "2000")

        async def parts() -> object:
            for _ in range(100):
                yield b"x" * 100

        unannounced = await client.post(f"{PLAYERS}/CreateGuest", content=parts(), headers=JSON)  # type: ignore[arg-type]
        assert debug_of(unannounced.json(), "ErrorInfo")["reason"] == "MESSAGE_TOO_LARGE"
        told.answers.set()
        assert (await call(client, GET_TABLE, {"tableId": "x" * 1900})).status_code == 200
    assert told.begun == 1


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 3000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 3000,
        b"GET /" + b"y" * 3000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\n" + b"x: y\r\n" * 600 + b"\r\n",
    ],
)
async def test_a_head_that_is_too_large_is_refused(told: Servant, head: bytes) -> None:
    async with gateway_server(gateway_header_bytes=2000, **told.addresses) as address:
        assert (await raw(address, head)).startswith(b"HTTP/1.1 431 ")
        fits = await raw(address, b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert fits.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nho"])
async def test_who_never_finishes_a_head_is_hung_up_on(
    told: Servant, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.1)
    async with gateway_server(**told.addresses) as address:
        assert await raw(address, sent) == b""


async def test_who_never_finishes_a_body_is_answered(told: Servant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.1)
    monkeypatch.setattr(asgi, "DISCARD_SECONDS", 0.1)
    async with gateway_server(**told.addresses) as address:
        head = f"POST {GET_TABLE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{{"
        answer = await raw(address, head.encode())
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert b"did not arrive" in answer


async def test_too_many_requests_are_told_when_to_come_again(told: Servant) -> None:
    told.answers.set()
    async with (
        gateway_server(gateway_burst=3, gateway_requests_per_second=0.5, **told.addresses) as address,
        client_of(address) as client,
    ):
        for _ in range(3):
            assert (await call(client, GET_TABLE)).status_code == 200
        refused = await call(client, GET_TABLE)
        assert (refused.status_code, refused.json()["code"]) == (429, "resource_exhausted")
        assert 1 <= int(refused.headers["retry-after"]) <= 2
        assert debug_of(refused.json(), "ErrorInfo")["reason"] == "TOO_MANY_REQUESTS"
        assert debug_of(refused.json(), "RetryInfo")["retryDelay"]
        in_web = await client.post(
            GET_TABLE, content=framed(b""), headers={"content-type": "application/grpc-web+proto"}
        )
        ((_, ending),) = frames(in_web.content)
        assert trailers(ending)["grpc-status"] == "8"
        assert (await client.get("/healthz")).status_code == 200
    assert told.begun == 3


async def test_whose_proxy_is_trusted_is_counted_alone(told: Servant) -> None:
    told.answers.set()
    one = {"gateway_burst": 1, "gateway_requests_per_second": 0.001}
    async with (
        gateway_server(**one, gateway_trusted_proxies="127.0.0.1", **told.addresses) as address,
        client_of(address) as client,
    ):
        for forwarded, status in (
            ("203.0.113.1", 200),
            ("203.0.113.1", 429),
            ("198.51.100.9, 203.0.113.2", 200),
            ("198.51.100.8, 203.0.113.2", 429),
            ("2001:db8::1", 200),
            ("2001:db8::2", 429),
            ("2001:db8:0:1::1", 200),
        ):
            assert (await call(client, GET_TABLE, x_forwarded_for=forwarded)).status_code == status, forwarded
    async with gateway_server(**one, **told.addresses) as address, client_of(address) as client:
        assert (await call(client, GET_TABLE, x_forwarded_for="203.0.113.1")).status_code == 200
        assert (await call(client, GET_TABLE, x_forwarded_for="203.0.113.2")).status_code == 429


async def test_an_address_has_so_many_streams(told: Servant) -> None:
    async with (
        gateway_server(gateway_streams=2, **told.addresses) as address,
        client_of(address) as client,
        AsyncExitStack() as stack,
    ):
        for _ in range(2):
            streams = AsyncExitStack()
            await stack.enter_async_context(streams)
            await streams.enter_async_context(client.stream("POST", WATCH, content=b"{}", headers=JSON))
        refused = await client.post(WATCH, content=b"{}", headers=JSON)
        assert refused.status_code == 429
        assert debug_of(refused.json(), "ErrorInfo")["reason"] == "TOO_MANY_STREAMS"
        await streams.aclose()
        await told.is_left()
        async with client.stream("POST", WATCH, content=b"{}", headers=JSON) as again:
            assert again.status_code == 200


@pytest.mark.parametrize(
    ("setting", "origin", "allowed"),
    [
        ("", "https://games.example", None),
        ("*", "https://games.example", "*"),
        ("https://games.example, http://localhost:5173", "http://localhost:5173", "http://localhost:5173"),
        ("https://games.example", "https://other.example", None),
        ("https://games.example", "https://games.example.evil.example", None),
    ],
)
async def test_only_the_origins_of_the_setting_may_read_answers(
    told: Servant, setting: str, origin: str, allowed: str | None
) -> None:
    told.answers.set()
    async with gateway_server(gateway_origins=setting, **told.addresses) as address, client_of(address) as client:
        asked = {
            "origin": origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,content-type,connect-protocol-version",
        }
        preflight = await client.options(GET_TABLE, headers=asked)
        assert preflight.status_code == (204 if allowed else 403)
        assert preflight.headers.get("access-control-allow-origin") == allowed
        if allowed:
            permitted = preflight.headers["access-control-allow-headers"].split(", ")
            assert {"authorization", "content-type", "connect-protocol-version", "x-grpc-web"} <= set(permitted)
        answer = await call(client, GET_TABLE, origin=origin)
        assert answer.status_code == 200
        assert answer.headers.get("access-control-allow-origin") == allowed
        assert "access-control-allow-credentials" not in answer.headers
        if allowed:
            assert "retry-after" in answer.headers["access-control-expose-headers"]
        if setting:
            assert "origin" in answer.headers.get_list("vary", split_commas=True)

"""What is passed on, and what happens when a client, a server or the gateway goes away in mid-call."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest

from boardgamesbot.gateway import protocols
from boardgamesbot.gateway.server import serve
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.embedded import free_port
from boardgamesbot.v1 import tables_pb2
from tests.integration.gateway.conftest import client_of
from tests.integration.gateway.servant import Servant
from tests.integration.gateway.wire import TABLES, call, debug_of, framed, frames, live_frames, trailers
from tests.support.waiting import eventually

WATCH = f"{TABLES}/Watch"
GET_TABLE = f"{TABLES}/GetTable"
SECONDS = 10
JSON = {"content-type": "application/json"}
FRAMES = {"content-type": "application/connect+proto"}


async def test_the_token_and_the_name_of_the_request_are_passed_on(before: httpx.AsyncClient, told: Servant) -> None:
    told.answers.set()
    answer = await call(before, GET_TABLE, {"tableId": "x"}, "secret", x_request_id="mine", x_other="not passed on")
    assert answer.json() == {"table": {"id": "x"}}
    assert answer.headers["x-request-id"] == "mine"
    assert (told.metadata["authorization"], told.metadata["x-request-id"]) == ("Bearer secret", "mine")
    assert "x-other" not in told.metadata
    nameless = await call(before, GET_TABLE, {"tableId": "x"})
    assert len(nameless.headers["x-request-id"]) == 32
    assert told.metadata["x-request-id"] == nameless.headers["x-request-id"]
    assert "authorization" not in told.metadata


@pytest.mark.parametrize(
    ("kind", "header", "given"),
    [("application/json", "connect-timeout-ms", "600"), ("application/grpc-web+proto", "grpc-timeout", "600m")],
)
async def test_a_deadline_is_passed_on(
    before: httpx.AsyncClient, told: Servant, kind: str, header: str, given: str
) -> None:
    is_web = kind.startswith("application/grpc-web")
    body = framed(b"") if is_web else b"{}"
    answer = await before.post(GET_TABLE, content=body, headers={"content-type": kind, header: given})
    assert told.seconds_left is not None
    assert 0 < told.seconds_left <= 0.65
    if is_web:
        ((_, ending),) = frames(answer.content)
        assert trailers(ending)["grpc-status"] == "4"
    else:
        assert (answer.status_code, answer.json()["code"]) == (504, "deadline_exceeded")
        assert debug_of(answer.json(), "ErrorInfo")["reason"] == "DEADLINE_EXCEEDED"
    await told.is_left()


async def test_a_call_without_a_deadline_has_the_gateways_and_a_stream_none(
    before: httpx.AsyncClient, told: Servant
) -> None:
    told.answers.set()
    await call(before, GET_TABLE)
    assert told.seconds_left is not None
    # gRPC sends a long time in coarse steps, rounded up.
    assert 29 < told.seconds_left <= Settings.gateway_call_seconds + 0.5
    await told.messages.put(None)
    await call(before, WATCH)
    assert told.is_for_ever


async def test_who_hangs_up_in_a_call_has_it_cancelled(before: httpx.AsyncClient, told: Servant) -> None:
    asking = asyncio.create_task(call(before, GET_TABLE))
    await told.has_begun()
    asking.cancel()
    await told.is_left()


@pytest.mark.parametrize("headers", [JSON, FRAMES])
async def test_who_hangs_up_in_a_stream_has_it_cancelled(
    before: httpx.AsyncClient, told: Servant, headers: dict[str, str]
) -> None:
    await told.messages.put(tables_pb2.WatchResponse(version=1))
    async with before.stream(
        "POST", WATCH, content=b"{}" if headers is JSON else framed(b""), headers=headers
    ) as stream:
        await anext(stream.aiter_raw())
    await told.is_left()


async def test_each_message_is_passed_on_as_it_comes(before: httpx.AsyncClient, told: Servant) -> None:
    async with (
        asyncio.timeout(SECONDS),
        before.stream("POST", WATCH, content=framed(b""), headers=FRAMES) as stream,
    ):
        came = live_frames(stream)
        for version in range(1, 4):
            await told.messages.put(tables_pb2.WatchResponse(version=version))
            assert await anext(came) == (0, tables_pb2.WatchResponse(version=version).SerializeToString())
        await told.messages.put(None)
        assert await anext(came) == (0x02, b"{}")


async def test_a_stream_that_is_quiet_from_the_start_begins_nevertheless(
    before: httpx.AsyncClient, told: Servant
) -> None:
    async with asyncio.timeout(SECONDS), before.stream("POST", WATCH, content=framed(b""), headers=FRAMES) as stream:
        assert stream.status_code == 200


async def test_a_quiet_stream_gives_signs_of_life_to_those_who_ask(before: httpx.AsyncClient, told: Servant) -> None:
    headers = {**FRAMES, protocols.KEEP_ALIVE_HEADER: "1"}
    async with asyncio.timeout(SECONDS), before.stream("POST", WATCH, content=framed(b""), headers=headers) as stream:
        came = live_frames(stream)
        assert await anext(came) == (0, b""), "an empty message"
        await told.messages.put(tables_pb2.WatchResponse(version=7))
        assert (await anext(came))[1] == tables_pb2.WatchResponse(version=7).SerializeToString()


async def test_a_quiet_stream_of_lines_gives_them_to_everybody(
    before: httpx.AsyncClient, told: Servant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "JSON_LINES_KEEP_ALIVE_SECONDS", 0.05)
    async with asyncio.timeout(SECONDS), before.stream("POST", WATCH, content=b"{}", headers=JSON) as stream:
        came = stream.aiter_raw()
        assert await anext(came) == b"\n"
        await told.messages.put(tables_pb2.WatchResponse(version=7))
        line = b""
        while not line.strip():
            line = await anext(came)
        assert json.loads(line) == {"result": {"version": "7"}}


@pytest.mark.parametrize("given", ["0", "121", "x", "1.5"])
async def test_signs_of_life_at_no_sensible_pace_are_refused(before: httpx.AsyncClient, given: str) -> None:
    answer = await before.post(WATCH, content=b"{}", headers={**JSON, protocols.KEEP_ALIVE_HEADER: given})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_argument")


async def test_a_gateway_that_stops_ends_streams_so_that_clients_come_back(told: Servant) -> None:
    listen, stop = f"127.0.0.1:{free_port()}", asyncio.Event()
    gateway = asyncio.create_task(serve(Settings(gateway_listen=listen, **told.addresses), stop))
    async with asyncio.timeout(SECONDS), client_of(f"http://{listen}") as client:

        async def answers() -> bool:
            try:
                return (await client.get("/healthz")).status_code == 200
            except httpx.ConnectError:
                return False

        await eventually(answers)
        asking = asyncio.create_task(call(client, GET_TABLE, {"tableId": "x"}))
        async with client.stream("POST", WATCH, content=framed(b""), headers=FRAMES) as stream:
            await told.has_begun(2)
            stop.set()
            ((flags, content),) = [frame async for frame in live_frames(stream)]
        refusal = json.loads(content)["error"]
        assert (flags, refusal["code"]) == (0x02, "unavailable")
        assert debug_of(refusal, "ErrorInfo")["reason"] == "SERVER_STOPPING"
        assert debug_of(refusal, "RetryInfo")["retryDelay"] == "0.100s"
        assert not gateway.done(), "a call that is no stream is finished first"
        told.answers.set()
        assert (await asking).json() == {"table": {"id": "x"}}
        await gateway

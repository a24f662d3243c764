"""Calls in every protocol, to a real rules server; refusals with the details that gRPC gives."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf import json_format
from google.rpc import status_pb2
from structlog.testing import capture_logs

from boardgamesbot.gateway.methods import METHODS
from boardgamesbot.runtime import logs
from boardgamesbot.v1 import players_pb2, rules_pb2, tables_pb2
from tests.integration.gateway.wire import (
    PLAYERS,
    TABLES,
    call,
    debug_of,
    framed,
    frames,
    guest,
    live_frames,
    trailers,
    unpadded,
)
from tests.support.play import playing

RULES = "/boardgamesbot.v1.RulesService"


async def test_a_call_in_json(http: httpx.AsyncClient) -> None:
    answer = await call(http, f"{PLAYERS}/CreateGuest", {"name": "Núria 🌊"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    made = answer.json()
    assert made["player"]["name"] == "Núria 🌊"
    assert isinstance(made["expiresIn"], str), "64-bit numbers are strings in JSON"
    me = await call(http, f"{PLAYERS}/GetMe", token=made["token"])
    scopes = ["TOKEN_SCOPE_WATCH", "TOKEN_SCOPE_PLAY", "TOKEN_SCOPE_MANAGE"]
    assert me.json() == {"player": made["player"], "scopes": scopes}


async def test_a_call_in_the_wire_format(http: httpx.AsyncClient) -> None:
    request = players_pb2.CreateGuestRequest(name="Ada")
    answer = await http.post(
        f"{PLAYERS}/CreateGuest", content=request.SerializeToString(), headers={"content-type": "application/proto"}
    )
    assert answer.headers["content-type"] == "application/proto"
    assert players_pb2.CreateGuestResponse.FromString(answer.content).player.name == "Ada"


@pytest.mark.parametrize("kind", ["application/grpc-web", "application/grpc-web+proto", "application/grpc-web-text"])
async def test_a_call_in_grpc_web(http: httpx.AsyncClient, kind: str) -> None:
    body = framed(players_pb2.CreateGuestRequest(name="Ada").SerializeToString())
    is_text = kind.endswith("-text")
    answer = await http.post(
        f"{PLAYERS}/CreateGuest",
        content=base64.b64encode(body) if is_text else body,
        headers={"content-type": kind, "x-grpc-web": "1"},
    )
    assert answer.headers["content-type"] == kind
    content = b"".join(base64.b64decode(part) for part in _padded_parts(answer.text)) if is_text else answer.content
    (flags, message), (last, ending) = frames(content)
    assert (flags, last) == (0, 0x80)
    assert players_pb2.CreateGuestResponse.FromString(message).player.name == "Ada"
    assert trailers(ending) == {"grpc-status": "0"}


def _padded_parts(text: str) -> list[str]:
    """base64 of parts one after another: each ends with its padding."""
    parts, kept = [], ""
    for at in range(0, len(text), 4):
        kept += text[at : at + 4]
        if kept.endswith("="):
            parts.append(kept)
            kept = ""
    return [*parts, kept] if kept else parts


async def test_an_empty_body_is_an_empty_message(http: httpx.AsyncClient) -> None:
    token = await guest(http)
    answer = await http.post(
        f"{PLAYERS}/GetMe", headers={"content-type": "application/json", "authorization": f"Bearer {token}"}
    )
    assert answer.json()["player"]["name"] == "Ada"


async def test_a_packed_request_and_a_packed_answer(http: httpx.AsyncClient) -> None:
    packed = await http.post(
        f"{RULES}/GetRulebook",
        content=gzip.compress(b'{"gameId":"agora"}'),
        headers={"content-type": "application/json", "content-encoding": "gzip", "accept-encoding": "gzip"},
    )
    assert packed.headers["content-encoding"] == "gzip"
    plain = await call(http, f"{RULES}/GetRulebook", {"gameId": "agora"}, accept_encoding="identity")
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < len(plain.content) / 2


async def test_a_refusal_says_the_same_as_over_grpc(http: httpx.AsyncClient, rules: str) -> None:
    async with playing(rules) as party:
        request = await party.request()
        request.version -= 1
        async with grpc.aio.insecure_channel(rules) as channel:
            submit = channel.unary_unary(
                f"{TABLES}/SubmitMove",
                tables_pb2.SubmitMoveRequest.SerializeToString,
                tables_pb2.SubmitMoveResponse.FromString,
            )
            token = party.clients[request.seat].token
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await submit(request, metadata=(("authorization", f"Bearer {token}"),))
            said = dict(caught.value.trailing_metadata() or ())["grpc-status-details-bin"]
        status = status_pb2.Status.FromString(said)
        headers = {"authorization": f"Bearer {token}"}
        in_connect = await http.post(
            f"{TABLES}/SubmitMove",
            content=request.SerializeToString(),
            headers={**headers, "content-type": "application/proto"},
        )
        in_web = await http.post(
            f"{TABLES}/SubmitMove",
            content=framed(request.SerializeToString()),
            headers={**headers, "content-type": "application/grpc-web+proto"},
        )
    refusal = in_connect.json()
    assert in_connect.status_code == 409
    assert (refusal["code"], refusal["message"]) == ("aborted", status.message)
    assert [(d["type"], unpadded(d["value"])) for d in refusal["details"]] == [
        (detail.type_url.rpartition("/")[2], detail.value) for detail in status.details
    ]
    info = debug_of(refusal, "ErrorInfo")
    assert info["reason"] == "STALE_VERSION"
    assert info["metadata"] == {"version": str(request.version + 1)}
    ((_, ending),) = frames(in_web.content)
    ended = trailers(ending)
    assert ended["grpc-status"] == str(grpc.StatusCode.ABORTED.value[0])
    assert status_pb2.Status.FromString(unpadded(ended["grpc-status-details-bin"])) == status


async def test_a_refusal_names_the_field(http: httpx.AsyncClient) -> None:
    new_state: dict[str, Any] = {"gameId": "agora", "players": 3}
    cases: list[tuple[str, dict[str, Any], str]] = [
        (f"{PLAYERS}/CreateGuest", {"nam": "Ada"}, "nam"),
        (f"{PLAYERS}/CreateGuest", {"name": 5}, "name"),
        (f"{PLAYERS}/CreateGuest", {"name": "x" * 33}, "name"),
        (f"{RULES}/NewState", {**new_state, "players": "x"}, "players"),
        (f"{RULES}/NewState", {**new_state, "options": {"barcelona": {"solo": "NO"}}}, "options.barcelona.solo"),
        (f"{RULES}/NewState", {**new_state, "options": {"barcelona": {"sol": 1}}}, "options.barcelona.sol"),
        (f"{RULES}/NewState", {"gameId": "chess"}, "game_id"),
        (f"{TABLES}/CreateTable", {"clock": {"perMove": "soon"}}, "clock.perMove"),
    ]
    token = await guest(http)
    for path, message, field in cases:
        answer = await call(http, path, message, token)
        refusal = answer.json()
        assert (answer.status_code, refusal["code"]) == (400, "invalid_argument"), message
        assert debug_of(refusal, "ErrorInfo")["metadata"]["field"] == field, message
        assert debug_of(refusal, "BadRequest")["fieldViolations"][0]["field"] == field, message


async def test_who_has_no_token_is_told_what_is_wanted(http: httpx.AsyncClient) -> None:
    for token, reason in (("", "TOKEN_MISSING"), ("x", "TOKEN_INVALID")):
        answer = await call(http, f"{PLAYERS}/GetMe", token=token)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert debug_of(answer.json(), "ErrorInfo")["reason"] == reason


async def test_the_servers_log_has_the_name_of_the_request(http: httpx.AsyncClient) -> None:
    with capture_logs([logs.about_the_work]) as entries:
        await call(http, f"{PLAYERS}/GetMe", x_request_id="mine")
    named = {entry["event"]: entry for entry in entries if entry.get("call") == "mine"}
    assert named["call refused"]["reason"] == "TOKEN_MISSING"
    assert named["request"]["path"] == f"{PLAYERS}/GetMe", "in the gateway's log it is the same"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{"),
        ("application/json", b"[]"),
        ("application/json", b'{"name":"a","name":"b"}'),
        ("application/json", b"\xff"),
        ("application/json", b"[" * 100_000),
        ("application/proto", b"\xff\xff"),
        ("application/grpc-web+proto", b"\x00\x00\x00\x00\x09abc"),
        ("application/grpc-web+proto", b""),
        ("application/grpc-web-text", b"AAAA*"),
    ],
)
async def test_what_is_no_message_is_refused(alone: httpx.AsyncClient, kind: str, body: bytes) -> None:
    answer = await alone.post(f"{PLAYERS}/CreateGuest", content=body, headers={"content-type": kind})
    if kind.startswith("application/grpc-web"):
        content = base64.b64decode(answer.content) if kind.endswith("text") else answer.content
        ((_, ending),) = frames(content)
        assert trailers(ending)["grpc-status"] == "3"
    else:
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_argument")


@pytest.mark.parametrize(
    ("headers", "what"),
    [
        ({"connect-timeout-ms": "soon"}, "connect-timeout-ms"),
        ({"connect-protocol-version": "2"}, "connect-protocol-version"),
    ],
)
async def test_headers_that_make_no_sense_are_refused(
    alone: httpx.AsyncClient, headers: dict[str, str], what: str
) -> None:
    answer = await alone.post(
        f"{PLAYERS}/CreateGuest", content="{}", headers={"content-type": "application/json", **headers}
    )
    assert answer.status_code == 400
    assert debug_of(answer.json(), "ErrorInfo")["metadata"]["field"] == what


@pytest.mark.parametrize(
    ("method", "path", "kind", "status"),
    [
        ("GET", f"{PLAYERS}/GetMe", "application/json", 405),
        ("POST", f"{PLAYERS}/GetMe", "text/plain", 415),
        ("POST", f"{PLAYERS}/GetMe", "application/connect+json", 415),
        ("POST", f"{PLAYERS}/GetMe", "application/grpc", 415),
        ("POST", f"{PLAYERS}/WatchMe", "application/proto", 415),
        ("POST", f"{PLAYERS}/GetYou", "application/json", 404),
        ("GET", "/boardgamesbot.v1.PlayerService", "application/json", 404),
        ("POST", "/somewhere", "application/json", 405),
    ],
)
async def test_what_is_no_call_is_told_so(
    alone: httpx.AsyncClient, method: str, path: str, kind: str, status: int
) -> None:
    answer = await alone.request(
        method, path, content=b"{}" if method == "POST" else None, headers={"content-type": kind}
    )
    assert answer.status_code == status
    if status == 415:
        assert "application/json" in answer.headers["accept-post"]
    if status == 404:
        assert answer.json()["code"] == "unimplemented"


async def test_a_server_that_is_away_is_named(http: httpx.AsyncClient) -> None:
    answer = await call(http, "/boardgamesbot.v1.BotService/ListBots", token=await guest(http))
    refusal = answer.json()
    assert (answer.status_code, refusal["code"]) == (503, "unavailable")
    assert debug_of(refusal, "ErrorInfo")["reason"] == "BOTS_UNAVAILABLE"
    assert debug_of(refusal, "RetryInfo")["retryDelay"] == "1s"
    assert answer.headers["retry-after"] == "1"


async def test_who_is_well_and_who_is_not(http: httpx.AsyncClient) -> None:
    assert (await http.get("/healthz")).text == "alive\n"
    ready = await http.get("/readyz")
    assert ready.status_code == 503
    servers = {"rules": "serving", "bots": "not serving", "matchmaking": "not serving"}
    assert ready.json() == {"status": "not ready", "servers": servers}
    health = await call(http, "/grpc.health.v1.Health/Check", {"service": "boardgamesbot.v1.TableService"})
    assert health.json() == {"status": "SERVING"}
    away = await call(http, "/grpc.health.v1.Health/Check", {"service": "boardgamesbot.v1.BotService"})
    assert away.status_code == 503


async def test_a_game_in_json_lines(http: httpx.AsyncClient) -> None:
    """Three people with nothing but JSON, and a spectator who sees every version once."""
    tokens = [await guest(http, name) for name in ("Ada", "Bea", "Cleo")]
    create = {"gameId": "agora", "players": 3, "requestId": "one"}
    table_id = (await call(http, f"{TABLES}/CreateTable", create, tokens[0])).json()["table"]["id"]
    for token in tokens:
        assert (await call(http, f"{TABLES}/TakeSeat", {"tableId": table_id}, token)).status_code == 200
    assert (await call(http, f"{TABLES}/StartTable", {"tableId": table_id}, tokens[0])).status_code == 200
    seen: list[int] = []
    watching = {"content-type": "application/json", "authorization": f"Bearer {await guest(http)}"}
    body = json.dumps({"tableId": table_id})
    async with http.stream("POST", f"{TABLES}/Watch", content=body, headers=watching) as stream:
        assert stream.headers["content-type"] == "application/x-ndjson"
        async for line in stream.aiter_lines():
            change = json.loads(line)["result"]
            seen.append(int(change["version"]))
            if len(seen) == 25:
                break
            if "table" not in change:
                continue
            seat = change["table"]["summary"].get("actor", 0)
            legal = (await call(http, f"{TABLES}/ListLegalMoves", {"tableId": table_id}, tokens[seat])).json()
            version = legal["version"]
            submit = {"tableId": table_id, "seat": seat, "version": version, "requestId": version}
            submitted = await call(
                http, f"{TABLES}/SubmitMove", {**submit, "move": legal["moves"][0]["move"]}, tokens[seat]
            )
            assert submitted.status_code == 200, submitted.text
    assert seen == list(range(1, 26))


async def test_streams_in_frames_are_the_same_as_over_grpc(http: httpx.AsyncClient, rules: str) -> None:
    async with playing(rules) as party:
        await party.play()
        over_grpc = [change async for change in party.host.watch(party.table_id)]
        request = tables_pb2.WatchRequest(table_id=party.table_id)
        for kind in ("application/connect+json", "application/connect+proto", "application/grpc-web+proto"):
            is_json = kind.endswith("json")
            body = json_format.MessageToJson(request).encode() if is_json else request.SerializeToString()
            headers = {"content-type": kind, "authorization": f"Bearer {party.host.token}"}
            async with http.stream("POST", f"{TABLES}/Watch", content=framed(body), headers=headers) as stream:
                assert stream.headers["content-type"] == kind
                *came, ending = [frame async for frame in live_frames(stream)]
            is_web = kind.startswith("application/grpc")
            assert ending == ((0x80, b"grpc-status:0\r\n") if is_web else (0x02, b"{}"))
            assert {flags for flags, _ in came} == {0}
            if is_json:
                got = [json_format.Parse(content, tables_pb2.WatchResponse()) for _, content in came]
            else:
                got = [tables_pb2.WatchResponse.FromString(content) for _, content in came]
            assert got == over_grpc, kind


async def test_a_stream_that_is_refused(http: httpx.AsyncClient) -> None:
    token = await guest(http)
    lines = await call(http, f"{TABLES}/Watch", {"tableId": "00aaaaaaaaaaaa"}, token)
    assert (lines.status_code, lines.json()["code"]) == (404, "not_found"), "before anything was sent: by the status"
    in_frames = await http.post(
        f"{TABLES}/Watch",
        content=framed(b'{"tableId":"00aaaaaaaaaaaa"}'),
        headers={"content-type": "application/connect+json", "authorization": f"Bearer {token}"},
    )
    ((flags, content),) = frames(in_frames.content)
    assert (in_frames.status_code, flags) == (200, 0x02)
    assert json.loads(content)["error"] == lines.json()


def test_every_method_of_the_contract_is_there() -> None:
    files = ("bots", "matchmaking", "players", "rules", "tables")
    contract = set()
    for name in files:
        module = __import__(f"boardgamesbot.v1.{name}_pb2", fromlist=["DESCRIPTOR"])
        for service in module.DESCRIPTOR.services_by_name.values():
            contract |= {f"/{service.full_name}/{method.name}" for method in service.methods}
    assert len(contract) > 30
    assert contract <= set(METHODS)
    assert METHODS[f"{RULES}/NewState"].request is rules_pb2.NewStateRequest

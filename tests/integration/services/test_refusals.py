"""Every refusal says what is wrong in a form that programs can read; none hurts the server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from boardgamesbot.client import Refused, refusal_of
from boardgamesbot.runtime.tokens import Tokens, new_guest
from boardgamesbot.v1 import agora_pb2, games_pb2, tables_pb2
from tests.support.bots import TOKEN_KEY
from tests.support.play import TABLES, call, code_of, playing

M = TypeVar("M")

UNKNOWN_TABLE = "00aaaaaaaaaaaa"
SUBMIT = TABLES + "SubmitMove"
GET_TABLE = TABLES + "GetTable"


async def refused(address: str, method: str, request: object, token: str = "") -> tuple[Refused, status_pb2.Status]:
    """What a call that must be refused answers: as the SDK reads it, and as it is."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(address, method, request, token)
    status = status_pb2.Status()
    for key, value in caught.value.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            status.ParseFromString(value)
    assert status.code == caught.value.code().value[0]
    return refusal_of(caught.value), status


def detail(status: status_pb2.Status, kind: type[M]) -> M:
    """The one detail of this kind."""
    found = kind()
    assert [packed for packed in status.details if packed.Unpack(found)], status
    return found


@dataclass(frozen=True)
class Row:
    """A change to a good request of the seat to move, and what is answered to it."""

    name: str
    spoil: Callable[[tables_pb2.SubmitMoveRequest], None]
    code: grpc.StatusCode
    reason: str
    metadata: dict[str, str] = field(default_factory=dict)
    """What ErrorInfo must say, `{version}` being the table's."""
    field: str = ""
    """What BadRequest must name."""


def _agora(move: agora_pb2.AgoraMove) -> Callable[[tables_pb2.SubmitMoveRequest], None]:
    return lambda request: request.move.CopyFrom(games_pb2.GameMove(agora=move))


def _walk(frm: int, to: int, walker: int = 0) -> Callable[[tables_pb2.SubmitMoveRequest], None]:
    walk = agora_pb2.AgoraWalkMove(walker=walker)
    setattr(walk, "from", frm)
    walk.to = to  # type: ignore[assignment]
    return _agora(agora_pb2.AgoraMove(walk=walk))


def _set(name: str, value: object) -> Callable[[tables_pb2.SubmitMoveRequest], None]:
    return lambda request: setattr(request, name, value)


def _malformed(name: str, spoil: Callable[[tables_pb2.SubmitMoveRequest], None], path: str) -> Row:
    return Row(name, spoil, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", {"field": path}, path)


ROWS = [
    _malformed("no table id", _set("table_id", ""), "table_id"),
    _malformed("no request id", _set("request_id", ""), "request_id"),
    _malformed("a request id too long", _set("request_id", "x" * 65), "request_id"),
    _malformed("a request id of two lines", _set("request_id", "a\nb"), "request_id"),
    _malformed("no version", _set("version", 0), "version"),
    _malformed("a version below zero", _set("version", -7), "version"),
    _malformed("no such seat", _set("seat", 3), "seat"),
    _malformed("a seat below zero", _set("seat", -1), "seat"),
    _malformed("no move", lambda request: request.ClearField("move"), "move.agora"),
    _malformed("a move of no kind", _agora(agora_pb2.AgoraMove()), "move.agora"),
    _malformed("a walk to nowhere", _walk(1, 0), "move.agora.walk.to"),
    _malformed("a walk to an eleventh district", _walk(1, 11), "move.agora.walk.to"),
    _malformed("a walk from below zero", _walk(-1, 1), "move.agora.walk.from"),
    _malformed("a walker of a sixth seat", _walk(1, 2, walker=5), "move.agora.walk.walker"),
    _malformed(
        "a square past the last",
        _agora(agora_pb2.AgoraMove(play=agora_pb2.AgoraPlayMove(square=61))),
        "move.agora.play.square",
    ),
    _malformed(
        "a third pile",
        _agora(agora_pb2.AgoraMove(draw=agora_pb2.AgoraDrawMove(pile=3))),
        "move.agora.draw.pile",
    ),
    Row(
        "an unknown table",
        _set("table_id", UNKNOWN_TABLE),
        grpc.StatusCode.NOT_FOUND,
        "TABLE_NOT_FOUND",
        {"field": "table_id", "table_id": UNKNOWN_TABLE},
    ),
    Row(
        "an id no table can have",
        _set("table_id", "../../etc/passwd"),
        grpc.StatusCode.NOT_FOUND,
        "TABLE_NOT_FOUND",
        {"field": "table_id", "table_id": "../../etc/passwd"},
    ),
    Row(
        "another's seat",
        lambda request: setattr(request, "seat", (request.seat + 1) % 3),
        grpc.StatusCode.PERMISSION_DENIED,
        "NOT_YOUR_SEAT",
        {"field": "seat"},
    ),
    Row(
        "a version gone by",
        lambda request: setattr(request, "version", request.version - 1),
        grpc.StatusCode.ABORTED,
        "STALE_VERSION",
        {"version": "{version}"},
    ),
    Row(
        "a version to come",
        lambda request: setattr(request, "version", request.version + 1),
        grpc.StatusCode.ABORTED,
        "STALE_VERSION",
        {"version": "{version}"},
    ),
    Row(
        "a move of another phase",
        _agora(agora_pb2.AgoraMove(pass_fountain=agora_pb2.AgoraPassFountainMove(seat=1))),
        grpc.StatusCode.FAILED_PRECONDITION,
        "ILLEGAL_MOVE",
        {"version": "{version}", "rule": "AG-T1"},
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_a_bad_move_is_refused_with_its_reason(rules: str, row: Row) -> None:
    async with playing(rules) as party:
        request = await party.request()
        token, version = party.clients[request.seat].token, request.version
        good = tables_pb2.SubmitMoveRequest()
        good.CopyFrom(request)
        row.spoil(request)
        refusal, status = await refused(rules, SUBMIT, request, token)
        assert (refusal.code, refusal.reason) == (row.code, row.reason)
        info = detail(status, error_details_pb2.ErrorInfo)
        assert info.domain == "boardgamesbot"
        for key, value in row.metadata.items():
            assert info.metadata[key] == value.format(version=version)
        if row.field:
            assert [v.field for v in detail(status, error_details_pb2.BadRequest).field_violations] == [row.field]
        if row.reason == "TABLE_NOT_FOUND":
            resource = detail(status, error_details_pb2.ResourceInfo)
            assert (resource.resource_type, resource.resource_name) == ("table", info.metadata["table_id"])
        assert (await party.now()).version == version, "a refused move changes nothing"
        assert tables_pb2.SubmitMoveResponse.FromString(await call(rules, SUBMIT, good, token)).version == version + 1


async def test_a_square_that_is_not_in_the_hand_is_refused_by_its_rule(rules: str) -> None:
    async with playing(rules) as party:
        seat = await party.play_until(agora_pb2.AGORA_PHASE_PLAY)
        view = await party.clients[seat].view(party.table_id)
        own = {square.id for square in view.view.agora.hand}
        request = await party.request()
        foreign = next(square for square in range(1, 61) if square not in own)
        request.move.agora.play.square = foreign
        refusal, status = await refused(rules, SUBMIT, request, party.clients[seat].token)
        violation = detail(status, error_details_pb2.PreconditionFailure).violations[0]
        assert (violation.type, violation.subject) == ("RULE", "AG-P2.1")
        assert (refusal.reason, refusal.rule, refusal.version) == ("ILLEGAL_MOVE", "AG-P2.1", view.version)
        assert refusal.metadata["square"] == str(foreign)
        assert "AG-P2.1" in refusal.message


async def test_who_is_not_to_move_is_told_so(rules: str) -> None:
    async with playing(rules) as party:
        request = await party.request()
        request.seat = (request.seat + 1) % 3
        refusal, status = await refused(rules, SUBMIT, request, party.clients[request.seat].token)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")
        assert refusal.version == request.version
        assert detail(status, error_details_pb2.PreconditionFailure).violations[0].subject == "NOT_YOUR_TURN"


async def test_a_spectator_moves_for_nobody(rules: str) -> None:
    async with playing(rules) as party:
        request = await party.request()
        stranger = Tokens(TOKEN_KEY.encode(), 60).issue(new_guest("Stranger"))
        for seat in range(3):
            request.seat = seat
            refusal, _ = await refused(rules, SUBMIT, request, stranger)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT")


@pytest.mark.parametrize(
    ("request_", "field_"),
    [
        (tables_pb2.CreateTableRequest(game_id="chess", players=3, request_id="r"), "game_id"),
        (tables_pb2.CreateTableRequest(game_id="agora", players=2, request_id="r"), "players"),
        (tables_pb2.CreateTableRequest(game_id="agora", players=6, request_id="r"), "players"),
        (tables_pb2.CreateTableRequest(game_id="agora", players=3), "request_id"),
        (
            tables_pb2.CreateTableRequest(
                game_id="agora",
                players=3,
                request_id="r",
                options=games_pb2.GameOptions(agora=agora_pb2.AgoraOptions(backs=9)),  # type: ignore[arg-type]
            ),
            "options.agora.backs",
        ),
    ],
)
async def test_a_table_that_cannot_be_is_refused(
    rules: str, request_: tables_pb2.CreateTableRequest, field_: str
) -> None:
    refusal, _ = await refused(rules, TABLES + "CreateTable", request_, _token())
    assert (refusal.code, refusal.reason, refusal.field) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        field_,
    )


@pytest.mark.parametrize(
    ("page", "field_"),
    [
        (tables_pb2.ListTablesRequest(page_size=-1), "page_size"),
        (tables_pb2.ListTablesRequest(page_size=101), "page_size"),
        (tables_pb2.ListTablesRequest(page_token="not one of ours"), "page_token"),
        (tables_pb2.ListTablesRequest(status=tables_pb2.TABLE_STATUS_CLOSED), "status"),
    ],
)
async def test_a_page_that_cannot_be_is_refused(rules: str, page: tables_pb2.ListTablesRequest, field_: str) -> None:
    refusal, _ = await refused(rules, TABLES + "ListTables", page, _token())
    assert (refusal.code, refusal.field) == (grpc.StatusCode.INVALID_ARGUMENT, field_)


def _token() -> str:
    return Tokens(TOKEN_KEY.encode(), 60).issue(new_guest("Guest"))


async def test_a_message_too_large_is_refused_with_the_limit(rules: str) -> None:
    for method in (SUBMIT, GET_TABLE):
        refusal, _ = await refused(rules, method, bytes(5_000_000), _token())
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE")
        assert refusal.metadata == {"size": "5000000", "limit": "262144"}


async def test_bytes_that_are_no_message_are_refused_and_the_server_goes_on(rules: str) -> None:
    rng = Random(7)
    async with playing(rules) as party:
        token = party.host.token
        noise = [bytes([0xFF] * 64), b"\x0a\xff\xff\xff\xff\x0f", *(rng.randbytes(200) for _ in range(60))]
        for method in (SUBMIT, GET_TABLE, TABLES + "TakeSeat", "/boardgamesbot.v1.RulesService/VerifyRecord"):
            codes = await asyncio.gather(*(code_of(rules, method, data, token) for data in noise))
            assert codes[:2] == [grpc.StatusCode.INVALID_ARGUMENT] * 2
            # What happens to parse is a request without a table, or for an unknown one.
            assert set(codes) <= {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.OK}
        assert await party.play(20) == 20


async def test_a_deadline_of_the_caller_is_kept(rules: str) -> None:
    """A call the caller has given up does not take the server with it."""
    request = tables_pb2.GetTableRequest(table_id=UNKNOWN_TABLE)
    started = time.monotonic()
    codes = await asyncio.gather(*(code_of(rules, GET_TABLE, request, _token(), seconds=0.005) for _ in range(20)))
    assert set(codes) <= {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.NOT_FOUND}
    assert time.monotonic() - started < 5
    assert await code_of(rules, GET_TABLE, b"", _token()) == grpc.StatusCode.INVALID_ARGUMENT

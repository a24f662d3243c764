"""A little of the fuzzing, with seeds that stay: `make fuzz` does it at length with others."""

from __future__ import annotations

import httpx
import pytest

from boardgamesbot.gateway.codec import read_json
from boardgamesbot.rules.tables import Tables
from boardgamesbot.runtime.errors import ApiError
from boardgamesbot.store.client import connect
from boardgamesbot.v1 import tables_pb2
from tests.fuzz import decoders, methods

PURE_INPUTS = 40
SERVED_INPUTS = 100


@pytest.mark.parametrize("name", decoders.TARGETS)
def test_a_decoder_takes_what_comes_or_refuses_it(name: str) -> None:
    for seed in range(PURE_INPUTS):
        decoders.run(name, seed)


@pytest.mark.parametrize(
    "text", [b'{"afterVersion": Infinity}', b'{"afterVersion": 1e999}', b'{"\\ud800": 1}', b'{"tableId": "\\ud800"}']
)
def test_json_that_protobuf_stumbles_over_is_refused(text: bytes) -> None:
    with pytest.raises(ApiError):
        read_json(tables_pb2.WatchRequest, text)


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel:///:hushhush@127.0.0.1:26379/x",
        "redis://user:hushhush/more@127.0.0.1:6379/0",
        "redis+cluster://user:hushhush#more@127.0.0.1:7000",
    ],
)
def test_a_password_in_the_wrong_place_is_not_told(url: str) -> None:
    with pytest.raises(ValueError, match=r"port|hosts") as refused:
        connect(url)
    assert "hushhush" not in str(refused.value)


async def test_a_method_that_only_a_library_has_is_refused_as_none() -> None:
    async with methods.arena() as made, httpx.AsyncClient(trust_env=False) as client:
        asked = await client.post(
            f"{made.page}/grpc.health.v1.Health/List", content=b"{}", headers={"content-type": "application/json"}
        )
    assert asked.status_code == 501, asked.text
    assert asked.json()["code"] == "unimplemented"


async def test_no_method_fails_on_what_it_is_sent() -> None:
    faults: list[str] = []
    runs = await methods.run(methods.TARGETS, range(SERVED_INPUTS), faults)
    assert not faults, "\n".join(faults)
    assert min(runs.values()) == SERVED_INPUTS


async def test_a_method_that_fails_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no handler expects is reported with the words that repeat it, over gRPC and in the log."""

    async def fails(*_: object) -> None:
        raise RuntimeError("a fault put in")

    for name in ("page", "by_code", "undo", "record"):
        monkeypatch.setattr(Tables, name, fails)
    faults: list[str] = []
    await methods.run(["grpc_bytes"], range(100), faults)
    assert any(": INTERNAL" in fault and "--target grpc_bytes --seed" in fault for fault in faults)
    assert any("logged" in fault and "a fault put in" in fault for fault in faults)

"""The description of the HTTP API: valid, fresh, complete, and true."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from openapi_spec_validator import validate

from boardgamesbot.gateway.methods import HEALTH, METHODS
from boardgamesbot.rules.server import OPEN_METHODS
from tests.integration.gateway.wire import PLAYERS, TABLES, call
from tests.support.play import playing

RULES = "/boardgamesbot.v1.RulesService"


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """The description as it is shipped."""
    text = (resources.files("boardgamesbot.gateway") / "openapi.json").read_text("utf-8")
    made: dict[str, Any] = json.loads(text)
    return made


def test_it_is_valid(description: dict[str, Any]) -> None:
    validate(description)


def test_it_is_what_the_protos_say_now(description: dict[str, Any], tmp_path: Path) -> None:
    protoc = pytest.importorskip("grpc_tools.protoc", reason="the tools of the developers make it")
    del protoc
    descriptors, fresh = tmp_path / "descriptors", tmp_path / "openapi.json"
    protos = sorted(map(str, Path("protos/boardgamesbot/v1").glob("*.proto")))
    subprocess.run(
        [sys.executable, "-m", "grpc_tools.protoc", "--proto_path=protos", "--include_source_info",
         f"--descriptor_set_out={descriptors}", *protos],
        check=True,
    )  # fmt: skip
    subprocess.run([sys.executable, "-m", "boardgamesbot.gateway.openapi", descriptors, fresh], check=True)
    assert json.loads(fresh.read_text("utf-8")) == description, "stale: make protos"


def test_every_method_is_described_and_says_whether_it_wants_a_token(description: dict[str, Any]) -> None:
    methods = {path for path, method in METHODS.items() if method.service != HEALTH}
    described = {path: item["post"] for path, item in description["paths"].items() if "post" in item}
    assert set(described) == methods
    for path, operation in described.items():
        is_open = any(path == name or (name.endswith("/") and path.startswith(name)) for name in OPEN_METHODS)
        assert operation["security"] == ([] if is_open else [{"token": []}]), path
        (kind,) = operation["responses"]["200"]["content"]
        assert kind == ("application/x-ndjson" if METHODS[path].is_stream else "application/json")
        assert operation["description"]
        assert {"400", "429", "503"} <= set(operation["responses"])


def test_every_field_has_words(description: dict[str, Any]) -> None:
    fields = [
        (name, field, about)
        for name, schema in description["components"]["schemas"].items()
        for field, about in schema.get("properties", {}).items()
        if name not in ("Error", "ErrorDetail")
    ]
    assert len(fields) > 300
    assert [(name, field) for name, field, about in fields if not about.get("description")] == []


async def test_real_answers_are_as_described(http: httpx.AsyncClient, rules: str, description: dict[str, Any]) -> None:
    """Strictly: no field that is not described, no value of another kind."""
    strict = json.loads(json.dumps(description))
    for schema in strict["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False

    def check(path: str, answer: Any) -> None:
        schema = strict["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        whole = {**schema, "components": strict["components"]}
        jsonschema.Draft202012Validator(whole).validate(answer)

    async with playing(rules) as party:
        await party.play(6)
        for path, message in (
            (f"{TABLES}/GetView", {"tableId": party.table_id}),
            (f"{TABLES}/GetTable", {"tableId": party.table_id}),
            (f"{TABLES}/ListLegalMoves", {"tableId": party.table_id}),
            (f"{RULES}/ListGames", {}),
            (f"{RULES}/GetRulebook", {"gameId": "barcelona"}),
            (f"{RULES}/NewState", {"gameId": "barcelona", "players": 3}),
            (f"{PLAYERS}/GetMe", {}),
        ):
            answer = await call(http, path, message, party.host.token)
            assert answer.status_code == 200, answer.text
            assert answer.json()
            check(path, answer.json())
    with pytest.raises(jsonschema.ValidationError):
        check(f"{PLAYERS}/GetMe", {"player": {"name": 5}})
    refused = await call(http, f"{PLAYERS}/GetMe")
    error = {**strict["components"]["schemas"]["Error"], "components": strict["components"]}
    jsonschema.Draft202012Validator(error).validate(refused.json())


async def test_it_is_served_to_programs_and_to_people(http: httpx.AsyncClient, description: dict[str, Any]) -> None:
    served = await http.get("/openapi.json")
    assert served.json() == description
    assert served.headers["content-encoding"] == "gzip"
    again = await http.get("/openapi.json", headers={"if-none-match": served.headers["etag"]})
    assert again.status_code == 304
    page = (await http.get("/api")).text
    for path in METHODS:
        if HEALTH not in path:
            assert path in page
    ids, links = set(re.findall(r'id="([^"]+)"', page)), set(re.findall(r'href="#([^"]+)"', page))
    assert links <= ids
    assert len(links) > 100
    assert not re.search(r"<script|style=|https?://", page), "no script, nothing inline, nothing from elsewhere"


def _examples(page: str) -> Iterator[str]:
    yield from re.findall(r"-d '(\{.*?\})'", page)


async def test_the_examples_are_requests(http: httpx.AsyncClient) -> None:
    """The page shows each method with a request that can be filled in: JSON with fields that are there."""
    from html import unescape

    page = unescape((await http.get("/api")).text)
    examples = [json.loads(text) for text in _examples(page)]
    assert len(examples) == len([path for path in METHODS if HEALTH not in path])
    assert {"name": "…"} in examples

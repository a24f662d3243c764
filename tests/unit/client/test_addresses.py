"""Where the servers are, where a program does not say."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from boardgamesbot.client import usual_addresses
from boardgamesbot.runtime.settings import Settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where `bgb serve` would leave word; nothing else says where servers are."""
    for name in ("RULES", "BOTS", "MATCHMAKING"):
        monkeypatch.delenv(f"BGB_{name}_ADDRESS", raising=False)
    monkeypatch.setenv("BGB_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("left", ["", "[]", '{"rules_address": "127.0.0.1:1", "bots_address": "h:2"}', "{"])
def test_the_usual_addresses_are_those_of_the_servers(folder: Path, left: str) -> None:
    """Also where a `bgb serve` has left word and runs no more."""
    (folder / "servers.json").write_text(left)
    servers = Settings()
    assert usual_addresses() == (servers.rules_address, servers.bots_address, servers.matchmaking_address)


def test_the_platform_that_runs_here_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        rules = f"127.0.0.1:{server.getsockname()[1]}"
        left = {"rules_address": rules, "bots_address": "h:2", "matchmaking_address": "h:3", "archive": ""}
        (folder / "servers.json").write_text(json.dumps(left))
        assert usual_addresses() == (rules, "h:2", "h:3")
        monkeypatch.setenv("BGB_RULES_ADDRESS", "elsewhere:1")
        assert usual_addresses() == ("elsewhere:1", "127.0.0.1:7411", "127.0.0.1:7412"), "another platform is meant"


def test_the_environment_says_otherwise(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = Settings(rules_address="a:1", bots_address="b:2", matchmaking_address="c:3")
    for name, value in given.to_environment().items():
        monkeypatch.setenv(name, value)
    assert usual_addresses() == ("a:1", "b:2", "c:3")

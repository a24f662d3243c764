"""What `bgb serve` leaves for the other commands of the same user, and for nobody else."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main, options
from boardgamesbot.cli.local import forget_servers, keep_redis_url, keep_servers, kept_redis_url
from boardgamesbot.store.embedded import password_of


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BGB_DATA", str(tmp_path))
    for name in ("REDIS_URL", "REDIS_URL_FILE", "RULES_ADDRESS", "BOTS_ADDRESS", "MATCHMAKING_ADDRESS", "ARCHIVE"):
        monkeypatch.delenv(f"BGB_{name}", raising=False)
    return tmp_path


@pytest.fixture
def listening() -> Iterator[str]:
    """The address of a server that is there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def servers(rules: str, archive: str = "") -> dict[str, str]:
    others = {"bots_address": "h:2", "matchmaking_address": "h:3", "gateway_address": "h:4"}
    return {"rules_address": rules, **others, "archive": archive}


def test_commands_find_the_redis_of_serve_with_its_password(data: Path) -> None:
    assert kept_redis_url() is None
    assert options.settings().redis_url == "redis://127.0.0.1:7409/0"
    url = keep_redis_url(data / "redis", 7_777)
    assert url == f"redis://:{password_of(data / 'redis')}@127.0.0.1:7777/0"
    assert options.settings().redis_url == url
    assert keep_redis_url(data / "redis", 7_777) == url, "a restart changes no password"


def test_an_address_that_is_given_wins(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_redis_url(data / "redis", 7_777)
    assert options.settings(redis_url="redis://a:1/0").redis_url == "redis://a:1/0"
    monkeypatch.setenv("BGB_REDIS_URL", "redis://b:2/0")
    assert options.settings().redis_url == "redis://b:2/0"


def test_nobody_else_can_read_what_is_kept(data: Path) -> None:
    keep_redis_url(data / "redis", 7_777)
    kept = list((data / "redis").iterdir())
    assert {file.name for file in kept} == {"access.conf", "url"}
    for path in (data / "redis", *kept):
        assert path.stat().st_mode & 0o077 == 0


def test_commands_find_the_servers_of_a_serve_that_runs(data: Path, listening: str) -> None:
    usual = options.settings()
    keep_servers(data, servers(listening, "/srv/games"))
    found = options.settings()
    assert (found.rules_address, found.bots_address, found.matchmaking_address) == (listening, "h:2", "h:3")
    assert (found.gateway_address, found.archive) == ("h:4", "/srv/games")
    forget_servers(data)
    assert options.settings() == usual


def test_a_serve_that_was_killed_leaves_nobody_astray(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        gone = f"127.0.0.1:{server.getsockname()[1]}"
    keep_servers(data, servers(gone, "/srv/games"))
    assert options.settings().rules_address == "127.0.0.1:7410"
    assert options.settings().archive == ""


@pytest.mark.parametrize("named", ["redis_url", "rules_address", "bots_address"])
def test_who_names_another_platform_is_given_nothing_of_this_one(
    data: Path, listening: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_servers(data, servers(listening, "/srv/games"))
    value = "redis://a:1/0" if named == "redis_url" else "a:1"
    monkeypatch.setenv(f"BGB_{named.upper()}", value)
    for settings in (options.settings(), options.settings(**{named: value})):
        assert getattr(settings, named) == value
        assert settings.matchmaking_address == "127.0.0.1:7412"
        assert settings.archive == ""


def test_a_folder_that_is_named_is_looked_into(data: Path, tmp_path: Path, listening: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    keep_servers(other, servers(listening))
    here = json.loads(CliRunner().invoke(main, ["settings", "--json"]).stdout)
    there = json.loads(CliRunner().invoke(main, ["settings", "--json", "--data", str(other)]).stdout)
    assert here["BGB_RULES_ADDRESS"] == {"value": "127.0.0.1:7410", "from": "default"}
    assert there["BGB_RULES_ADDRESS"] == {"value": listening, "from": "bgb serve"}


def test_settings_say_what_is_known_from_serve(data: Path, listening: str) -> None:
    keep_redis_url(data / "redis", 7_777)
    keep_servers(data, servers(listening, "/srv/games"))
    shown = json.loads(CliRunner().invoke(main, ["settings", "--json", "--changed"]).stdout)
    assert shown["BGB_REDIS_URL"] == {"value": "redis://:***@127.0.0.1:7777/0", "from": "bgb serve"}
    assert shown["BGB_ARCHIVE"] == {"value": "/srv/games", "from": "bgb serve"}
    assert "BGB_SLOTS" not in shown

"""Where the servers are, where a program does not say."""

from __future__ import annotations

import pytest

from boardgamesbot.client import usual_addresses
from boardgamesbot.runtime.settings import Settings


def test_the_usual_addresses_are_those_of_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RULES", "BOTS", "MATCHMAKING"):
        monkeypatch.delenv(f"BGB_{name}_ADDRESS", raising=False)
    servers = Settings()
    assert usual_addresses() == (servers.rules_address, servers.bots_address, servers.matchmaking_address)


def test_the_environment_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Settings(rules_address="a:1", bots_address="b:2", matchmaking_address="c:3")
    for name, value in given.to_environment().items():
        monkeypatch.setenv(name, value)
    assert usual_addresses() == ("a:1", "b:2", "c:3")

"""What a client says when nobody answers."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from boardgamesbot.cli.explaining import explained
from boardgamesbot.client import Client, Refused, SyncClient
from boardgamesbot.store.embedded import free_port


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for method in (Client._call, SyncClient._call):
        monkeypatch.setattr(method, "__defaults__", (0.2,))


def test_it_says_which_server_does_not_answer_and_what_to_do() -> None:
    rules, bots, matchmaking = (f"127.0.0.1:{free_port()}" for _ in range(3))

    async def asked() -> list[Refused]:
        async with Client(rules, bots=bots, matchmaking=matchmaking) as client:
            calls = (client.sign_in("Rook"), client.games(), client.table("t"), client.list_bots(), client.queues())
            return [one for one in await asyncio.gather(*calls, return_exceptions=True) if isinstance(one, Refused)]

    refusals = asyncio.run(asked())
    assert [refused.address for refused in refusals] == [rules, rules, rules, bots, matchmaking]
    for refused in refusals:
        assert refused.code is grpc.StatusCode.DEADLINE_EXCEEDED
        assert refused.reason == ""
        assert refused.address in str(refused)
        assert "`bgb serve`" in str(refused)
        assert "BGB_RULES_ADDRESS" in str(refused)
        told = explained(refused)
        assert told.startswith(f"nothing answers at {refused.address}")
        assert "`make run`" in told
        assert "BGB_" not in told, "who plays knows no settings"


def test_the_client_without_a_loop_says_it_too() -> None:
    address = f"127.0.0.1:{free_port()}"
    client = SyncClient(address)
    with pytest.raises(Refused, match=f"{address} does not answer"):
        client.view("token", "t")
    client.close()

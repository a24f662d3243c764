"""A table is played on with the ruleset it was opened with, or not at all; it is never lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from structlog.testing import capture_logs

from boardgamesbot.bots.turn import Outcome
from boardgamesbot.client import Client, Refused
from boardgamesbot.games import registry
from boardgamesbot.games.agora import Agora
from boardgamesbot.games.agora.proto import AgoraCodec
from boardgamesbot.games.agora.ruleset import load
from boardgamesbot.games.rulesets import shipped_parts
from tests.support.bots import TOKEN_KEY, BotTurns
from tests.support.platform import rules_server
from tests.support.play import playing

HERE = load().hash
OWN = json.dumps(shipped_parts("agora") | {"hand": {"source": "ours", "squares": 4}})


@contextmanager
def other_figures() -> Iterator[str]:
    """Agora has another ruleset in this process for a while; gives its hash."""
    with pytest.MonkeyPatch.context() as patch:
        ruleset = load(OWN)
        patch.setitem(registry.CODECS._codecs, "agora", AgoraCodec(Agora(ruleset)))
        yield ruleset.hash


async def test_a_server_with_another_ruleset_refuses_the_table_and_leaves_it_as_it_is(
    rules: str, redis_url: str
) -> None:
    async with playing(rules) as table:
        await table.play(5)
        before = await table.now()
        with other_figures() as theirs:
            async with rules_server(redis_url, token_key=TOKEN_KEY) as server:
                request = await table.request()
                client = Client(server, token=table.clients[request.seat].token)
                async with client:
                    for refused in (
                        client.view(table.table_id),
                        client.table(table.table_id),
                        client.submit(table.table_id, request.seat, request.version, request.move),
                        client.resign(table.table_id, request.seat),
                        anext(client.watch(table.table_id)),
                    ):
                        with pytest.raises(Refused) as caught:
                            await refused
                        assert caught.value.reason == "RULESET_UNAVAILABLE"
                        assert HERE[:12] in caught.value.message
                        assert theirs[:12] in caught.value.message
                        assert "--ruleset" in caught.value.message
                        assert caught.value.metadata["ruleset_hash"] == HERE
                        assert caught.value.metadata["server_ruleset_hash"] == theirs
                        assert caught.value.version == before.version
        async with rules_server(redis_url, token_key=TOKEN_KEY) as server, Client(server) as client:
            client.token = table.host.token
            assert (await client.view(table.table_id)).version == before.version
        assert await table.play() > 0


async def test_an_open_table_does_not_begin_with_other_figures_than_it_says(rules: str, redis_url: str) -> None:
    async with Client(rules) as host:
        await host.sign_in("Host")
        table = await host.create_table("agora", 3)
        assert table.ruleset_hash == HERE
        with other_figures():
            async with rules_server(redis_url, token_key=TOKEN_KEY) as server, Client(server) as client:
                client.token = host.token
                with pytest.raises(Refused, match="this table of agora was opened with ruleset"):
                    await client.take_seat(table.id)
                with pytest.raises(Refused, match="this table of agora was opened with ruleset"):
                    await client.start(table.id)
        assert await host.take_seat(table.id) == 0


async def test_a_new_table_has_the_figures_of_its_server(rules: str, redis_url: str) -> None:
    with other_figures() as theirs:
        async with rules_server(redis_url, token_key=TOKEN_KEY) as server, Client(server) as client:
            await client.sign_in("Host")
            assert (await client.create_table("agora", 3)).ruleset_hash == theirs
            book = await client.rulebook("agora")
            assert book.game.ruleset_hash == theirs
            assert json.loads(book.ruleset_json)["hand"]["squares"] == 4


async def test_a_worker_with_another_ruleset_leaves_the_turn_to_one_that_has_the_tables(
    rules: str, redis_url: str
) -> None:
    async with Client(rules) as host:
        await host.sign_in("Host")
        table = await host.create_table("agora", 3)
        with BotTurns(rules) as bots:
            for seat in range(3):
                await bots.seat(table.id, "random", seat)
            await host.start(table.id)
            now = await host.view(table.id)
            with other_figures() as theirs, capture_logs() as logs:
                assert await bots.play(now) is Outcome.OTHER_RULESET
            assert [(log["ruleset"], log["here"]) for log in logs if log["log_level"] == "error"] == [
                (HERE[:12], theirs[:12])
            ]
            assert (await host.view(table.id)).version == now.version
            assert await bots.play(now) is Outcome.PLAYED


async def test_a_worker_says_so_where_the_rules_server_has_another_ruleset(rules: str, redis_url: str) -> None:
    async with Client(rules) as host:
        await host.sign_in("Host")
        table = await host.create_table("agora", 3)
        with BotTurns(rules) as bots:
            for seat in range(3):
                await bots.seat(table.id, "random", seat)
        await host.start(table.id)
        now = await host.view(table.id)
        with other_figures():
            async with rules_server(redis_url, token_key=TOKEN_KEY) as server:
                with BotTurns(server) as bots, capture_logs() as logs:
                    assert await bots.play(now) is Outcome.OTHER_RULESET
        assert any("this table of agora was opened with ruleset" in str(log.get("error")) for log in logs)

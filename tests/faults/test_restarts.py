"""A program that is new to a table knows it as the one before it did: the same secrets, the same choice half made."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from random import Random

import pytest
from redis.asyncio import Redis

from boardgamesbot.client import Client
from boardgamesbot.games import registry
from boardgamesbot.rules.archived import ArchivedTables
from boardgamesbot.rules.live import LiveTables
from boardgamesbot.store.tables import TableStore
from tests.support.platform import rules_server

pytestmark = pytest.mark.faults

MOVES = 40


@pytest.fixture
async def rules(redis: Redis, redis_url: str) -> AsyncIterator[str]:
    """The address of a rules server, its Redis empty."""
    async with rules_server(redis_url) as address:
        yield address


@pytest.mark.parametrize(("game_id", "players"), [("agora", 3), ("barcelona", 2)])
async def test_after_every_call_a_new_program_finds_the_whole_truth(
    redis: Redis, rules: str, game_id: str, players: int
) -> None:
    """What a program without a memory loads after each call is where the moves lead, chance to come included."""
    codec, rng = registry.codec(game_id), Random(3)
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(rules)) for _ in range(players)]
        for client in clients:
            await client.sign_in()
        table = await clients[0].create_table(game_id, players)
        for client in clients:
            await client.take_seat(table.id)
        await clients[0].start(table.id)
        truth = (await LiveTables(TableStore(redis), ArchivedTables(None)).now(table.id)).state
        assert truth is not None
        truth = truth.copy()
        for _ in range(MOVES):
            assert truth.actor is not None
            legal = await clients[truth.actor].legal_moves(table.id)
            move = rng.choice(legal.moves).move
            answer = await clients[truth.actor].submit(table.id, truth.actor, legal.version, move)
            truth.play(codec.move_from(move))
            found = await LiveTables(TableStore(redis), ArchivedTables(None)).now(table.id)
            assert found.version == answer.version
            assert found.state is not None
            assert codec.state_to(found.state) == codec.state_to(truth)
            assert found.state.legal_moves() == truth.legal_moves()

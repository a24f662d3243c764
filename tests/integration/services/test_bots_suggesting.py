"""Suggestions: for one's own seat, where the result does not count, and from what that seat may know alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from boardgamesbot.client import Client, Refused
from boardgamesbot.games import registry
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import bots_pb2, games_pb2, tables_pb2
from tests.support.platform import Platform
from tests.support.strange_bots import SEARCH_SECONDS

CODEC = registry.codec("agora")
STRANGE = "tests.support.strange_bots"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("suggesting")


@pytest.fixture(scope="module")
def platform(folder: Path) -> Iterator[Platform]:
    """Rules, bots and a worker."""
    with (
        EmbeddedServer(folder / "redis") as redis,
        Platform(redis.url, folder, bot_turn_seconds=30.0, quota_refill=1000.0) as running,
    ):
        running.start("rules")
        running.start("bots", "worker", module=STRANGE, STRANGE_FOLDER=str(folder))
        yield running


@asynccontextmanager
async def _playing(platform: Platform, **opening: Any) -> AsyncIterator[tuple[list[Client], str]]:
    """Three people at a table, the game begun; unrated unless said otherwise."""
    settings = platform.settings
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(Client(settings.rules_address, bots=settings.bots_address))
            for _ in range(3)
        ]
        for number, person in enumerate(people):
            await person.sign_in(f"Person {number}")
        table = await people[0].create_table("agora", 3, **{"unrated": True} | opening)
        for seat, person in enumerate(people):
            await person.take_seat(table.id, seat)
        await people[0].start(table.id)
        yield people, table.id


async def _suggested(client: Client, table_id: str, bot: str = "", **wishes: Any) -> bots_pb2.SuggestMoveResponse:
    """The last word of a suggestion."""
    responses = [response async for response in client.suggest_move(table_id, bot, **wishes)]
    assert [response.final for response in responses] == [False] * (len(responses) - 1) + [True]
    return responses[-1]


async def test_whoever_decides_gets_a_suggestion_that_can_be_played(platform: Platform) -> None:
    async with _playing(platform) as (people, table_id):
        for _ in range(6):
            seat = (await people[0].view(table_id)).summary.actor
            suggested = await _suggested(people[seat], table_id, "greedy")
            assert (suggested.choice.seat, suggested.choice.bot) == (seat, "greedy")
            assert suggested.choice.text
            await people[seat].submit(table_id, seat, suggested.version, suggested.choice.move)


async def test_it_improves_and_says_why_and_the_strongest_bot_is_asked(platform: Platform) -> None:
    async with _playing(platform) as (people, table_id):
        seat = (await people[0].view(table_id)).summary.actor
        seen = [r async for r in people[seat].suggest_move(table_id, reasoning=True)]
        assert len(seen) > 2
        assert {response.choice.bot for response in seen} == {"searcher"}, "the last on offer"
        assert seen[-1].choice.reasoning.iterations > seen[0].choice.reasoning.iterations
        assert seen[-1].choice.reasoning.candidates[0].move == seen[-1].choice.move


async def test_the_bot_is_shown_what_the_callers_seat_may_know_and_no_more(platform: Platform, folder: Path) -> None:
    async with _playing(platform) as (people, table_id):
        seat = (await people[0].view(table_id)).summary.actor
        await _suggested(people[seat], table_id, "searcher", iterations=1)
        shown = games_pb2.GameView.FromString(bytes.fromhex((folder / "shown").read_text().split()[-1]))
        own = (await people[seat].view(table_id)).view
        assert shown == own
        assert CODEC.view_from(shown).seat == seat
        for other in range(3):
            if other != seat:
                with pytest.raises(Refused) as caught:
                    await _suggested(people[other], table_id)
                assert (caught.value.code, caught.value.reason) == (
                    grpc.StatusCode.FAILED_PRECONDITION,
                    "NOT_YOUR_TURN",
                )


async def test_where_and_when_there_are_none(platform: Platform) -> None:
    settings = platform.settings
    async with (
        _playing(platform) as (people, table_id),
        _playing(platform, unrated=False) as (rated, rated_id),
        Client(settings.rules_address, bots=settings.bots_address) as stranger,
    ):
        await stranger.sign_in("Stranger")
        seat = (await rated[0].view(rated_id)).summary.actor
        open_id = (await people[0].create_table("agora", 3, unrated=True)).id
        await people[0].take_seat(open_id, 0)
        for client, table, code, reason in (
            (rated[seat], rated_id, grpc.StatusCode.FAILED_PRECONDITION, "HINTS_OFF"),
            (stranger, table_id, grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT"),
            (people[0], open_id, grpc.StatusCode.FAILED_PRECONDITION, "WRONG_STATUS"),
            (people[0], "00aaaaaaaaaaaa", grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"),
        ):
            with pytest.raises(Refused) as caught:
                await _suggested(client, table)
            assert (caught.value.code, caught.value.reason) == (code, reason)


@pytest.mark.parametrize(
    ("bot", "wishes", "field"),
    [
        ("deep blue", {}, "bot"),
        ("gaudi", {}, "bot"),
        ("", {"level": "easy"}, "level"),
        ("searcher", {"level": "impossible"}, "level"),
        ("searcher", {"seconds": 100.0}, "budget.milliseconds"),
    ],
)
async def test_what_makes_no_sense_is_refused_with_the_field(
    platform: Platform, bot: str, wishes: dict[str, Any], field: str
) -> None:
    async with _playing(platform) as (people, table_id):
        seat = (await people[0].view(table_id)).summary.actor
        with pytest.raises(Refused) as caught:
            await _suggested(people[seat], table_id, bot, **wishes)
        assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)


async def test_no_more_than_half_of_the_callers_clock_is_thought_away(platform: Platform) -> None:
    clock = tables_pb2.Clock(per_move=Duration(seconds=4))
    async with _playing(platform, clock=clock) as (people, table_id):
        now = await people[0].view(table_id)
        seat = now.summary.actor
        suggested = await _suggested(people[seat], table_id, "searcher", seconds=9.0, reasoning=True)
        assert suggested.version == now.version
        assert SEARCH_SECONDS < suggested.choice.reasoning.milliseconds / 1000 < 3.0


async def test_a_suggestion_that_is_left_keeps_nobody_thinking(platform: Platform, folder: Path) -> None:
    async with _playing(platform) as (people, table_id):
        seat = (await people[0].view(table_id)).summary.actor
        async with aclosing(people[seat].suggest_move(table_id, "searcher", seconds=9.0)) as watched:
            first = await anext(watched)
        answer = await people[seat].submit(table_id, seat, first.version, first.choice.move)
        assert answer.version == first.version + 1
        async with asyncio.timeout(5):
            follows = (await people[0].view(table_id)).summary.actor
            await _suggested(people[follows], table_id, "searcher", iterations=1)

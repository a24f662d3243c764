"""Bots at work: whatever a brain does, its table plays on; and a whole game over all the processes."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import grpc
import pytest
from structlog.testing import capture_logs

from boardgamesbot.bots.deciding import TRIES
from boardgamesbot.bots.turn import Outcome
from boardgamesbot.client import Client, Refused
from boardgamesbot.games.base import Move, View
from boardgamesbot.players.base import Brain
from boardgamesbot.players.registry import BOTS, Bot
from boardgamesbot.runtime.tokens import Tokens, bot_player
from boardgamesbot.store.embedded import EmbeddedServer, free_port
from boardgamesbot.v1 import bots_pb2, bots_pb2_grpc, tables_pb2
from tests.support import plain_client
from tests.support.bots import TOKEN_KEY, BotTurns
from tests.support.platform import Platform, until
from tests.support.play import collect, versions


class Fake(Brain):
    """Answers what a test wants, and counts how often it was asked."""

    def __init__(self, answer: Callable[[View], Move]) -> None:
        self._answer = answer
        self.asked = 0

    def choose(self, view: View, rng: Random) -> Move:
        self.asked += 1
        return self._answer(view)


def _raise(view: View) -> Move:
    raise RuntimeError("no idea")


def _illegal(view: View) -> Move:
    return next(move for move in range(100, 160) if move not in view.legal_moves())


def _no_move_at_all(view: View) -> Move:
    return 12_345


def _nothing(view: View) -> Move:
    return None  # type: ignore[return-value]


@pytest.fixture
def seat_fake(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[View], Move]], Fake]:
    """Puts a bot named `fake` on offer."""

    def seat(answer: Callable[[View], Move]) -> Fake:
        brain = Fake(answer)
        monkeypatch.setitem(BOTS, "fake", Bot("fake", "Fake", "For tests.", {"agora": brain}))
        return brain

    return seat


@asynccontextmanager
async def _table_of_bots(rules: str, bots: BotTurns, *names: str) -> AsyncIterator[tuple[Client, str]]:
    async with Client(rules) as host:
        await host.sign_in("Host")
        table = await host.create_table("agora", len(names))
        for seat, name in enumerate(names):
            await bots.seat(table.id, name, seat)
        await host.start(table.id)
        yield host, table.id


@pytest.mark.parametrize("answer", [_raise, _illegal, _no_move_at_all, _nothing])
async def test_a_bot_that_fails_is_played_for(
    rules: str, seat_fake: Callable[[Callable[[View], Move]], Fake], answer: Callable[[View], Move]
) -> None:
    brain = seat_fake(answer)
    with BotTurns(rules) as bots, capture_logs() as logged:
        async with _table_of_bots(rules, bots, "fake", "fake", "fake") as (host, table_id):
            played = 0
            while not (now := await host.view(table_id)).summary.is_over:
                assert await bots.play(now) == Outcome.PLAYED
                assert (await host.table(table_id)).version == now.version + 1
                played += 1
            assert brain.asked == played
            assert not (await host.verify(await host.record(table_id))).HasField("fault")
    faults = [line for line in logged if line.get("bot") == "fake" and line["log_level"] == "error"]
    assert [fault["table"] for fault in faults] == [table_id] * played
    assert len({fault["version"] for fault in faults}) == played, "every failure can be found in the record"


async def test_a_bot_woken_too_often_for_one_decision_is_not_asked_again(
    rules: str, seat_fake: Callable[[Callable[[View], Move]], Fake]
) -> None:
    brain = seat_fake(lambda view: view.legal_moves()[0])
    with BotTurns(rules) as bots:
        async with _table_of_bots(rules, bots, "fake", "fake", "fake") as (host, table_id):
            for attempt in range(1, TRIES + 3):
                assert await bots.play(await host.view(table_id), attempt) == Outcome.PLAYED
                assert brain.asked == min(attempt, TRIES)


async def test_a_turn_that_comes_twice_late_or_to_the_wrong_seat_is_dropped(rules: str) -> None:
    with BotTurns(rules) as bots:
        async with _table_of_bots(rules, bots, "greedy", "greedy", "greedy") as (host, table_id):
            now = await host.view(table_id)
            turn = bots.turn(now)
            outcomes = await asyncio.gather(*(bots.play(now) for _ in range(8)))
            assert Outcome.PLAYED in outcomes
            assert (await host.view(table_id)).version == now.version + 1
            assert await bots.play(now) == Outcome.LATE
            later = await host.view(table_id)
            wrong = bots.turn(later)
            other = (wrong.seat + 1) % 3
            stranger = later.table.seats[other].player
            for late in (
                turn.__class__(table_id, later.version, other, "greedy", stranger.id, 1),
                turn.__class__(table_id, later.version + 5, wrong.seat, "greedy", wrong.player_id, 1),
                turn.__class__("00aaaaaaaaaaaa", 1, 0, "greedy", wrong.player_id, 1),
            ):
                assert await asyncio.to_thread(bots.player.play, late) == Outcome.LATE
            assert (await host.view(table_id)).version == later.version
            while not (now := await host.view(table_id)).summary.is_over:
                last = bots.turn(now)
                await bots.play(now)
            assert await asyncio.to_thread(bots.player.play, last) == Outcome.LATE


async def test_a_bot_decides_alike_whenever_it_is_woken(rules: str) -> None:
    """Chance of its own, but the same for the same decision: two workers cannot disagree."""
    seen: list[View] = []

    class Spy(Brain):
        def choose(self, view: View, rng: Random) -> Move:
            seen.append(view)
            drawn.append(rng.random())
            raise RuntimeError

    drawn: list[float] = []
    BOTS["spy"] = Bot("spy", "Spy", "For tests.", {"agora": Spy()})
    try:
        with BotTurns(rules) as bots:
            async with _table_of_bots(rules, bots, "spy", "spy", "spy") as (host, table_id):
                now = await host.view(table_id)
                await asyncio.gather(bots.play(now), bots.play(now))
                await bots.play(await host.view(table_id))
        assert len(set(drawn)) == 2
        assert all(view.seat == view.actor for view in seen), "a bot sees what its seat sees"
    finally:
        del BOTS["spy"]


async def test_a_bots_token_is_good_for_its_own_seat_only(rules: str) -> None:
    with BotTurns(rules) as bots:
        async with _table_of_bots(rules, bots, "greedy", "greedy", "greedy") as (_, table_id):
            token = Tokens(TOKEN_KEY.encode(), 60).issue(bot_player("greedy", "Greedy", table_id, "elsewhere"))
            async with Client(rules, token=token) as stranger:
                with pytest.raises(Refused) as caught:
                    await stranger.legal_moves(table_id)
                assert caught.value.reason == "NOT_YOUR_SEAT"


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """All programs as processes, with a Redis of their own."""
    folder = tmp_path_factory.mktemp("platform")
    with (
        EmbeddedServer(folder / "redis") as redis,
        Platform(redis.url, folder, bot_turn_seconds=1.0, bot_think_seconds=0.5) as running,
    ):
        running.start("rules", "bots", "dispatcher", "worker")
        yield running


async def test_a_client_without_our_code_plays_a_whole_game_against_bots(platform: Platform) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(Path(plain_client.__file__)),
        platform.settings.rules_address,
        platform.settings.bots_address,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, err.decode()
    told = json.loads(out)
    assert told["ours"] == []
    assert {
        "boardgamesbot.v1.RulesService",
        "boardgamesbot.v1.TableService",
        "boardgamesbot.v1.PlayerService",
        "boardgamesbot.v1.BotService",
        "grpc.health.v1.Health",
    } <= set(told["services"])
    assert told["versions"] == list(range(1, told["versions"][-1] + 1))
    assert told["fault"] is None
    assert told["moves_seen"] == told["moves_recorded"] == told["moves_verified"]
    assert told["own_moves"] >= 20
    assert told["winners"]
    assert told["players"] == [["Plain", ""], ["Greedy", "greedy"], ["Random", "random"], ["Greedy 2", "greedy"]]


async def test_bots_play_on_with_nobody_connected(platform: Platform) -> None:
    settings = platform.settings
    async with Client(settings.rules_address, bots=settings.bots_address) as client:
        await client.sign_in("Passer-by")
        table = await client.create_table("agora", 3)
        for _ in range(3):
            await client.seat_bot(table.id, "greedy")
        await client.start(table.id)
        token = client.token
    async with Client(settings.rules_address, token=token) as client:
        async with asyncio.timeout(60):
            seen = await collect(client, table.id)
        assert versions(seen) == list(range(1, seen[-1].version + 1))
        assert seen[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED


async def test_only_the_host_seats_bots_and_only_those_there_are(platform: Platform) -> None:
    settings = platform.settings
    async with (
        Client(settings.rules_address, bots=settings.bots_address) as host,
        Client(settings.rules_address, bots=settings.bots_address) as guest,
    ):
        await host.sign_in("Host")
        await guest.sign_in("Guest")
        table = await host.create_table("agora", 3)
        with pytest.raises(Refused) as caught:
            await guest.seat_bot(table.id, "greedy")
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_HOST")
        with pytest.raises(Refused) as caught:
            await host.seat_bot(table.id, "deep blue")
        assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, "bot")
        with pytest.raises(Refused) as caught:
            await host.seat_bot("00aaaaaaaaaaaa", "greedy")
        assert caught.value.reason == "TABLE_NOT_FOUND"
        assert await host.seat_bot(table.id, "random", 2) == 2
        with pytest.raises(Refused) as caught:
            await host.seat_bot(table.id, "greedy", 2)
        assert caught.value.reason == "SEAT_TAKEN"
        await host.leave_seat(table.id, 2)
        assert await host.seat_bot(table.id, "greedy", 2) == 2


async def test_a_bot_that_thinks_for_ever_does_not_hold_its_table(tmp_path: Path) -> None:
    with (
        EmbeddedServer(tmp_path / "redis") as redis,
        Platform(
            redis.url, tmp_path, token_key=TOKEN_KEY, bot_turn_seconds=2.0, bot_think_seconds=0.3, worker_processes=2
        ) as platform,
    ):
        platform.start("rules", "dispatcher")
        platform.start("worker", module="tests.support.strange_bots")
        rules = platform.settings.rules_address
        with BotTurns(rules) as bots:
            async with _table_of_bots(rules, bots, "stuck", "stuck", "stuck") as (host, table_id):
                async with asyncio.timeout(30):  # four decisions and the start of the worker
                    async for response in host.watch(table_id):
                        if response.version >= 9:
                            break
        assert "bot failed: its best so far, or a simpler bot's move, is played, and the game goes on" in platform.log(
            "worker"
        )


async def test_a_request_that_comes_again_seats_no_second_bot(platform: Platform) -> None:
    settings = platform.settings
    async with Client(settings.rules_address, bots=settings.bots_address) as host:
        await host.sign_in("Host")
        table = await host.create_table("agora", 3)
        request = bots_pb2.SeatBotRequest(table_id=table.id, bot="greedy", request_id="once")
        async with grpc.aio.insecure_channel(settings.bots_address) as channel:
            stub = bots_pb2_grpc.BotServiceStub(channel)
            token = (("authorization", f"Bearer {host.token}"),)
            seats = [(await stub.SeatBot(request, metadata=token)).seat for _ in range(3)]
        assert seats == [0, 0, 0]
        assert [seat.player.bot for seat in (await host.table(table.id)).seats] == ["greedy", "", ""]


async def test_a_worker_that_began_before_its_redis_plays_all_the_same(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path / "redis", free_port())
    server.data_dir.mkdir()
    with Platform(server.url, tmp_path) as platform:
        platform.start("worker")
        await asyncio.to_thread(until, lambda: "ready" in platform.log("worker"), "the worker has begun")
        server.start()
        try:
            platform.start("rules", "bots", "dispatcher")
            settings = platform.settings
            async with Client(settings.rules_address, bots=settings.bots_address) as host, asyncio.timeout(60):
                await host.sign_in("Host")
                table = await host.create_table("agora", 3)
                for _ in range(3):
                    await host.seat_bot(table.id, "random")
                await host.start(table.id)
                versions_seen = [response.version async for response in host.watch(table.id)]
            assert len(versions_seen) > 100
        finally:
            platform.stop()
            server.stop()

"""A bot's choice as it improves: streamed, cancelled half way, bounded by budgets and quotas, kept where it fails."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from boardgamesbot.bots.deciding import TRIES
from boardgamesbot.client import Client, Refused, SyncClient, Thinking, refusal_of
from boardgamesbot.games import registry
from boardgamesbot.games.base import State
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import bots_pb2, games_pb2
from tests.support import plain_client
from tests.support.platform import Platform, until
from tests.support.play import call
from tests.support.strange_bots import SEARCH_SECONDS
from tests.support.waiting import eventually

CODEC = registry.codec("agora")
SEED = bytes(range(32))
STRANGE = "tests.support.strange_bots"
SECONDS = 60.0
STOPS_SECONDS = 5.0
"""A thinking bot has stopped so long after nobody wants its answer, on a busy machine."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("thinking")


@pytest.fixture(scope="module")
def platform(folder: Path) -> Iterator[Platform]:
    """Rules, bots and two workers, one for each kind of bot, one process each."""
    with (
        EmbeddedServer(folder / "redis") as redis,
        Platform(redis.url, folder, worker_processes=1, quota_refill=1000.0) as running,
    ):
        running.start("rules")
        running.start("bots", module=STRANGE)
        for queues in ("quick", "deep"):
            running.start(f"worker-{queues}", module=STRANGE, BGB_WORKER_QUEUES=queues, STRANGE_FOLDER=str(folder))
        asyncio.run(_warm(running))
        yield running


async def _warm(platform: Platform) -> None:
    """Have both workers answer once, so that no test waits for their start."""
    async with Client(platform.settings.rules_address, bots=platform.settings.bots_address) as found:
        await found.sign_in("Early")
        for bot in ("greedy", "searcher"):
            await found.choose_move(CODEC.state_to(position()), bot, iterations=1)


@pytest.fixture
async def client(platform: Platform) -> AsyncIterator[Client]:
    async with Client(platform.settings.rules_address, bots=platform.settings.bots_address) as found:
        await found.sign_in("Elsewhere")
        yield found


def position(moves: int = 0) -> State:
    """A position of four players after so many moves by chance."""
    rng = Random(7)
    state, _ = CODEC.game.new(4, CODEC.game.complete_options({}), ChanceStream(SEED))
    for _ in range(moves):
        state.apply(rng.choice(state.legal_moves()))
    return state


def _lines(folder: Path, name: str) -> list[str]:
    file = folder / name
    return file.read_text().split() if file.exists() else []


def _grown(folder: Path, name: str, before: int) -> bool:
    return len(_lines(folder, name)) > before


async def test_a_program_without_our_code_watches_a_bot_think_and_cancels_it_half_way(
    platform: Platform, folder: Path
) -> None:
    settings, before = platform.settings, len(_lines(folder, "ended"))
    begun = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(Path(plain_client.__file__)), settings.rules_address, settings.bots_address, "watch",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), SECONDS)
    assert process.returncode == 0, err.decode()
    told = json.loads(out)
    assert told["ours"] == []
    assert told["heard"] == sorted(told["heard"])
    assert told["heard"][-1] > told["heard"][0], "it improves"
    assert (told["seat"], told["bot"], told["iterations"]) == (0, "searcher", 2)
    text, visits, points, win = told["candidates"][0]
    assert (text, visits, points, win) == (told["text"], 2, 20.0, 0.25)
    ended = _lines(folder, "ended")[before:]
    assert len(ended) == 2, "the only worker there is for it came to the second question: the first was given up"
    assert time.monotonic() - begun < 9.0


async def test_a_stream_improves_up_to_the_answer_and_ends(client: Client) -> None:
    state = position(moves=25)
    seen = [r async for r in client.watch_choice(CODEC.state_to(state), "searcher", reasoning=True)]
    assert [response.final for response in seen] == [False] * (len(seen) - 1) + [True]
    assert len(seen) > 2
    iterations = [response.choice.reasoning.iterations for response in seen]
    assert iterations == sorted(iterations)
    assert all(CODEC.move_from(response.choice.move) in state.legal_moves() for response in seen)
    assert seen[-1].choice.reasoning.milliseconds >= SEARCH_SECONDS * 900


async def test_whoever_leaves_a_call_or_a_stream_stops_the_bot(client: Client, folder: Path) -> None:
    shown = CODEC.state_to(position())
    for way in ("stream", "call"):
        before, begun = len(_lines(folder, "ended")), len(_lines(folder, "begun"))
        if way == "stream":
            async with aclosing(client.watch_choice(shown, "searcher", seconds=9.0)) as watched:
                await anext(watched)
        else:
            asking = asyncio.create_task(client.choose_move(shown, "searcher", seconds=9.0))
            await asyncio.to_thread(until, partial(_grown, folder, "begun", begun), "it thinks")
            asking.cancel()
        await asyncio.to_thread(until, partial(_grown, folder, "ended", before), "the bot has stopped", STOPS_SECONDS)


async def test_what_a_seat_knows_is_as_good_as_the_position(client: Client, folder: Path) -> None:
    state = position(moves=25)
    view = CODEC.view_to(state.view(state.actor))
    answers = [
        await client.choose_move(shown, "searcher", b"x", iterations=3, reasoning=True)
        for shown in (view, CODEC.state_to(state))
    ]
    for answer in answers:
        answer.reasoning.milliseconds = 0
    assert answers[0] == answers[1]
    shown = _lines(folder, "shown")
    assert shown[-2:] == [view.SerializeToString().hex()] * 2, "and the bot was shown no more"


async def test_levels_are_bots_of_their_own(client: Client) -> None:
    bots = {bot.id: bot for bot in await client.list_bots("agora")}
    assert (bots["searcher-easy"].level, bots["searcher-easy"].seconds) == ("easy", SEARCH_SECONDS / 4)
    assert (bots["greedy"].level, bots["greedy"].seconds) == ("", 0.0)
    shown = CODEC.state_to(position())
    assert (await client.choose_move(shown, "searcher", level="easy", iterations=1)).bot == "searcher-easy"
    assert (await client.choose_move(shown, "searcher", level="full", iterations=1)).bot == "searcher"


async def test_without_asking_for_it_there_is_no_reasoning(client: Client) -> None:
    answer = await client.choose_move(CODEC.state_to(position()), "searcher", iterations=1)
    assert not answer.HasField("reasoning")


@pytest.mark.parametrize(
    ("bot", "wishes", "field"),
    [
        ("searcher", {"seconds": 0.0}, "budget.milliseconds"),
        ("searcher", {"seconds": 10.001}, "budget.milliseconds"),
        ("searcher", {"iterations": 0}, "budget.iterations"),
        ("searcher", {"iterations": 1_000_001}, "budget.iterations"),
        ("searcher", {"level": "impossible"}, "level"),
        ("greedy", {"level": "easy"}, "level"),
    ],
)
async def test_a_wish_that_makes_no_sense_is_refused_with_its_field(
    client: Client, bot: str, wishes: Thinking, field: str
) -> None:
    shown = CODEC.state_to(position())
    with pytest.raises(Refused) as caught:
        await client.choose_move(shown, bot, **wishes)
    assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)
    with pytest.raises(Refused) as caught:
        await anext(client.watch_choice(shown, bot, **wishes))
    assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, f"choice.{field}")


def _views() -> list[tuple[bots_pb2.ChooseMoveRequest, str]]:
    state = position()
    whole, own = CODEC.state_to(state), CODEC.view_to(state.view(state.actor))
    other, spectator = CODEC.view_to(state.view(1)), CODEC.view_to(state.view(None))
    bent = games_pb2.GameView()
    bent.CopyFrom(own)
    bent.agora.turn = 99
    made = bots_pb2.ChooseMoveRequest
    return [
        (made(bot="greedy"), "state"),
        (made(bot="greedy", state=whole, view=own), "state"),
        (made(bot="greedy", view=other), "view"),
        (made(bot="greedy", view=spectator), "view"),
        (made(bot="greedy", view=bent), "view.agora.turn"),
        (made(bot="greedy", view=games_pb2.GameView()), "view.game"),
    ]


@pytest.mark.parametrize(("request_", "field"), _views())
async def test_only_one_seats_view_will_do_and_only_of_whoever_decides(
    platform: Platform, client: Client, request_: bots_pb2.ChooseMoveRequest, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(platform.settings.bots_address, "/boardgamesbot.v1.BotService/ChooseMove", request_, client.token)
    refused = refusal_of(caught.value)
    assert (refused.code, refused.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)


async def test_long_thought_never_delays_quick_bots(client: Client) -> None:
    """The one process for searches has far more than it can do; quick answers come as if nothing were."""
    shown = CODEC.state_to(position())
    deep = [asyncio.create_task(client.choose_move(shown, "searcher", seconds=2.0)) for _ in range(6)]
    try:
        await asyncio.sleep(0)
        for _ in range(20):
            async with asyncio.timeout(2):
                assert (await client.choose_move(shown, "greedy")).bot == "greedy"
        assert sum(task.done() for task in deep) < len(deep), "they were still thinking"
    finally:
        for task in deep:
            task.cancel()
        await asyncio.gather(*deep, return_exceptions=True)


def test_the_blocking_client_watches_and_stops_as_well(platform: Platform, folder: Path) -> None:
    settings = platform.settings
    sync = SyncClient(settings.rules_address, bots=settings.bots_address)

    async def token() -> str:
        async with Client(settings.rules_address) as client:
            await client.sign_in("Sync")
            return client.token

    own = asyncio.run(token())
    shown = CODEC.state_to(position())
    *so_far, last = sync.watch_choice(own, shown, "searcher", iterations=3)
    assert last.final
    assert not any(response.final for response in so_far)
    before = len(_lines(folder, "ended"))
    watched = sync.watch_choice(own, shown, "searcher", seconds=9.0)
    next(watched)
    watched.close()
    until(lambda: len(_lines(folder, "ended")) > before, "the bot has stopped", STOPS_SECONDS)
    with pytest.raises(Refused) as caught:
        list(sync.suggest_move(own, "00aaaaaaaaaaaa"))
    assert caught.value.reason == "TABLE_NOT_FOUND"
    sync.close()


async def test_a_position_that_a_bot_fails_at_is_kept_and_can_be_looked_at(platform: Platform, client: Client) -> None:
    shown = CODEC.state_to(position(moves=9))
    for _ in range(TRIES + 2):
        assert (await client.choose_move(shown, "failing", b"x")).bot == "greedy"

    def crashes(*words: str, module: str = "boardgamesbot") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", module, "crashes", "--redis-url", platform.settings.redis_url, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)

    listed = (await asyncio.to_thread(crashes)).stdout
    (line,) = [line.split() for line in listed.splitlines() if "failing" in line]
    crash_id, times = line[0], int(line[3])
    assert times == TRIES, "it was not asked for ever"
    told = await asyncio.to_thread(crashes, "show", crash_id)
    assert "RuntimeError: no idea" in told.stdout
    assert b"x".hex() in told.stdout
    again = await asyncio.to_thread(lambda: crashes("replay", crash_id, module=STRANGE))
    assert (again.returncode, "no idea" in again.stdout) == (1, True), again.stderr
    assert (await asyncio.to_thread(crashes, "forget", crash_id)).returncode == 0
    assert (await asyncio.to_thread(crashes, "show", crash_id)).returncode == 1
    await client.choose_move(shown, "failing", b"x")
    assert crash_id in (await asyncio.to_thread(crashes)).stdout, "forgotten, it is asked again"


async def test_who_asks_for_too_much_thinking_is_told_when_and_gets_back_what_was_not_used(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"quota_seconds": 2.0, "choice_seconds": 2.0, "quota_refill": 0.1}
    with (
        EmbeddedServer(tmp_path / "redis") as redis,
        Platform(redis.url, tmp_path, worker_processes=2, **limits) as platform,
    ):
        platform.start("rules")
        platform.start("bots", "worker", module=STRANGE, STRANGE_FOLDER=str(tmp_path))
        settings, shown = platform.settings, CODEC.state_to(position())
        async with (
            Client(settings.rules_address, bots=settings.bots_address) as client,
            Client(settings.rules_address, bots=settings.bots_address) as other,
        ):
            await client.sign_in("Eager")
            await other.sign_in("Other")
            await other.choose_move(shown, "searcher", iterations=1)  # the worker has begun
            async with aclosing(client.watch_choice(shown, "searcher", seconds=1.9)) as watched:
                assert (await anext(watched)).choice.bot == "searcher"
                with pytest.raises(Refused) as caught:
                    await client.choose_move(shown, "searcher", seconds=2.0)
                refused = caught.value
                assert (refused.code, refused.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXHAUSTED")
                assert refused.retry_after is not None
                assert 10 < refused.retry_after <= 19, "the 1.9 s come back a tenth of a second a second"
            assert (await other.choose_move(shown, "greedy")).bot == "greedy", "others have their own"

            async def asked_again() -> bool:
                try:
                    return (await client.choose_move(shown, "searcher", seconds=1.2, iterations=1)).bot == "searcher"
                except Refused as again:
                    assert again.reason == "QUOTA_EXHAUSTED"
                    return False

            await eventually(asked_again, STOPS_SECONDS)

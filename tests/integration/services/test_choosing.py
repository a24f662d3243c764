"""A bot's move for a position of the caller's own: no table, any language, and no way to hurt the server."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import grpc
import pytest

from boardgamesbot.bots.choosing import MOST_AT_ONCE
from boardgamesbot.client import Client, Refused, SyncClient, refusal_of
from boardgamesbot.games import registry
from boardgamesbot.games.base import State
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players.registry import BOTS
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import bots_pb2, games_pb2
from tests.support import plain_client
from tests.support.platform import Platform
from tests.support.play import call, code_of
from tests.support.solo import GAUDI, PERSON
from tests.support.waiting import eventually

CHOOSE = "/boardgamesbot.v1.BotService/ChooseMove"
SEED = bytes(range(32))
SECONDS = 90


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """All programs, with a bot among them that thinks for ever."""
    folder = tmp_path_factory.mktemp("choosing")
    with (
        EmbeddedServer(folder / "redis") as redis,
        Platform(redis.url, folder, bot_turn_seconds=3.0, bot_think_seconds=0.5) as running,
    ):
        running.start("rules")
        running.start("bots", "worker", module="tests.support.strange_bots")
        yield running


@pytest.fixture
async def client(platform: Platform) -> Client:
    settings = platform.settings
    found = Client(settings.rules_address, bots=settings.bots_address)
    await found.sign_in("Elsewhere")
    return found


def position(game_id: str = "barcelona", players: int = 2, moves: int = 0, **options: str) -> State:
    """A position after so many moves by chance."""
    game, rng = registry.game(game_id), Random(7)
    state, _ = game.new(players, game.complete_options(options), ChanceStream(SEED))
    for _ in range(moves):
        state.apply(rng.choice(state.legal_moves()))
    return state


def message(state: State) -> games_pb2.GameState:
    return registry.codec(state.game.id).state_to(state)


async def test_a_program_without_our_code_has_a_solo_game_played_with_no_table(platform: Platform) -> None:
    settings = platform.settings
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(Path(plain_client.__file__)), settings.rules_address, settings.bots_address, "solo",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), SECONDS)
    assert process.returncode == 0, err.decode()
    told = json.loads(out)
    assert told["ours"] == []
    assert told["bots"] == {str(PERSON): ["greedy"], str(GAUDI): ["gaudi"]}
    assert any("Gaudí" in text for text in told["texts"])
    async with Client(settings.rules_address) as anybody:
        await anybody.sign_in()
        assert await anybody.tables() == []

    codec = registry.codec("barcelona")
    options = codec.game.complete_options({"solo": "HARD", "expansion": "PASSEIG_DE_GRACIA"})
    state, _ = codec.game.new(2, options, ChanceStream(SEED))
    number = 0
    while (seat := state.actor) is not None:
        bot = "gaudi" if seat == GAUDI else "greedy"
        generator = Random(hashlib.sha256(f"move {number}".encode() + bot.encode()).digest())
        state.play(BOTS[bot].brains["barcelona"].choose(state.view(seat), generator))
        number += 1
    assert (told["moves"], told["points"]) == (number, state.scores()), "the bots play as they do in process"


async def test_the_same_seed_gives_the_same_move_and_none_gives_any(client: Client) -> None:
    state = position()
    given = message(state)
    async with client:
        first = [await client.choose_move(given, "random", b"seed") for _ in range(3)]
        assert len({answer.SerializeToString() for answer in first}) == 1
        assert (first[0].seat, first[0].bot) == (state.actor, "random")
        assert first[0].text
        drawn = {(await client.choose_move(given, "random")).text for _ in range(12)}
        assert len(drawn) > 1


@pytest.mark.parametrize(("game_id", "players"), [("agora", 3), ("barcelona", 4)])
@pytest.mark.parametrize("bot", ["random", "greedy"])
async def test_any_bot_chooses_in_any_game(client: Client, game_id: str, players: int, bot: str) -> None:
    state = position(game_id, players, moves=25)
    codec = registry.codec(game_id)
    async with client:
        answer = await client.choose_move(message(state), bot, b"x")
    assert answer.seat == state.actor
    assert codec.move_from(answer.move) in state.legal_moves()


async def test_what_the_seat_may_not_know_changes_nothing(client: Client) -> None:
    state = position("barcelona", 3, moves=25)
    other = state.view(state.actor).determinize(Random(9))
    other.chance = ChanceStream(bytes(32), 5)
    async with client:
        assert await client.choose_move(message(other), "greedy", b"x") == await client.choose_move(
            message(state), "greedy", b"x"
        )


def test_the_blocking_client_asks_as_well(platform: Platform) -> None:
    settings = platform.settings
    sync = SyncClient(settings.rules_address, bots=settings.bots_address)

    async def token() -> str:
        async with Client(settings.rules_address) as client:
            await client.sign_in("Sync")
            return client.token

    try:
        answer = sync.choose_move(asyncio.run(token()), message(position()), "greedy")
        assert answer.bot == "greedy"
    finally:
        sync.close()
    with pytest.raises(ValueError, match="where the bots server is"):
        SyncClient(settings.rules_address).choose_move("", message(position()), "greedy")


def _solo(moves: int = 0) -> games_pb2.GameState:
    return message(position(moves=moves, solo="EASY"))


def _his_turn() -> games_pb2.GameState:
    state = position(solo="EASY")
    while state.actor != GAUDI:
        state.apply(state.legal_moves()[-1])
    return message(state)


def _over() -> games_pb2.GameState:
    state = position()
    while not state.is_over:
        state.apply(state.legal_moves()[-1])
    return message(state)


def _bent() -> games_pb2.GameState:
    bent = _solo()
    bent.barcelona.position.seat = 7
    return bent


@pytest.mark.parametrize(
    ("state", "bot", "seed", "field"),
    [
        (_solo, "", b"", "bot"),
        (_solo, "deep blue", b"", "bot"),
        (_solo, "gaudi", b"", "bot"),
        (_his_turn, "greedy", b"", "bot"),
        (lambda: message(position()), "gaudi", b"", "bot"),
        (lambda: message(position("agora", 3)), "gaudi", b"", "bot"),
        (games_pb2.GameState, "greedy", b"", "state.game"),
        (_over, "greedy", b"", "state"),
        (_bent, "greedy", b"", "state.barcelona.position.seat"),
        (_solo, "greedy", b"x" * 65, "seed"),
    ],
)
async def test_what_makes_no_sense_is_refused_with_the_field(
    client: Client, state: Callable[[], games_pb2.GameState], bot: str, seed: bytes, field: str
) -> None:
    async with client:
        with pytest.raises(Refused) as caught:
            await client.choose_move(state(), bot, seed)
    assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)


async def test_it_wants_a_token_and_reads_no_more_than_other_methods(platform: Platform, client: Client) -> None:
    address = platform.settings.bots_address
    request = bots_pb2.ChooseMoveRequest(state=_solo(), bot="greedy")
    assert await code_of(address, CHOOSE, request) == grpc.StatusCode.UNAUTHENTICATED
    request.seed = bytes(platform.settings.message_bytes)
    assert await code_of(address, CHOOSE, request, client.token) == grpc.StatusCode.RESOURCE_EXHAUSTED
    await client.close()


async def test_a_bot_that_thinks_for_ever_is_answered_for_and_holds_up_nobody(client: Client) -> None:
    state = position("agora", 3)
    async with client, asyncio.timeout(20):
        stuck = asyncio.create_task(client.choose_move(message(state), "stuck"))
        while not stuck.done():
            async with asyncio.timeout(1):
                await client.list_bots()
        answer = await stuck
    assert answer.bot == "greedy"
    assert registry.codec("agora").move_from(answer.move) in state.legal_moves()


async def test_a_crowd_is_served_or_told_to_come_again(platform: Platform, client: Client) -> None:
    """More than may wait at once: nobody is lost, and the refused are told so."""
    request = bots_pb2.ChooseMoveRequest(state=message(position()), bot="greedy", seed=b"x")
    address, token = platform.settings.bots_address, client.token
    await client.close()
    outcomes = await asyncio.gather(
        *(call(address, CHOOSE, request, token) for _ in range(4 * MOST_AT_ONCE)), return_exceptions=True
    )
    answers = {outcome for outcome in outcomes if isinstance(outcome, bytes)}
    refused = [refusal_of(outcome) for outcome in outcomes if isinstance(outcome, grpc.aio.AioRpcError)]
    assert len(answers) == 1
    assert {(refusal.code, refusal.reason) for refusal in refused} <= {(grpc.StatusCode.UNAVAILABLE, "BUSY")}
    assert len(outcomes) - len(refused) >= MOST_AT_ONCE
    assert all(refusal.retry_after for refusal in refused)


async def test_without_a_worker_a_simple_bot_answers_and_the_answer_says_so(tmp_path: Path) -> None:
    """In the bots server itself, as soon as a worker would have had to answer."""
    with (
        EmbeddedServer(tmp_path / "redis") as redis,
        Platform(redis.url, tmp_path, bot_turn_seconds=0.6, bot_think_seconds=0.5) as platform,
    ):
        platform.start("rules", "bots")
        settings, state = platform.settings, position("agora", 3)
        async with Client(settings.rules_address, bots=settings.bots_address) as client, asyncio.timeout(SECONDS):
            await client.sign_in("Early")
            for asked, answers in (("random", "random"), ("greedy", "greedy"), ("agora-beginner", "greedy")):
                chosen = await client.choose_move(message(state), asked, b"seed", seconds=0.1)
                assert chosen.bot == answers
                assert registry.codec("agora").move_from(chosen.move) in state.legal_moves()
            platform.start("worker")

            async def answered() -> bool:
                return (
                    await client.choose_move(message(state), "agora-beginner", b"seed", iterations=1)
                ).bot != "greedy"

            await eventually(answered, SECONDS)

"""Questions to the workers: what they are shown, how many wait, and what becomes of one that nobody answers."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode, b64encode
from typing import Any, cast

import grpc
import pytest
from celery import Celery
from kombu.exceptions import OperationalError

from boardgamesbot.bots.app import CHOICES, TURNS, make_app
from boardgamesbot.bots.choosing import MOST_AT_ONCE, Choices, Question, answer_to
from boardgamesbot.bots.deciding import TRIES, Decided
from boardgamesbot.games import registry
from boardgamesbot.games.base import Move, View
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players.base import Brain
from boardgamesbot.players.registry import BOTS, Bot
from boardgamesbot.runtime.errors import ApiError
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.answers import Answers
from boardgamesbot.v1 import games_pb2

CODEC = registry.codec("barcelona")
STATE, _ = CODEC.game.new(3, CODEC.game.complete_options({}), ChanceStream(b"s" * 32))
VIEW = STATE.view(STATE.actor)


class FakeApp:
    """Keeps what it is to send."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.sent: list[Question] = []
        self.options: list[dict[str, Any]] = []
        self._failure = failure

    def send_task(self, name: str, *, kwargs: dict[str, Any], **options: Any) -> None:
        if self._failure is not None:
            raise self._failure
        self.sent.append(Question(**kwargs))
        self.options.append(options)


class FakeAnswers:
    """Gives the answers of a test, one a wait; where there are none left, after `gate` opens."""

    def __init__(self, *answers: bytes | None) -> None:
        self._answers = list(answers)
        self.gate = asyncio.Event()

    async def wait(self, question: str, seconds: float) -> bytes | None:
        if self._answers:
            return self._answers.pop(0)
        await self.gate.wait()
        return ANSWER


ANSWER = json.dumps({"move": VIEW.legal_moves()[0], "bot": "greedy"}).encode()


def choices(app: FakeApp, answers: FakeAnswers) -> Choices:
    return Choices(cast(Celery, app), cast(Answers, answers), 5.0)


async def test_a_worker_is_shown_the_view_and_no_more() -> None:
    app = FakeApp()
    assert await choices(app, FakeAnswers(ANSWER)).ask(CODEC, "greedy", VIEW, b"\x01\x02") == Decided(
        VIEW.legal_moves()[0], "greedy"
    )
    (question,) = app.sent
    assert question.seed == "0102"
    assert CODEC.view_from(games_pb2.GameView.FromString(b64decode(question.view))) == VIEW
    assert app.options[0]["queue"] != "bots", "no table waits behind it"


async def test_an_unanswered_question_is_asked_again_and_then_given_up() -> None:
    app = FakeApp()
    decided = await choices(app, FakeAnswers(None, ANSWER)).ask(CODEC, "greedy", VIEW, b"")
    assert decided.bot == "greedy"
    assert [question.attempt for question in app.sent] == [1, 2]
    assert len({question.id for question in app.sent}) == 1, "a late answer to the first is one to the second"
    with pytest.raises(ApiError) as caught:
        await choices(app, FakeAnswers(*[None] * TRIES)).ask(CODEC, "greedy", VIEW, b"")
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "BOTS_LATE")
    assert all(options["expires"] == 5.0 * TRIES for options in app.options), "no worker does what nobody waits for"


async def test_so_many_wait_and_no_more() -> None:
    answers = FakeAnswers()
    asked = choices(FakeApp(), answers)
    waiting = [asyncio.create_task(asked.ask(CODEC, "greedy", VIEW, b"")) for _ in range(MOST_AT_ONCE)]
    await asyncio.sleep(0)
    with pytest.raises(ApiError) as caught:
        await asked.ask(CODEC, "greedy", VIEW, b"")
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAVAILABLE, "BUSY")
    waiting[0].cancel()
    answers.gate.set()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [isinstance(result, Decided) for result in results] == [False] + [True] * (MOST_AT_ONCE - 1)
    assert (await asked.ask(CODEC, "greedy", VIEW, b"")).bot == "greedy", "who is done, or gone, makes room"


async def test_a_broker_that_is_away_is_said_to_be() -> None:
    with pytest.raises(ApiError) as caught:
        await choices(FakeApp(OperationalError()), FakeAnswers()).ask(CODEC, "greedy", VIEW, b"")
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAVAILABLE, "BOTS_UNAVAILABLE")


def question(bot: str, *, seed: bytes = b"", ruleset: str = "", attempt: int = 1) -> Question:
    shown = b64encode(CODEC.view_to(VIEW).SerializeToString()).decode()
    return Question("q", "barcelona", ruleset or CODEC.game.ruleset.hash, bot, seed.hex(), shown, attempt)


def test_the_same_seed_gives_the_same_move_and_others_others() -> None:
    moves = {seed: {answer_to(question("random", seed=bytes([seed]))) for _ in range(3)} for seed in range(20)}
    assert all(len(found) == 1 for found in moves.values())
    assert len(set.union(*moves.values())) > 5


def test_a_position_of_another_ruleset_is_left_to_other_workers() -> None:
    assert answer_to(question("greedy", ruleset="0" * 64)) is None


def test_a_bot_that_fails_is_answered_for_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Brain):
        asked = 0

        def choose(self, view: View, rng: object) -> Move:
            Broken.asked += 1
            raise RuntimeError

    monkeypatch.setitem(BOTS, "broken", Bot("broken", "Broken", "For tests.", {"barcelona": Broken()}))
    answer = answer_to(question("broken"))
    assert answer is not None
    assert json.loads(answer)["bot"] == "greedy"
    assert json.loads(answer)["move"] in VIEW.legal_moves()
    answer_to(question("broken", attempt=TRIES + 1))
    assert Broken.asked == 1, "asked too often, it is not asked again"


def test_tables_come_before_choices() -> None:
    """Workers look into their queues in the order of the alphabet."""
    settings = make_app(Settings()).conf
    assert settings.broker_transport_options["queue_order_strategy"] == "sorted"
    assert sorted([CHOICES, TURNS]) == [TURNS, CHOICES]
    assert settings.task_default_queue == TURNS

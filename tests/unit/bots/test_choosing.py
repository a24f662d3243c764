"""Questions to the workers: what they are shown, how many wait, and what becomes of one that nobody answers."""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any, cast

import grpc
import pytest
from celery import Celery
from kombu.exceptions import OperationalError

from boardgamesbot.bots.app import make_app
from boardgamesbot.bots.choosing import MOST_AT_ONCE, Answerer, Asked, Choices, Question, Told
from boardgamesbot.bots.deciding import TRIES, Answer, Decider, Here
from boardgamesbot.bots.pace import LEAST_SECONDS, Pace
from boardgamesbot.bots.queues import ALL, CHOICES, CLOCKS, DEEP, QUICK, TURNS, kind_of, served_by
from boardgamesbot.games import registry
from boardgamesbot.games.base import Move, View
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players.base import Brain
from boardgamesbot.players.registry import BOTS, Bot
from boardgamesbot.runtime.errors import ApiError
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.answers import Answers
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.v1 import games_pb2

CODEC = registry.codec("barcelona")
STATE, _ = CODEC.game.new(3, CODEC.game.complete_options({}), ChanceStream(b"s" * 32))
VIEW = STATE.view(STATE.actor)
SHOWN = b64encode(CODEC.view_to(VIEW).SerializeToString()).decode()
ASKED = Asked(CODEC, VIEW, "greedy", b"\x01\x02", 0.0)
FINAL = Answer(VIEW.legal_moves()[0], "greedy")
PATIENCE = 5.0
PACE = Pace(PATIENCE, 3.0)


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
        self.waiting: list[str] = []

    @asynccontextmanager
    async def asking(self, question: str) -> AsyncIterator[None]:
        self.waiting.append(question)
        try:
            yield
        finally:
            self.waiting.remove(question)

    async def wait(self, question: str, seconds: float) -> bytes | None:
        if self._answers:
            return self._answers.pop(0)
        await self.gate.wait()
        return said(FINAL)


class FakeClock:
    """It is always the same time."""

    async def read_ms(self) -> float:
        return 1_000.0


def said(answer: Answer, *, final: bool = True) -> bytes:
    """An answer as a worker gives it."""
    return (b"!" if final else b".") + answer.to_bytes()


def choices(app: FakeApp, answers: FakeAnswers) -> Choices:
    return Choices(cast(Celery, app), cast(Answers, answers), cast(StoreClock, FakeClock()), PATIENCE)


async def test_a_worker_is_shown_the_view_and_no_more() -> None:
    app = FakeApp()
    assert await choices(app, FakeAnswers(said(FINAL))).ask(ASKED) == FINAL
    (question,) = app.sent
    assert question.seed == "0102"
    assert CODEC.view_from(games_pb2.GameView.FromString(b64decode(question.view))) == VIEW
    assert app.options[0]["queue"] == CHOICES[QUICK], "no table waits behind it"


async def test_better_answers_are_told_until_the_final_one() -> None:
    better = replace(FINAL, iterations=7)
    asked = choices(FakeApp(), FakeAnswers(said(FINAL, final=False), said(better)))
    assert [told async for told in asked.watch(ASKED)] == [Told(FINAL, False), Told(better, True)]


async def test_whoever_stops_looking_is_not_waiting_any_more() -> None:
    answers = FakeAnswers(said(FINAL, final=False))
    async with aclosing(choices(FakeApp(), answers).watch(ASKED)) as watched:
        await anext(watched)
        assert len(answers.waiting) == 1
    assert answers.waiting == []


async def test_an_unanswered_question_is_asked_again_and_then_given_up() -> None:
    app = FakeApp()
    assert (await choices(app, FakeAnswers(None, said(FINAL))).ask(ASKED)).bot == "greedy"
    assert [question.attempt for question in app.sent] == [1, 2]
    assert len({question.id for question in app.sent}) == 1, "a late answer to the first is one to the second"
    answers = FakeAnswers(*[None] * TRIES)
    with pytest.raises(ApiError) as caught:
        await choices(app, answers).ask(ASKED)
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "BOTS_LATE")
    assert all(options["expires"] == PATIENCE * TRIES for options in app.options), "nobody waits longer"
    assert answers.waiting == []


async def test_so_many_wait_and_no_more_and_deep_questions_take_no_quick_ones_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BOTS, "deep", replace(BOTS["greedy"], id="deep", seconds=1.0))
    answers = FakeAnswers()
    asked = choices(FakeApp(), answers)
    deep = [asyncio.create_task(asked.ask(replace(ASKED, bot="deep"))) for _ in range(MOST_AT_ONCE)]
    waiting = [asyncio.create_task(asked.ask(ASKED)) for _ in range(MOST_AT_ONCE)]
    while len(answers.waiting) < 2 * MOST_AT_ONCE:
        await asyncio.sleep(0)
    with pytest.raises(ApiError) as caught:
        await asked.ask(ASKED)
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAVAILABLE, "BUSY")
    waiting[0].cancel()
    answers.gate.set()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [isinstance(result, Answer) for result in results] == [False] + [True] * (MOST_AT_ONCE - 1)
    assert (await asked.ask(ASKED)).bot == "greedy", "who is done, or gone, makes room"
    await asyncio.gather(*deep)


async def test_a_broker_that_is_away_is_said_to_be() -> None:
    with pytest.raises(ApiError) as caught:
        await choices(FakeApp(OperationalError()), FakeAnswers()).ask(ASKED)
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAVAILABLE, "BOTS_UNAVAILABLE")


def question(bot: str, **more: Any) -> Question:
    """A question as it reaches a worker, just asked."""
    asked = Question(
        id="q",
        game_id="barcelona",
        ruleset_hash=CODEC.game.ruleset.hash,
        bot=bot,
        seed="",
        view=SHOWN,
        seconds=0.0,
        iterations=None,
        notes="",
        streamed=False,
        since_ms=1_000.0,
        attempt=1,
    )
    return replace(asked, **more)


def answered(asked: Question, *, wanted: bool = True, now_ms: float = 1_000.0) -> list[Answer]:
    """What a worker gives, the last one final."""
    given: list[bytes] = []
    Answerer(Decider(Here()), PACE, lambda: now_ms).answer(asked, given.append, lambda: wanted)
    assert [one[:1] for one in given] == [b"."] * (len(given) - 1) + [b"!"] * bool(given)
    return [Answer.from_bytes(one[1:]) for one in given]


def test_the_same_seed_gives_the_same_move_and_others_others() -> None:
    moves = {
        seed: {answered(question("random", seed=bytes([seed]).hex()))[0].move for _ in range(3)} for seed in range(20)
    }
    assert all(len(found) == 1 for found in moves.values())
    assert len(set.union(*moves.values())) > 5


def test_a_position_of_another_ruleset_and_one_nobody_waits_for_are_left_alone() -> None:
    assert answered(question("greedy", ruleset_hash="0" * 64)) == []
    assert answered(question("greedy"), wanted=False) == []


def test_a_bot_that_fails_is_answered_for_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Brain):
        asked = 0

        def choose(self, view: View, rng: object) -> Move:
            Broken.asked += 1
            raise RuntimeError

    monkeypatch.setitem(BOTS, "broken", Bot("broken", "Broken", "For tests.", {"barcelona": Broken()}))
    (answer,) = answered(question("broken"))
    assert answer.bot == "greedy"
    assert answer.move in VIEW.legal_moves()
    answered(question("broken", attempt=TRIES + 1))
    assert Broken.asked == 1, "asked too often, it is not asked again"


@pytest.mark.parametrize(
    ("seconds", "iterations", "waited", "attempt", "given"),
    [
        (8.0, None, 0.0, 1, 8.0),
        (7.0, None, 3.6, 1, 3.5),
        (8.0, 100, 1.5, 1, 8.0),
        (0.0, None, 0.0, 1, 3.0),
        (8.0, None, 0.0, 2, LEAST_SECONDS),
    ],
)
def test_what_has_waited_is_thought_about_less_unless_iterations_are_counted(
    seconds: float, iterations: int | None, waited: float, attempt: int, given: float
) -> None:
    asked = question("greedy", seconds=seconds, iterations=iterations, attempt=attempt)
    found: list[float] = []

    class Spy(Here):
        def think(self, decision: Any) -> Any:
            found.append(decision.seconds)
            return super().think(decision)

    Answerer(Decider(Spy()), PACE, lambda: 1_000.0 + waited * 1000).answer(asked, lambda _: None, lambda: True)
    assert found == [pytest.approx(given)]


def test_quick_work_comes_before_deep_and_tables_before_choices() -> None:
    """Workers look into their queues in the order of the alphabet."""
    settings = make_app(Settings()).conf
    assert settings.broker_transport_options["queue_order_strategy"] == "sorted"
    assert list(ALL) == [TURNS[QUICK], CHOICES[QUICK], TURNS[DEEP], CHOICES[DEEP]]
    assert served_by("all") == list(ALL)
    assert set(served_by("quick")) | set(served_by("deep")) == set(ALL)
    assert set(served_by("quick")) & set(served_by("deep")) == set()
    assert CLOCKS in served_by("quick"), "calling time takes no thought"


def test_bots_that_search_are_deep_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "deep", replace(BOTS["greedy"], id="deep", seconds=0.1))
    assert [kind_of(bot) for bot in ("deep", "greedy", "random", "nobody knows it")] == [DEEP, QUICK, QUICK, QUICK]

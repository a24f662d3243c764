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
from boardgamesbot.bots.choosing import LOOK_SECONDS, MOST_AT_ONCE, Answerer, Asked, Choices, Question, Told
from boardgamesbot.bots.deciding import TRIES, Answer, Decider, Here
from boardgamesbot.bots.hands import LOST_SECONDS
from boardgamesbot.bots.pace import LEAST_SECONDS, Pace
from boardgamesbot.bots.queues import (
    AGAIN,
    ALL,
    CHOICES,
    CLOCKS,
    DEEP,
    JUST_TAKEN_MS,
    QUICK,
    TURNS,
    Backlog,
    kind_of,
    served_by,
    waiting_since,
)
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
LOST = LOST_SECONDS + 2 * LOOK_SECONDS
"""In such a time it is seen that nobody has a question any more."""


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


class FakeTime:
    """Passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    found = FakeTime()
    monkeypatch.setattr("boardgamesbot.bots.choosing.monotonic", found)
    monkeypatch.setattr("boardgamesbot.bots.hands.monotonic", found)
    return found


class FakeAnswers:
    """Gives the answers of a test, one a wait; where there are none left, after `gate` opens. A number among them: so
    many seconds pass before the next."""

    def __init__(self, *answers: bytes | float, time: FakeTime | None = None, worked_on: bool = True) -> None:
        self._answers = list(answers)
        self._time = time or FakeTime()
        self._worked_on = worked_on
        self.gate = asyncio.Event()
        self.waiting: list[str] = []
        self.asked_as: list[int] = []

    @asynccontextmanager
    async def asking(self, question: str) -> AsyncIterator[None]:
        self.waiting.append(question)
        try:
            yield
        finally:
            self.waiting.remove(question)

    async def ask_as(self, question: str, attempt: int) -> None:
        self.asked_as.append(attempt)

    async def is_worked_on(self, question: str) -> bool:
        return self._worked_on

    async def wait(self, question: str, seconds: float) -> bytes | None:
        if not self._answers:
            await self.gate.wait()
            return said(FINAL)
        following = self._answers.pop(0)
        if isinstance(following, bytes):
            return following
        self._time.now += min(seconds, following)
        if following > seconds:
            self._answers.insert(0, following - seconds)
        return None


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


async def test_an_unanswered_question_is_asked_again_and_then_answered_here(time: FakeTime) -> None:
    app, answers = FakeApp(), FakeAnswers(PATIENCE, said(FINAL), time=time)
    assert (await choices(app, answers).ask(ASKED)).bot == "greedy"
    assert [question.attempt for question in app.sent] == [1, 2]
    assert answers.asked_as == [2], "whoever still has the first is to stop"
    assert len({question.id for question in app.sent}) == 1, "a late answer to the first is one to the second"
    answers = FakeAnswers(PATIENCE * TRIES, time=time)
    assert (await choices(app, answers).ask(ASKED)).bot == "greedy", "whom the server asks itself"
    assert [question.attempt for question in app.sent[2:]] == [1, 2]
    assert all(options["expires"] == PATIENCE * TRIES for options in app.options), "nobody waits longer"
    assert answers.waiting == []


def waits(monkeypatch: pytest.MonkeyPatch, sent_ms: float | None) -> None:
    """Have a task that was sent then be the oldest in each queue; None: have none."""

    def found(app: object, names: tuple[str, ...]) -> list[Backlog]:
        return [Backlog(name, 0 if sent_ms is None else 1, sent_ms) for name in names]

    monkeypatch.setattr("boardgamesbot.bots.hands.backlogs", found)


async def test_a_question_that_nobody_has_is_asked_again_long_before_time_is_up(
    monkeypatch: pytest.MonkeyPatch, time: FakeTime
) -> None:
    waits(monkeypatch, None)
    app = FakeApp()
    began = time.now
    answers = FakeAnswers(LOST, said(FINAL), time=time, worked_on=False)
    assert await choices(app, answers).ask(ASKED) == FINAL
    assert [question.attempt for question in app.sent] == [1, 2]
    assert time.now - began < PATIENCE / 2


@pytest.mark.parametrize(
    ("worked_on", "oldest_ms"), [(True, None), (False, 1_000.0), (False, 900.0)], ids=["at work", "oldest", "waits"]
)
async def test_a_question_that_somebody_has_is_left_to_them(
    monkeypatch: pytest.MonkeyPatch, time: FakeTime, worked_on: bool, oldest_ms: float | None
) -> None:
    """A worker is at it, or it waits in its queue, alone or behind older ones."""
    waits(monkeypatch, oldest_ms)
    app = FakeApp()
    answers = FakeAnswers(PATIENCE - LOOK_SECONDS, said(FINAL), time=time, worked_on=worked_on)
    assert await choices(app, answers).ask(ASKED) == FINAL
    assert len(app.sent) == 1


@pytest.mark.parametrize(("asked", "answers"), [("greedy", "greedy"), ("random", "random"), ("deep", "greedy")])
async def test_where_no_worker_comes_a_simple_bot_answers_in_time(
    monkeypatch: pytest.MonkeyPatch, time: FakeTime, asked: str, answers: str
) -> None:
    monkeypatch.setitem(BOTS, "deep", replace(BOTS["greedy"], id="deep", seconds=1.0))
    waits(monkeypatch, 1_000.0)
    app, began = FakeApp(), time.now
    nobody = FakeAnswers(2 * PATIENCE, time=time, worked_on=False)
    answer = await choices(app, nobody).ask(replace(ASKED, bot=asked))
    assert answer.bot == answers
    assert answer.move in VIEW.legal_moves()
    assert time.now - began == PATIENCE
    assert len(app.sent) == 1, "it waits already"
    expected = answered(question(answers, seed=ASKED.seed.hex()))[-1]
    assert answer.move == expected.move, "as a worker would have answered"


async def test_where_only_younger_ones_wait_it_is_lost(monkeypatch: pytest.MonkeyPatch, time: FakeTime) -> None:
    waits(monkeypatch, 1_100.0)
    app = FakeApp()
    await choices(app, FakeAnswers(LOST, said(FINAL), time=time, worked_on=False)).ask(ASKED)
    assert len(app.sent) == 2


async def test_a_broker_that_cannot_be_asked_what_waits_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, time: FakeTime
) -> None:
    def away(app: object, names: tuple[str, ...]) -> list[Backlog]:
        raise OperationalError

    monkeypatch.setattr("boardgamesbot.bots.hands.backlogs", away)
    app = FakeApp()
    await choices(app, FakeAnswers(LOST, said(FINAL), time=time, worked_on=False)).ask(ASKED)
    assert len(app.sent) == 1


async def test_what_was_told_before_a_worker_died_is_the_answer(
    monkeypatch: pytest.MonkeyPatch, time: FakeTime
) -> None:
    waits(monkeypatch, None)
    app = FakeApp()
    asked = choices(app, FakeAnswers(said(FINAL, final=False), LOST, time=time, worked_on=False))
    assert [told async for told in asked.watch(ASKED)] == [Told(FINAL, False), Told(FINAL, True)]
    assert len(app.sent) == 1


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
        (8.0, 100, 4.0, 2, 8.0),
        (8.0, 100, 9.0, 2, 4.0),
        (8.0, 100, 13.0, 2, LEAST_SECONDS),
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


def test_quick_work_comes_before_deep_lost_turns_before_others_and_tables_before_choices() -> None:
    """Workers look into their queues in the order of the alphabet."""
    settings = make_app(Settings()).conf
    assert settings.broker_transport_options["queue_order_strategy"] == "sorted"
    assert list(ALL) == [queues[kind] for kind in (QUICK, DEEP) for queues in (AGAIN, TURNS, CHOICES)]
    assert served_by("all") == list(ALL)
    assert set(served_by("quick")) | set(served_by("deep")) == set(ALL)
    assert set(served_by("quick")) & set(served_by("deep")) == set()
    assert CLOCKS in served_by("quick"), "calling time takes no thought"


def test_a_turn_that_waits_or_has_only_just_been_taken_is_in_somebodys_hands() -> None:
    found = [Backlog(TURNS[QUICK], 3, 10_000.0), Backlog(AGAIN[QUICK], 1, 12_000.0), Backlog(CHOICES[DEEP], 1, 9_000.0)]
    since = waiting_since([*found, Backlog(TURNS[DEEP], 0, None)])
    assert since["greedy"] == since["random"] == 10_000.0 - JUST_TAKEN_MS
    assert "agora" not in since, "no turn of a searching bot waits"
    assert waiting_since(found[1:2])["greedy"] == 12_000.0 - JUST_TAKEN_MS


def test_bots_that_search_are_deep_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "deep", replace(BOTS["greedy"], id="deep", seconds=0.1))
    assert [kind_of(bot) for bot in ("deep", "greedy", "random", "nobody knows it")] == [DEEP, QUICK, QUICK, QUICK]

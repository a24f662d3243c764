"""Moves that somebody asks for: the bots server puts the question to the workers, and a worker answers.

The answers come as they improve. Whoever asked says for as long as they wait; when they stop, so does the bot. A worker
says for as long as it is at the answer; when it falls silent, and the question waits for no other one, somebody else is
asked.
"""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import asdict, dataclass, replace
from time import monotonic

from celery import Celery
from google.protobuf.message import DecodeError
from kombu.exceptions import OperationalError

from boardgamesbot.bots.app import CHOOSE_MOVE
from boardgamesbot.bots.deciding import TRIES, Answer, Decider, Decision
from boardgamesbot.bots.hands import Hands, Line
from boardgamesbot.bots.pace import GRACE_SECONDS, SIMPLER_SECONDS, Pace
from boardgamesbot.bots.queues import CHOICES, headers, kind_of
from boardgamesbot.bots.standing_in import StandIn
from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed, View
from boardgamesbot.games.proto import Codec
from boardgamesbot.players.registry import BOTS
from boardgamesbot.runtime import errors, logs, traces
from boardgamesbot.store.answers import Answers
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.v1 import games_pb2

log = logs.logger(__name__)

MOST_AT_ONCE = 16
"""So many questions of one server wait at a time for quick bots, and as many for those that search; who comes then is
told to come again."""
BUSY_SECONDS = 0.5
AWAY_SECONDS = 1.0
LOOK_SECONDS = 0.5
"""So often it is looked whether a question that has no answer yet is in anybody's hands."""

_FINAL = b"!"
_SO_FAR = b"."


@dataclass(frozen=True)
class Asked:
    """What is asked of a bot."""

    codec: Codec
    view: View
    """Of the seat whose decision it is."""
    bot: str
    seed: bytes
    seconds: float
    """How long it may think; 0: as long as it does by itself."""
    iterations: int | None = None
    notes: str = ""
    """Whose notes the bot keeps; empty: nobody's."""


@dataclass(frozen=True)
class Question:
    """What goes to the workers. The bot is shown the view of the seat whose decision it is, never the position."""

    id: str
    game_id: str
    ruleset_hash: str
    bot: str
    seed: str
    """In hexadecimal."""
    view: str
    """A GameView, in Base64."""
    seconds: float
    iterations: int | None
    notes: str
    streamed: bool
    """Whether every better answer is wanted, or the last one alone."""
    since_ms: float
    """When it was asked, by the store's clock."""
    attempt: int
    """Counts from 1 how often it has been asked."""

    def check(self) -> None:
        """Raise Malformed unless it names a game and a bot and shows a position."""
        if self.bot not in BOTS:
            raise Malformed("bot", "is none")
        try:
            bytes.fromhex(self.seed)
            message = games_pb2.GameView.FromString(b64decode(self.view, validate=True))
        except (ValueError, DecodeError) as error:
            raise Malformed("seed or view", f"cannot be read: {error!r}") from None
        registry.codec(self.game_id).view_from(message)


@dataclass(frozen=True)
class Told:
    """An answer, as it stands."""

    answer: Answer
    final: bool


class Choices:
    """Asks the workers, a bounded number of questions at a time."""

    def __init__(self, app: Celery, answers: Answers, clock: StoreClock, patience_seconds: float) -> None:
        """Where a question is not answered within `patience_seconds` and its thinking time, it is asked once more,
        to be answered at once; where nobody has it any more, as soon as that is seen. Where no worker answers at all,
        a simple bot does, in this process."""
        self._app = app
        self._line = Line(app)
        self._stand_in = StandIn()
        self._answers = answers
        self._clock = clock
        self._patience = patience_seconds
        self._waiting: Counter[str] = Counter()

    async def ask(self, asked: Asked) -> Answer:
        """What the bot, or where it fails a simpler one, chooses. Raises ApiError."""
        async with aclosing(self.watch(asked, streamed=False)) as answers:
            async for told in answers:
                if told.final:
                    return told.answer
        raise AssertionError("the last answer is final")

    async def watch(self, asked: Asked, *, streamed: bool = True) -> AsyncGenerator[Told, None]:
        """The same as it improves, the last one being final. Closed before, the bot stops. Raises ApiError."""
        question = Question(
            id=secrets.token_hex(16),
            game_id=asked.codec.game.id,
            ruleset_hash=asked.codec.game.ruleset.hash,
            bot=asked.bot,
            seed=asked.seed.hex(),
            view=b64encode(asked.codec.view_to(asked.view).SerializeToString()).decode(),
            seconds=asked.seconds,
            iterations=asked.iterations,
            notes=asked.notes,
            streamed=streamed,
            since_ms=await self._clock.read_ms(),
            attempt=1,
        )
        with self._place(kind_of(asked.bot)):
            async with self._answers.asking(question.id), aclosing(self._told(question)) as answers:
                async for told in answers:
                    yield told

    async def _told(self, question: Question) -> AsyncGenerator[Told, None]:
        """The answers to a question, the last one final. Raises ApiError.

        Where nobody seems to answer, what has been told is final. Where nothing has, it is asked again, and where that
        is of no use, since it still waits for the first worker to come, or has been done, a simple bot answers here.
        """
        best: Answer | None = None
        hands = Hands(self._answers, self._line, question.id, CHOICES[kind_of(question.bot)])
        heard, late = monotonic(), False
        hands.given(await self._send(question))
        while (left := heard + question.seconds + TRIES * self._patience - monotonic()) > 0:
            said = await self._answers.wait(question.id, min(LOOK_SECONDS, left))
            if said is not None:
                told = _read(said)
                if told is not None:
                    yield told
                    if told.final:
                        return
                    best, heard = told.answer, monotonic()
                continue
            overdue = not late and monotonic() - heard >= question.seconds + self._patience
            if not overdue and not await hands.have_lost_it():
                continue
            log.warning("nobody seems to answer", question=question.id[:8], bot=question.bot, overdue=overdue)
            if best is not None or (overdue and await hands.have_yet_to_come()):
                break
            late = late or overdue
            question = replace(question, attempt=question.attempt + 1)
            await self._answers.ask_as(question.id, question.attempt)
            hands.given(await self._send(question))
        yield Told(best or await self._stand_in.answer(_decision(question)), True)

    @contextmanager
    def _place(self, kind: str) -> Iterator[None]:
        if self._waiting[kind] >= MOST_AT_ONCE:
            raise errors.unavailable("BUSY", "too many moves are being chosen: try again in a moment", BUSY_SECONDS)
        self._waiting[kind] += 1
        try:
            yield
        finally:
            self._waiting[kind] -= 1

    async def _send(self, question: Question) -> float:
        """Hand a question to the workers; when that was, in ms by the store's clock. Raises ApiError."""
        sent_ms = await self._clock.read_ms()
        await asyncio.to_thread(self._publish, question, sent_ms)
        return sent_ms

    def _publish(self, question: Question, sent_ms: float) -> None:
        """Hand it to Celery; a worker that comes to it when nobody waits any more drops it."""
        try:
            self._app.send_task(
                CHOOSE_MOVE,
                kwargs=asdict(question),
                queue=CHOICES[kind_of(question.bot)],
                expires=(self._patience + question.seconds) * TRIES,
                headers=headers(sent_ms, traces.carry()),
                retry=False,
            )
        except OperationalError:
            raise errors.unavailable(
                "BOTS_UNAVAILABLE", "the workers can't be reached: try again in a moment", AWAY_SECONDS
            ) from None


def _decision(question: Question) -> Decision:
    """What a bot is to decide."""
    return Decision(
        game_id=question.game_id,
        bot=question.bot,
        seed=bytes.fromhex(question.seed),
        view=b64decode(question.view),
        seconds=question.seconds,
        iterations=question.iterations,
        notes=question.notes,
    )


def _read(said: bytes) -> Told | None:
    """What a worker said; None where that is no answer."""
    try:
        return Told(Answer.from_bytes(said[1:]), said[:1] == _FINAL)
    except Malformed as error:
        log.error("a worker gave an answer that is none", error=error.reason)
        return None


class Answerer:
    """Answers questions, in a worker."""

    def __init__(self, decider: Decider, pace: Pace, now_ms: Callable[[], float]) -> None:
        """`pace` is that of turns; `now_ms` is the store's clock."""
        self._decider = decider
        self._pace = pace
        self._now_ms = now_ms

    def answer(self, question: Question, give: Callable[[bytes], None], wanted: Callable[[], bool]) -> bool:
        """Give the answers to a question as long as they are wanted; whether the last one was given.

        A position of a ruleset that is not in use here is left to others.
        """
        here = registry.game(question.game_id).ruleset.hash
        if here != question.ruleset_hash:
            log.error(
                "position of another ruleset: start this worker with the --ruleset of the bots server",
                ruleset=question.ruleset_hash[:12],
                here=here[:12],
            )
            return False
        if not wanted():
            return False
        seconds = self._seconds(question)

        def improved(answer: Answer) -> None:
            give(_SO_FAR + answer.to_bytes())

        answer = self._decider.decide(
            replace(_decision(question), seconds=seconds),
            seconds + GRACE_SECONDS + SIMPLER_SECONDS,
            attempt=question.attempt,
            improved=improved if question.streamed else None,
            wanted=wanted,
            question=question.id[:8],
        )
        if answer is None:
            log.debug("nobody wants the answer any more", question=question.id[:8])
            return False
        give(_FINAL + answer.to_bytes())
        return True

    def _seconds(self, question: Question) -> float:
        """How long to think: what was asked for, unless much is to be done. Who counts iterations gets all of them, and
        in time that is left of what they wait for anyway where somebody else has begun with it."""
        waited = max(0.0, self._now_ms() - question.since_ms) / 1000
        if question.iterations is not None and question.seconds and question.attempt <= TRIES:
            return question.seconds if question.attempt == 1 else self._pace.counting(question.seconds, waited)
        return self._pace.choosing(question.seconds, waited, question.attempt)

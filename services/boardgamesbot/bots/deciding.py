"""How a bot decides, for turns, choices and suggestions alike: it is asked, and where it fails, a simpler one.

What a bot has come to before it failed is its answer; else `greedy` is asked, else `random`, else any legal move is
played: nobody waits for a bot for ever.
"""

from __future__ import annotations

import json
import time
import traceback
from base64 import b64decode, b64encode
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from hashlib import sha256
from random import Random
from typing import Any, Protocol, Self

from boardgamesbot.bots.bodies import read
from boardgamesbot.bots.pace import LEAST_SECONDS, SIMPLER_SECONDS
from boardgamesbot.games import registry
from boardgamesbot.games.base import IllegalMove, Malformed, Move, View
from boardgamesbot.players.base import Budget, Candidate, Notes
from boardgamesbot.players.registry import BOTS, FALLBACKS
from boardgamesbot.runtime import logs, metrics, traces
from boardgamesbot.store.crashes import Crash, crash_id
from boardgamesbot.v1 import games_pb2

log = logs.logger(__name__)

TRIES = 2
"""A bot that has been asked more often than this for one decision, or has failed so often at one position, is not asked
again: a simpler one answers."""

ANSWERED_FOR = "its best so far, or a simpler bot's move, is played, and the game goes on"
"""What that means for whoever plays with it."""

MOST_CANDIDATES = 20
"""So many of the moves that a bot has weighed are told."""


class Failed(StrEnum):
    """How a bot can fail."""

    RAISED = "raised"
    ILLEGAL = "illegal move"
    LATE = "out of time"
    STARVED = "no processor time"
    """Late as well, but by no fault of its own: the machine has too much to do."""
    DIED = "died"


@dataclass(frozen=True)
class Decision:
    """What a bot is to decide. It is shown the view of the seat whose decision it is, never the position."""

    game_id: str
    bot: str
    seed: bytes
    """What its chance is made of."""
    view: bytes
    """A GameView."""
    seconds: float
    """How long it may think."""
    iterations: int | None = None
    """How many iterations it may do; None: no limit."""
    notes: str = ""
    """Whose notes it keeps, such as a table and a seat; empty: nobody's."""

    def to_bytes(self) -> bytes:
        values = asdict(self) | {"seed": self.seed.hex(), "view": b64encode(self.view).decode()}
        return json.dumps(values).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        values: dict[str, Any] = json.loads(data)
        values["seed"], values["view"] = bytes.fromhex(values["seed"]), b64decode(values["view"])
        return cls(**values)

    def shown(self) -> View:
        """The view."""
        return registry.codec(self.game_id).view_from(games_pb2.GameView.FromString(self.view))


@dataclass(frozen=True)
class Answer:
    """What a bot would play, as far as it has come."""

    move: Move
    bot: str
    """Who it is from; empty where every bot failed."""
    candidates: tuple[Candidate, ...] = ()
    iterations: int = 0
    seconds: float = 0.0
    """How long it has thought."""

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What `to_bytes` wrote. Raises Malformed."""
        try:
            values: Any = json.loads(data)
            values["candidates"] = tuple(read(Candidate, one) for one in values["candidates"])
            return read(cls, values)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise Malformed("answer", f"cannot be read: {error!r}") from None


@dataclass(frozen=True)
class Failure:
    """A bot has failed; what it had come to before still stands."""

    kind: Failed
    detail: str
    """Where and how, as far as is known."""


Thinking = Generator[Answer | Failure | None, None, None]
"""Answers that improve, and perhaps a failure at the end; None now and then while nothing happens.

Closing it stops the bot.
"""


class Thinker(Protocol):
    """Where bots think."""

    def think(self, decision: Decision) -> Thinking:
        """Ask one bot, the one of the decision."""
        ...


class CrashBook(Protocol):
    """Where it is kept that bots failed. Neither method raises."""

    def times(self, crash_id: str) -> int:
        """How often this bot has failed at this position."""
        ...

    def note(self, crash: Crash) -> None:
        """Keep that it has."""
        ...


class Decider:
    """Sees to it that there is a decision, whatever a bot does."""

    def __init__(self, thinker: Thinker, crashes: CrashBook | None = None) -> None:
        self._thinker = thinker
        self._crashes = crashes

    def decide(
        self,
        decision: Decision,
        left: float,
        *,
        attempt: int = 1,
        improved: Callable[[Answer], None] | None = None,
        wanted: Callable[[], bool] | None = None,
        **where: object,
    ) -> Answer | None:
        """What the bot, or a simpler one, decides within `left` seconds.

        `improved` is told what the bot asked for has come to, whenever that is better than before. None if `wanted`,
        asked several times a second, says that nobody wants the answer any more. `where` is for the log.
        """
        bot = metrics.one_of(decision.bot, BOTS)
        with traces.span("decide", bot=bot, game=decision.game_id) as span, metrics.DECISION_SECONDS.timed(bot):
            answer = self._first_answer(decision, left, attempt, improved, wanted, where)
            if answer is not None:
                span.set(answered=answer.bot or "none", iterations=answer.iterations)
                metrics.DECISIONS.add(bot, answer.bot or "none")
        return answer

    def _first_answer(
        self,
        decision: Decision,
        left: float,
        attempt: int,
        improved: Callable[[Answer], None] | None,
        wanted: Callable[[], bool] | None,
        where: dict[str, object],
    ) -> Answer | None:
        end = time.monotonic() + left
        for bot in self._askable(decision, attempt):
            asked = replace(decision, bot=bot)
            if bot != decision.bot:
                spare = min(SIMPLER_SECONDS, end - time.monotonic())
                asked = replace(asked, seconds=max(LEAST_SECONDS, spare), iterations=None, notes="")
            best: Answer | None = None
            with closing(self._thinker.think(asked)) as thinking:
                for event in thinking:
                    if isinstance(event, Answer):
                        best = event
                        if improved is not None:
                            improved(event)
                    elif event is not None:
                        self._failed(asked, event, where)
                    if wanted is not None and not wanted():
                        return None
            if best is not None:
                log.debug("bot decided", bot=bot, seconds=round(best.seconds, 4), **where)
                return best
        return Answer(decision.shown().legal_moves()[0], "")

    def _askable(self, decision: Decision, attempt: int) -> Iterable[str]:
        """The bots to ask, in order."""
        if decision.bot in BOTS and attempt <= TRIES and not self._fails_here(decision):
            yield decision.bot
        yield from (bot.id for bot in FALLBACKS if bot.id != decision.bot)

    def _fails_here(self, decision: Decision) -> bool:
        if self._crashes is None:
            return False
        known = self._crashes.times(crash_id(decision.bot, decision.view))
        if known >= TRIES:
            log.warning("bot is not asked: it has failed at this position", bot=decision.bot, times=known)
        return known >= TRIES

    def _failed(self, decision: Decision, failure: Failure, where: dict[str, object]) -> None:
        if failure.kind is Failed.STARVED:
            log.warning("bot had no processor time", bot=decision.bot, detail=failure.detail, **where)
            return
        crash = Crash(
            bot=decision.bot,
            game_id=decision.game_id,
            ruleset_hash=registry.game(decision.game_id).ruleset.hash,
            view=decision.view,
            seed=decision.seed.hex(),
            seconds=decision.seconds,
            iterations=decision.iterations or 0,
            kind=failure.kind.value,
            detail=failure.detail,
            where=" ".join(f"{name} {value}" for name, value in where.items()),
        )
        # One that came too late on a machine with much to do is no fault to be mended.
        say = log.warning if failure.kind is Failed.LATE else log.error
        say(f"bot failed: {ANSWERED_FOR}", bot=crash.bot, kind=crash.kind, detail=crash.detail, crash=crash.id, **where)
        metrics.FAILURES.add(metrics.one_of(crash.bot, BOTS), crash.kind)
        if self._crashes is not None:
            self._crashes.note(crash)


def answers(decision: Decision, over: Callable[[], bool], notes: Notes) -> Generator[Answer, None, None]:
    """Ask the bot of a decision, here and now. Raises IllegalMove, Malformed, and whatever the bot does."""
    started = time.monotonic()
    view = decision.shown()
    position = view.determinize(Random(0))
    legal: set[Move] = set()
    brain = BOTS[decision.bot].brains[decision.game_id]
    chance = Random(sha256(decision.seed + decision.bot.encode()).digest())
    answered = False
    for thought in brain.think(view, chance, Budget(decision.iterations, over), notes):
        position.check(thought.move)
        candidates = thought.candidates[:MOST_CANDIDATES]
        if candidates and not legal:
            legal.update(position.legal_moves())
        answered = True
        yield Answer(
            thought.move,
            decision.bot,
            tuple(candidate for candidate in candidates if candidate.move in legal),
            thought.iterations,
            time.monotonic() - started,
        )
        if over():
            break
    if not answered:
        raise LookupError("the bot has no thought")


def failure_of(error: Exception) -> Failure:
    """What a bot's exception means."""
    if isinstance(error, IllegalMove):
        return Failure(Failed.ILLEGAL, str(error))
    if isinstance(error, Malformed):
        return Failure(Failed.ILLEGAL, f"no move at all: {error}")
    return Failure(Failed.RAISED, "".join(traceback.format_exception(error)))


class Here:
    """Bots that think in this process, which nothing protects from them: simple ones, tests', and one that crashed and
    is looked into."""

    def think(self, decision: Decision) -> Thinking:
        ends = time.monotonic() + decision.seconds
        try:
            yield from answers(decision, lambda: time.monotonic() >= ends, {})
        except Exception as error:
            yield failure_of(error)

"""A bot's move for a position that a caller brings: the bots server asks, a worker answers."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from random import Random

import grpc
from celery import Celery
from kombu.exceptions import OperationalError

from boardgamesbot.bots.app import CHOICES, CHOOSE_MOVE
from boardgamesbot.bots.deciding import TRIES, Decided, decide
from boardgamesbot.games import registry
from boardgamesbot.games.base import View
from boardgamesbot.games.proto import Codec
from boardgamesbot.runtime import errors, logs
from boardgamesbot.store.answers import Answers
from boardgamesbot.v1 import games_pb2

log = logs.logger(__name__)

MOST_AT_ONCE = 16
"""So many questions of one server wait at a time; who comes then is told to come again."""
BUSY_SECONDS = 0.5
AWAY_SECONDS = 1.0


@dataclass(frozen=True)
class Question:
    """What a bot is to decide. It is shown the view of the seat whose decision it is, never the position."""

    id: str
    game_id: str
    ruleset_hash: str
    bot: str
    seed: str
    """In hexadecimal."""
    view: str
    """A GameView, in Base64."""
    attempt: int
    """Counts from 1 how often it has been asked."""


class Choices:
    """Asks the workers, a bounded number of questions at a time."""

    def __init__(self, app: Celery, answers: Answers, patience_seconds: float) -> None:
        """After `patience_seconds` without an answer a question is asked once more."""
        self._app = app
        self._answers = answers
        self._patience = patience_seconds
        self._waiting = 0

    async def ask(self, codec: Codec, bot: str, view: View, seed: bytes) -> Decided:
        """What the bot, or where it fails a simpler one, chooses. Raises ApiError."""
        shown = b64encode(codec.view_to(view).SerializeToString()).decode()
        game, question_id = codec.game, secrets.token_hex(16)
        with self._place():
            for attempt in range(1, TRIES + 1):
                question = Question(question_id, game.id, game.ruleset.hash, bot, seed.hex(), shown, attempt)
                await asyncio.to_thread(self._send, question)
                answer = await self._answers.wait(question_id, self._patience)
                if answer is not None:
                    return Decided(**json.loads(answer))
        raise errors.ApiError(
            grpc.StatusCode.DEADLINE_EXCEEDED,
            "BOTS_LATE",
            "no worker answered in time: there is none, or too much to do",
        )

    @contextmanager
    def _place(self) -> Iterator[None]:
        if self._waiting >= MOST_AT_ONCE:
            raise errors.unavailable("BUSY", "too many moves are being chosen: try again in a moment", BUSY_SECONDS)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def _send(self, question: Question) -> None:
        """Hand a question to Celery; a worker that comes to it when nobody waits any more drops it."""
        try:
            self._app.send_task(
                CHOOSE_MOVE, kwargs=asdict(question), queue=CHOICES, expires=self._patience * TRIES, retry=False
            )
        except OperationalError:
            raise errors.unavailable(
                "BOTS_UNAVAILABLE", "the workers can't be reached: try again in a moment", AWAY_SECONDS
            ) from None


def answer_to(question: Question) -> bytes | None:
    """What a worker answers; None where the position is of a ruleset that is not in use here: another may have it."""
    codec = registry.codec(question.game_id)
    if codec.game.ruleset.hash != question.ruleset_hash:
        log.error(
            "position of another ruleset: start this worker with the --ruleset of the bots server",
            ruleset=question.ruleset_hash[:12],
            here=codec.game.ruleset.hash[:12],
        )
        return None
    view = codec.view_from(games_pb2.GameView.FromString(b64decode(question.view)))

    def generator(bot: str) -> Random:
        return Random(hashlib.sha256(bytes.fromhex(question.seed) + bot.encode()).digest())

    decided = decide(
        question.bot, view, question.game_id, generator, attempt=question.attempt, question=question.id[:8]
    )
    return json.dumps(asdict(decided)).encode()

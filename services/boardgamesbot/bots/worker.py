"""The worker as a process: `bgb worker`. Celery's processes in it play bots' turns, call time, and choose moves."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import worker_process_init, worker_process_shutdown

from boardgamesbot.bots.app import CHOICES, CHOOSE_MOVE, PLAY_TURN, RUN_OUT, TURNS, make_app
from boardgamesbot.bots.choosing import Question, answer_to
from boardgamesbot.bots.timekeeper import Timekeeper
from boardgamesbot.bots.turn import Turn, TurnPlayer
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.keys import token_key
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.store.answers import Answers
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import die_with_parent

log = logs.logger(__name__)

TOKEN_SECONDS = 600.0
"""A bot's token is made for one turn; so long, because the clocks of two hosts may differ."""


def worker_app(settings: Settings) -> Celery:
    """The Celery application with its tasks, for a worker.

    Everything that talks over the network is made in the child process: a gRPC channel does not survive a fork.
    """
    app = make_app(settings)
    made: list[_Tools] = []

    @worker_process_init.connect(weak=False)
    def start(**_: Any) -> None:
        die_with_parent()
        logs.configure(settings, "worker")

    def tools() -> _Tools:
        """Made at the first task, so that a process that began while the store was away gets ready later."""
        if not made:
            made.append(_Tools(settings))
        return made[0]

    @worker_process_shutdown.connect(weak=False)
    def stop(**_: Any) -> None:
        for one in made:
            one.close()

    @app.task(name=PLAY_TURN)
    def play_turn(table_id: str, version: int, seat: int, bot: str, player_id: str, attempt: int) -> None:
        turn = Turn(table_id, version, seat, bot, player_id, attempt)
        outcome = tools().player.play(turn)
        log.debug("turn", outcome=str(outcome), table=table_id, version=version, seat=seat)

    @app.task(name=RUN_OUT)
    def run_out(table_id: str, version: int) -> None:
        acted = tools().timekeeper.run_out(table_id, version)
        log.debug("time is up", acted=acted, table=table_id, version=version)

    @app.task(name=CHOOSE_MOVE)
    def choose_move(**asked: Any) -> None:
        question = Question(**asked)
        answer = answer_to(question)
        if answer is not None:
            tools().give(question.id, answer)

    return app


class _Tools:
    """What a process of the worker works with."""

    def __init__(self, settings: Settings) -> None:
        key = asyncio.run(_token_key(settings))
        self._runner = asyncio.Runner()
        self._redis = connect(settings.redis_url)
        self._answers = Answers(self._redis)
        self._client = SyncClient(settings.rules_address)
        tokens = Tokens(key, TOKEN_SECONDS)
        self.player = TurnPlayer(self._client, tokens, key)
        self.timekeeper = Timekeeper(self._client, tokens)

    def give(self, question_id: str, answer: bytes) -> None:
        """Leave an answer for the server that asked."""
        self._runner.run(self._answers.give(question_id, answer))

    def close(self) -> None:
        """Hang up."""
        self._client.close()
        self._runner.run(self._redis.aclose())
        self._runner.close()


async def _token_key(settings: Settings) -> bytes:
    redis = connect(settings.redis_url)
    try:
        return await token_key(settings, redis)
    finally:
        await redis.aclose()


def run(settings: Settings) -> int:
    """Work until SIGTERM, then finish what is being thought about; gives the exit status."""
    # Celery warns root for the sake of pickled tasks; ours are JSON and nothing else is accepted.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    worker = worker_app(settings).Worker(
        pool_cls="prefork",
        concurrency=settings.worker_processes,
        queues=[TURNS, CHOICES],
        without_gossip=True,
        without_mingle=True,
        loglevel=settings.log_level.upper(),
        quiet=True,
    )
    log.info("ready", processes=settings.worker_processes)
    worker.start()
    return int(worker.exitcode or 0)

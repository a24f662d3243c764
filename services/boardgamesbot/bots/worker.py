"""The worker as a process: `bgb worker`. Celery's processes in it play bots' turns, call time, and choose moves."""

from __future__ import annotations

import asyncio
import os
import socket
import warnings
from collections.abc import Coroutine
from time import monotonic
from typing import Any, TypeVar

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import worker_process_init, worker_process_shutdown

from boardgamesbot.bots.app import CHOOSE_MOVE, PLAY_TURN, RUN_OUT, make_app
from boardgamesbot.bots.choosing import Answerer, Question
from boardgamesbot.bots.deciding import Decider
from boardgamesbot.bots.pace import Pace
from boardgamesbot.bots.queues import served_by
from boardgamesbot.bots.thinker import NurseryGone, Thinkers
from boardgamesbot.bots.timekeeper import Timekeeper
from boardgamesbot.bots.turn import Turn, TurnPlayer
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.keys import token_key
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.answers import Answers
from boardgamesbot.store.client import connect
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.store.crashes import Crash, Crashes
from boardgamesbot.store.embedded import die_with_parent

log = logs.logger(__name__)

T = TypeVar("T")

LOOK_SECONDS = 5.0
"""So often a process looks whether any bot has failed anywhere; as long as none has, nobody asks about positions."""
TOKEN_SECONDS = 600.0
"""A bot's token is made for one turn; so long, because the clocks of two hosts may differ."""


def worker_app(settings: Settings) -> Celery:
    """The Celery application with its tasks, for a worker.

    Everything that talks over the network is made in the child process: a gRPC channel does not survive a fork.
    """
    app = make_app(settings)
    thinkers: list[Thinkers] = []
    made: list[_Tools] = []

    @worker_process_init.connect(weak=False)
    def start(**_: Any) -> None:
        die_with_parent()
        logs.configure(settings, "worker")
        thinkers.append(Thinkers(settings.bot_memory_mb, settings.bot_notes))

    def tools() -> _Tools:
        """Made at the first task, so that a process that began while the store was away gets ready later."""
        if not made:
            made.append(_Tools(settings, thinkers[0]))
        return made[0].ready()

    @worker_process_shutdown.connect(weak=False)
    def stop(**_: Any) -> None:
        for tool in made:
            tool.close()
        for thinker in thinkers:
            thinker.close()

    @app.task(name=PLAY_TURN)
    def play_turn(**about: Any) -> None:
        turn = Turn(**about)
        outcome = _or_die(tools().player.play, turn)
        log.debug("turn", outcome=str(outcome), table=turn.table_id, version=turn.version, seat=turn.seat)

    @app.task(name=RUN_OUT)
    def run_out(table_id: str, version: int) -> None:
        acted = tools().timekeeper.run_out(table_id, version)
        log.debug("time is up", acted=acted, table=table_id, version=version)

    @app.task(name=CHOOSE_MOVE)
    def choose_move(**asked: Any) -> None:
        _or_die(tools().answer, Question(**asked))

    return app


def _or_die(work: Any, about: object) -> Any:
    """Do it; a process that can't have bots think any more makes room for another, which is given the task again."""
    try:
        return work(about)
    except NurseryGone:
        log.exception("no bot can think in this process any more: it ends")
        os._exit(1)


class _Tools:
    """What a process of the worker works with."""

    def __init__(self, settings: Settings, thinkers: Thinkers) -> None:
        key = asyncio.run(_token_key(settings))
        self._runner = asyncio.Runner()
        self._redis = connect(settings.redis_url)
        self._answers = Answers(self._redis)
        self._clock = StoreClock(self._redis)
        self._crashes = Crashes(self._redis, settings.crash_days * 86_400, settings.crashes_kept)
        self._has_crashes = False
        self._look_again = 0.0
        self._client = SyncClient(settings.rules_address)
        tokens = Tokens(key, TOKEN_SECONDS)
        decider, pace = Decider(thinkers, self), Pace.of_turns(settings)
        self.player = TurnPlayer(self._client, tokens, key, decider, pace, self._clock.now_ms)
        self.timekeeper = Timekeeper(self._client, tokens)
        self._answerer = Answerer(decider, pace, self._clock.now_ms)

    def ready(self) -> _Tools:
        """These tools, once they know what time it is."""
        if not self._clock.is_good:
            self._run(self._clock.ask())
        return self

    def answer(self, question: Question) -> None:
        """Answer a question as long as somebody waits for it."""
        self._answerer.answer(
            question,
            lambda answer: self._run(self._answers.give(question.id, answer)),
            lambda: self._run(self._answers.is_asked(question.id)),
        )

    def times(self, crash_id: str) -> int:
        """How often a bot has failed at a position, as far as can be told now."""
        try:
            if monotonic() >= self._look_again:
                self._look_again = monotonic() + LOOK_SECONDS
                self._has_crashes = self._run(self._crashes.any())
            return self._run(self._crashes.times(crash_id)) if self._has_crashes else 0
        except UNAVAILABLE:
            return 0

    def note(self, crash: Crash) -> None:
        """Keep that a bot has failed, if that can be done now."""
        self._has_crashes = True
        try:
            self._run(self._crashes.note(crash))
        except UNAVAILABLE as error:
            log.warning("store unavailable: a crash is not kept", error=type(error).__name__)

    def close(self) -> None:
        """Hang up."""
        self._client.close()
        self._run(self._redis.aclose())
        self._runner.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)


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
        hostname=f"{settings.worker_queues}@{socket.gethostname()}",
        concurrency=settings.worker_processes,
        queues=served_by(settings.worker_queues),
        without_gossip=True,
        without_mingle=True,
        loglevel=settings.log_level.upper(),
        quiet=True,
    )
    log.info("ready", processes=settings.worker_processes, queues=settings.worker_queues)
    worker.start()
    return int(worker.exitcode or 0)

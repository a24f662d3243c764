"""The worker as a process: `bgb worker`. Celery's processes in it play bots' turns, call time, and choose moves."""

from __future__ import annotations

import asyncio
import os
import socket
import warnings
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import setup_logging, worker_process_init, worker_process_shutdown, worker_ready
from celery.utils.log import get_multiprocessing_logger

from boardgamesbot.bots import bodies
from boardgamesbot.bots.app import CHOOSE_MOVE, PLAY_TURN, RUN_OUT, make_app
from boardgamesbot.bots.choosing import Answerer, Question
from boardgamesbot.bots.deciding import Decider
from boardgamesbot.bots.pace import Pace
from boardgamesbot.bots.queues import CARRIED, SENT_MS, served_by
from boardgamesbot.bots.saying import quiet_worker
from boardgamesbot.bots.thinker import NurseryGone, Thinkers
from boardgamesbot.bots.timekeeper import Timekeeper
from boardgamesbot.bots.turn import Turn, TurnPlayer
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.games.base import Malformed
from boardgamesbot.runtime import logs, metrics, traces
from boardgamesbot.runtime.beside import BEAT_SECONDS, Beside
from boardgamesbot.runtime.keyring import Keyring, SigningKey
from boardgamesbot.runtime.keys import FreshKeys, signing_keys
from boardgamesbot.runtime.server import end_quickly
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tls import client_tls
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.runtime.traces import Span
from boardgamesbot.runtime.watching_redis import watch
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.answers import Answers
from boardgamesbot.store.client import connect
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.store.crashes import Crash, Crashes
from boardgamesbot.store.embedded import die_with_parent
from boardgamesbot.store.secrets import shared_id_secret

log = logs.logger(__name__)

T = TypeVar("T")
B = TypeVar("B", Turn, Question)

LOOK_SECONDS = 5.0
"""So often a process looks whether any bot has failed anywhere; as long as none has, nobody asks about positions."""
TOKEN_SECONDS = 600.0
"""How long a bot's token is good; it is used for half of that, since the clocks of two hosts may differ."""


def worker_app(settings: Settings) -> Celery:
    """The Celery application with its tasks, for a worker.

    Everything that talks over the network is made in the child process: a gRPC channel does not survive a fork.
    """
    app = make_app(settings)
    setup_logging.connect(_log_as_we_do, weak=False)
    thinkers: list[Thinkers] = []
    made: list[_Tools] = []

    @worker_process_init.connect(weak=False)
    def start(**_: Any) -> None:
        die_with_parent()
        logs.configure(settings, "worker")
        thinkers.append(Thinkers(settings.bot_memory_mb, settings.bot_notes))
        traces.configure(settings, "worker")
        metrics.WORKER_STARTS.add()

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
        traces.finish()
        end_quickly()

    @contextmanager
    def begun(task: Any, name: str, **about: str | int) -> Iterator[tuple[_Tools, Span]]:
        """What a task works with; what it logs, and where it takes time, is told with what it is about."""
        logs.about_nothing()
        logs.bind(task=task.request.id, **about)
        with traces.span(name, kind="consumer", carried=task.request.get(CARRIED) or "", **about) as span:
            has = tools()
            if sent_ms := task.request.get(SENT_MS):
                metrics.TASK_WAIT_SECONDS.observe(max(0.0, has.now_ms() - float(sent_ms)) / 1000, name)
            yield has, span

    @app.task(name=PLAY_TURN, bind=True)
    def play_turn(task: Any, /, **about: Any) -> None:
        turn = _read(Turn, about)
        if turn is None:
            return
        with begun(task, "turn", table=turn.table_id, version=turn.version, bot=turn.bot) as (has, span):
            outcome = _or_die(has.player.play, turn)
            span.set(outcome=str(outcome))
            metrics.TURNS.add(str(outcome))
            log.debug("turn", outcome=str(outcome), seat=turn.seat)

    @app.task(name=RUN_OUT, bind=True)
    def run_out(task: Any, /, table_id: str, version: int) -> None:
        with begun(task, "clock", table=table_id, version=version) as (has, _):
            acted = has.timekeeper.run_out(table_id, version)
            metrics.RUN_OUTS.add("yes" if acted else "no")
            log.debug("time is up", acted=acted)

    @app.task(name=CHOOSE_MOVE, bind=True)
    def choose_move(task: Any, /, **asked: Any) -> None:
        question = _read(Question, asked)
        if question is None:
            return
        with begun(task, "choice", game=question.game_id, bot=question.bot) as (has, _):
            _or_die(has.answer, question)

    return app


def _read(kind: type[B], about: dict[str, Any]) -> B | None:
    """What a task is about; None where its body makes no sense: it is dropped, another try would not mend it."""
    try:
        read = bodies.read(kind, about)
        if isinstance(read, Question):
            read.check()
        return read
    except Malformed as error:
        log.error("task makes no sense: it is dropped", task=kind.__name__, field=error.field, error=error.reason)
        return None


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
        keys, secret = asyncio.run(_secrets(settings))
        self._runner = asyncio.Runner()
        self._redis = watch(connect(settings.redis_url))
        self._answers = Answers(self._redis)
        self._clock = StoreClock(self._redis)
        self._crashes = Crashes(self._redis, settings.crash_days * 86_400, settings.crashes_kept)
        self._has_crashes = False
        self._look_again = 0.0
        self.now_ms = self._clock.now_ms
        self._client = SyncClient(settings.rules_address, tls=client_tls(settings), metadata=traces.metadata)
        self._keys = FreshKeys(settings, self._redis, Keyring(keys))
        tokens = Tokens(self._keys.ring, TOKEN_SECONDS)
        decider, pace = Decider(thinkers, self), Pace.of_turns(settings)
        self.player = TurnPlayer(self._client, tokens, secret, decider, pace, self._clock.now_ms)
        self.timekeeper = Timekeeper(self._client, tokens)
        self._answerer = Answerer(decider, pace, self._clock.now_ms)

    def ready(self) -> _Tools:
        """These tools, once they know what time it is and which keys sign."""
        if not self._clock.is_good:
            self._run(self._clock.ask())
        if self._keys.is_due:
            self._run(self._keys.refresh())
        return self

    def answer(self, question: Question) -> None:
        """Answer a question as long as somebody waits for it."""
        self._answerer.answer(
            question,
            lambda answer: self._run(self._answers.give(question.id, answer)),
            lambda: self._run(self._answers.at_work(question.id, question.attempt)),
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


async def _secrets(settings: Settings) -> tuple[list[SigningKey], bytes]:
    redis = connect(settings.redis_url)
    try:
        return await signing_keys(settings, redis), await shared_id_secret(redis)
    finally:
        await redis.aclose()


def run(settings: Settings) -> int:
    """Work until SIGTERM, then finish what is being thought about; gives the exit status."""
    # Celery warns root for the sake of pickled tasks; ours are JSON and nothing else is accepted.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    if settings.metrics_listen:
        _tell(Beside(settings.metrics_listen))
    worker = quiet_worker(
        worker_app(settings),
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
    end_quickly()
    return int(worker.exitcode or 0)


def _log_as_we_do(**_: Any) -> None:
    """Leave logs to `runtime.logs`: what Celery's pool says of processes that died comes in the same format."""
    pool = get_multiprocessing_logger()
    if pool is not None:
        pool.propagate = True


def _tell(beside: Beside) -> None:
    """Have the process beside know that the worker takes up tasks, and as long as its loop goes round."""

    @worker_ready.connect(weak=False)
    def ready(sender: Any, **_: Any) -> None:
        beside.beat()
        beside.ready()
        sender.timer.call_repeatedly(BEAT_SECONDS, beside.beat)

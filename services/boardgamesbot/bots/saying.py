"""What Celery and its transport say of their own accord when a worker stops: in the log, or not at all."""

from __future__ import annotations

import io
from typing import Any

from celery import Celery
from celery.apps.worker import Worker, install_worker_term_handler  # type: ignore[attr-defined]  # not in its stubs
from kombu.transport import redis

from boardgamesbot.runtime import logs

log = logs.logger(__name__)


class LoggingQoS(redis.QoS):
    """Gives back the tasks that a worker has taken and not begun, and writes what it says of them into the log."""

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Give them back, once. Kombu prints that it does, and dumps what it can't give back."""
        said = io.StringIO()
        super().restore_unacked_once(stderr=said)
        if words := " ".join(said.getvalue().split()):
            log.info("tasks given back", said=words)


def quiet_worker(app: Celery, **how: Any) -> Worker:
    """A worker of the application that does not print that it was told to stop: who told it knows."""
    redis.Channel.QoS = LoggingQoS
    usual: type[Worker] = app.Worker

    class Quiet(usual):  # type: ignore[misc, valid-type]  # made by the application
        def install_platform_tweaks(self, worker: Worker) -> None:
            super().install_platform_tweaks(worker)
            install_worker_term_handler(worker, verbose=False)

    made: Worker = Quiet(**how)
    return made

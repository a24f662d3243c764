"""The Celery application: its settings, and the names of its tasks."""

from __future__ import annotations

from typing import Any

from celery import Celery
from kombu import pools

from boardgamesbot.bots.broker import broker
from boardgamesbot.bots.queues import QUICK, TURNS
from boardgamesbot.runtime.settings import Settings

PLAY_TURN = "boardgamesbot.play_turn"
RUN_OUT = "boardgamesbot.run_out"
CHOOSE_MOVE = "boardgamesbot.choose_move"

KILL_SECONDS = 10.0
"""A bot is stopped by the process beside it; that process itself so long after anything it does must have ended."""

MOST_MEMORY_KB = 400_000
"""A worker's process that has taken so much is replaced. It does not think: a few hundred MB would be a leak."""

BROKER_CONNECTIONS = 4
"""A process opens so many to the broker at most."""


def make_app(settings: Settings) -> Celery:
    """The application for a broker.

    Nothing rests on the broker alone: a task that is lost is sent again by the watchdog, one that comes twice
    or late does no harm. Celery keeps no results: a turn's is the move, a choice goes to whoever asked for it.
    """
    longest = max(settings.bot_turn_seconds, settings.choice_seconds) + KILL_SECONDS
    url, transport = broker(settings.celery_broker_url)
    app = Celery("boardgamesbot", broker=url)
    config: dict[str, Any] = {
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_ignore_result": True,
        "task_default_queue": TURNS[QUICK],
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_time_limit": longest,
        "worker_prefetch_multiplier": 1,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        # Not after so many tasks: now and then one is lost that was given to a process as it ended.
        "worker_max_memory_per_child": MOST_MEMORY_KB,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_connection_timeout": 2,
        "broker_pool_limit": BROKER_CONNECTIONS,
        "broker_transport_options": {
            "queue_order_strategy": "sorted",
            "visibility_timeout": 60 + 3 * longest,
            "socket_timeout": 5,
            "socket_connect_timeout": 2,
            "socket_keepalive": True,
            "health_check_interval": 5,
            # Who sends a task, or looks what waits, tries a lost connection so soon again: Celery itself after 2 s.
            "interval_start": 0.05,
            "interval_step": 0.05,
            "interval_max": 0.5,
            **transport,
        },
    }
    app.conf.update(config)
    # Celery itself does so with its first task. A second thread with one may be using the connections by then, and
    # kombu makes no pool smaller that is in use.
    pools.set_limit(BROKER_CONNECTIONS)
    return app

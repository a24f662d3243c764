"""The queues between those who hand out work and the workers: what goes into which, and how long it has been there.

There are two kinds, so that long thought never delays a quick answer: `quick` for bots that answer at once and for
clocks, `deep` for bots that search. Each kind has a queue for turns that are given out again, one for turns at tables
and one for choices that somebody asked for. Workers look into their queues in the order of the alphabet: no turn that
was lost once waits behind those that have time, and no table for somebody's choices.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from celery import Celery
from kombu.exceptions import OperationalError

from boardgamesbot.players.registry import BOTS

QUICK, DEEP = "quick", "deep"

AGAIN = {QUICK: "bots-1-quick-again", DEEP: "bots-3-deep-again"}
TURNS = {QUICK: "bots-1-quick-turns", DEEP: "bots-3-deep-turns"}
CHOICES = {QUICK: "bots-2-quick-choices", DEEP: "bots-4-deep-choices"}
CLOCKS = TURNS[QUICK]
_KINDS_OF_WORK = (AGAIN, TURNS, CHOICES)
ALL = tuple(sorted(queue for queues in _KINDS_OF_WORK for queue in queues.values()))

JUST_TAKEN_MS = 500
"""A turn that came up so little before the oldest that waits has only just been taken, and is being played."""

SENT_MS = "sent_ms"
"""The header of a task that says when its work came up, in ms by the store's clock."""
CARRIED = "bgb_trace"
"""The header of a task that says which trace it belongs to."""


@dataclass(frozen=True)
class Backlog:
    """What waits in one queue at a moment."""

    queue: str
    waiting: int
    """How many tasks no worker has begun with."""
    oldest_ms: float | None
    """When the work of the oldest of them came up, in ms by the store's clock; None if none waits."""

    def age(self, now_ms: float) -> float:
        """For how many seconds the oldest has waited, by the store's clock; 0 if none waits."""
        return 0.0 if self.oldest_ms is None else max(0.0, now_ms - self.oldest_ms) / 1000


def kind_of(bot_id: str) -> str:
    """Whether a bot's decisions are quick or deep."""
    bot = BOTS.get(bot_id)
    return DEEP if bot is not None and bot.seconds > 0 else QUICK


def served_by(worker_queues: str) -> list[str]:
    """The queues that a worker with this setting (quick, deep or all) looks into."""
    kinds = (QUICK, DEEP) if worker_queues == "all" else (worker_queues,)
    return sorted(queues[kind] for kind in kinds for queues in _KINDS_OF_WORK)


def headers(since_ms: float, trace: str = "") -> dict[str, str]:
    """What a task carries, so that the age of the oldest one can be told, and what it is a consequence of."""
    return {SENT_MS: f"{since_ms:.0f}", **({CARRIED: trace} if trace else {})}


def backlogs(app: Celery, names: Sequence[str] = ALL) -> list[Backlog]:
    """What waits in the queues. Raises OperationalError where the broker is away.

    It looks at the broker as Celery's Redis transport keeps it, whether alone or behind Sentinel: a list for each
    queue, whose last entry is the next to be taken.
    """
    with app.connection_for_read() as connection:
        try:
            channel: Any = connection.default_channel  # of the Redis transport
            pipe = channel.client.pipeline(transaction=False)
            for name in names:
                pipe.llen(name)
                pipe.lindex(name, -1)
            replies = iter(pipe.execute())
        except connection.connection_errors as error:
            raise OperationalError(str(error)) from error
        return [Backlog(name, next(replies), _sent_ms(next(replies))) for name in names]


def waiting_since(found: Iterable[Backlog]) -> dict[str, float]:
    """For each bot whose turns wait for a worker, since when one that came up may be waiting still, or has only just
    been taken, in ms by the store's clock."""
    oldest = {backlog.queue: backlog.oldest_ms for backlog in found}
    since: dict[str, float] = {}
    for bot in BOTS:
        waiting = [oldest.get(queues[kind_of(bot)]) for queues in (AGAIN, TURNS)]
        if times := [ms for ms in waiting if ms is not None]:
            since[bot] = min(times) - JUST_TAKEN_MS
    return since


def _sent_ms(oldest: bytes | None) -> float | None:
    """When the work of a task came up."""
    if oldest is None:
        return None
    task: dict[str, Any] = json.loads(oldest)
    return float(task.get("headers", {}).get(SENT_MS, 0))

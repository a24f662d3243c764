"""What a program's calls to Redis, and its connections, come to, as metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boardgamesbot.runtime import metrics
from boardgamesbot.store.client import MAX_CONNECTIONS
from boardgamesbot.store.observed import observe

if TYPE_CHECKING:
    from redis.asyncio import Redis


def watch(redis: Redis) -> Redis:
    """The client itself, watched if metrics are kept."""
    if metrics.are_kept():
        observe(redis, _told)
        metrics.before_each_look(lambda: _count_connections(redis))
    return redis


def _told(name: str, seconds: float, error: Exception | None) -> None:
    if error is None:
        metrics.STORE_SECONDS.observe(seconds, name)
    else:
        metrics.STORE_ERRORS.add(name, type(error).__name__)


def _count_connections(redis: Redis) -> None:
    pool: Any = getattr(redis, "connection_pool", None)  # a Cluster's client has one a node
    if pool is not None:
        metrics.STORE_CONNECTIONS.set(len(pool._in_use_connections), "busy")
        metrics.STORE_CONNECTIONS.set(len(pool._available_connections), "idle")
        metrics.STORE_CONNECTIONS_MAX.set(MAX_CONNECTIONS)

"""Fixtures: what the rater reads and writes, on the session's Redis."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from boardgamesbot.store.ratings import RatingStore
from boardgamesbot.store.tables import TableStore


@pytest.fixture
def store(redis: Redis) -> TableStore:
    return TableStore(redis)


@pytest.fixture
def ratings(redis: Redis) -> RatingStore:
    return RatingStore(redis, kept_days=365, games_needed=1)

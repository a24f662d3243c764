"""Fixtures: servers of this process on the session's Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from tests.support.bots import TOKEN_KEY
from tests.support.platform import matchmaking_server, rules_server


@pytest.fixture
async def rules(redis: Redis, redis_url: str) -> AsyncIterator[str]:
    """The address of a rules server, its Redis empty."""
    async with rules_server(redis_url, token_key=TOKEN_KEY) as address:
        yield address


@pytest.fixture
async def replica(rules: str, redis_url: str) -> AsyncIterator[str]:
    """The address of a second rules server on the same Redis."""
    async with rules_server(redis_url, token_key=TOKEN_KEY) as address:
        yield address


@pytest.fixture
async def matchmaking(rules: str, redis_url: str) -> AsyncIterator[str]:
    """The address of a matchmaking server beside the rules server."""
    async with matchmaking_server(redis_url, rules, token_key=TOKEN_KEY) as address:
        yield address

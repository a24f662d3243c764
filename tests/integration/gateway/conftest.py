"""Fixtures: a gateway of this process, before a real rules server or before one that does as it is told."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.integration.gateway.servant import Servant, servant
from tests.support.bots import TOKEN_KEY
from tests.support.platform import gateway_server, rules_server

NOWHERE = "127.0.0.1:1"


def client_of(address: str) -> httpx.AsyncClient:
    """A client that asks nobody but the gateway."""
    return httpx.AsyncClient(base_url=address, trust_env=False, timeout=20)


@pytest.fixture
async def rules(redis: object, redis_url: str) -> AsyncIterator[str]:
    """The address of a rules server, its Redis empty."""
    async with rules_server(redis_url, token_key=TOKEN_KEY) as address:
        yield address


@pytest.fixture
async def http(rules: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway before a rules server; the other servers are away."""
    async with (
        gateway_server(rules_address=rules, bots_address=NOWHERE, matchmaking_address=NOWHERE) as address,
        client_of(address) as client,
    ):
        yield client


@pytest.fixture
async def alone() -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway whose servers are all away: for what needs none."""
    away = dict.fromkeys(("rules_address", "bots_address", "matchmaking_address"), NOWHERE)
    async with gateway_server(**away) as address, client_of(address) as client:
        yield client


@pytest.fixture
async def told() -> AsyncIterator[Servant]:
    """A server that does as it is told, in the place of all three."""
    async with servant() as made:
        yield made


@pytest.fixture
async def before(told: Servant) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway before it."""
    async with gateway_server(**told.addresses) as address, client_of(address) as client:
        yield client

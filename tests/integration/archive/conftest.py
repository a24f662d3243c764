"""Fixtures: an archive in a folder, and a rules server that reads it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from boardgamesbot.rules import archivist
from tests.support.platform import rules_server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
async def reading(redis: Redis, redis_url: str, folder: Path) -> AsyncIterator[str]:
    """The address of a rules server that knows the archive."""
    async with rules_server(redis_url, archive=str(folder)) as address:
        yield address


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Archivists that take up at once what another left."""
    monkeypatch.setattr(archivist, "RECLAIM_MS", 50)
    monkeypatch.setattr(archivist, "WATCH_SECONDS", 0.05)
    monkeypatch.setattr(archivist, "RETRY_SECONDS", 0.05)

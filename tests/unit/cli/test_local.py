"""What `bgb serve` leaves for the other commands of the same user, and for nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgamesbot.cli import options
from boardgamesbot.cli.local import keep_redis_url, kept_redis_url
from boardgamesbot.store.embedded import password_of


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BGB_DATA", str(tmp_path))
    for name in ("BGB_REDIS_URL", "BGB_REDIS_URL_FILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_commands_find_the_redis_of_serve_with_its_password(data: Path) -> None:
    assert kept_redis_url() is None
    assert options.settings().redis_url == "redis://127.0.0.1:7409/0"
    url = keep_redis_url(data / "redis", 7_777)
    assert url == f"redis://:{password_of(data / 'redis')}@127.0.0.1:7777/0"
    assert options.settings().redis_url == url
    assert keep_redis_url(data / "redis", 7_777) == url, "a restart changes no password"


def test_an_address_that_is_given_wins(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_redis_url(data / "redis", 7_777)
    assert options.settings(redis_url="redis://a:1/0").redis_url == "redis://a:1/0"
    monkeypatch.setenv("BGB_REDIS_URL", "redis://b:2/0")
    assert options.settings().redis_url == "redis://b:2/0"


def test_nobody_else_can_read_what_is_kept(data: Path) -> None:
    keep_redis_url(data / "redis", 7_777)
    kept = list((data / "redis").iterdir())
    assert {file.name for file in kept} == {"access.conf", "url"}
    for path in (data / "redis", *kept):
        assert path.stat().st_mode & 0o077 == 0

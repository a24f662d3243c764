"""What the command line says where nothing answers."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main


@pytest.mark.parametrize("command", ["tables", "queues", "crashes", "audit"])
def test_a_redis_that_is_away_is_named_with_what_to_do_and_without_its_password(command: str) -> None:
    url = "redis://:hunter2@127.0.0.1:1/0"

    done = CliRunner().invoke(main, [command, "--redis-url", url], env={"BGB_CELERY_BROKER_URL": ""})

    assert done.exit_code == 1
    assert "127.0.0.1:1/0" in done.output
    assert "--redis-url" in done.output
    assert "hunter2" not in done.output
    assert "Errno" not in done.output

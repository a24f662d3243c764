"""Celery's transport says what it does in the log, not on the terminal."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from boardgamesbot.bots.saying import LoggingQoS


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> LoggingQoS:
    """What a worker has taken: one task, which it has not begun."""
    qos = LoggingQoS(Mock(do_restore=True))
    assert qos._delivered is not None
    qos._delivered["tag"] = Mock()
    monkeypatch.setattr(LoggingQoS, "restore_unacked", _restored)
    return qos


def _restored(self: Any) -> list[Any]:
    self._delivered.clear()
    return []


def test_a_task_that_was_not_begun_is_given_back_and_only_the_log_says_so(
    held: LoggingQoS, capsys: pytest.CaptureFixture[str]
) -> None:
    with capture_logs() as lines:
        held.restore_unacked_once()
        held.restore_unacked_once()
    assert [(line["event"], line["log_level"]) for line in lines] == [("tasks given back", "info")]
    assert "1 unacknowledged" in lines[0]["said"]
    assert not held._delivered
    assert capsys.readouterr() == ("", "")

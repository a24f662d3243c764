"""What is logged by mistake holds no secret, and is one line whoever has written it."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator

import pytest
import structlog

from boardgamesbot.runtime import logs
from boardgamesbot.runtime.redaction import without_secrets
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tokens import Tokens, new_guest

KEY = "a key of the tests, long enough to sign"
TOKEN = Tokens(KEY.encode(), 60).issue(new_guest("Ada"))


@pytest.fixture(params=["console", "json"])
def written(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What a process writes that is configured like ours."""
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    root, hook = logging.getLogger(), sys.excepthook
    handlers, level = root.handlers, root.level
    logs.configure(Settings(log_level="debug", log_format=request.param), "test")
    yield file
    logging.captureWarnings(False)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()
    root.handlers, sys.excepthook = handlers, hook
    root.setLevel(level)


def test_no_secret_is_written_whatever_it_is_called(written: io.StringIO) -> None:
    log = logs.logger("boardgamesbot.test")
    log.info("signed in", token=TOKEN, authorization=f"Bearer {TOKEN}", table="00abc")
    log.info("by another name", header=f"Bearer {TOKEN}", metadata=[("authorization", f"Bearer {TOKEN}")])
    log.info("settings", given={"token_key": KEY, "password": "hunter22"}, seed="5eed5eed", raw=b"5eed5eed")
    log.info("redis://ada:hunter22@db.example/0 does not answer")
    logging.getLogger("somebody.elses").warning("calls with %s", {"authorization": f"Bearer {TOKEN}"})
    try:
        raise ValueError(f"can't use token_key='{KEY.replace(' ', '')}' with {TOKEN}")
    except ValueError:
        log.exception("failed")
    text = written.getvalue()
    assert text.count("\n") >= 6
    assert "00abc" in text
    assert "ValueError" in text
    for secret in (TOKEN, TOKEN.split(".")[1], KEY, KEY.replace(" ", ""), "hunter22", "5eed5eed"):
        assert secret not in text, secret


def test_a_name_can_forge_no_line_and_command_no_terminal(written: io.StringIO) -> None:
    log = logs.logger("boardgamesbot.test")
    log.info("seated", name="Ada\n2026-01-01 [info] all is well\r\x1b[2J\x9b31m\u2028")
    (line,) = written.getvalue().splitlines()
    for character in "\x1b\x9b\r\u2028":
        assert character not in line
    if line.startswith("{"):
        assert json.loads(line)["name"].startswith("Ada\\n2026")


@pytest.mark.parametrize(
    "harmless",
    [
        "the table 00abcdefghijkl is at version 7",
        "TOKEN_EXPIRED: the token has expired: sign in again",
        "redis://127.0.0.1:7409/0 is well",
        "seedlings grow",
    ],
)
def test_what_is_no_secret_stays(harmless: str) -> None:
    assert without_secrets(harmless) == harmless

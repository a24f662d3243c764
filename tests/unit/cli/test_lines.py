"""Lines that a person types at a terminal: a question can be called off, and no line gets lost."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Iterator

import pytest

from boardgamesbot.cli.lines import Interrupted, Lines, typed_too_early, waiting_bytes
from tests.support.platform import until

SECONDS = 10


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of a terminal that is the standard input."""
    master, slave = pty.openpty()
    with os.fdopen(slave) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        yield master
    os.close(master)


def test_a_line_is_read(keyboard: int) -> None:
    os.write(keyboard, b"3\nq\n")
    lines = Lines()
    assert [lines.read(), lines.read()] == ["3\n", "q\n"]
    os.write(keyboard, b"\x04")
    assert lines.read() == "", "the end of the input"


def test_a_question_is_called_off_and_what_was_begun_is_still_there(keyboard: int) -> None:
    lines, outcome = Lines(), []

    def ask() -> None:
        try:
            outcome.append(lines.read())
        except Interrupted:
            outcome.append("interrupted")

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    os.write(keyboard, b"1")
    lines.interrupt()
    asking.join(SECONDS)
    assert outcome == ["interrupted"]
    os.write(keyboard, b"2\n")
    assert lines.read() == "12\n"


def test_an_interruption_that_came_too_late_does_not_call_off_the_next_question(keyboard: int) -> None:
    lines = Lines()
    lines.interrupt()
    lines.begin()
    os.write(keyboard, b"4\n")
    assert lines.read() == "4\n"
    lines.begin()


def test_lines_typed_before_a_question_are_named_and_answer_nothing(keyboard: int) -> None:
    lines = Lines()
    os.write(keyboard, b"1\n\n2\n3")
    until(lambda: waiting_bytes() == len(b"1\n\n2\n"), "the terminal has the lines")
    assert typed_too_early() == ["1", "2"]
    assert typed_too_early() == []
    os.write(keyboard, b"4\n")
    assert lines.read() == "4\n"


def test_at_the_end_of_the_input_nothing_was_typed(keyboard: int) -> None:
    os.write(keyboard, b"\x04")
    assert typed_too_early() == []


def test_what_comes_from_a_pipe_is_an_answer_whenever_it_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"1\n")
    os.close(writing)
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        lines = Lines()
        lines.begin()
        assert not lines.can_interrupt
        assert typed_too_early() == []
        assert [lines.read(), lines.read()] == ["1\n", ""]

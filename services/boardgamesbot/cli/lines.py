"""Lines that a person types, which can be asked for in one thread and called off from another."""

from __future__ import annotations

import array
import fcntl
import os
import select
import sys
import termios
from contextlib import suppress


class Interrupted(Exception):
    """What was asked is not to be answered any more: something has happened."""


class Lines:
    """The standard input, line by line."""

    def __init__(self) -> None:
        self.can_interrupt = sys.stdin.isatty()
        """Whether a question can be called off: not where the input is a file or a pipe."""
        self._interrupted, self._interrupt = os.pipe() if self.can_interrupt else (-1, -1)
        if self.can_interrupt:
            os.set_blocking(self._interrupted, False)

    def read(self) -> str:
        """A line with its end; empty at the end of the input. Raises Interrupted."""
        if self.can_interrupt:
            ready, _, _ = select.select((sys.stdin, self._interrupted), (), ())
            if self._interrupted in ready:
                os.read(self._interrupted, 1)
                raise Interrupted
        return sys.stdin.readline()

    def interrupt(self) -> None:
        """Have the reading that is on, or the next one, raise Interrupted."""
        os.write(self._interrupt, b"!")

    def begin(self) -> None:
        """Forget an interruption that came too late: another question is asked."""
        if self.can_interrupt:
            with suppress(BlockingIOError):
                os.read(self._interrupted, 1)


def typed_too_early() -> list[str]:
    """At a terminal, the lines that nobody has read yet: what was typed before a question is no answer to it.

    What has been begun of another line is discarded.
    """
    if not sys.stdin.isatty():
        return []
    lines = []
    with suppress(OSError):
        while waiting_bytes():
            lines.append(sys.stdin.readline().strip())
    with suppress(termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    return [line for line in lines if line]


def waiting_bytes() -> int:
    """How many bytes of whole lines can be read at once; none at the end of the input."""
    count = array.array("i", [0])
    fcntl.ioctl(sys.stdin.fileno(), termios.FIONREAD, count)
    return count[0]

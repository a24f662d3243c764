"""What a person may type at a terminal while it is others' turn: leaving, the map, the rules."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import TypeVar

T = TypeVar("T")

TELL_SECONDS = 1.5
"""Nothing has happened for so long: then it is said who is waited for, once."""
_READ_BYTES = 4096


class Meanwhile:
    """Reads what is typed, and says who is waited for, as long as nothing happens.

    Only at a terminal: what a program sends ahead is kept for its own turn.
    """

    def __init__(self, waits: Callable[[], bool], tell: Callable[[], None], press: Callable[[str], None]) -> None:
        """`waits`: whether it is others' turn; `tell` says whose; `press` does what a word means, and may raise."""
        self._waits = waits
        self._tell = tell
        self._press = press
        self._descriptor = sys.stdin.fileno() if sys.stdin.isatty() else None

    async def during(self, things: AsyncGenerator[T, None]) -> AsyncIterator[T]:
        """All that happens, one after another. Raises what `press` raises."""
        async with aclosing(things):
            while True:
                coming = asyncio.ensure_future(anext(things, None))
                try:
                    thing = await self._wait(coming)
                finally:
                    if not coming.done():
                        coming.cancel()
                        with suppress(asyncio.CancelledError):
                            await coming
                if thing is None:
                    return
                yield thing

    async def _wait(self, coming: asyncio.Future[T | None]) -> T | None:
        if self._descriptor is None or not self._waits():
            return await coming
        typed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._listening(typed):
            done, _ = await asyncio.wait((coming, typed), timeout=TELL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                self._tell()
                await asyncio.wait((coming, typed), return_when=asyncio.FIRST_COMPLETED)
        if typed.done() and not typed.cancelled():
            typed.result()
        return await coming

    @contextmanager
    def _listening(self, typed: asyncio.Future[None]) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        assert self._descriptor is not None
        loop.add_reader(self._descriptor, self._read, typed)
        try:
            yield
        finally:
            loop.remove_reader(self._descriptor)
            if not typed.done():
                typed.cancel()

    def _read(self, typed: asyncio.Future[None]) -> None:
        assert self._descriptor is not None
        words = os.read(self._descriptor, _READ_BYTES).decode(errors="replace").split()
        try:
            for word in words or ["q"]:
                self._press(word.lower())
        except Exception as error:
            if not typed.done():
                typed.set_exception(error)


def forget_what_was_typed() -> None:
    """At a terminal, what was typed before a question is no answer to it."""
    if sys.stdin.isatty():
        with suppress(termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

"""What a person may type at a terminal while it is others' turn: leaving, the map, the rules."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")

TELL_SECONDS = 1.5
"""Nothing has happened for so long: then it is said who is waited for, once."""
LEAVE = "q"
"""The key for leaving; the end of the input means the same."""
_READ_BYTES = 4096


class Meanwhile:
    """Reads what is typed, and says who is waited for, as long as nothing happens.

    Only at a terminal: what a program sends ahead is kept for its own turn.
    """

    def __init__(
        self, waits: Callable[[], bool], tell: Callable[[], None], press: Callable[[str], Awaitable[None]]
    ) -> None:
        """`waits`: whether it is others' turn; `tell` says whose; `press` does what a line means, and may raise."""
        self._waits = waits
        self._tell = tell
        self._press = press
        self._descriptor = sys.stdin.fileno() if sys.stdin.isatty() else None
        self._coming: asyncio.Future[Any] | None = None

    async def during(self, things: AsyncGenerator[T, None]) -> AsyncIterator[T]:
        """All that happens, one after another. Raises what `press` raises."""
        async with aclosing(things):
            coming = asyncio.ensure_future(anext(things, None))
            try:
                while (thing := await self._wait(coming)) is not None:
                    self._coming = coming = asyncio.ensure_future(anext(things, None))
                    yield thing
            finally:
                coming.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await coming

    async def more(self) -> None:
        """Come back when there is something after what was given last: `during` gives it, or ends, at once."""
        if self._coming is not None:
            await asyncio.wait((self._coming,))

    async def _wait(self, coming: asyncio.Future[T | None]) -> T | None:
        if self._descriptor is None or not self._waits():
            return await coming
        typed: asyncio.Queue[str] = asyncio.Queue()
        with self._listening(typed):
            patience: float | None = TELL_SECONDS
            while not coming.done():
                line = asyncio.ensure_future(typed.get())
                try:
                    done, _ = await asyncio.wait((coming, line), timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                    if line in done:
                        await self._press(line.result())
                    elif not done:
                        self._tell()
                        patience = None
                finally:
                    line.cancel()
            while not typed.empty():
                await self._press(typed.get_nowait())
        return await coming

    @contextmanager
    def _listening(self, typed: asyncio.Queue[str]) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        assert self._descriptor is not None
        loop.add_reader(self._descriptor, self._read, typed)
        try:
            yield
        finally:
            loop.remove_reader(self._descriptor)

    def _read(self, typed: asyncio.Queue[str]) -> None:
        assert self._descriptor is not None
        read = os.read(self._descriptor, _READ_BYTES).decode(errors="replace")
        for line in read.splitlines() if read else [LEAVE]:
            typed.put_nowait(line.strip())

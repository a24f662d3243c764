"""Asking a person something while everything else goes on."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def beside(ask: Callable[[], T]) -> T:
    """The answer to a question asked in a thread that does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def give(given: T) -> None:
        if not answer.done():
            answer.set_result(given)

    def fail(error: BaseException) -> None:
        if not answer.done():
            answer.set_exception(error)

    def run() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits any more
            try:
                given = ask()
            except BaseException as error:
                loop.call_soon_threadsafe(fail, error)
            else:
                loop.call_soon_threadsafe(give, given)

    threading.Thread(target=run, daemon=True).start()
    return await answer

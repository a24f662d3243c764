"""Games played side by side, each worker a process that plays one at a time.

A worker that dies takes its game with it and nothing else: the game's moves are in memory shared with it, and another
process takes its place.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterable, Sequence
from ctypes import c_int64
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any

from boardgamesbot.games.base import Move
from boardgamesbot.tournament.play import died, play_out
from boardgamesbot.tournament.played import Played
from boardgamesbot.tournament.schedule import Plan

TICK_SECONDS = 0.2
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_LONGEST = 1 << 14
"""Moves of a game that are kept for the case that its process dies."""
_CONTEXT = multiprocessing.get_context("fork")
"""A forked worker is there at once, and has the rulesets and bots that its parent has."""


def play_all(
    plans: Iterable[Plan], workers: int, tick: Callable[[], None] = lambda: None
) -> Generator[tuple[Plan, Played]]:
    """Play all these games in so many processes, and give each as soon as it is over: in no order of its own.

    `tick` is called a few times a second meanwhile. The processes are gone when the generator is closed, or fails.
    """
    todo = iter(plans)
    crew: list[_Worker] = []
    try:
        for plan in todo:
            crew.append(_Worker(crew))
            crew[-1].begin(plan)
            if len(crew) == workers:
                break
        while busy := {worker.connection: worker for worker in crew if worker.plan is not None}:
            ready = wait(list(busy), timeout=TICK_SECONDS)
            tick()
            for worker in [busy[connection] for connection in ready]:  # type: ignore[index]
                plan, played = worker.finish()
                if not worker.is_alive:
                    crew[crew.index(worker)] = worker = _Worker([one for one in crew if one is not worker])
                if (following := next(todo, None)) is not None:
                    worker.begin(following)
                yield plan, played
    finally:
        for worker in crew:
            worker.stop()


class _Tape:
    """The moves of the game being played, in memory that outlives the process that plays it."""

    def __init__(self) -> None:
        self._cells: Any = RawArray(c_int64, _LONGEST + 1)

    def clear(self) -> None:
        self._cells[0] = 0

    def note(self, move: Move) -> None:
        length = self._cells[0]
        if length < _LONGEST:
            self._cells[length + 1] = move
            self._cells[0] = length + 1

    def read(self) -> list[Move]:
        return list(self._cells[1 : self._cells[0] + 1])


class _Worker:
    """A process that plays, seen from the one that waits."""

    def __init__(self, others: Sequence[_Worker]) -> None:
        self.plan: Plan | None = None
        self._tape = _Tape()
        self.connection, theirs = _CONTEXT.Pipe()
        inherited = [self.connection, *(other.connection for other in others)]
        self._process = _CONTEXT.Process(target=_work, args=(theirs, self._tape, inherited), daemon=True)
        # Signals wait until the process says which of them concern it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def begin(self, plan: Plan) -> None:
        """Have a game played. A process that is dead by now is noticed by `finish`."""
        self.plan = plan
        self._tape.clear()
        with contextlib.suppress(OSError):
            self.connection.send(plan)

    def finish(self) -> tuple[Plan, Played]:
        """The game that was begun, and what came of it."""
        assert self.plan is not None
        plan, self.plan = self.plan, None
        try:
            return plan, self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            self.connection.close()
            return plan, died(plan, self._tape.read(), _how(self._process.exitcode or 0))

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.connection.close()


def _work(connection: Connection, tape: _Tape, inherited: Iterable[Connection]) -> None:
    """What a worker does: plays until nobody is there who wants a game."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is at the terminal speaks to the parent
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    for other in inherited:
        other.close()
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send(play_out(connection.recv(), tape.note))


def _how(exit_code: int) -> str:
    if exit_code < 0:
        with contextlib.suppress(ValueError):
            return f"ended by {signal.Signals(-exit_code).name}"
    return f"ended with exit status {exit_code}"

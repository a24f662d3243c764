"""Values go where a program says, from forked processes too; nothing is kept before."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest

from boardgamesbot.runtime import metrics


@pytest.fixture(autouse=True)
def dropped() -> Iterator[None]:
    """Nothing is kept before a test, nor after it."""
    metrics.drop()
    yield
    metrics.drop()


def _value(kept: metrics.Kept, name: str, **labels: str) -> float | None:
    return kept.registry.get_sample_value(name, labels)


def test_nothing_is_kept_before_somebody_wants_it() -> None:
    metrics.MOVES.add("agora", "take", "person")
    kept = metrics.keep()
    assert metrics.are_kept()
    assert _value(kept, "bgb_moves_total", game="agora", kind="take", by="person") is None
    metrics.MOVES.add("agora", "take", "person")
    metrics.drop()
    metrics.MOVES.add("agora", "take", "person")
    assert _value(kept, "bgb_moves_total", game="agora", kind="take", by="person") == 1


def test_every_kind_of_metric_keeps_what_it_is_told() -> None:
    kept = metrics.keep()
    metrics.STREAMS.change("TableService/Watch", by=1)
    metrics.STREAMS.change("TableService/Watch", by=1)
    metrics.STREAMS.change("TableService/Watch", by=-1)
    metrics.OUTBOX.set(7)
    metrics.OUTBOX.set(5)
    metrics.COMMIT_SECONDS.observe(0.003)
    with pytest.raises(ValueError, match="out"), metrics.CALL_SECONDS.timed("TableService/GetView"):
        raise ValueError("out of it")
    assert _value(kept, "bgb_streams_open", method="TableService/Watch") == 1
    assert _value(kept, "bgb_outbox_entries") == 5
    assert _value(kept, "bgb_commit_seconds_bucket", le="0.005") == 1
    assert _value(kept, "bgb_commit_seconds_bucket", le="0.002") == 0
    assert _value(kept, "bgb_call_seconds_count", method="TableService/GetView") == 1, (
        "a call that fails takes time too"
    )


def test_values_of_forked_processes_come_together() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    metrics.relay_to(ours)
    for _ in range(3):
        if os.fork() == 0:
            metrics.DECISIONS.add("greedy", "greedy")
            metrics.DECISION_SECONDS.observe(0.25, "greedy")
            os._exit(0)
        os.wait()
    ours.close()
    kept = metrics.keep()
    while datagram := theirs.recv(metrics.DATAGRAM_BYTES):
        metrics.received(datagram, kept)
    theirs.close()
    assert _value(kept, "bgb_bot_decisions_total", bot="greedy", answered="greedy") == 3
    assert _value(kept, "bgb_bot_decision_seconds_sum", bot="greedy") == 0.75


def test_what_finds_no_room_is_dropped_and_counted() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    metrics.relay_to(ours)
    sent = 20_000
    for _ in range(sent):
        metrics.FAILURES.add("greedy", "died")
    theirs.setblocking(False)
    kept = metrics.keep()

    def read() -> None:
        try:
            while True:
                metrics.received(theirs.recv(metrics.DATAGRAM_BYTES), kept)
        except BlockingIOError:
            pass

    read()
    came = _value(kept, "bgb_bot_failures_total", bot="greedy", kind="died") or 0
    assert 0 < came < sent, "the socket holds some, never all of it"
    relay = metrics.Relay(ours)
    relay._lost = 17
    relay(metrics.OUTBOX, "set", (), 1.0)
    read()
    assert _value(kept, "bgb_metrics_lost_total") == 17
    theirs.close()
    relay(metrics.OUTBOX, "set", (), 1.0)
    ours.close()


def test_labels_are_of_few_values_and_say_nothing_of_anybody() -> None:
    allowed = {
        "method", "code", "reason", "rule", "game", "kind", "by", "outcome", "change", "call", "error", "use", "status",
        "queue", "task", "bot", "answered", "acted", "players",
    }  # fmt: skip
    for metric in metrics.ALL.values():
        assert set(metric.labels) <= allowed, f"{metric.name}: is every label's value one of few?"
        assert metric.name.startswith("bgb_")
        assert metric.name.endswith("_total") == (metric.kind == "counter"), metric.name
        assert metric.meaning.endswith("."), metric.name
    assert metrics.one_of("greedy", ["greedy"]) == "greedy"
    assert metrics.one_of("guest-1234", ["greedy"]) == metrics.OTHER

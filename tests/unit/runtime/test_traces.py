"""Spans: where they belong, what they keep to themselves, and that they cost nothing where nobody wants them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from boardgamesbot.runtime import traces
from boardgamesbot.runtime.settings import BadSetting, Settings
from tests.support.collector import Collector, collecting

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SAMPLED = f"00-{TRACE}-{SPAN}-01"


@pytest.fixture
def collector() -> Iterator[Collector]:
    """Where all spans go."""
    with collecting() as (collector, address):
        traces.configure(Settings(traces=f"grpc://{address}"), "test")
        yield collector
        traces.finish()


@pytest.fixture
def sparing() -> Iterator[Collector]:
    """Where no span goes: the share of traces that is kept is 0."""
    with collecting() as (collector, address):
        traces.configure(Settings(traces=f"grpc://{address}", traces_share=0.0), "test")
        yield collector
        traces.finish()


def test_nothing_is_loaded_where_nobody_wants_it() -> None:
    program = (
        "import sys; import boardgamesbot.cli, boardgamesbot.rules.server, boardgamesbot.bots.worker;"
        "import boardgamesbot.gateway.server, boardgamesbot.matchmaking.server, boardgamesbot.bots.dispatcher;"
        "ours = ('opentelemetry.sdk.trace', 'opentelemetry.exporter', 'prometheus_client');"
        "print([name for name in sys.modules if name.startswith(ours)])"  # redis-py loads more of it by itself
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_without_a_setting_a_span_is_nothing() -> None:
    traces.configure(Settings(), "test")
    assert not traces.are_on()
    with traces.span("work", carried=SAMPLED, table="x") as span:
        span.set(more=1)
        assert span is traces.OFF
        assert (traces.carry(), traces.metadata(), traces.trace_id()) == ("", (), "")


def test_a_missing_opentelemetry_is_said_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "find_spec", lambda name: None)
    with pytest.raises(BadSetting, match=r"boardgamesbot\[otel\]"):
        traces.configure(Settings(traces="grpc://127.0.0.1:4317"), "test")
    traces.check(Settings())


def test_a_span_belongs_to_what_is_carried_and_goes_on_within(collector: Collector) -> None:
    with traces.span("outer", kind="server", carried=SAMPLED, table="ab") as outer:
        outer.set(version=3)
        with traces.span("inner"):
            carried = traces.carry()
            assert traces.metadata() == (("traceparent", carried),)
            assert traces.trace_id() == TRACE
    traces.finish()
    inner, outer_seen = collector.spans(TRACE)
    assert (outer_seen.name, outer_seen.parent) == ("outer", SPAN)
    assert outer_seen.attributes == {"bgb.table": "ab", "bgb.version": 3}
    assert inner.parent == outer_seen.id
    assert carried == f"00-{TRACE}-{inner.id}-01"


@pytest.mark.parametrize(
    "header",
    ["", "nonsense", f"00-{TRACE}-{SPAN}", f"00-{'0' * 32}-{SPAN}-01", f"00-{TRACE}-{'0' * 16}-01",
     f"00-{TRACE.upper()}-{SPAN}-01", SAMPLED + "\n", f"ff-{TRACE}-{SPAN}-01"],
)  # fmt: skip
def test_a_header_that_makes_no_sense_begins_a_trace(collector: Collector, header: str) -> None:
    with traces.span("around"), traces.span("work", carried=header):
        assert traces.trace_id() != TRACE
    traces.finish()
    work, around = collector.spans()
    assert (work.name, work.parent, work.links) == ("work", "", ())
    assert work.trace != around.trace, "what is carried counts, not what is around"


def test_what_is_begun_anew_points_back(collector: Collector) -> None:
    with traces.span("first", carried=SAMPLED):
        onward = traces.carry(anew=True)
    with traces.span("second", carried=onward):
        pass
    traces.finish()
    first, second = collector.spans()
    assert second.trace != first.trace
    assert second.links == (first.trace,)


def test_a_trace_that_is_not_kept_is_not_kept_anywhere(sparing: Collector) -> None:
    with traces.span("asked for", carried=SAMPLED):
        onward = traces.carry()
        assert onward == f"00-{TRACE}-{SPAN}-00", "whoever goes on leaves it alone too"
        with traces.span("within") as within:
            assert within is traces.OFF
    with traces.span("begun here", carried=""):
        assert not int(traces.carry()[-2:], 16) & 1
    traces.finish()
    assert sparing.spans() == []


def test_a_trace_that_its_caller_leaves_alone_is_left_alone(collector: Collector) -> None:
    with traces.span("left alone", carried=SAMPLED[:-1] + "0"), traces.span("within"):
        pass
    traces.finish()
    assert collector.spans() == []


def test_errors_are_named_and_their_texts_kept_back(collector: Collector) -> None:
    with pytest.raises(ValueError, match="hidden"), traces.span("fails"):
        raise ValueError("the hidden square is 17")
    with pytest.raises(RuntimeError, match="again"):
        _refuse()
    traces.finish()
    assert [span.failed for span in collector.spans()] == ["ValueError", "ILLEGAL_MOVE"]
    assert b"hidden" not in b"".join(collector.bytes)


def _refuse() -> None:
    with traces.span("refused") as span:
        span.fail("ILLEGAL_MOVE")
        raise RuntimeError("again the hidden square")

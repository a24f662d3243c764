"""Traces by OpenTelemetry; loaded only where they are wanted."""

from __future__ import annotations

import os
import re
import socket
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from opentelemetry import trace
from opentelemetry.context import Context, attach, detach
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import Link, NonRecordingSpan, SpanContext, SpanKind, StatusCode, TraceFlags

from boardgamesbot.runtime.traces import LINKED, OFF, Span, Value

if TYPE_CHECKING:
    from boardgamesbot.runtime.settings import Settings

SEND_MS = 1_000.0
"""So often spans are sent: a process that is killed takes no more with it."""

_HEADER = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})")
_KINDS = {kind.name.lower(): kind for kind in SpanKind}
_NOTHING = Context()
_OF_ID = TraceIdRatioBased.TRACE_ID_LIMIT


class OpenTelemetry:
    """Records spans and sends them where the settings say."""

    def __init__(self, settings: Settings, program: str) -> None:
        share = TraceIdRatioBased(settings.traces_share)
        self._bound = share.bound
        self._provider = TracerProvider(
            sampler=ParentBased(share),
            resource=Resource.create(
                {
                    "service.namespace": "boardgamesbot",
                    "service.name": program,
                    "service.instance.id": f"{socket.gethostname()}:{os.getpid()}",
                }
            ),
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(BatchSpanProcessor(_exporter(settings.traces), schedule_delay_millis=SEND_MS))
        self._tracer = self._provider.get_tracer("boardgamesbot")

    def span(self, name: str, kind: str, carried: str | None, attributes: dict[str, Value]) -> Span:
        """A span to be entered; one that is not recorded where its trace is not."""
        around: Context | None = None
        links: list[Link] = []
        if carried is None:
            here = trace.get_current_span().get_span_context()
            if here.is_valid and not here.trace_flags.sampled:
                return OFF
        else:
            around = _NOTHING
            outside = _read(carried.removeprefix(LINKED))
            if outside is not None and carried.startswith(LINKED):
                links = [Link(outside)] if outside.trace_flags.sampled else []
            elif outside is not None:
                # The share holds for traces that callers bring as well, whatever they ask for.
                if not outside.trace_flags.sampled or outside.trace_id & _OF_ID >= self._bound:
                    return _Unrecorded(SpanContext(outside.trace_id, outside.span_id, is_remote=True))
                around = trace.set_span_in_context(NonRecordingSpan(outside), _NOTHING)
        span = self._tracer.start_span(
            name,
            around,
            _KINDS[kind],
            {f"bgb.{key}": value for key, value in attributes.items()},
            links,
            record_exception=False,
            set_status_on_exception=False,
        )
        return _Recorded(span)

    def carry(self, anew: bool) -> str:
        """The span around as a header's value."""
        here = trace.get_current_span().get_span_context()
        if not here.is_valid:
            return ""
        return f"{LINKED if anew else ''}00-{here.trace_id:032x}-{here.span_id:016x}-{int(here.trace_flags):02x}"

    def trace_id(self) -> str:
        """The id of the trace around."""
        here = trace.get_current_span().get_span_context()
        return f"{here.trace_id:032x}" if here.is_valid else ""

    def finish(self) -> None:
        """Send what has not been sent."""
        self._provider.shutdown()


class _Recorded(Span):
    """A span from when it was made until the block is left."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span
        self._has_failed = False

    def __enter__(self) -> Span:
        self._token = attach(trace.set_span_in_context(self._span))
        return self

    def set(self, **attributes: Value) -> None:
        self._span.set_attributes({f"bgb.{name}": value for name, value in attributes.items()})

    def fail(self, why: str) -> None:
        self._has_failed = True
        self._span.set_status(StatusCode.ERROR, why)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None and issubclass(kind, Exception) and not self._has_failed:
            self.fail(kind.__name__)  # and no more: the text may hold anything
        self._span.end()
        detach(self._token)


class _Unrecorded(Span):
    """A part of a trace that is not recorded, so that nothing within begins one of its own."""

    def __init__(self, here: SpanContext) -> None:
        self._here = here

    def __enter__(self) -> Span:
        self._token = attach(trace.set_span_in_context(NonRecordingSpan(self._here)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        detach(self._token)


def _read(header: str) -> SpanContext | None:
    match = _HEADER.fullmatch(header)
    if match is None:
        return None
    return SpanContext(int(match[1], 16), int(match[2], 16), is_remote=True, trace_flags=TraceFlags(int(match[3], 16)))


def _exporter(address: str) -> SpanExporter:
    parts = urlsplit(address)
    if parts.scheme in ("grpc", "grpcs"):
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

        return OTLPSpanExporter(endpoint=parts.netloc, insecure=parts.scheme == "grpc")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HttpExporter

    return HttpExporter(endpoint=address if parts.path.strip("/") else f"{address.rstrip('/')}/v1/traces")

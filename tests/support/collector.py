"""A collector of traces as OpenTelemetry's programs have it: OTLP over gRPC, kept in memory."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

from boardgamesbot.store.embedded import HOST


@dataclass(frozen=True)
class Seen:
    """A span as it came."""

    program: str
    name: str
    trace: str
    id: str
    parent: str
    links: tuple[str, ...]
    """The traces it points back at."""
    attributes: dict[str, Any]
    failed: str
    """Why, where it has."""


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """What has come so far."""

    def __init__(self) -> None:
        self.bytes: list[bytes] = []
        """Every request as it came."""
        self._spans: list[Seen] = []

    def Export(self, request: Any, context: Any) -> Any:
        self.bytes.append(request.SerializeToString())
        for resource in request.resource_spans:
            about = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
            for scope in resource.scope_spans:
                for span in scope.spans:
                    self._spans.append(_seen(about["service.name"], span))
        return trace_service_pb2.ExportTraceServiceResponse()

    def spans(self, trace: str = "") -> list[Seen]:
        """The spans of a trace, or all."""
        return [span for span in list(self._spans) if trace in ("", span.trace)]


def _seen(program: str, span: Any) -> Seen:
    def value(held: Any) -> Any:
        return getattr(held, held.WhichOneof("value"))

    return Seen(
        program=program,
        name=span.name,
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        links=tuple(link.trace_id.hex() for link in span.links),
        attributes={pair.key: value(pair.value) for pair in span.attributes},
        failed=span.status.message,
    )


@contextmanager
def collecting() -> Iterator[tuple[Collector, str]]:
    """A collector, and its address."""
    collector = Collector()
    server = grpc.server(ThreadPoolExecutor(2))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port(f"{HOST}:0")
    server.start()
    try:
        yield collector, f"{HOST}:{port}"
    finally:
        server.stop(None).wait()

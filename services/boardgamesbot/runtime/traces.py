"""Traces: one goes from a player's click to what is stored of it, and on to the bot that answers.

Off unless the setting `traces` says where they go: then nothing of OpenTelemetry is imported, and a span costs a
comparison. What a span says is for operators: methods, tables, games, versions, bots; never a token, a move, a seed,
a message, nor the text of an error.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from boardgamesbot.runtime.settings import BadSetting

if TYPE_CHECKING:
    from boardgamesbot.runtime.settings import Settings

HEADER = "traceparent"
"""What carries a trace over HTTP, gRPC and to a worker, as W3C has it."""

LINKED = "link:"
"""Before a header's value: what is begun does not belong to that trace, it begins one that points back at it."""

Value = str | int | float | bool

_NEEDED = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.grpc", "opentelemetry.exporter.otlp.proto.http")


class Span(AbstractContextManager["Span"]):
    """Something that takes time; this one is not recorded."""

    def set(self, **attributes: Value) -> None:
        """Say more about it."""

    def fail(self, why: str) -> None:
        """Say that it failed, and why in a word."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        return None


OFF = Span()


class Tracer(Protocol):
    """What records spans."""

    def span(self, name: str, kind: str, carried: str | None, attributes: dict[str, Value]) -> Span: ...

    def carry(self, anew: bool) -> str: ...

    def trace_id(self) -> str: ...

    def finish(self) -> None: ...


_tracer: Tracer | None = None


def check(settings: Settings) -> None:
    """Raise BadSetting if traces are wanted and OpenTelemetry is not there; nothing of it is loaded."""
    if settings.traces and not all(map(_is_there, _NEEDED)):
        raise BadSetting("BGB_TRACES wants OpenTelemetry, which is not installed: pip install 'boardgamesbot[otel]'")


def configure(settings: Settings, program: str) -> None:
    """Send the spans of this process where the settings say; after a fork anew. Raises BadSetting."""
    global _tracer
    if settings.traces:
        check(settings)
        from boardgamesbot.runtime.otel import OpenTelemetry

        _tracer = OpenTelemetry(settings, program)


def finish() -> None:
    """Send what has not been sent, and record no more."""
    global _tracer
    if _tracer is not None:
        _tracer.finish()
        _tracer = None


def are_on() -> bool:
    """Whether spans are recorded."""
    return _tracer is not None


def span(name: str, *, kind: str = "internal", carried: str | None = None, **attributes: Value) -> Span:
    """What the block does, as a part of what is being done around it, or of what `carried` says.

    `carried` is a header's value from outside (one that is malformed, or empty, begins a trace), or what `carry` gave.
    `kind` is internal, server, client, producer or consumer.
    """
    return OFF if _tracer is None else _tracer.span(name, kind, carried, attributes)


def carry(*, anew: bool = False) -> str:
    """The span around, for what goes on elsewhere; empty where there is none.

    `anew`: what goes on is to begin a trace of its own that points back at this one.
    """
    return "" if _tracer is None else _tracer.carry(anew)


def metadata() -> tuple[tuple[str, str], ...]:
    """The span around, as metadata of a gRPC call."""
    header = carry()
    return ((HEADER, header),) if header else ()


def trace_id() -> str:
    """The id of the trace around, 32 hex digits; empty where there is none."""
    return "" if _tracer is None else _tracer.trace_id()


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False

"""Requests as metrics and spans."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boardgamesbot.gateway.methods import METHODS
from boardgamesbot.runtime import metrics, traces

if TYPE_CHECKING:
    from boardgamesbot.gateway.asgi import Request

PAGE = "page"
"""What is counted as called where no method is."""
UNANSWERED = 0


class Outcome:
    """What a request came to, once it is known."""

    def __init__(self) -> None:
        self.status = UNANSWERED
        self.began = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has taken until now."""
        return time.monotonic() - self.began


@contextmanager
def measured(request: Request) -> Iterator[Outcome]:
    """Measure the answer to a request. A stream is counted, but it takes as long as somebody watches."""
    method = METHODS.get(request.path) if request.method == "POST" else None
    name = PAGE if method is None else method.path.rpartition(".")[2]
    is_stream = method is not None and method.is_stream
    outcome = Outcome()
    if is_stream:
        metrics.REQUEST_STREAMS.change(name, by=1)
    try:
        if method is None or is_stream:
            yield outcome
        else:
            carried = request.headers.get(traces.HEADER, "")
            with traces.span(f"HTTP {name}", kind="server", carried=carried) as span:
                yield outcome
                span.set(status=outcome.status)
    finally:
        metrics.REQUESTS.add(name, str(outcome.status))
        if is_stream:
            metrics.REQUEST_STREAMS.change(name, by=-1)
        else:
            metrics.REQUEST_SECONDS.observe(outcome.seconds, name)

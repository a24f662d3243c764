"""What the clients saw."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmarks.timing import percentile

MOVE = "move"
"""From when a person's move was due to when its answer was there."""
SHOWN = "shown"
"""From when a person's move was sent to when a watcher had it."""
BOTS = "bots"
"""From the move that made it bots' turn to the next decision of a person."""
LISTED = "legal moves"
"""A call of ListLegalMoves."""
OPENED = "table opened"
"""Every call that opens, fills and starts a table."""
MATCHED = "matched"
"""From the last ticket that a match needs to when its player knew the table."""


@dataclass
class Seen:
    """Latencies in seconds by what was done, and errors by what was done and what was said."""

    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    waited: int = 0
    """Moves that were due when no table awaited one: more tables would be needed for this rate."""
    cpu_seconds: float = 0.0
    """Processor time of the generator itself."""

    def took(self, what: str, seconds: float) -> None:
        self.latencies[what].append(seconds)

    def failed(self, what: str, why: str) -> None:
        self.errors[f"{what}: {why}"] += 1

    def count(self, what: str) -> int:
        return len(self.latencies.get(what, ()))

    def ms(self, what: str, percent: float) -> float:
        """A percentile in milliseconds; NaN where nothing was done."""
        values = self.latencies.get(what)
        return percentile(sorted(values), percent) * 1000 if values else float("nan")

    @staticmethod
    def together(parts: Iterable[Seen]) -> Seen:
        """What several saw at the same time."""
        whole = Seen()
        for part in parts:
            for what, values in part.latencies.items():
                whole.latencies[what].extend(values)
            whole.errors.update(part.errors)
            whole.waited += part.waited
            whole.cpu_seconds += part.cpu_seconds
        return whole

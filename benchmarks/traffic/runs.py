"""A ramp that finds where a deployment is full, and a soak that finds what grows."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.traffic import seen as kinds
from benchmarks.traffic.generator import Generators, Window
from benchmarks.traffic.probe import Probe, Sample
from benchmarks.traffic.seen import Seen

KEEPS_UP = 0.95
"""A deployment that answers less than this part of what is offered is full."""
WARM_PART = 0.3
"""The first part of a soak in which memory may still grow."""
GROWTH = 0.05
"""By how much, at most, memory may grow over a soak, after it is warm."""
GROWTH_BYTES = 8 << 20
"""Or by so much: less is noise."""


@dataclass(frozen=True)
class Step:
    """What was seen at one rate, and what it cost."""

    window: Window
    seen: Seen
    before: Sample
    after: Sample

    @property
    def rate(self) -> float:
        """Moves that were answered, a second."""
        return self.seen.count(kinds.MOVE) / self.window.seconds

    def is_full(self, most_ms: float) -> bool:
        """Whether more was offered than could be borne."""
        p99 = self.seen.ms(kinds.MOVE, 99)
        return bool(self.seen.errors) or self.rate < KEEPS_UP * self.window.moves or not p99 <= most_ms

    def busy(self) -> dict[str, float]:
        """How many cores each program kept busy."""
        took = self.after.at - self.before.at
        return {name: (spent - self.before.cpu.get(name, 0.0)) / took for name, spent in self.after.cpu.items()}

    def redis_calls(self) -> dict[str, float]:
        """How often each command was run for one move."""
        moves = max(1, self.seen.count(kinds.MOVE))
        before = self.before.redis_calls
        calls = {name: (count - before.get(name, 0)) / moves for name, count in self.after.redis_calls.items()}
        return {name: count for name, count in sorted(calls.items(), key=lambda item: -item[1]) if count >= 0.01}


def step(generators: Generators, probe: Probe, window: Window) -> Step:
    """Offer a rate for a while."""
    before = asyncio.run(probe.sample())
    seen = generators.run(window)
    after = asyncio.run(probe.sample())
    made = Step(window, seen, before, after)
    print(
        f"traffic: {window.moves:g}/s offered, {made.rate:.1f}/s answered, p50 {seen.ms(kinds.MOVE, 50):.1f} ms, "
        f"p99 {seen.ms(kinds.MOVE, 99):.1f} ms, {sum(seen.errors.values())} errors, {seen.waited} waited for a table",
        file=sys.stderr,
        flush=True,
    )
    return made


def ramp(take: Callable[[Window], Step], first: Window, most_ms: float, halvings: int) -> list[Step]:
    """Double the rate until it is too much, then halve the gap `halvings` times. The steps by rate."""
    steps = [take(first)]
    while not steps[-1].is_full(most_ms):
        rate = steps[-1].window.moves * 2
        steps.append(take(Window(rate, first.seekers, first.seconds)))
    borne = [one.window.moves for one in steps if not one.is_full(most_ms)]
    low, high = max(borne, default=0.0), steps[-1].window.moves
    for _ in range(halvings):
        middle = (low + high) / 2
        steps.append(take(Window(middle, first.seekers, first.seconds)))
        if steps[-1].is_full(most_ms):
            high = middle
        else:
            low = middle
    return sorted(steps, key=lambda one: one.window.moves)


@dataclass(frozen=True)
class Trend:
    """How a figure went over a soak, after its warm part."""

    name: str
    first: float
    last: float
    """The ends of the straight line that fits best."""

    @property
    def grows(self) -> bool:
        return self.last - self.first > max(GROWTH * self.first, GROWTH_BYTES)


@dataclass(frozen=True)
class Soak:
    """A long run at one rate."""

    steps: Sequence[Step]
    trends: Sequence[Trend]

    @property
    def faults(self) -> list[str]:
        """What is wrong with it; nothing, if it passed."""
        errors = Seen.together(one.seen for one in self.steps).errors
        grown = [
            f"{t.name} grew from {t.first / 2**20:.1f} to {t.last / 2**20:.1f} MiB" for t in self.trends if t.grows
        ]
        return [f"{count} times {what}" for what, count in errors.items()] + grown


def soak(take: Callable[[Window], Step], window: Window, minutes: float) -> Soak:
    """Offer a rate for so long, in windows, and look at memory between them."""
    end = time.monotonic() + minutes * 60
    steps = [take(window)]
    while time.monotonic() < end:
        steps.append(take(window))
    samples = [one.after for one in steps]
    return Soak(steps, trends(samples[int(len(samples) * WARM_PART) :]))


def trends(samples: Sequence[Sample]) -> list[Trend]:
    """How memory went: of every program, and of Redis."""
    times = [sample.at for sample in samples]
    found = [_trend(name, times, [float(s.memory[name]) for s in samples]) for name in samples[-1].memory]
    if samples[-1].redis_bytes:
        found.append(_trend("Redis's data", times, [float(sample.redis_bytes) for sample in samples]))
    return found


def _trend(name: str, times: Sequence[float], values: Sequence[float]) -> Trend:
    mean_time, mean = fmean(times), fmean(values)
    spread = sum((at - mean_time) ** 2 for at in times)
    slope = sum((at - mean_time) * (v - mean) for at, v in zip(times, values, strict=True)) / spread if spread else 0.0
    return Trend(name, mean + slope * (times[0] - mean_time), mean + slope * (times[-1] - mean_time))

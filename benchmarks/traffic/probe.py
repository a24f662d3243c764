"""What a load costs the programs that bear it, where they run on this machine, and their Redis."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import cpu_seconds
from boardgamesbot.store.client import connect


@dataclass(frozen=True)
class Sample:
    """How things stood at one moment."""

    at: float
    """By a clock that only goes forward, in seconds."""
    cpu: Mapping[str, float]
    """Processor time that each program had used, with its children, in seconds."""
    memory: Mapping[str, int]
    """Bytes that each program had to itself, with its share of what it shares with others."""
    redis_bytes: int
    redis_keys: int
    redis_calls: Mapping[str, int]
    """How often each command was run, inside scripts too."""


class Probe:
    """Looks at programs by their process ids, and at a Redis, if its URL is known."""

    def __init__(self, programs: Mapping[str, int], redis_url: str) -> None:
        self._programs = programs
        self._redis_url = redis_url

    async def sample(self) -> Sample:
        """Look now. A program that has gone counts as nothing."""
        cpu, memory = {}, {}
        for name, pid in self._programs.items():
            family = list(_family(pid))
            cpu[name] = sum(map(_cpu, family))
            memory[name] = sum(map(_memory, family))
        used, held, calls = await self._redis()
        return Sample(time.monotonic(), cpu, memory, used, held, calls)

    async def _redis(self) -> tuple[int, int, dict[str, int]]:
        if not self._redis_url:
            return 0, 0, {}
        redis = connect(self._redis_url)
        try:
            memory = await redis.info("memory")
            stats = await redis.info("commandstats")
            held = sum(int(database["keys"]) for database in (await redis.info("keyspace")).values())
        finally:
            await redis.aclose()
        calls = {name.removeprefix("cmdstat_"): int(stat["calls"]) for name, stat in stats.items()}
        return int(memory["used_memory"]), held, calls


def _family(pid: int) -> Iterable[int]:
    yield pid
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))
    except OSError:
        return


def _cpu(pid: int) -> float:
    try:
        return cpu_seconds(pid)
    except OSError:
        return 0.0


def _memory(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0

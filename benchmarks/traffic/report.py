"""What a run showed, for people and for programs."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from typing import Any

from benchmarks import machine
from benchmarks.report import count, table
from benchmarks.traffic import seen as kinds
from benchmarks.traffic.runs import Soak, Step
from benchmarks.traffic.seen import Seen
from benchmarks.traffic.tables import Mix

_KINDS = (kinds.MOVE, kinds.SHOWN, kinds.LISTED, kinds.BOTS, kinds.MATCHED, kinds.OPENED)
_PERCENTS = (50, 99, 99.9)


def markdown(command: str, mix: Mix, steps: Sequence[Step], soak: Soak | None, most_ms: float | None) -> str:
    """The report; `most_ms` is the limit of a ramp."""
    last = steps[-1]
    parts = [
        f"# Traffic\n\n`{command}`, {time.strftime('%Y-%m-%d', time.gmtime())}, on {machine.describe()}; "
        f"load {os.getloadavg()[0]:.1f} at the end.",
        f"{mix.tables} tables of {mix.game_id} at a time, {mix.people} people and "
        f"{', '.join(mix.bots) or 'no bots'} at each, and {mix.watchers} spectators; everybody watches. Moves are due "
        "at the times of a Poisson process, and timed from when they were due.",
    ]
    if soak is not None:
        whole = Seen.together(one.seen for one in steps)
        minutes = sum(one.window.seconds for one in steps) / 60
        parts += [
            f"## {minutes:.0f} minutes at {last.window.moves:g} moves a second",
            _latencies(whole),
            table(
                ["memory, MiB", "after the warm part", "at the end"],
                [[t.name, f"{t.first / 2**20:.1f}", f"{t.last / 2**20:.1f}"] for t in soak.trends],
            ),
            "**Passed**: no error, and nothing grew." if not soak.faults else "**Failed**: " + "; ".join(soak.faults),
        ]
    else:
        rows = [
            [
                f"{one.window.moves:g}",
                count(one.rate),
                *(f"{one.seen.ms(kinds.MOVE, percent):.1f}" for percent in _PERCENTS),
                str(sum(one.seen.errors.values())),
                str(one.seen.waited),
            ]
            for one in steps
        ]
        header = ["offered /s", "answered /s", "p50 ms", "p99 ms", "p99.9 ms", "errors", "waited for a table"]
        parts += ["## Moves", table(header, rows)]
        if most_ms is not None:
            borne = [one for one in steps if not one.is_full(most_ms)]
            if borne:
                last = borne[-1]
            parts.append(_full(steps, borne, most_ms))
        parts += [f"## At {last.window.moves:g} moves a second", _latencies(last.seen)]
    parts.append(_cost(last))
    errors = Seen.together(one.seen for one in steps).errors
    if errors:
        parts.append(table(["error", "times"], [[what, str(times)] for what, times in errors.most_common(20)]))
    return "\n\n".join(part for part in parts if part)


def figures(command: str, mix: Mix, steps: Sequence[Step], soak: Soak | None) -> dict[str, Any]:
    """The same for programs."""
    return {
        "command": command,
        "machine": machine.describe(),
        "mix": {"game": mix.game_id, "tables": mix.tables, "people": mix.people, "bots": list(mix.bots),
                "watchers": mix.watchers},
        "steps": [
            {
                "offered": one.window.moves,
                "answered": one.rate,
                "seconds": one.window.seconds,
                "waited": one.seen.waited,
                "errors": dict(one.seen.errors),
                "latency_ms": {
                    what: {f"p{percent:g}": round(one.seen.ms(what, percent), 3) for percent in _PERCENTS}
                    | {"count": one.seen.count(what)}
                    for what in _KINDS
                    if one.seen.count(what)
                },
                "cores": {name: round(busy, 4) for name, busy in one.busy().items()},
                "memory_bytes": dict(one.after.memory),
                "redis_bytes": one.after.redis_bytes,
                "redis_keys": one.after.redis_keys,
                "redis_calls_per_move": {name: round(calls, 3) for name, calls in one.redis_calls().items()},
            }
            for one in steps
        ],
        "soak": None
        if soak is None
        else {
            "faults": soak.faults,
            "trends": [{"name": t.name, "first": t.first, "last": t.last, "grows": t.grows} for t in soak.trends],
        },
    }  # fmt: skip


def _latencies(seen: Seen) -> str:
    rows = [
        [what, str(seen.count(what)), *(f"{seen.ms(what, percent):.1f}" for percent in _PERCENTS)]
        for what in _KINDS
        if seen.count(what)
    ]
    return table(["what", "times", "p50 ms", "p99 ms", "p99.9 ms"], rows)


def _cost(one: Step) -> str:
    if not one.after.cpu:
        return ""
    moves = max(1, one.seen.count(kinds.MOVE))
    took = one.after.at - one.before.at
    rows = [
        [name, f"{busy:.2f}", f"{busy * took / moves * 1e6:.0f}", f"{one.after.memory[name] / 2**20:.0f}"]
        for name, busy in one.busy().items()
    ]
    rows.append(
        ["the generator", f"{one.seen.cpu_seconds / took:.2f}", f"{one.seen.cpu_seconds / moves * 1e6:.0f}", ""]
    )
    parts = [table(["program", "cores busy", "µs for one move", "MiB"], rows)]
    calls = one.redis_calls()
    if calls:
        listed = ", ".join(f"{name} {calls[name]:.2f}" for name in list(calls)[:16])
        parts.append(
            f"Redis held {one.after.redis_keys} keys in {one.after.redis_bytes / 2**20:.1f} MiB. Commands for one "
            f"move, those inside scripts too, everything that goes on counted to the moves: {listed}."
        )
    return "\n\n".join(parts)


def _full(steps: Sequence[Step], borne: Sequence[Step], most_ms: float) -> str:
    over = next((one for one in steps if one.is_full(most_ms)), steps[-1])
    busy = over.busy()
    took = over.after.at - over.before.at
    busy["the generator"] = over.seen.cpu_seconds / took
    name = max(busy, key=lambda one: busy[one])
    total = math.fsum(busy.values())
    rate = f"{borne[-1].window.moves:g} moves a second" if borne else "less than was offered first"
    return (
        f"It is full at {rate}: beyond, the 99th percentile is above {most_ms:g} ms, or not everything is answered. At "
        f"{over.window.moves:g} offered the busiest was {name}, with {busy[name]:.2f} cores; all together had "
        f"{total:.2f} of {len(os.sched_getaffinity(0))}."
    )

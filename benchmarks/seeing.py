"""What it costs SubmitMove to be seen: metrics and traces on and off, in one interleaved run.

python -m benchmarks.seeing [--tables N]… [--seconds S] [--rounds N]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import click
import grpc

from benchmarks import report
from benchmarks.load import Load
from benchmarks.prepared import METHOD
from benchmarks.processes import server
from benchmarks.submit import SPARE, Side, prepare
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.embedded import HOST, EmbeddedServer, free_port

WARM_SECONDS = 0.5
WARM_CALLS = 2_000


def run(tables: Sequence[int], seconds: float, rounds: int) -> str:
    """Measure, and report in Markdown."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bgb-bench-")))
        redis = stack.enter_context(EmbeddedServer(folder / "redis", appendfsync="always"))
        load = stack.enter_context(Load(1))
        sink = f"{HOST}:{free_port()}"
        stack.enter_context(server("benchmarks.seeing", ["sink", sink], {}, sink))
        traces = {"traces": f"grpc://{sink}"}
        sides = []
        for name, more in (
            ("nothing", None),
            ("metrics", {}),
            ("metrics, one trace in a hundred", {**traces, "traces_share": 0.01}),
            ("metrics, every trace", traces),
        ):
            address = f"{HOST}:{free_port()}"
            settings = Settings(redis_url=redis.url, rules_listen=address, log_level="warning")
            if more is not None:
                told: dict[str, Any] = {"metrics_listen": f"{HOST}:{free_port()}", **more}
                settings = replace(settings, **told)
            pid = stack.enter_context(server("boardgamesbot", ["rules"], settings.to_environment(), address))
            sides.append((Side(name, address, METHOD, (pid, redis.pid or 0)), settings))
        rows = []
        for number in tables:
            enough = 0
            for side, settings in sides:
                warm = load.run(side.address, METHOD, prepare(settings, number, WARM_CALLS // number), WARM_SECONDS)
                enough = max(enough, int(warm.rate * SPARE * seconds / number) + 1)
            for _ in range(rounds):
                for side, settings in sides:
                    side.measure(load, prepare(settings, number, enough), seconds)
            rows += _rows(number, [side for side, _ in sides])
            for side, _ in sides:
                side.forget()
    header = ["tables", "told", "moves/s", "of those with nothing told", "p50 ms", "p99 ms", "server µs a call"]
    return report.table(header, rows)


def _rows(tables: int, sides: Sequence[Side]) -> list[list[str]]:
    bare = sides[0]
    return [
        [
            str(tables),
            side.name,
            report.count(median(side.rates)),
            f"{median(a / b for a, b in zip(side.rates, bare.rates, strict=True)):.2f}",
            f"{median(side.p50):.2f}",
            f"{median(side.p99):.2f}",
            f"{median(cpu[0] for cpu in side.cpu):.0f}",
        ]
        for side in sides
    ]


def sink(address: str) -> None:
    """A collector that throws everything away."""
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

    class Sink(trace_service_pb2_grpc.TraceServiceServicer):
        def Export(self, request: Any, context: Any) -> Any:
            return trace_service_pb2.ExportTraceServiceResponse()

    listener = grpc.server(ThreadPoolExecutor(1))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(Sink(), listener)  # type: ignore[no-untyped-call]
    listener.add_insecure_port(address)
    listener.start()
    listener.wait_for_termination()


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--tables", multiple=True, type=click.IntRange(1), default=(1, 50), show_default=True)
@click.option("--seconds", default=3.0, show_default=True, type=click.FloatRange(min=0, min_open=True))
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1))
def main(tables: tuple[int, ...], seconds: float, rounds: int) -> None:
    """Measure what it costs SubmitMove to be seen."""
    print(run(tables, seconds, rounds))


if __name__ == "__main__":
    if sys.argv[1:2] == ["sink"]:
        sink(sys.argv[2])
    else:
        main()

"""The least a move could cost: a gRPC method without any work of its own, and one Lua call that writes as much.

It runs on the same event loop, with the same options of gRPC and the same client of Redis, as the rules server. It
neither reads its request nor asks who calls. `python -m benchmarks.floor LISTEN REDIS_URL SIZES` (JSON).
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass
from itertools import cycle

import grpc

from boardgamesbot.runtime.interceptor import Context
from boardgamesbot.runtime.server import run_until_signal
from boardgamesbot.store.client import connect

METHOD = "/benchmarks.Floor/Write"
STOP_SECONDS = 1.0

_OPTIONS = [
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
]
_SCRIPT = """
redis.call('XADD', KEYS[1], '*', 'event', ARGV[1])
return redis.call('HSET', KEYS[2], 'table', ARGV[2], 'snapshot', ARGV[3], 'answer', ARGV[4])
"""


@dataclass(frozen=True)
class Sizes:
    """The bytes that one move writes, on average, and those it answers with."""

    event: int
    """What is added to the stream: event, move and the rest of the entry."""
    table: int
    snapshot: int
    answer: int
    tables: int
    """How many tables the writes go round."""

    def to_json(self) -> str:
        return json.dumps(asdict(self))


async def serve(listen: str, redis_url: str, sizes: Sizes, stop: asyncio.Event) -> None:
    """Serve until `stop` is set."""
    redis = connect(redis_url)
    write = redis.register_script(_SCRIPT)
    keys = cycle([(f"floor:{i}:events", f"floor:{i}") for i in range(sizes.tables)])
    arguments = [b"x" * sizes.event, b"x" * sizes.table, b"x" * sizes.snapshot, b"x" * sizes.answer]
    answer = b"x" * sizes.answer

    async def handle(_request: bytes, _context: Context) -> bytes:
        await write(keys=next(keys), args=arguments)
        return answer

    service, _, method = METHOD[1:].partition("/")
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {method: grpc.unary_unary_rpc_method_handler(handle)}
    grpc_server = grpc.aio.server(options=_OPTIONS)
    grpc_server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
    grpc_server.add_insecure_port(listen)
    await grpc_server.start()
    await stop.wait()
    await grpc_server.stop(STOP_SECONDS)
    await redis.aclose()


if __name__ == "__main__":
    run_until_signal(lambda stop: serve(sys.argv[1], sys.argv[2], Sizes(**json.loads(sys.argv[3])), stop))

"""How much there is in the store, for those who look after it; cheap enough to be asked every few seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from redis.asyncio.cluster import RedisCluster
from redis.exceptions import ResponseError

from boardgamesbot.store import keys

if TYPE_CHECKING:
    from redis.asyncio import Redis


@dataclass(frozen=True, slots=True)
class Waiting:
    """How much waits, and for how long its oldest has, in ms; 0 where nothing waits."""

    number: int
    oldest_ms: int


@dataclass(frozen=True, slots=True)
class Server:
    """What Redis says of itself; of a Cluster, of all its primaries together."""

    memory_bytes: int
    memory_max_bytes: int
    replicas: int
    """Of the primary that has the fewest."""
    clients: int
    failed_to_save: bool


class Census:
    """Counts over all slots."""

    def __init__(self, redis: Redis, slots: int) -> None:
        self._redis = redis
        self._slots = range(keys.check_slots(slots))

    async def tables(self, kinds: Sequence[str]) -> dict[str, int]:
        """How many tables there are of each kind that commits count them as; expired ones are forgotten."""
        now_ms = await self._now_ms()
        pipe = self._redis.pipeline(transaction=False)
        for kind in kinds:
            for slot in self._slots:
                pipe.zremrangebyscore(keys.census(slot, kind), "-inf", now_ms)
                pipe.zcard(keys.census(slot, kind))
        replies: list[int] = await pipe.execute()
        each = 2 * len(self._slots)
        return {kind: sum(replies[i * each + 1 : (i + 1) * each : 2]) for i, kind in enumerate(kinds)}

    async def overdue(self) -> Waiting:
        """The tables whose turn is due to be given out again, or whose player's time is up."""
        now_ms = await self._now_ms()
        pipe = self._redis.pipeline(transaction=False)
        for slot in self._slots:
            pipe.zcount(keys.deadlines(slot), "-inf", now_ms)
            pipe.zrange(keys.deadlines(slot), 0, 0, withscores=True)
        replies: list[Any] = await pipe.execute()
        first = [float(found[0][1]) for found in replies[1::2] if found]
        return Waiting(sum(replies[::2]), max(0, now_ms - int(min(first, default=now_ms))))

    async def outbox(self) -> Waiting:
        """What commits left to be done, and nobody has reported as handed on."""
        now_ms = await self._now_ms()
        pipe = self._redis.pipeline(transaction=False)
        for slot in self._slots:
            pipe.xlen(keys.outbox(slot))
            pipe.xrange(keys.outbox(slot), count=1)
        replies: list[Any] = await pipe.execute()
        first = [int(found[0][0].partition(b"-")[0]) for found in replies[1::2] if found]
        return Waiting(sum(replies[::2]), max(0, now_ms - min(first, default=now_ms)))

    async def due_tickets(self) -> Waiting:
        """The tickets that should have been looked at by now."""
        now_ms = await self._now_ms()
        pipe = self._redis.pipeline(transaction=False)
        pipe.zcount(keys.DUE_TICKETS, "-inf", now_ms)
        pipe.zrange(keys.DUE_TICKETS, 0, 0, withscores=True)
        number, first = await pipe.execute()
        return Waiting(number, max(0, now_ms - int(first[0][1])) if first else 0)

    async def server(self) -> Server | None:
        """What Redis says of itself; None where we may not ask."""
        primaries: list[dict[str, Any]]
        try:
            if isinstance(self._redis, RedisCluster):
                told = await self._redis.execute_command("INFO", target_nodes=RedisCluster.PRIMARIES)
                primaries = list(told.values())
            else:
                primaries = [await self._redis.info()]
        except ResponseError:
            return None
        return Server(
            memory_bytes=sum(info["used_memory"] for info in primaries),
            memory_max_bytes=sum(info["maxmemory"] for info in primaries),
            replicas=min(info.get("connected_slaves", 0) for info in primaries),
            clients=sum(info["connected_clients"] for info in primaries),
            failed_to_save=any(
                info.get(name, "ok") != "ok"
                for info in primaries
                for name in ("rdb_last_bgsave_status", "aof_last_write_status", "aof_last_bgrewrite_status")
            ),
        )

    async def _now_ms(self) -> int:
        seconds, microseconds = await self._redis.time()
        return int(seconds) * 1000 + int(microseconds) // 1000

"""What those who run the platform did to tables by hand: who, when, what, why.

A trail of two entries for each act: one before it, so that nothing is done that was not written down, and one with
what came of it. Where the second is missing, the program died in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import keys

if TYPE_CHECKING:
    from redis.asyncio import Redis

KEPT = 20_000
"""About so many entries are kept, the newest."""

BATCH = 500


@dataclass(frozen=True, slots=True)
class Act:
    """Something that was done to a table, or that somebody began to do."""

    time_ms: int
    """When it was begun, in ms by the store's clock."""
    who: str
    what: str
    table_id: str
    why: str
    version: int
    """The version of the table before."""
    outcome: str = ""
    """`done`, or why not; empty: nobody knows, the program died."""
    version_after: int = 0
    """The version of the table after it; 0 where it was not done."""


class AuditTrail:
    """The trail of one platform."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def begin(self, who: str, what: str, table_id: str, why: str, version: int) -> str:
        """Write down what is going to be done; gives the name of the entry."""
        about: dict[Any, Any] = {"who": who, "what": what, "table": table_id, "why": why, "version": version}
        name: Any = await self._redis.xadd(keys.AUDIT, about, maxlen=KEPT, approximate=True)
        return str(name.decode())

    async def end(self, entry: str, outcome: str, version_after: int = 0) -> None:
        """Write down what came of it."""
        about: dict[Any, Any] = {"of": entry, "outcome": outcome, "version": version_after}
        await self._redis.xadd(keys.AUDIT, about, maxlen=KEPT, approximate=True)

    async def newest(self, limit: int, table_id: str = "") -> list[Act]:
        """The last acts, the newest first; those at one table, if it is named."""
        acts: list[Act] = []
        outcomes: dict[bytes, dict[bytes, bytes]] = {}
        end = "+"
        while len(acts) < limit:
            entries: Any = await self._redis.xrevrange(keys.AUDIT, end, "-", count=BATCH)
            for name, fields in entries:
                if b"of" in fields:
                    outcomes[fields[b"of"]] = fields
                elif not table_id or fields[b"table"].decode() == table_id:
                    acts.append(_act(name, fields, outcomes.pop(name, {})))
            if len(entries) < BATCH:
                break
            end = f"({entries[-1][0].decode()}"
        return acts[:limit]


def _act(name: bytes, fields: dict[bytes, bytes], outcome: dict[bytes, bytes]) -> Act:
    return Act(
        time_ms=int(name.partition(b"-")[0]),
        who=fields[b"who"].decode(),
        what=fields[b"what"].decode(),
        table_id=fields[b"table"].decode(),
        why=fields[b"why"].decode(),
        version=int(fields[b"version"]),
        outcome=outcome.get(b"outcome", b"").decode(),
        version_after=int(outcome.get(b"version", 0)),
    )

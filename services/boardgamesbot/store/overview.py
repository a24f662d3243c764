"""The tables there are, for those who look after them: no game is loaded, and nothing hidden is read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import keys
from boardgamesbot.store.scripts import script
from boardgamesbot.store.tables import NotFound, Stale, TableHead, TableStore, Wake

if TYPE_CHECKING:
    from redis.asyncio import Redis

BATCH = 200
"""Tables looked at in one round trip."""


@dataclass(frozen=True, slots=True)
class Woken:
    """The bot that a table waits for."""

    seat: int
    bot: str
    attempt: int
    """How often it has been woken for this turn."""
    last_ms: int
    """When it was woken last, in ms by the store's clock."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it was found."""

    head: TableHead
    changed_ms: int
    """When something last happened to it, in ms by the store's clock."""
    woken: Woken | None


class Overview:
    """Looks over all tables of all slots."""

    def __init__(self, redis: Redis, slots: int = keys.DEFAULT_SLOTS) -> None:
        self._redis = redis
        self._slots = keys.check_slots(slots)
        self._store = TableStore(redis, slots)
        self._wake = script(redis, "wake")

    async def live(self, game_ids: Iterable[str], statuses: Sequence[str] = ("open", "playing")) -> AsyncIterator[Seen]:
        """Every live table of these games and statuses (`open`, `playing`), the listed and the others."""
        for slot, game_id, status in product(range(self._slots), game_ids, statuses):
            members: Any = await self._redis.zrange(keys.census(slot, f"{game_id}:{status}"), 0, -1)
            async for seen in self._seen([member.decode() for member in members]):
                yield seen

    async def finished(self) -> AsyncIterator[Seen]:
        """The listed tables whose games are over and that are still in the store."""
        for slot in range(self._slots):
            members: Any = await self._redis.zrange(keys.listed(slot, "finished"), 0, -1)
            async for seen in self._seen([member.decode() for member in members]):
                yield seen

    async def one(self, table_id: str) -> Seen | None:
        """One table, whatever its status."""
        return await anext(self._seen([table_id] if keys.is_table_id(table_id) else []), None)

    async def memory(self, table_ids: Sequence[str]) -> list[int]:
        """How many bytes each of these tables takes in the store, with its history and the answers to requests."""
        pipe = self._redis.pipeline(transaction=False)
        for table_id in table_ids:
            for key in (keys.table(table_id), keys.events(table_id), keys.requests(table_id)):
                pipe.memory_usage(key, samples=0)
        sizes: list[int | None] = await pipe.execute() if table_ids else []
        return [sum(size or 0 for size in sizes[i : i + 3]) for i in range(0, len(sizes), 3)]

    async def wake(self, table_id: str, version: int, bot: Wake | None, again_ms: int) -> str:
        """Wake again who has to act at the table; which was woken: `bot`, `clock`, or `nobody` where a person has time.

        `bot` is whose turn it is, if it is a bot's; it is woken once more after `again_ms`. Raises NotFound, and Stale
        if the table has moved on.
        """
        slot = keys.slot_of(table_id)
        seat, name, player = ("", "", "") if bot is None else (bot.seat, bot.bot, bot.player_id)
        status, *rest = await self._wake(
            keys=[keys.table(table_id), keys.outbox(slot), keys.deadlines(slot)],
            args=[table_id, version, seat, name, player, again_ms],
        )
        if status == b"absent":
            raise NotFound(table_id)
        if status == b"stale":
            raise Stale(int(rest[0]))
        return str(status.decode())

    async def _seen(self, table_ids: Sequence[str]) -> AsyncIterator[Seen]:
        for at in range(0, len(table_ids), BATCH):
            some = table_ids[at : at + BATCH]
            heads = await self._store.heads(some)
            pipe = self._redis.pipeline(transaction=False)
            for table_id in some:
                pipe.xrevrange(keys.events(table_id), count=1)
                pipe.hmget(keys.table(table_id), ("wake_seat", "wake_bot", "wake_attempt", "wake_ms"))
            replies = iter(await pipe.execute())
            for head in heads:
                last, wake = next(replies), next(replies)
                if head is None:
                    continue
                yield Seen(head, int(last[0][1][b"ms"]) if last else head.created_ms, _woken(*wake))


def _woken(seat: bytes | None, bot: bytes, attempt: bytes, last_ms: bytes | None) -> Woken | None:
    return None if seat is None else Woken(int(seat), bot.decode(), int(attempt), int(last_ms or 0))

"""What commits left to be done, handed to dispatchers at least once.

Every slot has a stream; the dispatchers are one consumer group on it. What a dispatcher read and did not report as
done is claimed by another; a bot's turn that nobody plays is sent again when its deadline has passed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING, Any

from redis.exceptions import ResponseError

from boardgamesbot.store import keys
from boardgamesbot.store.client import MAX_BLOCK_MS
from boardgamesbot.store.scripts import script

if TYPE_CHECKING:
    from redis.asyncio import Redis

GROUP = "dispatchers"
POLL_SECONDS = 0.05
"""How often the slots are asked where no single call can wait for them all."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One thing to be done, and where it came from. It may come twice, and late."""

    slot: int
    entry_id: str
    kind: str
    """What is to be done; `bot_turn` is what there is."""
    table_id: str
    version: int
    seat: int
    bot: str
    player_id: str
    attempt: int
    """1 when the turn began, one more each time it was sent again."""


@dataclass(frozen=True, slots=True)
class Resent:
    """A bot's turn that was sent again."""

    table_id: str
    version: int
    attempt: int


class Outbox:
    """The outboxes of all slots. Give it as many `slots` as any table was ever made with.

    `per_slot` asks every slot by itself, as a Cluster wants it, where a single server is asked for all in one call.
    A consumer is named by its process; names that are used again after a restart keep the group small.
    """

    def __init__(self, redis: Redis, slots: int = keys.DEFAULT_SLOTS, *, per_slot: bool = False) -> None:
        self._redis = redis
        self._streams = [keys.outbox(slot) for slot in range(keys.check_slots(slots))]
        self._slot_of_stream = {stream.encode(): slot for slot, stream in enumerate(self._streams)}
        self._per_slot = per_slot
        self._claimed_up_to = ["0-0"] * slots
        self._rearm = script(redis, "rearm")

    async def read(self, consumer: str, block_ms: int, count: int) -> list[Delivery]:
        """What nobody has been given yet, at most `count` a slot; waits up to `block_ms` for it (2 s at most)."""
        block_ms = min(block_ms, MAX_BLOCK_MS)
        if self._per_slot:
            return await self._poll(consumer, block_ms, count)
        streams: dict[Any, Any] = dict.fromkeys(self._streams, ">")
        while True:
            try:
                replies = await self._redis.xreadgroup(GROUP, consumer, streams, count, block_ms or None)
            except ResponseError as error:
                if not _group_is_missing(error):
                    raise
                await self._create_groups()
            else:
                return self._deliveries(replies)

    async def _poll(self, consumer: str, block_ms: int, count: int) -> list[Delivery]:
        deadline = monotonic() + block_ms / 1000
        while True:
            pipe = self._redis.pipeline(transaction=False)
            for stream in self._streams:
                pipe.xreadgroup(GROUP, consumer, {stream: ">"}, count)
            replies = await pipe.execute(raise_on_error=False)
            if await self._heal(replies):
                continue
            found = [d for reply in replies if not isinstance(reply, ResponseError) for d in self._deliveries(reply)]
            left = deadline - monotonic()
            if found or left <= 0:
                return found
            await asyncio.sleep(min(POLL_SECONDS, left))

    async def done(self, deliveries: Iterable[Delivery]) -> None:
        """Report what need not be delivered again."""
        pipe = self._redis.pipeline(transaction=False)
        for slot, of_slot in groupby(sorted(deliveries, key=lambda d: d.slot), key=lambda d: d.slot):
            entries = [delivery.entry_id for delivery in of_slot]
            # In this order: what is deleted but not acknowledged is forgotten by the next reclaim.
            pipe.xdel(self._streams[slot], *entries)
            pipe.xack(self._streams[slot], GROUP, *entries)
        if len(pipe):
            await pipe.execute()

    async def reclaim(self, consumer: str, min_idle_ms: int, count: int = 100) -> list[Delivery]:
        """What another dispatcher was given at least `min_idle_ms` ago and never reported, at most `count` a slot."""
        pipe = self._redis.pipeline(transaction=False)
        for stream, start in zip(self._streams, self._claimed_up_to, strict=True):
            pipe.xautoclaim(stream, GROUP, consumer, min_idle_ms, start, count)
        replies = await pipe.execute(raise_on_error=False)
        await self._heal(replies)
        claimed: list[Delivery] = []
        for slot, reply in enumerate(replies):
            if isinstance(reply, ResponseError):
                self._claimed_up_to[slot] = "0-0"
                continue
            self._claimed_up_to[slot] = reply[0].decode()
            claimed += (_delivery(slot, entry_id, fields) for entry_id, fields in reply[1] if fields)
        return claimed

    async def rearm_overdue(self, delay_ms: int, limit: int = 100) -> list[Resent]:
        """Send every overdue bot's turn again, at most `limit` a slot, next in `delay_ms`; what was sent.

        Any number of watchdogs may run: each overdue turn is sent once. After a lost reply the list may be short.
        """
        replies = await asyncio.gather(
            *(
                self._rearm(
                    keys=[keys.deadlines(slot), keys.outbox(slot)], args=[keys.table_prefix(slot), delay_ms, limit]
                )
                for slot in range(len(self._streams))
            )
        )
        return [
            Resent(table_id.decode(), int(version), int(attempt))
            for reply in replies
            for table_id, version, attempt in reply
        ]

    def _deliveries(self, replies: Any) -> list[Delivery]:
        return [
            _delivery(self._slot_of_stream[stream], entry_id, fields)
            for stream, entries in replies or ()
            for entry_id, fields in entries
        ]

    async def _heal(self, replies: Sequence[Any]) -> bool:
        """Create the groups if a reply says that one is missing; whether it was so. Raises any other error."""
        errors = [reply for reply in replies if isinstance(reply, Exception)]
        for error in errors:
            if not _group_is_missing(error):
                raise error
        if errors:
            await self._create_groups()
        return bool(errors)

    async def _create_groups(self) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for stream in self._streams:
            pipe.xgroup_create(stream, GROUP, id="0", mkstream=True)
        for reply in await pipe.execute(raise_on_error=False):
            if isinstance(reply, Exception) and not str(reply).startswith("BUSYGROUP"):
                raise reply


def _group_is_missing(error: Exception) -> bool:
    # UNBLOCKED: the stream was deleted while we waited for it (7.0; later servers say NOGROUP).
    return isinstance(error, ResponseError) and str(error).startswith(("NOGROUP", "UNBLOCKED"))


def _delivery(slot: int, entry_id: bytes, fields: dict[bytes, bytes]) -> Delivery:
    return Delivery(
        slot=slot,
        entry_id=entry_id.decode(),
        kind=fields[b"kind"].decode(),
        table_id=fields[b"table"].decode(),
        version=int(fields[b"version"]),
        seat=int(fields[b"seat"]),
        bot=fields[b"bot"].decode(),
        player_id=fields[b"player"].decode(),
        attempt=int(fields[b"attempt"]),
    )

"""Streams that are kept one a slot, and read by one consumer group: each entry comes to somebody, at least once.

What a consumer read and did not report as done is claimed by another.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from redis.exceptions import ResponseError

from boardgamesbot.store.client import MAX_BLOCK_MS
from boardgamesbot.store.cluster import Cluster
from boardgamesbot.store.errors import Unblocked

if TYPE_CHECKING:
    from redis.asyncio import Redis

POLL_SECONDS = 0.05
"""How often the slots are asked where no single call can wait for them all."""


class Entry(Protocol):
    """One entry of one slot's stream."""

    @property
    def slot(self) -> int: ...

    @property
    def entry_id(self) -> str: ...


E = TypeVar("E", bound=Entry)


class SlotStreams(ABC, Generic[E]):
    """The streams of all slots. Give it as many slots as any table was ever made with.

    A single server is asked for all slots in one call that waits; a Cluster for each by itself (`per_slot`), every
    `POLL_SECONDS`.
    A consumer is named by its process; names that are used again after a restart keep the group small.
    """

    def __init__(self, redis: Redis, streams: Sequence[str], group: str, per_slot: bool | None = None) -> None:
        """`streams` by slot."""
        self._redis = redis
        self._streams = list(streams)
        self._group = group
        self._slot_of_stream = {stream.encode(): slot for slot, stream in enumerate(self._streams)}
        self._per_slot = isinstance(redis, Cluster) if per_slot is None else per_slot
        self._claimed_up_to = ["0-0"] * len(self._streams)

    @abstractmethod
    def _entry(self, slot: int, entry_id: str, fields: dict[bytes, bytes]) -> E | None:
        """An entry as its readers know it; None where it is of a kind that they don't know.

        That one stays for those of the group who do: a newer program runs beside an older one while it is replaced.
        """

    async def read(self, consumer: str, block_ms: int, count: int) -> list[E]:
        """What nobody has been given yet, at most `count` a slot; waits up to `block_ms` for it (2 s at most)."""
        block_ms = min(block_ms, MAX_BLOCK_MS)
        if self._per_slot:
            return await self._poll(consumer, block_ms, count)
        streams: dict[Any, Any] = dict.fromkeys(self._streams, ">")
        while True:
            try:
                replies = await self._redis.xreadgroup(self._group, consumer, streams, count, block_ms or None)
            except ResponseError as error:
                if not _group_is_missing(error):
                    raise
                await self._create_groups()
            else:
                return self._entries(replies)

    async def _poll(self, consumer: str, block_ms: int, count: int) -> list[E]:
        deadline = monotonic() + block_ms / 1000
        while True:
            pipe = self._redis.pipeline(transaction=False)
            for stream in self._streams:
                pipe.xreadgroup(self._group, consumer, {stream: ">"}, count)
            replies = await pipe.execute(raise_on_error=False)
            if await self._heal(replies):
                continue
            found = [e for reply in replies if not isinstance(reply, ResponseError) for e in self._entries(reply)]
            left = deadline - monotonic()
            if found or left <= 0:
                return found
            await asyncio.sleep(min(POLL_SECONDS, left))

    async def done(self, entries: Iterable[E]) -> None:
        """Report what need not be delivered again."""
        pipe = self._redis.pipeline(transaction=False)
        for slot, of_slot in groupby(sorted(entries, key=lambda e: e.slot), key=lambda e: e.slot):
            ids = [entry.entry_id for entry in of_slot]
            # In this order: what is deleted but not acknowledged is forgotten by the next reclaim.
            pipe.xdel(self._streams[slot], *ids)
            pipe.xack(self._streams[slot], self._group, *ids)
        if len(pipe):
            await pipe.execute()

    async def reclaim(self, consumer: str, min_idle_ms: int, count: int = 100) -> list[E]:
        """What another consumer was given at least `min_idle_ms` ago and never reported, at most `count` a slot."""
        pipe = self._redis.pipeline(transaction=False)
        for stream, start in zip(self._streams, self._claimed_up_to, strict=True):
            pipe.xautoclaim(stream, self._group, consumer, min_idle_ms, start, count)
        replies = await pipe.execute(raise_on_error=False)
        await self._heal(replies)
        claimed: list[E] = []
        for slot, reply in enumerate(replies):
            if isinstance(reply, ResponseError):
                self._claimed_up_to[slot] = "0-0"
                continue
            self._claimed_up_to[slot] = reply[0].decode()
            claimed += self._known(slot, reply[1])
        return claimed

    def _entries(self, replies: Any) -> list[E]:
        return [entry for stream, found in replies or () for entry in self._known(self._slot_of_stream[stream], found)]

    def _known(self, slot: int, found: Iterable[tuple[bytes, dict[bytes, bytes]]]) -> list[E]:
        entries = (self._entry(slot, entry_id.decode(), fields) for entry_id, fields in found if fields)
        return [entry for entry in entries if entry is not None]

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
            pipe.xgroup_create(stream, self._group, id="0", mkstream=True)
        for reply in await pipe.execute(raise_on_error=False):
            if isinstance(reply, Exception) and not str(reply).startswith("BUSYGROUP"):
                raise reply


def _group_is_missing(error: Exception) -> bool:
    # Unblocked: the stream was deleted while we waited for it (7.0; later servers say NOGROUP).
    return isinstance(error, Unblocked) or (isinstance(error, ResponseError) and str(error).startswith("NOGROUP"))

"""Finished tables, handed to those who rate them at least once.

A stream a slot, beside the outbox and not in it: dispatchers needn't step over results, nor raters over bots' turns,
and dispatchers of before there were results know nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardgamesbot.store import keys
from boardgamesbot.store.streams import SlotStreams

if TYPE_CHECKING:
    from redis.asyncio import Redis

GROUP = "raters"

RESULTS_KEPT_SECONDS = 30 * 86_400
"""A result that nobody dealt with is forgotten after so long."""


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """A table whose game is over. It may come twice, and late."""

    slot: int
    entry_id: str
    table_id: str
    table: bytes
    """The public table as it ended."""

    @property
    def time_ms(self) -> int:
        """When it ended, in ms by the store's clock."""
        return int(self.entry_id.partition("-")[0])


class Finished(SlotStreams[FinishedTable]):
    """The finished tables of all slots that nobody has dealt with yet."""

    def __init__(self, redis: Redis, slots: int = keys.DEFAULT_SLOTS, *, per_slot: bool = False) -> None:
        streams = [keys.finished(slot) for slot in range(keys.check_slots(slots))]
        super().__init__(redis, streams, GROUP, per_slot=per_slot)

    def _entry(self, slot: int, entry_id: str, fields: dict[bytes, bytes]) -> FinishedTable | None:
        return FinishedTable(slot, entry_id, fields[b"table"].decode(), fields[b"public"])

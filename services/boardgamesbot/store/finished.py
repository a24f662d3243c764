"""Finished tables, handed at least once to those who rate them, and to those who archive them.

Each of the two is a group of readers of its own; a table is forgotten here when all that there should be are done.

A stream a slot, beside the outbox and not in it: dispatchers needn't step over results, nor raters over bots' turns,
and dispatchers of before there were results know nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from boardgamesbot.store import keys
from boardgamesbot.store.scripts import script
from boardgamesbot.store.streams import SlotStreams

if TYPE_CHECKING:
    from redis.asyncio import Redis

RATERS = "raters"
ARCHIVISTS = "archivists"

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

    def __init__(
        self,
        redis: Redis,
        slots: int = keys.DEFAULT_SLOTS,
        *,
        group: str = RATERS,
        archived: bool = False,
        per_slot: bool | None = None,
    ) -> None:
        """As a reader of `group` sees them; `archived`: they are kept for the archivists too, for raters always."""
        streams = [keys.finished(slot) for slot in range(keys.check_slots(slots))]
        super().__init__(redis, streams, group, per_slot)
        self._wanted: Sequence[str] = (RATERS, ARCHIVISTS) if archived else (RATERS,)
        self._done = script(redis, "finished_done")

    async def done(self, entries: Iterable[FinishedTable]) -> None:
        """Report what this group need not be given again."""
        for slot, of_slot in groupby(sorted(entries, key=lambda entry: entry.slot), key=lambda entry: entry.slot):
            ids = [entry.entry_id for entry in of_slot]
            await self._done(keys=[keys.finished(slot)], args=[self._group, len(self._wanted), *self._wanted, *ids])

    def _entry(self, slot: int, entry_id: str, fields: dict[bytes, bytes]) -> FinishedTable | None:
        return FinishedTable(slot, entry_id, fields[b"table"].decode(), fields[b"public"])

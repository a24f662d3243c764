"""What commits left to be done, handed to dispatchers at least once.

Every slot has a stream; the dispatchers are one consumer group on it. What a dispatcher read and did not report as
done is claimed by another; a bot's turn that nobody plays is sent again when it is due. The same
deadlines tell when a person's time is up: that is sent too, and again until somebody has dealt with it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boardgamesbot.store import keys
from boardgamesbot.store.scripts import script
from boardgamesbot.store.streams import SlotStreams

if TYPE_CHECKING:
    from redis.asyncio import Redis

GROUP = "dispatchers"
BOT_TURN = "bot_turn"
CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One thing to be done, and where it came from. It may come twice, and late."""

    slot: int
    entry_id: str
    kind: str
    """What is to be done: `bot_turn`, a bot is to play; `clock`, somebody's time is up."""
    table_id: str
    version: int
    seat: int = -1
    """Of a bot's turn, like what follows."""
    bot: str = ""
    player_id: str = ""
    attempt: int = 0
    """1 when the turn began, one more each time it was sent again."""
    trace: str = ""
    """What it is a consequence of (`Wake.trace`)."""

    @property
    def since_ms(self) -> int:
        """When it came up, or was sent again, in ms by the store's clock."""
        return int(self.entry_id.partition("-")[0])


@dataclass(frozen=True, slots=True)
class Resent:
    """A bot's turn that was sent again, or that somebody's time is up."""

    table_id: str
    version: int
    attempt: int
    """Of the bot's turn; 0 if it is about somebody's time."""


class Outbox(SlotStreams[Delivery]):
    """The outboxes of all slots."""

    def __init__(self, redis: Redis, slots: int = keys.DEFAULT_SLOTS, *, per_slot: bool | None = None) -> None:
        streams = [keys.outbox(slot) for slot in range(keys.check_slots(slots))]
        super().__init__(redis, streams, GROUP, per_slot)
        self._rearm = script(redis, "rearm")

    async def rearm_overdue(
        self, delay_ms: int, limit: int = 100, waiting: Mapping[str, float] | None = None
    ) -> list[Resent]:
        """Send every overdue bot's turn again, and every time that is up, at most `limit` a slot, next in `delay_ms`;
        what was sent.

        `waiting` says for bots whose turns wait for a worker when the oldest of these came up, in ms by the store's
        clock: a turn of theirs that came up no sooner may be among them, and is not sent again.

        Any number of watchdogs may run: each overdue turn is sent once. After a lost reply the list may be short.
        """
        found = json.dumps(dict(waiting or {}))
        replies = await asyncio.gather(
            *(
                self._rearm(
                    keys=[keys.deadlines(slot), keys.outbox(slot)],
                    args=[keys.table_prefix(slot), delay_ms, limit, found],
                )
                for slot in range(len(self._streams))
            )
        )
        return [
            Resent(table_id.decode(), int(version), int(attempt))
            for reply in replies
            for table_id, version, attempt in reply
        ]

    def _entry(self, slot: int, entry_id: str, fields: dict[bytes, bytes]) -> Delivery | None:
        kind = fields.get(b"kind", b"").decode()
        if kind not in (BOT_TURN, CLOCK):
            return None
        about = Delivery(slot, entry_id, kind, fields[b"table"].decode(), int(fields[b"version"]))
        if kind == CLOCK:
            return about
        return replace(
            about,
            seat=int(fields[b"seat"]),
            bot=fields[b"bot"].decode(),
            player_id=fields[b"player"].decode(),
            attempt=int(fields[b"attempt"]),
            trace=fields.get(b"trace", b"").decode(),
        )

"""What those who run the platform can do to a table by hand: each act leaves its trail, in the store and in the log.

The changes themselves are commits like any other: who watches the table sees them at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardgamesbot.runtime import errors, logs
from boardgamesbot.store.tables import NotFound, Stale, Wake
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_PLAYING

if TYPE_CHECKING:
    from boardgamesbot.players.registry import Bot
    from boardgamesbot.rules.live import LiveTable
    from boardgamesbot.rules.tables import Tables
    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.store.audit import AuditTrail
    from boardgamesbot.store.overview import Overview

log = logs.logger(__name__)

REASON_LENGTH = 200
WHO_LENGTH = 64
DONE = "done"


@dataclass(frozen=True)
class Operator:
    """Somebody who runs the platform."""

    who: str
    tables: Tables
    overview: Overview
    trail: AuditTrail
    settings: Settings

    def __post_init__(self) -> None:
        _line(self.who, "as", WHO_LENGTH)

    async def end(self, table_id: str, why: str) -> LiveTable:
        """End a table whose game is not over: no winner, no rating, no record. `why` is shown to its players.

        Raises ApiError.
        """
        _line(why, "reason", REASON_LENGTH)
        return await self._audited("end", table_id, why, lambda _: self.tables.end(table_id, why))

    async def seat_bot(self, table_id: str, seat: int, bot: Bot, why: str) -> LiveTable | None:
        """Give a seat to a bot; a person whose it was may take it again. `why` is shown. Raises ApiError.

        None where that bot has it already: then nothing is done, and nothing written down.
        """
        _line(why, "reason", REASON_LENGTH)
        seats = (await self.tables.live.now(table_id)).table.seats
        if seat < len(seats) and seats[seat].player.bot == bot.id:
            return None
        what = f"seat {seat} bot {bot.id}"
        return await self._audited(what, table_id, why, lambda _: self.tables.seat_bot(table_id, seat, bot, why))

    async def wake(self, table_id: str, why: str) -> str:
        """Wake who has to act: `bot`, `clock`, or `nobody` where a person has no clock. Raises ApiError."""
        _line(why, "reason", REASON_LENGTH)
        woken = ""

        async def wake(live: LiveTable) -> LiveTable:
            nonlocal woken
            try:
                woken = await self.overview.wake(table_id, live.version, bot_on_turn(live), self.settings.bot_again_ms)
            except Stale as error:
                raise errors.stale(live.version, error.current_version) from None
            except NotFound:
                raise errors.table_not_found(table_id) from None
            return live

        await self._audited("wake", table_id, why, wake)
        return woken

    async def _audited(
        self, what: str, table_id: str, why: str, act: Callable[[LiveTable], Awaitable[LiveTable]]
    ) -> LiveTable:
        before = await self.tables.live.now(table_id)
        entry = await self.trail.begin(self.who, what, table_id, why, before.version)
        try:
            after = await act(before)
        except errors.ApiError as error:
            await self.trail.end(entry, f"refused: {error.message}")
            log.info("operator refused", who=self.who, what=what, table=table_id, why=why, reason=error.reason)
            raise
        await self.trail.end(entry, DONE, after.version)
        log.info(
            "operator acted", who=self.who, what=what, table=table_id, why=why, before=before.version,
            after=after.version,
        )  # fmt: skip
        return after


def bot_on_turn(live: LiveTable) -> Wake | None:
    """The bot whose decision it is, None where it is a person's or the game is not on."""
    if live.state is None or live.status != TABLE_STATUS_PLAYING or live.state.actor is None:
        return None
    player = live.table.seats[live.state.actor].player
    if player.kind != PLAYER_KIND_BOT:
        return None
    return Wake(seat=live.state.actor, bot=player.bot, player_id=player.id)


def _line(text: str, field: str, most: int) -> None:
    """Raise ApiError unless it is one line that can be shown."""
    if not text.strip():
        raise errors.invalid_field(field, "is missing")
    if len(text) > most:
        raise errors.invalid_field(field, f"must have at most {most} characters, has {len(text)}")
    if not text.isprintable():
        raise errors.invalid_field(field, "holds characters that can't be shown")

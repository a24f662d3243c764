"""The clocks of a table: reading what is asked for, what a change does to them, showing what is left.

Who has how much time is worked out in the store, by its own clock, with the commit of each change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.duration_pb2 import Duration

from boardgamesbot.runtime import errors
from boardgamesbot.store.tables import Winding
from boardgamesbot.v1 import tables_pb2 as pb
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT

if TYPE_CHECKING:
    from boardgamesbot.rules.live import LiveTable
    from boardgamesbot.store.tables import Clocks, TableStore

LEAST_MS = 100
MOST_MS = 30 * 86_400_000
MOST_INCREMENT_MS = 86_400_000


def clock_asked_for(clock: pb.Clock) -> pb.Clock:
    """The clock of a request, nothing left out. Raises ApiError."""
    if clock.at_zero not in pb.AtZero.values():
        raise errors.invalid_field("clock.at_zero", f"{clock.at_zero} is not one of its values")
    kind = clock.WhichOneof("time")
    if kind is None:
        raise errors.invalid_field("clock.time", "is missing: per_move or bank; or leave the whole clock out")
    if kind == "per_move":
        _want(clock.per_move, LEAST_MS, MOST_MS, "clock.per_move")
    else:
        _want(clock.bank.start, LEAST_MS, MOST_MS, "clock.bank.start")
        _want(clock.bank.increment, 0, MOST_INCREMENT_MS, "clock.bank.increment")
    chosen = pb.Clock()
    chosen.CopyFrom(clock)
    chosen.at_zero = clock.at_zero or pb.AT_ZERO_BOT_PLAYS_ON
    return chosen


def _want(duration: Duration, least: int, most: int, field: str) -> None:
    try:
        ms = duration.ToMilliseconds()
    except ValueError:
        raise errors.invalid_field(field, "is no duration") from None
    if not least <= ms <= most:
        raise errors.invalid_field(field, f"must be {least / 1000:g} to {most / 1000:g} seconds, not {ms / 1000:g}")


def longest_seconds(table: pb.Table) -> float:
    """How long a decision at the table can take without anything happening to the table."""
    if not table.HasField("clock"):
        return 0.0
    clock = table.clock
    start = clock.bank.start.ToMilliseconds() + clock.bank.increment.ToMilliseconds()
    return max(clock.per_move.ToMilliseconds(), start) / 1000


def winding(after: LiveTable, event: pb.WatchResponse, *, only_overdue: bool = False) -> Winding | None:
    """What a change does to the clocks of its table; None if it has none, or its game has not begun."""
    table = after.table
    if not table.HasField("clock"):
        return None
    if after.state is None and event.table_change.kind != pb.TABLE_CHANGE_KIND_ENDED:
        return None
    actor = after.state.actor if after.state and table.status == pb.TABLE_STATUS_PLAYING else None
    runs = actor is not None and table.seats[actor].player.kind != PLAYER_KIND_BOT
    change = event.WhichOneof("change")
    has_bank = table.clock.HasField("bank")
    return Winding(
        seat=actor if runs else None,
        seats=len(table.seats),
        move_ms=None if has_bank else table.clock.per_move.ToMilliseconds(),
        bank_ms=table.clock.bank.start.ToMilliseconds() if has_bank else None,
        increment_ms=table.clock.bank.increment.ToMilliseconds(),
        step={"move_played": 1, "move_undone": -1}.get(change or "", 0),
        only_overdue=only_overdue,
    )


def show(table: pb.Table, clocks: Clocks) -> None:
    """Write into a table what its clocks are."""
    table.ClearField("running")
    if clocks.seat is not None:
        table.running.seat = clocks.seat
        table.running.since.FromMilliseconds(clocks.since_ms)
        table.running.had_ms = clocks.had_ms
    for seat in table.seats:
        seat.ClearField("bank_ms")
        if clocks.banks_ms and (seat.player.kind != PLAYER_KIND_BOT or seat.HasField("away")):
            seat.bank_ms = clocks.banks_ms[seat.seat]


async def count_down(table: pb.Table, store: TableStore) -> None:
    """Write into a table how much time is left at this moment."""
    running = table.running
    gone_ms = await store.now_ms() - running.since.ToMilliseconds()
    running.left_ms = max(0, running.had_ms - max(0, gone_ms))

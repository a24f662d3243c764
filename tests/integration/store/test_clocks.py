"""Clocks are set, stopped and judged with each commit, by the store's clock alone."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.outbox import Outbox, Resent
from boardgamesbot.store.tables import Clocks, Committed, Early, TableStore, Winding
from tests.integration.store.commits import BOT, commit, create
from tests.support.waiting import eventually

PER_MOVE = partial(Winding, seats=3, move_ms=60_000)
BANK = partial(Winding, seats=3, bank_ms=60_000, increment_ms=5_000)


class _Table:
    """A table, commit by commit."""

    def __init__(self, store: TableStore, table_id: str) -> None:
        self.store, self.id, self.version = store, table_id, 1

    async def commit(self, winding: Winding, **more: Any) -> tuple[Committed, Clocks]:
        made = await self.store.commit(commit(self.id, self.version, winding=winding, **more))
        self.version = made.version
        assert made.clocks is not None
        stored = await self.store.load(self.id)
        assert stored is not None
        assert stored.clocks == made.clocks
        return made, made.clocks

    async def later(self, than_ms: int) -> None:
        """Wait until the store's clock shows a later millisecond."""

        async def is_later() -> bool:
            return await self.store.now_ms() > than_ms

        await eventually(is_later)


@pytest.fixture
async def table(store: TableStore) -> _Table:
    return _Table(store, await create(store))


async def test_a_new_decision_has_all_the_time_and_a_seat_that_waits_none_that_runs(table: _Table) -> None:
    made, clocks = await table.commit(PER_MOVE(seat=0))
    assert clocks == Clocks(0, made.time_ms, 60_000, ())
    await table.later(made.time_ms)
    made, clocks = await table.commit(PER_MOVE(seat=2, step=1))
    assert clocks == Clocks(2, made.time_ms, 60_000, ())
    _, clocks = await table.commit(PER_MOVE(seat=None, step=1))
    assert clocks.seat is None


async def test_a_bank_loses_what_passed_between_two_commits_and_gains_at_the_start_of_a_turn(table: _Table) -> None:
    first, clocks = await table.commit(BANK(seat=0))
    assert clocks == Clocks(0, first.time_ms, 65_000, (65_000, 60_000, 60_000))
    await table.later(first.time_ms + 20)
    within, clocks = await table.commit(BANK(seat=0, step=1))
    assert clocks == Clocks(0, first.time_ms, 65_000, (65_000, 60_000, 60_000)), "it runs on within a turn"
    await table.later(within.time_ms)
    second, clocks = await table.commit(BANK(seat=1, step=1))
    left = 65_000 - (second.time_ms - first.time_ms)
    assert left < 65_000 - 20
    assert clocks == Clocks(1, second.time_ms, 65_000, (left, 65_000, 60_000))
    third, clocks = await table.commit(BANK(seat=0, step=1))
    assert clocks.banks_ms[0] == clocks.had_ms == left + 5_000
    assert clocks.since_ms == third.time_ms


async def test_a_bank_stops_while_a_bot_decides_and_never_falls_below_nothing(table: _Table) -> None:
    tiny = partial(Winding, seats=2, bank_ms=1)
    made, _ = await table.commit(tiny(seat=0))
    await table.later(made.time_ms + 5)
    _, clocks = await table.commit(tiny(seat=None, step=1), wake=BOT)
    assert clocks == Clocks(None, 0, 0, (0, 1))
    stopped, clocks = await table.commit(tiny(seat=1, step=1))
    assert clocks == Clocks(1, stopped.time_ms, 1, (0, 1))


async def test_taking_back_and_playing_again_gains_no_time(table: _Table) -> None:
    made, _ = await table.commit(PER_MOVE(seat=0))
    await table.later(made.time_ms)
    second, clocks = await table.commit(PER_MOVE(seat=0, step=1))
    assert clocks.since_ms == second.time_ms, "a decision not come to before starts the clock afresh"
    await table.later(second.time_ms)
    for step in (-1, 1, -1, 1, 0):
        _, clocks = await table.commit(PER_MOVE(seat=0, step=step))
        assert clocks.since_ms == second.time_ms
    third, clocks = await table.commit(PER_MOVE(seat=0, step=1))
    assert clocks.since_ms == third.time_ms


async def test_time_that_is_up_is_sent_once_by_any_number_of_watchdogs_and_again_only_after_the_delay(
    table: _Table, redis: Redis
) -> None:
    outbox = Outbox(redis)
    await table.commit(PER_MOVE(seat=0, move_ms=30))

    async def watched() -> list[Resent]:
        found = await asyncio.gather(*(outbox.rearm_overdue(60_000) for _ in range(5)))
        return [resent for one in found for resent in one]

    assert await eventually(watched) == [Resent(table.id, 2, 0)]
    assert await watched() == []
    (delivery,) = await outbox.read("a", 0, 10)
    assert (delivery.kind, delivery.table_id, delivery.version) == ("clock", table.id, 2)
    deadlines = keys.deadlines(keys.slot_of(table.id))
    again_ms = await redis.zscore(deadlines, table.id)
    assert again_ms is not None, "nobody would call time if this once got lost"
    assert again_ms > await table.store.now_ms() + 30_000
    await redis.zadd(deadlines, {table.id: 1})
    assert await watched() == [Resent(table.id, 2, 0)]


async def test_a_move_in_time_takes_the_deadline_away(table: _Table, redis: Redis) -> None:
    deadlines = keys.deadlines(keys.slot_of(table.id))
    made, _ = await table.commit(PER_MOVE(seat=0))
    assert await redis.zscore(deadlines, table.id) == made.time_ms + 60_000
    await table.commit(PER_MOVE(seat=None, step=1))
    assert await redis.zscore(deadlines, table.id) is None
    made, _ = await table.commit(PER_MOVE(seat=None, step=1), wake=BOT, deadline_ms=7)
    assert await redis.zscore(deadlines, table.id) == made.time_ms + 7


async def test_what_waits_for_time_to_be_up_is_refused_before_and_leaves_no_trace(table: _Table, redis: Redis) -> None:
    await table.commit(PER_MOVE(seat=0))
    before = await redis.hgetall(keys.table(table.id))
    with pytest.raises(Early):
        await table.commit(PER_MOVE(seat=None, only_overdue=True))
    assert await redis.hgetall(keys.table(table.id)) == before
    assert await redis.xlen(keys.events(table.id)) == 2
    made, _ = await table.commit(PER_MOVE(seat=1, move_ms=1, step=1))
    await table.later(made.time_ms + 1)
    _, clocks = await table.commit(PER_MOVE(seat=None, only_overdue=True))
    assert clocks.seat is None
    with pytest.raises(Early):
        await table.commit(PER_MOVE(seat=None, only_overdue=True))

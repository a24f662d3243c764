"""Many look for games at once, several matchers serve them and are killed: each ticket ends once, no table is lost."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from redis.asyncio import Redis

from boardgamesbot.v1.players_pb2 import PLAYER_KIND_GUEST
from tests.support.crowd import Crowd

ENDS = {"matched", "cancelled", "expired", "failed"}


async def _play(redis: Redis, rules: str, number: int) -> Crowd:
    crowd = Crowd(redis, rules, number, Random(number))
    await crowd.play()
    return crowd


async def _check(crowd: Crowd) -> None:
    assert crowd.ends.total() == crowd.number == len(crowd.told)
    for ticket_id, statuses in crowd.told.items():
        ends = [status for status in statuses if status in ENDS]
        assert len(ends) == 1, f"{ticket_id} ended {len(ends)} times: {statuses}"
        assert statuses[-1] == ends[0], f"{ticket_id} went on after its end: {statuses}"
    assert crowd.ends["failed"] == 0
    assert await crowd.tickets.leftovers() == []

    tables = await crowd.tables()
    matches = Counter(table.match_id for table in tables)
    assert set(matches.values()) == {1}, "a match became two tables"
    seats = [seat.player for table in tables for seat in table.seats]
    people = Counter(player.id for player in seats if player.kind == PLAYER_KIND_GUEST)
    assert set(people.values()) == {1}, "a player sits at two tables"

    matched = [ticket_id for ticket_id, statuses in crowd.told.items() if statuses[-1] == "matched"]
    seated = set()
    for ticket_id in matched:
        ticket = await crowd.store.load(ticket_id)
        assert ticket is not None
        assert ticket.match is not None
        assert ticket.match.id in matches
        (table,) = [table for table in tables if table.id == ticket.match.table_id]
        there = {seat.player.id for seat in table.seats}
        for number, seat in enumerate(ticket.match.seats):
            if seat.person is not None:
                assert table.seats[number].player.id == seat.person.id
        assert {person.id for person in ticket.party} <= there
        assert len(table.seats) in ticket.sizes
        seated |= {person.id for person in ticket.party}
    assert seated == set(people), "somebody sits at a table whose ticket says otherwise"


async def test_five_hundred_tickets_each_end_once_and_nobody_sits_twice(redis: Redis, rules: str) -> None:
    crowd = await _play(redis, rules, 500)
    await _check(crowd)
    assert crowd.kills > 3
    assert crowd.ends["matched"] > 200
    assert crowd.ends["cancelled"] > 10
    assert crowd.ends["expired"] > 5


@pytest.mark.long
@pytest.mark.timeout(1800)
async def test_ten_thousand_tickets_each_end_once_and_nobody_sits_twice(redis: Redis, rules: str) -> None:
    crowd = await _play(redis, rules, 10_000)
    await _check(crowd)
    assert crowd.kills > 50
    assert crowd.ends["matched"] > 4_000

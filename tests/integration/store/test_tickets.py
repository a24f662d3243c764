"""A ticket's life: made once, one for each player, kept alive by its players, ended once, leaving nothing behind."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from redis.asyncio import Redis

from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.store.tickets import Busy, Full, Gone, Late, TicketStore
from tests.support.proxy import CuttingProxy
from tests.support.tickets import Tickets, names, new_ticket, person
from tests.support.waiting import eventually

USUAL = {3: 1500.0}


def tickets_of(redis: Redis, *, ttl_ms: int = 60_000, accept_ms: int = 60_000) -> Tickets:
    return Tickets(TicketStore(redis, ttl_ms=ttl_ms, accept_ms=accept_ms), redis)


@pytest.fixture
def tickets(redis: Redis) -> Tickets:
    return tickets_of(redis)


async def test_a_ticket_is_kept_as_it_was_made(tickets: Tickets) -> None:
    await tickets.store.create(new_ticket("Núria", sizes=(3, 4), party=2))
    ticket = await tickets.of("Núria")
    assert (ticket.status, ticket.game, ticket.sizes, ticket.size) == ("party", "agora", range(3, 5), 2)
    assert ticket.party == (person("Núria"),)
    assert ticket.request == new_ticket("Núria").request
    assert ticket.match is None


async def test_the_same_request_again_makes_nothing_and_finds_the_same_ticket(tickets: Tickets) -> None:
    ticket = new_ticket("Ada")
    assert await tickets.store.create(ticket)
    assert not await tickets.store.create(ticket)
    (queue,) = await tickets.store.queues("agora", (3,))
    assert queue.waiting == 1
    await tickets.store.cancel(ticket.id)
    assert not await tickets.store.create(ticket)
    assert await tickets.status("Ada") == ["cancelled"]


async def test_a_player_has_one_live_ticket_in_all_games_together(tickets: Tickets) -> None:
    await tickets.wait("Ada")
    for game in ("agora", "barcelona"):
        second = replace(new_ticket("Ada again", game=game), owner=person("Ada"))
        with pytest.raises(Busy) as caught:
            await tickets.store.create(second)
        assert caught.value.ticket_id == "t-Ada"
    await tickets.store.cancel("t-Ada")
    assert await tickets.store.create(second)


async def test_a_member_of_a_party_can_be_of_no_other_ticket(tickets: Tickets) -> None:
    await tickets.party("Ada", "Bea", sizes=(4,))
    with pytest.raises(Busy):
        await tickets.store.create(new_ticket("Bea"))
    await tickets.store.create(new_ticket("Cleo", party=2))
    with pytest.raises(Busy):
        await tickets.store.join("t-Cleo", person("Ada"), USUAL)
    await tickets.store.cancel("t-Ada")
    await tickets.store.join("t-Cleo", person("Bea"), USUAL)


async def test_a_party_waits_once_it_is_complete_with_the_mean_of_its_ratings(tickets: Tickets) -> None:
    await tickets.store.create(new_ticket("Ada", party=3, sizes=(3, 4), rating=1500.0))
    await tickets.store.join("t-Ada", person("Bea"), {3: 1600.0, 4: 1000.0})
    assert await tickets.form() == 0
    assert await tickets.status("Ada") == ["party"]
    await tickets.store.join("t-Ada", person("Cleo"), {3: 2000.0, 4: 1100.0})
    assert await tickets.status("Ada") == ["waiting"]
    assert names((await tickets.of("Ada")).party) == ["Ada", "Bea", "Cleo"]
    for players, mean in ((3, 1700.0), (4, 1200.0)):
        found: Any = await tickets.redis.zrange(f"{{mm}}:line:agora:{players}:rated:any:3", 0, -1, withscores=True)
        assert [score for _, score in found] == [pytest.approx(mean)]


async def test_joining_again_changes_nothing_and_a_complete_party_takes_nobody(tickets: Tickets) -> None:
    await tickets.party("Ada", "Bea")
    await tickets.store.join("t-Ada", person("Bea"), USUAL)
    with pytest.raises(Full):
        await tickets.store.join("t-Ada", person("Cleo"), USUAL)
    assert names((await tickets.of("Ada")).party) == ["Ada", "Bea"]
    found = await tickets.store.find_party("code-Ada")
    assert found is not None
    assert found.id == "t-Ada"
    await tickets.store.cancel("t-Ada")
    assert await tickets.store.find_party("code-Ada") is None
    with pytest.raises(Gone):
        await tickets.store.join("t-Ada", person("Cleo"), USUAL)


async def test_cancelling_leaves_nothing_and_can_be_done_again(tickets: Tickets) -> None:
    await tickets.wait("Ada")
    await tickets.party("Bea", "Cleo", sizes=(3, 4))
    await tickets.store.create(new_ticket("Dora", party=2))
    for name in ("Ada", "Bea", "Dora", "Ada"):
        await tickets.store.cancel(f"t-{name}")
    assert await tickets.status("Ada", "Bea", "Dora") == ["cancelled"] * 3
    assert await tickets.leftovers() == []
    with pytest.raises(Gone):
        await tickets.store.cancel("t-nobody")


async def test_a_ticket_nobody_cares_for_expires_with_all_that_leads_to_it(redis: Redis) -> None:
    tickets = tickets_of(redis, ttl_ms=80)
    await tickets.wait("Ada")
    await tickets.store.create(new_ticket("Bea", party=2))

    async def gone() -> bool:
        await tickets.store.sweep()
        return await tickets.status("Ada", "Bea") == ["expired", "expired"]

    await eventually(gone)
    assert await tickets.leftovers() == []
    assert not await tickets.store.touch("t-Ada", person("Ada").id)
    assert await tickets.store.create(new_ticket("Cleo"))


async def test_an_expired_ticket_that_nobody_swept_is_met_by_nobody_and_bars_nobody(redis: Redis) -> None:
    tickets = tickets_of(redis, ttl_ms=60_000)
    short = tickets_of(redis, ttl_ms=50)
    await short.wait("Ada")
    await tickets.wait("Bea", "Cleo")

    async def expired() -> bool:
        return await redis.zcount("{mm}:expiring", 0, await tickets.store.now_ms()) == 1

    await eventually(expired)
    assert await tickets.form() == 0
    assert await tickets.status("Ada", "Bea", "Cleo") == ["expired", "waiting", "waiting"]
    await short.store.create(new_ticket("Dora", party=2))
    await eventually(expired)
    assert await tickets.store.create(replace(new_ticket("Dora again"), owner=person("Dora")))
    assert await tickets.status("Dora") == ["expired"]


async def test_a_party_lives_as_long_as_all_of_it_are_there(redis: Redis) -> None:
    tickets = tickets_of(redis, ttl_ms=600)
    await tickets.store.create(new_ticket("Ada", party=2, sizes=(4,)))
    started = await tickets.store.now_ms()
    await tickets.store.join("t-Ada", person("Bea"), {4: 1500.0})

    async def ended() -> bool:
        await tickets.store.touch("t-Ada", person("Ada").id)
        await tickets.store.sweep()
        return await tickets.status("Ada") == ["expired"]

    await eventually(ended)
    assert await tickets.store.now_ms() - started >= 600
    assert await tickets.leftovers() == []


async def test_who_is_heard_of_in_time_stays(redis: Redis) -> None:
    tickets = tickets_of(redis, ttl_ms=800)
    await tickets.wait("Ada", "Bea")
    born = await tickets.store.now_ms()

    async def long_after() -> bool:
        assert await tickets.store.touch("t-Ada", person("Ada").id)
        await tickets.store.sweep()
        return await tickets.store.now_ms() - born > 2000

    await eventually(long_after)
    assert await tickets.status("Ada", "Bea") == ["waiting", "expired"]


async def test_what_has_ended_is_told_for_minutes_and_then_forgotten(tickets: Tickets) -> None:
    await tickets.wait("Ada", "Bea", "Cleo")
    await tickets.store.create(new_ticket("Dora"))
    await tickets.store.cancel("t-Dora")
    assert await tickets.form() == 1
    (delivery,) = await tickets.store.read(0, 10)
    await tickets.store.opened(delivery, "table")
    for key in ("{mm}:ticket:t-Dora", "{mm}:ticket:t-Ada", f"{{mm}}:match:{delivery.match_id}"):
        assert 60 < await tickets.redis.ttl(key) <= 3600


class TestAcceptance:
    """A match that wants to be accepted, is made only of those who are there."""

    async def test_the_last_to_accept_makes_the_match(self, tickets: Tickets) -> None:
        await tickets.party("Ada", "Bea", accept=True, sizes=(3,))
        await tickets.wait("Cleo", accept=True)
        assert await tickets.form() == 1
        match = await tickets.match("Ada")
        assert match is not None
        assert match.deadline_ms is not None
        assert await tickets.store.read(0, 10) == []
        for name, ticket in (("Cleo", "t-Cleo"), ("Ada", "t-Ada"), ("Ada", "t-Ada")):
            await tickets.store.accept(ticket, person(name).id, match.id, yes=True)
            assert await tickets.status("Ada", "Cleo") == ["proposed", "proposed"]
        await tickets.store.accept("t-Ada", person("Bea").id, match.id, yes=True)
        assert await tickets.status("Ada", "Cleo") == ["opening", "opening"]
        assert [d.match_id for d in await tickets.store.read(0, 10)] == [match.id]
        await tickets.store.accept("t-Ada", person("Bea").id, match.id, yes=True)
        with pytest.raises(Late):
            await tickets.store.accept("t-Ada", person("Bea").id, match.id, yes=False)
        assert await tickets.store.read(0, 10) == []

    async def test_who_did_not_ask_for_it_has_accepted(self, tickets: Tickets) -> None:
        await tickets.wait("Ada", "Bea")
        await tickets.wait("Cleo", accept=True)
        assert await tickets.form() == 1
        match = await tickets.match("Cleo")
        assert match is not None
        assert match.accepted == {person("Ada").id, person("Bea").id}
        await tickets.store.accept("t-Cleo", person("Cleo").id, match.id, yes=True)
        assert await tickets.status("Ada", "Bea", "Cleo") == ["opening"] * 3

    @pytest.mark.parametrize("how", ["decline", "cancel"])
    async def test_who_declines_is_out_and_the_others_come_first_again(self, tickets: Tickets, how: str) -> None:
        await tickets.wait("Ada", "Bea", "Cleo", accept=True)
        before = [(await tickets.of(name)).queued_ms for name in ("Ada", "Bea")]
        assert await tickets.form() == 1
        match = await tickets.match("Ada")
        assert match is not None
        await tickets.store.accept("t-Ada", person("Ada").id, match.id, yes=True)
        if how == "decline":
            await tickets.store.accept("t-Cleo", person("Cleo").id, match.id, yes=False)
        else:
            await tickets.store.cancel("t-Cleo")
        assert await tickets.status("Ada", "Bea", "Cleo") == ["waiting", "waiting", "cancelled"]
        assert [(await tickets.of(name)).queued_ms for name in ("Ada", "Bea")] == before
        assert (await tickets.match("Ada"), await tickets.match("Bea")) == (None, None)
        with pytest.raises(Gone):
            await tickets.store.accept("t-Ada", person("Ada").id, match.id, yes=True)
        await tickets.wait("Dora", "Eva", "Fina")
        assert await tickets.form() == 1
        assert await tickets.company("Dora") == ["Ada", "Bea", "Dora"]

    async def test_who_lets_the_time_pass_is_out_and_the_others_come_first_again(self, redis: Redis) -> None:
        tickets = tickets_of(redis, accept_ms=60)
        await tickets.wait("Ada", "Bea", "Cleo", accept=True)
        assert await tickets.form() == 1
        match = await tickets.match("Ada")
        assert match is not None
        for name in ("Ada", "Bea"):
            await tickets.store.accept(f"t-{name}", person(name).id, match.id, yes=True)

        async def over() -> bool:
            await tickets.store.sweep()
            return await tickets.status("Cleo") == ["expired"]

        await eventually(over)
        assert await tickets.status("Ada", "Bea") == ["waiting", "waiting"]

    async def test_accepting_too_late_is_no_accepting(self, redis: Redis) -> None:
        tickets = tickets_of(redis, accept_ms=0)
        await tickets.wait("Ada", "Bea", "Cleo", accept=True)
        assert await tickets.form() == 1
        match = await tickets.match("Ada")
        assert match is not None
        with pytest.raises(Gone):
            await tickets.store.accept("t-Ada", person("Ada").id, match.id, yes=True)
        assert await tickets.status("Ada", "Bea", "Cleo") == ["expired"] * 3
        assert await tickets.leftovers() == []

    async def test_who_goes_away_while_asked_is_out(self, redis: Redis) -> None:
        tickets, short = tickets_of(redis), tickets_of(redis, ttl_ms=600)
        await tickets.wait("Ada", "Bea", accept=True)
        await short.wait("Cleo", accept=True)
        assert await tickets.form() == 1

        async def over() -> bool:
            await tickets.store.sweep()
            return await tickets.status("Ada", "Bea", "Cleo") == ["waiting", "waiting", "expired"]

        await eventually(over)


class TestFromMatchToTable:
    """What is matched becomes one table, whoever dies."""

    async def test_a_match_is_delivered_to_one_and_again_if_that_one_dies(self, tickets: Tickets) -> None:
        await tickets.wait("Ada", "Bea", "Cleo")
        assert await tickets.form() == 1
        (delivery,) = await tickets.store.read(0, 10)
        assert await tickets.store.read(0, 10) == []
        assert await tickets.store.reclaim(60_000) == []
        assert await tickets.store.reclaim(0) == [delivery]
        assert await tickets.store.opened(delivery, "table")
        assert await tickets.store.reclaim(0) == []
        assert not await tickets.store.opened(delivery, "another")
        match = await tickets.match("Ada")
        assert match is not None
        assert match.table_id == "table"
        assert await tickets.status("Ada", "Bea", "Cleo") == ["matched"] * 3
        assert await tickets.leftovers() == []

    async def test_a_match_can_be_cancelled_by_nobody_and_expires_not(self, redis: Redis) -> None:
        tickets = tickets_of(redis, ttl_ms=800)
        await tickets.wait("Ada", "Bea", "Cleo")
        assert await tickets.form() == 1
        assert await redis.zcard("{mm}:expiring") == 0
        born = await tickets.store.now_ms()
        with pytest.raises(Late):
            await tickets.store.cancel("t-Ada")

        async def later() -> bool:
            await tickets.store.sweep()
            return await tickets.store.now_ms() - born > 900

        await eventually(later)
        assert await tickets.status("Ada", "Bea", "Cleo") == ["opening"] * 3
        with pytest.raises(Busy):
            await tickets.store.create(replace(new_ticket("Ada again"), owner=person("Ada")))

    async def test_a_match_that_cannot_become_a_table_frees_its_players(self, tickets: Tickets) -> None:
        await tickets.wait("Ada", "Bea", "Cleo")
        assert await tickets.form() == 1
        (delivery,) = await tickets.store.read(0, 10)
        await tickets.store.failed(delivery)
        assert await tickets.status("Ada", "Bea", "Cleo") == ["failed"] * 3
        assert await tickets.leftovers() == []

    async def test_a_read_that_waits_returns_when_a_match_is_made(self, tickets: Tickets) -> None:
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(tickets.store.read(2_000, 10))
            await tickets.wait("Ada", "Bea", "Cleo")
            assert await tickets.form() == 1
        assert len(reading.result()) == 1


@pytest.mark.usefixtures("alone")
async def test_a_look_whose_reply_was_lost_makes_no_match_twice(tickets: Tickets, redis_server: EmbeddedServer) -> None:
    """The client repeats the call when others have come: the first one's matches stand, and nobody is in two."""
    async with CuttingProxy(redis_server.port) as proxy:
        behind = connect(redis_server.url_at(proxy.port))
        store = TicketStore(behind, ttl_ms=60_000, accept_ms=60_000)
        await store.form(1)
        people = [f"P{i}" for i in range(8)]
        await tickets.wait(*people)
        proxy.cut_next_reply(before_cut=lambda: tickets.wait("Q0", "Q1", "Q2"))
        await store.form(100)
        assert proxy.cuts == 1
        await behind.aclose()
    deliveries = await tickets.store.read(0, 10)
    assert len({d.match_id for d in deliveries}) == len(deliveries) >= 2
    seated = []
    for delivery in deliveries:
        match = await tickets.store.load_match(delivery.match_id)
        assert match is not None
        for name in names([seat.person for seat in match.seats if seat.person]):
            assert (await tickets.of(name)).match == match
            seated.append(name)
    assert len(set(seated)) == len(seated) == 3 * len(deliveries)
    assert set(people[:6]) <= set(seated)


@pytest.mark.usefixtures("alone")
async def test_a_ticket_whose_reply_was_lost_is_made_once(tickets: Tickets, redis_server: EmbeddedServer) -> None:
    async with CuttingProxy(redis_server.port) as proxy:
        behind = connect(redis_server.url_at(proxy.port))
        store = TicketStore(behind, ttl_ms=60_000, accept_ms=60_000)
        await store.create(new_ticket("Bea"))
        proxy.cut_next_reply()
        await store.create(new_ticket("Ada"))
        assert proxy.cuts == 1
        await behind.aclose()
    (queue,) = await tickets.store.queues("agora", (3,))
    assert queue.waiting == 2


async def _cancel_against_match(tickets: Tickets, rounds: int) -> tuple[int, int]:
    """Cancel one of three at the moment they are matched, again and again; gives how often each of the two won."""
    won = {"cancel": 0, "match": 0}
    for number in range(rounds):
        three = [f"{name}{number}" for name in ("Ada", "Bea", "Cleo")]
        await tickets.wait(*three)

        async def cancel(ticket_id: str) -> bool:
            try:
                await tickets.store.cancel(ticket_id)
            except Late:
                return False
            return True

        calls = [tickets.form(), cancel(f"t-{three[0]}")]
        if number % 2:
            calls.reverse()
        outcomes = await asyncio.gather(*calls, tickets.form())
        cancelled = outcomes[number % 2 == 0]
        statuses = await tickets.status(*three)
        deliveries = await tickets.store.read(0, 10)
        if cancelled:
            won["cancel"] += 1
            assert statuses == ["cancelled", "waiting", "waiting"]
            assert deliveries == []
            for name in three[1:]:
                await tickets.store.cancel(f"t-{name}")
        else:
            won["match"] += 1
            assert statuses == ["opening"] * 3
            (delivery,) = deliveries
            await tickets.store.opened(delivery, f"table{number}")
        assert await tickets.leftovers() == []
        await tickets.redis.flushdb()
    return won["cancel"], won["match"]


async def test_cancelling_at_the_moment_of_the_match_one_of_the_two_wins(tickets: Tickets) -> None:
    cancelled, matched = await _cancel_against_match(tickets, 100)
    assert cancelled > 0
    assert matched > 0


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_cancelling_at_the_moment_of_the_match_a_thousand_times(tickets: Tickets) -> None:
    cancelled, matched = await _cancel_against_match(tickets, 1000)
    assert cancelled > 0
    assert matched > 0

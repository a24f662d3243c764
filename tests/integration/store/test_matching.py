"""Who comes together: windows that grow, sizes, options, parties that fit exactly, bots after a while."""

from __future__ import annotations

from collections import Counter

import pytest
from redis.asyncio import Redis

from boardgamesbot.store.tickets import TicketStore, Window
from tests.support.tickets import Tickets
from tests.support.waiting import eventually


@pytest.fixture
def tickets(redis: Redis) -> Tickets:
    return Tickets(TicketStore(redis, ttl_ms=60_000, accept_ms=60_000), redis)


class TestRating:
    """Two meet if they are within the windows of both."""

    NARROW = Window(100, 0, 100)

    async def test_the_near_one_is_taken_at_once_and_the_far_one_left(self, tickets: Tickets) -> None:
        await tickets.wait("Far", rating=1900, sizes=(2,), window=self.NARROW)
        await tickets.wait("Mid", rating=1500, sizes=(2,), window=self.NARROW)
        assert await tickets.form() == 0
        await tickets.wait("Near", rating=1590, sizes=(2,), window=self.NARROW)
        assert await tickets.form() == 1
        assert await tickets.company("Mid") == ["Mid", "Near"]
        assert await tickets.status("Far") == ["waiting"]

    async def test_the_far_one_is_taken_only_after_the_time_it_takes_the_window_to_grow(self, tickets: Tickets) -> None:
        """100 points at first and 300 more a second: 400 points apart is 1 s of waiting, of the younger of both."""
        growing = Window(100, 300, 1000)
        await tickets.wait("Far", rating=1900, sizes=(2,), window=growing)
        await tickets.wait("Mid", rating=1500, sizes=(2,), window=growing)
        assert await tickets.form() == 0
        await eventually(tickets.form)
        match = await tickets.match("Mid")
        assert match is not None
        assert match.formed_ms - (await tickets.of("Mid")).queued_ms >= 1000

    @pytest.mark.parametrize(("mine", "theirs"), [(1000.0, 10.0), (10.0, 1000.0)])
    async def test_the_narrower_of_two_windows_counts(self, tickets: Tickets, mine: float, theirs: float) -> None:
        await tickets.wait("Ada", rating=1500, sizes=(2,), window=Window(mine, 0, mine))
        await tickets.wait("Bea", rating=1511, sizes=(2,), window=Window(theirs, 0, theirs))
        assert await tickets.form() == 0
        await tickets.wait("Cleo", rating=1510, sizes=(2,), window=Window(1000, 0, 1000))
        assert await tickets.form() == 1

    async def test_a_window_never_outgrows_its_most(self, tickets: Tickets) -> None:
        quick = Window(0, 1e6, 50)
        await tickets.wait("Ada", rating=1500, sizes=(2,), window=quick)
        await tickets.wait("Bea", rating=1551, sizes=(2,), window=quick)
        since = await tickets.store.now_ms()

        async def tried_for_a_while() -> bool:
            assert await tickets.form() == 0
            return await tickets.store.now_ms() - since > 600

        await eventually(tried_for_a_while)
        await tickets.wait("Cleo", rating=1501, sizes=(2,), window=Window(50, 0, 50))
        assert await tickets.form() == 1
        assert "Cleo" in await tickets.company("Bea") + await tickets.company("Ada")

    async def test_everybody_is_within_the_windows_of_everybody(self, tickets: Tickets) -> None:
        """1420 and 1580 both suit 1500, but not each other."""
        for name, rating in (("Mid", 1500), ("Low", 1420), ("High", 1580)):
            await tickets.wait(name, rating=rating, sizes=(3,), window=self.NARROW)
        assert await tickets.form() == 0
        await tickets.wait("Lower", rating=1430, sizes=(3,), window=self.NARROW)
        assert await tickets.form() == 1
        assert await tickets.company("Mid") == ["Low", "Lower", "Mid"]

    async def test_the_oldest_comes_first_and_of_the_same_age_the_nearest(self, tickets: Tickets) -> None:
        await tickets.wait("Old", rating=1590, sizes=(2,), window=self.NARROW)
        old = (await tickets.of("Old")).queued_ms

        async def later() -> bool:
            return await tickets.store.now_ms() > old

        await eventually(later)
        await tickets.wait("Near", rating=1501, sizes=(2,), window=Window(5, 0, 5))
        assert await tickets.form() == 0
        await tickets.wait("Mid", rating=1500, sizes=(2,), window=self.NARROW)
        assert await tickets.form() == 1
        assert await tickets.company("Mid") == ["Mid", "Old"]

    async def test_equals_are_matched_in_the_order_they_came(self, tickets: Tickets) -> None:
        people = [f"P{i:02}" for i in range(30)]
        for name in people:
            await tickets.wait(name, sizes=(3,))
            now = await tickets.store.now_ms()
            while await tickets.store.now_ms() == now:
                pass
        await tickets.store.form(1)
        first = await tickets.match("P00")
        assert first is not None
        assert await tickets.company("P00") == ["P00", "P01", "P02"]


class TestSizes:
    """A ticket takes tables of several sizes; the largest that can be filled now is the one."""

    async def test_the_largest_table_that_can_be_filled_is_filled(self, tickets: Tickets) -> None:
        await tickets.wait(*"ABCDE", sizes=(3, 4, 5))
        assert await tickets.form() == 1
        assert await tickets.company("A") == list("ABCDE")

    async def test_nobody_waits_for_a_larger_table_than_can_be_filled(self, tickets: Tickets) -> None:
        await tickets.wait(*"ABC", sizes=(3, 4, 5))
        assert await tickets.form() == 1
        assert await tickets.company("A") == list("ABC")

    async def test_all_take_the_size_of_their_table(self, tickets: Tickets) -> None:
        await tickets.wait("A", "B", sizes=(3,))
        await tickets.wait("C", "D", "E", sizes=(4, 5))
        assert await tickets.form() == 0
        await tickets.wait("F", sizes=(3, 4))
        assert await tickets.form() == 1
        assert await tickets.company("F") == ["C", "D", "E", "F"]
        assert await tickets.status("A", "B") == ["waiting", "waiting"]


class TestOptions:
    """A ticket wants certain options or takes any; games that count and those that don't are two worlds."""

    async def test_different_options_never_meet(self, tickets: Tickets) -> None:
        await tickets.wait("A", sizes=(2,), options="plain")
        await tickets.wait("B", sizes=(2,), options="usual")
        assert await tickets.form() == 0
        await tickets.wait("C", sizes=(2,), options="plain")
        assert await tickets.form() == 1
        assert await tickets.company("A") == ["A", "C"]

    async def test_one_that_takes_any_plays_as_another_wants(self, tickets: Tickets) -> None:
        await tickets.wait("A", sizes=(2,))
        await tickets.wait("B", sizes=(2,), options="plain")
        assert await tickets.form() == 1
        match = await tickets.match("A")
        assert match is not None
        assert match.options == b"plain"

    async def test_two_that_take_any_play_as_usual_and_meet_those_who_want_that(self, tickets: Tickets) -> None:
        await tickets.wait("A", "B", sizes=(2,))
        await tickets.wait("C", sizes=(2,), options="usual")
        await tickets.wait("D", sizes=(2,))
        assert await tickets.form() == 2
        for name in "ABCD":
            match = await tickets.match(name)
            assert match is not None
            assert match.options == b"usual"

    async def test_two_that_want_different_options_do_not_meet_through_a_third(self, tickets: Tickets) -> None:
        await tickets.wait("A")
        await tickets.wait("B", options="plain")
        await tickets.wait("C", options="usual")
        assert await tickets.form() == 0

    async def test_what_counts_and_what_does_not_never_meet(self, tickets: Tickets) -> None:
        await tickets.wait("A", sizes=(2,))
        await tickets.wait("B", sizes=(2,), unrated=True)
        assert await tickets.form() == 0
        await tickets.wait("C", sizes=(2,), unrated=True)
        assert await tickets.form() == 1
        match = await tickets.match("B")
        assert match is not None
        assert match.is_unrated

    async def test_games_never_meet(self, tickets: Tickets) -> None:
        await tickets.wait("A", sizes=(3,))
        await tickets.wait("B", "C", sizes=(3,), game="barcelona")
        assert await tickets.form() == 0


class TestParties:
    """A party sits together, and parties fill a table exactly."""

    async def test_two_parties_and_one_alone_fill_a_table_of_five(self, tickets: Tickets) -> None:
        await tickets.party("A", "a", sizes=(5,))
        await tickets.party("B", "b", sizes=(5,))
        assert await tickets.form() == 0
        await tickets.wait("C", sizes=(5,))
        assert await tickets.form() == 1
        assert await tickets.company("A") == ["A", "B", "C", "a", "b"]

    async def test_older_parties_that_do_not_fit_are_stepped_over(self, tickets: Tickets) -> None:
        """Three and two are older, but with one alone only three fit into four."""
        await tickets.party("B", "b", sizes=(4,))
        await tickets.party("C", "c", "d", sizes=(4,))
        assert await tickets.form() == 0
        await tickets.wait("A", sizes=(4,))
        assert await tickets.form() == 1
        assert await tickets.company("A") == ["A", "C", "c", "d"]
        assert await tickets.status("B") == ["waiting"]

    async def test_a_party_as_large_as_a_table_has_it_to_itself(self, tickets: Tickets) -> None:
        await tickets.party("A", "b", "c", sizes=(3, 4))
        assert await tickets.form() == 1
        assert await tickets.company("A") == ["A", "b", "c"]

    async def test_a_crowd_of_parties_that_do_not_fit_hides_nobody(self, tickets: Tickets) -> None:
        """Forty parties of four look for a fifth; three and two find one another past them."""
        for i in range(40):
            await tickets.party(f"F{i}", *(f"F{i}.{k}" for k in range(3)), sizes=(5,))
        await tickets.party("A", "a", "b", sizes=(5,))
        await tickets.party("C", "c", sizes=(5,))
        assert await tickets.form() == 1
        assert await tickets.company("A") == ["A", "C", "a", "b", "c"]


class TestBots:
    """Bots fill what people leave, after the time that the first of the match has said."""

    async def test_two_of_three_find_a_bot_after_the_wait_and_not_before(self, tickets: Tickets) -> None:
        await tickets.wait("A", "B", sizes=(3,), bots_ms=800)
        assert await tickets.form() == 0
        await eventually(tickets.form)
        match = await tickets.match("A")
        assert match is not None
        assert await tickets.company("A") == ["A", "B", "greedy"]
        assert match.formed_ms - (await tickets.of("A")).queued_ms >= 800

    async def test_who_came_later_and_allows_bots_sits_down_with_who_has_waited(self, tickets: Tickets) -> None:
        await tickets.wait("A", "B", sizes=(3,), bots_ms=60_000)
        await tickets.wait("C", sizes=(4,), bots_ms=60_000)
        await tickets.wait("D", sizes=(3,), bots_ms=0)
        assert await tickets.form() == 1
        assert await tickets.company("D") == ["A", "B", "D"], "they fill the table"
        await tickets.wait("E", sizes=(4,), bots_ms=0)
        assert await tickets.form() == 1
        assert await tickets.company("E") == ["C", "E", "greedy", "greedy"]

    async def test_one_that_wants_no_bots_gets_none(self, tickets: Tickets) -> None:
        await tickets.wait("A", sizes=(3,), bots_ms=0)
        await tickets.wait("B", sizes=(3,))
        assert await tickets.form() == 1
        assert await tickets.company("A") == ["A", "greedy", "greedy"]
        assert await tickets.status("B") == ["waiting"]

    async def test_people_come_before_bots(self, tickets: Tickets) -> None:
        await tickets.wait("A", "B", "C", sizes=(3, 4, 5), bots_ms=0)
        assert await tickets.form() == 1
        assert await tickets.company("A") == ["A", "B", "C"]

    async def test_bots_fill_the_smallest_table_that_holds_the_people(self, tickets: Tickets) -> None:
        await tickets.wait("A", sizes=(3, 4, 5), bots_ms=0, bot="random")
        assert await tickets.form() == 1
        assert await tickets.company("A") == ["A", "random", "random"]
        await tickets.wait("B", sizes=(3,), bots_ms=0)
        await tickets.party("C", "c", "d", sizes=(4, 5), bots_ms=0)
        assert await tickets.form() == 2
        assert await tickets.company("C") == ["C", "c", "d", "greedy"]

    async def test_those_out_of_the_window_do_not_share_a_table_with_bots(self, tickets: Tickets) -> None:
        narrow = Window(100, 0, 100)
        await tickets.wait("A", sizes=(3,), rating=1000, bots_ms=0, window=narrow)
        await tickets.wait("B", sizes=(3,), rating=2000, bots_ms=0, window=narrow)
        assert await tickets.form() == 2


async def test_seats_are_in_an_order_of_chance(tickets: Tickets) -> None:
    """Every person, and the bot, comes to every seat."""
    seen: Counter[tuple[int, str]] = Counter()
    for i in range(60):
        await tickets.wait(f"A{i}", f"B{i}", sizes=(3,), bots_ms=0)
        assert await tickets.form() == 1
        match = await tickets.match(f"A{i}")
        assert match is not None
        seen.update((number, seat.person.name[0] if seat.person else "bot") for number, seat in enumerate(match.seats))
    assert len(seen) == 9
    assert min(seen.values()) >= 5


async def test_queues_tell_who_waits_how_long_it_took_and_how_far_apart_they_were(tickets: Tickets) -> None:
    for name, rating in (("A", 1500), ("B", 1560), ("C", 1620)):
        await tickets.wait(name, rating=rating, sizes=(3,))
    assert await tickets.form() == 1
    await tickets.wait("D", sizes=(3, 4))
    await tickets.party("E", "e", sizes=(4,), window=Window(0, 0, 0), rating=9)
    three, four = await tickets.store.queues("agora", (3, 4))
    assert (three.waiting, four.waiting) == (1, 3)
    assert (three.matches, four.matches) == (1, 0)
    assert three.recent_difference == pytest.approx(80.0)
    assert three.recent_wait_ms is not None
    assert 0 <= three.recent_wait_ms < 10_000
    assert four.recent_wait_ms is None
    assert four.recent_difference is None


async def test_the_next_look_is_due_when_the_next_ticket_is(tickets: Tickets) -> None:
    assert (await tickets.store.form(10)).next_ms is None
    await tickets.wait("A", sizes=(3,), bots_ms=100)
    formed = await tickets.store.form(10)
    assert (formed.tried, formed.made) == (1, 0)
    assert formed.next_ms is not None
    assert 0 < formed.next_ms <= 100

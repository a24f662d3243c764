"""The schedule: fair, paired, the same again, and the same as far as it goes when it grows."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgamesbot.games.base import Malformed
from boardgamesbot.tournament.schedule import Plan, Seating, Tournament, arrangements, rotations

BOTS = ("greedy", "random", "agora@9i", "agora@8i", "agora@7i")


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    """Of Agora: at one table or a league."""
    players = tuple(draw(st.lists(st.integers(3, 5), min_size=1, max_size=2, unique=True)))
    is_league = draw(st.booleans())
    many = {"min_size": 2, "max_size": 4, "unique": True} if is_league else {"min_size": 1, "max_size": min(players)}
    bots = tuple(draw(st.lists(st.sampled_from(BOTS), **many)))  # type: ignore[arg-type]
    return Tournament(
        "agora",
        (),
        players,
        bots,
        games=draw(st.integers(1, 150)),
        seed=draw(st.text(max_size=3)),
        seating=draw(st.sampled_from(Seating)),
        is_league=is_league,
    )


def by_match(tournament: Tournament) -> dict[int, list[Plan]]:
    """The games of each match, in order."""
    found = defaultdict(list)
    for plan in tournament.plans():
        found[plan.number % len(tournament.matches)].append(plan)
    return found


@settings(deadline=None)
@given(tournaments())
def test_at_every_moment_no_bot_has_had_a_seat_much_more_often_than_another(tournament: Tournament) -> None:
    """Not at all after whole rounds; until then by the seats it has at the table, or that it has not."""
    for at, plans in by_match(tournament).items():
        had: Counter[tuple[str, int]] = Counter()
        for number, plan in enumerate(plans, 1):
            had.update((bot, seat) for seat, bot in enumerate(plan.bots))
            is_whole = tournament.matches[at].games_of_whole_rounds(number) == number
            for bot in {bot for bot, _ in had}:
                times = [had[bot, seat] for seat in range(len(plan.bots))]
                seats = max(plan.bots.count(bot), 1)
                allowed = 0 if is_whole else max(1, min(seats, len(plan.bots) - seats))
                assert max(times) - min(times) <= allowed


@settings(deadline=None)
@given(tournaments())
def test_every_deal_is_played_once_in_each_seating_before_the_next(tournament: Tournament) -> None:
    for plans in by_match(tournament).values():
        seatings = tournament.matches[plans[0].number % len(tournament.matches)].seatings
        for first in range(0, len(plans), len(seatings)):
            block = plans[first : first + len(seatings)]
            assert len({(plan.seed, plan.deal) for plan in block}) == 1
            assert [plan.bots for plan in block] == list(seatings[: len(block)])
        assert len({plan.seed for plan in plans}) == -(-len(plans) // len(seatings))


@settings(deadline=None)
@given(tournaments())
def test_numbers_count_the_games_and_more_games_leave_them_as_they_are(tournament: Tournament) -> None:
    plans = list(tournament.plans())
    assert [plan.number for plan in plans] == list(range(tournament.total))
    assert plans == list(replace(tournament, games=tournament.games + 7).plans())[: len(plans)]
    assert plans == list(replace(tournament).plans())


@settings(deadline=None)
@given(tournaments())
def test_a_league_has_every_pair_with_as_many_seats_and_the_same_deals(tournament: Tournament) -> None:
    tournament = replace(tournament, is_league=True, bots=BOTS[:3])
    pairs: Counter[tuple[frozenset[str], int]] = Counter()
    deals = defaultdict(set)
    for match in tournament.matches:
        seats = Counter(bot for seating in match.seatings for bot in seating)
        assert len(set(seats.values())) == 1
        pairs[frozenset(seats), match.players] += 1
    for plan in tournament.plans():
        deals[frozenset(plan.bots), len(plan.bots)].add(plan.seed)
    assert len(pairs) == 3 * len(tournament.players)
    assert set(pairs.values()) == {1}
    for players in tournament.players:
        assert len({frozenset(seeds) for (_, count), seeds in deals.items() if count == players}) == 1


@settings(deadline=None)
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=5))
def test_arrangements_are_all_there_are_and_rotations_those_in_order(line_up: list[str]) -> None:
    assert sorted(arrangements(line_up)) == sorted(set(permutations(line_up)))
    turned = rotations(line_up)
    assert turned[0] == tuple(line_up)
    assert len(set(turned)) == len(turned)
    assert {"".join(one) in "".join(line_up * 2) for one in turned} == {True}


def test_the_last_bot_fills_the_table() -> None:
    tournament = Tournament("agora", (), (3, 5), ("greedy", "random"), 1, "x")
    assert [plan.bots for plan in tournament.plans()] == [("greedy", *["random"] * 2), ("greedy", *["random"] * 4)]


def test_two_against_two_sit_in_every_other_seat() -> None:
    (match,) = Tournament("agora", (), (4,), ("greedy", "random"), 1, "x", is_league=True).matches
    assert match.seatings == (("greedy", "random") * 2, ("random", "greedy") * 2)


def test_whom_the_rules_seat_stays_there() -> None:
    tournament = Tournament("barcelona", (("solo", "HARD"),), (2,), ("greedy",), 3, "x")
    assert [plan.bots for plan in tournament.plans()] == [("greedy", "gaudi")] * 3
    assert len({plan.seed for plan in tournament.plans()}) == 3
    assert not tournament.is_even


def test_another_seed_or_number_of_players_has_other_deals() -> None:
    one = Tournament("agora", (), (3, 4), ("greedy",), 5, "x")
    seeds = [plan.seed for tournament in (one, replace(one, seed="y")) for plan in tournament.plans()]
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"players": (2,)}, "players"),
        ({"players": ()}, "players"),
        ({"games": 0}, "games"),
        ({"bots": ()}, "bots"),
        ({"bots": ("greedy",) * 4}, "bots"),
        ({"bots": ("gaudi",)}, "bots"),
        ({"bots": ("greedy@1s",)}, "bots"),
        ({"bots": ("greedy",), "is_league": True}, "bots"),
        ({"bots": ("greedy", "greedy"), "is_league": True}, "bots"),
        ({"options": (("backs", "RED"),)}, "options.backs"),
        ({"game_id": "chess"}, "game_id"),
    ],
)
def test_what_cannot_be_played_is_refused_by_its_field(changes: dict[str, object], field: str) -> None:
    good = Tournament("agora", (), (3,), ("greedy", "random"), 1, "x")
    good.check()
    with pytest.raises(Malformed) as refused:
        replace(good, **changes).check()  # type: ignore[arg-type]
    assert refused.value.field == field


def test_a_league_where_the_rules_seat_somebody_is_refused() -> None:
    with pytest.raises(Malformed, match="there is no league"):
        Tournament("barcelona", (("solo", "HARD"),), (2,), ("greedy", "random"), 1, "x", is_league=True).check()

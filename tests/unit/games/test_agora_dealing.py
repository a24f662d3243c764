"""Deals for a reader: hidden moves are drawn so that what is seen later still holds."""

from __future__ import annotations

from collections import Counter
from random import Random
from time import perf_counter

import pytest

from boardgamesbot.games.agora.dealing import Contradiction, Deal, Plan
from boardgamesbot.games.agora.movements import Moved, Sighting
from tests.support.agora import BLUE, GAME, GRACIA, RED, YELLOW

DEALT, TAKEN, PLAYED, DISCARDED = Moved.DEALT, Moved.TAKEN, Moved.PLAYED, Moved.DISCARDED


def plan(*sightings: tuple[int, int, int, int], back: int = -1, piles: tuple[int, int] = (0, 0)) -> Plan:
    """The plan of sightings (kind, seat, source, square) of three players; all backs are alike."""
    seen = [Sighting(kind, seat, source, back, square) for kind, seat, source, square in sightings]
    return Plan(3, seen, piles, (-1, -1), GAME.ruleset.district_of, plain=back < 0)


def deals(the_plan: Plan, count: int = 300) -> list[Deal]:
    rng = Random(1)
    return [Deal(the_plan, rng) for _ in range(count)]


def test_a_square_taken_unseen_is_any_of_the_hand_about_as_often() -> None:
    hand = (11, 12, 13)
    taken = Counter(deal.moved[-1] for deal in deals(plan(*[(DEALT, RED, -1, n) for n in hand], (TAKEN, BLUE, RED, 0))))
    assert set(taken) == set(hand)
    assert min(taken.values()) > 70


def test_open_squares_weigh_as_many_as_they_are() -> None:
    sightings = [(DEALT, RED, -1, 11), *[(DEALT, RED, -1, 0)] * 3, (TAKEN, BLUE, RED, 0)]
    taken = sum(deal.moved[-1] == 11 for deal in deals(plan(*sightings), 800))
    assert 150 < taken < 250


def test_a_square_seen_played_later_was_not_the_one_taken() -> None:
    sightings = [(DEALT, RED, -1, 11), (DEALT, RED, -1, 12), (TAKEN, BLUE, RED, 0), (PLAYED, RED, -1, 11)]
    assert {deal.moved[2] for deal in deals(plan(*sightings), 40)} == {12}


def test_a_square_seen_elsewhere_later_went_there() -> None:
    dealt = [(DEALT, RED, -1, n) for n in (11, 12, 13, 14)]
    sightings = [*dealt, (TAKEN, BLUE, RED, 0), (TAKEN, YELLOW, BLUE, 0), (PLAYED, YELLOW, -1, 13)]
    assert {tuple(deal.moved[4:6]) for deal in deals(plan(*sightings), 40)} == {(13, 13)}


def test_a_square_that_can_have_gone_two_ways_goes_both() -> None:
    dealt = [(DEALT, RED, -1, 11), (DEALT, RED, -1, 0), (DEALT, BLUE, -1, 0)]
    sightings = [*dealt, (TAKEN, BLUE, RED, 0), (TAKEN, RED, BLUE, 0), (PLAYED, RED, -1, 11)]
    ways = {deal.moved[3] == 11 for deal in deals(plan(*sightings))}
    assert ways == {True, False}


def test_hands_keep_the_order_in_which_squares_came() -> None:
    sightings = [(DEALT, RED, -1, 11), (DEALT, RED, -1, 12), (TAKEN, RED, BLUE, 13), (PLAYED, RED, -1, 11)]
    the_plan = plan((DEALT, BLUE, -1, 13), *sightings)
    assert Deal(the_plan, Random(1)).hands == [[], [12, 13], []]


def test_every_square_has_one_place() -> None:
    sightings = [(DEALT, seat, -1, 0) for seat in (BLUE, RED, YELLOW) for _ in range(5)]
    deal = Deal(plan(*sightings, piles=(15, 14)), Random(3))
    assert [len(pile) for pile in deal.piles] == [15, 14]
    placed = [*deal.moved, *deal.piles[0], *deal.piles[1], *deal.removed]
    assert sorted(placed) == list(range(1, 61))


@pytest.mark.parametrize(
    "sightings",
    [
        [(PLAYED, RED, -1, 11)],
        [(DEALT, RED, -1, 11), (PLAYED, BLUE, -1, 11)],
        [(DEALT, RED, -1, 11), (PLAYED, RED, -1, 12)],
        [(DEALT, RED, -1, 11), (DISCARDED, RED, -1, 0), (PLAYED, RED, -1, 11)],
        [
            (DEALT, RED, -1, 11),
            (DEALT, RED, -1, 12),
            (TAKEN, BLUE, RED, 0),
            (PLAYED, RED, -1, 11),
            (PLAYED, RED, -1, 12),
        ],
    ],
)
def test_what_can_not_be_is_a_contradiction(sightings: list[tuple[int, int, int, int]]) -> None:
    with pytest.raises(Contradiction):
        Deal(plan(*sightings), Random(1))


def test_more_squares_with_one_back_than_there_are() -> None:
    with pytest.raises(Contradiction, match="one back"):
        Deal(plan(*[(DEALT, RED, -1, 0)] * 7, back=GRACIA), Random(1))


def test_a_contradiction_at_the_end_of_many_choices_is_found_in_time() -> None:
    """Blue's and Red's squares change hands unseen for long, and then one too many is played."""
    dealt = [(DEALT, seat, -1, 10 * seat + n) for seat in (BLUE, RED) for n in range(1, 6)]
    swaps = [(TAKEN, BLUE, RED, 0), (TAKEN, RED, BLUE, 0)] * 40
    played = [(PLAYED, RED, -1, n) for n in (1, 2, 3, 4, 5)] + [(PLAYED, RED, -1, 60)]
    began = perf_counter()
    with pytest.raises(Contradiction):
        Deal(plan(*dealt, *swaps, *played), Random(1))
    assert perf_counter() - began < 5

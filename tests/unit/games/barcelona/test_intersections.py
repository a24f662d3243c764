"""Barcelona, Intersection tiles: BA-I1, BA-I2."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Advanced, Gained, Paid, Scored
from boardgamesbot.games.barcelona.moves import Kind
from tests.support.barcelona import (
    NARROW,
    WIDE,
    action,
    actions,
    at,
    choose,
    effect,
    gained,
    give,
    node,
    order_of,
    own,
    pave,
    position,
    put,
    refused,
    ride,
    settled,
    street,
    whats,
)

COSTS = list(enumerate([1, 1, 2, 2, 3]))


@pytest.mark.parametrize(("built", "cost"), COSTS)
def test_ba_i1_the_leftmost_tile_and_its_cost(built: int, cost: int) -> None:
    state = position()
    own(state, 0, *["E1", "E2", "E3", "E4"][:built])
    give(state, coins=0, cloth=cost)
    action(state, "INTERSECTION")
    (paid,) = gained(choose(state, Kind.INTERSECTION, at("A2")), Paid)
    assert (paid.coins, paid.cloth) == (0, cost)
    assert state.intersections_built[0] == built + 1


@pytest.mark.parametrize(("built", "cost"), COSTS)
def test_ba_i1_without_the_cloth_there_is_no_buying(built: int, cost: int) -> None:
    state = position()
    state.intersections_built[0] = built
    give(state, coins=4, cloth=cost - 1)
    actions(state, "E5")
    assert street("E") not in whats(state, Kind.ACTION)


def test_ba_i1_anywhere_without_a_tile_and_citizens_do_not_matter() -> None:
    state = position()
    own(state, 0, "A1")
    own(state, 1, "B1")
    put(state, "C2", "WM")
    ride(state, 1, "B2-C2")
    action(state, "INTERSECTION")
    assert set(whats(state, Kind.INTERSECTION)) == set(range(25)) - {at("A1"), at("B1")}
    assert refused(state, moves.simple(Kind.INTERSECTION, at("A1"))) == "BA-I1"
    assert refused(state, moves.simple(Kind.INTERSECTION, at("B1"))) == "BA-I1"


def test_ba_i1_on_the_diagonal_it_costs_no_coin() -> None:
    state = position()
    give(state, coins=0)
    action(state, "INTERSECTION")
    choose(state, Kind.INTERSECTION, at("C3"))
    assert state.intersection_owners[at("C3")] == 0


def test_ba_i1_one_for_free_uses_up_the_leftmost_and_costs_nothing() -> None:
    state = position()
    own(state, 0, "E1", "E2")
    give(state, coins=0, cloth=0)
    effect(state, node("intersection free"))
    events = choose(state, Kind.INTERSECTION, at("A3"))
    assert not gained(events, Paid)
    assert state.intersections_built[0] == 3


# BA-I2


@pytest.mark.parametrize(
    ("where", "vp", "cerda", "coins", "cloth"),
    [
        ("A1", 2, 0, 1, 0),
        ("C1", 4, 0, 0, 1),
        ("B2", 2, 2, 1, 0),
        ("C2", 2, 1, 2, 0),
        ("D4", 0, 1, 2, 1),
        ("E5", 2, 0, 1, 0),
        ("B5", 2, 0, 0, 2),
    ],
)
def test_ba_i2_all_that_is_printed_on_the_sections_beside(
    where: str, vp: int, cerda: int, coins: int, cloth: int
) -> None:
    state = position()
    give(state, coins=0, cloth=1)
    action(state, "INTERSECTION")
    choose(state, Kind.INTERSECTION, at(where))
    assert (state.vp[0], state.cerda[0] - 2, state.coins[0], state.cloth[0]) == (vp, cerda, coins, cloth)
    assert settled(state)


def test_ba_i2_what_street_tiles_cover_is_not_seen() -> None:
    state = position()
    give(state, coins=0, cloth=1)
    pave(state, 0, NARROW, "C2-D2")
    pave(state, 1, WIDE, "C1-C2")
    pave(state, 1, NARROW, "A1-B1")
    action(state, "INTERSECTION")
    choose(state, Kind.INTERSECTION, at("C2"))
    assert (state.vp[0], state.cerda[0], state.coins[0], state.cloth[0]) == (0, 3, 1, 0)


def test_ba_i2_trams_and_passengers_cover_nothing() -> None:
    state = position()
    give(state, coins=0, cloth=1)
    ride(state, 1, "A1-B1")
    state.trams[1] = 0
    action(state, "INTERSECTION")
    choose(state, Kind.INTERSECTION, at("A1"))
    assert (state.vp[0], state.coins[0]) == (2, 1)


def test_ba_i2_points_and_steps_first_then_one_gain() -> None:
    state = position()
    action(state, "INTERSECTION")
    events = choose(state, Kind.INTERSECTION, at("C2"))
    assert order_of(events, Scored, Advanced, Gained) == [Scored, Advanced, Gained]
    assert [(event.coins, event.cloth) for event in gained(events, Gained)] == [(2, 0)]


def test_ba_i2_points_and_steps_are_there_when_what_stays_is_asked() -> None:
    state = position()
    give(state, coins=3, cloth=1)
    action(state, "INTERSECTION")
    choose(state, Kind.INTERSECTION, at("C2"))
    assert whats(state, Kind.KEEP) == [4]
    assert (state.vp[0], state.cerda[0]) == (2, 3)


def test_ba_i2_with_all_covered_there_is_nothing_to_gain() -> None:
    state = position()
    pave(state, 1, NARROW, "A1-B1", "A1-A2")
    action(state, "INTERSECTION")
    events = choose(state, Kind.INTERSECTION, at("A1"))
    assert order_of(events, Scored, Advanced, Gained) == []

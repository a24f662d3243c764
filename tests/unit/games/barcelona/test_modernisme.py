"""Barcelona, Modernisme tiles and project spaces: BA-M1 to BA-M3."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import ModernismeShown, Paid
from boardgamesbot.games.barcelona.moves import Kind
from tests.support.barcelona import (
    NARROW,
    SAGRADA,
    SCORINGS,
    action,
    actions,
    asked,
    choose,
    effect,
    gained,
    give,
    may_stop,
    moves_of,
    node,
    own,
    pave,
    position,
    project,
    refused,
    settled,
    stop,
    street,
    whats,
)

# BA-M1


def test_ba_m1_any_tile_shown_into_any_free_project_space() -> None:
    state = position()
    project(state, 0, 2, "LINE")
    project(state, 0, 1, improved=True)
    action(state, "MODERNISME")
    assert {(found.what, found.which) for found in moves_of(state, Kind.MODERNISME)} == {
        (shown, where) for shown in range(4) for where in (0, 1, 3)
    }
    assert refused(state, moves.modernisme(0, 2)) == "BA-M1"


def test_ba_m1_the_display_is_filled_up_at_once_in_the_same_place() -> None:
    state = position()
    new = state.modernisme_stack[-1]
    action(state, "MODERNISME")
    events = state.play(moves.modernisme(1, 3))
    assert state.projects[0][3] == SCORINGS["SERVICE"]
    assert state.shown == [SCORINGS["NARROW"], new, SCORINGS["COBBLESTONE"], SCORINGS["ROWS"]]
    assert len(state.modernisme_stack) == 10
    assert gained(events, ModernismeShown) == [ModernismeShown(new, 1)]


def test_ba_m1_it_costs_nothing() -> None:
    state = position()
    give(state, coins=0, cloth=0)
    action(state, "MODERNISME")
    events = state.play(moves.modernisme(0, 0))
    assert not gained(events, Paid)


def test_ba_m1_with_the_stack_used_up_a_place_stays_empty() -> None:
    state = position()
    state.modernisme_stack = []
    action(state, "MODERNISME")
    state.play(moves.modernisme(2, 0))
    assert state.shown[2] == -1
    action(state, "MODERNISME", seat=1)
    assert whats(state, Kind.MODERNISME) == [0, 1, 3]
    assert refused(state, moves.modernisme(2, 0)) == "BA-M1"


def test_ba_m1_which_tile_comes_next_is_known_to_nobody() -> None:
    state = position()
    assert set(state.view(0).position.modernisme_stack) == {-1}


# BA-M2

COSTS = list(enumerate([1, 1, 2, 2]))


@pytest.mark.parametrize(("improved", "cost"), COSTS)
def test_ba_m2_the_cost_rises_with_the_spaces_improved(improved: int, cost: int) -> None:
    state = position()
    state.improved[0] = [1] * improved + [0] * (4 - improved)
    give(state, cloth=cost)
    action(state, "IMPROVE")
    (paid,) = gained(choose(state, Kind.IMPROVE, 3), Paid)
    assert (paid.coins, paid.cloth, state.cloth[0]) == (0, cost, 0)


@pytest.mark.parametrize(("improved", "cost"), COSTS)
def test_ba_m2_not_without_the_cloth(improved: int, cost: int) -> None:
    state = position()
    state.improved[0] = [1] * improved + [0] * (4 - improved)
    give(state, coins=4, cloth=cost - 1)
    actions(state, "C4")
    assert whats(state, Kind.ACTION) == [street("C")]


def test_ba_m2_each_space_once_and_empty_ones_too() -> None:
    state = position()
    project(state, 0, 0, "LINE", improved=True)
    project(state, 0, 2, "WIDE")
    action(state, "IMPROVE")
    assert whats(state, Kind.IMPROVE) == [1, 2, 3]
    assert refused(state, moves.simple(Kind.IMPROVE, 0)) == "BA-M2"


def test_ba_m2_free_ones_cost_nothing_and_raise_the_later_cost() -> None:
    state = position()
    give(state, cloth=1)
    effect(state, node("improve 2 free"))
    assert may_stop(state)
    events = choose(state, Kind.IMPROVE, 0)
    assert (asked(state), may_stop(state)) == (Kind.IMPROVE, True)
    events += choose(state, Kind.IMPROVE, 1)
    assert not gained(events, Paid)
    assert settled(state)
    actions(state, "C4")
    assert whats(state, Kind.ACTION) == [street("C")], "the third costs 2 cloth"


def test_ba_m2_up_to_two_may_be_one_or_none() -> None:
    state = position()
    effect(state, node("improve 2 free"))
    choose(state, Kind.IMPROVE, 2)
    stop(state)
    assert state.improved[0] == [0, 0, 1, 0]
    effect(state, node("improve 2 free"))
    stop(state)
    assert sum(state.improved[0]) == 1
    assert settled(state)


# BA-M3


def test_ba_m3_a_tile_is_worth_its_value_and_twice_that_if_improved() -> None:
    state = position()
    pave(state, 0, NARROW, "A1-B1", "C1-C2", "E4-E5")
    own(state, 0, "A1")
    project(state, 0, 0, "NARROW")
    assert state.scores() == [3, 0]
    project(state, 0, 0, "NARROW", improved=True)
    assert state.scores() == [6, 0]
    project(state, 0, 1, "INTERSECTION")
    assert state.scores() == [8, 0]


def test_ba_m3_an_improved_space_without_a_tile_is_worth_nothing() -> None:
    state = position()
    pave(state, 0, NARROW, "A1-B1")
    project(state, 0, 0, improved=True)
    assert state.scores() == [0, 0]


def test_ba_m3_the_cerda_multiplier_does_not_matter() -> None:
    state = position()
    give(state, cerda=16)
    pave(state, 0, NARROW, "A1-B1")
    project(state, 0, 0, "NARROW")
    assert state.scores() == [1, 0]


def test_ba_m3_tiles_of_others_are_worth_nothing_to_oneself() -> None:
    state = position()
    pave(state, 0, NARROW, "A1-B1")
    project(state, 1, 0, "NARROW", improved=True)
    state.sagrada_of[0] = [SAGRADA["S1A"]]
    assert state.scores() == [0, 0]

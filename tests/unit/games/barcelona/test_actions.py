"""Barcelona, the eleven Action tiles: BA-K1 to BA-K11."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona.events import Gained, Reason
from boardgamesbot.games.barcelona.moves import Kind
from tests.support.barcelona import (
    SCORINGS,
    SERVICES,
    action,
    actions,
    asked,
    at,
    choose,
    gained,
    give,
    lay,
    may_stop,
    position,
    scored,
    section,
    settled,
    space,
    stop,
    street,
    whats,
)


def test_ba_k1_coins() -> None:
    state = position()
    events = action(state, "COINS")
    (gain,) = gained(events, Gained)
    assert (gain.coins, gain.cloth, gain.reason) == (2, 0, Reason.ACTION)
    assert (state.coins[0], state.cloth[0], state.vp[0]) == (3, 1, 0)
    assert settled(state)


def test_ba_k1_coins_of_a_street_of_the_intersection() -> None:
    state = position()
    actions(state, "A4")
    choose(state, Kind.ACTION, street("A"))
    assert state.coins == [3, 1]


def test_ba_k2_cloth() -> None:
    state = position()
    events = action(state, "CLOTH")
    assert scored(events, Reason.ACTION) == 3
    assert (state.coins[0], state.cloth[0], state.vp[0]) == (1, 2, 3)
    assert settled(state)


def test_ba_k3_cerda() -> None:
    state = position()
    action(state, "CERDA")
    assert state.cerda == [4, 2]
    assert settled(state)


def test_ba_k4_two_narrow_streets_one_after_the_other() -> None:
    state = position()
    action(state, "NARROW")
    choose(state, Kind.SECTION, section("A2-B2"))
    choose(state, Kind.STACK, 2)
    assert state.vp[0] == 2 + 1, "the first one is scored before the second is placed"
    assert asked(state) is Kind.SECTION
    assert section("A2-B2") not in whats(state, Kind.SECTION)
    choose(state, Kind.SECTION, section("A1-A2"))
    choose(state, Kind.STACK, 2)
    assert state.narrow[0] == [2, 2, 1, 3]
    assert (state.streets.count(1), state.streets.count(2)) == (2, 0)
    assert settled(state)


def test_ba_k4_one_narrow_street_is_enough() -> None:
    state = position()
    action(state, "NARROW")
    choose(state, Kind.SECTION, section("A2-B2"))
    choose(state, Kind.STACK, 3)
    stop(state)
    assert sum(state.narrow[0]) == 9
    assert settled(state)


def test_ba_k5_one_wide_street() -> None:
    state = position()
    action(state, "WIDE")
    choose(state, Kind.SECTION, section("A2-B2"))
    choose(state, Kind.STACK, 1)
    assert state.streets[section("A2-B2")] == 2
    assert state.street_owners[section("A2-B2")] == 0
    assert state.wide[0] == [1, 1, 2]
    assert state.vp[0] == 2 + 2
    assert settled(state)


def test_ba_k6_buy_and_place_an_intersection() -> None:
    state = position()
    action(state, "INTERSECTION")
    choose(state, Kind.INTERSECTION, at("A3"))
    assert state.intersection_owners[at("A3")] == 0
    assert (state.intersections_built[0], state.vp[0]) == (1, 2)
    assert settled(state)


def test_ba_k7_place_a_cobblestone() -> None:
    state = position()
    action(state, "COBBLESTONE")
    choose(state, Kind.COBBLESTONE, space(2, 1))
    assert state.sidewalk[space(2, 1)] == 0
    assert (state.cobblestones_placed[0], state.cerda[0]) == (1, 3)
    assert settled(state)


def test_ba_k8_build_a_public_service() -> None:
    state = position()
    give(state, coins=4)
    action(state, "SERVICE")
    choose(state, Kind.SERVICE, 2)
    assert state.services_of[0] == [SERVICES["HOSPITAL_DE_SANT_PAU"]]
    assert (state.coins[0], state.vp[0]) == (1, 10)
    assert settled(state)


def test_ba_k9_take_a_modernisme_tile() -> None:
    state = position()
    action(state, "MODERNISME")
    assert asked(state) is Kind.MODERNISME
    state.play(state.legal_moves()[-1])
    assert state.projects[0] == [-1, -1, -1, SCORINGS["ROWS"]]
    assert settled(state)


def test_ba_k10_improve_one_project_space() -> None:
    state = position()
    give(state, cloth=4)
    action(state, "IMPROVE")
    choose(state, Kind.IMPROVE, 2)
    assert state.improved[0] == [0, 0, 1, 0]
    assert state.cloth[0] == 3
    assert settled(state), "one, not several"


def test_ba_k11_move_the_tram_then_a_passenger() -> None:
    state = position()
    action(state, "TRAM")
    assert asked(state) is Kind.TRAM
    choose(state, Kind.TRAM, section("B1-C1"))
    assert state.trams == [section("B1-C1"), -1]
    assert asked(state) is Kind.PASSENGER
    choose(state, Kind.PASSENGER)
    assert state.passengers[section("B1-C1")] == 0
    assert (state.passengers_placed[0], state.cloth[0]) == (1, 0)


@pytest.mark.parametrize("name", ["NARROW", "WIDE", "INTERSECTION", "COBBLESTONE", "MODERNISME", "IMPROVE", "TRAM"])
def test_ba_t2_an_action_that_can_be_chosen_has_something_to_decide(name: str) -> None:
    state = position()
    lay(state, 1, (1, 2))
    action(state, name)
    assert len(state.legal_moves()) > 1
    assert not may_stop(state)

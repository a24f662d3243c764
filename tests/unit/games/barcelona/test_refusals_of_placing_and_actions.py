"""Refusals of places for citizens and of actions, with the rule that is in the way."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS
from boardgamesbot.games.barcelona.moves import DISPLAY, SIDEWALK, Kind, simple
from boardgamesbot.games.barcelona.state import BarcelonaState
from tests.support import barcelona as support
from tests.support.barcelona import (
    MIDDLE,
    NARROW,
    RULESET,
    UPPER,
    WORKING,
    actions,
    at,
    give,
    hold,
    lay,
    own,
    position,
    project,
    put,
    section,
    serve,
    street,
    turn,
)
from tests.unit.games.barcelona.support_refusals import assert_refused


def test_ba_a1_an_intersection_with_a_citizen_is_not_empty() -> None:
    state = position()
    put(state, "C2", "UM")
    turn(state)
    assert_refused(
        state,
        moves.place(at("C2"), WORKING),
        "BA-A1",
        "C2 is not empty: a citizen of the upper class is on top there",
        details={"intersection": "C2"},
    )


def test_ba_a2_a_class_that_is_not_in_the_hand() -> None:
    state = position()
    turn(state)
    assert_refused(
        state,
        moves.place(at("B2"), UPPER),
        "BA-A2",
        "you hold no citizen of the upper class, only of the working class and middle class",
        details={"class": "upper"},
    )
    hold(state, 0, "UU")
    turn(state)
    assert_refused(state, moves.place(at("B2"), MIDDLE), "BA-A2", "no citizen of the middle class, only of the upper")


def test_ba_a3_the_diagonal_wants_a_coin() -> None:
    state = position()
    give(state, coins=0)
    turn(state)
    assert_refused(
        state,
        moves.place(at("C3"), WORKING),
        "BA-A3",
        "C3 is on the Diagonal, which costs 1 coin, and you have 0",
        details={"intersection": "C3", "cost": "1", "coins": "0"},
    )


def test_ba_a4_who_may_stand_on_the_diagonal_for_free_does_not_take_its_action() -> None:
    state = position()
    support.fill(state, "C3", "B4")
    give(state, coins=0)
    turn(state)
    support.place(state, "C3", "W")
    assert_refused(state, simple(Kind.ACTION, street("/")), "BA-A4", "Tram, the action of the Diagonal, is gone", "C3")


def test_ba_a7_a_street_that_crosses_elsewhere() -> None:
    state = position()
    actions(state, "C2")
    assert_refused(
        state,
        simple(Kind.ACTION, street("D")),
        "BA-A7",
        "street D does not pass C2, where street C and street 2 cross",
        details={"street": "street D", "intersection": "C2"},
    )
    assert_refused(state, simple(Kind.ACTION, street("/")), "BA-A7", "the Diagonal does not pass C2")


def test_ba_a7_an_action_taken_already() -> None:
    state = position()
    actions(state, "A1")
    support.choose(state, Kind.ACTION, street("A"))
    assert_refused(
        state,
        simple(Kind.ACTION, street("A")),
        "BA-A7",
        "you have taken Coins, the action of street A, this turn",
        details={"street": "street A", "action": "Coins"},
    )
    state = position()
    give(state, coins=0)
    actions(state, "C3")
    support.choose(state, Kind.ACTION, street("/"))
    support.choose(state, Kind.TRAM, section("A1-B1"))
    support.stop(state)
    assert_refused(state, simple(Kind.ACTION, street("/")), "BA-A7", "you have taken Tram, the action of the Diagonal")


def _nothing(state: BarcelonaState) -> None:
    """Leave seat 0 without anything to place, pay with or take."""
    give(state, coins=0, cloth=0)
    state.narrow[0], state.wide[0] = [0] * 4, [0] * 3


@pytest.mark.parametrize(
    ("name", "because", "words"),
    [
        ("B", "BA-ST1", "Narrow streets, the action of street B, is not possible: you have no narrow street left"),
        ("3", "BA-ST1", "Wide street, the action of street 3, is not possible: you have no wide street left"),
        ("E", "BA-I1", "your next Intersection tile costs 1 cloth and you have 0"),
        ("4", "BA-M2", "improving a project space costs 1 cloth and you have 0"),
        ("2", "BA-P1", "the cheapest Public Service that you can still build costs 2 coins and you have 0"),
    ],
)
def test_ba_a8_an_action_without_the_means(name: str, because: str, words: str) -> None:
    state = position()
    _nothing(state)
    state.services_taken[3] = 1
    actions(state, name + "1" if name.isalpha() else "A" + name)
    assert_refused(state, simple(Kind.ACTION, street(name)), "BA-A8", words, details={"because": because})


@pytest.mark.parametrize(
    ("name", "because", "words"),
    [
        ("E", "BA-I1", "you have no Intersection tile left"),
        ("D", "BA-C1", "you have no cobblestone left"),
        ("C", "BA-M1", "all your project spaces hold a tile"),
        ("4", "BA-M2", "all your project spaces are improved already"),
        ("2", "BA-P2", "you have built every type of Public Service of which a tile is left"),
    ],
)
def test_ba_a8_an_action_that_one_has_done_as_often_as_one_can(name: str, because: str, words: str) -> None:
    state = position()
    give(state, coins=3, cloth=3)
    own(state, 0, "A1", "A2", "A3", "A4", "A5")
    lay(state, 0, (2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2))
    for where, tile in enumerate(("WIDE", "INTERSECTION", "PASSENGER", "SAGRADA")):
        project(state, 0, where, tile, improved=True)
    serve(state, 0, *(RULESET.services[service].id for service in state.service_types[:4]))
    state.services_taken[4] = 2
    actions(state, name + "1" if name.isalpha() else "A" + name)
    assert_refused(state, simple(Kind.ACTION, street(name)), "BA-A8", words, details={"because": because})


@pytest.mark.parametrize(
    ("name", "because", "words"),
    [
        ("B", "BA-ST1", "every section has a street tile already"),
        ("E", "BA-I1", "every intersection has an Intersection tile already"),
        ("D", "BA-C1", "no space of the Sidewalk is left"),
        ("C", "BA-M1", "no Modernisme tile is left in the display"),
    ],
)
def test_ba_a8_an_action_for_which_nothing_is_left_on_the_boards(name: str, because: str, words: str) -> None:
    state = position()
    state.streets = [NARROW] * SECTIONS
    state.intersection_owners = [1] * INTERSECTIONS
    state.sidewalk = [1] * SIDEWALK
    state.shown = [-1] * DISPLAY
    actions(state, name + "1")
    assert_refused(state, simple(Kind.ACTION, street(name)), "BA-A8", words, details={"because": because})

"""Refusals of moves that answer no question now, and of no answer where one is due."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.moves import STOP
from boardgamesbot.games.barcelona.tasks import Do
from tests.support.barcelona import (
    LEVEL_1,
    NARROW,
    WIDE,
    WORKING,
    action,
    actions,
    at,
    decide,
    give,
    position,
    put,
    section,
    site,
    turn,
)
from tests.unit.games.barcelona.support_refusals import assert_refused, build


def test_ba_e1_nothing_is_left_to_do_when_the_game_is_over() -> None:
    state = position()
    state.over = True
    state.legal = []
    for move in (STOP, moves.place(at("A1"), WORKING), build(site("A1"), LEVEL_1, "A1", "B1")):
        assert_refused(state, move, "BA-E1", "the game is over")


def test_ba_t2_somebody_elses_decision_is_nothing_to_answer() -> None:
    state = position()
    turn(state)
    known = state.view(1).position
    assert_refused(known, moves.place(at("A1"), WORKING), "BA-T2", "nothing is being decided here")
    assert_refused(known, STOP, "BA-T2", "nothing is being decided here")


def test_ba_t2_a_move_of_another_kind_has_to_wait() -> None:
    state = position()
    turn(state)
    assert_refused(
        state,
        build(site("A1"), LEVEL_1, "A1", "B1"),
        "BA-T2",
        "now it is time to place your citizens, not to construct a building",
        details={"asked": "PLACE", "wanted": "BUILD"},
    )
    actions(state, "C2")
    assert_refused(state, moves.PASSENGER, "BA-T2", "time to take an action, or no more, not to place a passenger")


def test_ba_t2_the_same_kind_of_answer_is_asked_for_different_things() -> None:
    state = position(expansion=True)
    decide(state, (Do.WALK_ONE, 2))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the Pedestrian that walks, or none", "not to walk")
    decide(state, (Do.JOY_ANY, 1, 1))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the Pedestrian whose Joy rises")
    decide(state, (Do.START_DIE, 0))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the Pedestrian that starts with more Joy")
    decide(state, (Do.MARKER, site("A1")))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the stack that your marker comes from")
    decide(state, (Do.STREET_STACK, NARROW, section("A1-B1")))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the stack that the street comes from")


def test_ba_t2_placing_cannot_be_declined() -> None:
    state = position()
    turn(state)
    assert_refused(state, STOP, "BA-T2", "you have to place your citizens", details={"asked": "PLACE"})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NARROW", "you have just chosen this, so you have to build a street"),
        ("WIDE", "you have just chosen this, so you have to build a street"),
        ("INTERSECTION", "you have just chosen this, so you have to place an Intersection tile"),
        ("COBBLESTONE", "you have just chosen this, so you have to place a cobblestone"),
        ("SERVICE", "you have just chosen this, so you have to build a Public Service"),
        ("MODERNISME", "you have just chosen this, so you have to take a Modernisme tile"),
        ("IMPROVE", "you have just chosen this, so you have to improve a project space"),
        ("TRAM", "you have just chosen this, so you have to move your tram"),
    ],
)
def test_ba_t2_the_first_piece_of_a_chosen_action_cannot_be_declined(name: str, words: str) -> None:
    state = position()
    give(state, coins=3, cloth=1)
    action(state, name)
    assert_refused(state, STOP, "BA-T2", words)


def test_ba_t2_gains_stacks_and_joy_cannot_be_declined() -> None:
    state = position(expansion=True)
    for task, words in (
        ((Do.RESOURCE, 1, 1), "you have to choose coins or cloth: that can't be declined"),
        ((Do.STREET_STACK, WIDE, section("A1-B1")), "you have to choose the stack that the street comes from"),
        ((Do.MARKER, site("A1")), "you have to choose the stack that your marker comes from"),
        ((Do.SAGRADA, 0), "you have to take a Sagrada Família tile"),
        ((Do.JOY_ANY, 1, 1), "you have to choose the Pedestrian whose Joy rises"),
        ((Do.HEXAGON,), "you have to place a hexagonal cobblestone"),
    ):
        decide(state, task)
        assert_refused(state, STOP, "BA-T2", words)


def test_ba_b1_building_cannot_be_declined_and_a_possible_one_is_named() -> None:
    state = position()
    put(state, "C2", "W")
    put(state, "C3", "W")
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        STOP,
        "BA-B1",
        "a level 1 building is possible on the block B2-C3",
        details={"building": "level 1 building", "site": "the block B2-C3"},
    )

"""Refusals of goods kept, stacks, streets, Intersections and trams."""

from __future__ import annotations

from boardgamesbot.games.barcelona.moves import Kind, simple
from boardgamesbot.games.barcelona.tasks import Do
from tests.support import barcelona as support
from tests.support.barcelona import NARROW, RULESET, WIDE, action, at, decide, give, own, pave, position, section, site
from tests.unit.games.barcelona.support_refusals import assert_refused


def test_ba_r1_the_storage_is_filled_to_the_last_space() -> None:
    state = position()
    give(state, coins=5, cloth=2)
    decide(state, (Do.KEEP,))
    numbers = {"coins": "5", "cloth": "2", "spaces": "4", "least": "2", "most": "4"}
    for kept in (1, 5):
        assert_refused(
            state,
            simple(Kind.KEEP, kept),
            "BA-R1",
            "you have 5 coins and 2 cloth for 4 spaces",
            f"keep 2 to 4 coins, not {kept}",
            details=numbers,
        )
    give(state, coins=6, cloth=0)
    decide(state, (Do.KEEP,))
    assert_refused(state, simple(Kind.KEEP, 3), "BA-R1", "keep 4 coins, not 3")


def test_ba_st1_a_stack_that_is_empty_or_does_not_exist() -> None:
    state = position()
    state.wide[0] = [0, 2, 2]
    decide(state, (Do.STREET_STACK, WIDE, section("A1-B1")))
    assert_refused(
        state, simple(Kind.STACK, 0), "BA-ST1", "stack 1 of your wide streets is empty", details={"stack": "1"}
    )
    assert_refused(state, simple(Kind.STACK, 3), "BA-ST1", "there is no stack 4 of your wide streets, only 3")


def test_ba_b4_a_stack_of_markers_that_is_empty() -> None:
    state = position()
    state.marker_stacks[0] = [2, 0, 3, 3]
    decide(state, (Do.MARKER, site("A1")))
    assert_refused(state, simple(Kind.STACK, 1), "BA-B4", "stack 2 of your markers is empty", details={"stack": "2"})


def test_ba_st1_a_section_has_one_tile() -> None:
    state = position()
    pave(state, 0, WIDE, "B2-C2")
    pave(state, 1, NARROW, "C2-C3")
    action(state, "NARROW")
    assert_refused(
        state,
        simple(Kind.SECTION, section("B2-C2")),
        "BA-ST1",
        "your wide street is on B2-C2 already",
        details={"section": "B2-C2", "there": "wide street"},
    )
    assert_refused(state, simple(Kind.SECTION, section("C2-C3")), "BA-ST1", "Grey's narrow street is on C2-C3 already")


def test_ba_i1_an_intersection_has_one_tile() -> None:
    state = position()
    own(state, 0, "B2")
    own(state, 1, "D4")
    action(state, "INTERSECTION")
    assert_refused(
        state,
        simple(Kind.INTERSECTION, at("D4")),
        "BA-I1",
        "Grey's Intersection tile is on D4 already",
        details={"intersection": "D4"},
    )
    assert_refused(state, simple(Kind.INTERSECTION, at("B2")), "BA-I1", "your Intersection tile is on B2 already")


def test_ba_tr1_a_tram_comes_in_from_outside() -> None:
    state = position()
    action(state, "TRAM")
    assert_refused(
        state,
        simple(Kind.TRAM, section("B3-C3")),
        "BA-TR1",
        "B3-C3 is too far: your tram comes into the city on one of the outer streets, A, E, 1 and 5",
        details={"section": "B3-C3", "steps": "2"},
    )


def test_ba_tr1_a_tram_goes_two_steps() -> None:
    state = position()
    state.trams[0] = section("A1-B1")
    action(state, "TRAM")
    assert_refused(
        state,
        simple(Kind.TRAM, section("D1-E1")),
        "BA-TR1",
        "D1-E1 is more than 2 steps from A1-B1",
        details={"section": "D1-E1", "from": "A1-B1", "steps": "2"},
    )


def test_ba_st1_a_choice_of_streets_of_which_none_is_left() -> None:
    state = position()
    state.wide[0] = [0, 0, 0]
    arc = next(service for service in RULESET.services if service.id == "ARC_DE_TRIOMF")
    support.effect(state, arc.effect)
    assert_refused(state, simple(Kind.CHOICE, 1), "BA-ST1", "you have no wide street left")

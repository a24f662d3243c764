"""Refusals of buildings: the site, the citizens around it, what stands there, and the tiles left."""

from __future__ import annotations

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from tests.support.barcelona import (
    CORNER,
    LEVEL_1,
    LEVEL_2,
    LEVEL_3,
    MIDDLE,
    WORKING,
    at,
    decide,
    house,
    position,
    put,
    site,
)
from tests.unit.games.barcelona.support_refusals import assert_refused, build


def building_position() -> BarcelonaState:
    """Working-class citizens on three sides of the block B2-C3, and enough at A4 for a building somewhere else."""
    state = position()
    for where, citizens in (("B2", "W"), ("C2", "W"), ("C3", "W"), ("A4", "W"), ("B4", "M")):
        put(state, where, citizens)
    return state


def test_ba_b2_a_block_is_no_corner_and_a_corner_no_block() -> None:
    state = building_position()
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        build(site("B2"), CORNER, "B2", "C2"),
        "BA-B2",
        "a corner building needs a corner cut off by the Diagonal, and the block B2-C3 is whole",
        details={"building": "corner building", "site": "the block B2-C3"},
    )
    assert_refused(
        state,
        build(site("C2", 0), LEVEL_1, "C2", "C3"),
        "BA-B2",
        "a level 1 building needs a whole block, which the upper corner of the block C2-D3 is not",
    )


def test_ba_b2_too_few_citizens_around() -> None:
    state = building_position()
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        build(site("B1"), LEVEL_3, "B2", "C2"),
        "BA-B2",
        "a level 3 building takes 3 citizens, and B1, C1, B2 and C2 have only 2",
        details={"citizens": "3", "there": "2"},
    )


def test_ba_b2_the_class_is_not_among_the_top_citizens() -> None:
    state = building_position()
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        build(site("B2"), LEVEL_2, "B2", "C2"),
        "BA-B2",
        "a level 2 building wants a citizen of the middle class, and none is on top on B2, C2, B3 and C3",
        details={"class": "middle"},
    )
    state.citizens[at("B3")] = WORKING + 4 * MIDDLE
    decide(state, (Do.BUILD,))
    assert_refused(state, build(site("B2"), LEVEL_2, "B2", "B3"), "BA-B2", "none is on top on B2, C2, B3 and C3")


def test_ba_b2_other_citizens_have_to_be_used() -> None:
    state = building_position()
    state.citizens[at("B3")] = MIDDLE
    decide(state, (Do.BUILD,))
    where = site("B2")
    assert_refused(
        state,
        build(where, LEVEL_1, "B2", "C2", "B3"),
        "BA-B2",
        "a level 1 building takes 2 citizens, not 3",
        details={"citizens": "2", "chosen": "3"},
    )
    assert_refused(state, build(where, LEVEL_1), "BA-B2", "a level 1 building takes 2 citizens, not 0")
    assert_refused(
        state,
        build(where, LEVEL_2, "B2", "C3"),
        "BA-B2",
        "a level 2 building wants a citizen of the middle class, and none is on top on B2 and C3",
    )
    assert_refused(
        state,
        build(site("B1"), LEVEL_1, "B1", "B2"),
        "BA-B2",
        "no citizen is on B1",
        details={"intersection": "B1"},
    )
    assert_refused(
        state,
        moves.build(site("C2", 0), CORNER, 0b1101),
        "BA-B2",
        "the upper corner of the block C2-D3 has 3 intersections, no more",
    )


def test_ba_b3_only_a_higher_level_goes_over_a_building() -> None:
    state = building_position()
    state.citizens[at("B3")] = MIDDLE
    house(state, site("B2"), (LEVEL_2, 1))
    house(state, site("C2", 0), (CORNER, 0))
    decide(state, (Do.BUILD,))
    for level in (LEVEL_1, LEVEL_2):
        assert_refused(
            state,
            build(site("B2"), level, "B2", "B3"),
            "BA-B3",
            "Grey's level 2 building is on the block B2-C3, and only a higher level goes over it",
            details={"there": "level 2 building"},
        )
    assert_refused(
        state,
        build(site("C2", 0), CORNER, "C2", "C3"),
        "BA-B3",
        "your corner building is on the upper corner of the block C2-D3, and nothing goes over that",
    )


def test_ba_b4_no_tile_of_that_building_is_left() -> None:
    state = building_position()
    state.buildings_left[LEVEL_1] = 0
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        build(site("B2"), LEVEL_1, "B2", "C2"),
        "BA-B4",
        "no tile of a level 1 building is left",
        details={"building": "level 1 building"},
    )

"""Solo against Gaudí: where his meeple moves (BA-G5).

He stands on C3 if nothing else is said; its neighbours are C2, D2, D3, D4, C4, B4, B3, B2, clockwise from the north.
"""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona.events import Criterion, GaudiChose, Matter, Placed
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.state import BarcelonaState
from tests.support.barcelona import (
    CORNER,
    LEFT,
    LEVEL_2,
    LEVEL_3,
    RIGHT,
    alone,
    at,
    choice,
    draws_next,
    fill,
    gained,
    gaudi_turn,
    house,
    name_of,
    put,
    site,
    without_markers,
)

NEIGHBOURS = dict(zip(ARROWS, ["C2", "D2", "D3", "D4", "C4", "B4", "B3", "B2"], strict=True))
ARROW = pytest.mark.parametrize("arrow", ARROWS)


def moves(state: BarcelonaState, citizens: str, arrow: str) -> GaudiChose:
    """His move when he draws these citizens, under an arrow; the meeple and the citizens are where he chose."""
    draws_next(state, citizens)
    events = gaudi_turn(state, next(card for card in ARROWS if card != arrow), arrow)
    made = choice(events, Matter.MEEPLE)
    assert state.meeple == made.chosen == gained(events, Placed)[0].intersection
    assert made.arrow == ARROWS.index(arrow)
    return made


def said(made: GaudiChose) -> tuple[str, Criterion]:
    return name_of(made.chosen), made.criterion


def names(made: GaudiChose) -> set[str]:
    return {name_of(i) for i in made.candidates}


# To a neighbour


@ARROW
def test_ba_g5_to_the_neighbour_that_the_arrow_points_at(arrow: str) -> None:
    """The first citizens of the game: wherever they are, nothing can be built with them."""
    made = moves(alone(), "WM", arrow)
    assert said(made) == (NEIGHBOURS[arrow], Criterion.ARROW)
    assert names(made) == set(NEIGHBOURS.values())
    assert made.allowing == 0, "nothing can be built"


@ARROW
def test_ba_g5_clockwise_to_the_first_neighbour_without_citizens(arrow: str) -> None:
    state = alone()
    without_markers(state)
    order = ARROWS[ARROWS.index(arrow) :] + ARROWS[: ARROWS.index(arrow)]
    for direction in order[:3]:
        put(state, NEIGHBOURS[direction], "W")
    made = moves(state, "WM", arrow)
    assert said(made) == (NEIGHBOURS[order[3]], Criterion.ARROW)
    assert names(made) == {NEIGHBOURS[direction] for direction in order[3:]}


def test_ba_g5_the_only_neighbour_without_citizens() -> None:
    state = alone()
    without_markers(state)
    fill(state, "D4", "A1")
    assert said(moves(state, "WM", "NW")) == ("D4", Criterion.ONLY_ONE)


@pytest.mark.parametrize(("arrow", "expected"), [("N", "B1"), ("SE", "B2"), ("S", "A2"), ("SW", "B1")])
def test_ba_g5_in_a_corner_of_the_city_there_are_three_neighbours(arrow: str, expected: str) -> None:
    """East, southeast and south of it."""
    made = moves(alone(meeple="A1"), "WM", arrow)
    assert names(made) == {"B1", "A2", "B2"}
    assert said(made) == (expected, Criterion.ARROW)


def test_ba_g5_not_to_where_it_stands() -> None:
    """C3 is empty and would allow a building; it is no neighbour of itself."""
    state = alone()
    put(state, "C2", "W")
    put(state, "D2", "W")
    for taken in (LEFT, RIGHT):
        house(state, site("C2", taken), (CORNER, 0))
    made = moves(state, "WW", "S")
    assert "C3" not in names(made)
    assert names(made) == {"D3", "D4", "C4", "B4", "B3", "B2"}


def test_ba_g5_intersection_tiles_and_passengers_do_not_matter() -> None:
    state = alone()
    state.intersection_owners[at("C2")] = 0
    state.passengers[0] = 0
    assert said(moves(state, "WM", "N")) == ("C2", Criterion.ARROW)


# The best building that it allows


def test_ba_g5_where_a_building_can_be_built_before_the_arrow() -> None:
    """A citizen at A1 makes two with B2, around the block between them."""
    state = alone()
    put(state, "A1", "W")
    made = moves(state, "WW", "E")
    assert said(made) == ("B2", Criterion.BEST_BUILDING)
    assert made.allowing == 1


def test_ba_g5_a_corner_before_level_1() -> None:
    """With E1 a placing at D2 allows a corner, with A1 one at B2 allows level 1."""
    state = alone()
    put(state, "A1", "W")
    put(state, "E1", "W")
    assert said(moves(state, "WW", "NW")) == ("D2", Criterion.BEST_BUILDING)


def test_ba_g5_level_2_before_a_corner() -> None:
    """The same, with a middle-class citizen on top."""
    state = alone()
    put(state, "A1", "W")
    put(state, "E1", "W")
    assert said(moves(state, "WM", "NE")) == ("B2", Criterion.BEST_BUILDING)


def test_ba_g5_level_3_before_level_2() -> None:
    """With E4 and E5 an upper-class citizen at D4 makes three; at B2 there would be the middle class of A1."""
    state = alone()
    put(state, "A1", "M")
    put(state, "E4", "W")
    put(state, "E5", "W")
    assert said(moves(state, "WU", "NW")) == ("D4", Criterion.BEST_BUILDING)


def test_ba_g5_the_one_on_top_is_what_counts() -> None:
    """Level 2 wants middle class on top, and the upper class covers it: level 1 at B2, so the corner is better."""
    state = alone()
    put(state, "A1", "W")
    put(state, "E1", "W")
    assert said(moves(state, "MU", "NW")) == ("D2", Criterion.BEST_BUILDING)


def test_ba_g5_of_equally_good_ones_by_the_arrow() -> None:
    """B2 is occupied and makes two with C2 as well as with B3: level 2 either way. C2 is north, B3 west."""
    for arrow, expected in (("E", "B3"), ("NW", "C2"), ("N", "C2"), ("NE", "B3")):
        state = alone()
        put(state, "B2", "W")
        made = moves(state, "WM", arrow)
        assert said(made) == (expected, Criterion.ARROW)
        assert names(made) == set(NEIGHBOURS.values()) - {"B2"}
        assert made.allowing == 2


def test_ba_g5_the_best_building_anywhere_in_the_city_counts() -> None:
    """Three citizens far off allow level 3 whatever he does, so the corner at D2 is no reason to go there."""
    state = alone()
    put(state, "A1", "U")
    put(state, "B1", "W")
    put(state, "A2", "W")
    put(state, "E1", "W")
    assert said(moves(state, "WW", "S")) == ("C4", Criterion.ARROW)


def test_ba_g5_a_building_that_can_not_stand_there_is_none() -> None:
    """Where B2 would allow level 2 there is one already, and over it only level 3 could be built."""
    state = alone()
    put(state, "A1", "W")
    house(state, site("A1"), (LEVEL_2, 0))
    assert said(moves(state, "WM", "E")) == ("D3", Criterion.ARROW)


def test_ba_g5_a_building_of_which_no_tile_is_left_is_none() -> None:
    """No corner is left, so D2 allows nothing, and level 1 at B2 is the best."""
    state = alone()
    put(state, "A1", "W")
    put(state, "E1", "W")
    state.buildings_left[CORNER] = 0
    assert said(moves(state, "WW", "NE")) == ("B2", Criterion.BEST_BUILDING)


def test_ba_g5_nothing_tells_neighbours_apart_without_a_marker() -> None:
    state = alone()
    without_markers(state)
    put(state, "A1", "W")
    assert said(moves(state, "WW", "E")) == ("D3", Criterion.ARROW)


def test_ba_g5_who_owns_a_building_that_is_built_over_does_not_matter() -> None:
    for owner in (0, 1):
        state = alone()
        put(state, "A1", "W")
        put(state, "A2", "U")
        house(state, site("A1"), (LEVEL_2, owner))
        assert said(moves(state, "WM", "E")) == ("B2", Criterion.BEST_BUILDING)
        assert state.buildings[site("A1")] == LEVEL_3


# To the nearest empty intersection, if no neighbour is


def test_ba_g5_else_to_the_nearest_before_the_arrow() -> None:
    """From A1 it is two steps of a king to C3, and three to A4, where the arrow points."""
    state = alone(meeple="A1")
    without_markers(state)
    fill(state, "C3", "A4")
    made = moves(state, "WM", "S")
    assert said(made) == ("C3", Criterion.NEAREST)
    assert names(made) == {"C3", "A4"}


@pytest.mark.parametrize(("arrow", "expected"), [("N", "C1"), ("E", "E3"), ("NE", "E3"), ("SE", "C1")])
def test_ba_g5_of_equally_near_ones_by_the_arrow(arrow: str, expected: str) -> None:
    state = alone()
    without_markers(state)
    fill(state, "C1", "E3")
    assert said(moves(state, "WM", arrow)) == (expected, Criterion.ARROW)


def test_ba_g5_of_equally_near_ones_by_the_arrow_from_where_it_stands() -> None:
    """C1 is east of A1, A3 south of it."""
    state = alone(meeple="A1")
    without_markers(state)
    fill(state, "C1", "A3")
    assert said(moves(state, "WM", "SW")) == ("C1", Criterion.ARROW)


def test_ba_g5_of_equally_near_ones_in_one_direction_the_higher_then_the_one_further_left() -> None:
    """All southeast of C3 and two steps away: E4 is higher than D5 and E5, though further right than D5."""
    for free, expected in ((("E4", "D5", "E5"), "E4"), (("D5", "E5"), "D5")):
        state = alone()
        without_markers(state)
        fill(state, *free)
        assert said(moves(state, "WM", "SE")) == (expected, Criterion.ARROW)


def test_ba_g5_what_a_far_place_allows_does_not_matter() -> None:
    """Only corners are in supply. D1 would allow one, with D2; the arrow points at C1, which would not."""
    state = alone()
    state.buildings_left = [0, 0, 0, 8]
    for name in ("C3", *NEIGHBOURS.values()):
        put(state, name, "W")
    for block in ("C2", "B3"):
        for half in (LEFT, RIGHT):
            house(state, site(block, half), (CORNER, 0))
    assert said(moves(state, "WW", "N")) == ("C1", Criterion.ARROW)


def test_ba_g5_its_own_intersection_is_the_nearest_if_it_is_empty() -> None:
    """The citizens there were used; all neighbours have some."""
    state = alone()
    without_markers(state)
    fill(state, "C3", "C1", "E5")
    assert said(moves(state, "WM", "N")) == ("C3", Criterion.NEAREST)

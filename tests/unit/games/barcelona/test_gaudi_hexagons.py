"""Solo against Gaudí: where his hexagonal cobblestones go (BA-G15).

Spaces count from 0. Clockwise from the north lie 2, 4, 5, 3, 1, 0 round the left violet stone; 6, 8, 9, 7, 5, 4 round
the middle one; 10, 12, 13, 11, 9, 8 round the right one. 4 and 9 give four points; 0, 3, 6, 11 and 12 three.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from boardgamesbot.games.barcelona.events import Criterion, HexagonPlaced, Matter, Reason
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from tests.support.barcelona import GAUDI, alone, choice, gained, gaudi_effect, give, node, resources, scored

FOUR, THREE = {4, 9}, {0, 3, 6, 11, 12}
MIDDLE, LEFT, RIGHT = {4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 5}, {8, 9, 10, 11, 12, 13}


def placed(arrow: str, taken: Iterable[int] = (), *, owner: int = 0) -> tuple[int, Criterion]:
    """Where his stone goes under an arrow, with stones on these spaces, and what decides."""
    state = alone(expansion=True, arrow=arrow)
    for space in taken:
        state.hexagons[space] = owner
    state.path[2 * GAUDI] = 3
    events = gaudi_effect(state, node("move barcelona 1"))
    made = choice(events, Matter.HEXAGON)
    assert gained(events, HexagonPlaced) == [HexagonPlaced(GAUDI, made.chosen, -1, 0)]
    assert sorted(made.candidates) == [space for space in range(14) if space not in set(taken)]
    assert made.arrow == ARROWS.index(arrow)
    assert state.hexagons[made.chosen] == GAUDI
    return made.chosen, made.criterion


@pytest.mark.parametrize(
    ("arrow", "expected"),
    [("N", 9), ("NE", 9), ("E", 9), ("SE", 9), ("S", 4), ("SW", 4), ("W", 4), ("NW", 4)],
)
def test_ba_g15_four_points_by_the_arrow_from_the_middle_stone(arrow: str, expected: int) -> None:
    """9 lies southeast of it, 4 northwest."""
    assert placed(arrow) == (expected, Criterion.ARROW)


@pytest.mark.parametrize("arrow", ARROWS)
@pytest.mark.parametrize(("taken", "left"), [(4, 9), (9, 4)])
def test_ba_g15_four_points_before_what_the_arrow_points_at(arrow: str, taken: int, left: int) -> None:
    assert placed(arrow, [taken]) == (left, Criterion.MOST_POINTS)


@pytest.mark.parametrize("arrow", ARROWS)
def test_ba_g15_then_three_points_round_the_middle_stone_first(arrow: str) -> None:
    """6 is the one there; four more are round the other stones."""
    assert placed(arrow, FOUR) == (6, Criterion.ARROW)


@pytest.mark.parametrize("arrow", ARROWS)
def test_ba_g15_three_points_before_a_nearer_space_without(arrow: str) -> None:
    """12 is round the right stone only; round the middle one 5, 7 and 8 are free."""
    assert placed(arrow, FOUR | THREE - {12}) == (12, Criterion.MOST_POINTS)


@pytest.mark.parametrize(
    ("arrow", "expected"),
    [("N", 3), ("NE", 3), ("E", 3), ("SE", 3), ("S", 3), ("SW", 0), ("W", 0), ("NW", 0)],
)
def test_ba_g15_then_three_points_round_the_left_stone_before_the_right_one(arrow: str, expected: int) -> None:
    """3 lies south of it, 0 northwest."""
    assert placed(arrow, FOUR | {6}) == (expected, Criterion.ARROW)


@pytest.mark.parametrize(
    ("arrow", "expected"),
    [("N", 12), ("NE", 12), ("E", 11), ("SE", 11), ("S", 11), ("SW", 12), ("W", 12), ("NW", 12)],
)
def test_ba_g15_then_three_points_round_the_right_stone(arrow: str, expected: int) -> None:
    """12 lies northeast of it, 11 south."""
    assert placed(arrow, FOUR | {6, 0, 3}) == (expected, Criterion.ARROW)


@pytest.mark.parametrize(
    ("arrow", "expected"),
    [("N", 8), ("NE", 8), ("E", 7), ("SE", 7), ("S", 7), ("SW", 5), ("W", 8), ("NW", 8)],
)
def test_ba_g15_then_the_first_free_space_round_the_middle_stone(arrow: str, expected: int) -> None:
    """8 lies northeast of it, 7 south, 5 southwest; east goes on to southeast, west to northwest."""
    assert placed(arrow, FOUR | THREE) == (expected, Criterion.ARROW)


@pytest.mark.parametrize(
    ("arrow", "expected"),
    [("N", 2), ("NE", 1), ("E", 1), ("SE", 1), ("S", 1), ("SW", 1), ("W", 2), ("NW", 2)],
)
def test_ba_g15_then_round_the_left_one(arrow: str, expected: int) -> None:
    """2 lies north of it, 1 southwest."""
    assert placed(arrow, FOUR | THREE | MIDDLE) == (expected, Criterion.ARROW)


@pytest.mark.parametrize(
    ("arrow", "expected"),
    [("N", 10), ("NE", 13), ("E", 13), ("SE", 13), ("S", 10), ("SW", 10), ("W", 10), ("NW", 10)],
)
def test_ba_g15_then_round_the_right_one(arrow: str, expected: int) -> None:
    """10 lies north of it, 13 southeast."""
    assert placed(arrow, FOUR | THREE | MIDDLE | LEFT) == (expected, Criterion.ARROW)


@pytest.mark.parametrize("arrow", ["E", "W"])
def test_ba_g15_east_goes_on_to_southeast_and_west_to_northwest(arrow: str) -> None:
    """Of 5, southwest of the middle stone, and 8, northeast of it."""
    taken = set(range(14)) - {5, 8}
    assert placed(arrow, taken) == ({"E": 5, "W": 8}[arrow], Criterion.ARROW)
    assert placed("SE" if arrow == "E" else "NW", taken) == placed(arrow, taken)


def test_ba_g15_the_last_free_space() -> None:
    assert placed("N", set(range(14)) - {13}) == (13, Criterion.ONLY_ONE)


def test_ba_g15_his_own_stones_are_in_the_way_too() -> None:
    assert placed("N", [9], owner=GAUDI) == (4, Criterion.MOST_POINTS)


@pytest.mark.parametrize("taken", [set(), set(range(14)) - {5}, set(range(14)) - {10}])
def test_ba_g15_a_resource_instead_of_what_it_covers(taken: set[int]) -> None:
    """Four points, a Cerdà step, a cloth: none of it, whatever the violet stones count."""
    state = alone("NORMAL", expansion=True)
    give(state, GAUDI, cerda=16)
    for space in taken:
        state.hexagons[space] = 0
    state.path[2 * GAUDI] = 3
    events = gaudi_effect(state, node("move barcelona 1"))
    assert resources(events, Reason.HEXAGON) == [1]
    assert scored(events, Reason.HEXAGON, GAUDI) == 0
    assert state.vp[GAUDI] == 12 + 2
    assert (state.cerda[GAUDI], state.coins[GAUDI], state.cloth[GAUDI]) == (16, 0, 0)

"""Solo against Gaudí: directions and arrow order (BA-G3).

Expected orders are read off the map: from C3, which is Gaudí's start, or from another place named.
"""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona.events import Criterion, Matter
from boardgamesbot.games.barcelona.gaudi.arrows import (
    ARROWS,
    MIDDLES,
    POINTS,
    Point,
    centre,
    kings_distance,
    of_intersection,
    order,
    turns,
)
from tests.support.barcelona import (
    CARDS,
    GAUDI,
    LEFT,
    RIGHT,
    RULESET,
    alone,
    at,
    choice,
    gaudi_turn,
    name_of,
    section,
    shows,
    site,
    space,
    without_markers,
)

AROUND_C3 = {
    "N": ["C1", "C2"],
    "NE": ["D1", "E1", "D2", "E2"],
    "E": ["D3", "E3"],
    "SE": ["D4", "E4", "D5", "E5"],
    "S": ["C4", "C5"],
    "SW": ["A4", "B4", "A5", "B5"],
    "W": ["A3", "B3"],
    "NW": ["A1", "B1", "A2", "B2"],
}
"""The other intersections by their direction from C3; in one the higher first, then the one further left."""
NEIGHBOURS = dict(zip(ARROWS, ["C2", "D2", "D3", "D4", "C4", "B4", "B3", "B2"], strict=True))
ARROW = pytest.mark.parametrize("arrow", ARROWS)


def clockwise(arrow: str) -> list[str]:
    """The eight directions from an arrow on."""
    names = list(AROUND_C3)
    first = names.index(arrow)
    return names[first:] + names[:first]


def eighths(arrow: str, origin: Point, point: Point) -> int:
    return turns(ARROWS.index(arrow), origin, point)


@ARROW
def test_ba_g3_clockwise_from_the_arrow_then_higher_then_further_left(arrow: str) -> None:
    origin = POINTS[at("C3")]
    found = sorted(range(25), key=lambda i: order(ARROWS.index(arrow), origin, POINTS[i]))
    expected = [name for direction in clockwise(arrow) for name in AROUND_C3[direction]]
    assert [name_of(i) for i in found] == [*expected, "C3"]


@ARROW
def test_ba_g3_the_place_that_is_measured_from_comes_last(arrow: str) -> None:
    here = POINTS[at("B4")]
    assert eighths(arrow, here, here) > max(eighths(arrow, here, POINTS[i]) for i in range(25) if i != at("B4"))


@pytest.mark.parametrize(
    ("origin", "point", "direction"),
    [
        ("A1", "E2", "SE"),
        ("A1", "B5", "SE"),
        ("E5", "D1", "NW"),
        ("E5", "A4", "NW"),
        ("A5", "A1", "N"),
        ("B2", "B3", "S"),
    ],
)
def test_ba_g3_only_the_signs_of_the_distances_count(origin: str, point: str, direction: str) -> None:
    assert eighths(direction, POINTS[at(origin)], POINTS[at(point)]) == 0


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("C2-C3", "N"),
        ("C1-C2", "N"),
        ("C3-D3", "E"),
        ("D3-E3", "E"),
        ("C3-C4", "S"),
        ("B3-C3", "W"),
        ("C2-D2", "NE"),
        ("D2-D3", "NE"),
        ("D3-D4", "SE"),
        ("A4-A5", "SW"),
        ("B2-C2", "NW"),
        ("A1-B1", "NW"),
    ],
)
def test_ba_g3_a_section_is_where_its_middle_is(name: str, direction: str) -> None:
    assert eighths(direction, POINTS[at("C3")], MIDDLES[section(name)]) == 0


def test_ba_g3_middles_of_sections_are_exact() -> None:
    """D1-D2 has its middle half a block above C2-D2 and to the right of it: it comes first for being higher."""
    higher, lower = MIDDLES[section("D1-D2")], MIDDLES[section("C2-D2")]
    assert (higher.y, higher.x) == (6, 36)
    assert (lower.y, lower.x) == (12, 30)
    assert order(0, POINTS[at("C3")], higher) < order(0, POINTS[at("C3")], lower)


@pytest.mark.parametrize(
    ("name", "half", "x", "y"),
    [
        ("A1", None, 6, 6),
        ("D4", None, 42, 42),
        ("D1", LEFT, 40, 4),
        ("D1", RIGHT, 44, 8),
        ("B3", LEFT, 16, 28),
        ("B3", RIGHT, 20, 32),
    ],
)
def test_ba_g3_a_site_is_at_the_mean_of_its_intersections(name: str, half: int | None, x: int, y: int) -> None:
    """In twelfths of a block: a half of a block that the diagonal cuts has its centre at a third of it."""
    assert centre(RULESET.city.sites[site(name, half)]) == Point(x, y)


def test_ba_g3_the_sidewalk_has_directions_of_its_own() -> None:
    start = of_intersection(space(2, 2))
    assert eighths("N", start, of_intersection(space(1, 2))) == 0
    assert eighths("NE", start, of_intersection(space(0, 3))) == 0
    assert eighths("W", start, of_intersection(space(2, 0))) == 0


@pytest.mark.parametrize(
    ("one", "other", "steps"), [("C3", "C3", 0), ("C3", "D4", 1), ("C3", "D3", 1), ("A1", "C3", 2), ("A1", "B4", 3)]
)
def test_ba_g3_a_diagonal_step_is_one_step(one: str, other: str, steps: int) -> None:
    assert kings_distance(at(one), at(other)) == kings_distance(at(other), at(one)) == steps


@ARROW
def test_ba_g3_the_arrow_on_top_when_the_card_is_face_up_counts(arrow: str) -> None:
    """The card turned up shows another arrow; that is not the one."""
    card = clockwise(arrow)[3]
    state = alone()
    without_markers(state)
    made = choice(gaudi_turn(state, card, arrow), Matter.MEEPLE)
    assert (made.seat, made.arrow, made.criterion) == (GAUDI, ARROWS.index(arrow), Criterion.ARROW)
    assert name_of(made.chosen) == NEIGHBOURS[arrow]


@ARROW
def test_ba_g3_each_card_has_the_arrow_of_its_name(arrow: str) -> None:
    state = alone(arrow=arrow)
    assert RULESET.gaudi.cards[state.deck[-1]].arrow == ARROWS.index(arrow)
    shows(state, arrow)
    assert sorted(state.deck) == sorted(CARDS.values())

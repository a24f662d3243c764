"""Solo against Gaudí: cobblestones and Sagrada Família tiles (BA-G9, BA-GA7).

The Sidewalk's spaces are rows and columns from 0; it starts at (2, 2). Where all spaces but two have a stone, it is
between those two that he chooses.
"""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona.events import (
    Advanced,
    CobblestonePlaced,
    Criterion,
    GaudiGained,
    Matter,
    Reason,
    SagradaTaken,
    Scored,
    Stepped,
    StreetBuilt,
    Track,
)
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    GAUDI,
    LEVEL_1,
    RULESET,
    SAGRADA,
    alone,
    choice,
    cobbled,
    gained,
    gaudi_action,
    gaudi_effect,
    give,
    house,
    lay,
    node,
    order_of,
    space,
)

Space = tuple[int, int]


# BA-GA7


def laid(events: list[Event]) -> tuple[Space, Criterion]:
    made = choice(events, Matter.COBBLESTONE)
    assert gained(events, CobblestonePlaced) == [CobblestonePlaced(GAUDI, made.chosen)]
    return divmod(made.chosen, 5), made.criterion


def between(*free: Space, arrow: str = "N", expansion: bool = False) -> tuple[Space, Criterion]:
    """Which of these he takes, and what decides. His meeple is far from the middle of the city."""
    state = alone(meeple="E5", arrow=arrow, expansion=expansion)
    cobbled(state, *free)
    return laid(gaudi_action(state, "COBBLESTONE"))


@pytest.mark.parametrize(
    ("arrow", "expected"),
    [("N", (1, 2)), ("NE", (2, 3)), ("E", (2, 3)), ("SE", (3, 2)), ("SW", (2, 1)), ("W", (2, 1)), ("NW", (1, 2))],
)
def test_ba_ga7_the_first_stone_by_the_arrow_from_the_start(arrow: str, expected: Space) -> None:
    """A coin north, a cloth south, a Cerdà step east and west: all alike and equally near. Not from the meeple."""
    state = alone(meeple="E5", arrow=arrow)
    events = gaudi_action(state, "COBBLESTONE")
    assert laid(events) == (expected, Criterion.ARROW)
    assert choice(events, Matter.COBBLESTONE).candidates == tuple(space(*w) for w in ((1, 2), (2, 1), (2, 3), (3, 2)))
    assert state.sidewalk[space(*expected)] == GAUDI
    assert state.cobblestones_placed == [0, 1]


def test_ba_ga7_only_beside_a_cobblestone() -> None:
    """Streets in the corner are best, but it takes four stones until one lies beside it."""
    state = alone()
    lay(state, 0, (1, 2))
    found = [laid(gaudi_action(state, "COBBLESTONE")) for _ in range(4)]
    assert found == [
        ((1, 3), Criterion.NEAREST),  # Sagrada Família steps, like (0, 2)
        ((0, 2), Criterion.ICON),
        ((0, 3), Criterion.ICON),  # two coins
        ((0, 4), Criterion.ICON),  # two narrow streets
    ]


@pytest.mark.parametrize("streets", [(0, 0), (0, 4)])
def test_ba_ga7_streets_before_sagrada_steps_before_nearness(streets: Space) -> None:
    """A wide one or two narrow ones, two steps from the start; Sagrada Família steps one step from it."""
    assert between((1, 3), streets) == (streets, Criterion.ICON)


@pytest.mark.parametrize(("arrow", "expected"), [("NW", (0, 0)), ("NE", (0, 4)), ("N", (0, 4))])
def test_ba_ga7_wide_and_narrow_streets_are_alike(arrow: str, expected: Space) -> None:
    assert between((0, 0), (0, 4), arrow=arrow) == (expected, Criterion.ARROW)


@pytest.mark.parametrize(("two", "arrow"), [((1, 0), "NW"), ((0, 3), "NE"), ((4, 1), "SW")])
def test_ba_ga7_sagrada_steps_before_two_of_something_before_the_arrow(two: Space, arrow: str) -> None:
    """All two steps from the start; the arrow points at two Cerdà steps, two coins, two cloth."""
    assert between((0, 2), two, arrow=arrow) == ((0, 2), Criterion.ICON)


@pytest.mark.parametrize(("two", "one"), [((0, 3), (1, 2)), ((1, 0), (2, 1)), ((4, 1), (3, 2)), ((0, 3), (2, 1))])
def test_ba_ga7_two_of_something_before_one_before_nearness(two: Space, one: Space) -> None:
    """Two coins before one, Cerdà steps likewise, cloth likewise, and two coins before one Cerdà step."""
    assert between(two, one) == (two, Criterion.ICON)


@pytest.mark.parametrize(
    ("one", "other", "arrow"),
    [
        ((0, 3), (1, 0), "N"),
        ((1, 0), (0, 3), "NW"),
        ((0, 3), (4, 1), "NE"),
        ((4, 1), (0, 3), "SW"),
        ((1, 2), (2, 1), "N"),
        ((2, 1), (1, 2), "W"),
        ((1, 1), (2, 1), "NW"),
    ],
)
def test_ba_ga7_resources_and_cerda_steps_are_alike(one: Space, other: Space, arrow: str) -> None:
    """Two coins, two cloth and two Cerdà steps, and one of each: the arrow decides."""
    assert between(one, other, arrow=arrow) == (one, Criterion.ARROW)


def test_ba_ga7_one_of_something_before_points_before_the_arrow() -> None:
    assert between((1, 1), (0, 1), arrow="NE") == ((1, 1), Criterion.ICON)
    assert between((0, 1), (3, 0), arrow="NW") == ((0, 1), Criterion.ARROW)


def test_ba_ga7_the_nearest_to_the_start_before_the_arrow() -> None:
    """Sagrada Família steps all: (1, 3) is one diagonal step away, (0, 2) and (2, 0) two straight ones."""
    assert between((1, 3), (2, 0), arrow="W") == ((1, 3), Criterion.NEAREST)
    assert between((1, 3), (0, 2), arrow="N") == ((1, 3), Criterion.NEAREST)


def test_ba_ga7_the_only_space() -> None:
    assert between((4, 3)) == ((4, 3), Criterion.ONLY_ONE)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ((1, 2), GaudiGained(GAUDI, 1, 1, Reason.SIDEWALK)),
        ((4, 1), GaudiGained(GAUDI, 2, 2, Reason.SIDEWALK)),
        ((1, 0), Advanced(GAUDI, Track.CERDA, 2, 4, Reason.SIDEWALK)),
        ((0, 2), Advanced(GAUDI, Track.SAGRADA, 1, 1, Reason.SIDEWALK)),
        ((0, 1), Scored(GAUDI, 4, Reason.SIDEWALK)),
    ],
)
def test_ba_ga7_what_it_covers(where: Space, expected: Event) -> None:
    state = alone()
    cobbled(state, where)
    assert gaudi_action(state, "COBBLESTONE")[2:] == [expected]


@pytest.mark.parametrize(("where", "kinds"), [((0, 0), [2]), ((0, 4), [1, 1])])
def test_ba_ga7_the_streets_that_it_covers(where: Space, kinds: list[int]) -> None:
    state = alone()
    cobbled(state, where)
    assert [event.kind for event in gained(gaudi_action(state, "COBBLESTONE"), StreetBuilt)] == kinds


# BA-GA7 with the expansion: the overlay


@pytest.mark.parametrize(("arrow", "walk"), [("NW", (0, 1)), ("NE", (1, 4)), ("SW", (3, 0)), ("SE", (4, 3))])
def test_ba_ga7_a_walk_before_streets(arrow: str, walk: Space) -> None:
    """Equally far from the start and in the same direction lies a corner with streets, where the arrow points first."""
    corner = {"NW": (0, 0), "NE": (0, 4), "SW": (4, 0), "SE": (4, 4)}[arrow]
    assert between(walk, corner, arrow=arrow, expansion=True) == (walk, Criterion.ICON)


def test_ba_ga7_all_walks_are_alike() -> None:
    """Two steps for Barcelona's far off, one step for Gràcia's at the start: the nearest of them."""
    assert between((0, 1), (3, 2), arrow="NW", expansion=True) == ((3, 2), Criterion.NEAREST)
    assert between((1, 2), (3, 2), arrow="NW", expansion=True) == ((1, 2), Criterion.ARROW)
    assert between((1, 2), (3, 2), arrow="SE", expansion=True) == ((3, 2), Criterion.ARROW)


@pytest.mark.parametrize(("arrow", "expected"), [("W", (2, 1)), ("NW", (1, 1)), ("SW", (2, 1)), ("N", (2, 1))])
def test_ba_ga7_a_joy_ranks_as_a_resource(arrow: str, expected: Space) -> None:
    """Joy west of the start, cloth northwest of it."""
    assert between((2, 1), (1, 1), arrow=arrow, expansion=True) == (expected, Criterion.ARROW)


@pytest.mark.parametrize(("arrow", "expected"), [("N", (0, 3)), ("NW", (1, 0)), ("W", (1, 0)), ("NE", (0, 3))])
def test_ba_ga7_two_joy_rank_as_two_resources(arrow: str, expected: Space) -> None:
    """Two Joy northeast of the start, two Cerdà steps northwest of it."""
    assert between((0, 3), (1, 0), arrow=arrow, expansion=True) == (expected, Criterion.ARROW)


def test_ba_ga7_two_joy_are_more_than_one_and_less_than_sagrada_steps() -> None:
    assert between((0, 3), (2, 3), arrow="E", expansion=True) == ((0, 3), Criterion.ICON)
    assert between((0, 3), (0, 2), arrow="NE", expansion=True) == ((0, 2), Criterion.ICON)


def test_ba_ga7_with_the_expansion_the_first_stone_is_for_a_walk() -> None:
    state = alone(expansion=True, arrow="E")
    events = gaudi_action(state, "COBBLESTONE")
    assert laid(events) == ((3, 2), Criterion.ARROW)  # south comes before north
    assert gained(events, Stepped) == [Stepped(GAUDI, 1, 1)]


# BA-G9


NAMES = {number: name for name, number in SAGRADA.items()}
BEFORE = (1, 3, 6, 9)
"""A space before the threshold of each level."""


def taken(state: BarcelonaState, *tiles: str) -> tuple[str, Criterion]:
    """Which of these tiles of a level he takes, and what decides."""
    level = int(tiles[0][1]) - 1
    state.sagrada_left = sorted(SAGRADA[name] for name in tiles)
    give(state, GAUDI, sagrada=BEFORE[level])
    events = gaudi_effect(state, node("sagrada 1"))
    made = choice(events, Matter.SAGRADA_TILE)
    assert gained(events, SagradaTaken) == [SagradaTaken(GAUDI, made.chosen, level)]
    assert made.candidates == tuple(SAGRADA[name] for name in tiles)
    assert sorted([*state.sagrada_left, made.chosen]) == list(made.candidates)
    assert state.sagrada_of[GAUDI] == [made.chosen]
    return NAMES[made.chosen], made.criterion


def with_markers(number: int) -> BarcelonaState:
    """He has so many markers on the board."""
    state = alone()
    whole = [i for i, entry in enumerate(RULESET.city.sites) if not entry.corner]
    for where in whole[:number]:
        house(state, where, (LEVEL_1, GAUDI))
    return state


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        (("S1B", "S1C", "S1D"), "S1C"),
        (("S1C", "S1D", "S1X"), "S1X"),
        (("S2B", "S2D", "S2A"), "S2A"),
        (("S3B", "S3C", "S3D"), "S3C"),
        (("S3B", "S3C", "S3X"), "S3X"),
        (("S4C", "S4D", "S4X"), "S4D"),
    ],
)
def test_ba_g9_most_points_before_the_leftmost(tiles: tuple[str, ...], expected: str) -> None:
    """Points among other things count, coins and cloth do not."""
    state = alone(expansion=True)
    ordered = sorted(tiles, key=SAGRADA.__getitem__)
    assert taken(state, *ordered) == (expected, Criterion.MOST_POINTS)


@pytest.mark.parametrize(
    ("tiles", "expected"), [(("S2B", "S2C", "S2D"), "S2B"), (("S1B", "S1D"), "S1B"), (("S3B", "S3D"), "S3B")]
)
def test_ba_g9_of_equals_the_leftmost(tiles: tuple[str, ...], expected: str) -> None:
    assert taken(alone(), *tiles) == (expected, Criterion.LEFTMOST)


@pytest.mark.parametrize(
    ("markers", "expected", "criterion"),
    [
        (10, "S4B", Criterion.MOST_POINTS),
        (9, "S4A", Criterion.LEFTMOST),
        (8, "S4A", Criterion.MOST_POINTS),
    ],
)
def test_ba_g9_points_that_depend_on_something_as_they_would_be_given_now(
    markers: int, expected: str, criterion: Criterion
) -> None:
    """Two points a marker against eighteen."""
    assert taken(with_markers(markers), "S4A", "S4B") == (expected, criterion)


def test_ba_g9_the_only_tile_left() -> None:
    assert taken(alone(), "S3D") == ("S3D", Criterion.ONLY_ONE)


def test_ba_g9_only_tiles_of_the_level_reached() -> None:
    state = alone()
    give(state, GAUDI, sagrada=3)
    made = choice(gaudi_effect(state, node("sagrada 1")), Matter.SAGRADA_TILE)
    assert [NAMES[tile] for tile in made.candidates] == ["S2A", "S2B", "S2C"]


def test_ba_g9_its_reward_at_once() -> None:
    """Three points, then a cobblestone: the order on the tile."""
    state = alone()
    state.sagrada_left = [SAGRADA["S2B"]]
    give(state, GAUDI, sagrada=3)
    events = gaudi_effect(state, node("sagrada 1"))
    assert order_of(events, Advanced, SagradaTaken, Scored, CobblestonePlaced)[:4] == [
        Advanced,
        SagradaTaken,
        Scored,
        CobblestonePlaced,
    ]
    assert Scored(GAUDI, 3, Reason.SAGRADA) in events


def test_ba_g9_two_improvements_of_which_one_is_missing() -> None:
    state = alone("HARD")
    state.improved[GAUDI] = [1, 0, 1, 1]
    state.sagrada_left = [SAGRADA["S4C"]]
    give(state, GAUDI, sagrada=9)
    events = gaudi_effect(state, node("sagrada 1"))
    assert events[-1] == GaudiGained(GAUDI, 2, 6, Reason.INSTEAD)
    assert state.improved[GAUDI] == [1, 1, 1, 1]


def test_ba_g9_steps_beyond_the_end_are_lost() -> None:
    state = alone()
    give(state, GAUDI, sagrada=9)
    events = gaudi_effect(state, node("sagrada 2"))
    assert events[0] == Advanced(GAUDI, Track.SAGRADA, 1, 10, Reason.ACTION)
    assert len(gained(events, SagradaTaken)) == 1
    assert gaudi_effect(state, node("sagrada 2")) == []


def test_ba_g9_no_tile_between_thresholds_and_one_that_is_passed() -> None:
    state = alone()
    assert gained(gaudi_effect(state, node("sagrada 1")), SagradaTaken) == []
    events = gaudi_effect(state, node("sagrada 2"))
    assert state.sagrada[GAUDI] == 3
    assert [event.level for event in gained(events, SagradaTaken)] == [0]


@pytest.mark.parametrize(("level", "points"), [(0, 3), (1, 6), (2, 9), (3, 12)])
def test_ba_sf3_points_for_him_too_where_no_tile_is_left(level: int, points: int) -> None:
    state = alone()
    state.sagrada_left = []
    give(state, GAUDI, sagrada=BEFORE[level])
    events = gaudi_effect(state, node("sagrada 1"))
    assert events[1:] == [SagradaTaken(GAUDI, -1, level), Scored(GAUDI, points, Reason.SAGRADA)]

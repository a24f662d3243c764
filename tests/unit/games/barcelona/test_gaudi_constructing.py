"""Solo against Gaudí: what he constructs, where, and with whom (BA-G7, BA-G10, BA-G11).

Two citizens side by side at the edge of the city stand around one block only, and so allow one building.
"""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona.events import (
    Advanced,
    Built,
    CitizenTracked,
    Criterion,
    GaudiChose,
    GaudiGained,
    MarkerPlaced,
    Matter,
    Pieces,
    Reason,
    RowBonusTaken,
    SagradaTaken,
    Scored,
    StackEmptied,
    Track,
)
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    CORNER,
    GAUDI,
    LEFT,
    LEVEL_1,
    LEVEL_2,
    LEVEL_3,
    RIGHT,
    SAGRADA,
    alone,
    at,
    choice,
    choices,
    gained,
    gaudi_constructs,
    give,
    house,
    name_of,
    no_row_bonus,
    order_of,
    put,
    scored,
    site,
    stack,
    tracked,
    without_markers,
)


def living(state: BarcelonaState, **citizens: str) -> BarcelonaState:
    """Citizens on intersections, `A1="W"`."""
    for name, letters in citizens.items():
        put(state, name, letters)
    return state


def built(state: BarcelonaState) -> tuple[int, int, Criterion]:
    """What he constructs and where, and which priority decided between the sites."""
    events = gaudi_constructs(state)
    made = choice(events, Matter.SITE)
    (event,) = gained(events, Built)
    assert (event.seat, event.site) == (GAUDI, made.chosen)
    assert made.chosen in made.candidates
    return event.building, event.site, made.criterion


# BA-G10: which building


def test_ba_g10_level_3_before_level_2() -> None:
    """He stands beside the citizens that allow level 2; level 1 is possible with either."""
    state = living(alone(meeple="A1", arrow="NW"), A1="M", A2="W", E4="U", E5="W", D5="W")
    assert built(state) == (LEVEL_3, site("D4"), Criterion.ONLY_ONE)


def test_ba_g10_level_2_before_a_corner() -> None:
    state = living(alone(meeple="E1", arrow="NE"), A1="M", A2="W", E1="W", E2="W")
    assert built(state) == (LEVEL_2, site("A1"), Criterion.ONLY_ONE)


def test_ba_g10_a_corner_before_level_1() -> None:
    state = living(alone(meeple="A1", arrow="NW"), A1="W", A2="W", E1="W", E2="W")
    assert built(state) == (CORNER, site("D1", RIGHT), Criterion.ONLY_ONE)


def test_ba_g10_level_1_if_nothing_else_is_possible() -> None:
    """Upper class is not what level 2 wants, and three would be needed for level 3."""
    state = living(alone(), A1="U", A2="W")
    assert built(state) == (LEVEL_1, site("A1"), Criterion.ONLY_ONE)


def test_ba_g10_the_best_one_of_a_site() -> None:
    state = living(alone(), A1="M", A2="U", B1="W")
    assert built(state) == (LEVEL_3, site("A1"), Criterion.ONLY_ONE)


def test_ba_g10_the_building_comes_before_the_row_bonus() -> None:
    """Level 2 in a row whose bonus is gone, before a corner that would bring it."""
    state = living(alone(), A1="M", A2="W", A5="W", B5="W")
    state.bonus_left[0] = False
    assert built(state) == (LEVEL_2, site("A1"), Criterion.ONLY_ONE)


@pytest.mark.parametrize(("left", "expected"), [((12, 8, 0, 8), LEVEL_2), ((12, 0, 0, 8), LEVEL_1)])
def test_ba_g10_a_tile_must_be_left(left: tuple[int, ...], expected: int) -> None:
    state = living(alone(), A1="M", A2="U", B1="W")
    state.buildings_left = list(left)
    assert built(state)[:2] == (expected, site("A1"))


def test_ba_g10_nothing_without_enough_citizens() -> None:
    assert gaudi_constructs(living(alone(), A1="MU", E5="WW", A5="U")) == []


def test_ba_g10_nothing_without_a_marker() -> None:
    state = living(alone(), A1="M", A2="W")
    without_markers(state)
    assert gaudi_constructs(state) == []


def test_ba_g10_over_a_lower_level_only() -> None:
    state = living(alone(), A1="M", A2="W")
    house(state, site("A1"), (LEVEL_2, 0))
    assert gaudi_constructs(state) == []


# BA-G10: where


def test_ba_g10_the_row_bonus_before_covering_a_marker() -> None:
    """The top row has a building of the person's, so its bonus is gone. The bottom row is empty, and far away."""
    state = living(alone(meeple="A1", arrow="NW"), A1="M", A2="W", E5="M", D5="W")
    house(state, site("A1"), (LEVEL_1, 0))
    state.bonus_left[0] = False
    assert built(state) == (LEVEL_2, site("D4"), Criterion.ROW_BONUS)


def test_ba_g10_the_row_bonus_before_nearness() -> None:
    state = living(alone(meeple="A1", arrow="NW"), A1="W", A2="W", E5="W", D5="W")
    state.bonus_left[0] = False
    assert built(state) == (LEVEL_1, site("D4"), Criterion.ROW_BONUS)


def test_ba_g10_covering_the_persons_marker_before_nearness() -> None:
    state = living(alone(meeple="A1", arrow="NW"), A1="M", A2="W", E5="M", D5="W")
    no_row_bonus(state)
    house(state, site("D4"), (LEVEL_1, 0))
    assert built(state) == (LEVEL_2, site("D4"), Criterion.COVERS_MARKER)
    assert state.markers[site("D4")] == (0, GAUDI)


def test_ba_g10_covering_his_own_marker_is_nothing() -> None:
    """One site is near and empty, the other has a building of his own."""
    state = living(alone(meeple="A1", arrow="SE"), A1="M", A2="W", E5="M", D5="W")
    no_row_bonus(state)
    house(state, site("D4"), (LEVEL_1, GAUDI))
    assert built(state) == (LEVEL_2, site("A1"), Criterion.NEAREST)


@pytest.mark.parametrize(
    ("top", "bottom", "expected", "criterion"),
    [(0, GAUDI, "D4", Criterion.COVERS_MARKER), (GAUDI, 0, "A1", Criterion.NEAREST)],
)
def test_ba_g10_the_marker_on_top_is_the_one_that_is_covered(
    top: int, bottom: int, expected: str, criterion: Criterion
) -> None:
    state = living(alone(meeple="A1", arrow="SE"), A1="U", A2="W", B1="W", E5="U", D5="W", E4="W")
    no_row_bonus(state)
    house(state, site("D4"), (LEVEL_1, bottom), (LEVEL_2, top))
    assert built(state) == (LEVEL_3, site(expected), criterion)


def test_ba_g10_the_nearest_before_the_arrow() -> None:
    """D3 is a step away from the block D4, two from A1, where the arrow points."""
    state = living(alone(meeple="D3", arrow="NW"), A1="W", A2="W", E5="W", D5="W")
    no_row_bonus(state)
    assert built(state) == (LEVEL_1, site("D4"), Criterion.NEAREST)


def test_ba_g10_nearness_is_that_of_a_king_to_the_nearest_intersection() -> None:
    """The block C1 is one straight step from C3, D4 one diagonal step: equally near."""
    for arrow, expected in (("SE", "D4"), ("N", "C1")):
        state = living(alone(arrow=arrow), C1="W", D1="W", E5="W", D5="W")
        no_row_bonus(state)
        assert built(state) == (LEVEL_1, site(expected), Criterion.ARROW)


def test_ba_g10_nearness_to_a_corner_is_that_of_the_intersections_around_it() -> None:
    """From E4 the lower half of the block C2 is one step away, by D3; the upper one, which comes first, has no D3."""
    state = living(alone(meeple="E4", arrow="NW"), C3="W", D2="W")
    no_row_bonus(state)
    assert built(state) == (CORNER, site("C2", RIGHT), Criterion.NEAREST)


@pytest.mark.parametrize(("arrow", "expected"), [("SE", "C3"), ("E", "C3"), ("S", "B2"), ("NW", "B2")])
def test_ba_g10_the_direction_is_that_of_the_sites_centre(arrow: str, expected: str) -> None:
    """He stands at a corner of both: the block C3 lies southeast of it, B2 northwest."""
    state = living(alone(arrow=arrow), B2="W", C2="W", C4="W", D4="W")
    no_row_bonus(state)
    assert built(state) == (LEVEL_1, site(expected), Criterion.ARROW)


def test_ba_g10_the_direction_from_his_meeple() -> None:
    """From A1 both blocks lie southeast, C1 higher; seen from the middle of the city A3 would be southwest."""
    state = living(alone(meeple="A1", arrow="SW"), C1="W", D1="W", A3="W", A4="W")
    no_row_bonus(state)
    assert built(state) == (LEVEL_1, site("C1"), Criterion.ARROW)


@pytest.mark.parametrize(("arrow", "expected"), [("N", "D4"), ("SE", "D4"), ("S", "A1"), ("NW", "A1")])
def test_ba_g10_of_equally_near_ones_by_the_arrow(arrow: str, expected: str) -> None:
    """The blocks in the corners of the city, each a diagonal step from C3."""
    state = living(alone(arrow=arrow), A1="W", A2="W", E5="W", D5="W")
    no_row_bonus(state)
    assert built(state) == (LEVEL_1, site(expected), Criterion.ARROW)


def test_ba_g10_in_one_direction_the_higher_one() -> None:
    """Both northwest of C3 and a step away: B1 is higher, A2 further left. A1 between them is built up."""
    state = living(alone(arrow="NW"), B1="W", C1="W", A2="W", A3="W")
    no_row_bonus(state)
    house(state, site("A1"), (LEVEL_3, 0))
    assert built(state) == (LEVEL_1, site("B1"), Criterion.ARROW)


def test_ba_g10_then_the_one_further_left() -> None:
    """A1 and B1, equally high; their citizens are those of the top street."""
    state = living(alone(arrow="NW"), A1="W", B1="W", C1="W")
    no_row_bonus(state)
    assert built(state) == (LEVEL_1, site("A1"), Criterion.ARROW)


def test_ba_g10_the_upper_corner_of_a_block_is_higher_than_the_lower_one() -> None:
    """D2 and E1 are around both halves of the block D1."""
    state = living(alone(arrow="NE"), D2="W", E1="W")
    no_row_bonus(state)
    assert built(state) == (CORNER, site("D1", LEFT), Criterion.ARROW)


def test_ba_g10_only_sites_of_the_best_building_are_candidates() -> None:
    state = living(alone(), A1="M", A2="W", E1="W", E2="W", A5="W", B5="W")
    assert choice(gaudi_constructs(state), Matter.SITE).candidates == (site("A1"),)


# BA-G10: what it brings


def test_ba_g10_rewards_marker_bonus_and_track_as_for_a_player() -> None:
    state = living(alone(), A1="M", A2="W")
    events = gaudi_constructs(state)
    assert [event for event in events if not isinstance(event, GaudiChose)] == [
        Built(GAUDI, site("A1"), LEVEL_2, (at("A1"), at("A2")), (2, 1)),
        Scored(GAUDI, 5, Reason.BUILDING),
        Advanced(GAUDI, Track.CERDA, -1, 1, Reason.BUILDING),
        Advanced(GAUDI, Track.SAGRADA, 1, 1, Reason.BUILDING),
        MarkerPlaced(GAUDI, site("A1"), 0),
        RowBonusTaken(GAUDI, 0),
        Scored(GAUDI, 5, Reason.ROW),
        CitizenTracked(GAUDI, 2, 1),
        CitizenTracked(GAUDI, 1, 1),
        Scored(GAUDI, 1, Reason.TRACK),
    ]
    assert state.buildings[site("A1")] == LEVEL_2
    assert state.markers[site("A1")] == (GAUDI,)
    assert state.buildings_left == [12, 7, 7, 8]
    assert state.track == [1, 1, 0]
    assert not state.citizens[at("A1")]


def test_ba_g10_level_1_and_level_3() -> None:
    state = living(alone(), A1="W", A2="W")
    give(state, GAUDI, cerda=5)
    assert scored(gaudi_constructs(state), Reason.BUILDING, GAUDI) == 3
    assert state.cerda[GAUDI] == 6
    living(state, E4="U", E5="W", D5="W")
    assert scored(gaudi_constructs(state), Reason.BUILDING, GAUDI) == 7
    assert (state.cerda[GAUDI], state.sagrada[GAUDI]) == (4, 2)


def test_ba_g10_a_corners_coin_or_cloth_is_a_resource() -> None:
    state = living(alone("HARD"), E1="W", E2="W")
    assert GaudiGained(GAUDI, 1, 3, Reason.BUILDING) in gaudi_constructs(state)


def test_ba_g10_the_citizens_below_stay() -> None:
    state = living(alone(), A1="MU", A2="WW")
    gaudi_constructs(state)
    assert (stack(state, "A1"), stack(state, "A2")) == ("U", "W")


def test_ba_g10_a_sagrada_familia_tile_comes_before_the_marker() -> None:
    """Nine markers on the board are worth 18, as much as the other tile; a tenth would be, when it lies there."""
    state = living(alone(), E4="U", E5="W", D5="W")
    whole = ("A1", "B1", "C1", "A2", "B2", "D2", "A3", "C3", "D3")
    for name in whole:
        house(state, site(name), (LEVEL_1, GAUDI))
    state.sagrada_left = [SAGRADA["S4A"], SAGRADA["S4B"]]
    give(state, GAUDI, sagrada=8)
    events = gaudi_constructs(state)
    assert choice(events, Matter.SAGRADA_TILE).chosen == SAGRADA["S4A"]
    assert order_of(events, Built, SagradaTaken, MarkerPlaced) == [Built, SagradaTaken, MarkerPlaced]


def test_ba_g10_the_row_bonus_only_once() -> None:
    state = living(alone(), A1="W", A2="W")
    state.bonus_left[0] = False
    events = gaudi_constructs(state)
    assert gained(events, RowBonusTaken) == []
    assert scored(events, Reason.ROW, GAUDI) == 0


def test_ba_g10_one_building_a_turn() -> None:
    state = living(alone(), A1="W", A2="W", E5="W", D5="W")
    assert len(gained(gaudi_constructs(state), Built)) == 1


# BA-G7: markers


def test_ba_g7_the_marker_from_the_leftmost_stack_and_its_reward_before_the_row_bonus() -> None:
    state = living(alone("NORMAL"), A1="W", A2="W")
    state.marker_stacks[GAUDI] = [0, 1, 3, 3]
    events = gaudi_constructs(state)
    assert state.marker_stacks[GAUDI] == [0, 0, 3, 3]
    first = events.index(MarkerPlaced(GAUDI, site("A1"), 1))
    assert events[first + 1 : first + 4] == [
        StackEmptied(GAUDI, Pieces.MARKERS, 1),
        GaudiGained(GAUDI, 1, 2, Reason.STACK),
        RowBonusTaken(GAUDI, 0),
    ]


@pytest.mark.parametrize(
    ("stacks", "reward"),
    [
        ([1, 2, 3, 3], GaudiGained(GAUDI, 1, 1, Reason.STACK)),
        ([0, 0, 1, 3], Advanced(GAUDI, Track.CERDA, 2, 5, Reason.STACK)),
        ([0, 0, 0, 1], Scored(GAUDI, 6, Reason.STACK)),
    ],
)
def test_ba_g7_the_rewards_of_the_markers(stacks: list[int], reward: Event) -> None:
    state = living(alone(), A1="W", A2="W")
    state.marker_stacks[GAUDI] = stacks.copy()
    events = gaudi_constructs(state)
    assert events[events.index(StackEmptied(GAUDI, Pieces.MARKERS, stacks.index(1))) + 1] == reward


def test_ba_g7_no_reward_while_the_stack_has_markers() -> None:
    assert gained(gaudi_constructs(living(alone(), A1="W", A2="W")), StackEmptied) == []


# BA-G11


def used(state: BarcelonaState) -> list[tuple[str, Criterion]]:
    """Whom he uses, in the order he chooses them, and what decided."""
    events = gaudi_constructs(state)
    made = choices(events, Matter.CITIZEN)
    (event,) = gained(events, Built)
    assert sorted(choice.chosen for choice in made) == sorted(event.intersections)
    return [(name_of(choice.chosen), choice.criterion) for choice in made]


def only(state: BarcelonaState, *buildings: int) -> BarcelonaState:
    """Of other buildings no tile is left."""
    state.buildings_left = [left if kind in buildings else 0 for kind, left in enumerate(state.buildings_left)]
    return state


def test_ba_g11_the_class_wanted_first_though_its_row_is_the_fullest() -> None:
    """Level 2 wants one of the middle class. The second is of the class with most room."""
    state = only(living(alone(), A1="U", B1="W", A2="M", B2="W"), LEVEL_2)
    tracked(state, working=6, middle=9, upper=3)
    assert used(state) == [("A2", Criterion.ONLY_ONE), ("A1", Criterion.MOST_ROOM)]


def test_ba_g11_most_room_before_the_class() -> None:
    state = only(living(alone(), A1="W", B1="M", A2="U", B2="M"), LEVEL_1)
    tracked(state, working=3, middle=2, upper=1)
    assert used(state) == [("A2", Criterion.MOST_ROOM), ("B1", Criterion.LEFTMOST)]


@pytest.mark.parametrize(
    ("citizens", "first", "second"),
    [
        ({"A1": "U", "B1": "M", "B2": "W"}, "B2", "B1"),
        ({"A1": "U", "A2": "M"}, "A2", "A1"),
        ({"A1": "U", "A2": "W"}, "A2", "A1"),
    ],
)
def test_ba_g11_with_equal_room_working_before_middle_before_upper_class(
    citizens: dict[str, str], first: str, second: str
) -> None:
    state = only(living(alone(), **citizens), LEVEL_1)
    tracked(state, working=4, middle=4, upper=4)
    made = used(state)
    assert [name for name, _ in made] == [first, second]
    assert made[0][1] == Criterion.CLASS


def test_ba_g11_room_as_it_was_before_the_building() -> None:
    """With one more on its row the working class would have less room than the upper; it is used twice."""
    state = only(living(alone(), A1="U", A2="W", B2="W"), LEVEL_1)
    assert used(state) == [("A2", Criterion.LEFTMOST), ("B2", Criterion.CLASS)]


def test_ba_g11_of_one_class_the_higher_then_the_one_further_left() -> None:
    state = only(living(alone(), A2="W", B1="W", B2="W"), LEVEL_1)
    assert used(state) == [("B1", Criterion.LEFTMOST), ("A2", Criterion.LEFTMOST)]


def test_ba_g11_of_several_of_the_class_wanted_too() -> None:
    state = only(living(alone(), A1="W", B1="M", A2="M", B2="M"), LEVEL_2)
    tracked(state, middle=9)
    assert used(state) == [("B1", Criterion.LEFTMOST), ("A1", Criterion.MOST_ROOM)]


def test_ba_g11_level_3_takes_three() -> None:
    state = living(alone(), A1="U", B1="U", A2="M", B2="W")
    tracked(state, working=3, middle=1, upper=5)
    assert used(state) == [
        ("A1", Criterion.LEFTMOST),
        ("A2", Criterion.MOST_ROOM),
        ("B2", Criterion.MOST_ROOM),
    ]


def test_ba_g11_whoever_is_below_is_not_asked() -> None:
    """Working class on top of upper class: it counts as working."""
    state = only(living(alone(), A1="WU", B1="MU"), LEVEL_1)
    tracked(state, working=3)
    assert used(state) == [("B1", Criterion.MOST_ROOM), ("A1", Criterion.ONLY_ONE)]

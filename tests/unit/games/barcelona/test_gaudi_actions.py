"""Solo against Gaudí: Public Service, Modernisme, improving, Intersection, and what he gains where he can't act
(BA-G8, BA-GA1, BA-GA2, BA-GA3, BA-GA6)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardgamesbot.games.barcelona.events import (
    Advanced,
    Criterion,
    GaudiChose,
    GaudiGained,
    IntersectionBuilt,
    Matter,
    ModernismeShown,
    ModernismeTaken,
    Paid,
    ProjectImproved,
    Reason,
    Scored,
    ServiceBuilt,
    Track,
)
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    GAUDI,
    NARROW,
    SCORINGS,
    SERVICES,
    WIDE,
    alone,
    at,
    choice,
    choices,
    everywhere,
    gained,
    gaudi_action,
    gaudi_effect,
    give,
    lay,
    name_of,
    node,
    order_of,
    own,
    pave,
    project,
    resources,
    ride,
    scored,
    serve,
    space,
)


def said(events: list[Event], matter: Matter) -> tuple[int, Criterion]:
    made = choice(events, matter)
    assert (made.seat, made.chosen in made.candidates) == (GAUDI, True)
    return made.chosen, made.criterion


# BA-GA1: Public Service


def test_ba_ga1_most_points_before_the_leftmost() -> None:
    """Four stacks have lost their first tile, so their top one is worth 6; the fourth still shows 10."""
    state = alone()
    state.services_taken = [1, 1, 1, 0, 1]
    events = gaudi_action(state, "SERVICE")
    assert said(events, Matter.SERVICE) == (3, Criterion.MOST_POINTS)
    assert gained(events, ServiceBuilt) == [ServiceBuilt(GAUDI, 3, SERVICES["UNIVERSITAT"], 0)]
    assert state.services_taken == [1, 1, 1, 1, 1]


def test_ba_ga1_of_equals_the_leftmost() -> None:
    state = alone()
    state.services_taken = [1, 1, 0, 0, 0]
    events = gaudi_action(state, "SERVICE")
    assert said(events, Matter.SERVICE) == (2, Criterion.LEFTMOST)
    assert choice(events, Matter.SERVICE).candidates == (0, 1, 2, 3, 4)


def test_ba_ga1_of_the_types_that_he_lacks() -> None:
    state = alone()
    serve(state, GAUDI, "ARC_DE_TRIOMF")
    state.services_taken = [0, 1, 1, 1, 1]  # the stack of the type that he has is the only one that shows 10
    events = gaudi_action(state, "SERVICE")
    assert said(events, Matter.SERVICE) == (1, Criterion.LEFTMOST)
    assert choice(events, Matter.SERVICE).candidates == (1, 2, 3, 4)


def test_ba_ga1_a_used_up_stack_is_not_there() -> None:
    state = alone()
    state.services_taken = [2, 2, 1, 2, 2]
    events = gaudi_action(state, "SERVICE")
    assert said(events, Matter.SERVICE) == (2, Criterion.ONLY_ONE)


def test_ba_ga1_what_the_person_has_does_not_matter() -> None:
    state = alone()
    serve(state, 0, "ARC_DE_TRIOMF", "ESTACIO_DE_FRANCA")
    state.services_taken = [0] * 5
    assert said(gaudi_action(state, "SERVICE"), Matter.SERVICE) == (0, Criterion.LEFTMOST)


def test_ba_ga1_points_and_cerda_steps_then_the_effect() -> None:
    state = alone("NORMAL")
    state.services_taken = [1, 1, 1, 1, 0]
    events = gaudi_action(state, "SERVICE")
    assert events[1:] == [
        ServiceBuilt(GAUDI, 4, SERVICES["MERCAT_DE_SANT_ANTONI"], 0),
        Scored(GAUDI, 10, Reason.SERVICE),
        Advanced(GAUDI, Track.CERDA, 2, 4, Reason.SERVICE),
        GaudiGained(GAUDI, 2, 4, Reason.SERVICE),
    ]
    assert state.services_of[GAUDI] == [SERVICES["MERCAT_DE_SANT_ANTONI"]]


def test_ba_ga1_the_second_tile_of_a_stack_is_worth_6() -> None:
    state = alone()
    state.services_taken = [2, 2, 2, 2, 1]
    assert scored(gaudi_action(state, "SERVICE"), Reason.SERVICE, GAUDI) == 6


@pytest.mark.parametrize(
    ("service", "matter"),
    [
        ("UNIVERSITAT", Matter.MODERNISME),
        ("ESCOLA_INDUSTRIAL", Matter.COBBLESTONE),
        ("HOSPITAL_CLINIC", Matter.INTERSECTION),
    ],
)
def test_ba_ga1_its_effect_is_carried_out_by_his_priorities(service: str, matter: Matter) -> None:
    state = alone(
        services=[service, "ARC_DE_TRIOMF", "ESTACIO_DE_FRANCA", "HOSPITAL_DE_SANT_PAU", "MERCAT_DE_SANT_ANTONI"]
    )
    events = gaudi_action(state, "SERVICE")
    assert [made.matter for made in gained(events, GaudiChose)] == [Matter.SERVICE, matter]


# BA-GA2: Modernisme


def test_ba_ga2_worth_most_to_him_before_the_leftmost() -> None:
    """Three narrow streets are worth 3, two cobblestones 4, no Public Service and no row nothing."""
    state = alone()
    pave(state, GAUDI, NARROW, "A1-B1", "A2-B2", "A3-B3")
    lay(state, GAUDI, (2, 1), (2, 3))
    events = gaudi_action(state, "MODERNISME")
    assert said(events, Matter.MODERNISME) == (2, Criterion.MOST_POINTS)
    assert gained(events, ModernismeTaken) == [ModernismeTaken(GAUDI, SCORINGS["COBBLESTONE"], 2, 0)]


def test_ba_ga2_points_each_times_how_many() -> None:
    """One Public Service is worth 3, two narrow streets 2: it is not the number of things that counts."""
    state = alone()
    pave(state, GAUDI, NARROW, "A1-B1", "A2-B2")
    serve(state, GAUDI, "ARC_DE_TRIOMF")
    assert said(gaudi_action(state, "MODERNISME"), Matter.MODERNISME) == (1, Criterion.MOST_POINTS)


def test_ba_ga2_what_the_person_has_is_worth_nothing_to_him() -> None:
    state = alone()
    serve(state, 0, "ARC_DE_TRIOMF", "ESTACIO_DE_FRANCA")
    lay(state, GAUDI, (2, 1))
    assert said(gaudi_action(state, "MODERNISME"), Matter.MODERNISME) == (2, Criterion.MOST_POINTS)


def test_ba_ga2_as_if_he_had_it_already() -> None:
    """The tile that counts Modernisme tiles counts itself: 2 points, more than one narrow street."""
    state = alone(shown=("NARROW", "MODERNISME", "SERVICE", "ROWS"))
    pave(state, GAUDI, NARROW, "A1-B1")
    assert said(gaudi_action(state, "MODERNISME"), Matter.MODERNISME) == (1, Criterion.MOST_POINTS)


def test_ba_ga2_of_equals_the_leftmost() -> None:
    state = alone()
    state.shown[0] = -1
    events = gaudi_action(state, "MODERNISME")
    assert said(events, Matter.MODERNISME) == (1, Criterion.LEFTMOST)
    assert choice(events, Matter.MODERNISME).candidates == (1, 2, 3)


def test_ba_ga2_the_factor_of_the_space_is_left_out() -> None:
    """Whether the space is improved changes nothing."""
    for improved in (False, True):
        state = alone(shown=("SERVICE", "MODERNISME", "ROWS", "STACKS"))
        project(state, GAUDI, 0, "NARROW")
        project(state, GAUDI, 1, improved=improved)
        serve(state, GAUDI, "ARC_DE_TRIOMF")
        # A Public Service is worth 3; with the new tile there are two Modernisme tiles, worth 4.
        assert said(gaudi_action(state, "MODERNISME"), Matter.MODERNISME) == (1, Criterion.MOST_POINTS)


def test_ba_ga2_into_his_leftmost_free_space() -> None:
    state = alone()
    project(state, GAUDI, 0, "WIDE")
    project(state, GAUDI, 2, "PASSENGER")
    (taken,) = gained(gaudi_action(state, "MODERNISME"), ModernismeTaken)
    assert taken.space == 1
    assert state.projects[GAUDI] == [SCORINGS["WIDE"], SCORINGS["NARROW"], SCORINGS["PASSENGER"], -1]


def test_ba_ga2_the_display_is_filled_up_at_once() -> None:
    state = alone()
    following = state.modernisme_stack[-1]
    events = gaudi_action(state, "MODERNISME")
    assert order_of(events, ModernismeTaken, ModernismeShown) == [ModernismeTaken, ModernismeShown]
    assert gained(events, ModernismeShown) == [ModernismeShown(following, 0)]
    assert state.shown[0] == following
    state.modernisme_stack = []
    assert gained(gaudi_action(state, "MODERNISME"), ModernismeShown)[0].tile == -1


# BA-GA3: improving


def test_ba_ga3_a_space_with_a_tile_before_the_leftmost() -> None:
    state = alone()
    project(state, GAUDI, 2, "NARROW")
    events = gaudi_action(state, "IMPROVE")
    assert said(events, Matter.PROJECT) == (2, Criterion.HAS_TILE)
    assert gained(events, ProjectImproved) == [ProjectImproved(GAUDI, 2)]
    assert state.improved[GAUDI] == [0, 0, 1, 0]


def test_ba_ga3_the_leftmost_of_those_with_a_tile() -> None:
    state = alone()
    project(state, GAUDI, 1, "NARROW")
    project(state, GAUDI, 3, "WIDE")
    assert said(gaudi_action(state, "IMPROVE"), Matter.PROJECT) == (1, Criterion.LEFTMOST)


def test_ba_ga3_the_leftmost_empty_one_if_none_has_a_tile() -> None:
    assert said(gaudi_action(alone(), "IMPROVE"), Matter.PROJECT) == (0, Criterion.LEFTMOST)


def test_ba_ga3_one_that_is_not_improved() -> None:
    state = alone()
    project(state, GAUDI, 0, "NARROW", improved=True)
    events = gaudi_action(state, "IMPROVE")
    assert said(events, Matter.PROJECT) == (1, Criterion.LEFTMOST)
    assert choice(events, Matter.PROJECT).candidates == (1, 2, 3)


def test_ba_ga3_the_last_one() -> None:
    state = alone()
    state.improved[GAUDI] = [1, 1, 0, 1]
    assert said(gaudi_action(state, "IMPROVE"), Matter.PROJECT) == (2, Criterion.ONLY_ONE)


# BA-GA6: Intersection


def built(events: list[Event]) -> tuple[str, Criterion]:
    made = choice(events, Matter.INTERSECTION)
    (event,) = gained(events, IntersectionBuilt)
    assert (event.seat, event.intersection) == (GAUDI, made.chosen)
    return name_of(made.chosen), made.criterion


@pytest.mark.parametrize("arrow", ARROWS)
def test_ba_ga6_where_his_meeple_stands(arrow: str) -> None:
    state = alone(arrow=arrow, meeple="D2")
    assert built(gaudi_action(state, "INTERSECTION")) == ("D2", Criterion.NEAREST)
    assert state.intersections_built == [0, 1]
    assert state.intersection_owners[at("D2")] == GAUDI


def test_ba_ga6_else_the_nearest_before_the_arrow() -> None:
    """D4 is one step of a king away, C1 two, which is where the arrow points."""
    state = alone(arrow="N")
    state.intersection_owners = [-1 if name_of(i) in ("D4", "C1") else 0 for i in range(25)]
    assert built(gaudi_action(state, "INTERSECTION")) == ("D4", Criterion.NEAREST)


@pytest.mark.parametrize(("arrow", "expected"), [("SW", "B4"), ("W", "B3"), ("N", "C2"), ("NE", "D3")])
def test_ba_ga6_of_equally_near_ones_by_the_arrow(arrow: str, expected: str) -> None:
    state = alone(arrow=arrow)
    own(state, 0, "C3", "D2")
    assert built(gaudi_action(state, "INTERSECTION")) == (expected, Criterion.ARROW)


def test_ba_ga6_by_the_arrow_from_his_meeple() -> None:
    state = alone(meeple="A1", arrow="S")
    own(state, 0, "A1")
    assert built(gaudi_action(state, "INTERSECTION")) == ("A2", Criterion.ARROW)


def test_ba_ga6_in_one_direction_the_higher_one_then_the_one_further_left() -> None:
    for free, expected in ((("E4", "D5", "E5"), "E4"), (("D5", "E5"), "D5")):
        state = alone(arrow="SE")
        state.intersection_owners = [-1 if name_of(i) in free else 0 for i in range(25)]
        assert built(gaudi_action(state, "INTERSECTION")) == (expected, Criterion.ARROW)


def test_ba_ga6_citizens_do_not_matter_and_a_tile_of_his_own_does() -> None:
    state = alone(arrow="S")
    own(state, GAUDI, "C3")
    state.citizens[at("C4")] = 1
    assert built(gaudi_action(state, "INTERSECTION")) == ("C4", Criterion.ARROW)


def test_ba_ga6_the_benefits_in_sight_around_it() -> None:
    """Around C3 a coin each north and west, a Cerdà step each east and south."""
    state = alone("HARD")
    events = gaudi_action(state, "INTERSECTION")
    assert events[2:] == [
        Advanced(GAUDI, Track.CERDA, 2, 4, Reason.ICON),
        GaudiGained(GAUDI, 2, 6, Reason.ICON),
    ]


def test_ba_ga6_but_not_what_street_tiles_cover() -> None:
    state = alone()
    pave(state, 0, NARROW, "C2-C3", "C3-D3")
    events = gaudi_action(state, "INTERSECTION")
    assert events[2:] == [Advanced(GAUDI, Track.CERDA, 1, 3, Reason.ICON), GaudiGained(GAUDI, 1, 1, Reason.ICON)]


def test_ba_ga6_coins_and_cloth_around_it_as_one_gain() -> None:
    """At D2 a coin to the left, cloth to the right and above, two points below."""
    state = alone("NORMAL", meeple="D2")
    events = gaudi_action(state, "INTERSECTION")
    assert events[2:] == [Scored(GAUDI, 2, Reason.ICON), GaudiGained(GAUDI, 3, 6, Reason.ICON)]


def test_ba_ga6_points_around_it() -> None:
    """At A1 a coin to the right and two points below."""
    state = alone(meeple="A1")
    events = gaudi_action(state, "INTERSECTION")
    assert events[2:] == [Scored(GAUDI, 2, Reason.ICON), GaudiGained(GAUDI, 1, 1, Reason.ICON)]


# BA-G8: where he can't act


def no_services(state: BarcelonaState) -> None:
    state.services_taken = [2] * 5


def has_every_service(state: BarcelonaState) -> None:
    state.services_of[GAUDI] = list(state.service_types)


def no_project_space(state: BarcelonaState) -> None:
    for where, tile in enumerate(("WIDE", "PASSENGER", "SAGRADA", "UPGRADES")):
        project(state, GAUDI, where, tile)


def nothing_shown(state: BarcelonaState) -> None:
    state.shown = [-1] * 4


def all_improved(state: BarcelonaState) -> None:
    state.improved[GAUDI] = [1] * 4


def no_intersection_tile(state: BarcelonaState) -> None:
    state.intersections_built[GAUDI] = 5


def no_intersection(state: BarcelonaState) -> None:
    state.intersection_owners = [0] * 25


def no_cobblestone(state: BarcelonaState) -> None:
    state.cobblestones_placed[GAUDI] = 6


def no_sidewalk(state: BarcelonaState) -> None:
    state.sidewalk = [-1 if where == space(2, 2) else 0 for where in range(25)]


def no_passenger(state: BarcelonaState) -> None:
    state.passengers_placed[GAUDI] = 4


def no_section_for_a_passenger(state: BarcelonaState) -> None:
    state.passengers = [0] * 40


CAN_NOT: list[tuple[str, Callable[[BarcelonaState], None]]] = [
    ("SERVICE", no_services),
    ("SERVICE", has_every_service),
    ("MODERNISME", no_project_space),
    ("MODERNISME", nothing_shown),
    ("IMPROVE", all_improved),
    ("INTERSECTION", no_intersection_tile),
    ("INTERSECTION", no_intersection),
    ("COBBLESTONE", no_cobblestone),
    ("COBBLESTONE", no_sidewalk),
    ("TRAM", no_passenger),
    ("TRAM", no_section_for_a_passenger),
]


@pytest.mark.parametrize(("difficulty", "points"), [("EASY", 2), ("NORMAL", 4), ("HARD", 6)])
@pytest.mark.parametrize(("name", "prepare"), CAN_NOT, ids=lambda value: getattr(value, "__name__", value))
def test_ba_g8_two_resources_for_an_action_that_he_can_not_do(
    name: str, prepare: Callable[[BarcelonaState], None], difficulty: str, points: int
) -> None:
    state = alone(difficulty)
    prepare(state)
    assert gaudi_action(state, name) == [GaudiGained(GAUDI, 2, points, Reason.INSTEAD)]
    assert state.vp == [0, points]


@pytest.mark.parametrize(
    ("word", "prepare"),
    [
        ("modernisme", nothing_shown),
        ("cobblestone", no_cobblestone),
        ("intersection free", no_intersection_tile),
        ("tram free", no_passenger),
    ],
)
def test_ba_g8_the_same_where_the_effect_is_a_reward(word: str, prepare: Callable[[BarcelonaState], None]) -> None:
    state = alone()
    prepare(state)
    assert resources(gaudi_effect(state, node(word), Reason.SAGRADA)) == [2]


@pytest.mark.parametrize(("left", "improved", "gains"), [(2, 2, []), (1, 1, [2]), (0, 0, [2, 2])])
def test_ba_g8_two_resources_for_each_improvement_of_two_that_is_missing(
    left: int, improved: int, gains: list[int]
) -> None:
    state = alone()
    state.improved[GAUDI] = [1] * (4 - left) + [0] * left
    events = gaudi_effect(state, node("improve 2 free"), Reason.SAGRADA)
    assert len(gained(events, ProjectImproved)) == improved
    assert resources(events) == gains


@pytest.mark.parametrize(
    ("name", "tiles", "built", "gains"),
    [("NARROW", 2, 2, []), ("NARROW", 1, 1, [1]), ("NARROW", 0, 0, [1, 1]), ("WIDE", 1, 1, []), ("WIDE", 0, 0, [1])],
)
def test_ba_g8_a_resource_for_each_street_tile_that_he_has_not(
    name: str, tiles: int, built: int, gains: list[int]
) -> None:
    state = alone()
    stacks = (state.narrow if name == "NARROW" else state.wide)[GAUDI]
    stacks[:] = [0] * (len(stacks) - 1) + [tiles + 1 if tiles else 0]  # one more, so that no stack is emptied
    if tiles == 1:
        stacks[-1] = 1
    events = gaudi_action(state, name)
    matter = Matter.STREET if name == "NARROW" else Matter.WIDE_STREET
    assert len(choices(events, matter)) == built
    assert resources(events) == gains


@pytest.mark.parametrize(("name", "free", "gains"), [("NARROW", 1, [1]), ("NARROW", 0, [1, 1]), ("WIDE", 0, [1])])
def test_ba_g8_a_resource_for_each_street_tile_that_has_no_section(name: str, free: int, gains: list[int]) -> None:
    state = alone()
    everywhere(state, *["A1-B1"][:free])
    events = gaudi_action(state, name)
    matter = Matter.STREET if name == "NARROW" else Matter.WIDE_STREET
    assert len(choices(events, matter)) == free
    assert resources(events) == gains


def test_ba_g8_all_actions_are_free() -> None:
    state = alone(both=True)
    give(state, GAUDI, coins=0, cloth=0)
    ride(state, GAUDI, "A1-B1")
    own(state, GAUDI, "E5")
    pave(state, GAUDI, WIDE, "A5-B5")
    for name in ("SERVICE", "MODERNISME", "IMPROVE", "INTERSECTION", "COBBLESTONE", "TRAM", "NARROW", "WIDE"):
        events = gaudi_action(state, name)
        assert gained(events, Paid) == []
        assert gained(events, GaudiChose), name

"""Barcelona, constructing buildings: BA-B1 to BA-B9."""

from __future__ import annotations

from collections import Counter

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import (
    Advanced,
    Built,
    CitizenTracked,
    Gained,
    MarkerPlaced,
    Reason,
    RowBonusTaken,
    SagradaTaken,
    Scored,
    StackEmptied,
)
from boardgamesbot.games.barcelona.moves import STOP, Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    CORNER,
    LEFT,
    LEVEL_1,
    LEVEL_2,
    LEVEL_3,
    RIGHT,
    SAGRADA,
    asked,
    build,
    builds,
    choose,
    decide,
    gained,
    give,
    house,
    may_stop,
    moves_of,
    order_of,
    place,
    position,
    put,
    refused,
    scored,
    settled,
    site,
    stack,
    stop,
    turn,
    whats,
)

A1 = site("A1")
AROUND_A1 = ("A1", "B1", "A2", "B2")


def ready(citizens: str = "WW", players: int = 4) -> BarcelonaState:
    """A position in which seat 0 has these citizens, one each, around the block A1, not asked to build yet."""
    state = position(players)
    for where, citizen in zip(AROUND_A1, citizens, strict=False):
        put(state, where, citizen)
    return state


def ask(state: BarcelonaState) -> None:
    """Let seat 0 build."""
    decide(state, (Do.BUILD,))


def raised(state: BarcelonaState, building: int, *using: str, where: int = A1, marker: int = 3) -> list[Event]:
    """Seat 0 builds, and takes the marker from a stack; nothing else must be asked."""
    ask(state)
    return [*build(state, where, building, *using), *choose(state, Kind.STACK, marker)]


# BA-B1


def test_ba_b1_who_can_build_must() -> None:
    state = ready()
    ask(state)
    assert asked(state) is Kind.BUILD
    assert not may_stop(state)
    assert refused(state, STOP) == "BA-B1"


def test_ba_b1_exactly_one() -> None:
    state = ready("WWWW")
    put(state, "E5", "W")
    put(state, "E4", "W")
    raised(state, LEVEL_1, "A1", "B1")
    assert settled(state), "two more could be built"


def test_ba_b1_without_any_the_turn_goes_on() -> None:
    state = position()
    turn(state)
    place(state, "E5", "W")
    stop(state)
    assert state.seat == 1
    assert not any(state.markers)


def test_ba_b1_any_site_of_the_city_not_only_beside_the_citizens_placed() -> None:
    state = ready()
    turn(state)
    place(state, "E5", "W")
    stop(state)
    assert builds(state) == {(A1, LEVEL_1)}


# BA-B2


@pytest.mark.parametrize(
    ("citizens", "ways"),
    [
        ("W", {}),
        ("WW", {LEVEL_1: 1}),
        ("WU", {LEVEL_1: 1}),
        ("UU", {LEVEL_1: 1}),
        ("WM", {LEVEL_1: 1, LEVEL_2: 1}),
        ("UM", {LEVEL_1: 1, LEVEL_2: 1}),
        ("MM", {LEVEL_1: 1, LEVEL_2: 1}),
        ("WWW", {LEVEL_1: 3}),
        ("MMM", {LEVEL_1: 3, LEVEL_2: 3}),
        ("WMW", {LEVEL_1: 3, LEVEL_2: 2}),
        ("WWU", {LEVEL_1: 3, LEVEL_3: 1}),
        ("UUU", {LEVEL_1: 3, LEVEL_3: 1}),
        ("MMUW", {LEVEL_1: 6, LEVEL_2: 5, LEVEL_3: 3}),
        ("UUMW", {LEVEL_1: 6, LEVEL_2: 3, LEVEL_3: 4}),
    ],
)
def test_ba_b2_which_citizens_will_do(citizens: str, ways: dict[int, int]) -> None:
    state = ready(citizens)
    ask(state)
    assert Counter(found.which for found in moves_of(state, Kind.BUILD) if found.what == A1) == ways


def test_ba_b2_an_upper_class_citizen_is_not_good_for_a_middle_class_one() -> None:
    state = ready("UW")
    ask(state)
    assert refused(state, moves.build(A1, LEVEL_2, 0b11)) == "BA-B2"


def test_ba_b2_exactly_as_many_as_it_takes() -> None:
    state = ready("WMU")
    ask(state)
    assert refused(state, moves.build(A1, LEVEL_1, 0b111)) == "BA-B2"
    assert refused(state, moves.build(A1, LEVEL_3, 0b110)) == "BA-B2"


def test_ba_b2_only_the_top_citizen_counts_and_one_from_each_intersection() -> None:
    state = position()
    put(state, "A1", "WU")
    ask(state)
    assert settled(state), "one intersection gives one citizen"
    put(state, "B1", "WM")
    put(state, "A2", "W")
    ask(state)
    assert builds(state) == {(A1, LEVEL_1)}


def test_ba_b2_those_used_leave_and_those_beneath_come_to_the_top() -> None:
    state = position()
    put(state, "A1", "WU")
    put(state, "B1", "WM")
    put(state, "A2", "W")
    raised(state, LEVEL_1, "A1", "A2")
    assert [stack(state, where) for where in AROUND_A1] == ["U", "WM", "", ""]
    ask(state)
    assert builds(state) == set(), "level 1 stands there, and level 2 wants a middle-class citizen on top"
    state.citizens[1] >>= 2
    ask(state)
    assert builds(state) == {(A1, LEVEL_2)}


def test_ba_b2_only_intersections_at_the_corners_of_the_block() -> None:
    state = position()
    put(state, "A1", "W")
    put(state, "C1", "W")
    ask(state)
    assert settled(state)
    put(state, "B2", "W")
    ask(state)
    assert builds(state) == {(A1, LEVEL_1), (site("B1"), LEVEL_1)}, "across a block is good enough"


@pytest.mark.parametrize(
    ("where", "halves"),
    [
        (("D1", "E1"), {LEFT}),
        (("D1", "D2"), {LEFT}),
        (("E1", "E2"), {RIGHT}),
        (("D2", "E2"), {RIGHT}),
        (("E1", "D2"), {LEFT, RIGHT}),
        (("D1", "E2"), set()),
    ],
)
def test_ba_b2_a_triangle_has_three_intersections(where: tuple[str, str], halves: set[int]) -> None:
    state = position()
    for name in where:
        put(state, name, "U")
    ask(state)
    wanted = {(site("D1", half), CORNER) for half in halves}
    assert {(at_site, kind) for at_site, kind in builds(state) if kind == CORNER} == wanted


@pytest.mark.parametrize("block", ["D1", "C2", "B3", "A4"])
def test_ba_b2_blocks_on_the_diagonal_take_corner_buildings_only(block: str) -> None:
    state = position()
    column, row = block[0], block[1]
    for name in (block, "BCDE"["ABCD".index(column)] + row, column + str(int(row) + 1)):
        put(state, name, "M")
    state.buildings_left = [0, 8, 7, 8]
    ask(state)
    sites = {site(block, LEFT), site(block, RIGHT)}
    assert {kind for where, kind in builds(state) if where in sites} == {CORNER}
    assert refused(state, moves.build(site(block, LEFT), LEVEL_2, 0b011)) == "BA-B2"


def test_ba_b2_a_corner_building_needs_a_triangle() -> None:
    state = ready()
    ask(state)
    assert refused(state, moves.build(A1, CORNER, 0b11)) == "BA-B2"


# BA-B3


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize(
    ("levels", "higher"),
    [
        ((), {LEVEL_1, LEVEL_2, LEVEL_3}),
        ((LEVEL_1,), {LEVEL_2, LEVEL_3}),
        ((LEVEL_2,), {LEVEL_3}),
        ((LEVEL_1, LEVEL_2), {LEVEL_3}),
        ((LEVEL_3,), set()),
    ],
)
def test_ba_b3_a_higher_level_goes_over_a_lower_one_anybodys(
    owner: int, levels: tuple[int, ...], higher: set[int]
) -> None:
    state = ready("WMU")
    house(state, A1, *[(level, owner) for level in levels])
    ask(state)
    assert {kind for _, kind in builds(state)} == higher
    if levels == (LEVEL_2,):
        assert refused(state, moves.build(A1, LEVEL_2, 0b011)) == "BA-B3"
        assert refused(state, moves.build(A1, LEVEL_1, 0b011)) == "BA-B3"


def test_ba_b3_the_new_marker_lies_on_the_old_ones() -> None:
    state = ready("WM")
    house(state, A1, (LEVEL_1, 1))
    raised(state, LEVEL_2, "A1", "B1")
    assert state.markers[A1] == (1, 0)
    assert state.buildings[A1] == LEVEL_2
    assert state.buildings_left == [11, 7, 7, 8], "the lower tile stays where it is"
    assert sum(state.marker_stacks[1]) == 9


def test_ba_b3_corner_buildings_are_not_built_over() -> None:
    state = position()
    put(state, "E1", "U")
    put(state, "D2", "U")
    house(state, site("D1", LEFT), (CORNER, 1))
    ask(state)
    assert builds(state) == {(site("D1", RIGHT), CORNER)}
    assert refused(state, moves.build(site("D1", LEFT), CORNER, 0b110)) == "BA-B3"


# BA-B4


def test_ba_b4_the_tile_must_be_in_supply() -> None:
    state = ready("WMU")
    state.buildings_left = [12, 0, 7, 8]
    ask(state)
    assert builds(state) == {(A1, LEVEL_1), (A1, LEVEL_3)}
    assert refused(state, moves.build(A1, LEVEL_2, 0b011)) == "BA-B4"
    state.buildings_left = [0, 0, 0, 8]
    ask(state)
    assert settled(state)


def test_ba_b4_the_builder_needs_a_marker() -> None:
    state = ready("WMU")
    state.marker_stacks[0] = [0, 0, 0, 0]
    ask(state)
    assert settled(state)


def test_ba_b4_tile_and_marker_leave_the_supplies() -> None:
    state = ready("WM")
    raised(state, LEVEL_1, "A1", "B1", marker=2)
    assert state.buildings_left == [11, 8, 7, 8]
    assert state.marker_stacks[0] == [2, 2, 2, 3]


def test_ba_b4_a_marker_comes_from_any_stack_that_has_one() -> None:
    state = ready("WW")
    state.marker_stacks[0] = [0, 2, 0, 3]
    ask(state)
    build(state, A1, LEVEL_1, "A1", "B1")
    assert whats(state, Kind.STACK) == [1, 3]
    assert refused(state, moves.simple(Kind.STACK, 0)) == "BA-B4"


# BA-B5


@pytest.mark.parametrize(
    ("building", "vp", "cerda", "sagrada"),
    [(LEVEL_1, 3, 1, 0), (LEVEL_2, 5, -1, 1), (LEVEL_3, 7, -2, 2)],
)
def test_ba_b5_what_a_tile_brings(building: int, vp: int, cerda: int, sagrada: int) -> None:
    state = ready("WMU")
    give(state, cerda=6, sagrada=2 if building == LEVEL_2 else 4)
    using = ("A1", "B1", "A2") if building == LEVEL_3 else ("A1", "B1")
    events = raised(state, building, *using)
    assert scored(events, Reason.BUILDING) == vp
    assert state.cerda[0] == 6 + cerda
    assert state.sagrada[0] == (2 if building == LEVEL_2 else 4) + sagrada


@pytest.mark.parametrize(("resource", "coins", "cloth"), [(0, 2, 1), (1, 1, 2)])
def test_ba_b5_a_corner_brings_a_coin_or_a_cloth_before_the_marker(resource: int, coins: int, cloth: int) -> None:
    state = position(4)
    put(state, "D1", "W")
    put(state, "E1", "W")
    ask(state)
    build(state, site("D1", LEFT), CORNER, "D1", "E1")
    assert (asked(state), may_stop(state), state.vp[0]) == (Kind.RESOURCE, False, 3)
    choose(state, Kind.RESOURCE, resource)
    assert (state.coins[0], state.cloth[0]) == (coins, cloth)
    assert asked(state) is Kind.STACK
    assert state.markers[site("D1", LEFT)] == ()


def test_ba_b5_tile_sagrada_marker_stack_row_citizens_track() -> None:
    state = ready("WUW")
    give(state, sagrada=1, cerda=6)
    state.marker_stacks[0] = [1, 2, 3, 3]
    ask(state)
    events = build(state, A1, LEVEL_3, "A1", "B1", "A2")
    assert (asked(state), state.vp[0], state.cerda[0], state.sagrada[0]) == (Kind.SAGRADA, 7, 4, 3)
    assert state.markers[A1] == ()
    events += choose(state, Kind.SAGRADA, SAGRADA["S1A"])
    assert (asked(state), state.vp[0]) == (Kind.STACK, 7 + 5)
    assert state.track == [0, 0, 0]
    events += choose(state, Kind.STACK, 0)
    wanted = (Built, Scored, Advanced, SagradaTaken, MarkerPlaced, StackEmptied, Gained, RowBonusTaken, CitizenTracked)
    assert order_of(events, *wanted) == [
        *(Built, Scored, Advanced, Advanced, SagradaTaken, Scored, MarkerPlaced, StackEmptied, Gained),
        *(RowBonusTaken, Scored, CitizenTracked, CitizenTracked, CitizenTracked, Scored),
    ]
    assert state.vp[0] == 7 + 5 + 5 + 1
    assert state.coins[0] == 2
    assert settled(state)


def test_ba_b5_the_new_marker_does_not_count_while_the_tile_is_resolved() -> None:
    state = ready("WM")
    give(state, sagrada=9)
    house(state, site("A3"), (LEVEL_1, 0))
    ask(state)
    build(state, A1, LEVEL_2, "A1", "B1")
    choose(state, Kind.SAGRADA, SAGRADA["S4B"])
    assert state.vp[0] == 5 + 2


def test_ba_b5_citizens_reach_the_track_only_when_all_else_is_done() -> None:
    state = ready("WM")
    give(state, sagrada=1, coins=2, cloth=2)
    state.marker_stacks[0] = [1, 2, 3, 3]
    ask(state)
    build(state, A1, LEVEL_2, "A1", "B1")
    choose(state, Kind.SAGRADA, SAGRADA["S1D"])
    choose(state, Kind.STACK, 0)
    assert (asked(state), state.bonus_left[0], state.track) == (Kind.KEEP, True, [0, 0, 0])
    choose(state, Kind.KEEP, 3)
    assert (state.bonus_left[0], state.track) == (False, [1, 1, 0])


@pytest.mark.parametrize(
    ("marker", "coins", "cloth", "cerda", "vp"), [(0, 1, 0, 0, 0), (1, 0, 1, 0, 0), (2, 0, 0, 2, 0), (3, 0, 0, 0, 6)]
)
def test_ba_b5_each_emptied_stack_of_markers_has_its_own_reward(
    marker: int, coins: int, cloth: int, cerda: int, vp: int
) -> None:
    state = ready("WW")
    state.marker_stacks[0][marker] = 1
    events = raised(state, LEVEL_1, "A1", "B1", marker=marker)
    assert (state.coins[0] - 1, state.cloth[0] - 1, state.cerda[0] - 3) == (coins, cloth, cerda)
    assert scored(events, Reason.STACK) == vp


# BA-B6


@pytest.mark.parametrize(
    ("where", "using", "row"),
    [
        (site("A1"), ("A1", "B1"), 0),
        (site("C3"), ("C3", "D4"), 2),
        (site("D4"), ("D4", "E4"), 3),
        (site("A2"), ("A2", "A3"), 1),
    ],
)
def test_ba_b6_the_first_building_of_a_row_gains_five_points(where: int, using: tuple[str, str], row: int) -> None:
    state = position()
    for name in using:
        put(state, name, "W")
    events = raised(state, LEVEL_1, *using, where=where)
    assert gained(events, RowBonusTaken) == [RowBonusTaken(0, row)]
    assert scored(events, Reason.ROW) == 5
    assert state.bonus_left == [number != row for number in range(4)]


def test_ba_b6_a_corner_building_is_a_first_building_too() -> None:
    state = position()
    put(state, "A5", "W")
    put(state, "B5", "W")
    ask(state)
    build(state, site("A4", RIGHT), CORNER, "A5", "B5")
    choose(state, Kind.RESOURCE, 0)
    assert scored(choose(state, Kind.STACK, 3), Reason.ROW) == 5
    assert state.bonus_left == [True, True, True, False]


def test_ba_b6_never_for_the_second_building_of_a_row() -> None:
    state = ready("WWWW")
    put(state, "C1", "W")
    put(state, "C2", "W")
    raised(state, LEVEL_1, "A1", "A2")
    events = raised(state, LEVEL_1, "C1", "C2", where=site("B1"))
    assert scored(events, Reason.ROW) == 0


def test_ba_b6_never_for_an_upgrade() -> None:
    state = ready("WWMM")
    raised(state, LEVEL_1, "A1", "B1")
    events = raised(state, LEVEL_2, "A2", "B2")
    assert not gained(events, RowBonusTaken)


# BA-B7


@pytest.mark.parametrize(
    ("players", "before", "spaces"),
    [
        (4, [0, 0, 0], [(1, 0), (2, 0), (3, 0)]),
        (3, [0, 6, 5], [(1, 0), (2, 7), (3, 5)]),
        (2, [0, 5, 10], [(1, 1), (2, 7), (3, 13)]),
        (2, [4, 9, 1], [(1, 5), (2, 11), (3, 2)]),
    ],
)
def test_ba_b7_each_to_the_leftmost_free_space_of_its_row(
    players: int, before: list[int], spaces: list[tuple[int, int]]
) -> None:
    state = ready("WMU", players)
    state.track = list(before)
    give(state, sagrada=4)
    events = raised(state, LEVEL_3, "A1", "B1", "A2")
    assert sorted((event.citizen, event.space) for event in gained(events, CitizenTracked)) == spaces
    assert state.track == [count + 1 for count in before]


def test_ba_b7_two_of_a_class_lie_side_by_side() -> None:
    state = ready("WW", 2)
    state.track = [4, 0, 0]
    events = raised(state, LEVEL_1, "A1", "B1")
    assert [event.space for event in gained(events, CitizenTracked)] == [5, 7], "space 6 is covered from the start"


# BA-B8


@pytest.mark.parametrize(
    ("players", "before", "vp"),
    [
        (4, [0, 0, 0], 1),
        (4, [4, 6, 8], 4),
        (4, [2, 6, 8], 3),
        (4, [9, 3, 12], 2),
        (4, [14, 18, 18], 9),
        (4, [16, 18, 18], 10),
        (4, [17, 18, 18], 10),
        (3, [5, 7, 8], 5),
        (2, [0, 0, 0], 1),
        (2, [4, 6, 9], 5),
        (2, [8, 10, 10], 7),
    ],
)
def test_ba_b8_the_lowest_number_in_sight_on_any_row_after_placing(players: int, before: list[int], vp: int) -> None:
    state = ready("WW", players)
    state.track = list(before)
    events = raised(state, LEVEL_1, "A1", "B1")
    assert scored(events, Reason.TRACK) == vp


# BA-B9


def test_ba_b9_a_citizen_whose_row_is_full_leaves_the_game() -> None:
    state = ready("WW", 4)
    state.track = [17, 3, 3]
    events = raised(state, LEVEL_1, "A1", "B1")
    assert [event.space for event in gained(events, CitizenTracked)] == [17, -1]
    assert (state.track, state.box) == ([18, 3, 3], [1, 0, 0])


@pytest.mark.parametrize(("players", "length"), [(2, 15), (3, 17), (4, 18)])
def test_ba_b9_covered_spaces_are_part_of_a_full_row(players: int, length: int) -> None:
    state = ready("WW", players)
    state.track = [length, 0, 0]
    raised(state, LEVEL_1, "A1", "B1")
    assert (state.track[0], state.box[0]) == (length, 2)

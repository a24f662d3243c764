"""Barcelona, Cerdà scorings and what tiles count: BA-CS1 to BA-CS4."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardgamesbot.games.barcelona.events import CerdaScored, CitizenTracked, EndBegan, RowBonusTaken
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from tests.support.barcelona import (
    CORNER,
    LEFT,
    LEVEL_1,
    LEVEL_2,
    LEVEL_3,
    NARROW,
    RIGHT,
    RULESET,
    SCORINGS,
    WIDE,
    build,
    choose,
    decide,
    finish,
    gained,
    give,
    hold,
    house,
    lay,
    order_of,
    own,
    pave,
    place,
    position,
    project,
    put,
    ride,
    sagrada,
    serve,
    site,
    stop,
    tracked,
    turn,
)


def sections_scored(state: BarcelonaState) -> list[int]:
    """The sections that a Cerdà check scores now."""
    return [event.section for event in gained(decide(state, (Do.CERDA_CHECK,)), CerdaScored)]


# BA-CS1


@pytest.mark.parametrize(("players", "ends"), [(2, (5, 10, 15)), (3, (6, 11, 17)), (4, (6, 12, 18))])
@pytest.mark.parametrize("row", [0, 1, 2])
def test_ba_cs1_when_a_row_has_filled_a_section(players: int, ends: tuple[int, int, int], row: int) -> None:
    state = position(players)
    for section, count in enumerate(ends):
        state.track[row] = count - 1
        assert sections_scored(state) == []
        state.track[row] = count
        assert sections_scored(state) == [section]
        assert state.scored == [number <= section for number in range(3)]


def test_ba_cs1_each_section_once() -> None:
    state = position(4)
    tracked(state, working=6)
    assert sections_scored(state) == [0]
    assert sections_scored(state) == []
    tracked(state, working=6, middle=6, upper=7)
    assert sections_scored(state) == []


def test_ba_cs1_rows_do_not_add_up() -> None:
    state = position(4)
    tracked(state, working=5, middle=5, upper=5)
    assert sections_scored(state) == []


def test_ba_cs1_two_at_once_in_order() -> None:
    state = position(4)
    tracked(state, working=5, middle=12)
    events = decide(state, (Do.CERDA_CHECK,))
    assert [(event.section, event.tile) for event in gained(events, CerdaScored)] == [
        (0, SCORINGS["BOTTOM"]),
        (1, SCORINGS["CORNER"]),
    ]
    assert not state.ending


def test_ba_cs1_after_the_whole_of_the_building_step() -> None:
    state = position(4, cerda=("BOTTOM", "CORNER", "LINE"))
    tracked(state, working=4)
    put(state, "A1", "W")
    put(state, "B1", "W")
    decide(state, (Do.BUILD,), (Do.CERDA_CHECK,))
    build(state, site("A1"), LEVEL_1, "A1", "B1")
    events = choose(state, Kind.STACK, 3)
    assert order_of(events, RowBonusTaken, CitizenTracked, CerdaScored) == [
        *(RowBonusTaken, CitizenTracked, CitizenTracked, CerdaScored),
    ]
    (scoring,) = gained(events, CerdaScored)
    assert scoring.values == (2, 0, 0, 0), "the new marker counts"


def test_ba_cs1_checked_where_nothing_was_built_too() -> None:
    state = position(4)
    tracked(state, working=6)
    turn(state)
    place(state, "E5", "W")
    stop(state)
    assert state.scored == [True, False, False]


def test_ba_cs1_the_third_one_begins_the_end() -> None:
    state = position(4)
    tracked(state, upper=18)
    events = decide(state, (Do.CERDA_CHECK,))
    assert order_of(events, CerdaScored, EndBegan) == [CerdaScored, CerdaScored, CerdaScored, EndBegan]
    assert gained(events, EndBegan) == [EndBegan(False)]
    assert state.ending
    assert not state.over


# BA-CS2


def test_ba_cs2_value_times_ones_own_multiplier_for_all() -> None:
    state = position(3, cerda=("PASSENGER", "CORNER", "LINE"))
    ride(state, 0, "A1-B1", "B1-C1")
    ride(state, 1, "C1-D1")
    give(state, 0, cerda=4)
    give(state, 1, cerda=9)
    give(state, 2, cerda=16)
    tracked(state, middle=6)
    (scoring,) = gained(decide(state, (Do.CERDA_CHECK,), seat=2), CerdaScored)
    assert (scoring.values, scoring.multipliers) == ((6, 3, 0), (1, 3, 4))
    assert state.vp == [6, 9, 0]
    assert state.cerda == [4, 9, 16], "no marker moves"


def test_ba_cs2_the_tile_of_the_section() -> None:
    state = position(4, cerda=("PASSENGER", "INTERSECTION", "WIDE"))
    ride(state, 0, "A1-B1")
    own(state, 0, "A1", "B1")
    pave(state, 0, WIDE, "A1-B1", "B1-C1", "C1-D1", "D1-E1")
    for count, vp in ((6, 3), (12, 3 + 4), (18, 3 + 4 + 8)):
        tracked(state, working=count)
        decide(state, (Do.CERDA_CHECK,))
        assert state.vp[0] == vp


# BA-CS3: each criterion on a position of its own, its value for seats 0 and 1 counted by hand


def bottom(state: BarcelonaState) -> None:
    house(state, site("A1"), (LEVEL_1, 0))
    house(state, site("B1"), (LEVEL_1, 0), (LEVEL_2, 1))
    house(state, site("C1"), (LEVEL_1, 1), (LEVEL_2, 0))
    house(state, site("A2"), (LEVEL_1, 0), (LEVEL_3, 0))
    house(state, site("D1", LEFT), (CORNER, 0))


def corner(state: BarcelonaState) -> None:
    house(state, site("D1", LEFT), (CORNER, 0))
    house(state, site("D1", RIGHT), (CORNER, 0))
    house(state, site("C2", LEFT), (CORNER, 0))
    house(state, site("C2", RIGHT), (CORNER, 1))
    house(state, site("A1"), (LEVEL_1, 0))


def line(state: BarcelonaState) -> None:
    house(state, site("A1"), (LEVEL_1, 0))
    house(state, site("B1"), (LEVEL_1, 0))
    house(state, site("D1", RIGHT), (CORNER, 0))
    house(state, site("A2"), (LEVEL_1, 0), (LEVEL_2, 1))
    house(state, site("A3"), (LEVEL_2, 0))
    house(state, site("B3", LEFT), (CORNER, 1))


def intersections(state: BarcelonaState) -> None:
    own(state, 0, "A1", "C3", "E5")
    own(state, 1, "B2")


def passengers(state: BarcelonaState) -> None:
    pave(state, 1, NARROW, "A1-B1")
    ride(state, 0, "A1-B1", "C3-D3")
    ride(state, 1, "E4-E5")


def wide(state: BarcelonaState) -> None:
    pave(state, 0, WIDE, "A1-B1", "C3-D3")
    pave(state, 0, NARROW, "B1-C1")
    pave(state, 1, WIDE, "E4-E5")


def narrow(state: BarcelonaState) -> None:
    pave(state, 0, NARROW, "A1-B1", "C3-D3", "E1-E2")
    pave(state, 0, WIDE, "B1-C1")
    pave(state, 1, NARROW, "E4-E5")


def services(state: BarcelonaState) -> None:
    serve(state, 0, "ARC_DE_TRIOMF", "UNIVERSITAT")
    serve(state, 1, "ARC_DE_TRIOMF")


def cobblestones(state: BarcelonaState) -> None:
    lay(state, 0, (1, 2), (1, 1), (0, 1))
    lay(state, 1, (3, 2))


def modernisme(state: BarcelonaState) -> None:
    project(state, 0, 0, "LINE")
    project(state, 0, 1, "CORNER", improved=True)
    project(state, 0, 2, improved=True)
    project(state, 1, 3, "BOTTOM")


def improved(state: BarcelonaState) -> None:
    project(state, 0, 0, "LINE")
    project(state, 0, 1, "CORNER", improved=True)
    project(state, 0, 2, improved=True)
    project(state, 1, 3, improved=True)


def sagrada_tiles(state: BarcelonaState) -> None:
    sagrada(state, 0, "S1A", "S2B")
    sagrada(state, 1, "S1C")


def rows(state: BarcelonaState) -> None:
    house(state, site("A1"), (LEVEL_1, 0))
    house(state, site("B1"), (LEVEL_1, 0))
    house(state, site("B3", RIGHT), (CORNER, 0))
    house(state, site("D4"), (LEVEL_1, 0), (LEVEL_2, 1))


def upgrades(state: BarcelonaState) -> None:
    house(state, site("A1"), (LEVEL_1, 0), (LEVEL_2, 0), (LEVEL_3, 0))
    house(state, site("B1"), (LEVEL_1, 1), (LEVEL_2, 0))
    house(state, site("C1"), (LEVEL_1, 0), (LEVEL_2, 1))
    house(state, site("D3"), (LEVEL_3, 0))
    house(state, site("D1", LEFT), (CORNER, 0))


def resources(state: BarcelonaState) -> None:
    give(state, coins=3, cloth=2)


def many_resources(state: BarcelonaState) -> None:
    lay(state, 0, (1, 2), (1, 1), (0, 1), (0, 0), (1, 0), (2, 0))
    give(state, coins=6, cloth=4)


def multiplier(state: BarcelonaState) -> None:
    give(state, cerda=9)


def markers(state: BarcelonaState) -> None:
    house(state, site("A1"), (LEVEL_1, 0), (LEVEL_2, 1), (LEVEL_3, 0))
    house(state, site("D1", LEFT), (CORNER, 0))
    house(state, site("D1", RIGHT), (CORNER, 0))
    house(state, site("D4"), (LEVEL_1, 1))


def stacks(state: BarcelonaState) -> None:
    state.marker_stacks[0] = [0, 1, 3, 3]
    state.narrow[0] = [0, 2, 0, 1]
    state.wide[0] = [1, 0, 2]


Arrange = Callable[[BarcelonaState], None]

CERDA: list[tuple[str, Arrange, int, int]] = [
    ("BOTTOM", bottom, 2 * 3, 2 * 1),
    ("CORNER", corner, 3 * 2, 3 * 1),
    ("LINE", line, 2 * 3, 2 * 1),
    ("INTERSECTION", intersections, 2 * 3, 2 * 1),
    ("PASSENGER", passengers, 3 * 2, 3 * 1),
    ("WIDE", wide, 2 * 2, 2 * 1),
    ("NARROW", narrow, 1 * 3, 1 * 1),
    ("SERVICE", services, 3 * 2, 3 * 1),
    ("COBBLESTONE", cobblestones, 2 * 3, 2 * 1),
    ("MODERNISME", modernisme, 2 * 2, 2 * 1),
    ("IMPROVED", improved, 3 * 2, 3 * 1),
    ("SAGRADA", sagrada_tiles, 3 * 2, 3 * 1),
    ("ROWS", rows, 2 * 3, 2 * 1),
    ("UPGRADES", upgrades, 3 * 3, 3 * 1),
]
MODERNISME: list[tuple[str, Arrange, int]] = [
    *((name, arrange, own + (2 if name == "MODERNISME" else 0)) for name, arrange, own, _ in CERDA),
    ("RESOURCES", resources, 5),
    ("RESOURCES", many_resources, 8),
    ("MULTIPLIER", multiplier, 3 * 3),
    ("MARKERS", markers, 4),
    ("STACKS", stacks, 2 * 4),
]


def test_ba_cs3_the_tables_below_name_every_criterion_of_the_base_game() -> None:
    base = [scoring for scoring in RULESET.scorings if not scoring.expansion]
    assert [scoring.id for scoring in base if scoring.cerda] == [entry[0] for entry in CERDA]
    assert {scoring.id for scoring in base} == {entry[0] for entry in MODERNISME}
    assert len(base) == 18


@pytest.mark.parametrize(("name", "arrange", "own_value", "other"), CERDA)
def test_ba_cs3_value_of_each_cerda_tile(name: str, arrange: Arrange, own_value: int, other: int) -> None:
    state = position(4, cerda=(name, *[entry[0] for entry in CERDA if entry[0] != name][:2]), shown=())
    arrange(state)
    give(state, 0, cerda=9)
    tracked(state, working=6)
    (scoring,) = gained(decide(state, (Do.CERDA_CHECK,)), CerdaScored)
    assert (scoring.tile, scoring.values) == (SCORINGS[name], (own_value, other, 0, 0))
    assert state.vp == [3 * own_value, other, 0, 0]


@pytest.mark.parametrize(("name", "arrange", "value"), MODERNISME)
def test_ba_cs3_value_of_each_modernisme_tile(name: str, arrange: Arrange, value: int) -> None:
    state = position(4)
    arrange(state)
    before = state.scores()
    project(state, 0, 3, name)
    assert [after - score for after, score in zip(state.scores(), before, strict=True)] == [value, 0, 0, 0]
    project(state, 0, 3, name, improved=True)
    doubled = value + 3 if name == "IMPROVED" else value
    assert state.scores()[0] - before[0] == 2 * doubled


# BA-CS4


def longest(*blocks: str, others: tuple[str, ...] = ()) -> int:
    """The length of seat 0's longest line, with lone markers in these blocks."""
    state = position(2, cerda=("LINE", "CORNER", "BOTTOM"))
    for seat, names in ((0, blocks), (1, others)):
        for name in names:
            cut = name in ("D1", "C2", "B3", "A4")
            house(state, site(name, LEFT if cut else None), (CORNER if cut else LEVEL_1, seat))
    tracked(state, working=5)
    (scoring,) = gained(decide(state, (Do.CERDA_CHECK,)), CerdaScored)
    value, odd = divmod(scoring.values[0], 2)
    assert not odd
    return value


@pytest.mark.parametrize(
    ("blocks", "length"),
    [
        ((), 0),
        (("B2",), 1),
        (("A1", "B2", "D4"), 1),
        (("A1", "B1", "D1"), 2),
        (("A1", "B1", "C1", "D1"), 4),
        (("A1", "A2", "A3", "A4"), 4),
        (("A1", "A2", "B2", "C2", "D2"), 4),
        (("A1", "A2", "B2"), 2),
        (("C1", "D1", "A2", "B2"), 2),
        (("D1", "D2", "D3", "A2"), 3),
        (("B1", "B3", "B4", "C3"), 2),
    ],
)
def test_ba_cs4_lines_are_straight_and_without_a_gap(blocks: tuple[str, ...], length: int) -> None:
    assert longest(*blocks) == length


def test_ba_cs4_blocks_of_others_make_no_line() -> None:
    assert longest("A1", "C1", others=("B1",)) == 1


def test_ba_cs4_a_marker_beneath_others_makes_the_block_ones_own() -> None:
    state = position(2, cerda=("LINE", "CORNER", "BOTTOM"))
    house(state, site("A1"), (LEVEL_1, 0), (LEVEL_2, 1))
    house(state, site("B1"), (LEVEL_1, 1), (LEVEL_2, 0), (LEVEL_3, 1))
    house(state, site("C1"), (LEVEL_1, 0))
    tracked(state, working=5)
    (scoring,) = gained(decide(state, (Do.CERDA_CHECK,)), CerdaScored)
    assert scoring.values == (6, 4)


def test_ba_cs4_either_corner_and_two_count_once() -> None:
    state = position(2, cerda=("LINE", "ROWS", "CORNER"))
    for half in (LEFT, RIGHT):
        house(state, site("D1", half), (CORNER, 0))
    house(state, site("C1"), (LEVEL_1, 0))
    tracked(state, working=15)
    assert [event.values[0] for event in gained(decide(state, (Do.CERDA_CHECK,)), CerdaScored)] == [4, 2, 3]


def test_ba_cs4_rows_run_from_left_to_right() -> None:
    state = position(2, cerda=("ROWS", "CORNER", "LINE"))
    for name in ("A1", "A2", "A3"):
        house(state, site(name), (LEVEL_1, 0))
    for name in ("A4", "D1"):
        house(state, site(name, RIGHT), (CORNER, 1))
    house(state, site("B1"), (LEVEL_1, 1))
    tracked(state, working=5)
    (scoring,) = gained(decide(state, (Do.CERDA_CHECK,)), CerdaScored)
    assert scoring.values == (6, 4)


def test_ba_cs4_a_marker_alone_is_at_the_bottom() -> None:
    state = position(2)
    house(state, site("A1"), (LEVEL_3, 0))
    tracked(state, working=5)
    hold(state, 0, "WW")
    (scoring,) = gained(finish(state), CerdaScored)
    assert scoring.values == (2, 0)

"""Barcelona, streets: BA-ST1 to BA-ST3."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Advanced, Gained, Reason, Scored, StackEmptied, StreetBuilt
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    NARROW,
    SAGRADA,
    WIDE,
    action,
    asked,
    choose,
    give,
    may_stop,
    order_of,
    pave,
    position,
    refused,
    ride,
    scored,
    section,
    settled,
    stop,
    whats,
)


def built(state: BarcelonaState, where: str, kind: int = NARROW, stack: int = 2) -> list[Event]:
    """The first street of an action, from the choice of the section on."""
    action(state, "NARROW" if kind == NARROW else "WIDE")
    return [*choose(state, Kind.SECTION, section(where)), *choose(state, Kind.STACK, stack)]


# BA-ST1


def test_ba_st1_any_section_without_a_tile() -> None:
    state = position()
    pave(state, 1, WIDE, "C2-D2")
    pave(state, 0, NARROW, "A1-A2")
    ride(state, 1, "B2-C2")
    action(state, "NARROW")
    assert set(whats(state, Kind.SECTION)) == set(range(40)) - {section("C2-D2"), section("A1-A2")}
    assert refused(state, moves.simple(Kind.SECTION, section("C2-D2"))) == "BA-ST1"


@pytest.mark.parametrize(("name", "left", "stacks"), [("NARROW", [0, 2, 0, 1], [1, 3]), ("WIDE", [0, 0, 2], [2])])
def test_ba_st1_from_any_stack_that_has_a_tile(name: str, left: list[int], stacks: list[int]) -> None:
    state = position()
    (state.narrow if name == "NARROW" else state.wide)[0] = left
    action(state, name)
    choose(state, Kind.SECTION, 0)
    assert whats(state, Kind.STACK) == stacks
    assert not may_stop(state)
    assert refused(state, moves.simple(Kind.STACK, 0)) == "BA-ST1"


def test_ba_st1_a_tile_leaves_its_stack() -> None:
    state = position()
    built(state, "A2-B2", stack=3)
    assert state.narrow == [[2, 2, 3, 2], [2, 2, 3, 3]]


# BA-ST2: sections with points printed on them give 2 besides the run


@pytest.mark.parametrize(
    ("narrow", "wide", "where", "length"),
    [
        ((), (), "A1-B1", 1),
        (("B1-C1",), (), "A1-B1", 2),
        ((), ("B1-C1",), "A1-B1", 2),
        (("A1-B1", "D1-E1"), ("C1-D1",), "B1-C1", 4),
        (("C1-D1",), (), "A1-B1", 1),
        (("B1-B2", "A1-A2"), (), "A1-B1", 1),
        (("D1-E1",), (), "A2-B2", 1),
        (("A2-B2",), (), "D1-E1", 1),
        (("A2-A3", "A3-A4"), ("A1-A2",), "A4-A5", 4),
        (("A4-A5",), (), "B1-B2", 1),
        (("D5-E5",), (), "A1-A2", 1),
        (("B2-C2", "C3-D3"), (), "C2-D2", 2),
    ],
)
@pytest.mark.parametrize(("kind", "each"), [(NARROW, 1), (WIDE, 2)])
def test_ba_st2_the_unbroken_straight_run_and_the_new_tiles_kind(
    narrow: tuple[str, ...], wide: tuple[str, ...], where: str, length: int, kind: int, each: int
) -> None:
    state = position()
    pave(state, 0, NARROW, *narrow)
    pave(state, 1, WIDE, *wide)
    assert scored(built(state, where, kind), Reason.RUN) == length * each


def test_ba_st2_tiles_of_all_players_count_and_only_the_builder_scores() -> None:
    state = position(3)
    pave(state, 1, NARROW, "A3-B3")
    pave(state, 2, WIDE, "C3-D3")
    built(state, "B3-C3", stack=3)
    assert state.vp == [3, 0, 0], "a coin is printed there"


def test_ba_st2_the_first_tile_counts_for_the_second() -> None:
    state = position()
    built(state, "A3-B3", stack=3)
    assert state.vp[0] == 1
    choose(state, Kind.SECTION, section("B3-C3"))
    choose(state, Kind.STACK, 3)
    assert state.vp[0] == 1 + 2


# BA-ST3


def test_ba_st3_section_stack_benefit_run_reward_and_then_the_second_tile() -> None:
    state = position()
    state.narrow[0] = [1, 2, 3, 3]
    action(state, "NARROW")
    assert asked(state) is Kind.SECTION
    choose(state, Kind.SECTION, section("B2-C2"))
    assert asked(state) is Kind.STACK
    assert state.streets[section("B2-C2")] == 0, "nothing happens before the stack is chosen"
    events = choose(state, Kind.STACK, 0)
    assert order_of(events, StreetBuilt, Advanced, Scored, StackEmptied, Gained) == [
        *(StreetBuilt, Advanced, Scored, StackEmptied, Gained),
    ]
    assert (state.cerda[0], state.vp[0], state.coins[0]) == (3, 1, 2)
    assert asked(state) is Kind.SECTION
    assert may_stop(state)


def test_ba_st3_printed_points_come_before_the_run() -> None:
    state = position()
    pave(state, 1, NARROW, "B2-C2")
    events = built(state, "A2-B2")
    assert [(e.reason, e.points) for e in events if isinstance(e, Scored)] == [(Reason.ICON, 2), (Reason.RUN, 2)]


def test_ba_st3_the_benefit_is_kept_or_given_up_before_the_run() -> None:
    state = position()
    give(state, coins=4, cloth=0)
    built(state, "A1-B1", WIDE)
    assert (asked(state), state.vp[0]) == (Kind.KEEP, 0)
    choose(state, Kind.KEEP, 4)
    assert state.vp[0] == 2


@pytest.mark.parametrize(
    ("kind", "stack", "coins", "cloth", "cerda", "sagrada", "vp"),
    [
        (NARROW, 0, 1, 0, 0, 0, 0),
        (NARROW, 1, 0, 1, 0, 0, 0),
        (NARROW, 2, 0, 0, 1, 0, 0),
        (NARROW, 3, 0, 0, 0, 0, 4),
        (WIDE, 0, 1, 0, 0, 0, 0),
        (WIDE, 1, 0, 0, 0, 1, 0),
        (WIDE, 2, 0, 0, 0, 0, 4),
    ],
)
def test_ba_st3_each_emptied_stack_has_its_own_reward(
    kind: int, stack: int, coins: int, cloth: int, cerda: int, sagrada: int, vp: int
) -> None:
    state = position()
    (state.narrow if kind == NARROW else state.wide)[0][stack] = 1
    built(state, "A2-B2", kind, stack)
    assert (state.coins[0], state.cloth[0]) == (1 + coins, 1 + cloth)
    assert (state.cerda[0], state.sagrada[0]) == (2 + cerda, sagrada)
    assert state.vp[0] == 2 + kind + vp


def test_ba_st3_no_reward_while_a_tile_is_left() -> None:
    state = position()
    built(state, "A2-B2", stack=0)
    assert state.narrow[0][0] == 1
    assert state.coins[0] == 1
    choose(state, Kind.SECTION, section("A1-A2"))
    choose(state, Kind.STACK, 0)
    assert state.coins[0] == 2


def test_ba_st3_all_that_the_reward_leads_to_comes_before_anything_else() -> None:
    state = position()
    give(state, sagrada=1)
    state.wide[0] = [1, 1, 2]
    built(state, "A2-B2", WIDE, 1)
    assert (asked(state), state.vp[0]) == (Kind.SAGRADA, 2 + 2)
    choose(state, Kind.SAGRADA, SAGRADA["S1A"])
    assert state.vp[0] == 2 + 2 + 5
    assert settled(state)


def test_ba_st3_stopping_after_the_first_tile_takes_nothing_back() -> None:
    state = position()
    built(state, "A2-B2")
    stop(state)
    assert (state.vp[0], sum(state.narrow[0])) == (3, 9)

"""Barcelona, cobblestones on the Sidewalk: BA-C1."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Paid
from boardgamesbot.games.barcelona.moves import Kind
from tests.support.barcelona import (
    SAGRADA,
    action,
    actions,
    asked,
    choose,
    gained,
    give,
    lay,
    position,
    refused,
    settled,
    space,
    stop,
    street,
    whats,
)


def test_ba_c1_the_first_one_lies_beside_the_start_not_diagonally() -> None:
    state = position()
    action(state, "COBBLESTONE")
    assert whats(state, Kind.COBBLESTONE) == [space(1, 2), space(2, 1), space(2, 3), space(3, 2)]
    assert refused(state, moves.simple(Kind.COBBLESTONE, space(1, 1))) == "BA-C1"
    assert refused(state, moves.simple(Kind.COBBLESTONE, space(2, 2))) == "BA-C1"


def test_ba_c1_later_ones_beside_any_players() -> None:
    state = position()
    lay(state, 1, (2, 3), (2, 4))
    action(state, "COBBLESTONE")
    assert whats(state, Kind.COBBLESTONE) == sorted(
        [space(1, 2), space(2, 1), space(3, 2), space(1, 3), space(3, 3), space(1, 4), space(3, 4)]
    ), "not beyond the edge, in the row below"
    assert refused(state, moves.simple(Kind.COBBLESTONE, space(2, 3))) == "BA-C1"
    assert refused(state, moves.simple(Kind.COBBLESTONE, space(3, 0))) == "BA-C1"


def test_ba_c1_rows_of_the_sidewalk_do_not_run_on_into_each_other() -> None:
    state = position()
    lay(state, 1, (3, 2), (3, 1), (3, 0))
    action(state, "COBBLESTONE")
    found = whats(state, Kind.COBBLESTONE)
    assert space(2, 0) in found
    assert space(2, 4) not in found


def test_ba_c1_it_is_free() -> None:
    state = position()
    give(state, coins=0, cloth=0)
    action(state, "COBBLESTONE")
    events = choose(state, Kind.COBBLESTONE, space(2, 1))
    assert not gained(events, Paid)
    assert state.sidewalk[space(2, 1)] == 0


def test_ba_c1_it_frees_a_space_of_the_storage() -> None:
    state = position()
    assert state.capacity(0) == 4
    action(state, "COBBLESTONE")
    choose(state, Kind.COBBLESTONE, space(2, 1))
    assert (state.capacity(0), state.capacity(1)) == (5, 4)


def test_ba_c1_there_are_six() -> None:
    state = position()
    state.cobblestones_placed[0] = 5
    actions(state, "D4")
    assert street("D") in whats(state, Kind.ACTION)
    choose(state, Kind.ACTION, street("D"))
    choose(state, Kind.COBBLESTONE, space(2, 1))
    assert state.capacity(0) == 10
    actions(state, "D4")
    assert street("D") not in whats(state, Kind.ACTION)


@pytest.mark.parametrize(
    ("row", "column", "vp", "coins", "cloth", "cerda", "sagrada"),
    [
        (0, 1, 4, 0, 0, 0, 0),
        (0, 2, 0, 0, 0, 0, 1),
        (0, 3, 0, 2, 0, 0, 0),
        (1, 0, 0, 0, 0, 2, 0),
        (1, 1, 0, 0, 1, 0, 0),
        (1, 2, 0, 1, 0, 0, 0),
        (1, 3, 0, 0, 0, 0, 1),
        (1, 4, 4, 0, 0, 0, 0),
        (2, 0, 0, 0, 0, 0, 1),
        (2, 1, 0, 0, 0, 1, 0),
        (2, 3, 0, 0, 0, 1, 0),
        (2, 4, 0, 0, 0, 0, 1),
        (3, 0, 4, 0, 0, 0, 0),
        (3, 1, 0, 0, 0, 0, 1),
        (3, 2, 0, 0, 1, 0, 0),
        (3, 3, 0, 1, 0, 0, 0),
        (3, 4, 0, 0, 0, 2, 0),
        (4, 1, 0, 0, 2, 0, 0),
        (4, 2, 0, 0, 0, 0, 1),
        (4, 3, 4, 0, 0, 0, 0),
    ],
)
def test_ba_c1_it_gives_what_it_covers(
    row: int, column: int, vp: int, coins: int, cloth: int, cerda: int, sagrada: int
) -> None:
    state = position()
    state.sidewalk = [1] * 25
    state.sidewalk[space(row, column)] = -1
    state.sidewalk[space(2, 2)] = -1
    action(state, "COBBLESTONE")
    assert whats(state, Kind.COBBLESTONE) == [space(row, column)]
    choose(state, Kind.COBBLESTONE, space(row, column))
    assert (state.vp[0], state.coins[0] - 1, state.cloth[0] - 1) == (vp, coins, cloth)
    assert (state.cerda[0] - 2, state.sagrada[0]) == (cerda, sagrada)
    assert settled(state)


@pytest.mark.parametrize(("corner", "kind"), [((0, 0), 2), ((0, 4), 1), ((4, 0), 1), ((4, 4), 2)])
def test_ba_c1_corners_build_streets(corner: tuple[int, int], kind: int) -> None:
    state = position()
    state.sidewalk = [1] * 25
    state.sidewalk[space(*corner)] = -1
    action(state, "COBBLESTONE")
    choose(state, Kind.COBBLESTONE, space(*corner))
    assert asked(state) is Kind.SECTION
    choose(state, Kind.SECTION, 5)
    choose(state, Kind.STACK, 2)
    assert state.streets[5] == kind
    if kind == 1:
        assert asked(state) is Kind.SECTION, "up to two narrow streets"
        stop(state)
    assert settled(state)


def test_ba_c1_a_sagrada_step_may_lead_on_to_another_stone() -> None:
    state = position()
    give(state, sagrada=3)
    state.sagrada_of[0] = [SAGRADA["S1A"]]
    lay(state, 1, (2, 1))
    action(state, "COBBLESTONE")
    choose(state, Kind.COBBLESTONE, space(2, 0))
    choose(state, Kind.SAGRADA, SAGRADA["S2B"])
    choose(state, Kind.COBBLESTONE, space(3, 0))
    assert state.cobblestones_placed[0] == 2
    assert state.vp[0] == 3 + 4

"""Barcelona, the Sagrada Família and the Cerdà track: BA-SF1 to BA-SF3, BA-CT1."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Advanced, SagradaTaken, Track
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from tests.support.barcelona import (
    LEVEL_1,
    LEVEL_2,
    LEVEL_3,
    RULESET,
    SAGRADA,
    action,
    asked,
    choose,
    decide,
    effect,
    gained,
    give,
    house,
    lay,
    may_stop,
    node,
    position,
    project,
    refused,
    sagrada,
    section,
    settled,
    site,
    space,
    stop,
    whats,
)

ONE, TWO = node("sagrada 1"), node("sagrada 2")


def tiles(*ids: str) -> list[int]:
    return [SAGRADA[name] for name in ids]


# BA-SF1


@pytest.mark.parametrize(
    ("before", "steps", "level"),
    [
        (0, TWO, 1),
        (1, ONE, 1),
        (1, TWO, 1),
        (2, TWO, 2),
        (3, TWO, 2),
        (5, TWO, 3),
        (6, TWO, 3),
        (8, TWO, 4),
        (9, ONE, 4),
    ],
)
def test_ba_sf1_a_tile_for_a_threshold_reached_or_passed(before: int, steps: int, level: int) -> None:
    state = position()
    give(state, sagrada=before)
    effect(state, steps)
    assert state.sagrada[0] == min(10, before + (1 if steps == ONE else 2))
    assert whats(state, Kind.SAGRADA) == tiles(*(f"S{level}{letter}" for letter in "ABCD"))


@pytest.mark.parametrize(("before", "steps"), [(0, ONE), (2, ONE), (4, TWO), (7, TWO), (10, TWO), (10, ONE)])
def test_ba_sf1_none_between_thresholds_and_none_again(before: int, steps: int) -> None:
    state = position()
    give(state, sagrada=before)
    effect(state, steps)
    assert settled(state)


def test_ba_sf1_steps_beyond_the_end_are_lost() -> None:
    state = position()
    give(state, sagrada=9)
    (advanced,) = gained(effect(state, TWO), Advanced)
    assert (advanced.track, advanced.steps, advanced.space) == (Track.SAGRADA, 1, 10)
    assert state.sagrada[0] == 10


def test_ba_sf1_two_thresholds_at_once_from_low_to_high() -> None:
    state = position()
    state.ruleset = replace(RULESET, thresholds=(2, 3, 7, 10))
    give(state, sagrada=1)
    effect(state, TWO)
    assert state.sagrada[0] == 3, "the marker has made all its steps"
    assert whats(state, Kind.SAGRADA) == tiles("S1A", "S1B", "S1C", "S1D")
    choose(state, Kind.SAGRADA, SAGRADA["S1A"])
    assert whats(state, Kind.SAGRADA) == tiles("S2A", "S2B", "S2C", "S2D")
    choose(state, Kind.SAGRADA, SAGRADA["S2A"])
    assert state.vp[0] == 5 + 8
    assert settled(state)


def test_ba_sf1_nested_steps_start_from_the_new_place() -> None:
    state = position()
    give(state, sagrada=2)
    sagrada(state, 0, "S1A")
    lay(state, 1, (1, 2))
    effect(state, TWO)
    choose(state, Kind.SAGRADA, SAGRADA["S2B"])
    choose(state, Kind.COBBLESTONE, space(1, 3))
    assert state.sagrada[0] == 5
    assert settled(state)


def test_ba_sf1_a_nested_threshold_comes_before_the_ones_still_waiting() -> None:
    state = position()
    state.ruleset = replace(RULESET, thresholds=(2, 3, 4, 10))
    give(state, sagrada=1)
    lay(state, 1, (1, 2))
    sagrada(state, 0, "S1A")
    decide(state, (Do.SAGRADA, 1), (Do.SAGRADA, 0))
    give(state, sagrada=3)
    choose(state, Kind.SAGRADA, SAGRADA["S2B"])
    choose(state, Kind.COBBLESTONE, space(1, 3))
    assert state.sagrada[0] == 4
    assert whats(state, Kind.SAGRADA) == tiles("S3A", "S3B", "S3C", "S3D")
    choose(state, Kind.SAGRADA, SAGRADA["S3A"])
    assert whats(state, Kind.SAGRADA) == tiles("S1B", "S1C", "S1D")


# BA-SF2


def test_ba_sf2_any_tile_left_of_the_level_and_it_must_be_taken() -> None:
    state = position()
    sagrada(state, 1, "S1B")
    give(state, sagrada=1)
    effect(state, ONE)
    assert whats(state, Kind.SAGRADA) == tiles("S1A", "S1C", "S1D")
    assert not may_stop(state)
    assert refused(state, moves.simple(Kind.SAGRADA, SAGRADA["S1B"])) == "BA-SF2"
    assert refused(state, moves.simple(Kind.SAGRADA, SAGRADA["S2A"])) == "BA-SF2"
    choose(state, Kind.SAGRADA, SAGRADA["S1C"])
    assert state.sagrada_of[0] == tiles("S1C")
    assert SAGRADA["S1C"] not in state.sagrada_left


def taken(name: str) -> BarcelonaState:
    """Seat 0 with no resources takes a tile for a threshold it has reached."""
    state = position()
    give(state, coins=0, cloth=0)
    decide(state, (Do.SAGRADA, int(name[1]) - 1))
    choose(state, Kind.SAGRADA, SAGRADA[name])
    return state


@pytest.mark.parametrize(
    ("name", "vp", "coins", "cloth", "cerda"),
    [
        ("S1A", 5, 0, 0, 0),
        ("S1B", 0, 2, 0, 0),
        ("S1C", 2, 0, 1, 0),
        ("S1D", 0, 0, 0, 2),
        ("S2A", 8, 0, 0, 0),
        ("S2C", 3, 1, 1, 0),
        ("S3A", 12, 0, 0, 0),
        ("S3D", 5, 0, 0, 3),
        ("S4A", 18, 0, 0, 0),
        ("S4D", 10, 2, 2, 0),
    ],
)
def test_ba_sf2_tiles_that_are_plain_gains(name: str, vp: int, coins: int, cloth: int, cerda: int) -> None:
    state = taken(name)
    assert (state.vp[0], state.coins[0], state.cloth[0], state.cerda[0] - 2) == (vp, coins, cloth, cerda)
    assert settled(state)


@pytest.mark.parametrize(
    ("name", "vp", "kind"),
    [
        ("S2B", 3, Kind.COBBLESTONE),
        ("S2D", 0, Kind.CHOICE),
        ("S3B", 5, Kind.MODERNISME),
        ("S3C", 6, Kind.TRAM),
        ("S4C", 8, Kind.IMPROVE),
    ],
)
def test_ba_sf2_tiles_that_bring_pieces_give_their_points_first(name: str, vp: int, kind: Kind) -> None:
    state = taken(name)
    assert (state.vp[0], asked(state), may_stop(state)) == (vp, kind, True)


def test_ba_sf2_two_narrow_streets_or_a_wide_one() -> None:
    state = taken("S2D")
    assert whats(state, Kind.CHOICE) == [0, 1]
    choose(state, Kind.CHOICE, 0)
    choose(state, Kind.SECTION, section("A2-B2"))
    choose(state, Kind.STACK, 2)
    stop(state)
    assert settled(state)
    assert sum(state.narrow[0]) == 9


def test_ba_sf2_the_tram_is_free() -> None:
    state = taken("S3C")
    choose(state, Kind.TRAM, section("A2-B2"))
    choose(state, Kind.PASSENGER)
    assert state.passengers_placed[0] == 1


def test_ba_sf2_two_improvements_for_free() -> None:
    state = taken("S4C")
    choose(state, Kind.IMPROVE, 0)
    choose(state, Kind.IMPROVE, 1)
    assert sum(state.improved[0]) == 2
    assert settled(state)


def test_ba_sf2_two_points_for_each_marker_on_the_board() -> None:
    state = position()
    house(state, site("A1"), (LEVEL_1, 0), (LEVEL_2, 1), (LEVEL_3, 0))
    house(state, site("B1"), (LEVEL_1, 1))
    house(state, site("D4"), (LEVEL_1, 0))
    decide(state, (Do.SAGRADA, 3))
    choose(state, Kind.SAGRADA, SAGRADA["S4B"])
    assert state.vp == [6, 0]


# BA-SF3


@pytest.mark.parametrize(("before", "level", "vp"), [(1, 1, 3), (3, 2, 6), (6, 3, 9), (9, 4, 12)])
def test_ba_sf3_points_where_no_tile_is_left(before: int, level: int, vp: int) -> None:
    state = position()
    state.sagrada_left = [tile for tile in state.sagrada_left if RULESET.sagrada_tiles[tile].level != level - 1]
    give(state, sagrada=before)
    events = effect(state, ONE)
    assert gained(events, SagradaTaken) == [SagradaTaken(0, -1, level - 1)]
    assert state.vp == [vp, 0]
    assert settled(state)


# BA-CT1


@pytest.mark.parametrize(("before", "after"), [(0, 2), (13, 15), (14, 16), (15, 16), (16, 16)])
def test_ba_ct1_steps_beyond_the_end_are_lost(before: int, after: int) -> None:
    state = position()
    give(state, cerda=before)
    action(state, "CERDA")
    assert state.cerda[0] == after


@pytest.mark.parametrize(("before", "after"), [(4, 2), (2, 0), (1, 0), (0, 0)])
def test_ba_ct1_steps_back_end_at_the_start(before: int, after: int) -> None:
    state = position()
    give(state, cerda=before)
    effect(state, node("cerda -2"))
    assert state.cerda[0] == after


@pytest.mark.parametrize(("where", "multiplier"), [(0, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3), (13, 4), (16, 4)])
def test_ba_ct1_the_place_is_the_multiplier(where: int, multiplier: int) -> None:
    state = position(cerda=("PASSENGER", "CORNER", "LINE"))
    state.passengers_placed[0] = 1
    give(state, cerda=where)
    state.track = [5, 0, 0]
    decide(state, (Do.CERDA_CHECK,))
    assert state.vp[0] == 3 * multiplier
    project(state, 0, 0, "MULTIPLIER")
    assert state.scores()[0] - state.vp[0] == 2 + 3 * multiplier, "the passenger at the end, and the tile"


def test_ba_ct1_only_the_steps_made_are_told() -> None:
    state = position()
    give(state, cerda=15)
    (advanced,) = gained(action(state, "CERDA"), Advanced)
    assert (advanced.track, advanced.steps, advanced.space) == (Track.CERDA, 1, 16)
    assert not gained(action(state, "CERDA"), Advanced), "at the end there is none to make"

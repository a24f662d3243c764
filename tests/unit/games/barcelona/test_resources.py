"""Barcelona, coins, cloth and the storage: BA-R1."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Gained, Kept
from boardgamesbot.games.barcelona.moves import Kind
from tests.support.barcelona import (
    NARROW,
    RULESET,
    SAGRADA,
    action,
    asked,
    at,
    choose,
    effect,
    gained,
    give,
    lay,
    may_stop,
    node,
    pave,
    position,
    refused,
    section,
    settled,
    space,
    whats,
)


@pytest.mark.parametrize(
    ("coins", "cloth", "kept"),
    [
        (4, 0, [4]),
        (3, 1, [3, 4]),
        (2, 2, [2, 3, 4]),
        (1, 3, [1, 2, 3]),
        (0, 4, [0, 1, 2]),
        (2, 1, [3, 4]),
    ],
)
def test_ba_r1_any_coins_and_cloth_that_fill_the_storage(coins: int, cloth: int, kept: list[int]) -> None:
    state = position()
    give(state, coins=coins, cloth=cloth)
    action(state, "COINS")
    assert asked(state) is Kind.KEEP
    assert whats(state, Kind.KEEP) == kept
    assert not may_stop(state)


@pytest.mark.parametrize("kept", [2, 3, 4])
def test_ba_r1_what_is_kept_fills_it_to_the_last_space(kept: int) -> None:
    state = position()
    give(state, coins=2, cloth=2)
    action(state, "COINS")
    events = choose(state, Kind.KEEP, kept)
    assert (state.coins[0], state.cloth[0]) == (kept, 4 - kept)
    assert gained(events, Kept) == [Kept(0, kept, 4 - kept)]
    assert settled(state)


@pytest.mark.parametrize("kept", [0, 1, 5])
def test_ba_r1_never_fewer_and_never_more(kept: int) -> None:
    state = position()
    give(state, coins=2, cloth=2)
    action(state, "COINS")
    assert refused(state, moves.simple(Kind.KEEP, kept)) == "BA-R1"


def test_ba_r1_a_gain_of_both_kinds_is_added_whole_first() -> None:
    state = position()
    give(state, coins=2, cloth=2)
    effect(state, RULESET.sagrada_tiles[SAGRADA["S4D"]].effect)
    assert state.vp[0] == 10
    assert (state.coins[0], state.cloth[0]) == (4, 4)
    assert whats(state, Kind.KEEP) == [0, 1, 2, 3, 4]


def test_ba_r1_nothing_is_asked_if_it_fits() -> None:
    state = position()
    give(state, coins=2, cloth=0)
    action(state, "COINS")
    assert settled(state)
    assert (state.coins[0], state.cloth[0]) == (4, 0)


@pytest.mark.parametrize("stones", [1, 6])
def test_ba_r1_each_cobblestone_placed_opens_a_space(stones: int) -> None:
    state = position()
    state.cobblestones_placed[0] = stones
    state.cobblestones_placed[1] = 6
    give(state, coins=4 + stones - 2, cloth=0)
    action(state, "COINS")
    assert settled(state)
    action(state, "COINS")
    assert whats(state, Kind.KEEP) == [4 + stones]


def test_ba_r1_the_storage_grows_before_the_stones_own_icon_is_gained() -> None:
    state = position()
    give(state, coins=2, cloth=2)
    action(state, "COBBLESTONE")
    choose(state, Kind.COBBLESTONE, space(1, 2))
    assert settled(state)
    assert (state.coins[0], state.cloth[0]) == (3, 2)


def test_ba_r1_it_is_asked_before_anything_else_goes_on() -> None:
    state = position()
    give(state, coins=2, cloth=2)
    action(state, "NARROW")
    choose(state, Kind.SECTION, section("A1-B1"))
    choose(state, Kind.STACK, 3)
    assert asked(state) is Kind.KEEP, "the coin printed there does not fit"
    assert state.vp[0] == 0, "the run is not scored yet"
    choose(state, Kind.KEEP, 3)
    assert state.vp[0] == 1
    assert asked(state) is Kind.SECTION


def test_ba_r1_benefits_around_an_intersection_are_one_gain_and_one_question() -> None:
    state = position()
    give(state, coins=2, cloth=2)
    pave(state, 1, NARROW, "D4-D5")
    action(state, "INTERSECTION")
    events = choose(state, Kind.INTERSECTION, at("D4"))
    (gain,) = gained(events, Gained)
    assert (gain.coins, gain.cloth) == (2, 1), "coins at D4-E4 and D3-D4, cloth at C4-D4"
    assert (state.coins[0], state.cloth[0]) == (4, 2), "a cloth was paid"
    assert whats(state, Kind.KEEP) == [2, 3, 4]
    choose(state, Kind.KEEP, 2)
    assert settled(state)


def test_ba_r1_there_is_no_conversion_and_no_limit_to_one_kind() -> None:
    state = position()
    give(state, coins=0, cloth=4)
    effect(state, node("cloth 1"))
    assert whats(state, Kind.KEEP) == [0]
    choose(state, Kind.KEEP, 0)
    assert (state.coins[0], state.cloth[0]) == (0, 4)


def test_ba_r1_spaces_freed_by_paying_count() -> None:
    state = position()
    give(state, coins=3, cloth=1)
    lay(state, 1, (1, 2))
    action(state, "SERVICE")
    choose(state, Kind.SERVICE, 4)
    assert settled(state), "Mercat de Sant Antoni gives a coin and a cloth when three coins are paid"
    assert (state.coins[0], state.cloth[0]) == (1, 2)

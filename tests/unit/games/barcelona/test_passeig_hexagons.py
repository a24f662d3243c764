"""Placing a hexagonal cobblestone: where, what it gives, and how often (BA-PG10)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Advanced, Gained, HexagonPlaced, Reason, Scored, Track
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from tests.support.barcelona import (
    CORNER,
    LEFT,
    LEVEL_1,
    NARROW,
    RIGHT,
    VIOLET,
    WIDE,
    asked,
    choose,
    decide,
    gained,
    give,
    house,
    may_stop,
    pave,
    position,
    project,
    refused,
    ride,
    sagrada,
    settled,
    site,
    whats,
)

LEFT_STONE, MIDDLE_STONE, RIGHT_STONE = range(3)

BESIDE = {
    **dict.fromkeys(range(4), (LEFT_STONE,)),
    **dict.fromkeys((4, 5), (LEFT_STONE, MIDDLE_STONE)),
    **dict.fromkeys((6, 7), (MIDDLE_STONE,)),
    **dict.fromkeys((8, 9), (MIDDLE_STONE, RIGHT_STONE)),
    **dict.fromkeys(range(10, 14), (RIGHT_STONE,)),
}
"""The violet stones beside each space."""

REWARDS = ["vp 3", "coins 1", "cloth 1", "vp 3", "vp 4", "cerda 1", "vp 3"]
REWARDS += ["coins 1", "cerda 1", "vp 4", "cloth 1", "vp 3", "vp 3", "coins 1"]


def placing(*stones: str, players: int = 2) -> BarcelonaState:
    """A game with these violet stones, left, middle and right, before anything that they count was done."""
    state = position(players, expansion=True)
    state.violet = [VIOLET[name] for name in stones or ("PASSENGERS", "SAGRADA", "IMPROVED")]
    return state


def ask(state: BarcelonaState, seat: int = 0) -> None:
    """Let a seat place a hexagonal cobblestone."""
    decide(state, (Do.HEXAGON,), seat=seat)


def stones_for(violet: int, name: str) -> list[str]:
    """Violet stones of which the one at a place is this."""
    stones = ["PASSENGERS", "TRIANGLES", "STACKS"]
    stones[violet] = name
    return stones


class TestWhere:
    def test_ba_pg10_on_any_empty_space_with_a_violet_stone_beside_it(self) -> None:
        state = placing()
        ask(state)
        expected = sorted(moves.hexagon(space, violet) for space, beside in BESIDE.items() for violet in beside)
        assert state.legal_moves() == expected
        assert len(expected) == 18, "fourteen spaces, four of them between two stones"

    def test_ba_pg10_each_violet_stone_has_six_neighbours(self) -> None:
        state = placing()
        ask(state)
        found = [moves.parts(move) for move in state.legal_moves()]
        for violet in (LEFT_STONE, MIDDLE_STONE, RIGHT_STONE):
            assert len([part for part in found if part.which == violet]) == 6

    def test_ba_pg10_never_on_a_space_that_is_taken(self) -> None:
        state = placing()
        state.hexagons[4], state.hexagons[9] = 0, 1
        ask(state)
        assert whats(state, Kind.HEXAGON) == [space for space in range(14) if space not in (4, 9)]
        assert refused(state, moves.hexagon(4, LEFT_STONE)) == "BA-PG10"
        assert refused(state, moves.hexagon(9, RIGHT_STONE)) == "BA-PG10"

    def test_ba_pg10_a_violet_stone_that_is_not_beside_it_does_not_count(self) -> None:
        state = placing()
        ask(state)
        for space, beside in BESIDE.items():
            for violet in {LEFT_STONE, MIDDLE_STONE, RIGHT_STONE} - set(beside):
                assert refused(state, moves.hexagon(space, violet)) == "BA-PG10"

    def test_ba_pg10_it_lies_there_as_the_players(self) -> None:
        state = placing(players=3)
        ask(state, seat=2)
        state.play(moves.hexagon(7, MIDDLE_STONE))
        assert state.hexagons == [2 if space == 7 else -1 for space in range(14)]
        assert state.cobblestones_placed == [0, 0, 0]


class TestReward:
    @pytest.mark.parametrize("space", range(14))
    def test_ba_pg10_the_reward_of_the_space_times_the_condition(self, space: int) -> None:
        """Three Sagrada Família tiles, whichever stone counts them."""
        for violet in BESIDE[space]:
            state = placing(*stones_for(violet, "SAGRADA"))
            sagrada(state, 0, "S1A", "S2A", "S3A")
            give(state, coins=0, cloth=0, cerda=5)
            ask(state)
            events = state.play(moves.hexagon(space, violet))
            assert gained(events, HexagonPlaced) == [HexagonPlaced(0, space, violet, 3)]
            what, number = REWARDS[space].split()
            times = 3 * int(number)
            got = {"vp": state.vp[0], "coins": state.coins[0], "cloth": state.cloth[0], "cerda": state.cerda[0] - 5}
            assert got == {**dict.fromkeys(got, 0), what: times}
            assert settled(state)

    def test_ba_pg10_between_two_stones_one_of_them_counts_and_not_both(self) -> None:
        for violet, points in ((LEFT_STONE, 4 * 2), (MIDDLE_STONE, 4 * 1)):
            state = placing("CERDA", "SAGRADA", "STACKS")
            give(state, cerda=5)
            sagrada(state, 0, "S1A")
            ask(state)
            state.play(moves.hexagon(4, violet))
            assert state.vp[0] == points

    @pytest.mark.parametrize("space", range(14))
    def test_ba_pg10_a_condition_never_met_gives_nothing_and_the_stone_lies(self, space: int) -> None:
        state = placing("PASSENGERS", "SAGRADA", "IMPROVED")
        ask(state)
        violet = BESIDE[space][0]
        events = state.play(moves.hexagon(space, violet))
        assert events == [HexagonPlaced(0, space, violet, 0)]
        assert state.hexagons[space] == 0
        assert (state.vp[0], state.coins[0], state.cloth[0], state.cerda[0]) == (0, 1, 1, 2)

    def test_ba_pg10_it_may_not_be_declined_even_if_it_gives_nothing(self) -> None:
        state = placing("PASSENGERS", "SAGRADA", "IMPROVED")
        ask(state)
        assert not may_stop(state)
        assert refused(state, moves.STOP) == "BA-T2"

    @pytest.mark.parametrize(("space", "coins", "cloth"), [(1, 4, 0), (2, 0, 4)])
    def test_ba_pg10_coins_and_cloth_are_one_gain(self, space: int, coins: int, cloth: int) -> None:
        """Four coins come at once: what stays is chosen once, of all there is."""
        state = placing("CERDA", "SAGRADA", "STACKS")
        give(state, coins=2, cloth=2, cerda=13)
        ask(state)
        events = state.play(moves.hexagon(space, LEFT_STONE))
        assert gained(events, Gained) == [Gained(0, coins, cloth, Reason.HEXAGON)]
        assert asked(state) is Kind.KEEP
        assert whats(state, Kind.KEEP) == ([2, 3, 4] if coins else [0, 1, 2])
        choose(state, Kind.KEEP, 2)
        assert settled(state)

    def test_ba_pg10_cerda_steps_are_multiplied_and_the_multiplier_is_that_of_before(self) -> None:
        state = placing("CERDA", "SAGRADA", "STACKS")
        give(state, cerda=7)
        ask(state)
        events = state.play(moves.hexagon(5, LEFT_STONE))
        assert gained(events, Advanced) == [Advanced(0, Track.CERDA, 2, 9, Reason.HEXAGON)]
        assert state.cerda[0] == 9

    def test_ba_pg10_points_are_told_once(self) -> None:
        state = placing("CERDA", "SAGRADA", "STACKS")
        give(state, cerda=12)
        ask(state)
        events = state.play(moves.hexagon(3, LEFT_STONE))
        assert gained(events, Scored) == [Scored(0, 9, Reason.HEXAGON)]


# The six conditions: what is done, and how often it then is met.

Doing = Callable[[BarcelonaState], object]


def two_riders_on_streets(state: BarcelonaState) -> None:
    """Passengers on a street of one's own, on another's, and on one not built; one of another player."""
    pave(state, 0, NARROW, "A1-B1")
    pave(state, 1, WIDE, "B1-C1", "C1-D1")
    ride(state, 0, "A1-B1", "B1-C1", "D1-E1")
    ride(state, 1, "C1-D1")


def corners_in_two_blocks(state: BarcelonaState) -> None:
    """Both triangles of one block, one of another, one of another player in a third, and a whole block."""
    house(state, site("C2", LEFT), (CORNER, 0))
    house(state, site("C2", RIGHT), (CORNER, 0))
    house(state, site("B3", LEFT), (CORNER, 0))
    house(state, site("B3", RIGHT), (CORNER, 1))
    house(state, site("A4", RIGHT), (CORNER, 1))
    house(state, site("A1"), (LEVEL_1, 0))


def two_tiles(state: BarcelonaState) -> None:
    sagrada(state, 0, "S1A", "S2B")
    sagrada(state, 1, "S1B", "S2A", "S3A")
    give(state, 0, sagrada=6)


def marker_stacks_emptied(state: BarcelonaState) -> None:
    """Two stacks of markers and one of each kind of street; one of another player."""
    state.marker_stacks[0] = [0, 2, 0, 3]
    state.narrow[0][0] = 0
    state.wide[0][0] = 0
    state.marker_stacks[1] = [0, 0, 0, 3]


def a_tile_on_an_improved_space(state: BarcelonaState) -> None:
    """A tile on an improved space, a tile on one that is not, an improved space without a tile."""
    project(state, 0, 0, "WIDE", improved=True)
    project(state, 0, 1, "STACKS")
    project(state, 0, 2, improved=True)
    project(state, 1, 0, "MARKERS", improved=True)


CONDITIONS: list[tuple[str, int, Doing, int]] = [
    *(
        ("CERDA", LEFT_STONE, lambda state, space=space: give(state, cerda=space), times)
        for space, times in ((0, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3), (13, 4), (16, 4))
    ),
    ("PASSENGERS", LEFT_STONE, two_riders_on_streets, 2),
    ("PASSENGERS", LEFT_STONE, lambda state: ride(state, 0, "A1-B1", "C3-D3"), 0),
    ("TRIANGLES", MIDDLE_STONE, corners_in_two_blocks, 2),
    ("TRIANGLES", MIDDLE_STONE, lambda state: house(state, site("A1"), (LEVEL_1, 0)), 0),
    ("SAGRADA", MIDDLE_STONE, two_tiles, 2),
    ("SAGRADA", MIDDLE_STONE, lambda state: give(state, sagrada=1), 0),
    ("STACKS", RIGHT_STONE, marker_stacks_emptied, 2),
    ("STACKS", RIGHT_STONE, lambda state: house(state, site("A1"), (LEVEL_1, 0)), 0),
    ("IMPROVED", RIGHT_STONE, a_tile_on_an_improved_space, 1),
    ("IMPROVED", RIGHT_STONE, lambda state: project(state, 0, 3, improved=True), 0),
]
A_SPACE = {LEFT_STONE: 0, MIDDLE_STONE: 6, RIGHT_STONE: 11}
"""A space of 3 points beside each violet stone and no other."""


@pytest.mark.parametrize(("name", "violet", "do", "times"), CONDITIONS)
def test_ba_pg10_what_the_violet_stones_count(name: str, violet: int, do: Doing, times: int) -> None:
    state = placing(*stones_for(violet, name))
    do(state)
    ask(state)
    events = state.play(moves.hexagon(A_SPACE[violet], violet))
    assert gained(events, HexagonPlaced) == [HexagonPlaced(0, A_SPACE[violet], violet, times)]
    assert state.vp[0] == 3 * times


def test_ba_pg10_all_six_conditions_are_tried() -> None:
    assert {name for name, *_ in CONDITIONS} == set(VIOLET)

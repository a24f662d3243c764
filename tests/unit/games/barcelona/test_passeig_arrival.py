"""What a Pedestrian's arrival brings, and how it goes on; Joy at the end of the game."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import (
    Arrived,
    Gained,
    HexagonPlaced,
    JoyGained,
    Kept,
    Reason,
    Scored,
    Stepped,
    WentBack,
)
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    AMENITIES,
    VIOLET,
    asked,
    choose,
    effect,
    gained,
    give,
    lay,
    may_stop,
    node,
    order_of,
    own,
    position,
    project,
    refused,
    sagrada,
    settled,
    stop,
    walked,
    whats,
)

BARCELONA, GRACIA = 0, 1
BOTH = pytest.mark.parametrize("pedestrian", [BARCELONA, GRACIA])
CITY = ("barcelona", "gracia")
COINS, CLOTH = 0, 1
RING_OF_THREE_POINTS = moves.hexagon(0, 0)
"""The space left of the left violet stone: 3 points, times its condition."""


def arriving(joy: int, *, pedestrian: int = BARCELONA, steps: int = 1, players: int = 2) -> BarcelonaState:
    """Seat 0 has up to so many steps for a Pedestrian that stands on the last space of its way."""
    state = position(players, expansion=True)
    walked(state, 0, pedestrian, steps=3, joy=joy)
    effect(state, node(f"move {CITY[pedestrian]} {steps}"))
    return state


def step(state: BarcelonaState) -> list[Event]:
    return choose(state, Kind.STEP)


class TestPoints:
    @BOTH
    @pytest.mark.parametrize(("joy", "points"), [(1, 3), (2, 5), (3, 7), (4, 9), (5, 12), (6, 15)])
    def test_ba_pg8_points_by_joy_on_the_fourth_movement(self, pedestrian: int, joy: int, points: int) -> None:
        state = arriving(joy, pedestrian=pedestrian)
        events = step(state)
        assert state.vp == [points, 0]
        assert gained(events, Arrived) == [Arrived(0, pedestrian, joy)]
        assert gained(events, Scored)[0] == Scored(0, points, Reason.ARRIVAL)
        assert gained(events, Stepped) == [], "there is no fourth space"

    @BOTH
    def test_ba_pg8_the_third_step_brings_no_points(self, pedestrian: int) -> None:
        state = position(expansion=True)
        walked(state, 0, pedestrian, steps=2, joy=6)
        effect(state, node(f"move {CITY[pedestrian]} 1"))
        step(state)
        assert state.vp == [0, 0]
        assert state.path[pedestrian] == 3
        assert state.joy[pedestrian] == 6

    def test_ba_pg8_no_amenities_stand_at_the_destination(self) -> None:
        """Everything that Amenities count has been done, and the arrival still brings what Joy there was."""
        state = arriving(2)
        state.amenities = [AMENITIES["BENCH_LAMPS"]] * 6
        own(state, 0, "A1", "B2", "C5", "E4", "D1")
        events = step(state)
        assert state.vp[0] == 5
        assert gained(events, JoyGained) == []


class TestRewardsInOrder:
    @pytest.mark.parametrize("joy", [1, 2, 3])
    def test_ba_pg9_no_hexagon_below_joy_4(self, joy: int) -> None:
        state = arriving(joy)
        step(state)
        assert settled(state)
        assert set(state.hexagons) == {-1}

    @pytest.mark.parametrize("joy", [4, 5, 6])
    def test_ba_pg9_a_hexagon_from_joy_4_that_must_be_placed(self, joy: int) -> None:
        state = arriving(joy)
        step(state)
        assert asked(state) is Kind.HEXAGON
        assert not may_stop(state)
        assert refused(state, moves.STOP) == "BA-T2"
        state.play(RING_OF_THREE_POINTS)
        assert state.hexagons.count(0) == 1

    def test_ba_pg9_none_when_the_supply_is_used_up(self) -> None:
        """All fourteen stones are on the board: Joy 6 still brings its points and its resource."""
        state = arriving(6)
        state.hexagons = [1] * 14
        step(state)
        assert state.vp[0] == 15
        assert asked(state) is Kind.RESOURCE

    def test_ba_pg9_the_last_stone_goes_to_the_last_space(self) -> None:
        state = arriving(4)
        state.hexagons = [1] * 14
        state.hexagons[5] = -1
        step(state)
        assert state.legal_moves() == [moves.hexagon(5, 0), moves.hexagon(5, 1)]

    @pytest.mark.parametrize("joy", [1, 2, 3, 4, 5])
    def test_ba_pg11_no_resource_below_joy_6(self, joy: int) -> None:
        state = arriving(joy)
        events = step(state)
        if joy >= 4:
            events += state.play(moves.hexagon(6, 1))
        assert settled(state)
        assert gained(events, Gained) == []
        assert (state.coins[0], state.cloth[0]) == (1, 1)

    @pytest.mark.parametrize(("chosen", "coins", "cloth"), [(COINS, 2, 1), (CLOTH, 1, 2)])
    def test_ba_pg11_a_coin_or_a_cloth_at_joy_6(self, chosen: int, coins: int, cloth: int) -> None:
        state = arriving(6)
        step(state)
        state.play(RING_OF_THREE_POINTS)
        assert whats(state, Kind.RESOURCE) == [COINS, CLOTH]
        assert not may_stop(state)
        events = choose(state, Kind.RESOURCE, chosen)
        assert (state.coins[0], state.cloth[0]) == (coins, cloth)
        assert gained(events, Gained) == [Gained(0, coins - 1, cloth - 1, Reason.ARRIVAL)]
        assert settled(state)

    def test_ba_pg11_it_must_fit_into_the_storage(self) -> None:
        state = arriving(6)
        give(state, coins=3, cloth=1)
        step(state)
        state.play(moves.hexagon(6, 1))
        choose(state, Kind.RESOURCE, CLOTH)
        assert whats(state, Kind.KEEP) == [2, 3]
        events = choose(state, Kind.KEEP, 2)
        assert gained(events, Kept) == [Kept(0, 2, 2)]
        assert order_of(events, Kept, WentBack) == [Kept, WentBack]
        assert (state.coins[0], state.cloth[0]) == (2, 2)

    @BOTH
    def test_ba_pg8_ba_pg12_points_then_hexagon_then_resource_then_back(self, pedestrian: int) -> None:
        state = arriving(6, pedestrian=pedestrian)
        told = step(state)
        assert asked(state) is Kind.HEXAGON, "the hexagon comes before the resource"
        told += state.play(RING_OF_THREE_POINTS)
        assert asked(state) is Kind.RESOURCE
        told += choose(state, Kind.RESOURCE, CLOTH)
        kinds = (Arrived, Scored, HexagonPlaced, Gained, WentBack)
        assert order_of(told, *kinds) == [Arrived, Scored, HexagonPlaced, Scored, Gained, WentBack]

    def test_ba_pg8_ba_pg9_ba_pg11_fifteen_points_a_coin_and_a_hexagon_at_joy_6(self) -> None:
        """The rulebook's arrival in Gràcia: 15 points, a coin of one's choice and a hexagonal cobblestone."""
        state = arriving(6)
        state.violet = [VIOLET[name] for name in ("PASSENGERS", "SAGRADA", "IMPROVED")]
        step(state)
        assert state.vp[0] == 15
        state.play(moves.hexagon(0, 0))
        choose(state, Kind.RESOURCE, COINS)
        assert settled(state)
        assert (state.vp[0], state.coins[0], state.cloth[0]) == (15, 2, 1)
        assert state.hexagons == [0] + [-1] * 13
        assert (state.path[BARCELONA], state.joy[BARCELONA]) == (0, 1)

    def test_ba_pg9_ba_pg10_four_points_times_three_sagrada_tiles(self) -> None:
        """The rulebook's stone between two violet ones: the tiles count three times, improved Modernisme would once."""
        state = arriving(6)
        state.violet = [VIOLET[name] for name in ("CERDA", "SAGRADA", "IMPROVED")]
        sagrada(state, 0, "S1A", "S2A", "S3A")
        project(state, 0, 0, "WIDE", improved=True)
        step(state)
        on_the_space = [move for move in state.legal_moves() if moves.parts(move).what == 9]
        assert on_the_space == [moves.hexagon(9, 1), moves.hexagon(9, 2)]
        other = state.copy()
        events = state.play(moves.hexagon(9, 1))
        assert gained(events, HexagonPlaced) == [HexagonPlaced(0, 9, 1, 3)]
        assert gained(events, Scored) == [Scored(0, 12, Reason.HEXAGON)]
        other.play(moves.hexagon(9, 2))
        assert (state.vp[0], other.vp[0]) == (15 + 12, 15 + 4)


class TestGoingBack:
    @BOTH
    @pytest.mark.parametrize("joy", [1, 3, 5])
    def test_ba_pg12_back_to_its_start_with_joy_1(self, pedestrian: int, joy: int) -> None:
        state = arriving(joy, pedestrian=pedestrian)
        walked(state, 0, 1 - pedestrian, steps=2, joy=5)
        events = step(state)
        if joy == 5:
            events += state.play(RING_OF_THREE_POINTS)
        assert (state.path[pedestrian], state.joy[pedestrian]) == (0, 1)
        assert (state.path[1 - pedestrian], state.joy[1 - pedestrian]) == (2, 5)
        assert gained(events, WentBack) == [WentBack(0, pedestrian)]

    @BOTH
    @pytest.mark.parametrize("joy", [1, 6])
    def test_ba_pg12_steps_left_go_on_from_the_start(self, pedestrian: int, joy: int) -> None:
        """After everything the arrival brought, a hexagon and a resource among it."""
        state = arriving(joy, pedestrian=pedestrian, steps=3)
        step(state)
        if joy == 6:
            state.play(RING_OF_THREE_POINTS)
            choose(state, Kind.RESOURCE, COINS)
        for taken in (1, 2):
            assert state.legal_moves() == [moves.STOP, moves.STEP]
            events = step(state)
            assert gained(events, Stepped) == [Stepped(0, pedestrian, taken)]
        assert settled(state)
        assert (state.path[pedestrian], state.joy[pedestrian]) == (2, 1)

    def test_ba_pg12_steps_left_may_be_declined(self) -> None:
        state = arriving(2, steps=2)
        step(state)
        stop(state)
        assert settled(state)
        assert state.path[BARCELONA] == 0

    def test_ba_pg12_amenities_and_meeting_count_for_them_as_ever(self) -> None:
        state = arriving(5, steps=2)
        state.amenities[0] = AMENITIES["COBBLESTONES"]
        lay(state, 0, (2, 1))
        walked(state, 0, GRACIA, steps=3, joy=4)
        step(state)
        state.play(RING_OF_THREE_POINTS)
        step(state)
        assert state.joy[:2] == [3, 5], "1, the Amenities of the first step, and meeting"

    def test_ba_pg12_the_last_step_leaves_none(self) -> None:
        state = arriving(3, steps=1)
        step(state)
        assert settled(state)

    def test_ba_pg12_both_may_arrive_in_one_turn(self) -> None:
        state = position(expansion=True)
        walked(state, 0, BARCELONA, steps=3, joy=2)
        walked(state, 0, GRACIA, steps=3, joy=3)
        for pedestrian in (BARCELONA, GRACIA):
            effect(state, node(f"move {CITY[pedestrian]} 1"))
            step(state)
        assert state.vp[0] == 5 + 7
        assert (state.path[:2], state.joy[:2]) == ([0, 0], [1, 1])


class TestEnd:
    @pytest.mark.parametrize(
        ("steps", "joy", "points"),
        [((0, 0), (6, 5), 0), ((1, 0), (4, 5), 4), ((0, 3), (4, 5), 5), ((2, 2), (6, 1), 7), ((3, 1), (2, 3), 5)],
    )
    def test_ba_pg13_joy_counts_on_the_street_and_not_at_the_start(
        self, steps: tuple[int, int], joy: tuple[int, int], points: int
    ) -> None:
        state = position(3, expansion=True)
        for pedestrian in (BARCELONA, GRACIA):
            walked(state, 1, pedestrian, steps=steps[pedestrian], joy=joy[pedestrian])
        assert state.scores() == [0, points, 0]
        assert state.vp == [0, 0, 0], "it is scored at the end, and the same however often one looks"

    def test_ba_pg13_joy_does_not_count_at_the_destination(self) -> None:
        """While the arrival's rewards are decided the Pedestrian has left the street."""
        state = arriving(6)
        assert state.scores()[0] == 6
        step(state)
        assert asked(state) is Kind.HEXAGON
        assert state.scores()[0] == 15

    def test_ba_pg13_the_base_game_scores_none(self) -> None:
        assert position(2).scores() == [0, 0]

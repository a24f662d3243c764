"""Walking along Passeig de Gràcia: steps, Amenities, meeting and Joy."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import (
    Advanced,
    Declined,
    JoyGained,
    Reason,
    Scored,
    Stepped,
    Track,
)
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    AMENITIES,
    NARROW,
    WIDE,
    action,
    asked,
    choose,
    effect,
    gained,
    lay,
    may_stop,
    node,
    order_of,
    own,
    pave,
    position,
    project,
    refused,
    ride,
    serve,
    settled,
    stop,
    walked,
    whats,
)

BARCELONA, GRACIA = 0, 1
BOTH = pytest.mark.parametrize("pedestrian", [BARCELONA, GRACIA])
STEPS = pytest.mark.parametrize("step", [1, 2, 3])
CITY = ("barcelona", "gracia")
STREETS = [f"{a}-{b}" for row in "12" for a, b in ((f"{x}{row}", f"{y}{row}") for x, y in ("AB", "BC", "CD", "DE"))]
"""Eight sections for street tiles and passengers."""
ROUND_THE_START = [(2, 1), (2, 3), (1, 2), (3, 2)]
CORNERS = ["A1", "B2", "C5", "E4"]


def passeig(players: int = 2) -> BarcelonaState:
    """A game in which nobody has done anything that an Amenities tile counts."""
    return position(players, expansion=True)


def walk(state: BarcelonaState, pedestrian: int, steps: int, *, seat: int = 0) -> list[Event]:
    """Let a seat walk up to so many steps, as an icon has it."""
    return effect(state, node(f"move {CITY[pedestrian]} {steps}"), seat=seat)


def step(state: BarcelonaState) -> list[Event]:
    """One step of the Pedestrian that walks."""
    return choose(state, Kind.STEP)


def tile_at(state: BarcelonaState, pedestrian: int, number: int, name: str) -> None:
    """Lay an Amenities tile where a Pedestrian's step of that number ends, on its side of the street.

    The Barcelona Pedestrian passes P1, P2, P3 on the right; that of Gràcia P3, P2, P1 on the left.
    """
    place = {BARCELONA: (0, 1, 2), GRACIA: (5, 4, 3)}[pedestrian][number - 1]
    tile = AMENITIES[name]
    if tile in state.amenities:
        other = state.amenities.index(tile)
        state.amenities[other], state.amenities[place] = state.amenities[place], tile
    else:
        state.amenities[place] = tile


# What each tile counts: how to do it so many times.


def build_services(state: BarcelonaState, seat: int, times: int) -> None:
    serve(state, seat, *("ARC_DE_TRIOMF", "UNIVERSITAT", "PARC_GUELL")[:times])


def take_modernisme(state: BarcelonaState, seat: int, times: int) -> None:
    for space, tile in enumerate(("WIDE", "MARKERS", "STACKS")[:times]):
        project(state, seat, space, tile)


def improve_empty_spaces(state: BarcelonaState, seat: int, times: int) -> None:
    for space in range(times):
        project(state, seat, space, improved=True)


def place_passengers(state: BarcelonaState, seat: int, times: int) -> None:
    ride(state, seat, *STREETS[4 * seat :][:times])


def build_intersections(state: BarcelonaState, seat: int, times: int) -> None:
    own(state, seat, *CORNERS[:times])


def place_cobblestones(state: BarcelonaState, seat: int, times: int) -> None:
    lay(state, seat, *ROUND_THE_START[:times])


def build_wide(state: BarcelonaState, seat: int, times: int) -> None:
    pave(state, seat, WIDE, *STREETS[:times])


def build_narrow(state: BarcelonaState, seat: int, times: int) -> None:
    pave(state, seat, NARROW, *STREETS[:times])


DOING: dict[str, tuple[int, Callable[[BarcelonaState, int, int], None]]] = {
    "THEATRES": (1, build_services),
    "MANSANA_DE_LA_DISCORDIA": (1, take_modernisme),
    "LA_PEDRERA": (1, improve_empty_spaces),
    "STATION": (1, place_passengers),
    "BENCH_LAMPS": (1, build_intersections),
    "COBBLESTONES": (1, place_cobblestones),
    "PARKS_WIDE": (1, build_wide),
    "PARKS_NARROW": (2, build_narrow),
}
"""How many are wanted for each step, and how to do it."""
AMENITIES_TILES = pytest.mark.parametrize("name", list(DOING))


class TestWalking:
    @BOTH
    def test_ba_pg4_up_to_so_many_steps_one_decision_each(self, pedestrian: int) -> None:
        state = passeig()
        walk(state, pedestrian, 3)
        for taken in (1, 2, 3):
            assert state.legal_moves() == [moves.STOP, moves.STEP]
            events = step(state)
            assert state.path[pedestrian] == taken
            assert gained(events, Stepped) == [Stepped(0, pedestrian, taken)]
        assert settled(state)

    @BOTH
    @pytest.mark.parametrize("taken", [0, 1, 2])
    def test_ba_pg4_a_walk_may_end_before_any_step(self, pedestrian: int, taken: int) -> None:
        state = passeig()
        walk(state, pedestrian, 3)
        for _ in range(taken):
            step(state)
        events = stop(state)
        assert settled(state)
        assert state.path[pedestrian] == taken
        assert gained(events, Declined) == [Declined(0, Kind.STEP)]

    @BOTH
    def test_ba_pg4_only_that_pedestrian_of_the_player_moves(self, pedestrian: int) -> None:
        state = passeig(3)
        walk(state, pedestrian, 2, seat=1)
        step(state)
        step(state)
        expected = [0] * 6
        expected[2 + pedestrian] = 2
        assert state.path == expected

    @pytest.mark.parametrize("name", ["X_COINS", "X_CLOTH"])
    def test_ba_pg4_the_first_step_of_an_action_may_be_declined_too(self, name: str) -> None:
        state = passeig()
        action(state, name)
        choose(state, Kind.PART, 1)
        assert state.legal_moves() == [moves.STOP, moves.STEP]

    def test_ba_pg4_one_pedestrian_is_chosen_and_then_walks(self) -> None:
        state = passeig()
        effect(state, node("move one 2"))
        assert whats(state, Kind.PEDESTRIAN) == [BARCELONA, GRACIA]
        assert may_stop(state)
        choose(state, Kind.PEDESTRIAN, GRACIA)
        assert state.legal_moves() == [moves.STOP, moves.STEP]
        step(state)
        assert state.legal_moves() == [moves.STOP, moves.STEP]
        step(state)
        assert settled(state)
        assert state.path[:2] == [0, 2]

    def test_ba_pg4_one_pedestrian_does_not_share_its_steps(self) -> None:
        state = passeig()
        effect(state, node("move one 2"))
        choose(state, Kind.PEDESTRIAN, BARCELONA)
        step(state)
        assert refused(state, moves.simple(Kind.PEDESTRIAN, GRACIA)) == "BA-T2"
        stop(state)
        assert settled(state)
        assert state.path[:2] == [1, 0]

    def test_ba_pg4_neither_need_walk(self) -> None:
        state = passeig()
        effect(state, node("move one 2"))
        stop(state)
        assert settled(state)
        assert state.path[:2] == [0, 0]


class TestAmenities:
    @AMENITIES_TILES
    @BOTH
    @STEPS
    def test_ba_pg5_a_step_wants_as_many_as_its_number(self, name: str, pedestrian: int, step: int) -> None:
        """The requirement is 1, 2 and 3 times on each side, from where that side's Pedestrian starts."""
        each, do = DOING[name]
        for times, joy in ((each * step, 3), (each * step - 1, 2)):
            state = passeig()
            tile_at(state, pedestrian, step, name)
            do(state, 0, times)
            walked(state, 0, pedestrian, steps=step - 1, joy=2)
            walk(state, pedestrian, 1)
            events = choose(state, Kind.STEP)
            assert state.joy[pedestrian] == joy, f"{times} for step {step}"
            told = [JoyGained(0, pedestrian, 3, Reason.AMENITY)] if joy == 3 else []
            assert gained(events, JoyGained) == told
            assert state.joy[1 - pedestrian] == 1

    @AMENITIES_TILES
    def test_ba_pg5_more_than_enough_is_one_joy(self, name: str) -> None:
        each, do = DOING[name]
        state = passeig()
        tile_at(state, BARCELONA, 1, name)
        do(state, 0, 3 * each)
        walk(state, BARCELONA, 1)
        step(state)
        assert state.joy[BARCELONA] == 2

    @AMENITIES_TILES
    def test_ba_pg5_what_others_did_does_not_count(self, name: str) -> None:
        each, do = DOING[name]
        state = passeig()
        tile_at(state, BARCELONA, 1, name)
        do(state, 1, 3 * each)
        walk(state, BARCELONA, 1)
        step(state)
        assert state.joy[BARCELONA] == 1

    @BOTH
    def test_ba_pg5_the_other_side_of_the_street_does_not_count(self, pedestrian: int) -> None:
        state = passeig()
        tile_at(state, 1 - pedestrian, 3, "BENCH_LAMPS")
        build_intersections(state, 0, 4)
        walk(state, pedestrian, 1)
        step(state)
        assert state.joy[:2] == [1, 1]

    def test_ba_pg5_it_is_checked_after_each_step(self) -> None:
        state = passeig()
        for number, name in ((1, "COBBLESTONES"), (2, "BENCH_LAMPS"), (3, "STATION")):
            tile_at(state, BARCELONA, number, name)
        place_cobblestones(state, 0, 1)
        build_intersections(state, 0, 2)
        place_passengers(state, 0, 2)
        walk(state, BARCELONA, 3)
        joy = []
        for _ in range(3):
            step(state)
            joy.append(state.joy[BARCELONA])
        assert joy == [2, 3, 3]

    def test_ba_pg5_it_is_not_checked_without_a_step(self) -> None:
        state = passeig()
        tile_at(state, BARCELONA, 1, "BENCH_LAMPS")
        walked(state, 0, BARCELONA, steps=1, joy=1)
        build_intersections(state, 0, 3)
        walk(state, BARCELONA, 1)
        stop(state)
        assert state.joy[BARCELONA] == 1

    def test_ba_pg5_hexagonal_stones_are_no_cobblestones(self) -> None:
        state = passeig()
        tile_at(state, GRACIA, 1, "COBBLESTONES")
        state.hexagons[0] = state.hexagons[1] = 0
        walk(state, GRACIA, 1)
        step(state)
        assert state.joy[GRACIA] == 1

    def test_ba_pg5_la_pedrera_counts_improved_spaces_and_not_tiles(self) -> None:
        for improved, joy in ((False, 1), (True, 2)):
            state = passeig()
            tile_at(state, BARCELONA, 1, "LA_PEDRERA")
            project(state, 0, 0, "WIDE", improved=False)
            project(state, 0, 1, improved=improved)
            walk(state, BARCELONA, 1)
            step(state)
            assert state.joy[BARCELONA] == joy

    def test_ba_pg5_joy_stays_at_6(self) -> None:
        state = passeig()
        tile_at(state, BARCELONA, 1, "BENCH_LAMPS")
        build_intersections(state, 0, 1)
        walked(state, 0, BARCELONA, joy=6)
        walk(state, BARCELONA, 1)
        events = step(state)
        assert state.joy[BARCELONA] == 6
        assert gained(events, JoyGained) == []


MEETINGS = pytest.mark.parametrize(("own", "other"), [(1, 3), (2, 2), (3, 1)])
"""The two meet where the steps that they have made come to four."""


class TestMeeting:
    @BOTH
    @MEETINGS
    def test_ba_pg6_both_gain_a_joy_where_they_meet(self, pedestrian: int, own: int, other: int) -> None:
        state = passeig()
        walked(state, 0, pedestrian, steps=own - 1, joy=2)
        walked(state, 0, 1 - pedestrian, steps=other, joy=4)
        walk(state, pedestrian, 1)
        events = step(state)
        assert (state.joy[pedestrian], state.joy[1 - pedestrian]) == (3, 5)
        assert {(e.pedestrian, e.joy, e.reason) for e in events if isinstance(e, JoyGained)} == {
            (pedestrian, 3, Reason.MEETING),
            (1 - pedestrian, 5, Reason.MEETING),
        }

    @BOTH
    @pytest.mark.parametrize(("own", "other"), [(1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (3, 3)])
    def test_ba_pg6_passing_by_is_no_meeting(self, pedestrian: int, own: int, other: int) -> None:
        state = passeig()
        walked(state, 0, pedestrian, steps=own - 1)
        walked(state, 0, 1 - pedestrian, steps=other)
        walk(state, pedestrian, 1)
        step(state)
        assert state.joy[:2] == [1, 1]

    @BOTH
    def test_ba_pg6_they_do_not_meet_in_the_cities(self, pedestrian: int) -> None:
        """The fourth movement ends in the city where the other one starts."""
        state = passeig()
        walked(state, 0, pedestrian, steps=3, joy=3)
        walked(state, 0, 1 - pedestrian, steps=0, joy=3)
        walk(state, pedestrian, 1)
        events = step(state)
        assert state.vp[0] == 7
        assert state.joy[1 - pedestrian] == 3
        assert gained(events, JoyGained) == []

    @BOTH
    def test_ba_pg6_nor_does_one_that_goes_back_to_where_the_other_is_going(self, pedestrian: int) -> None:
        """Back at its start it does not meet the other one, which stands before its door."""
        state = passeig()
        walked(state, 0, pedestrian, steps=3)
        walked(state, 0, 1 - pedestrian, steps=3, joy=2)
        walk(state, pedestrian, 1)
        step(state)
        assert state.path[pedestrian] == 0
        assert state.joy[1 - pedestrian] == 2

    def test_ba_pg6_it_comes_after_the_amenities(self) -> None:
        state = passeig()
        tile_at(state, GRACIA, 2, "BENCH_LAMPS")
        build_intersections(state, 0, 2)
        walked(state, 0, BARCELONA, steps=2, joy=4)
        walked(state, 0, GRACIA, steps=1, joy=1)
        walk(state, GRACIA, 1)
        events = step(state)
        assert state.joy[:2] == [5, 3]
        reasons = [event.reason for event in events if isinstance(event, JoyGained)]
        assert reasons == [Reason.AMENITY, Reason.MEETING, Reason.MEETING]

    def test_ba_pg6_the_one_that_waits_does_not_enjoy_its_amenities_again(self) -> None:
        state = passeig()
        tile_at(state, BARCELONA, 2, "BENCH_LAMPS")
        build_intersections(state, 0, 3)
        walked(state, 0, BARCELONA, steps=2, joy=2)
        walked(state, 0, GRACIA, steps=1, joy=1)
        walk(state, GRACIA, 1)
        step(state)
        assert state.joy[:2] == [3, 2]

    def test_ba_pg6_joy_stays_at_6_and_the_other_still_gains(self) -> None:
        state = passeig()
        walked(state, 0, BARCELONA, steps=1, joy=6)
        walked(state, 0, GRACIA, steps=2, joy=5)
        walk(state, BARCELONA, 1)
        events = step(state)
        assert state.joy[:2] == [6, 6]
        assert gained(events, JoyGained) == [JoyGained(0, GRACIA, 6, Reason.MEETING)]

    def test_ba_pg6_another_players_pedestrian_is_not_met(self) -> None:
        state = passeig()
        walked(state, 1, GRACIA, steps=3, joy=2)
        walk(state, BARCELONA, 1)
        step(state)
        assert state.joy == [1, 1, 1, 2]

    def test_ba_pg6_it_happens_in_the_middle_of_a_walk_and_once(self) -> None:
        state = passeig()
        walked(state, 0, GRACIA, steps=2)
        walk(state, BARCELONA, 3)
        seen = []
        for _ in range(3):
            step(state)
            seen.append(tuple(state.joy[:2]))
        assert seen == [(1, 1), (2, 2), (2, 2)]

    def test_ba_pg5_ba_pg6_two_steps_from_1_to_3_and_one_more_each_by_meeting(self) -> None:
        """The rulebook's walk: one cobblestone, three Intersections, and the other Pedestrian on the second space."""
        state = passeig()
        tile_at(state, BARCELONA, 1, "COBBLESTONES")
        tile_at(state, BARCELONA, 2, "BENCH_LAMPS")
        place_cobblestones(state, 0, 1)
        build_intersections(state, 0, 3)
        walked(state, 0, GRACIA, steps=2, joy=1)
        walk(state, BARCELONA, 2)
        first, second = step(state), step(state)
        assert gained(first, JoyGained) == [JoyGained(0, BARCELONA, 2, Reason.AMENITY)]
        assert gained(second, JoyGained)[0] == JoyGained(0, BARCELONA, 3, Reason.AMENITY)
        assert set(gained(second, JoyGained)[1:]) == {
            JoyGained(0, BARCELONA, 4, Reason.MEETING),
            JoyGained(0, GRACIA, 2, Reason.MEETING),
        }
        assert state.joy[:2] == [4, 2]
        assert settled(state)


class TestJoy:
    @pytest.mark.parametrize("chosen", [BARCELONA, GRACIA])
    @pytest.mark.parametrize("much", [1, 2])
    def test_ba_pg7_any_one_even_at_its_start(self, chosen: int, much: int) -> None:
        state = passeig()
        effect(state, node(f"joy any {much}"))
        assert whats(state, Kind.PEDESTRIAN) == [BARCELONA, GRACIA]
        choose(state, Kind.PEDESTRIAN, chosen)
        assert state.joy[chosen] == 1 + much
        assert state.joy[1 - chosen] == 1
        assert state.joy[2:] == [1, 1]
        assert settled(state)

    def test_ba_pg7_it_may_not_be_declined(self) -> None:
        state = passeig()
        effect(state, node("joy any 1"))
        assert not may_stop(state)
        assert refused(state, moves.STOP) == "BA-T2"

    @BOTH
    def test_ba_pg7_a_die_at_6_can_not_be_chosen(self, pedestrian: int) -> None:
        state = passeig()
        walked(state, 0, pedestrian, steps=1, joy=6)
        effect(state, node("joy any 1"))
        assert state.legal_moves() == [moves.simple(Kind.PEDESTRIAN, 1 - pedestrian)]
        assert refused(state, moves.simple(Kind.PEDESTRIAN, pedestrian)) == "BA-PG7"

    def test_ba_pg7_the_dice_are_those_of_the_player(self) -> None:
        state = passeig(3)
        walked(state, 0, BARCELONA, joy=6)
        walked(state, 2, GRACIA, joy=6)
        effect(state, node("joy any 1"), seat=2)
        assert whats(state, Kind.PEDESTRIAN) == [BARCELONA]
        choose(state, Kind.PEDESTRIAN, BARCELONA)
        assert state.joy == [6, 1, 1, 1, 2, 6]

    def test_ba_pg7_with_both_at_6_nothing_happens(self) -> None:
        state = passeig()
        walked(state, 0, BARCELONA, joy=6)
        walked(state, 0, GRACIA, steps=2, joy=6)
        events = effect(state, node("joy any 2"))
        assert settled(state)
        assert events == []
        assert state.joy[:2] == [6, 6]

    def test_ba_pg7_at_most_6(self) -> None:
        state = passeig()
        walked(state, 0, GRACIA, steps=1, joy=5)
        effect(state, node("joy any 2"))
        events = choose(state, Kind.PEDESTRIAN, GRACIA)
        assert state.joy[GRACIA] == 6
        assert [(e.pedestrian, e.joy) for e in events if isinstance(e, JoyGained)] == [(GRACIA, 6)]

    @BOTH
    @pytest.mark.parametrize(("before", "after"), [(1, 3), (4, 6), (5, 6), (6, 6)])
    def test_ba_pg7_joy_of_a_certain_pedestrian_asks_nothing(self, pedestrian: int, before: int, after: int) -> None:
        state = passeig()
        walked(state, 0, pedestrian, joy=before)
        effect(state, node(f"joy {CITY[pedestrian]} 2"))
        assert settled(state)
        assert state.joy[pedestrian] == after
        assert state.joy[1 - pedestrian] == 1

    def test_ba_pg7_joy_alone_brings_no_points(self) -> None:
        state = passeig()
        walked(state, 0, BARCELONA, steps=1, joy=5)
        effect(state, node("joy any 1"))
        events = choose(state, Kind.PEDESTRIAN, BARCELONA)
        assert gained(events, Scored) == []
        assert state.path[BARCELONA] == 1

    def test_ba_pg7_ba_pg18_cerda_steps_come_before_joy(self) -> None:
        state = passeig()
        before = action(state, "X_CERDA")
        assert gained(before, Advanced) == [Advanced(0, Track.CERDA, 2, 4, Reason.ACTION)]
        assert asked(state) is Kind.PEDESTRIAN
        events = choose(state, Kind.PEDESTRIAN, GRACIA)
        assert order_of(events, Advanced, JoyGained) == [JoyGained]
        assert state.cerda[0] == 4
        assert state.joy[:2] == [1, 2]

"""The tiles of Passeig de Gràcia in play: Sidewalk overlay, Services, Sagrada, scorings and actions."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import (
    Advanced,
    Arrived,
    CerdaScored,
    Gained,
    JoyGained,
    Paid,
    Reason,
    Scored,
    ServiceBuilt,
    Stepped,
)
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    NARROW,
    SAGRADA,
    SCORINGS,
    SERVICES,
    WIDE,
    action,
    actions,
    asked,
    choose,
    decide,
    finish,
    gained,
    give,
    lay,
    may_stop,
    order_of,
    position,
    project,
    refused,
    ride,
    section,
    serve,
    settled,
    space,
    stop,
    street,
    tracked,
    walked,
    whats,
)

BARCELONA, GRACIA = 0, 1
STEP_OR_STOP = [moves.STOP, moves.STEP]


def step(state: BarcelonaState) -> list[Event]:
    return choose(state, Kind.STEP)


def walker(state: BarcelonaState) -> int:
    """The Pedestrian whose step is asked for."""
    assert state.legal_moves() == STEP_OR_STOP
    events = state.copy().play(moves.STEP)
    (pedestrian,) = [event.pedestrian for event in events if isinstance(event, (Stepped, Arrived))]
    return pedestrian


# The Sidewalk's overlay

OVERLAY = """
wide1   pB2  sag1 joy2  narrow2
cerda2  cl1  pB1  sag1  pG2
sag1    joy1 -    joy1  sag1
pG2     sag1 pG1  co1   cerda2
narrow2 joy2 sag1 pB2   wide1
"""
ICONS = [
    (row, column, icon)
    for row, line in enumerate(OVERLAY.strip().splitlines())
    for column, icon in enumerate(line.split())
    if icon != "-"
]


@pytest.mark.parametrize(("row", "column", "icon"), ICONS)
def test_ba_pg14_the_icons_of_the_overlay(row: int, column: int, icon: str) -> None:
    state = position(expansion=True)
    beside = (row, column - 1 if column else 1)
    if beside != (2, 2):
        lay(state, 1, beside)
    decide(state, (Do.COBBLESTONE, 1))
    choose(state, Kind.COBBLESTONE, space(row, column))
    match icon:
        case "pB1" | "pB2" | "pG1" | "pG2":
            pedestrian = GRACIA if "G" in icon else BARCELONA
            for _ in range(int(icon[-1])):
                assert walker(state) == pedestrian
                step(state)
        case "joy1" | "joy2":
            choose(state, Kind.PEDESTRIAN, GRACIA)
            assert state.joy[:2] == [1, 1 + int(icon[-1])]
        case "wide1" | "narrow2":
            for _ in range(int(icon[-1])):
                where = whats(state, Kind.SECTION)[-1]
                choose(state, Kind.SECTION, where)
                choose(state, Kind.STACK, whats(state, Kind.STACK)[-1])
                assert state.streets[where] == (WIDE if icon == "wide1" else NARROW)
        case "sag1":
            assert state.sagrada[0] == 1
        case "cerda2":
            assert state.cerda[0] == 4
        case "co1":
            assert (state.coins[0], state.cloth[0]) == (2, 1)
        case "cl1":
            assert (state.coins[0], state.cloth[0]) == (1, 2)
    assert settled(state)


def test_ba_pg14_the_base_game_keeps_its_printed_sidewalk() -> None:
    state = position()
    lay(state, 1, (1, 2), (0, 2))
    decide(state, (Do.COBBLESTONE, 1))
    choose(state, Kind.COBBLESTONE, space(0, 1))
    assert settled(state)
    assert state.vp[0] == 4


def test_ba_pg14_a_walk_from_the_sidewalk_may_be_declined() -> None:
    state = position(expansion=True)
    decide(state, (Do.COBBLESTONE, 1))
    choose(state, Kind.COBBLESTONE, space(3, 2))
    stop(state)
    assert settled(state)
    assert state.path[:2] == [0, 0]


# Public Services


def at_the_desk(service: str, *, tier: int = 0) -> BarcelonaState:
    """Seat 0 of three, with three coins, builds this Service as the tile of a tier."""
    base = ("ARC_DE_TRIOMF", "ESTACIO_DE_FRANCA", "UNIVERSITAT", "ESCOLA_INDUSTRIAL")
    state = position(3, expansion=True, services=(*base, service))
    state.services_taken[4] = tier
    give(state, coins=3, cloth=0)
    decide(state, (Do.SERVICE,))
    return state


SERVICES_OF_THE_BOX = pytest.mark.parametrize("service", ["PARC_GUELL", "FABRICA_CASARAMONA", "PALAU_DE_LA_MUSICA"])


class TestServices:
    @SERVICES_OF_THE_BOX
    @pytest.mark.parametrize(("tier", "cost", "points"), [(0, 3, 10), (1, 2, 6), (2, 1, 3)])
    def test_ba_pg15_cost_points_and_two_cerda_steps(self, service: str, tier: int, cost: int, points: int) -> None:
        state = at_the_desk(service, tier=tier)
        events = choose(state, Kind.SERVICE, 4)
        assert (state.coins[0], state.vp[0], state.cerda[0]) == (3 - cost, points, 4)
        assert state.services_of[0] == [SERVICES[service]]
        assert gained(events, ServiceBuilt) == [ServiceBuilt(0, 4, SERVICES[service], tier)]
        assert gained(events, Paid) == [Paid(0, cost, 0)]
        assert order_of(events, Scored, Advanced) == [Scored, Advanced]
        assert whats(state, Kind.PART) == [0, 1], "points and steps come before the order of the parts is asked"
        assert not may_stop(state)

    @SERVICES_OF_THE_BOX
    def test_ba_pg15_one_of_each_type(self, service: str) -> None:
        state = at_the_desk(service)
        serve(state, 0, service)
        decide(state, (Do.SERVICE,))
        assert 4 not in whats(state, Kind.SERVICE)

    @pytest.mark.parametrize("first", [BARCELONA, GRACIA])
    def test_ba_pg15_parc_guell_two_steps_each_one_after_the_other(self, first: int) -> None:
        state = at_the_desk("PARC_GUELL")
        choose(state, Kind.SERVICE, 4)
        choose(state, Kind.PART, first)
        for pedestrian in (first, first, 1 - first, 1 - first):
            assert walker(state) == pedestrian
            step(state)
        assert settled(state)
        assert state.path[:2] == [2, 2]

    def test_ba_pg15_parc_guell_declining_one_walk_leaves_the_other(self) -> None:
        state = at_the_desk("PARC_GUELL")
        choose(state, Kind.SERVICE, 4)
        choose(state, Kind.PART, GRACIA)
        step(state)
        stop(state)
        assert walker(state) == BARCELONA
        stop(state)
        assert settled(state)
        assert state.path[:2] == [0, 1]

    @pytest.mark.parametrize(
        ("service", "pedestrian"), [("FABRICA_CASARAMONA", BARCELONA), ("PALAU_DE_LA_MUSICA", GRACIA)]
    )
    @pytest.mark.parametrize(("joy_first", "points", "joy"), [(True, 15, 1), (False, 9, 3)])
    def test_ba_pg15_joy_2_and_a_step_in_any_order(
        self, service: str, pedestrian: int, joy_first: bool, points: int, joy: int
    ) -> None:
        """At Joy 4 before the destination the order decides: 15 points, or 9 and the Joy for the next walk."""
        state = at_the_desk(service)
        walked(state, 0, pedestrian, steps=3, joy=4)
        choose(state, Kind.SERVICE, 4)
        choose(state, Kind.PART, 0 if joy_first else 1)
        assert state.joy[pedestrian] == (6 if joy_first else 4)
        assert walker(state) == pedestrian
        step(state)
        state.play(moves.hexagon(6, 1))
        if joy_first:
            choose(state, Kind.RESOURCE, 0)
        assert settled(state)
        assert state.vp[0] == 10 + points
        assert state.joy[pedestrian] == joy
        assert state.joy[1 - pedestrian] == 1

    @pytest.mark.parametrize(
        ("service", "pedestrian"), [("FABRICA_CASARAMONA", BARCELONA), ("PALAU_DE_LA_MUSICA", GRACIA)]
    )
    def test_ba_pg15_the_step_may_be_declined_and_the_joy_not(self, service: str, pedestrian: int) -> None:
        state = at_the_desk(service)
        choose(state, Kind.SERVICE, 4)
        choose(state, Kind.PART, 1)
        stop(state)
        assert settled(state)
        assert (state.joy[pedestrian], state.path[pedestrian]) == (3, 0)

    @pytest.mark.parametrize(
        ("service", "pedestrian"), [("FABRICA_CASARAMONA", BARCELONA), ("PALAU_DE_LA_MUSICA", GRACIA)]
    )
    def test_ba_pg15_a_single_step(self, service: str, pedestrian: int) -> None:
        state = at_the_desk(service)
        choose(state, Kind.SERVICE, 4)
        choose(state, Kind.PART, 0)
        step(state)
        assert settled(state)
        assert state.path[:2] == [1 - pedestrian, pedestrian]


# Sagrada Família tiles


def taking(level: int) -> BarcelonaState:
    """Seat 0 takes a Sagrada Família tile of a level, 1 to 4."""
    state = position(expansion=True)
    decide(state, (Do.SAGRADA, level - 1))
    return state


class TestSagrada:
    @pytest.mark.parametrize("level", [1, 2, 3, 4])
    def test_ba_pg16_the_tile_is_one_of_five(self, level: int) -> None:
        state = taking(level)
        assert whats(state, Kind.SAGRADA) == sorted(SAGRADA[f"S{level}{tile}"] for tile in "ABCDX")

    @pytest.mark.parametrize(("level", "points", "joy"), [(1, 3, 1), (3, 7, 2)])
    def test_ba_pg16_points_then_joy_of_any_one(self, level: int, points: int, joy: int) -> None:
        state = taking(level)
        events = choose(state, Kind.SAGRADA, SAGRADA[f"S{level}X"])
        assert gained(events, Scored) == [Scored(0, points, Reason.SAGRADA)]
        assert not may_stop(state)
        events = choose(state, Kind.PEDESTRIAN, BARCELONA)
        assert gained(events, JoyGained) == [JoyGained(0, BARCELONA, 1 + joy, Reason.SAGRADA)]
        assert settled(state)

    @pytest.mark.parametrize("chosen", [BARCELONA, GRACIA])
    def test_ba_pg16_level_2_three_points_and_two_steps_of_one(self, chosen: int) -> None:
        state = taking(2)
        choose(state, Kind.SAGRADA, SAGRADA["S2X"])
        assert state.vp[0] == 3
        choose(state, Kind.PEDESTRIAN, chosen)
        for _ in range(2):
            assert walker(state) == chosen
            step(state)
        assert settled(state)

    @pytest.mark.parametrize("first", [BARCELONA, GRACIA])
    def test_ba_pg16_level_4_eight_points_and_three_steps_of_each(self, first: int) -> None:
        state = taking(4)
        choose(state, Kind.SAGRADA, SAGRADA["S4X"])
        assert state.vp[0] == 8
        assert whats(state, Kind.PART) == [0, 1]
        assert not may_stop(state)
        choose(state, Kind.PART, first)
        for pedestrian in (first,) * 3 + (1 - first,) * 3:
            assert walker(state) == pedestrian
            step(state)
        assert settled(state)
        assert state.path[:2] == [3, 3]

    def test_ba_pg16_a_tile_taken_is_gone(self) -> None:
        state = taking(1)
        choose(state, Kind.SAGRADA, SAGRADA["S1X"])
        choose(state, Kind.PEDESTRIAN, GRACIA)
        decide(state, (Do.SAGRADA, 0), seat=1)
        assert whats(state, Kind.SAGRADA) == sorted(SAGRADA[f"S1{tile}"] for tile in "ABCD")


# Cerdà and Modernisme tiles


class TestScorings:
    @pytest.mark.parametrize(
        ("tile", "points"),
        [("JOY_BARCELONA", [2 * 3, 2 * 5 * 2, 2 * 1 * 4]), ("JOY_GRACIA", [2 * 2, 2 * 1 * 2, 2 * 6 * 4])],
    )
    def test_ba_pg17_a_cerda_scoring_of_joy_wherever_the_die_is(self, tile: str, points: list[int]) -> None:
        state = position(3, expansion=True, cerda=(tile, "CORNER", "LINE"))
        for seat, (barcelona, gracia, steps, cerda) in enumerate([(3, 2, 0, 4), (5, 1, 2, 6), (1, 6, 1, 13)]):
            walked(state, seat, BARCELONA, steps=steps, joy=barcelona)
            walked(state, seat, GRACIA, steps=steps, joy=gracia)
            give(state, seat, cerda=cerda)
        tracked(state, working=6)
        events = finish(state)
        values = tuple(value // times for value, times in zip(points, (1, 2, 4), strict=True))
        assert gained(events, CerdaScored) == [CerdaScored(0, SCORINGS[tile], values, (1, 2, 4))]
        assert state.vp == points

    @pytest.mark.parametrize(("tile", "joy"), [("JOY_BARCELONA", 5), ("JOY_GRACIA", 3)])
    @pytest.mark.parametrize(("improved", "factor"), [(False, 1), (True, 2)])
    def test_ba_pg17_a_modernisme_tile_of_joy(self, tile: str, joy: int, improved: bool, factor: int) -> None:
        """Both Pedestrians are in their cities, so that nothing else brings points."""
        state = position(expansion=True)
        walked(state, 0, BARCELONA, joy=5)
        walked(state, 0, GRACIA, joy=3)
        project(state, 0, 2, tile, improved=improved)
        assert state.scores() == [2 * joy * factor, 0]

    def test_ba_pg17_joy_on_the_street_counts_beside_the_tile(self) -> None:
        state = position(expansion=True)
        walked(state, 0, BARCELONA, steps=1, joy=4)
        project(state, 0, 0, "JOY_BARCELONA")
        assert state.scores() == [8 + 4, 0]


# Action tiles


class TestActions:
    @pytest.mark.parametrize(
        ("name", "pedestrian", "coins", "cloth"), [("X_COINS", BARCELONA, 2, 1), ("X_CLOTH", GRACIA, 1, 2)]
    )
    @pytest.mark.parametrize("gain_first", [True, False])
    def test_ba_pg18_a_gain_and_two_steps_in_any_order(
        self, name: str, pedestrian: int, coins: int, cloth: int, gain_first: bool
    ) -> None:
        state = position(expansion=True)
        action(state, name)
        assert whats(state, Kind.PART) == [0, 1]
        assert not may_stop(state)
        choose(state, Kind.PART, 0 if gain_first else 1)
        got_first = (state.coins[0], state.cloth[0]) == (coins, cloth)
        assert got_first == gain_first
        for _ in range(2):
            assert walker(state) == pedestrian
            events = step(state)
        assert settled(state)
        assert (state.coins[0], state.cloth[0]) == (coins, cloth)
        assert len(gained(events, Gained)) == (0 if gain_first else 1)

    def test_ba_pg18_the_gain_is_stored_before_the_walk(self) -> None:
        state = position(expansion=True)
        give(state, coins=2, cloth=2)
        action(state, "X_COINS")
        choose(state, Kind.PART, 0)
        assert asked(state) is Kind.KEEP
        choose(state, Kind.KEEP, 3)
        assert walker(state) == BARCELONA

    def test_ba_pg18_the_gain_may_not_be_declined_with_the_walk(self) -> None:
        state = position(expansion=True)
        action(state, "X_CLOTH")
        choose(state, Kind.PART, 1)
        stop(state)
        assert settled(state)
        assert (state.coins[0], state.cloth[0]) == (1, 2)

    def test_ba_pg18_two_cerda_steps_and_a_joy(self) -> None:
        state = position(expansion=True)
        action(state, "X_CERDA")
        assert state.cerda[0] == 4, "the steps come first, and no order is asked"
        assert whats(state, Kind.PEDESTRIAN) == [BARCELONA, GRACIA]
        choose(state, Kind.PEDESTRIAN, BARCELONA)
        assert settled(state)
        assert state.joy[:2] == [2, 1]

    def test_ba_pg18_they_may_always_be_taken(self) -> None:
        """Even with both dice at 6, the Cerdà track at its end and the storage full."""
        state = position(expansion=True)
        for pedestrian in (BARCELONA, GRACIA):
            walked(state, 0, pedestrian, joy=6)
        give(state, coins=2, cloth=2, cerda=16)
        actions(state, "A5")
        assert set(whats(state, Kind.ACTION)) >= {street("A"), street("5")}
        choose(state, Kind.ACTION, street("5"))
        assert asked(state) is Kind.ACTION
        assert street("5") not in whats(state, Kind.ACTION)
        assert state.joy[:2] == [6, 6]

    def test_ba_pg18_a_passenger_takes_them_too(self) -> None:
        state = position(expansion=True)
        ride(state, 0, "A1-A2")
        decide(state, (Do.RIDE, section("A1-A2")))
        choose(state, Kind.RIDE)
        assert whats(state, Kind.PART) == [0, 1]
        choose(state, Kind.PART, 1)
        assert walker(state) == BARCELONA

    def test_ba_pg18_parts_are_not_asked_of_other_tiles(self) -> None:
        """Cloth and points of the base game, Cerdà and Joy, a Sagrada tile: they come as listed."""
        state = position(expansion=True)
        for name in ("CLOTH", "X_CERDA"):
            action(state, name)
            assert whats(state, Kind.PART) == []
        decide(state, (Do.SAGRADA, 0))
        choose(state, Kind.SAGRADA, SAGRADA["S1C"])
        assert settled(state)

    def test_ba_pg18_an_answer_of_another_kind_is_refused(self) -> None:
        state = position(expansion=True)
        action(state, "X_COINS")
        assert refused(state, moves.STEP) == "BA-T2"
        assert refused(state, moves.STOP) == "BA-T2"

"""Barcelona, Public Services: BA-P1 to BA-P3."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Advanced, Paid, Scored, Track
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    SAGRADA,
    SERVICES,
    action,
    asked,
    at,
    choose,
    gained,
    give,
    lay,
    may_stop,
    order_of,
    own,
    position,
    project,
    refused,
    section,
    serve,
    settled,
    space,
    stop,
    whats,
)

BASE = list(SERVICES)[:7]


def with_service(name: str, players: int = 2) -> BarcelonaState:
    """A position in which a type is the first stack, and seat 0 can pay for it."""
    state = position(players, services=[name, *[other for other in BASE if other != name][:4]])
    give(state, coins=3)
    return state


def bought(state: BarcelonaState) -> list[Event]:
    """Seat 0 builds the first stack's top tile."""
    action(state, "SERVICE")
    return choose(state, Kind.SERVICE, 0)


# BA-P1


@pytest.mark.parametrize(("taken", "cost", "vp"), [(0, 3, 10), (1, 2, 6), (2, 1, 3)])
def test_ba_p1_cost_points_and_two_steps_of_the_top_tile(taken: int, cost: int, vp: int) -> None:
    state = with_service("UNIVERSITAT", players=3)
    state.services_taken[0] = taken
    give(state, coins=cost)
    (paid,) = gained(bought(state), Paid)
    assert (paid.coins, paid.cloth, state.coins[0]) == (cost, 0, 0)
    assert (state.vp[0], state.cerda[0]) == (vp, 4)
    assert state.services_taken[0] == taken + 1


def test_ba_p1_only_what_can_be_paid() -> None:
    state = position(3)
    state.services_taken = [0, 1, 2, 3, 1]
    give(state, coins=2)
    action(state, "SERVICE")
    assert whats(state, Kind.SERVICE) == [1, 2, 4]
    assert refused(state, moves.simple(Kind.SERVICE, 0)) == "BA-P1"
    assert refused(state, moves.simple(Kind.SERVICE, 3)) == "BA-P1"


def test_ba_p1_what_one_player_takes_makes_the_next_cheaper() -> None:
    state = with_service("UNIVERSITAT")
    bought(state)
    stop(state)
    give(state, 1, coins=2)
    action(state, "SERVICE", seat=1)
    assert whats(state, Kind.SERVICE) == [0]


# BA-P2


def test_ba_p2_one_of_each_type() -> None:
    state = position(3)
    give(state, coins=4)
    serve(state, 0, "ARC_DE_TRIOMF", "UNIVERSITAT")
    serve(state, 1, "HOSPITAL_DE_SANT_PAU")
    action(state, "SERVICE")
    assert whats(state, Kind.SERVICE) == [1, 2, 4]
    assert refused(state, moves.simple(Kind.SERVICE, 0)) == "BA-P2"


# BA-P3


def test_ba_p3_points_then_steps_then_the_effect() -> None:
    state = with_service("HOSPITAL_DE_SANT_PAU")
    events = bought(state)
    assert order_of(events, Scored, Advanced) == [Scored, Advanced, Advanced]
    assert [event.track for event in gained(events, Advanced)] == [Track.CERDA, Track.SAGRADA]
    assert state.sagrada[0] == 1
    assert settled(state)


def test_ba_p3_arc_de_triomf_builds_two_narrow_streets_or_a_wide_one() -> None:
    state = with_service("ARC_DE_TRIOMF")
    bought(state)
    assert whats(state, Kind.CHOICE) == [0, 1]
    assert may_stop(state)
    both = state.copy()
    choose(state, Kind.CHOICE, 0)
    for where in ("A2-B2", "A1-A2"):
        choose(state, Kind.SECTION, section(where))
        choose(state, Kind.STACK, 3)
    assert settled(state)
    assert (sum(state.narrow[0]), sum(state.wide[0])) == (8, 5)
    choose(both, Kind.CHOICE, 1)
    choose(both, Kind.SECTION, section("A2-B2"))
    choose(both, Kind.STACK, 2)
    assert settled(both)
    assert (sum(both.narrow[0]), sum(both.wide[0])) == (10, 4)


def test_ba_p3_a_choice_that_can_do_nothing_is_not_offered() -> None:
    state = with_service("ARC_DE_TRIOMF")
    state.wide[0] = [0, 0, 0]
    bought(state)
    assert whats(state, Kind.CHOICE) == [0]


def test_ba_p3_estacio_de_franca_is_a_free_tram() -> None:
    state = with_service("ESTACIO_DE_FRANCA")
    give(state, cloth=0)
    bought(state)
    assert (asked(state), may_stop(state)) == (Kind.TRAM, True)
    choose(state, Kind.TRAM, section("A1-A2"))
    choose(state, Kind.PASSENGER)
    choose(state, Kind.RIDE)
    assert (state.passengers_placed[0], state.coins[0]) == (1, 2)


def test_ba_p3_universitat_takes_a_modernisme_tile() -> None:
    state = with_service("UNIVERSITAT")
    bought(state)
    assert (asked(state), may_stop(state)) == (Kind.MODERNISME, True)
    assert len(state.legal_moves()) == 16 + 1


def test_ba_p3_universitat_does_nothing_where_there_is_no_room() -> None:
    state = with_service("UNIVERSITAT")
    for where, tile in enumerate(("LINE", "BOTTOM", "CORNER", "WIDE")):
        project(state, 0, where, tile)
    bought(state)
    assert settled(state)
    assert state.vp[0] == 10


def test_ba_p3_mercat_de_sant_antoni_gives_a_coin_and_a_cloth_that_cannot_be_declined() -> None:
    state = with_service("MERCAT_DE_SANT_ANTONI")
    bought(state)
    assert (state.coins[0], state.cloth[0]) == (1, 2)
    assert settled(state)


def test_ba_p3_hospital_de_sant_pau_may_reach_a_threshold() -> None:
    state = with_service("HOSPITAL_DE_SANT_PAU")
    give(state, sagrada=1)
    bought(state)
    assert (asked(state), may_stop(state)) == (Kind.SAGRADA, False)
    choose(state, Kind.SAGRADA, SAGRADA["S1D"])
    assert state.cerda[0] == 2 + 2 + 2


def test_ba_p3_escola_industrial_places_a_cobblestone() -> None:
    state = with_service("ESCOLA_INDUSTRIAL")
    lay(state, 1, (1, 2), (1, 3))
    bought(state)
    assert (asked(state), may_stop(state)) == (Kind.COBBLESTONE, True)
    choose(state, Kind.COBBLESTONE, space(1, 4))
    assert (state.vp[0], state.cobblestones_placed[0]) == (10 + 4, 1)


def test_ba_p3_hospital_clinic_places_an_intersection_for_free() -> None:
    state = with_service("HOSPITAL_CLINIC")
    own(state, 0, "E1", "E2", "E3", "E4")
    give(state, cloth=0)
    bought(state)
    assert (asked(state), may_stop(state)) == (Kind.INTERSECTION, True)
    choose(state, Kind.INTERSECTION, at("A2"))
    assert (state.intersections_built[0], state.cloth[0]) == (5, 1), "A2-A3 gives a cloth"

"""Barcelona, trams and passengers: BA-TR1 to BA-TR5."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import ActionTaken, Paid, Reason
from boardgamesbot.games.barcelona.moves import PASSENGER, Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    ACTIONS,
    NARROW,
    WIDE,
    action,
    actions,
    asked,
    choose,
    effect,
    gained,
    give,
    may_stop,
    node,
    pave,
    position,
    refused,
    ride,
    scored,
    section,
    settled,
    stop,
    street,
    whats,
)


def ways(state: BarcelonaState) -> set[int]:
    """Where seat 0's tram may end."""
    action(state, "TRAM")
    return set(whats(state, Kind.TRAM))


def sections(*names: str) -> set[int]:
    """Sections by name."""
    return {section(name) for name in names}


def ridden(state: BarcelonaState, where: str) -> list[Event]:
    """The tram action with the tram on a section where it can go, and a passenger there."""
    action(state, "TRAM")
    return [*choose(state, Kind.TRAM, section(where)), *choose(state, Kind.PASSENGER)]


OUTER = sections(
    *("A1-B1", "B1-C1", "C1-D1", "D1-E1", "A5-B5", "B5-C5", "C5-D5", "D5-E5"),
    *("A1-A2", "A2-A3", "A3-A4", "A4-A5", "E1-E2", "E2-E3", "E3-E4", "E4-E5"),
)
ONE_FURTHER = sections(
    *("B1-B2", "C1-C2", "D1-D2", "B4-B5", "C4-C5", "D4-D5"),
    *("A2-B2", "A3-B3", "A4-B4", "D2-E2", "D3-E3", "D4-E4"),
)


# BA-TR1


def test_ba_tr1_it_enters_on_an_outer_street_with_its_first_step() -> None:
    state = position()
    found = ways(state)
    assert found == OUTER | ONE_FURTHER
    assert len(found) == 28
    assert refused(state, moves.simple(Kind.TRAM, section("B2-C2"))) == "BA-TR1"


def test_ba_tr1_two_steps_from_a_corner_of_the_city() -> None:
    state = position()
    state.trams[0] = section("A1-B1")
    assert ways(state) == sections(
        *("A1-B1", "A1-A2", "B1-C1", "B1-B2"),
        *("A2-B2", "A2-A3", "C1-D1", "C1-C2", "B2-C2", "B2-B3"),
    )


def test_ba_tr1_it_may_stay_where_it_is() -> None:
    state = position()
    state.trams[0] = section("C3-D3")
    action(state, "TRAM")
    choose(state, Kind.TRAM, section("C3-D3"))
    assert state.trams[0] == section("C3-D3")
    assert asked(state) is Kind.PASSENGER


def test_ba_tr1_a_stretch_of_own_streets_is_one_step() -> None:
    state = position()
    state.trams[0] = section("A1-B1")
    pave(state, 0, NARROW, "B1-C1", "C1-D1")
    pave(state, 0, WIDE, "D1-E1")
    found = ways(state)
    assert section("D1-E1") in found, "one step: the tram touches the stretch at B1"
    assert sections("E1-E2", "D1-D2") <= found, "and a second one beyond it"
    assert not sections("E2-E3", "D2-D3", "D2-E2") & found


def test_ba_tr1_a_stretch_is_joined_at_any_angle() -> None:
    state = position()
    state.trams[0] = section("A1-B1")
    pave(state, 0, NARROW, "B1-B2", "B2-C2", "C2-C3")
    found = ways(state)
    assert sections("C3-D3", "C3-C4", "B3-C3") <= found
    assert section("C4-C5") not in found


def test_ba_tr1_from_within_a_stretch_its_other_end_is_one_step() -> None:
    state = position()
    state.trams[0] = section("B1-C1")
    pave(state, 0, NARROW, "B1-C1", "C1-D1", "D1-E1", "E1-E2")
    found = ways(state)
    assert section("E2-E3") in found
    assert section("E3-E4") not in found


def test_ba_tr1_a_stretch_one_step_away_takes_the_second_step() -> None:
    state = position()
    state.trams[0] = section("A1-B1")
    pave(state, 0, NARROW, "C1-C2", "C2-C3", "C3-C4")
    found = ways(state)
    assert sections("C1-C2", "C2-C3", "C3-C4") <= found, "B1-C1 is the first step"
    assert section("C4-C5") not in found


def test_ba_tr1_streets_of_others_are_no_help() -> None:
    state = position()
    state.trams[0] = section("A1-B1")
    pave(state, 1, NARROW, "B1-C1", "C1-D1", "D1-E1")
    assert not sections("D1-E1", "E1-E2", "D1-D2") & ways(state)


def test_ba_tr1_two_stretches_apart_are_two_steps() -> None:
    state = position()
    state.trams[0] = section("A1-B1")
    pave(state, 0, NARROW, "B1-C1", "E1-E2", "E2-E3")
    found = ways(state)
    assert section("C1-D1") in found
    assert not sections("D1-E1", "E2-E3") & found


def test_ba_tr1_entering_is_the_first_step_and_a_stretch_the_second() -> None:
    state = position()
    pave(state, 0, NARROW, "C1-C2", "C2-C3", "C3-D3")
    assert ways(state) == OUTER | ONE_FURTHER | sections("C2-C3", "C3-D3")


def test_ba_tr1_trams_do_not_block_each_other() -> None:
    state = position()
    state.trams = [section("A1-B1"), section("B1-C1")]
    action(state, "TRAM")
    choose(state, Kind.TRAM, section("B1-C1"))
    assert state.trams == [section("B1-C1")] * 2


def test_ba_tr1_a_tram_that_another_effect_brings_may_stay_outside() -> None:
    state = position()
    effect(state, node("tram free"))
    assert may_stop(state)
    stop(state)
    assert state.trams[0] == -1
    assert settled(state)


# BA-TR2


def test_ba_tr2_a_passenger_costs_a_cloth() -> None:
    state = position()
    give(state, cloth=2)
    (paid,) = gained(ridden(state, "A2-B2"), Paid)
    assert (paid.coins, paid.cloth) == (0, 1)
    assert (state.cloth[0], state.passengers_placed[0]) == (1, 1)
    assert state.passengers[section("A2-B2")] == 0


def test_ba_tr2_it_may_be_declined() -> None:
    state = position()
    action(state, "TRAM")
    choose(state, Kind.TRAM, 0)
    stop(state)
    assert (state.cloth[0], state.passengers_placed[0]) == (1, 0)
    assert settled(state), "no passenger, no action of the street"


@pytest.mark.parametrize("owner", [0, 1])
def test_ba_tr2_one_passenger_a_section_whoevers(owner: int) -> None:
    state = position()
    ride(state, owner, "A2-B2")
    action(state, "TRAM")
    choose(state, Kind.TRAM, section("A2-B2"))
    assert settled(state)


def test_ba_tr2_not_without_the_cloth() -> None:
    state = position()
    give(state, cloth=0)
    action(state, "TRAM")
    choose(state, Kind.TRAM, 0)
    assert settled(state)


def test_ba_tr2_four_passengers_and_the_tram_moves_on_without_them() -> None:
    state = position()
    give(state, cloth=4)
    ride(state, 0, "C3-D3", "D3-E3", "B3-C3")
    ridden(state, "A1-A2")
    stop(state)
    assert state.passengers_placed[0] == 4
    action(state, "TRAM")
    choose(state, Kind.TRAM, section("A2-A3"))
    assert settled(state)
    assert state.trams[0] == section("A2-A3")


def test_ba_tr2_only_where_the_tram_stands() -> None:
    state = position()
    action(state, "TRAM")
    assert refused(state, PASSENGER) == "BA-T2"


# BA-TR3


@pytest.mark.parametrize(("kind", "vp"), [(NARROW, 3), (WIDE, 6)])
def test_ba_tr3_the_run_of_an_own_street_scores_again_by_the_kind_there(kind: int, vp: int) -> None:
    state = position()
    pave(state, 0, kind, "A2-B2")
    pave(state, 1, 3 - kind, "B2-C2", "C2-D2")
    events = ridden(state, "A2-B2")
    assert scored(events, Reason.RUN) == vp
    assert state.vp[0] == vp, "the 2 points printed there are not gained again"


def test_ba_tr3_coins_and_cloth_printed_there_are_not_gained_again() -> None:
    state = position()
    pave(state, 0, NARROW, "A1-B1", "A2-A3")
    ridden(state, "A1-B1")
    assert (state.coins[0], state.cloth[0]) == (1, 0)


@pytest.mark.parametrize("owner", [None, 1])
def test_ba_tr3_nothing_on_anothers_street_or_on_none(owner: int | None) -> None:
    state = position()
    if owner is not None:
        pave(state, owner, WIDE, "A2-B2")
    pave(state, 0, WIDE, "B2-C2")
    ridden(state, "A2-B2")
    assert state.vp == [0, 0]
    assert state.passengers[section("A2-B2")] == 0


def test_ba_tr3_the_points_come_before_the_streets_action() -> None:
    state = position()
    pave(state, 0, NARROW, "A1-B1")
    ridden(state, "A1-B1")
    assert (state.vp[0], asked(state)) == (1, Kind.RIDE)
    choose(state, Kind.RIDE)
    assert state.vp[0] == 1 + 3, "street 1 gives a cloth and 3 points"


def test_ba_tr3_a_street_built_under_a_passenger_scores_only_once() -> None:
    state = position()
    ride(state, 0, "A2-B2")
    action(state, "WIDE")
    choose(state, Kind.SECTION, section("A2-B2"))
    choose(state, Kind.STACK, 1)
    assert state.vp[0] == 2 + 2


# BA-TR4


@pytest.mark.parametrize(
    ("where", "wanted"),
    [("A1-B1", "1"), ("D5-E5", "5"), ("A2-A3", "A"), ("D1-D2", "D"), ("A3-B3", "3"), ("D4-E4", "4"), ("B4-B5", "B")],
)
def test_ba_tr4_the_action_at_the_end_of_the_sections_street(where: str, wanted: str) -> None:
    state = position()
    give(state, cloth=4)
    ridden(state, where)
    assert asked(state) is Kind.RIDE
    (taken,) = gained(choose(state, Kind.RIDE), ActionTaken)
    assert (taken.street, taken.action, taken.ridden) == (street(wanted), state.slots[street(wanted)], True)


def test_ba_tr4_it_may_be_declined() -> None:
    state = position()
    ridden(state, "A1-A2")
    stop(state)
    assert state.coins[0] == 1
    assert settled(state)


def test_ba_tr4_it_is_paid_as_usual() -> None:
    state = position()
    give(state, cloth=3)
    ridden(state, "A4-B4")
    choose(state, Kind.RIDE)
    choose(state, Kind.IMPROVE, 0)
    assert state.cloth[0] == 3 - 1 - 1


def test_ba_tr4_what_cannot_be_paid_after_the_passenger_is_not_offered() -> None:
    state = position()
    give(state, cloth=1)
    ridden(state, "A4-B4")
    assert settled(state), "improving costs a cloth, and the only one went for the passenger"


def test_ba_tr4_once_chosen_its_first_piece_cannot_be_declined() -> None:
    state = position()
    ridden(state, "A3-B3")
    choose(state, Kind.RIDE)
    assert asked(state) is Kind.SECTION
    assert not may_stop(state)


def test_ba_tr4_an_action_of_the_intersection_may_be_taken_once_more() -> None:
    state = position()
    give(state, coins=0)
    actions(state, "A5")
    choose(state, Kind.ACTION, street("A"))
    choose(state, Kind.ACTION, street("/"))
    choose(state, Kind.TRAM, section("A1-A2"))
    choose(state, Kind.PASSENGER)
    choose(state, Kind.RIDE)
    assert state.coins[0] == 4
    assert whats(state, Kind.ACTION) == [street("5")]


def test_ba_tr4_an_action_still_to_come_is_not_used_up() -> None:
    state = position()
    give(state, coins=0)
    actions(state, "A5")
    choose(state, Kind.ACTION, street("/"))
    choose(state, Kind.TRAM, section("A1-A2"))
    choose(state, Kind.PASSENGER)
    choose(state, Kind.RIDE)
    assert state.coins[0] == 2
    assert whats(state, Kind.ACTION) == [street("A"), street("5")]
    choose(state, Kind.ACTION, street("A"))
    assert state.coins[0] == 4


def test_ba_tr4_a_tram_taken_through_a_passenger_is_paid() -> None:
    state = position()
    give(state, cloth=2)
    state.slots = [ACTIONS["COINS"]] * 11
    state.slots[street("A")] = ACTIONS["TRAM"]
    ridden(state, "A1-A2")
    choose(state, Kind.RIDE)
    assert (asked(state), may_stop(state)) == (Kind.TRAM, False)
    choose(state, Kind.TRAM, section("A2-A3"))
    choose(state, Kind.PASSENGER)
    assert (state.cloth[0], state.passengers_placed[0]) == (0, 2)
    choose(state, Kind.RIDE)
    choose(state, Kind.TRAM, section("A3-A4"))
    assert settled(state), "no cloth is left for a third passenger"


# BA-TR5


def test_ba_tr5_the_passenger_of_a_free_tram_costs_nothing() -> None:
    state = position()
    give(state, cloth=0)
    effect(state, node("tram free"))
    choose(state, Kind.TRAM, 0)
    assert asked(state) is Kind.PASSENGER
    events = choose(state, Kind.PASSENGER)
    assert not gained(events, Paid)
    assert state.passengers_placed[0] == 1


def test_ba_tr5_the_streets_action_is_paid() -> None:
    state = position()
    give(state, cloth=2)
    effect(state, node("tram free"))
    choose(state, Kind.TRAM, section("A4-B4"))
    choose(state, Kind.PASSENGER)
    choose(state, Kind.RIDE)
    choose(state, Kind.IMPROVE, 0)
    assert state.cloth[0] == 1


@pytest.mark.parametrize(("cloth", "passengers"), [(0, 1), (1, 2)])
def test_ba_tr5_a_tram_taken_through_it_is_paid(cloth: int, passengers: int) -> None:
    state = position()
    give(state, cloth=cloth)
    state.slots = [ACTIONS["COINS"]] * 11
    state.slots[street("A")] = ACTIONS["TRAM"]
    effect(state, node("tram free"))
    choose(state, Kind.TRAM, section("A1-A2"))
    choose(state, Kind.PASSENGER)
    choose(state, Kind.RIDE)
    choose(state, Kind.TRAM, section("A1-B1"))
    if cloth:
        choose(state, Kind.PASSENGER)
        stop(state)
    assert settled(state)
    assert (state.passengers_placed[0], state.cloth[0]) == (passengers, 0)

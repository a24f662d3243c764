"""Barcelona, order of a turn and placing: BA-T1, BA-T2, BA-A1 to BA-A8."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import (
    ActionTaken,
    Built,
    CerdaScored,
    Drew,
    NowhereToPlace,
    Paid,
    Placed,
    Reason,
    TurnBegan,
)
from boardgamesbot.games.barcelona.moves import STOP, Kind
from tests.support.barcelona import (
    ACTIONS,
    LEVEL_1,
    ON_DIAGONAL,
    SERVICES,
    action,
    actions,
    asked,
    at,
    build,
    choose,
    fill,
    gained,
    give,
    hold,
    lay,
    may_stop,
    moves_of,
    order_of,
    own,
    place,
    position,
    project,
    put,
    refused,
    ride,
    scored,
    serve,
    site,
    stack,
    stop,
    street,
    tracked,
    turn,
    whats,
)

# BA-T1


def test_ba_t1_place_act_build_score_draw() -> None:
    state = position(2)
    tracked(state, working=3)
    put(state, "A1", "W")
    hold(state, 0, "WW")
    events = turn(state)
    events += place(state, "B1", "W")
    assert asked(state) is Kind.ACTION
    events += choose(state, Kind.ACTION, street("1"))
    events += stop(state)
    assert asked(state) is Kind.BUILD
    events += build(state, site("A1"), LEVEL_1, "A1", "B1")
    assert asked(state) is Kind.STACK
    events += choose(state, Kind.STACK, 0)
    assert order_of(events, Placed, ActionTaken, Built, CerdaScored, Drew, TurnBegan) == [
        *(TurnBegan, Placed, ActionTaken, Built, CerdaScored, Drew, TurnBegan),
    ]
    assert (state.seat, len(state.hands[0])) == (1, 2)
    assert asked(state) is Kind.PLACE


def test_ba_t1_citizens_just_placed_may_be_built_with() -> None:
    state = position()
    put(state, "A1", "W")
    turn(state)
    place(state, "B1", "M")
    stop(state)
    assert {found.which for found in moves_of(state, Kind.BUILD)} == {0, 1}


# BA-T2


@pytest.mark.parametrize(
    "move",
    [
        STOP,
        moves.STEP,
        moves.PASSENGER,
        moves.simple(Kind.ACTION, 0),
        moves.simple(Kind.KEEP, 2),
        moves.build(0, 0, 3),
        moves.modernisme(0, 0),
    ],
)
def test_ba_t2_what_is_not_asked_now_is_refused(move: int) -> None:
    state = position()
    turn(state)
    assert refused(state, move) == "BA-T2"


def test_ba_t2_building_is_no_move_while_actions_are_left() -> None:
    state = position()
    put(state, "A1", "W")
    turn(state)
    place(state, "B1", "W")
    assert refused(state, moves.build(site("A1"), LEVEL_1, 0b11)) == "BA-T2"


def test_ba_t2_the_first_piece_of_an_action_chosen_cannot_be_declined() -> None:
    for name in ("NARROW", "WIDE", "INTERSECTION", "COBBLESTONE", "MODERNISME", "IMPROVE", "SERVICE", "TRAM"):
        state = position()
        give(state, coins=3, cloth=1)
        action(state, name)
        assert not may_stop(state), name
        assert refused(state, STOP) == "BA-T2"


@pytest.mark.parametrize(("where", "name"), [("B1", "B"), ("A3", "3"), ("C5", "C"), ("C4", "4"), ("A5", "/")])
def test_ba_t2_nor_can_it_when_the_action_is_chosen_at_an_intersection(where: str, name: str) -> None:
    state = position()
    turn(state)
    place(state, where, "W")
    choose(state, Kind.ACTION, street(name))
    assert not may_stop(state)


def test_ba_t2_the_second_piece_of_an_action_may_be_declined() -> None:
    state = position()
    action(state, "NARROW")
    choose(state, Kind.SECTION, 5)
    choose(state, Kind.STACK, 0)
    assert asked(state) is Kind.SECTION
    assert may_stop(state)


def test_ba_t2_pieces_that_an_icon_brings_may_be_declined_from_the_first_on() -> None:
    state = position()
    lay(state, 1, (1, 2), (0, 2), (0, 1))
    action(state, "COBBLESTONE")
    choose(state, Kind.COBBLESTONE, 0)
    assert asked(state) is Kind.SECTION, "the icon builds a wide street"
    assert may_stop(state)
    stop(state)
    assert state.wide[0] == [1, 2, 2]


def test_ba_t2_a_tram_and_a_tile_that_a_service_brings_may_be_declined() -> None:
    for name, kind in (
        ("ESTACIO_DE_FRANCA", Kind.TRAM),
        ("UNIVERSITAT", Kind.MODERNISME),
        ("ESCOLA_INDUSTRIAL", Kind.COBBLESTONE),
        ("HOSPITAL_CLINIC", Kind.INTERSECTION),
        ("ARC_DE_TRIOMF", Kind.CHOICE),
    ):
        state = position(services=[name, *[other for other in SERVICES if other != name][:4]])
        give(state, coins=3)
        action(state, "SERVICE")
        choose(state, Kind.SERVICE, 0)
        assert (asked(state), may_stop(state)) == (kind, True), name


def test_ba_t2_passenger_and_its_action_may_be_declined_one_by_one() -> None:
    state = position()
    action(state, "TRAM")
    choose(state, Kind.TRAM, 0)
    assert (asked(state), may_stop(state)) == (Kind.PASSENGER, True)
    choose(state, Kind.PASSENGER)
    assert (asked(state), may_stop(state)) == (Kind.RIDE, True)


def test_ba_t2_stop_ends_all_actions_of_the_intersection() -> None:
    state = position()
    turn(state)
    place(state, "B1", "W")
    stop(state)
    assert state.seat == 1


def test_ba_t2_a_decision_with_one_choice_is_put_all_the_same() -> None:
    state = position()
    give(state, coins=4, cloth=0)
    action(state, "COINS")
    assert state.legal_moves() == [moves.simple(Kind.KEEP, 4)]


def test_ba_t2_a_decision_with_no_choice_vanishes() -> None:
    state = position()
    state.narrow[0] = [0, 0, 0, 1]
    action(state, "NARROW")
    choose(state, Kind.SECTION, 5)
    choose(state, Kind.STACK, 3)
    assert not state.legal_moves(), "there is no second tile to place or to decline"


def test_ba_t2_sagrada_tile_stack_and_building_cannot_be_declined() -> None:
    state = position()
    give(state, sagrada=1)
    put(state, "A1", "M")
    put(state, "B1", "M")
    hold(state, 0, "WW")
    turn(state)
    place(state, "E5", "W")
    stop(state)
    assert (asked(state), may_stop(state)) == (Kind.BUILD, False)
    build(state, site("A1"), 1, "A1", "B1")
    assert (asked(state), may_stop(state)) == (Kind.SAGRADA, False)
    state.play(state.legal_moves()[0])
    assert (asked(state), may_stop(state)) == (Kind.STACK, False)


# BA-A1


def test_ba_a1_only_where_no_citizen_is() -> None:
    state = position()
    put(state, "B2", "UM")
    put(state, "C2", "W")
    turn(state)
    free = set(whats(state, Kind.PLACE))
    assert free == set(range(25)) - {at("B2"), at("C2")}
    assert refused(state, moves.place(at("B2"), 1)) == "BA-A1"
    assert refused(state, moves.place(at("C2"), 1)) == "BA-A1"


def test_ba_a1_tiles_trams_and_passengers_block_nothing() -> None:
    state = position()
    own(state, 1, "B2")
    ride(state, 1, "B2-C2")
    state.trams[1] = 0
    turn(state)
    assert whats(state, Kind.PLACE) == list(range(25))


def test_ba_a1_both_citizens_go_there() -> None:
    state = position()
    turn(state)
    (placed,) = gained(place(state, "C2", "W"), Placed)
    assert (placed.seat, placed.intersection, placed.bottom, placed.top) == (0, at("C2"), 2, 1)
    assert state.hands[0] == []


# BA-A2


@pytest.mark.parametrize(("top", "there"), [("W", "WM"), ("M", "MW")])
def test_ba_a2_you_say_which_one_lies_on_top(top: str, there: str) -> None:
    state = position()
    turn(state)
    place(state, "C2", top)
    assert stack(state, "C2") == there


def test_ba_a2_two_of_a_class_are_one_choice() -> None:
    state = position()
    hold(state, 0, "UU")
    turn(state)
    assert len(state.legal_moves()) == 25
    assert {found.which for found in moves_of(state, Kind.PLACE)} == {3}


def test_ba_a2_a_citizen_that_is_not_held_cannot_lie_on_top() -> None:
    state = position()
    turn(state)
    assert refused(state, moves.place(at("C2"), 3)) == "BA-A2"


# BA-A3


@pytest.mark.parametrize("name", ON_DIAGONAL)
def test_ba_a3_the_diagonal_costs_a_coin(name: str) -> None:
    state = position()
    give(state, coins=2)
    turn(state)
    (paid,) = gained(place(state, name, "W"), Paid)
    assert (paid.seat, paid.coins, paid.cloth) == (0, 1, 0)
    assert state.coins[0] == 1


def test_ba_a3_elsewhere_it_costs_nothing() -> None:
    state = position()
    turn(state)
    assert not gained(place(state, "C2", "W"), Paid)
    assert state.coins[0] == 1


def test_ba_a3_without_a_coin_no_place_on_the_diagonal() -> None:
    state = position()
    give(state, coins=0, cloth=4)
    turn(state)
    assert set(whats(state, Kind.PLACE)) == set(range(25)) - {at(name) for name in ON_DIAGONAL}
    assert refused(state, moves.place(at("C3"), 1)) == "BA-A3"


def test_ba_a3_who_has_a_coin_pays_even_where_nothing_else_is_empty() -> None:
    state = position()
    fill(state, "C3")
    turn(state)
    place(state, "C3", "W")
    assert state.coins[0] == 0
    assert street("/") in whats(state, Kind.ACTION)


# BA-A4


def test_ba_a4_the_diagonal_is_free_if_nothing_else_is_empty_and_no_coin_is_there() -> None:
    state = position()
    give(state, coins=0)
    fill(state, "C3", "D2")
    turn(state)
    assert set(whats(state, Kind.PLACE)) == {at("C3"), at("D2")}
    assert not gained(place(state, "C3", "W"), Paid)
    assert state.coins[0] == 0
    assert whats(state, Kind.ACTION) == [street("C"), street("3")]
    assert refused(state, moves.simple(Kind.ACTION, street("/"))) == "BA-A4"


def test_ba_a4_coins_gained_afterwards_do_not_bring_it_back() -> None:
    state = position()
    give(state, coins=0)
    fill(state, "A5")
    turn(state)
    place(state, "A5", "W")
    choose(state, Kind.ACTION, street("A"))
    assert state.coins[0] == 2
    assert whats(state, Kind.ACTION) == [street("5")]


def test_ba_a4_not_while_another_intersection_is_empty() -> None:
    state = position()
    give(state, coins=0)
    fill(state, "C3", "A1")
    turn(state)
    assert whats(state, Kind.PLACE) == [at("A1")]


# BA-A5


def test_ba_a5_with_no_empty_intersection_the_citizens_leave_and_building_follows() -> None:
    state = position()
    fill(state)
    hold(state, 0, "WU")
    state.box = [0, 0, 0]
    (left,) = gained(turn(state), NowhereToPlace)
    assert sorted(left.citizens) == [1, 3]
    assert (state.box, state.hands[0]) == ([1, 0, 1], [])
    assert asked(state) is Kind.BUILD


# BA-A6


def test_ba_a6_the_owner_gets_two_points_before_the_actions() -> None:
    state = position()
    own(state, 1, "C2")
    turn(state)
    events = place(state, "C2", "W")
    assert scored(events, Reason.OWNER, seat=1) == 2
    assert state.vp == [0, 2]
    assert asked(state) is Kind.ACTION


def test_ba_a6_an_intersection_of_ones_own_gives_nothing() -> None:
    state = position()
    own(state, 0, "C2")
    turn(state)
    place(state, "C2", "W")
    assert state.vp == [0, 0]


def test_ba_a6_only_the_intersection_used_counts() -> None:
    state = position()
    own(state, 1, "C2", "D2")
    turn(state)
    place(state, "B2", "W")
    assert state.vp == [0, 0]


# BA-A7


def test_ba_a7_the_two_streets_that_cross_there() -> None:
    state = position()
    turn(state)
    place(state, "D1", "W")
    assert whats(state, Kind.ACTION) == [street("D"), street("1")]
    assert may_stop(state)
    assert refused(state, moves.simple(Kind.ACTION, street("E"))) == "BA-A7"


def test_ba_a7_on_the_diagonal_there_are_three() -> None:
    state = position()
    turn(state)
    place(state, "A5", "W")
    assert whats(state, Kind.ACTION) == [street("A"), street("5"), street("/")]


@pytest.mark.parametrize("order", ["A1", "1A"])
def test_ba_a7_any_order_and_each_once(order: str) -> None:
    state = position()
    give(state, coins=0)
    actions(state, "A1")
    choose(state, Kind.ACTION, street(order[0]))
    assert whats(state, Kind.ACTION) == [street(order[1])]
    assert refused(state, moves.simple(Kind.ACTION, street(order[0]))) == "BA-A7"
    choose(state, Kind.ACTION, street(order[1]))
    assert (state.coins[0], state.cloth[0], state.vp[0]) == (2, 2, 3)


def test_ba_a7_one_is_finished_before_the_next() -> None:
    state = position()
    actions(state, "B3")
    choose(state, Kind.ACTION, street("B"))
    assert asked(state) is Kind.SECTION
    choose(state, Kind.SECTION, 5)
    choose(state, Kind.STACK, 0)
    assert asked(state) is Kind.SECTION, "the second narrow street comes before the wide one"
    stop(state)
    assert (asked(state), whats(state, Kind.ACTION)) == (Kind.ACTION, [street("3")])


def test_ba_a7_each_is_optional() -> None:
    state = position()
    actions(state, "A1")
    choose(state, Kind.ACTION, street("A"))
    stop(state)
    assert not state.legal_moves()
    assert (state.coins[0], state.cloth[0], state.vp[0]) == (3, 1, 0)


# BA-A8


def test_ba_a8_an_action_becomes_possible_through_another() -> None:
    state = position()
    give(state, coins=1)
    actions(state, "A2")
    assert whats(state, Kind.ACTION) == [street("A")], "a Public Service costs 3 coins"
    assert refused(state, moves.simple(Kind.ACTION, street("2"))) == "BA-A8"
    choose(state, Kind.ACTION, street("A"))
    assert whats(state, Kind.ACTION) == [street("2")]


def test_ba_a8_an_action_becomes_impossible_through_another() -> None:
    state = position()
    give(state, cloth=1)
    actions(state, "E4")
    assert whats(state, Kind.ACTION) == [street("E"), street("4")]
    choose(state, Kind.ACTION, street("4"))
    choose(state, Kind.IMPROVE, 0)
    assert not state.legal_moves(), "the cloth is spent"


@pytest.mark.parametrize("name", ["COINS", "CLOTH", "CERDA", "TRAM"])
def test_ba_a8_gains_and_the_tram_are_always_possible(name: str) -> None:
    state = position()
    give(state, coins=0, cloth=0, cerda=16)
    state.passengers_placed[0] = 4
    state.slots = [ACTIONS[name]] * 11
    actions(state, "B1")
    assert whats(state, Kind.ACTION) == [street("B"), street("1")]


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("NARROW", "tiles"),
        ("NARROW", "room"),
        ("WIDE", "tiles"),
        ("WIDE", "room"),
        ("INTERSECTION", "cloth"),
        ("INTERSECTION", "tiles"),
        ("INTERSECTION", "room"),
        ("COBBLESTONE", "tiles"),
        ("COBBLESTONE", "room"),
        ("SERVICE", "coins"),
        ("SERVICE", "types"),
        ("SERVICE", "tiles"),
        ("MODERNISME", "room"),
        ("MODERNISME", "tiles"),
        ("IMPROVE", "cloth"),
        ("IMPROVE", "room"),
    ],
)
def test_ba_a8_what_can_do_nothing_is_not_offered(name: str, without: str) -> None:
    state = position(3)
    give(state, coins=2, cloth=2)
    state.services_taken = [2] * 5
    state.slots = [ACTIONS["COINS"]] * 11
    state.slots[street("B")] = ACTIONS[name]
    actions(state, "B1")
    assert whats(state, Kind.ACTION) == [street("B"), street("1")], "there is all that it takes"
    match name, without:
        case (("INTERSECTION" | "IMPROVE"), "cloth"):
            give(state, cloth=0)
        case "SERVICE", "coins":
            give(state, coins=0)
        case "SERVICE", "types":
            serve(state, 0, *list(SERVICES)[:5])
            state.services_taken = [2] * 5
        case "SERVICE", "tiles":
            state.services_taken = [3] * 5
        case (("NARROW" | "WIDE"), "tiles"):
            state.narrow[0], state.wide[0] = [0] * 4, [0] * 3
        case (("NARROW" | "WIDE"), "room"):
            state.streets = [1] * 40
        case "INTERSECTION", "tiles":
            state.intersections_built[0] = 5
        case "INTERSECTION", "room":
            state.intersection_owners = [1] * 25
        case "COBBLESTONE", "tiles":
            state.cobblestones_placed[0] = 6
        case "COBBLESTONE", "room":
            state.sidewalk = [1] * 25
        case "MODERNISME", "room":
            for where in range(4):
                project(state, 0, where, "LINE")
        case "MODERNISME", "tiles":
            state.shown = [-1] * 4
        case "IMPROVE", "room":
            state.improved[0] = [1] * 4
    actions(state, "B1")
    assert whats(state, Kind.ACTION) == [street("1")]
    assert refused(state, moves.simple(Kind.ACTION, street("B"))) == "BA-A8"

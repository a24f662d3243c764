"""Refusals of Barcelona: the rule named, the particulars in the reason, and those that a program can read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from boardgamesbot.games.barcelona import interpreter, moves
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SITES, STREETS, City, city
from boardgamesbot.games.barcelona.moves import (
    CLASSES,
    DISPLAY,
    HEXAGONS,
    MOST_SAGRADA_TILES,
    MOST_STACKS,
    MOST_STORED,
    PROJECTS,
    SERVICES,
    SIDEWALK,
    STOP,
    VIOLETS,
    Kind,
    simple,
)
from boardgamesbot.games.barcelona.refusals import obstacles
from boardgamesbot.games.barcelona.rules import RULES
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.tiles import services_in_reach
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.base import IllegalMove, Move
from tests.support import barcelona as support
from tests.support.barcelona import (
    CORNER,
    LEVEL_1,
    LEVEL_2,
    LEVEL_3,
    MIDDLE,
    NARROW,
    RULESET,
    UPPER,
    WIDE,
    WORKING,
    action,
    actions,
    at,
    decide,
    game_by_chance,
    give,
    hold,
    house,
    lay,
    own,
    pave,
    position,
    project,
    put,
    section,
    serve,
    site,
    space,
    street,
    turn,
    walked,
)

LEFT_STONE, MIDDLE_STONE, RIGHT_STONE = range(3)


def refusal(state: BarcelonaState, move: Move) -> IllegalMove:
    """The refusal of a move that the list of legal moves does not hold either."""
    assert move not in state.legal_moves()
    with pytest.raises(IllegalMove) as caught:
        state.check(move)
    return caught.value


def assert_refused(
    state: BarcelonaState, move: Move, rule: str, *words: str, details: Mapping[str, str] | None = None
) -> None:
    """The rule, some words of the reason, and some of the details."""
    found = refusal(state, move)
    assert found.rule == RULES[rule]
    for word in words:
        assert word in found.reason
    assert found.details.items() >= (details or {}).items()


def build(where: int, building: int, *using: str) -> Move:
    """The move that builds with the top citizens of these intersections, which need not be around the site."""
    around = RULESET.city.sites[where].around
    return moves.build(where, building, sum(1 << around.index(at(name)) for name in using))


# Moves of no use at this time


def test_ba_e1_nothing_is_left_to_do_when_the_game_is_over() -> None:
    state = position()
    state.over = True
    state.legal = []
    for move in (STOP, moves.place(at("A1"), WORKING), build(site("A1"), LEVEL_1, "A1", "B1")):
        assert_refused(state, move, "BA-E1", "the game is over")


def test_ba_t2_somebody_elses_decision_is_nothing_to_answer() -> None:
    state = position()
    turn(state)
    known = state.view(1).position
    assert_refused(known, moves.place(at("A1"), WORKING), "BA-T2", "nothing is being decided here")
    assert_refused(known, STOP, "BA-T2", "nothing is being decided here")


def test_ba_t2_a_move_of_another_kind_has_to_wait() -> None:
    state = position()
    turn(state)
    assert_refused(
        state,
        build(site("A1"), LEVEL_1, "A1", "B1"),
        "BA-T2",
        "now it is time to place your citizens, not to construct a building",
        details={"asked": "PLACE", "wanted": "BUILD"},
    )
    actions(state, "C2")
    assert_refused(state, moves.PASSENGER, "BA-T2", "time to take an action, or no more, not to place a passenger")


def test_ba_t2_the_same_kind_of_answer_is_asked_for_different_things() -> None:
    state = position(expansion=True)
    decide(state, (Do.WALK_ONE, 2))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the Pedestrian that walks, or none", "not to walk")
    decide(state, (Do.JOY_ANY, 1, 1))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the Pedestrian whose Joy rises")
    decide(state, (Do.START_DIE, 0))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the Pedestrian that starts with more Joy")
    decide(state, (Do.MARKER, site("A1")))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the stack that your marker comes from")
    decide(state, (Do.STREET_STACK, NARROW, section("A1-B1")))
    assert_refused(state, moves.STEP, "BA-T2", "time to choose the stack that the street comes from")


# Declining


def test_ba_t2_placing_cannot_be_declined() -> None:
    state = position()
    turn(state)
    assert_refused(state, STOP, "BA-T2", "you have to place your citizens", details={"asked": "PLACE"})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NARROW", "you have just chosen this, so you have to build a street"),
        ("WIDE", "you have just chosen this, so you have to build a street"),
        ("INTERSECTION", "you have just chosen this, so you have to place an Intersection tile"),
        ("COBBLESTONE", "you have just chosen this, so you have to place a cobblestone"),
        ("SERVICE", "you have just chosen this, so you have to build a Public Service"),
        ("MODERNISME", "you have just chosen this, so you have to take a Modernisme tile"),
        ("IMPROVE", "you have just chosen this, so you have to improve a project space"),
        ("TRAM", "you have just chosen this, so you have to move your tram"),
    ],
)
def test_ba_t2_the_first_piece_of_a_chosen_action_cannot_be_declined(name: str, words: str) -> None:
    state = position()
    give(state, coins=3, cloth=1)
    action(state, name)
    assert_refused(state, STOP, "BA-T2", words)


def test_ba_t2_gains_stacks_and_joy_cannot_be_declined() -> None:
    state = position(expansion=True)
    for task, words in (
        ((Do.RESOURCE, 1, 1), "you have to choose coins or cloth: that can't be declined"),
        ((Do.STREET_STACK, WIDE, section("A1-B1")), "you have to choose the stack that the street comes from"),
        ((Do.MARKER, site("A1")), "you have to choose the stack that your marker comes from"),
        ((Do.SAGRADA, 0), "you have to take a Sagrada Família tile"),
        ((Do.JOY_ANY, 1, 1), "you have to choose the Pedestrian whose Joy rises"),
        ((Do.HEXAGON,), "you have to place a hexagonal cobblestone"),
    ):
        decide(state, task)
        assert_refused(state, STOP, "BA-T2", words)


def test_ba_b1_building_cannot_be_declined_and_a_possible_one_is_named() -> None:
    state = position()
    put(state, "C2", "W")
    put(state, "C3", "W")
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        STOP,
        "BA-B1",
        "a level 1 building is possible on the block B2-C3",
        details={"building": "level 1 building", "site": "the block B2-C3"},
    )


# Placing and actions


def test_ba_a1_an_intersection_with_a_citizen_is_not_empty() -> None:
    state = position()
    put(state, "C2", "UM")
    turn(state)
    assert_refused(
        state,
        moves.place(at("C2"), WORKING),
        "BA-A1",
        "C2 is not empty: a citizen of the upper class is on top there",
        details={"intersection": "C2"},
    )


def test_ba_a2_a_class_that_is_not_in_the_hand() -> None:
    state = position()
    turn(state)
    assert_refused(
        state,
        moves.place(at("B2"), UPPER),
        "BA-A2",
        "you hold no citizen of the upper class, only of the working class and middle class",
        details={"class": "upper"},
    )
    hold(state, 0, "UU")
    turn(state)
    assert_refused(state, moves.place(at("B2"), MIDDLE), "BA-A2", "no citizen of the middle class, only of the upper")


def test_ba_a3_the_diagonal_wants_a_coin() -> None:
    state = position()
    give(state, coins=0)
    turn(state)
    assert_refused(
        state,
        moves.place(at("C3"), WORKING),
        "BA-A3",
        "C3 is on the Diagonal, which costs 1 coin, and you have 0",
        details={"intersection": "C3", "cost": "1", "coins": "0"},
    )


def test_ba_a4_who_may_stand_on_the_diagonal_for_free_does_not_take_its_action() -> None:
    state = position()
    support.fill(state, "C3", "B4")
    give(state, coins=0)
    turn(state)
    support.place(state, "C3", "W")
    assert_refused(state, simple(Kind.ACTION, street("/")), "BA-A4", "Tram, the action of the Diagonal, is gone", "C3")


def test_ba_a7_a_street_that_crosses_elsewhere() -> None:
    state = position()
    actions(state, "C2")
    assert_refused(
        state,
        simple(Kind.ACTION, street("D")),
        "BA-A7",
        "street D does not pass C2, where street C and street 2 cross",
        details={"street": "street D", "intersection": "C2"},
    )
    assert_refused(state, simple(Kind.ACTION, street("/")), "BA-A7", "the Diagonal does not pass C2")


def test_ba_a7_an_action_taken_already() -> None:
    state = position()
    actions(state, "A1")
    support.choose(state, Kind.ACTION, street("A"))
    assert_refused(
        state,
        simple(Kind.ACTION, street("A")),
        "BA-A7",
        "you have taken Coins, the action of street A, this turn",
        details={"street": "street A", "action": "Coins"},
    )
    state = position()
    give(state, coins=0)
    actions(state, "C3")
    support.choose(state, Kind.ACTION, street("/"))
    support.choose(state, Kind.TRAM, section("A1-B1"))
    support.stop(state)
    assert_refused(state, simple(Kind.ACTION, street("/")), "BA-A7", "you have taken Tram, the action of the Diagonal")


def _nothing(state: BarcelonaState) -> None:
    """Leave seat 0 without anything to place, pay with or take."""
    give(state, coins=0, cloth=0)
    state.narrow[0], state.wide[0] = [0] * 4, [0] * 3


@pytest.mark.parametrize(
    ("name", "because", "words"),
    [
        ("B", "BA-ST1", "Narrow streets, the action of street B, is not possible: you have no narrow street left"),
        ("3", "BA-ST1", "Wide street, the action of street 3, is not possible: you have no wide street left"),
        ("E", "BA-I1", "your next Intersection tile costs 1 cloth and you have 0"),
        ("4", "BA-M2", "improving a project space costs 1 cloth and you have 0"),
        ("2", "BA-P1", "the cheapest Public Service that you can still build costs 2 coins and you have 0"),
    ],
)
def test_ba_a8_an_action_without_the_means(name: str, because: str, words: str) -> None:
    state = position()
    _nothing(state)
    state.services_taken[3] = 1
    actions(state, name + "1" if name.isalpha() else "A" + name)
    assert_refused(state, simple(Kind.ACTION, street(name)), "BA-A8", words, details={"because": because})


@pytest.mark.parametrize(
    ("name", "because", "words"),
    [
        ("E", "BA-I1", "you have no Intersection tile left"),
        ("D", "BA-C1", "you have no cobblestone left"),
        ("C", "BA-M1", "all your project spaces hold a tile"),
        ("4", "BA-M2", "all your project spaces are improved already"),
        ("2", "BA-P2", "you have built every type of Public Service of which a tile is left"),
    ],
)
def test_ba_a8_an_action_that_one_has_done_as_often_as_one_can(name: str, because: str, words: str) -> None:
    state = position()
    give(state, coins=3, cloth=3)
    own(state, 0, "A1", "A2", "A3", "A4", "A5")
    lay(state, 0, (2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2))
    for where, tile in enumerate(("WIDE", "INTERSECTION", "PASSENGER", "SAGRADA")):
        project(state, 0, where, tile, improved=True)
    serve(state, 0, *(RULESET.services[service].id for service in state.service_types[:4]))
    state.services_taken[4] = 2
    actions(state, name + "1" if name.isalpha() else "A" + name)
    assert_refused(state, simple(Kind.ACTION, street(name)), "BA-A8", words, details={"because": because})


@pytest.mark.parametrize(
    ("name", "because", "words"),
    [
        ("B", "BA-ST1", "every section has a street tile already"),
        ("E", "BA-I1", "every intersection has an Intersection tile already"),
        ("D", "BA-C1", "no space of the Sidewalk is left"),
        ("C", "BA-M1", "no Modernisme tile is left in the display"),
    ],
)
def test_ba_a8_an_action_for_which_nothing_is_left_on_the_boards(name: str, because: str, words: str) -> None:
    state = position()
    state.streets = [NARROW] * SECTIONS
    state.intersection_owners = [1] * INTERSECTIONS
    state.sidewalk = [1] * SIDEWALK
    state.shown = [-1] * DISPLAY
    actions(state, name + "1")
    assert_refused(state, simple(Kind.ACTION, street(name)), "BA-A8", words, details={"because": because})


# Goods and stacks


def test_ba_r1_the_storage_is_filled_to_the_last_space() -> None:
    state = position()
    give(state, coins=5, cloth=2)
    decide(state, (Do.KEEP,))
    numbers = {"coins": "5", "cloth": "2", "spaces": "4", "least": "2", "most": "4"}
    for kept in (1, 5):
        assert_refused(
            state,
            simple(Kind.KEEP, kept),
            "BA-R1",
            "you have 5 coins and 2 cloth for 4 spaces",
            f"keep 2 to 4 coins, not {kept}",
            details=numbers,
        )
    give(state, coins=6, cloth=0)
    decide(state, (Do.KEEP,))
    assert_refused(state, simple(Kind.KEEP, 3), "BA-R1", "keep 4 coins, not 3")


def test_ba_st1_a_stack_that_is_empty_or_does_not_exist() -> None:
    state = position()
    state.wide[0] = [0, 2, 2]
    decide(state, (Do.STREET_STACK, WIDE, section("A1-B1")))
    assert_refused(
        state, simple(Kind.STACK, 0), "BA-ST1", "stack 1 of your wide streets is empty", details={"stack": "1"}
    )
    assert_refused(state, simple(Kind.STACK, 3), "BA-ST1", "there is no stack 4 of your wide streets, only 3")


def test_ba_b4_a_stack_of_markers_that_is_empty() -> None:
    state = position()
    state.marker_stacks[0] = [2, 0, 3, 3]
    decide(state, (Do.MARKER, site("A1")))
    assert_refused(state, simple(Kind.STACK, 1), "BA-B4", "stack 2 of your markers is empty", details={"stack": "2"})


# The city


def test_ba_st1_a_section_has_one_tile() -> None:
    state = position()
    pave(state, 0, WIDE, "B2-C2")
    pave(state, 1, NARROW, "C2-C3")
    action(state, "NARROW")
    assert_refused(
        state,
        simple(Kind.SECTION, section("B2-C2")),
        "BA-ST1",
        "your wide street is on B2-C2 already",
        details={"section": "B2-C2", "there": "wide street"},
    )
    assert_refused(state, simple(Kind.SECTION, section("C2-C3")), "BA-ST1", "Grey's narrow street is on C2-C3 already")


def test_ba_i1_an_intersection_has_one_tile() -> None:
    state = position()
    own(state, 0, "B2")
    own(state, 1, "D4")
    action(state, "INTERSECTION")
    assert_refused(
        state,
        simple(Kind.INTERSECTION, at("D4")),
        "BA-I1",
        "Grey's Intersection tile is on D4 already",
        details={"intersection": "D4"},
    )
    assert_refused(state, simple(Kind.INTERSECTION, at("B2")), "BA-I1", "your Intersection tile is on B2 already")


def test_ba_tr1_a_tram_comes_in_from_outside() -> None:
    state = position()
    action(state, "TRAM")
    assert_refused(
        state,
        simple(Kind.TRAM, section("B3-C3")),
        "BA-TR1",
        "B3-C3 is too far: your tram comes into the city on one of the outer streets, A, E, 1 and 5",
        details={"section": "B3-C3", "steps": "2"},
    )


def test_ba_tr1_a_tram_goes_two_steps() -> None:
    state = position()
    state.trams[0] = section("A1-B1")
    action(state, "TRAM")
    assert_refused(
        state,
        simple(Kind.TRAM, section("D1-E1")),
        "BA-TR1",
        "D1-E1 is more than 2 steps from A1-B1",
        details={"section": "D1-E1", "from": "A1-B1", "steps": "2"},
    )


# The side board


def test_ba_c1_a_cobblestone_lies_beside_another_on_a_free_space() -> None:
    state = position()
    lay(state, 1, (2, 3))
    lay(state, 0, (1, 2))
    action(state, "COBBLESTONE")
    taken, own_stone, start = space(2, 3), space(1, 2), space(2, 2)
    details = {"space": str(taken + 1)}
    assert_refused(
        state,
        simple(Kind.COBBLESTONE, taken),
        "BA-C1",
        "Grey's cobblestone is on space 14 of the Sidewalk",
        details=details,
    )
    assert_refused(
        state, simple(Kind.COBBLESTONE, own_stone), "BA-C1", "your cobblestone is on space 8 of the Sidewalk"
    )
    assert_refused(
        state, simple(Kind.COBBLESTONE, start), "BA-C1", "space 13 of the Sidewalk is the printed cobblestone"
    )
    assert_refused(
        state, simple(Kind.COBBLESTONE, space(0, 0)), "BA-C1", "space 1 of the Sidewalk is beside no cobblestone"
    )


def test_ba_p1_and_ba_p2_a_service_too_dear_built_before_or_used_up() -> None:
    state = position(
        services=("ARC_DE_TRIOMF", "ESTACIO_DE_FRANCA", "HOSPITAL_DE_SANT_PAU", "UNIVERSITAT", "HOSPITAL_CLINIC")
    )
    give(state, coins=2)
    serve(state, 0, "ESTACIO_DE_FRANCA")
    state.services_taken = [0, 1, 2, 1, 1]
    action(state, "SERVICE")
    assert_refused(
        state,
        simple(Kind.SERVICE, 0),
        "BA-P1",
        "Arc de Triomf costs 3 coins and you have 2",
        details={"service": "Arc de Triomf", "cost": "3", "coins": "2"},
    )
    assert_refused(state, simple(Kind.SERVICE, 1), "BA-P2", "you have built Estació de França already")
    assert_refused(state, simple(Kind.SERVICE, 2), "BA-P1", "no tile of Hospital de Sant Pau is left")


def test_ba_m1_a_full_project_space_or_an_empty_place_of_the_display() -> None:
    state = position()
    state.shown[3] = -1
    project(state, 0, 1, "WIDE")
    action(state, "MODERNISME")
    assert_refused(
        state,
        moves.modernisme(3, 0),
        "BA-M1",
        "no Modernisme tile is at place 4 of the display",
        details={"place": "4"},
    )
    assert_refused(
        state,
        moves.modernisme(0, 1),
        "BA-M1",
        "your project space 2 holds a tile already: wide streets",
        details={"space": "2", "tile": "wide streets"},
    )


def test_ba_m2_a_project_space_is_improved_once() -> None:
    state = position()
    project(state, 0, 2, improved=True)
    action(state, "IMPROVE")
    assert_refused(
        state,
        simple(Kind.IMPROVE, 2),
        "BA-M2",
        "your project space 3 is improved already",
        details={"space": "3"},
    )


def test_ba_sf2_a_sagrada_familia_tile_of_another_level_gone_or_not_in_the_game() -> None:
    state = position()
    support.sagrada(state, 0, "S1A")
    support.sagrada(state, 1, "S1B")
    decide(state, (Do.SAGRADA, 0))

    def tile(name: str) -> Move:
        return simple(Kind.SAGRADA, support.SAGRADA[name])

    assert_refused(
        state,
        tile("S2A"),
        "BA-SF2",
        '"8 points" is a tile of level 2, and the one to take now is of level 1',
        details={"tile": "8 points", "level": "1"},
    )
    assert_refused(state, tile("S1A"), "BA-SF2", 'you have taken "5 points" already')
    assert_refused(state, tile("S1B"), "BA-SF2", 'Grey has taken "2 coins" already')
    assert_refused(state, tile("S1X"), "BA-SF2", '"3 points and 1 Joy" is not in this game')
    assert_refused(state, simple(Kind.SAGRADA, 31), "BA-SF2", "there is no Sagrada Família tile with number 31")


def test_ba_st1_a_choice_of_streets_of_which_none_is_left() -> None:
    state = position()
    state.wide[0] = [0, 0, 0]
    arc = next(service for service in RULESET.services if service.id == "ARC_DE_TRIOMF")
    support.effect(state, arc.effect)
    assert_refused(state, simple(Kind.CHOICE, 1), "BA-ST1", "you have no wide street left")


# The Passeig de Gràcia


def test_ba_pg7_joy_has_a_most() -> None:
    state = position(expansion=True)
    walked(state, 0, 1, joy=6)
    decide(state, (Do.JOY_ANY, 1, 1))
    assert_refused(
        state,
        simple(Kind.PEDESTRIAN, 1),
        "BA-PG7",
        "the Gràcia Pedestrian has a Joy of 6, the most there is",
        details={"pedestrian": "the Gràcia Pedestrian", "joy": "6"},
    )


def test_ba_pg10_a_hexagonal_space_that_is_taken_or_far_from_the_violet_stone() -> None:
    state = position(expansion=True)
    state.hexagons[2], state.hexagons[3] = 1, 0
    decide(state, (Do.HEXAGON,))
    assert_refused(state, moves.hexagon(3, LEFT_STONE), "BA-PG10", "your hexagonal cobblestone is on hexagonal space 4")
    assert_refused(
        state,
        moves.hexagon(2, LEFT_STONE),
        "BA-PG10",
        "Grey's hexagonal cobblestone is on hexagonal space 3 already",
        details={"space": "3", "violet": "left"},
    )
    assert_refused(
        state,
        moves.hexagon(4, RIGHT_STONE),
        "BA-PG10",
        "beside hexagonal space 5 are the left and the middle violet cobblestone, not the right one",
        details={"space": "5", "violet": "right"},
    )


# Building


def building_position() -> BarcelonaState:
    """Working-class citizens on three sides of the block B2-C3, and enough at A4 for a building somewhere else."""
    state = position()
    for where, citizens in (("B2", "W"), ("C2", "W"), ("C3", "W"), ("A4", "W"), ("B4", "M")):
        put(state, where, citizens)
    return state


def test_ba_b2_a_block_is_no_corner_and_a_corner_no_block() -> None:
    state = building_position()
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        build(site("B2"), CORNER, "B2", "C2"),
        "BA-B2",
        "a corner building needs a corner cut off by the Diagonal, and the block B2-C3 is whole",
        details={"building": "corner building", "site": "the block B2-C3"},
    )
    assert_refused(
        state,
        build(site("C2", 0), LEVEL_1, "C2", "C3"),
        "BA-B2",
        "a level 1 building needs a whole block, which the upper corner of the block C2-D3 is not",
    )


def test_ba_b2_too_few_citizens_around() -> None:
    state = building_position()
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        build(site("B1"), LEVEL_3, "B2", "C2"),
        "BA-B2",
        "a level 3 building takes 3 citizens, and B1, C1, B2 and C2 have only 2",
        details={"citizens": "3", "there": "2"},
    )


def test_ba_b2_the_class_is_not_among_the_top_citizens() -> None:
    state = building_position()
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        build(site("B2"), LEVEL_2, "B2", "C2"),
        "BA-B2",
        "a level 2 building wants a citizen of the middle class, and none is on top on B2, C2, B3 and C3",
        details={"class": "middle"},
    )
    state.citizens[at("B3")] = WORKING + 4 * MIDDLE
    decide(state, (Do.BUILD,))
    assert_refused(state, build(site("B2"), LEVEL_2, "B2", "B3"), "BA-B2", "none is on top on B2, C2, B3 and C3")


def test_ba_b2_other_citizens_have_to_be_used() -> None:
    state = building_position()
    state.citizens[at("B3")] = MIDDLE
    decide(state, (Do.BUILD,))
    where = site("B2")
    assert_refused(
        state,
        build(where, LEVEL_1, "B2", "C2", "B3"),
        "BA-B2",
        "a level 1 building takes 2 citizens, not 3",
        details={"citizens": "2", "chosen": "3"},
    )
    assert_refused(state, build(where, LEVEL_1), "BA-B2", "a level 1 building takes 2 citizens, not 0")
    assert_refused(
        state,
        build(where, LEVEL_2, "B2", "C3"),
        "BA-B2",
        "a level 2 building wants a citizen of the middle class, and none is on top on B2 and C3",
    )
    assert_refused(
        state,
        build(site("B1"), LEVEL_1, "B1", "B2"),
        "BA-B2",
        "no citizen is on B1",
        details={"intersection": "B1"},
    )
    assert_refused(
        state,
        moves.build(site("C2", 0), CORNER, 0b1101),
        "BA-B2",
        "the upper corner of the block C2-D3 has 3 intersections, no more",
    )


def test_ba_b3_only_a_higher_level_goes_over_a_building() -> None:
    state = building_position()
    state.citizens[at("B3")] = MIDDLE
    house(state, site("B2"), (LEVEL_2, 1))
    house(state, site("C2", 0), (CORNER, 0))
    decide(state, (Do.BUILD,))
    for level in (LEVEL_1, LEVEL_2):
        assert_refused(
            state,
            build(site("B2"), level, "B2", "B3"),
            "BA-B3",
            "Grey's level 2 building is on the block B2-C3, and only a higher level goes over it",
            details={"there": "level 2 building"},
        )
    assert_refused(
        state,
        build(site("C2", 0), CORNER, "C2", "C3"),
        "BA-B3",
        "your corner building is on the upper corner of the block C2-D3, and nothing goes over that",
    )


def test_ba_b4_no_tile_of_that_building_is_left() -> None:
    state = building_position()
    state.buildings_left[LEVEL_1] = 0
    decide(state, (Do.BUILD,))
    assert_refused(
        state,
        build(site("B2"), LEVEL_1, "B2", "C2"),
        "BA-B4",
        "no tile of a level 1 building is left",
        details={"building": "level 1 building"},
    )


# Places and rules


@pytest.mark.parametrize("rising", [True, False])
def test_the_name_of_a_site_fits_the_intersections_around_it(rising: bool) -> None:
    grid: City = city(rising=rising)
    for number, place in enumerate(grid.sites):
        name = places.site(grid, number)
        around = [places.intersection(i) for i in place.around]
        first, last = name.split()[-1].split("-")
        if not place.corner:
            assert (around[0], around[-1]) == (first, last)
            assert name == f"the block {first}-{last}"
        else:
            in_upper_row = sum(corner[1] == first[1] for corner in around)
            assert name.startswith("the upper" if in_upper_row == 2 else "the lower")
    assert len({places.site(grid, number) for number in range(SITES)}) == SITES


def test_places_have_the_names_that_are_on_the_board() -> None:
    assert [places.intersection(at(name)) for name in ("A1", "E1", "A5", "C2")] == ["A1", "E1", "A5", "C2"]
    assert [places.section(section(name)) for name in ("B2-C2", "E4-E5")] == ["B2-C2", "E4-E5"]
    assert [places.street(street(name)) for name in "A3/"] == ["street A", "street 3", "the Diagonal"]


def test_every_rule_that_the_engine_names_is_there_and_every_rule_says_something() -> None:
    sources = [path for path in Path(places.__file__).parents[1].rglob("*.py") if path.name != "rules.py"]
    named = {name for path in sources for name in re.findall(r"BA-[A-Z]+[0-9]+", path.read_text("utf-8"))}
    assert len(named) > len(RULES) / 2
    assert named <= set(RULES)
    for name, rule in RULES.items():
        assert name == rule.id
        assert rule.title
        assert rule.text.endswith(".")


def test_rule_ids_are_numbered_without_gaps() -> None:
    families: dict[str, list[int]] = {}
    for name in RULES:
        family, number = re.fullmatch(r"BA-([A-Z]+)([0-9]+)", name).groups()  # type: ignore[union-attr]
        families.setdefault(family, []).append(int(number))
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in families.values())
    assert {family: len(numbers) for family, numbers in families.items()} == {
        "S": 8, "T": 2, "A": 8, "K": 11, "R": 1, "ST": 3, "I": 2, "TR": 5, "C": 1, "P": 3, "M": 3, "SF": 3, "CT": 1,
        "B": 9, "CS": 4, "D": 2, "E": 3, "PG": 18, "G": 17, "GA": 9,
    }  # fmt: skip


# Whatever is tried


def _all_moves() -> Iterator[Move]:
    """Every move there is, of every kind."""
    simple_ones: dict[Kind, int] = {
        Kind.STOP: 1,
        Kind.ACTION: STREETS,
        Kind.KEEP: MOST_STORED,
        Kind.SECTION: SECTIONS,
        Kind.STACK: MOST_STACKS,
        Kind.INTERSECTION: INTERSECTIONS,
        Kind.TRAM: SECTIONS,
        Kind.PASSENGER: 1,
        Kind.RIDE: 1,
        Kind.COBBLESTONE: SIDEWALK,
        Kind.SERVICE: SERVICES,
        Kind.IMPROVE: PROJECTS,
        Kind.SAGRADA: MOST_SAGRADA_TILES,
        Kind.RESOURCE: 2,
        Kind.CHOICE: 2,
        Kind.PART: 2,
        Kind.PEDESTRIAN: 2,
        Kind.STEP: 1,
        Kind.GAUDI: 1,
    }
    for kind, number in simple_ones.items():
        yield from (simple(kind, what) for what in range(number))
    yield from (moves.place(where, top + 1) for where in range(INTERSECTIONS) for top in range(CLASSES))
    yield from (moves.modernisme(shown, where) for shown in range(DISPLAY) for where in range(PROJECTS))
    yield from (moves.hexagon(where, violet) for where in range(HEXAGONS) for violet in range(VIOLETS))
    for where in range(SITES):
        yield from (moves.build(where, kind, using) for kind in range(moves.BUILDINGS) for using in range(16))


ALL_MOVES = tuple(_all_moves())
BY_KIND = {kind: [move for move in ALL_MOVES if moves.kind_of(move) == kind] for kind in Kind}


def candidates(state: BarcelonaState) -> Iterable[Move]:
    """Every move of the kinds that are asked, and one of each other kind."""
    asked = {moves.kind_of(move) for move in state.legal}
    for kind, of_kind in BY_KIND.items():
        yield from of_kind if kind in asked else of_kind[-1:]


@pytest.mark.parametrize("expansion", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_is_tried_is_legal_or_refused_by_a_rule(players: int, expansion: bool, seed: int) -> None:
    refused_for: set[str] = set()
    for state in game_by_chance(players, seed=seed, expansion=expansion):
        legal = set(state.legal)
        asked = {moves.kind_of(move) for move in legal} - {Kind.STOP}
        for move in candidates(state):
            if move in legal:
                state.check(move)
                continue
            found = refusal(state, move)
            assert RULES[found.rule.id] is found.rule
            assert found.reason
            assert "None" not in found.reason
            assert all(isinstance(value, str) for value in found.details.values())
            if moves.kind_of(move) in asked:
                assert found.rule.id != "BA-T2", "a choice of the kind that is asked has a reason of its own"
            elif not state.is_over and move != STOP:
                assert found.rule.id == "BA-T2"
            refused_for.add(found.rule.id)
    assert {"BA-E1", "BA-T2", "BA-A1", "BA-A7", "BA-A8", "BA-B1", "BA-B2", "BA-B3", "BA-ST1", "BA-SF2"} <= refused_for


@pytest.mark.parametrize("expansion", [False, True])
def test_whatever_is_tried_against_gaudi_is_legal_or_refused_by_a_rule(expansion: bool) -> None:
    """In his turn everything else is refused by the rule of his turn, and so is his move in the person's."""
    his_turns = 0
    for state in game_by_chance(2, seed=4, expansion=expansion, solo="NORMAL"):
        his_turns += state.actor == support.GAUDI
        for move in candidates(state):
            if move in state.legal:
                state.check(move)
                continue
            found = refusal(state, move)
            assert found.reason
            if not state.is_over:
                his = state.actor == support.GAUDI or move == moves.GAUDI
                assert (found.rule.id == "BA-G4") == his
    assert his_turns > 5


@pytest.mark.parametrize("expansion", [False, True])
def test_an_effect_has_an_obstacle_exactly_if_it_can_not_be_carried_out(expansion: bool) -> None:
    effects = range(len(RULESET.nodes))
    stopped = set()
    for state in game_by_chance(2, seed=7, expansion=expansion):
        for effect in effects:
            obstacle = obstacles.of_effect(state, effect)
            assert (obstacle is None) == interpreter.can(state, effect)
            if obstacle is not None:
                stopped.add(obstacle.rule)
        in_reach = services_in_reach(state, state.seat)
        for stack in range(SERVICES):
            assert (obstacles.of_service(state, stack) is None) == (stack in in_reach)
    assert {"BA-I1", "BA-M2", "BA-P1"} <= stopped

"""Refusals on the side board and on the Passeig de Gràcia."""

from __future__ import annotations

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.moves import Kind, simple
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.base import Move
from tests.support import barcelona as support
from tests.support.barcelona import action, decide, give, lay, position, project, serve, space, walked
from tests.unit.games.barcelona.support_refusals import assert_refused


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


LEFT_STONE, MIDDLE_STONE, RIGHT_STONE = range(3)


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

"""Solo against Gaudí: his Pedestrians (BA-G12, BA-G13, BA-G14).

The Amenities tiles are, on the right, those of SERVICE, MODERNISME and IMPROVE, on the left those of TRAM, INTERSECTION
and COBBLESTONE. Those of WIDE and NARROW are not in the game.
"""

from __future__ import annotations

from itertools import takewhile

import pytest

from boardgamesbot.games.barcelona.events import (
    Arrived,
    Criterion,
    GaudiActed,
    GaudiChose,
    GaudiGained,
    HexagonPlaced,
    JoyGained,
    Matter,
    Placed,
    Reason,
    Scored,
    Stepped,
    WentBack,
)
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    ACTIONS,
    AMENITIES,
    GAUDI,
    RULESET,
    SAGRADA,
    SERVICES,
    alone,
    choice,
    cobbled,
    gained,
    gaudi_action,
    gaudi_effect,
    gaudi_turn,
    lay,
    node,
    own,
    project,
    resources,
    serve,
    walked,
)

BARCELONA, GRACIA = 0, 1
DICE = pytest.mark.parametrize(("difficulty", "joy", "points"), [("EASY", 4, 9), ("NORMAL", 5, 12), ("HARD", 6, 15)])


def passeig(difficulty: str = "EASY", *, both: bool = False, arrow: str = "N") -> BarcelonaState:
    return alone(difficulty, both=both, expansion=True, arrow=arrow)


def path(state: BarcelonaState) -> list[int]:
    return state.path[2 * GAUDI :]


def before_acting(events: list[Event]) -> list[Event]:
    return list(takewhile(lambda event: not isinstance(event, GaudiActed), events))


# BA-G12


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize(
    ("card", "steps"),
    [
        ("N", [(BARCELONA, 1)]),  # SERVICE on the right; NARROW is not in the game
        ("NE", [(BARCELONA, 1), (GRACIA, 1)]),  # MODERNISME right, TRAM left
        ("E", [(BARCELONA, 1)]),
        ("SE", [(GRACIA, 1), (GRACIA, 2)]),  # TRAM and COBBLESTONE, both left
        ("S", [(GRACIA, 1), (BARCELONA, 1)]),  # INTERSECTION left, then SERVICE right
        ("SW", [(GRACIA, 1), (BARCELONA, 1)]),
        ("W", [(GRACIA, 1)]),
        ("NW", [(BARCELONA, 1)]),
    ],
)
def test_ba_g12_a_step_for_each_action_of_the_card_on_its_side(
    card: str, steps: list[tuple[int, int]], both: bool
) -> None:
    """Both actions of the card count, whichever he takes."""
    walk = gained(before_acting(gaudi_turn(passeig(both=both), card)), Stepped)
    assert walk == [Stepped(GAUDI, pedestrian, step) for pedestrian, step in steps]


def test_ba_g12_after_placing_and_before_acting() -> None:
    events = gaudi_turn(passeig(), "NE")
    kinds = [type(event) for event in events if isinstance(event, Placed | Stepped | GaudiActed)]
    assert kinds == [Placed, Stepped, Stepped, GaudiActed]


def test_ba_g12_none_for_a_tile_that_is_not_in_the_game() -> None:
    state = passeig()
    state.amenities = [AMENITIES[name] for name in ("THEATRES", "PARKS_WIDE", "PARKS_NARROW")]
    state.amenities += [AMENITIES[name] for name in ("BENCH_LAMPS", "COBBLESTONES", "LA_PEDRERA")]
    walk = gained(before_acting(gaudi_turn(state, "NE")), Stepped)
    assert walk == [], "neither MODERNISME nor TRAM lies there"
    walk = gained(before_acting(gaudi_turn(state, "NW")), Stepped)
    assert walk == [Stepped(GAUDI, BARCELONA, 1), Stepped(GAUDI, GRACIA, 1)], "NARROW right, IMPROVE left"


@DICE
def test_ba_g12_amenities_bring_him_no_joy(difficulty: str, joy: int, points: int) -> None:
    """He has done what each tile of the street wants."""
    state = passeig(difficulty)
    serve(state, GAUDI, "ARC_DE_TRIOMF", "ESTACIO_DE_FRANCA", "UNIVERSITAT")
    for where, tile in enumerate(("WIDE", "PASSENGER", "SAGRADA")):
        project(state, GAUDI, where, tile, improved=True)
    own(state, GAUDI, "A1", "B2", "C5")
    lay(state, GAUDI, (2, 1), (2, 3), (1, 2))
    for card in ("NE", "S", "SW"):
        assert gained(gaudi_turn(state, card), JoyGained) == []
    assert state.joy[2 * GAUDI :] == [joy, joy]


def test_ba_g12_nor_does_meeting() -> None:
    """Both on the middle space, after two steps each."""
    state = passeig()
    walked(state, GAUDI, BARCELONA, steps=2, joy=4)
    walked(state, GAUDI, GRACIA, steps=1, joy=4)
    events = gaudi_turn(state, "W")
    assert gained(events, Stepped) == [Stepped(GAUDI, GRACIA, 2)]
    assert gained(events, JoyGained) == []
    assert state.joy[2 * GAUDI :] == [4, 4]


def test_ba_g12_there_is_no_street_to_walk_without_the_expansion() -> None:
    assert gained(gaudi_turn(alone(), "NE"), Stepped) == []


def test_ba_g12_the_persons_pedestrians_stay() -> None:
    state = passeig()
    gaudi_turn(state, "NE")
    assert (state.path[:2], state.joy[:2]) == ([0, 0], [1, 1])


# BA-G13


def test_ba_g13_a_walk_of_two_steps_is_made_to_its_end() -> None:
    state = passeig()
    events = gaudi_effect(state, node("move gracia 2"), Reason.SIDEWALK)
    assert events == [Stepped(GAUDI, GRACIA, 1), Stepped(GAUDI, GRACIA, 2)]
    assert path(state) == [0, 2]


def test_ba_g13_also_beyond_the_destination() -> None:
    """From the third space: it arrives, goes back, and makes the second step."""
    state = passeig()
    walked(state, GAUDI, BARCELONA, steps=3, joy=4)
    events = gaudi_effect(state, node("move barcelona 2"))
    kinds = (Arrived, WentBack, Stepped)
    assert [event for event in events if isinstance(event, kinds)] == [
        Arrived(GAUDI, BARCELONA, 4),
        WentBack(GAUDI, BARCELONA),
        Stepped(GAUDI, BARCELONA, 1),
    ]
    assert path(state) == [1, 0]


@pytest.mark.parametrize(
    ("steps", "expected", "criterion"),
    [
        ((1, 2), GRACIA, Criterion.FARTHER),
        ((2, 1), BARCELONA, Criterion.FARTHER),
        ((0, 0), BARCELONA, Criterion.LEFTMOST),
        ((2, 2), BARCELONA, Criterion.LEFTMOST),
        ((0, 1), GRACIA, Criterion.FARTHER),
    ],
)
def test_ba_g13_of_two_the_one_farther_along_then_barcelonas(
    steps: tuple[int, int], expected: int, criterion: Criterion
) -> None:
    state = passeig()
    for pedestrian in (BARCELONA, GRACIA):
        walked(state, GAUDI, pedestrian, steps=steps[pedestrian], joy=4)
    events = gaudi_effect(state, node("move one 2"), Reason.SAGRADA)
    made = choice(events, Matter.PEDESTRIAN)
    assert (made.chosen, made.candidates, made.criterion) == (expected, (BARCELONA, GRACIA), criterion)
    moved = list(steps)
    moved[expected] = (moved[expected] + 2) % 4
    assert path(state) == moved


def test_ba_g13_the_one_chosen_makes_all_the_steps() -> None:
    """With its first step it has arrived and is back, the other one now farther along; it walks on all the same."""
    state = passeig()
    walked(state, GAUDI, BARCELONA, steps=3, joy=4)
    walked(state, GAUDI, GRACIA, steps=2, joy=4)
    gaudi_effect(state, node("move one 2"), Reason.SAGRADA)
    assert path(state) == [1, 2]


@pytest.mark.parametrize(
    ("effect", "steps"),
    [
        (RULESET.services[SERVICES["PARC_GUELL"]].effect, 2),
        (RULESET.sagrada_tiles[SAGRADA["S4X"]].effect, 3),
    ],
)
def test_ba_g13_barcelonas_first_where_both_walk(effect: int, steps: int) -> None:
    walk = gained(gaudi_effect(passeig(), effect), Stepped)
    assert walk == [Stepped(GAUDI, one, step + 1) for one in (BARCELONA, GRACIA) for step in range(steps)]


@pytest.mark.parametrize(
    ("word", "number"),
    [("joy any 1", 1), ("joy any 2", 2), ("joy barcelona 2", 2), ("joy gracia 2", 2)],
)
@DICE
def test_ba_g13_joy_is_worth_as_many_resources(difficulty: str, joy: int, points: int, word: str, number: int) -> None:
    state = passeig(difficulty)
    events = gaudi_effect(state, node(word), Reason.SIDEWALK)
    assert events == [GaudiGained(GAUDI, number, number * (joy - 3), Reason.SIDEWALK)]
    assert state.joy[2 * GAUDI :] == [joy, joy]


@pytest.mark.parametrize(("service", "pedestrian"), [("FABRICA_CASARAMONA", BARCELONA), ("PALAU_DE_LA_MUSICA", GRACIA)])
def test_ba_g13_the_expansions_services_as_they_are_printed(service: str, pedestrian: int) -> None:
    events = gaudi_effect(passeig(), RULESET.services[SERVICES[service]].effect, Reason.SERVICE)
    assert events == [GaudiGained(GAUDI, 2, 2, Reason.SERVICE), Stepped(GAUDI, pedestrian, 1)]


def test_ba_g13_a_walk_on_the_sidewalk() -> None:
    state = passeig()
    cobbled(state, (3, 0))
    assert gaudi_action(state, "COBBLESTONE")[-2:] == [Stepped(GAUDI, GRACIA, 1), Stepped(GAUDI, GRACIA, 2)]


def test_ba_g13_joy_on_the_sidewalk() -> None:
    state = passeig()
    cobbled(state, (0, 3))
    assert gaudi_action(state, "COBBLESTONE")[-1:] == [GaudiGained(GAUDI, 2, 2, Reason.SIDEWALK)]


def test_ba_g13_the_expansions_action_tiles_are_not_his() -> None:
    on_cards = {action for card in RULESET.gaudi.cards for action in card.actions}
    assert on_cards.isdisjoint({ACTIONS["X_COINS"], ACTIONS["X_CLOTH"], ACTIONS["X_CERDA"]})
    assert len(on_cards) == 8


# BA-G14


def arriving(difficulty: str) -> tuple[BarcelonaState, list[Event]]:
    """His Pedestrian of Gràcia makes its fourth step."""
    state = passeig(difficulty)
    state.path[2 * GAUDI + GRACIA] = 3
    events = gaudi_effect(state, node("move gracia 1"))
    return state, [event for event in events if not isinstance(event, GaudiChose)]


@DICE
def test_ba_g14_points_by_the_die_then_a_cobblestone_then_back(difficulty: str, joy: int, points: int) -> None:
    state, events = arriving(difficulty)
    kinds = [type(event) for event in events]
    at_six = [GaudiGained] if joy == 6 else []
    assert kinds == [Arrived, Scored, *at_six, HexagonPlaced, GaudiGained, WentBack]
    assert events[:2] == [Arrived(GAUDI, GRACIA, joy), Scored(GAUDI, points, Reason.ARRIVAL)]
    assert path(state) == [0, 0]
    assert state.joy[2 * GAUDI :] == [joy, joy], "the die keeps its value"
    assert state.hexagons.count(GAUDI) == 1


@DICE
def test_ba_g14_a_resource_for_a_six_only(difficulty: str, joy: int, points: int) -> None:
    _, events = arriving(difficulty)
    assert resources(events, Reason.ARRIVAL) == ([1] if joy == 6 else [])


@DICE
def test_ba_g14_one_resource_for_the_cobblestone(difficulty: str, joy: int, points: int) -> None:
    state, events = arriving(difficulty)
    assert resources(events, Reason.HEXAGON) == [1]
    worth = joy - 3
    assert state.vp[GAUDI] == points + worth * (2 if joy == 6 else 1)


@DICE
def test_ba_g14_nothing_for_a_cobblestone_that_is_not_left(difficulty: str, joy: int, points: int) -> None:
    state = passeig(difficulty)
    state.hexagons = [0] * 14
    state.path[2 * GAUDI] = 3
    events = gaudi_effect(state, node("move barcelona 1"))
    assert gained(events, HexagonPlaced) == []
    assert resources(events, Reason.HEXAGON) == []
    assert events[-1] == WentBack(GAUDI, BARCELONA)


def test_ba_g14_the_person_is_not_concerned() -> None:
    state, _ = arriving("HARD")
    assert state.vp[0] == 0
    assert (state.joy[:2], state.path[:2]) == ([1, 1], [0, 0])


def test_ba_g14_an_arrival_by_his_card() -> None:
    state = passeig("HARD")
    state.path[2 * GAUDI + GRACIA] = 3
    events = before_acting(gaudi_turn(state, "SE"))
    kinds = (Arrived, WentBack, Stepped)
    assert [event for event in events if isinstance(event, kinds)] == [
        Arrived(GAUDI, GRACIA, 6),
        WentBack(GAUDI, GRACIA),
        Stepped(GAUDI, GRACIA, 1),
    ]

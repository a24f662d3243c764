"""Moves, the steps to them and prompts, at decisions made by hand."""

from __future__ import annotations

from rich.markup import render

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.geometry import at, horizontal
from boardgamesbot.games.barcelona.moves import Kind, parts, simple
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import effect_in_words
from boardgamesbot.games.base import Malformed
from tests.support.barcelona import RULESET, UPPER
from tests.unit.games.barcelona.support_words import EXPANSION, NAMES, WORDS, made, new


def said(state: BarcelonaState, task: tuple[int, ...], move: int) -> str:
    state.tasks.append(task)
    return WORDS.move(state.view(state.seat), move)


def led(state: BarcelonaState, task: tuple[int, ...], move: int) -> tuple[str, ...]:
    state.tasks.append(task)
    return WORDS.steps(state.view(state.seat), move)


def asked(state: BarcelonaState, task: tuple[int, ...]) -> str:
    state.tasks.append(task)
    return WORDS.prompt(state.view(state.seat))


def test_placing_says_which_actions_follow() -> None:
    place = moves.place(at(2, 2), UPPER)
    text = said(made(), (Do.PLACE,), place)
    assert text == "Place Upper on Working on C3, for 1 coin: Modernisme, Wide street and Tram"
    prompt = asked(made(), (Do.PLACE,))
    assert prompt.startswith("Place both citizens (Working, Upper) on an empty intersection")
    assert led(made(), (Do.PLACE,), place) == (
        "street C: Modernisme",
        "C3, for 1 coin: Modernisme, Wide street and Tram",
        "Upper on top",
    )


def test_actions_say_what_they_do() -> None:
    task = (Do.ACTIONS, at(0, 0), 1 | 1 << 5)
    assert said(made(), task, simple(Kind.ACTION, 0)) == "Take Coins (street A): 2 coins"
    assert said(made(), task, moves.STOP) == "Take no more actions"
    assert asked(made(), task) == "Take an action of A1, or no more: Coins (street A) or Cloth (street 1)."
    assert led(made(), task, simple(Kind.ACTION, 0)) == ("Take Coins (street A): 2 coins",)


def test_ba_st2_a_street_says_its_icon_and_run() -> None:
    move = simple(Kind.SECTION, horizontal(2, 0))
    assert said(made(), (Do.STREET, 2, 1, 1), move) == "Build a wide street on C1-D1: 1 cloth, run of 3 = 6 points"
    assert said(made(), (Do.STREET, 1, 2, 1), move) == "Build a narrow street on C1-D1: 1 cloth, run of 3 = 3 points"
    assert said(made(), (Do.STREET, 1, 1, 0), moves.STOP) == "Build no more streets"


def test_ba_st3_a_stack_says_its_reward() -> None:
    task = (Do.STREET_STACK, 1, horizontal(2, 0))
    assert said(made(), task, simple(Kind.STACK, 0)) == "Take the tile from stack 1 and empty it: 1 coin"
    assert (
        said(made(), task, simple(Kind.STACK, 3))
        == "Take the tile from stack 4 (2 left then; emptying it gives 4 points)"
    )
    assert said(made(), (Do.MARKER, 0), simple(Kind.STACK, 2)) == (
        "Take the marker from stack 3 (2 left then; emptying it gives 2 Cerdà steps)"
    )


def test_ba_i2_an_intersection_says_the_icons_in_sight() -> None:
    move = simple(Kind.INTERSECTION, at(1, 0))
    assert said(made(), (Do.INTERSECTION, 0, 1), move) == "Build an Intersection on B1 for 1 cloth: 1 coin"
    assert said(made(), (Do.INTERSECTION, 1, 1), move) == "Build an Intersection on B1: 1 coin"


def test_a_tram_says_where_it_goes_and_what_a_passenger_scores() -> None:
    state = made()
    own = horizontal(0, 0)
    assert said(made(), (Do.TRAM, 0, 1), simple(Kind.TRAM, own)) == "Move the tram to A1-B1 (street 1: Cloth)"
    assert said(made(), (Do.TRAM, 0, 1), simple(Kind.TRAM, state.trams[0])) == "Leave the tram on B1-C1"
    passenger = said(made(), (Do.PASSENGER, own, 0), moves.PASSENGER)
    assert passenger == "Place a passenger on A1-B1 for 1 cloth: run of 2 = 2 points"
    assert said(made(), (Do.PASSENGER, own, 1), moves.PASSENGER) == ("Place a passenger on A1-B1: run of 2 = 2 points")
    assert said(made(), (Do.RIDE, own), moves.RIDE) == (
        "Through the passenger, take Cloth (street 1): 3 points and 1 cloth"
    )


def test_a_building_says_whose_citizens_it_takes() -> None:
    site = next(i for i, place in enumerate(RULESET.city.sites) if place.block == 1)
    move = moves.build(site, 1, 0b1001)
    assert said(made(), (Do.BUILD,), move) == (
        "Build a level 2 building on the block B1-C2, with the citizens of B1 (Middle) and C2 (Working)"
    )
    assert led(made(), (Do.BUILD,), move) == (
        "block B1-C2",
        "a level 2 building: 5 points, 1 Cerdà step back and 1 Sagrada Família step",
        "with B1 (Middle) and C2 (Working)",
    )


def test_side_board_moves_say_cost_and_gain() -> None:
    state = made()
    service = RULESET.services[state.service_types[3]]
    assert said(made(), (Do.SERVICE,), simple(Kind.SERVICE, 3)) == (
        f"Build {service.name} for 2 coins: 6 points and 2 Cerdà steps, then {effect_in_words(RULESET, service.effect)}"
    )
    assert said(made(), (Do.COBBLESTONE, 1), simple(Kind.COBBLESTONE, 3)) == (
        "Place a cobblestone on space 4 of the Sidewalk: 2 coins"
    )
    assert said(made(), (Do.IMPROVE, 1, 0, 1), simple(Kind.IMPROVE, 0)) == (
        "Improve project space 1 (empty) for 1 cloth"
    )
    assert said(made(), (Do.IMPROVE, 1, 1, 1), simple(Kind.IMPROVE, 2)) == "Improve project space 3 (2 × wide streets)"
    assert said(made(), (Do.SAGRADA, 0), simple(Kind.SAGRADA, 0)) == "Take the Sagrada Família tile S1A: 5 points"
    assert said(made(), (Do.KEEP,), simple(Kind.KEEP, 3)) == "Keep 3 coins and 1 cloth"
    assert said(made(), (Do.RESOURCE, 1, ev.Reason.BUILDING), simple(Kind.RESOURCE, 1)) == "Gain 1 cloth"


def test_ba_pg4_a_step_says_the_amenity_and_whether_it_gives_joy() -> None:
    state = new(2, 3, **EXPANSION)
    state.amenities = [5, 1, 2, 3, 4, 0]
    task = (Do.WALK, 0, 2)
    first = "Walk the Barcelona Pedestrian to its first space, Cobblestones:"
    assert said(state.copy(), task, moves.STEP) == f"{first} no Joy (1 cobblestone wanted)"
    state.cobblestones_placed[state.seat] = 1
    assert said(state.copy(), task, moves.STEP) == f"{first} 1 Joy (1 cobblestone wanted)"
    state.path[2 * state.seat], state.joy[2 * state.seat] = 3, 5
    assert said(state.copy(), task, moves.STEP) == "Walk the Barcelona Pedestrian into Gràcia with Joy 5: 12 points"
    assert asked(state.copy(), task).endswith("It is on its third space with Joy 5, and may walk 2 more steps.")


def test_ba_pg10_a_hexagon_says_reward_and_multiplier() -> None:
    state = new(2, 3, **EXPANSION)
    state.violet = [0, 3, 4]
    state.sagrada_of[state.seat] = [0, 5]
    assert said(state, (Do.HEXAGON,), moves.hexagon(4, 1)) == (
        "Place a hexagonal cobblestone on hexagonal space 5: 4 points × 2, "
        "counting the middle violet one (your Sagrada Família tiles)"
    )
    assert led(state, (Do.HEXAGON,), moves.hexagon(4, 1)) == (
        "hexagonal space 5: 4 points",
        "counting the middle violet one",
    )


def test_every_well_formed_move_has_steps_and_words() -> None:
    """Whatever is asked for at the time: refusals and bots may name any move."""
    view = made().view(0)
    seen = set()
    for move in range((max(Kind) + 1) * moves.RANGE):
        try:
            kind = parts(move).kind
        except Malformed:
            continue
        seen.add(kind)
        assert all(WORDS.steps(view, move))
        assert WORDS.move(view, move)
    assert seen == set(Kind)
    assert places.section(0) == "A1-B1"


def test_a_glance_shows_what_the_decision_is_about_and_the_own_board() -> None:
    about = {
        (Do.STREET, 1, 1, 1): "City",
        (Do.COBBLESTONE, 1): "Sidewalk",
        (Do.MODERNISME, 1): "Modernisme display",
        (Do.SERVICE,): "Public Services",
        (Do.KEEP,): None,
    }
    for task, part in about.items():
        state = made()
        state.tasks.append(task)
        drawn = render(WORDS.glance(state.view(state.seat), NAMES)).plain
        assert f"{state.vp[state.seat]}★" in drawn
        assert {name for name in ("City", "Sidewalk", "Modernisme display", "Public Services") if name in drawn} == (
            {part} if part else set()
        )

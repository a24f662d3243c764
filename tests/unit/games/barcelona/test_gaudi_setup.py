"""Solo against Gaudí: setting up, his resources and his cards (BA-G1, BA-G2, BA-G3)."""

from __future__ import annotations

from collections import Counter

import pytest

from boardgamesbot.games.barcelona.events import Drew, Gained, GaudiGained, Paid, Reason
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.base import Malformed
from tests.support.barcelona import (
    ACTIONS,
    GAME,
    GAUDI,
    RULESET,
    alone,
    at,
    gained,
    gaudi_action,
    gaudi_effect,
    gaudi_turn,
    new_game,
    new_game_told,
    node,
)

SEEDS = range(40)
DIFFICULTIES = pytest.mark.parametrize(
    ("difficulty", "worth", "die"), [("EASY", 1, 4), ("NORMAL", 2, 5), ("HARD", 3, 6)]
)
EXPANSION = pytest.mark.parametrize("expansion", [False, True])


# BA-G1


@EXPANSION
def test_ba_g1_the_person_begins_and_only_the_person_holds_citizens(expansion: bool) -> None:
    for seed in SEEDS:
        state, events = new_game_told(seed=seed, expansion=expansion, options={"solo": "EASY"})
        assert (state.first, state.seat, state.actor, state.round) == (0, 0, 0, 1)
        assert [len(hand) for hand in state.hands] == [2, 0]
        assert gained(events, Drew) == [Drew(0, tuple(state.hands[0]))]


@EXPANSION
def test_ba_g1_the_bag_and_the_track_are_those_of_two_players(expansion: bool) -> None:
    state = new_game(expansion=expansion, options={"solo": "HARD"})
    assert len(state.bag) == 72 - 3 * 3 - 2
    assert Counter([*state.bag, *state.hands[0]]) == {1: 25 - 3, 2: 24 - 3, 3: 23 - 3}
    assert RULESET.covered[state.boards] == (0, 6, 12)


def test_ba_g1_two_tiles_of_each_public_service_as_for_two_players() -> None:
    state = new_game(options={"solo": "EASY"})
    assert RULESET.service_tiles[state.boards] == 2
    assert len(state.service_types) == 5


@EXPANSION
def test_ba_g1_three_sagrada_familia_tiles_of_each_level_are_left(expansion: bool) -> None:
    """Of four without the expansion, of five with it; chance says which."""
    there = 5 if expansion else 4
    seen: set[int] = set()
    for seed in SEEDS:
        state = new_game(seed=seed, expansion=expansion, options={"solo": "NORMAL"})
        levels = Counter(RULESET.sagrada_tiles[tile].level for tile in state.sagrada_left)
        assert levels == {0: 3, 1: 3, 2: 3, 3: 3}
        assert state.sagrada_left == sorted(set(state.sagrada_left))
        seen |= set(state.sagrada_left)
    assert len(seen) == 4 * there
    assert len(new_game(expansion=expansion).sagrada_left) == 4 * there, "but with two players all are there"


def test_ba_g1_gaudi_has_the_pieces_of_a_player_and_no_goods() -> None:
    state = new_game(options={"solo": "EASY"})
    assert (state.coins, state.cloth) == ([1, 0], [1, 0])
    for pieces in (state.marker_stacks, state.narrow, state.wide, state.cerda, state.sagrada, state.trams):
        assert pieces[GAUDI] == pieces[0]
    assert state.vp == [0, 0]


def test_ba_g1_his_meeple_starts_in_the_middle_of_the_city() -> None:
    assert new_game(options={"solo": "EASY"}).meeple == at("C3")


def test_ba_g1_his_eight_cards_are_shuffled_face_down() -> None:
    decks = [new_game(seed=seed, options={"solo": "EASY"}) for seed in SEEDS]
    assert all(sorted(state.deck) == list(range(8)) and state.discards == [] for state in decks)
    assert {state.deck[-1] for state in decks} == set(range(8))
    assert len({tuple(state.deck) for state in decks}) == len(SEEDS)


@DIFFICULTIES
def test_ba_g1_his_dice_show_the_difficulty(difficulty: str, worth: int, die: int) -> None:
    state = new_game(expansion=True, options={"solo": difficulty})
    assert state.joy == [1, 1, die, die]
    assert state.path == [0, 0, 0, 0]
    assert new_game(options={"solo": difficulty}).joy == [1, 1, 1, 1], "there are no dice without the expansion"


@pytest.mark.parametrize("players", [3, 4])
def test_ba_g1_there_is_one_person(players: int) -> None:
    with pytest.raises(Malformed, match="solo play has 2 seats"):
        new_game(players, options={"solo": "EASY"})


def test_ba_g1_his_seat_is_for_the_bot_that_plays_for_him() -> None:
    for difficulty in ("EASY", "NORMAL", "HARD"):
        assert GAME.bots_wanted(GAME.complete_options({"solo": difficulty})) == {GAUDI: "gaudi"}
    assert GAME.bots_wanted(GAME.complete_options({})) == {}


def test_ba_g1_a_game_without_him_has_no_deck() -> None:
    state = new_game()
    assert not state.solo
    assert state.deck == []
    assert not state.is_gaudi(GAUDI)


# BA-G2


@DIFFICULTIES
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize(
    ("word", "number"), [("coins 1", 1), ("coins 2", 2), ("cloth 2", 2), ("coins 2 cloth 2", 4), ("resource 1", 1)]
)
def test_ba_g2_resources_are_points_by_difficulty(
    difficulty: str, worth: int, die: int, both: bool, word: str, number: int
) -> None:
    state = alone(difficulty, both=both)
    events = gaudi_effect(state, node(word), Reason.STACK)
    assert events == [GaudiGained(GAUDI, number, number * worth, Reason.STACK)]
    assert state.vp == [0, number * worth]
    assert (state.coins[GAUDI], state.cloth[GAUDI]) == (0, 0)


@DIFFICULTIES
def test_ba_g2_points_that_are_no_resources_are_worth_the_same_at_any_difficulty(
    difficulty: str, worth: int, die: int
) -> None:
    state = alone(difficulty)
    gaudi_effect(state, node("vp 4"))
    assert state.vp == [0, 4]


@pytest.mark.parametrize("name", ["SERVICE", "IMPROVE", "INTERSECTION", "TRAM"])
def test_ba_g2_he_pays_nothing_for_what_costs_a_player(name: str) -> None:
    state = alone()
    assert gained(gaudi_action(state, name), Paid) == []
    built = (
        len(state.services_of[1]),
        sum(state.improved[1]),
        state.intersections_built[1],
        state.passengers_placed[1],
    )
    assert sum(built) == 1


def test_ba_g2_a_whole_turn_stores_nothing() -> None:
    state = alone("HARD", both=True)
    for card in ARROWS:
        events = gaudi_turn(state, card)
        assert [event for event in gained(events, Gained) if event.seat == GAUDI] == []
        assert gained(events, Paid) == []
    assert (state.coins[GAUDI], state.cloth[GAUDI]) == (0, 0)


# BA-G3: the cards


def test_ba_g3_the_arrows_and_actions_of_the_cards() -> None:
    names = {number: name for name, number in ACTIONS.items()}
    cards = {ARROWS[card.arrow]: tuple(names[action] for action in card.actions) for card in RULESET.gaudi.cards}
    assert cards == {
        "N": ("SERVICE", "NARROW"),
        "NE": ("MODERNISME", "TRAM"),
        "E": ("IMPROVE", "WIDE"),
        "SE": ("TRAM", "COBBLESTONE"),
        "S": ("INTERSECTION", "SERVICE"),
        "SW": ("COBBLESTONE", "MODERNISME"),
        "W": ("WIDE", "INTERSECTION"),
        "NW": ("NARROW", "IMPROVE"),
    }
    assert len(RULESET.gaudi.cards) == 8

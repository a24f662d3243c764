"""Solo against Gaudí: the order of his turn, placing, and which actions he takes (BA-G4, BA-G6, BA-G8)."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import (
    ActionTaken,
    Built,
    CardRevealed,
    CerdaScored,
    DeckShuffled,
    Drew,
    GaudiActed,
    GaudiChose,
    GaudiGained,
    Paid,
    Placed,
    Reason,
    Scored,
    Stepped,
    StreetBuilt,
    TurnBegan,
)
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.base import IllegalMove
from tests.support.barcelona import (
    ACTIONS,
    CARDS,
    GAUDI,
    alone,
    at,
    draws_next,
    finish,
    gained,
    gaudi_turn,
    order_of,
    own,
    place,
    position,
    put,
    refused,
    resources,
    scored,
    serve,
    stack,
    tracked,
    turn,
    without_markers,
)

CARD_ACTIONS = {
    "N": ("SERVICE", "NARROW"),
    "NE": ("MODERNISME", "TRAM"),
    "E": ("IMPROVE", "WIDE"),
    "SE": ("TRAM", "COBBLESTONE"),
    "S": ("INTERSECTION", "SERVICE"),
    "SW": ("COBBLESTONE", "MODERNISME"),
    "W": ("WIDE", "INTERSECTION"),
    "NW": ("NARROW", "IMPROVE"),
}


# BA-G4


def test_ba_g4_his_turn_is_one_move_and_there_is_no_other() -> None:
    state = alone()
    turn(state, GAUDI)
    assert state.actor == GAUDI
    assert state.legal_moves() == [moves.GAUDI]
    assert moves.parts(moves.GAUDI).kind is Kind.GAUDI


@pytest.mark.parametrize(
    "move", [moves.STOP, moves.place(at("C2"), 1), moves.simple(Kind.ACTION, 3), moves.build(0, 0, 3), moves.STEP]
)
def test_ba_g4_any_other_move_in_his_turn_is_refused(move: int) -> None:
    state = alone()
    turn(state, GAUDI)
    assert refused(state, move) == "BA-G4"
    with pytest.raises(IllegalMove, match="it is Gaudí's turn"):
        state.check(move)


def test_ba_g4_the_person_can_not_play_his_turn() -> None:
    state = alone()
    turn(state, 0)
    assert refused(state, moves.GAUDI) == "BA-G4"
    with pytest.raises(IllegalMove, match=r"not yours to play: .* now it is time to place your citizens"):
        state.check(moves.GAUDI)


def test_ba_t2_his_move_means_nothing_in_a_game_without_him() -> None:
    state = position()
    turn(state)
    assert refused(state, moves.GAUDI) == "BA-T2"
    with pytest.raises(IllegalMove, match="not to play Gaudí's turn"):
        state.check(moves.GAUDI)


def test_ba_g4_the_card_turned_up_lies_face_up_on_the_others() -> None:
    state = alone()
    events = gaudi_turn(state, "SW", "E")
    assert gained(events, CardRevealed) == [CardRevealed(GAUDI, CARDS["SW"], ARROWS.index("E"))]
    assert state.discards == [CARDS["SW"]]
    assert state.deck[-1] == CARDS["E"]
    assert len(state.deck) == 7
    gaudi_turn(state, "N", "E")
    assert state.discards == [CARDS["SW"], CARDS["N"]]


def test_ba_g4_two_citizens_of_the_bag_and_no_hand_afterwards() -> None:
    state = alone()
    without_markers(state)
    draws_next(state, "UM")
    left = state.bag[:-2]
    events = gaudi_turn(state, "E", "N")
    assert gained(events, Placed) == [Placed(GAUDI, at("C2"), 2, 3)]
    assert gained(events, Drew) == []
    assert state.bag == left
    assert state.hands[GAUDI] == []


def test_ba_g4_card_place_walk_act_construct_and_the_cerda_check() -> None:
    state = alone(expansion=True)
    put(state, "B1", "W")
    put(state, "C1", "W")
    tracked(state, working=4)  # one more fills the first section: five spaces besides the one covered
    events = gaudi_turn(state, "N")
    steps = (TurnBegan, CardRevealed, Placed, Stepped, GaudiActed, Built, CerdaScored)
    assert order_of(events, *steps) == [*steps, TurnBegan]
    assert state.actor == 0


def test_ba_g4_then_it_is_the_persons_turn_in_the_next_round() -> None:
    state = alone()
    assert gained(gaudi_turn(state), TurnBegan) == [TurnBegan(GAUDI, 1), TurnBegan(0, 2)]
    assert state.actor == 0


def test_ba_g4_his_turn_can_not_be_taken_back() -> None:
    state = alone()
    finish(state)
    assert state.actor == GAUDI
    assert not state.undoable
    state.play(moves.GAUDI)
    assert not state.undoable


def test_ba_g4_the_deck_is_shuffled_at_once_when_its_last_card_is_turned_up() -> None:
    """The other seven make the new deck, and the arrow of the one on top counts in the same turn."""
    tops = set()
    for seed in range(30):
        state = alone()
        for _ in range(seed):
            state.chance.below(2)
        state.deck, state.discards = [CARDS["SE"]], [CARDS[arrow] for arrow in ARROWS if arrow != "SE"]
        events = gaudi_turn(state)
        assert order_of(events, CardRevealed, DeckShuffled, GaudiChose)[:3] == [CardRevealed, DeckShuffled, GaudiChose]
        assert sorted(state.deck) == sorted(CARDS[arrow] for arrow in ARROWS if arrow != "SE")
        assert state.discards == [CARDS["SE"]]
        (revealed,) = gained(events, CardRevealed)
        assert revealed == CardRevealed(GAUDI, CARDS["SE"], state.deck[-1])
        assert all(event.arrow == revealed.arrow for event in gained(events, GaudiChose))
        tops.add(state.deck[-1])
    assert len(tops) == 7


def test_ba_g4_a_deck_with_a_card_left_is_not_shuffled() -> None:
    state = alone()
    for turns in range(1, 8):
        assert gained(gaudi_turn(state), DeckShuffled) == []
        assert len(state.deck) == 8 - turns
    assert len(gained(gaudi_turn(state), DeckShuffled)) == 1


# BA-G6


@pytest.mark.parametrize(("drawn", "expected"), [("WM", "MW"), ("MW", "MW"), ("WU", "UW"), ("MU", "UM"), ("WW", "WW")])
def test_ba_g6_the_higher_class_on_top(drawn: str, expected: str) -> None:
    state = alone()
    draws_next(state, drawn)
    gaudi_turn(state, "E", "N")
    assert stack(state, "C2") == expected


def test_ba_g6_the_diagonal_costs_him_nothing() -> None:
    state = alone(arrow="NE")
    events = gaudi_turn(state, "W", "NE")
    assert gained(events, Placed)[0].intersection == at("D2")
    assert gained(events, Paid) == []
    assert state.coins[GAUDI] == 0


def test_ba_g6_he_takes_no_action_of_a_street() -> None:
    state = alone()
    events = gaudi_turn(state, "E", "NE")  # to D2, where COBBLESTONE, SERVICE and TRAM are
    assert gained(events, ActionTaken) == []
    assert [event.action for event in gained(events, GaudiActed)] == [ACTIONS["IMPROVE"]]
    assert (state.cobblestones_placed[1], state.services_of[1], state.passengers_placed[1]) == (0, [], 0)


def test_ba_g6_the_person_gains_the_bonus_of_an_intersection_before_he_acts() -> None:
    state = alone()
    own(state, 0, "C2")
    events = gaudi_turn(state, "E", "N")
    assert scored(events, Reason.OWNER, seat=0) == 2
    assert order_of(events, Placed, Scored, GaudiActed)[:3] == [Placed, Scored, GaudiActed]


def test_ba_g6_he_gains_it_when_the_person_places_on_his() -> None:
    state = alone()
    own(state, GAUDI, "B2")
    turn(state, 0)
    assert scored(place(state, "B2", "W"), Reason.OWNER, seat=GAUDI) == 2


def test_ba_g6_nobody_gains_it_where_he_owns_the_intersection() -> None:
    state = alone()
    own(state, GAUDI, "C2")
    events = gaudi_turn(state, "E", "N")
    assert gained(events, Placed)[0].intersection == at("C2")
    assert [event for event in gained(events, Scored) if event.reason is Reason.OWNER] == []


# BA-G8


@pytest.mark.parametrize("card", ARROWS)
def test_ba_g8_the_first_action_of_the_card(card: str) -> None:
    events = gaudi_turn(alone(), card)
    assert [event.action for event in gained(events, GaudiActed)] == [ACTIONS[CARD_ACTIONS[card][0]]]


@pytest.mark.parametrize("card", ARROWS)
def test_ba_g8_or_both_in_order(card: str) -> None:
    events = gaudi_turn(alone(both=True), card)
    assert [event.action for event in gained(events, GaudiActed)] == [ACTIONS[name] for name in CARD_ACTIONS[card]]


def test_ba_g8_the_second_does_not_stand_in_for_the_first() -> None:
    """No Public Service is left: two resources, and no narrow street."""
    state = alone("HARD")
    state.services_taken = [2] * 5
    events = gaudi_turn(state, "N")
    assert gained(events, GaudiGained) == [GaudiGained(GAUDI, 2, 6, Reason.INSTEAD)]
    assert gained(events, StreetBuilt) == []


def test_ba_g8_with_both_the_second_is_done_where_the_first_can_not_be() -> None:
    state = alone(both=True)
    serve(state, GAUDI, "ARC_DE_TRIOMF", "ESTACIO_DE_FRANCA", "HOSPITAL_DE_SANT_PAU")
    serve(state, GAUDI, "UNIVERSITAT", "MERCAT_DE_SANT_ANTONI")
    events = gaudi_turn(state, "N")
    assert resources(events) == [2]
    assert len(gained(events, StreetBuilt)) == 2


def test_ba_g8_the_first_is_over_before_the_second_begins() -> None:
    state = alone(both=True)
    events = gaudi_turn(state, "W", "N")
    assert order_of(events, GaudiActed, StreetBuilt)[:3] == [GaudiActed, StreetBuilt, GaudiActed]


def test_ba_g8_the_card_that_is_face_up_acts_and_not_the_one_on_the_deck() -> None:
    events = gaudi_turn(alone(), "W", "S")
    assert [event.action for event in gained(events, GaudiActed)] == [ACTIONS["WIDE"]]

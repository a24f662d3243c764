"""Barcelona, drawing citizens, the end and the winners: BA-D1, BA-D2, BA-E1 to BA-E3."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import CerdaScored, Drew, EndBegan, Ended, TurnBegan
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.state import BarcelonaState
from tests.support.barcelona import (
    LEVEL_1,
    NARROW,
    asked,
    at,
    draws_next,
    finish,
    gained,
    give,
    hold,
    house,
    lay,
    new_game_told,
    order_of,
    own,
    pave,
    place,
    position,
    project,
    refused,
    ride,
    site,
    stop,
    tracked,
    turn,
)


def empty_hand(state: BarcelonaState, seat: int = 0) -> None:
    """The seat has placed its citizens."""
    state.hands[seat] = []


# BA-D1


def test_ba_d1_two_from_the_front_of_the_bag() -> None:
    state = position(3)
    draws_next(state, "UM")
    left = len(state.bag)
    empty_hand(state)
    events = finish(state)
    assert sorted(state.hands[0]) == [2, 3]
    assert len(state.bag) == left - 2
    (drew,) = gained(events, Drew)
    assert (drew.seat, sorted(drew.citizens)) == (0, [2, 3])
    assert state.seat == 1


def test_ba_d1_the_others_see_that_two_were_drawn_and_not_which() -> None:
    drew = Drew(0, (3, 2))
    assert drew.seen_by(0) == drew
    assert drew.seen_by(1) == drew.seen_by(None) == Drew(0, (0, 0))


def test_ba_d1_after_the_last_seat_a_new_round_begins() -> None:
    state = position(3)
    state.first = 1
    empty_hand(state, 2)
    finish(state, seat=2)
    assert (state.seat, state.round) == (0, 1)
    empty_hand(state, 0)
    events = finish(state, seat=0)
    assert (state.seat, state.round) == (1, 2)
    assert gained(events, TurnBegan) == [TurnBegan(1, 2)]


# BA-D2


@pytest.mark.parametrize("left", [0, 1])
def test_ba_d2_with_fewer_than_two_nothing_is_drawn(left: int) -> None:
    state = position(3)
    state.bag = [1] * left
    empty_hand(state)
    finish(state)
    assert state.hands[0] == []
    assert state.bag == [1] * left, "a single one stays in the bag"


def test_ba_d2_the_tiles_not_scored_yet_are_scored_in_order() -> None:
    state = position(3, cerda=("INTERSECTION", "PASSENGER", "NARROW"))
    own(state, 0, "A1")
    ride(state, 1, "A1-B1")
    pave(state, 2, NARROW, "A1-B1")
    give(state, 2, cerda=5)
    state.scored = [True, False, False]
    state.bag = [1]
    empty_hand(state)
    events = finish(state)
    assert [event.section for event in gained(events, CerdaScored)] == [1, 2]
    assert state.vp == [0, 3, 2]
    assert order_of(events, CerdaScored, EndBegan) == [CerdaScored, CerdaScored, EndBegan]
    assert gained(events, EndBegan) == [EndBegan(True)]


def test_ba_d2_all_three_if_none_was_scored() -> None:
    state = position(2)
    state.bag = []
    empty_hand(state)
    events = finish(state)
    assert [event.section for event in gained(events, CerdaScored)] == [0, 1, 2]
    assert (state.ending, state.over, state.seat) == (True, False, 1)


def test_ba_d2_the_round_is_played_to_its_end() -> None:
    state = position(3)
    state.bag = []
    empty_hand(state)
    finish(state)
    assert (state.over, state.seat, asked(state)) == (False, 1, Kind.PLACE)
    empty_hand(state, 1)
    events = finish(state, seat=1)
    assert not gained(events, CerdaScored), "each tile once"
    assert not state.over
    empty_hand(state, 2)
    finish(state, seat=2)
    assert state.over


def test_ba_d2_at_the_last_seat_the_game_ends_at_once() -> None:
    state = position(3)
    state.bag = [2]
    state.first = 2
    empty_hand(state, 1)
    events = finish(state, seat=1)
    assert order_of(events, CerdaScored, EndBegan, Ended) == [CerdaScored, CerdaScored, CerdaScored, EndBegan, Ended]
    assert state.over


def test_ba_d2_two_citizens_are_enough() -> None:
    state = position(2)
    state.bag = [2, 3]
    empty_hand(state)
    finish(state)
    assert (sorted(state.hands[0]), state.bag, state.ending) == ([2, 3], [], False)


def test_ba_d2_after_the_third_scoring_an_empty_bag_changes_nothing() -> None:
    state = position(2)
    state.scored, state.ending = [True] * 3, True
    own(state, 0, "A1")
    state.bag = []
    empty_hand(state)
    events = finish(state)
    assert order_of(events, CerdaScored, EndBegan) == []
    assert state.vp == [0, 0]


# BA-E1


@pytest.mark.parametrize(("players", "first"), [(2, 0), (3, 0), (3, 2), (4, 1)])
def test_ba_e1_all_have_had_the_same_number_of_turns(players: int, first: int) -> None:
    state = position(players)
    state.first = first
    tracked(state, working=18)
    seats = [(first + place) % players for place in range(players)]
    for seat in seats:
        assert (state.over, seat) == (False, seat if seat == first else state.seat)
        empty_hand(state, seat)
        finish(state, seat=seat)
        assert state.ending
        assert len(state.hands[seat]) == 2, "drawing goes on while it can"
    assert state.over


def test_ba_e1_turns_after_the_third_scoring_are_as_usual() -> None:
    state = position(2)
    tracked(state, working=15)
    empty_hand(state)
    finish(state)
    assert (state.seat, asked(state)) == (1, Kind.PLACE)
    place(state, "A1", "W")
    assert asked(state) is Kind.ACTION
    stop(state)
    assert state.over


def test_ba_e1_by_the_last_seat_it_ends_at_once() -> None:
    state = position(2)
    tracked(state, working=15)
    empty_hand(state, 1)
    finish(state, seat=1)
    assert state.over
    assert state.actor is None
    assert state.legal_moves() == []
    assert refused(state, moves.place(at("A1"), 1)) == "BA-E1"


def test_ba_e1_not_before_the_third_scoring() -> None:
    state = position(2)
    tracked(state, working=14)
    empty_hand(state, 1)
    finish(state, seat=1)
    assert (state.over, state.ending, state.round) == (False, False, 2)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_ba_e1_equal_turns_in_games_by_chance(players: int, seed: int) -> None:
    state, events = new_game_told(players, seed=seed)
    rng = Random(seed)
    while not state.is_over:
        events += state.apply(rng.choice(state.legal_moves()))
    turns = Counter(event.seat for event in gained(events, TurnBegan))
    assert set(turns.values()) == {state.round}
    assert len(turns) == players


# BA-E2


@pytest.mark.parametrize(("placed", "vp"), list(enumerate([0, 1, 2, 4, 6, 9, 12])))
def test_ba_e2_cobblestones(placed: int, vp: int) -> None:
    state = position()
    lay(state, 0, *[(1, 2), (1, 1), (0, 1), (0, 0), (1, 0), (2, 0)][:placed])
    assert state.scores() == [vp, 0]


@pytest.mark.parametrize(("placed", "vp"), list(enumerate([0, 2, 5, 9, 14])))
def test_ba_e2_passengers(placed: int, vp: int) -> None:
    state = position()
    ride(state, 1, *["A1-B1", "B1-C1", "C1-D1", "D1-E1"][:placed])
    assert state.scores() == [0, vp]


def test_ba_e2_coins_and_cloth_left_over_are_worth_nothing() -> None:
    state = position()
    give(state, coins=4, cloth=0, vp=7)
    assert state.scores() == [7, 0]


def ended(state: BarcelonaState) -> Ended:
    """The last seat's turn ends the game."""
    state.scored, state.ending = [True] * 3, True
    last = (state.first - 1) % state.players
    empty_hand(state, last)
    (event,) = gained(finish(state, seat=last), Ended)
    return event


def test_ba_e2_all_is_added_to_the_points_held() -> None:
    state = position()
    give(state, 0, vp=100, coins=2, cloth=1)
    give(state, 1, vp=90)
    lay(state, 0, (1, 2), (1, 1), (0, 1))
    ride(state, 0, "A1-B1", "B1-C1")
    project(state, 0, 0, "PASSENGER", improved=True)
    project(state, 0, 1, "RESOURCES")
    event = ended(state)
    assert event.cobblestones == (4, 0)
    assert event.passengers == (5, 0)
    assert event.modernisme == (2 * 6 + 3, 0)
    assert event.joy == (0, 0)
    assert event.points == (100 + 4 + 5 + 15, 90)
    assert state.scores() == [124, 90]


def test_ba_e2_all_values_are_those_of_one_position() -> None:
    state = position()
    project(state, 0, 0, "MODERNISME", improved=True)
    project(state, 0, 1, "RESOURCES")
    project(state, 0, 2, "MULTIPLIER")
    give(state, 0, cerda=5)
    event = ended(state)
    assert event.modernisme[0] == 2 * (2 * 3) + 2 + 3 * 2
    assert (state.coins[0], state.cloth[0], state.cerda[0]) == (1, 1, 5)


def test_ba_e2_points_as_if_the_game_ended_now() -> None:
    state = position()
    house(state, site("A1"), (LEVEL_1, 1))
    project(state, 1, 0, "BOTTOM")
    give(state, 1, vp=5)
    assert state.scores() == [0, 7]
    assert state.vp == [0, 5], "nothing is added before the end"


# BA-E3


def test_ba_e3_most_points_win() -> None:
    state = position(3)
    give(state, 0, vp=10, coins=0, cloth=0)
    give(state, 1, vp=9, coins=4)
    assert ended(state).winners == (0,)
    assert state.winners() == [0]


def test_ba_e3_points_of_the_final_scoring_count() -> None:
    state = position(2)
    give(state, 0, vp=10)
    give(state, 1, vp=9)
    ride(state, 1, "A1-B1")
    assert ended(state).winners == (1,)


def test_ba_e3_then_coins_and_cloth_together() -> None:
    state = position(3)
    for seat, (coins, cloth) in enumerate([(3, 0), (1, 3), (0, 3)]):
        give(state, seat, vp=10, coins=coins, cloth=cloth)
    assert ended(state).winners == (1,)


def test_ba_e3_then_the_victory_is_shared() -> None:
    state = position(3)
    for seat, (vp, coins, cloth) in enumerate([(10, 3, 1), (9, 4, 4), (10, 0, 4)]):
        give(state, seat, vp=vp, coins=coins, cloth=cloth)
    assert ended(state).winners == (0, 2)
    assert state.winners(among=[1, 2]) == [2]


def test_ba_e3_hands_and_boards_break_no_tie() -> None:
    state = position(2)
    hold(state, 1, "UU")
    turn(state)
    assert state.winners() == [0, 1]

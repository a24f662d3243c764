"""Solo against Gaudí: an empty bag, a full city, and the end (BA-G16, BA-G17)."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona.events import (
    Built,
    CardRevealed,
    CerdaScored,
    Drew,
    EndBegan,
    Ended,
    GaudiActed,
    GaudiGained,
    NowhereToPlace,
    Placed,
    Stepped,
)
from boardgamesbot.games.barcelona.state import BarcelonaState
from tests.support.barcelona import (
    GAUDI,
    SCORINGS,
    alone,
    at,
    fill,
    finish,
    gained,
    gaudi_turn,
    give,
    lay,
    order_of,
    project,
    put,
    ride,
    walked,
)


def empty_bag(state: BarcelonaState, left: int = 0) -> None:
    """All but so many citizens leave the bag, and the game."""
    for citizen in state.bag[left:]:
        state.box[citizen - 1] += 1
    del state.bag[left:]


# BA-G16


@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("expansion", [False, True])
def test_ba_g16_too_few_citizens_score_all_that_is_left_and_end_the_game_with_his_turn(
    left: int, expansion: bool
) -> None:
    state = alone(expansion=expansion)
    empty_bag(state, left)
    state.scored[0] = True
    events = gaudi_turn(state, "NE")
    assert [event.section for event in gained(events, CerdaScored)] == [1, 2]
    assert gained(events, EndBegan) == [EndBegan(bag_empty=True)]
    assert len(gained(events, Ended)) == 1
    assert state.is_over
    assert len(state.bag) == left, "a single one stays there"
    assert gained(events, Drew) == [Drew(GAUDI, ())]


@pytest.mark.parametrize("expansion", [False, True])
def test_ba_g16_he_neither_places_nor_walks_nor_acts_then_and_still_constructs(expansion: bool) -> None:
    state = alone(expansion=expansion, both=True)
    put(state, "A1", "M")
    put(state, "A2", "W")
    empty_bag(state)
    meeple = state.meeple
    events = gaudi_turn(state, "NE")
    kinds = (CardRevealed, CerdaScored, Placed, NowhereToPlace, Stepped, GaudiActed, GaudiGained, Built, Ended)
    assert order_of(events, *kinds) == [CardRevealed, CerdaScored, CerdaScored, CerdaScored, Built, Ended]
    assert state.meeple == meeple


def test_ba_g16_the_scoring_comes_before_he_constructs() -> None:
    """He has a corner building when the tile that counts those is scored: the one he builds then is too late."""
    state = alone()
    put(state, "E1", "W")
    put(state, "E2", "W")
    empty_bag(state)
    events = gaudi_turn(state)
    assert len(gained(events, Built)) == 1
    corner = next(event for event in gained(events, CerdaScored) if event.tile == SCORINGS["CORNER"])
    assert corner.values == (0, 0)


def test_ba_g16_two_citizens_are_enough() -> None:
    state = alone()
    empty_bag(state, 2)
    events = gaudi_turn(state)
    assert len(gained(events, Placed)) == 1
    assert gained(events, EndBegan) == []
    assert not state.is_over
    assert state.bag == []


def test_ba_g16_after_the_persons_draw_has_failed_nothing_is_scored_again() -> None:
    """That was the third scoring; his turn ends the round, and the game."""
    state = alone()
    state.hands[0] = []
    empty_bag(state, 1)
    events = finish(state)
    assert gained(events, Drew) == [Drew(0, ())]
    assert len(gained(events, CerdaScored)) == 3
    assert state.ending
    assert state.actor == GAUDI
    events = state.play(state.legal_moves()[0])
    assert gained(events, CerdaScored) == []
    assert gained(events, EndBegan) == []
    assert gained(events, Placed) == []
    assert state.is_over


def test_ba_g16_once_the_end_has_begun_he_plays_on_as_long_as_there_are_citizens() -> None:
    state = alone()
    state.scored, state.ending = [True] * 3, True
    events = gaudi_turn(state, "W")
    assert order_of(events, Placed, GaudiActed, Ended) == [Placed, GaudiActed, Ended]


def test_ba_g16_nowhere_to_place() -> None:
    """The two that he drew leave the game; he does not walk or act, but constructs with those in the city."""
    state = alone(expansion=True, both=True)
    fill(state)
    box, (second, first) = state.box.copy(), state.bag[-2:]
    meeple = state.meeple
    events = gaudi_turn(state, "NE")
    (nowhere,) = gained(events, NowhereToPlace)
    assert (nowhere.seat, sorted(nowhere.citizens)) == (GAUDI, sorted([first, second]))
    kinds = (NowhereToPlace, Placed, Stepped, GaudiActed, GaudiGained, Built)
    assert order_of(events, *kinds)[:2] == [NowhereToPlace, Built]
    assert gained(events, GaudiActed) == []
    assert gained(events, Stepped) == []
    for citizen in (first, second):
        box[citizen - 1] += 1
    assert state.box == box
    assert state.meeple == meeple


# BA-G17


def ending(state: BarcelonaState) -> Ended:
    """His last turn, of which only the final scoring is left."""
    state.scored, state.ending = [True] * 3, True
    (ended,) = gained(finish(state, GAUDI), Ended)
    return ended


def test_ba_g17_the_game_ends_after_his_turn_and_not_after_the_persons() -> None:
    state = alone()
    state.scored, state.ending = [True] * 3, True
    state.hands[0] = []
    assert gained(finish(state, 0), Ended) == []
    assert state.actor == GAUDI
    assert len(gained(state.play(state.legal_moves()[0]), Ended)) == 1


def test_ba_g17_he_takes_part_in_the_final_scoring() -> None:
    """Two passengers 5, three cobblestones 4; two Modernisme tiles: wide streets nothing, passengers 6, doubled."""
    state = alone()
    give(state, GAUDI, vp=100)
    ride(state, GAUDI, "A1-B1", "D5-E5")
    lay(state, GAUDI, (2, 1), (2, 3), (1, 2))
    project(state, GAUDI, 0, "WIDE")
    project(state, GAUDI, 1, "PASSENGER", improved=True)
    ended = ending(state)
    assert (ended.passengers, ended.cobblestones, ended.modernisme) == ((0, 5), (0, 4), (0, 12))
    assert ended.points == (0, 100 + 5 + 4 + 12)


def test_ba_g17_but_not_for_joy() -> None:
    state = alone("HARD", expansion=True)
    for seat in (0, GAUDI):
        walked(state, seat, 0, steps=1, joy=6)
        walked(state, seat, 1, steps=3, joy=6)
    assert ending(state).joy == (12, 0)


@pytest.mark.parametrize(("person", "gaudi", "winner"), [(100, 99, 0), (99, 100, 1), (100, 100, 1), (0, 0, 1)])
def test_ba_g17_equal_points_are_his_victory(person: int, gaudi: int, winner: int) -> None:
    state = alone()
    give(state, 0, vp=person, coins=4, cloth=0)
    give(state, GAUDI, vp=gaudi)
    ended = ending(state)
    assert ended.winners == (winner,)
    assert state.winners() == [winner]


def test_ba_g17_a_persons_full_storage_does_not_break_a_tie() -> None:
    state = alone()
    state.cobblestones_placed = [6, 6]
    give(state, 0, vp=50, coins=5, cloth=5)
    give(state, GAUDI, vp=50)
    assert ending(state).winners == (GAUDI,)


def test_ba_g17_cerda_scorings_count_for_him_with_his_own_multiplier() -> None:
    state = alone()
    give(state, 0, cerda=0)
    give(state, GAUDI, cerda=9)
    put(state, "C2", "W")
    state.cerda_tiles[0] = SCORINGS["PASSENGER"]
    ride(state, GAUDI, "A1-B1", "D5-E5")
    empty_bag(state)
    events = gaudi_turn(state)
    scoring = gained(events, CerdaScored)[0]
    assert (scoring.values, scoring.multipliers) == ((0, 6), (1, 3))
    assert state.citizens[at("C2")]

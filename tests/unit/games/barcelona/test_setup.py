"""Barcelona, the set-up: BA-S1 to BA-S8."""

from __future__ import annotations

from collections import Counter

import pytest

from boardgamesbot.games.barcelona.events import Drew
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.base import Malformed
from tests.support.barcelona import (
    ACTIONS,
    GAME,
    RULESET,
    action,
    gained,
    give,
    new_game,
    new_game_told,
    place,
    position,
    street,
    turn,
    whats,
)

SEEDS = range(40)


@pytest.mark.parametrize("players", [0, 1, 5])
def test_ba_s1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(Malformed, match="2 to 4 players"):
        new_game(players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ba_s1_chance_says_who_is_first_and_that_seat_begins(players: int) -> None:
    games = [new_game(players, seed=seed) for seed in SEEDS]
    assert {state.first for state in games} == set(range(players))
    assert all(state.actor == state.first and state.round == 1 for state in games)


def test_ba_s1_turns_go_round_by_seat() -> None:
    state = position(3)
    turn(state, seat=1)
    place(state, "A1", "W")
    while state.seat == 1:
        state.play(state.legal_moves()[0])
    assert state.seat == 2


def test_ba_s1_colours_of_the_seats() -> None:
    assert GAME.seat_colours == ("Purple", "Grey", "Blue", "Orange")


def test_ba_s2_the_eleven_tiles_of_the_base_game_are_shuffled() -> None:
    games = [new_game(seed=seed) for seed in SEEDS]
    assert all(sorted(state.slots) == list(range(11)) for state in games)
    on_the_diagonal = {state.slots[street("/")] for state in games}
    assert len(on_the_diagonal) > 5, "each tile may come to lie on the diagonal"


def test_ba_s2_the_layout_of_a_first_game() -> None:
    state = new_game(options={"actions": "FIRST_GAME"}, seed=5)
    names = {tile: name for name, tile in ACTIONS.items()}
    assert [names[tile] for tile in state.slots] == [
        *("COINS", "NARROW", "MODERNISME", "COBBLESTONE", "INTERSECTION"),
        *("CLOTH", "SERVICE", "WIDE", "IMPROVE", "CERDA"),
        "TRAM",
    ]


@pytest.mark.parametrize(("players", "covered"), [(2, 3), (3, 1), (4, 0)])
def test_ba_s3_citizens_not_on_the_track_are_in_the_bag_or_dealt(players: int, covered: int) -> None:
    state = new_game(players)
    assert len(state.bag) == 72 - 3 * covered - 2 * players
    dealt = Counter(state.bag) + Counter(citizen for hand in state.hands for citizen in hand)
    assert dealt == {1: 25 - covered, 2: 24 - covered, 3: 23 - covered}
    assert state.track == [0, 0, 0]
    assert not any(state.citizens)


def test_ba_s3_the_spaces_covered() -> None:
    assert RULESET.covered[2:] == ((0, 6, 12), (6,), ())


def test_ba_s3_the_bag_is_shuffled() -> None:
    assert len({tuple(new_game(seed=seed).bag[-10:]) for seed in SEEDS}) > 30


def test_ba_s4_three_cerda_tiles_and_none_of_those_for_modernisme_only() -> None:
    seen: set[int] = set()
    for seed in range(200):
        tiles = new_game(seed=seed).cerda_tiles
        assert len(set(tiles)) == 3
        seen |= set(tiles)
    assert {RULESET.scorings[tile].id for tile in seen} == {
        *("BOTTOM", "CORNER", "LINE", "INTERSECTION", "PASSENGER", "WIDE", "NARROW", "SERVICE", "COBBLESTONE"),
        *("MODERNISME", "IMPROVED", "SAGRADA", "ROWS", "UPGRADES"),
    }


def test_ba_s4_the_twins_of_the_cerda_tiles_are_out_and_four_tiles_are_shown() -> None:
    for seed in SEEDS:
        state = new_game(seed=seed)
        assert len(state.shown) == 4
        assert len(state.modernisme_stack) == 18 - 3 - 4
        assert sorted([*state.cerda_tiles, *state.shown, *state.modernisme_stack]) == list(range(18))


def test_ba_s5_five_of_the_seven_types() -> None:
    drawn = [new_game(seed=seed).service_types for seed in SEEDS]
    assert all(len(set(types)) == 5 for types in drawn)
    assert {kind for types in drawn for kind in types} == set(range(7))


@pytest.mark.parametrize(("players", "tiles"), [(2, 2), (3, 3), (4, 3)])
def test_ba_s5_two_players_do_without_the_cheapest_tiles(players: int, tiles: int) -> None:
    state = position(players)
    give(state, coins=4)
    state.services_taken = [tiles - 1, tiles, tiles, tiles, tiles]
    action(state, "SERVICE")
    assert whats(state, Kind.SERVICE) == [0], "the stack that has one tile left"


def test_ba_s6_building_bonus_and_sagrada_tiles() -> None:
    state = new_game()
    assert state.buildings_left == [12, 8, 7, 8]
    assert state.bonus_left == [True] * 4
    assert Counter(RULESET.sagrada_tiles[tile].level for tile in state.sagrada_left) == {0: 4, 1: 4, 2: 4, 3: 4}
    assert not any(RULESET.sagrada_tiles[tile].expansion for tile in state.sagrada_left)


def test_ba_s7_player_boards_and_starting_goods() -> None:
    state = new_game(3)
    for seat in range(3):
        assert (state.coins[seat], state.cloth[seat], state.vp[seat]) == (1, 1, 0)
        assert (state.cerda[seat], state.sagrada[seat]) == (2, 0)
        assert state.marker_stacks[seat] == [2, 2, 3, 3]
        assert state.narrow[seat] == [2, 2, 3, 3]
        assert state.wide[seat] == [1, 2, 2]
        assert state.projects[seat] == [-1] * 4
        assert state.improved[seat] == [0] * 4
        assert state.trams[seat] == -1
        assert state.capacity(seat) == 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ba_s8_hands_of_two_that_others_do_not_see(players: int) -> None:
    state = new_game(players)
    assert [len(hand) for hand in state.hands] == [2] * players
    assert all(citizen in (1, 2, 3) for hand in state.hands for citizen in hand)
    seen = state.view(0).position.hands
    assert seen == [state.hands[0], *([[0, 0]] * (players - 1))]
    assert not any(state.view(None).position.hands[0])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ba_s8_the_first_player_draws_first_and_then_each_in_turn_order(players: int) -> None:
    for seed in SEEDS:
        state, events = new_game_told(players, seed=seed)
        drew = [(event.seat, sorted(event.citizens)) for event in gained(events, Drew)]
        seats = [(state.first + place) % players for place in range(players)]
        assert drew == [(seat, sorted(state.hands[seat])) for seat in seats]


def test_ba_s8_the_next_citizens_of_the_bag_are_not_seen() -> None:
    state = new_game()
    assert not any(state.view(0).position.bag)

"""How Passeig de Gràcia changes the set-up."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import JoyGained, Reason, TurnBegan
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.tasks import Do
from tests.support.barcelona import (
    ACTIONS,
    AMENITIES,
    RULESET,
    SAGRADA,
    SCORINGS,
    SERVICES,
    VIOLET,
    asked,
    at,
    choose,
    gained,
    may_stop,
    new_game,
    new_game_told,
    refused,
    whats,
)

BARCELONA, GRACIA = 0, 1
SEEDS = range(40)
REPLACED = {"COINS": "X_COINS", "CLOTH": "X_CLOTH", "CERDA": "X_CERDA"}
JOY_TILES = {SCORINGS["JOY_BARCELONA"], SCORINGS["JOY_GRACIA"]}
EXPANSION_SERVICES = {SERVICES[name] for name in ("PARC_GUELL", "FABRICA_CASARAMONA", "PALAU_DE_LA_MUSICA")}


class TestActionTiles:
    def test_ba_pg1_three_tiles_take_the_places_of_those_they_replace(self) -> None:
        base = new_game(options={"actions": "FIRST_GAME"})
        swapped = new_game(expansion=True, options={"actions": "FIRST_GAME"})
        expected = [REPLACED.get(RULESET.actions[tile].id, RULESET.actions[tile].id) for tile in base.slots]
        assert [RULESET.actions[tile].id for tile in swapped.slots] == expected
        assert sorted(base.slots) == sorted(set(ACTIONS.values()) - {ACTIONS[name] for name in REPLACED.values()})

    def test_ba_pg1_all_eleven_tiles_are_shuffled(self) -> None:
        slots = [new_game(expansion=True, seed=seed).slots for seed in SEEDS]
        eleven = sorted(set(ACTIONS.values()) - {ACTIONS[name] for name in REPLACED})
        assert all(sorted(found) == eleven for found in slots)
        for name in REPLACED.values():
            assert len({found.index(ACTIONS[name]) for found in slots}) > 5, f"{name} lies nearly always in one place"


class TestAddedTiles:
    @pytest.mark.parametrize(("expansion", "tiles"), [(False, 18), (True, 20)])
    def test_ba_pg1_the_joy_tiles_are_mixed_with_the_others(self, expansion: bool, tiles: int) -> None:
        among_cerda, shown = set(), set()
        for seed in range(80):
            state = new_game(expansion=expansion, seed=seed)
            modernisme = [*state.shown, *state.modernisme_stack]
            assert len(set(modernisme)) == len(modernisme) == tiles - 3
            assert not set(modernisme) & set(state.cerda_tiles), "the twin of a Cerdà tile is left out"
            among_cerda |= set(state.cerda_tiles) & JOY_TILES
            shown |= set(state.shown) & JOY_TILES
            if expansion:
                assert set(modernisme) | set(state.cerda_tiles) >= JOY_TILES
        assert among_cerda == shown == (JOY_TILES if expansion else set())

    def test_ba_pg1_one_of_the_five_services_is_the_expansions(self) -> None:
        found = [new_game(expansion=True, seed=seed).service_types for seed in SEEDS]
        for types in found:
            assert len(set(types)) == 5
            assert len(EXPANSION_SERVICES & set(types)) == 1
        assert {kind for types in found for kind in types} == set(SERVICES.values())

    def test_ba_pg1_the_expansions_service_replaces_any_of_the_five(self) -> None:
        types = [new_game(expansion=True, seed=seed).service_types for seed in SEEDS]
        places = {place for found in types for place, kind in enumerate(found) if kind in EXPANSION_SERVICES}
        assert places == {0, 1, 2, 3, 4}

    def test_ba_pg1_the_base_game_has_no_service_of_the_expansion(self) -> None:
        assert not any(EXPANSION_SERVICES & set(new_game(seed=seed).service_types) for seed in SEEDS)

    @pytest.mark.parametrize(("expansion", "a_level"), [(False, 4), (True, 5)])
    def test_ba_pg1_every_level_has_one_sagrada_tile_more(self, expansion: bool, a_level: int) -> None:
        left = new_game(expansion=expansion).sagrada_left
        assert [sum(RULESET.sagrada_tiles[tile].level == level for tile in left) for level in range(4)] == [a_level] * 4
        assert {SAGRADA[name] for name in ("S1X", "S2X", "S3X", "S4X")} <= set(left) or not expansion


class TestSideBoard:
    def test_ba_pg2_six_amenities_of_eight(self) -> None:
        found = [new_game(expansion=True, seed=seed).amenities for seed in range(120)]
        assert all(len(set(tiles)) == len(tiles) == 6 for tiles in found)
        for place in range(6):
            assert {tiles[place] for tiles in found} == set(AMENITIES.values()), f"place {place} does not see them all"

    def test_ba_pg2_left_an_a_middle_a_b_right_a_c(self) -> None:
        found = [new_game(expansion=True, seed=seed).violet for seed in SEEDS]
        letters = [("CERDA", "PASSENGERS"), ("TRIANGLES", "SAGRADA"), ("STACKS", "IMPROVED")]
        for place, names in enumerate(letters):
            assert {stones[place] for stones in found} == {VIOLET[name] for name in names}
        assert len({tuple(stones) for stones in found}) == 8, "each letter is drawn on its own"

    def test_ba_pg2_dice_start_at_1_in_their_cities_and_no_hexagon_is_placed(self) -> None:
        state = new_game(2, expansion=True)
        assert state.joy == [1, 1, 1, 1]
        assert state.path == [0, 0, 0, 0]
        assert set(state.hexagons) == {-1}

    def test_ba_pg2_the_base_game_has_no_side_board(self) -> None:
        state = new_game(4)
        assert (state.amenities, state.violet) == ([], [])
        assert state.joy == [1] * 8


def seats_from_first(players: int, seed: int) -> list[int]:
    """The seats in the order of their turns."""
    first = new_game(players, expansion=True, seed=seed).first
    return [(first + i) % players for i in range(players)]


class TestDiceOfLaterPlayers:
    @pytest.mark.parametrize("players", [3, 4])
    @pytest.mark.parametrize("seed", range(12))
    def test_ba_pg3_the_third_players_die_is_the_first_decision(self, players: int, seed: int) -> None:
        state, _ = new_game_told(players, expansion=True, seed=seed)
        third = seats_from_first(players, seed)[2]
        assert state.task[0] == Do.START_DIE
        assert state.actor == third
        assert whats(state, Kind.PEDESTRIAN) == [BARCELONA, GRACIA]
        assert not may_stop(state)
        assert [len(hand) for hand in state.hands] == [2] * players, "hands are dealt before"

    def test_ba_pg3_third_counts_from_the_first_player(self) -> None:
        assert {seats_from_first(3, seed)[2] for seed in SEEDS} == {0, 1, 2}
        assert {seats_from_first(4, seed)[2] for seed in SEEDS} == {0, 1, 2, 3}

    @pytest.mark.parametrize("players", [3, 4])
    @pytest.mark.parametrize("chosen", [BARCELONA, GRACIA])
    def test_ba_pg3_the_die_chosen_begins_at_2_and_the_first_player_begins(self, players: int, chosen: int) -> None:
        for seed in range(8):
            state = new_game(players, expansion=True, seed=seed)
            seats = seats_from_first(players, seed)
            others = {2 * seat + pedestrian for seat in seats[:2] for pedestrian in (BARCELONA, GRACIA)}
            events = choose(state, Kind.PEDESTRIAN, chosen)
            assert state.joy[2 * seats[2] + chosen] == 2
            assert state.joy[2 * seats[2] + 1 - chosen] == 1
            assert {state.joy[die] for die in others} == {1}
            assert (state.actor, state.round, state.task[0]) == (seats[0], 1, Do.PLACE)
            assert gained(events, JoyGained) == [JoyGained(seats[2], chosen, 2, Reason.SETUP)]
            assert not state.undoable

    def test_ba_pg3_both_dice_of_a_fourth_player_begin_at_2(self) -> None:
        for seed in range(8):
            state = new_game(4, expansion=True, seed=seed)
            fourth = seats_from_first(4, seed)[3]
            choose(state, Kind.PEDESTRIAN, GRACIA)
            assert state.joy[2 * fourth : 2 * fourth + 2] == [2, 2]
            assert sum(state.joy) == 2 * 4 + 3

    def test_ba_pg3_two_players_and_the_base_game_ask_nothing(self) -> None:
        for state in (new_game(2, expansion=True), new_game(3), new_game(4)):
            assert asked(state) is Kind.PLACE
            assert state.actor == state.first
            assert set(state.joy) == {1}

    def test_ba_pg3_nobody_places_before_the_die_is_chosen(self) -> None:
        state = new_game(3, expansion=True)
        assert refused(state, moves.place(at("A1"), state.hands[state.seat][0])) == "BA-T2"
        assert refused(state, moves.STOP) == "BA-T2"

    def test_ba_pg3_the_choice_is_no_turn(self) -> None:
        state, told = new_game_told(3, expansion=True, seed=3)
        told += choose(state, Kind.PEDESTRIAN, BARCELONA)
        assert gained(told, TurnBegan) == [TurnBegan(state.first, 1)]
        assert [len(hand) for hand in state.hands] == [2, 2, 2]

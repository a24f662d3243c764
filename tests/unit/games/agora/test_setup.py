"""What a game of Agora begins with, how long it is and what is seen of the squares, a class a rule."""

from __future__ import annotations

import pytest

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.movements import Moved
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.agora.state import Phase
from boardgamesbot.games.base import Malformed
from tests.support.agora import BLUE, GAME, RED, game_by_chance, new_game, position, refusal


class TestAgS1:
    """Squares in play."""

    def test_every_district_has_six_squares_with_the_values_printed(self) -> None:
        ruleset = GAME.ruleset
        for district in range(DISTRICTS):
            squares = [n for n in range(1, SQUARES + 1) if ruleset.district_of[n] == district]
            assert sorted(ruleset.value_of[n] for n in squares) == [1, 2, 3, 3, 4, 5]

    @pytest.mark.parametrize(("players", "removed"), [(3, 15), (4, 12), (5, 10)])
    def test_squares_are_removed_by_number_of_players(self, players: int, removed: int) -> None:
        assert len(new_game(players).removed) == removed

    @pytest.mark.parametrize("players", [0, 2, 6])
    def test_no_other_number_of_players(self, players: int) -> None:
        with pytest.raises(Malformed, match="3 to 5 players"):
            new_game(players)

    def test_borders_are_mutual_and_nineteen(self) -> None:
        neighbours = GAME.ruleset.neighbours
        pairs = {(a, b) for a in range(DISTRICTS) for b in neighbours[a]}
        assert all((b, a) in pairs for a, b in pairs)
        assert len(pairs) == 2 * 19


class TestAgS2:
    """Hands and piles."""

    @pytest.mark.parametrize(("players", "piles"), [(3, (15, 15)), (4, (14, 14)), (5, (13, 12))])
    def test_five_each_and_the_rest_in_two_piles(self, players: int, piles: tuple[int, int]) -> None:
        state = new_game(players, {"take": "CHOOSE"})
        assert [len(hand) for hand in state.hands] == [5] * players
        assert (len(state.piles[0]), len(state.piles[1])) == piles


class TestAgS3:
    """Walkers and the Fountain."""

    @pytest.mark.parametrize(("players", "walkers"), [(3, 35), (4, 30), (5, 25)])
    def test_walkers_by_number_of_players(self, players: int, walkers: int) -> None:
        assert new_game(players).supply == [walkers] * players

    def test_chance_says_who_begins(self) -> None:
        assert {new_game(5, seed=seed).fountain for seed in range(60)} == set(range(5))


class TestAgS4:
    """Length of the game."""

    @pytest.mark.parametrize(("players", "turns", "squares"), [(3, 15, 45), (4, 12, 48), (5, 10, 50)])
    def test_the_last_turn_uses_up_every_square_in_play(self, players: int, turns: int, squares: int) -> None:
        state = list(game_by_chance(players, GAME.complete_options({}), seed=1))[-1]
        assert state.turn == turns
        assert not any(state.hands)
        assert not any(state.piles)
        assert sum(1 for moved in state.movements if moved.kind in (Moved.PLAYED, Moved.DISCARDED)) == squares

    def test_nothing_is_played_after_the_end(self) -> None:
        state = position(Phase.OVER, turn=12)
        assert state.is_over
        assert state.actor is None
        assert state.legal_moves() == []
        assert refusal(state, moves.draw(0)).rule.id == "AG-S4"


class TestAgS5:
    """Backs."""

    def test_the_others_see_districts_and_no_more(self) -> None:
        state = new_game(3, {"take": "CHOOSE"})
        for reader in (None, RED):
            view = state.view(reader)
            hand = view.memory.hands[BLUE]
            assert sorted(known.back for known in hand) == sorted(state.back(n) for n in state.hands[BLUE])
            assert {known.square for known in hand} == {0}
            assert view.pile_tops == (state.back(state.piles[0][-1]), state.back(state.piles[1][-1]))

    def test_plain_backs_show_nothing(self) -> None:
        state = new_game(3, {"backs": "PLAIN"})
        view = state.view(None)
        assert {known.back for hand in view.memory.hands for known in hand} == {-1}
        assert view.pile_tops == (-1, -1)
        assert all(seen.back == -1 for seen in view.sightings)

    def test_everybody_sees_their_own_hand(self) -> None:
        state = new_game(3)
        for seat in range(3):
            assert state.view(seat).hand == sorted(state.hands[seat])

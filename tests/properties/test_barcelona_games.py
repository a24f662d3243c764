"""What is so of every game of Barcelona from its seed to its end, and of every move in it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Drew, ModernismeShown, NowhereToPlace, Placed, TurnBegan
from boardgamesbot.games.barcelona.play import ASKED
from boardgamesbot.games.base import IllegalMove, Malformed
from tests.properties.support_barcelona import (
    GAMES,
    MOVES_MADE,
    PLAYED,
    POSITIONS,
    Played,
    insides,
    readers,
    refusal_of,
)
from tests.support.barcelona import GAME, all_moves, is_a_move, new_game
from tests.support.barcelona_books import check_books

LAST_ROUNDS = {2: 15, 3: 11, 4: 9}
"""When the bag has run out of citizens at the latest; see `test_ba_d2_ends_before_the_bag_could_give_more`."""
LAST_ROUND_ALONE = 16
"""The same against Gaudí; see `test_ba_g16_ends_before_the_bag_could_give_more_against_gaudi`."""


class TestGames:
    @GAMES
    @given(PLAYED)
    def test_are_the_same_from_the_same_seed_and_moves(self, game: Played) -> None:
        first, told = game.begin()
        second, told_again = game.begin()
        assert told == told_again
        rng = Random(game.seed)
        while not first.is_over:
            move = game.choose(first, rng)
            assert first.apply(move) == second.apply(move)
        assert insides(first) == insides(second)

    @pytest.mark.parametrize("players", [2, 3, 4])
    @pytest.mark.parametrize("expansion", [False, True])
    def test_ba_d2_ends_before_the_bag_could_give_more(self, players: int, expansion: bool) -> None:
        """Every turn takes two citizens of the bag, and the first that finds fewer ends the game with its round."""
        bag = len(new_game(players, expansion=expansion).bag)
        assert bag == {2: 59, 3: 63, 4: 64}[players]
        turns = bag // 2 + 1
        assert -(-turns // players) == LAST_ROUNDS[players]
        for seed in range(60):
            assert Played(players, expansion, False, seed).after(1000).round <= LAST_ROUNDS[players]

    def test_reach_every_kind_of_decision(self) -> None:
        """What is said here of games by chance is said of all that can be asked."""
        games = [Played(3, True, True, seed) for seed in range(20)] + [Played(2, True, True, 1, solo="EASY")]
        asked = Counter(state.task[0] for game in games for state in game.positions() if state.tasks)
        assert set(asked) == set(ASKED)
        assert min(asked.values()) > 5

    @GAMES
    @given(PLAYED)
    def test_end_with_their_round_when_nobody_builds_either(self, game: Played) -> None:
        """The first of the legal moves: everything that may be declined is, and the bag runs out."""
        state = game.begin()[0]
        rounds = 1
        while not state.is_over:
            for event in state.apply(state.legal_moves()[0]):
                rounds = event.round if isinstance(event, TurnBegan) else rounds
            check_books(state)
        assert rounds <= (LAST_ROUNDS[game.players] if game.solo == "NONE" else LAST_ROUND_ALONE)

    @pytest.mark.parametrize("expansion", [False, True])
    def test_ba_g16_ends_before_the_bag_could_give_more_against_gaudi(self, expansion: bool) -> None:
        """A round takes four citizens of the bag, but for a last one that finds fewer."""
        bag = len(new_game(expansion=expansion, options={"solo": "EASY"}).bag)
        assert bag == 61
        assert bag // 4 + 1 == LAST_ROUND_ALONE
        for seed in range(60):
            assert Played(2, expansion, False, seed, "HARD").after(1000).round <= LAST_ROUND_ALONE


class TestLegality:
    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_is_the_same_asked_either_way(self, game: Played, made: int) -> None:
        state = game.after(made)
        legal = set(state.legal_moves())
        for move in all_moves():
            refused = refusal_of(state, move)
            assert (refused is None) == (move in legal), moves.parts(move)
            if refused is not None:
                assert isinstance(refused, IllegalMove)
                assert GAME.rules[refused.rule.id] is refused.rule
                assert refused.reason

    @settings(max_examples=300, deadline=None)
    @given(st.one_of(st.integers(-5000, 100_000), st.integers()))
    def test_of_numbers_that_mean_nothing(self, number: int) -> None:
        refused = refusal_of(new_game(), number)
        assert isinstance(refused, Malformed) == (not is_a_move(number))

    @GAMES
    @given(PLAYED)
    def test_every_legal_move_can_be_made(self, game: Played) -> None:
        """Whatever is on the list is taken by `check` and leads to a position that keeps its books."""
        for number, state in enumerate(game.positions()):
            for move in state.legal_moves()[number % 5 :: 5]:
                twin = state.copy()
                twin.play(move)
                check_books(twin)


REVEALING = (Placed, NowhereToPlace, Drew, ModernismeShown)


class TestUndo:
    @GAMES
    @given(PLAYED)
    def test_takes_back_what_revealed_nothing_while_the_seat_decides(self, game: Played) -> None:
        state, rng = game.begin()[0], Random(game.seed)
        assert not state.undoable
        while not state.is_over:
            seat = state.actor
            events = state.apply(game.choose(state, rng))
            revealed = any(isinstance(event, REVEALING) for event in events)
            assert state.undoable == (not revealed and state.actor == seat)
            assert all(state.view(reader).undoable == state.undoable for reader in readers(state))

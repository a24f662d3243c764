"""What is so in every game against Gaudí: his one move a turn, what he draws on, and the reasons he gives."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Criterion, DeckShuffled, GaudiChose, Matter
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from tests.properties.support_barcelona import (
    GAMES,
    MOST_TILES_A_TURN,
    SOLO,
    Played,
    event_bytes,
    received,
    state_bytes,
)
from tests.support.barcelona import GAME, GAUDI


def drawn_from(state: BarcelonaState) -> int:
    """How many numbers of the stream of chance were used."""
    assert isinstance(state.chance, ChanceStream)
    return state.chance.position


def shuffled(pile: list[int], rng: Random) -> list[int]:
    return rng.sample(pile, len(pile))


class TestGaudi:
    @GAMES
    @given(SOLO)
    def test_is_the_same_to_the_byte_from_the_same_seed_and_moves(self, game: Played) -> None:
        (first, _), (second, _) = game.begin(), game.begin()
        rng = Random(game.seed)
        while not first.is_over:
            move = game.choose(first, rng)
            assert event_bytes(first.apply(move)) == event_bytes(second.apply(move))
            assert state_bytes(first) == state_bytes(second)

    @GAMES
    @given(SOLO)
    def test_draws_on_nothing_but_his_deck_the_bag_the_stack_and_chance(self, game: Played) -> None:
        """Whatever is hidden and not drawn in his turn may be anything: all that happens stays the same."""
        rng = Random(game.seed)
        for state in game.positions():
            if state.is_over or state.task[0] != Do.GAUDI:
                continue
            truth, other = state.copy(), state.copy()
            other.bag = [*shuffled(state.bag[:-2], rng), *state.bag[-2:]]
            if state.bag[:-2] and state.hands[0]:
                other.bag[0], other.hands[0][0] = other.hands[0][0], other.bag[0]
            other.deck[:-2] = shuffled(state.deck[:-2], rng)
            other.modernisme_stack[:-MOST_TILES_A_TURN] = shuffled(state.modernisme_stack[:-MOST_TILES_A_TURN], rng)
            if len(state.deck) > 1:
                other.chance = ChanceStream(rng.randbytes(SEED_BYTES))
            (move,) = state.legal_moves()
            assert event_bytes(truth.apply(move)) == event_bytes(other.apply(move))
            for seat in (None, GAUDI):
                assert received(truth, seat)[0] == received(other, seat)[0]

    @GAMES
    @given(SOLO)
    def test_uses_chance_for_nothing_but_a_used_up_deck(self, game: Played) -> None:
        state, rng = game.begin()[0], Random(game.seed)
        while not state.is_over:
            before, last = drawn_from(state), state.task[0] == Do.GAUDI and len(state.deck) == 1
            events = state.apply(game.choose(state, rng))
            assert any(isinstance(event, DeckShuffled) for event in events) == last
            assert (drawn_from(state) > before) == last

    @GAMES
    @given(SOLO)
    def test_has_one_move_a_turn_and_explains_each_choice(self, game: Played) -> None:
        """A choice is one of its candidates under the arrow in sight; one of a single candidate needed no priority."""
        state, rng = game.begin()[0], Random(game.seed)
        turns = 0
        while not state.is_over:
            his = state.actor == GAUDI
            if his:
                assert state.legal_moves() == [moves.GAUDI]
            events = state.apply(game.choose(state, rng))
            choices = [event for event in events if isinstance(event, GaudiChose)]
            assert his or not choices
            if not his:
                continue
            turns += 1
            arrow = GAME.ruleset.gaudi.cards[state.deck[-1]].arrow
            for chosen in choices:
                assert chosen.seat == GAUDI
                assert chosen.chosen in chosen.candidates
                assert len(set(chosen.candidates)) == len(chosen.candidates)
                assert chosen.arrow == arrow
                assert (chosen.criterion is Criterion.ONLY_ONE) == (len(chosen.candidates) == 1)
        assert turns == state.round, "as many turns as the person"

    def test_chooses_in_every_matter_and_by_every_priority(self) -> None:
        """What is said here of his choices is said of all of them."""
        seen = Counter[Matter | Criterion]()
        for seed in range(40):
            for event in Played(2, True, True, seed, "NORMAL", "BOTH").events():
                if isinstance(event, GaudiChose):
                    seen.update([event.matter, event.criterion])
        assert {*seen} == {*Matter, *Criterion}

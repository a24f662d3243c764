"""The architect of Barcelona: thinks within its budget, keeps to its plan, and says why."""

from __future__ import annotations

from random import Random

import pytest

from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.base import Move
from boardgamesbot.players.architect.brain import Architect, Effort
from boardgamesbot.players.architect.prospect import PLAIN
from boardgamesbot.players.architect.weights import PRICES
from boardgamesbot.players.base import Budget, Notes, Thought
from boardgamesbot.players.greedy_barcelona import GreedyBarcelona
from tests.support.barcelona import new_game

QUICK = Architect(Effort(finishes=30, plans=6, rounds=1, tries=2))


class Clock:
    """Time that is up when it was asked for so often."""

    def __init__(self, asks: int) -> None:
        self.left = asks

    def over(self) -> bool:
        self.left -= 1
        return self.left < 0


def thoughts(state: BarcelonaState, budget: Budget, notes: Notes, seed: int = 1) -> list[Thought]:
    """All that it thinks about a position."""
    return list(QUICK.think(state.view(state.actor), Random(seed), budget, notes))


def first_choice(turns: int = 4, *, seed: int = 3, expansion: bool = False) -> BarcelonaState:
    """The beginning of a turn in a game of greedy bots."""
    state, greedy, rng = new_game(2, seed=seed, expansion=expansion), GreedyBarcelona(), Random(seed)
    while turns or state.task[0] != Do.PLACE:
        turns -= state.task[0] == Do.PLACE
        state.advance(greedy.choose(state.view(state.actor), rng))
    return state


@pytest.mark.parametrize("seed", [3, 4])
def test_follows_its_plan_to_the_end_of_the_turn_without_thinking_again(seed: int) -> None:
    state, notes, rng = first_choice(seed=seed), Notes(), Random(1)
    seat, decisions = state.seat, 0
    state.play(list(QUICK.think(state.view(seat), rng, Budget(24), notes))[-1].move)
    while state.seat == seat:
        decisions += len(state.legal) > 1
        (only,) = QUICK.think(state.view(seat), rng, Budget(24), notes)
        assert only.iterations == 0
        state.play(only.move)
    assert decisions >= 2


def test_thinks_again_where_the_plan_does_not_fit() -> None:
    state, notes = first_choice(), Notes()
    thoughts(state, Budget(12), notes)
    other = first_choice(turns=5)
    assert thoughts(other, Budget(12), notes)[-1].move in other.legal_moves()
    assert thoughts(other, Budget(12), dict(notes) | {"architect.plan": [([1, 2], 1)]})[-1].iterations > 0


def test_plays_on_when_its_notes_are_lost() -> None:
    state = first_choice(expansion=True)
    seat = state.seat
    while state.seat == seat:
        state.play(thoughts(state, Budget(8), {})[-1].move)


@pytest.mark.parametrize("iterations", [0, 1, 7, 30])
def test_uses_no_more_iterations_than_it_is_given(iterations: int) -> None:
    found = thoughts(first_choice(), Budget(iterations), {})
    assert found[-1].iterations <= iterations
    assert [thought.iterations for thought in found] == sorted(thought.iterations for thought in found)


def test_stops_soon_after_time_is_up() -> None:
    state = first_choice()
    for asks in (0, 5, 60):
        clock = Clock(asks)
        (*_, last) = thoughts(state, Budget(over=clock.over), {})
        assert last.move in state.legal_moves()
        assert clock.left > -8, "it asked on and on after it was told that time is up"
        assert last.iterations <= asks


def test_says_what_it_expects_of_the_moves_it_tried() -> None:
    state = first_choice()
    last = thoughts(state, Budget(40), {})[-1]
    assert last.candidates
    assert last.candidates[0].move == last.move
    assert sum(candidate.visits for candidate in last.candidates) == last.iterations
    moves = [candidate.move for candidate in last.candidates]
    assert len(set(moves)) == len(moves)
    assert set(moves) <= set(state.legal_moves())
    assert all(0 < candidate.win < 1 for candidate in last.candidates)
    assert all(candidate.points > state.vp[state.seat] for candidate in last.candidates)


def test_same_seed_and_iterations_same_thoughts() -> None:
    state = first_choice(expansion=True)
    assert thoughts(state, Budget(30), {}, seed=9) == thoughts(state, Budget(30), {}, seed=9)


def test_chooses_alone_as_with_notes_it_does_not_have() -> None:
    state = first_choice()
    chosen: Move = QUICK.choose(state.view(state.seat), Random(4))
    (*_, last) = QUICK.think(state.view(state.seat), Random(4), Budget(24), {})
    assert chosen == last.move


def test_the_others_go_by_prices_of_their_own() -> None:
    state, told = first_choice(), []
    for others in (PRICES, PLAIN):
        brain = Architect(Effort(finishes=30, plans=6, rounds=2, tries=2, others=others))
        (*_, last) = brain.think(state.view(state.seat), Random(1), Budget(12), {})
        told.append([(candidate.visits, candidate.points) for candidate in last.candidates])
    assert told[0] != told[1]

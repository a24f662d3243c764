"""What holds for the architect of Barcelona in every game."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.players.architect.brain import Architect, Effort
from boardgamesbot.players.base import Budget, Notes
from tests.support.barcelona import GAUDI, new_game

BRAIN = Architect(Effort(finishes=16, plans=3, rounds=1, tries=2))
BUDGET = Budget(4)
SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def after(players: int, expansion: bool, seed: int, made: int) -> BarcelonaState:
    """The position after so many moves by chance, one at which somebody has a choice."""
    state, rng = new_game(players, seed=seed, expansion=expansion), Random(seed)
    while made > 0 or len(state.legal) == 1:
        made -= 1
        following = state.copy()
        following.advance(rng.choice(state.legal_moves()))
        if following.is_over:
            break
        state = following
    return state


@pytest.mark.parametrize("solo", ["NONE", "NORMAL"])
@pytest.mark.parametrize("expansion", [False, True])
def test_plays_whole_games_by_the_rules(solo: str, expansion: bool) -> None:
    players = 2 if solo != "NONE" else 3
    state, rng = new_game(players, seed=5, expansion=expansion, options={"solo": solo}), Random(5)
    notes: list[Notes] = [{} for _ in range(players)]
    while (seat := state.actor) is not None:
        if solo != "NONE" and seat == GAUDI:
            state.play(state.legal_moves()[0])
            continue
        (*_, last) = BRAIN.think(state.view(seat), rng, BUDGET, notes[seat])
        state.play(last.move)


@FEW
@given(st.integers(2, 4), st.booleans(), SEEDS, st.integers(0, 200), SEEDS)
def test_what_its_seat_may_not_know_changes_nothing(
    players: int, expansion: bool, seed: int, made: int, other_seed: int
) -> None:
    state = after(players, expansion, seed, made)
    other = state.view(state.actor).determinize(Random(other_seed))
    notes: tuple[Notes, Notes] = ({}, {})
    ours = list(BRAIN.think(state.view(state.actor), Random(1), BUDGET, notes[0]))
    theirs = list(BRAIN.think(other.view(state.actor), Random(1), BUDGET, notes[1]))
    assert ours == theirs
    assert notes[0] == notes[1]
    assert ours[-1].move in state.legal_moves()


def test_the_hidden_things_really_differ_in_that_test() -> None:
    differing = 0
    for seed in range(10):
        state = after(3, False, seed, 40)
        other = state.view(state.actor).determinize(Random(seed))
        differing += other.bag != state.bag and other.hands != state.hands
    assert differing >= 8

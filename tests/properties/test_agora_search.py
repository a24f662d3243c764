"""What is so of the Agora AI in every position, whatever the options and the players."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from boardgamesbot.games.agora.ruleset import DISTRICTS
from boardgamesbot.games.agora.state import Phase
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.base import Options
from boardgamesbot.games.chance import FastChance
from boardgamesbot.players.agora_search.brain import AgoraSearch
from boardgamesbot.players.agora_search.evaluation import Eye
from boardgamesbot.players.agora_search.levels import ALL, FULL, Level
from boardgamesbot.players.agora_search.playouts import Playouts
from boardgamesbot.players.base import Budget, Notes, Thought
from tests.support.agora import ALL_OPTIONS, GAME, after_moves, new_game

PLAYERS = st.integers(3, 5)
OPTIONS = st.sampled_from(ALL_OPTIONS)
SEEDS = st.integers(0, 2**32 - 1)
MOVES_MADE = st.integers(0, 235)
LEVELS = st.sampled_from([level for _, _, level in ALL])
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def thought(view: AgoraView, seed: int, iterations: int = 24, notes: Notes | None = None) -> Thought:
    *_, last = AgoraSearch(FULL).think(
        view, Random(seed), Budget(iterations=iterations), {} if notes is None else notes
    )
    return last


@FEW
@given(players=PLAYERS, options=OPTIONS, seed=SEEDS, count=MOVES_MADE, level=LEVELS)
def test_every_level_answers_with_a_legal_move_and_looks_at_no_other(
    players: int, options: Options, seed: int, count: int, level: Level
) -> None:
    state = after_moves(players, options, seed, count)
    assume(state.actor is not None)
    view = state.view(state.actor)
    legal = set(state.legal_moves())
    for found in AgoraSearch(level).think(view, Random(seed), Budget(iterations=24), {}):
        assert found.move in legal
        assert {candidate.move for candidate in found.candidates} <= legal


@FEW
@given(players=PLAYERS, options=OPTIONS, seed=SEEDS, count=MOVES_MADE)
def test_what_its_seat_may_not_know_changes_nothing(players: int, options: Options, seed: int, count: int) -> None:
    """Hidden squares change places all over; the whole thought stays as it was, not only the move."""
    state = after_moves(players, options, seed, count)
    assume(state.actor is not None)
    other = state.view(state.actor).determinize(Random(seed + 1))
    assume(other.hands != state.hands or other.piles != state.piles)
    assert thought(other.view(state.actor), seed) == thought(state.view(state.actor), seed)


@settings(FEW, max_examples=8)
@given(players=PLAYERS, options=OPTIONS, seed=SEEDS)
def test_notes_of_a_whole_game_keep_every_move_legal(players: int, options: Options, seed: int) -> None:
    state, notes = new_game(players, options, seed), dict[int, Notes]()
    rng = Random(seed)
    decided = Counter[int]()
    while (actor := state.actor) is not None:
        if actor == 0 or state.turn == state.turns:
            state.play(thought(state.view(actor), seed, 4, notes.setdefault(actor, {})).move)
            decided[actor] += 1
        else:
            state.play(rng.choice(state.legal_moves()))
    assert decided[0] > 20


@FEW
@given(players=PLAYERS, options=OPTIONS, seed=SEEDS, count=MOVES_MADE)
def test_a_look_shares_out_all_points_and_the_victory(players: int, options: Options, seed: int, count: int) -> None:
    state = after_moves(players, options, seed, count)
    eye = Eye(GAME.ruleset, players)
    eye.look(state.core)
    assert abs(sum(eye.expected) - sum(GAME.ruleset.points)) < 1e-6
    assert abs(sum(eye.win) - 1) < 1e-9
    for seat in range(players):
        for district in range(DISTRICTS):
            assert eye.strength[district * players + seat] > 0


@FEW
@given(players=PLAYERS, options=OPTIONS, seed=SEEDS, count=MOVES_MADE, sampled=st.integers(0, 20))
def test_a_playout_ends_with_the_turn_and_at_the_end_counts_as_the_rules_do(
    players: int, options: Options, seed: int, count: int, sampled: int
) -> None:
    state = after_moves(players, options, seed, count)
    assume(not state.is_over)
    core, eye = state.core.copy(), Eye(GAME.ruleset, players)
    Playouts(eye, FastChance(Random(seed)), sampled).finish(core)
    assert core.turn == state.turn
    if state.turn == state.turns:
        assert core.is_over
        assert eye.expected == core.scores()
        assert {seat for seat in range(players) if eye.win[seat]} == set(core.winners())
    else:
        assert core.phase in (Phase.DRAW, Phase.PASS_FOUNTAIN)

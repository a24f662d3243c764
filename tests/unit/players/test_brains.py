"""The bots' brains: legal, repeatable, blind to what their seat may not know, and of the strength they claim."""

from __future__ import annotations

import hashlib
from random import Random

import pytest

from boardgamesbot.cli.simulate import Plan, plans, play_out
from boardgamesbot.games import registry
from boardgamesbot.games.base import State
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players.registry import BOTS, FALLBACKS, STAND_IN

BRAINS = [(bot.id, game_id) for bot in BOTS.values() for game_id in bot.brains]


def positions(game_id: str, seed: int, every: int) -> list[State]:
    """Positions of a random game, one of so many."""
    game = registry.game(game_id)
    rng = Random(seed)
    state, _ = game.new(game.min_players + 1, game.complete_options({}), ChanceStream(rng.randbytes(32)))
    found = []
    while not state.is_over:
        if rng.randrange(every) == 0:
            found.append(state.copy())
        state.apply(rng.choice(state.legal_moves()))
    return found


@pytest.mark.parametrize(("bot", "game_id"), BRAINS)
def test_chooses_a_legal_move_and_the_same_one_again(bot: str, game_id: str) -> None:
    brain = BOTS[bot].brains[game_id]
    for state in positions(game_id, seed=5, every=6):
        view = state.view(state.actor)
        move = brain.choose(view, Random(1))
        assert move in state.legal_moves()
        assert brain.choose(view, Random(1)) == move


@pytest.mark.parametrize(("bot", "game_id"), BRAINS)
def test_what_a_seat_may_not_know_changes_no_choice(bot: str, game_id: str) -> None:
    brain = BOTS[bot].brains[game_id]
    changed = 0
    for number, state in enumerate(positions(game_id, seed=6, every=6)):
        other = state.view(state.actor).determinize(Random(number))
        changed += other.view(None) == state.view(None) and other.scores() == state.scores()
        assert brain.choose(other.view(state.actor), Random(2)) == brain.choose(state.view(state.actor), Random(2))
    assert changed > 10


@pytest.mark.parametrize(("bot", "game_id"), BRAINS)
def test_leaves_the_position_it_looked_at_alone(bot: str, game_id: str) -> None:
    codec = registry.codec(game_id)
    for state in positions(game_id, seed=7, every=20):
        before = codec.state_to(state).SerializeToString(deterministic=True)
        BOTS[bot].brains[game_id].choose(state.view(state.actor), Random(3))
        assert codec.state_to(state).SerializeToString(deterministic=True) == before


@pytest.mark.parametrize("players", [3, 4, 5])
def test_greedy_beats_random_by_far(players: int) -> None:
    wins = 0.0
    for plan in plans("agora", (), players, ["greedy", "random"], games=12, seed="strength"):
        played = play_out(plan)
        assert not played.illegal
        wins += played.shares[plan.bots.index("greedy")]
    assert wins >= 8


def test_the_same_plan_plays_the_same_game() -> None:
    plan = Plan("agora", (), ("greedy", "random", "greedy"), hashlib.sha256(b"again").digest())
    first, second = play_out(plan), play_out(plan)
    assert (first.points, first.moves, first.shares) == (second.points, second.moves, second.shares)


def test_bots_go_round_the_seats() -> None:
    seated = [plan.bots for plan in plans("agora", (), 3, ["greedy", "random"], games=3, seed="x")]
    assert seated == [
        ("greedy", "random", "random"),
        ("random", "random", "greedy"),
        ("random", "greedy", "random"),
    ]


def test_somebody_answers_for_every_game() -> None:
    assert all(game_id in STAND_IN.brains for game_id in registry.GAMES)
    assert all(game_id in FALLBACKS[-1].brains for game_id in registry.GAMES)

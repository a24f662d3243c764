"""The bots' brains: legal, repeatable, blind to what their seat may not know, and of the strength they claim."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from boardgamesbot.games import registry
from boardgamesbot.games.base import Options, State
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players.registry import BOTS, FALLBACKS, STAND_IN, may_play
from boardgamesbot.tournament.play import play_out
from boardgamesbot.tournament.schedule import Plan, plans

BRAINS = [(bot.id, game_id) for bot in BOTS.values() for game_id in bot.brains if not bot.by_rule]


def every(bot: str, game_id: str) -> int:
    """One in so many positions is enough; of those that a bot thinks long about, fewer."""
    return 18 if game_id == "barcelona" and BOTS[bot].seconds else 6


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
    for state in positions(game_id, seed=5, every=every(bot, game_id)):
        view = state.view(state.actor)
        move = brain.choose(view, Random(1))
        assert move in state.legal_moves()
        assert brain.choose(view, Random(1)) == move


@pytest.mark.parametrize(("bot", "game_id"), BRAINS)
def test_what_a_seat_may_not_know_changes_no_choice(bot: str, game_id: str) -> None:
    brain = BOTS[bot].brains[game_id]
    changed = 0
    for number, state in enumerate(positions(game_id, seed=6, every=every(bot, game_id))):
        other = state.view(state.actor).determinize(Random(number))
        changed += other.view(None) == state.view(None) and other.scores() == state.scores()
        assert brain.choose(other.view(state.actor), Random(2)) == brain.choose(state.view(state.actor), Random(2))
    assert changed > 3


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


# Bots that come with a game


def all_options(game_id: str) -> Iterator[Options]:
    """Every way to choose the options of a game."""
    options = registry.game(game_id).options
    for values in product(*(option.values for option in options)):
        yield {option.name: value.name for option, value in zip(options, values, strict=True)}


def test_whom_the_rules_want_is_a_bot_that_plays_nothing_else() -> None:
    wanted = {
        (game_id, bot)
        for game_id in registry.GAMES
        for options in all_options(game_id)
        for bot in registry.game(game_id).bots_wanted(options).values()
    }
    assert wanted == {(game_id, bot.id) for bot in BOTS.values() if bot.by_rule for game_id in bot.brains}
    assert not any(bot.by_rule for bot in (STAND_IN, *FALLBACKS)), "they may sit anywhere"


def test_who_may_play_where() -> None:
    wanted = {1: "gaudi"}
    assert [who for who in ("", "random", "greedy", "gaudi") if may_play(who, 1, wanted)] == ["gaudi"]
    assert [who for who in ("", "random", "greedy", "gaudi") if may_play(who, 0, wanted)] == ["", "random", "greedy"]
    assert not may_play("gaudi", 1, {})


@pytest.mark.parametrize("expansion", ["NONE", "PASSEIG_DE_GRACIA"])
def test_gaudi_plays_the_only_move_and_has_no_say_in_anything_else(expansion: str) -> None:
    game, gaudi, rng = registry.game("barcelona"), BOTS["gaudi"].brains["barcelona"], Random(1)
    options = game.complete_options({"solo": "NORMAL", "expansion": expansion})
    state, _ = game.new(2, options, ChanceStream(bytes(32)))
    turns = 0
    while (seat := state.actor) is not None:
        if seat == 1:
            before, move = state.legal_moves(), gaudi.choose(state.view(1), rng)
            assert before == [move]
            turns += 1
        else:
            move = rng.choice(state.legal_moves())
            if len(state.legal_moves()) > 1:
                with pytest.raises(ValueError, match="too many"):
                    gaudi.choose(state.view(0), rng)
        state.play(move)
    assert turns > 8


LEVELS = [(actions, level) for actions in ("FIRST", "BOTH") for level in ("EASY", "NORMAL", "HARD")]


def _against_gaudi(bot: str, actions: str, level: str, expansion: str, games: int) -> tuple[float, float]:
    """The share of games that a bot wins, and Gaudí's mean points; the games begin alike at every level."""
    options = (("solo", level), ("solo_actions", actions), ("expansion", expansion))
    played = [play_out(plan) for plan in plans("barcelona", options, 2, [bot], games, "levels")]
    assert not any(game.illegal for game in played)
    return sum(game.shares[0] for game in played) / games, sum(game.points[1] for game in played) / games


@pytest.mark.parametrize("expansion", ["NONE", "PASSEIG_DE_GRACIA"])
def test_gaudi_makes_more_points_at_each_level(expansion: str) -> None:
    points = [_against_gaudi("random", *level, expansion, games=12)[1] for level in LEVELS]
    assert points == sorted(set(points))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("expansion", ["NONE", "PASSEIG_DE_GRACIA"])
def test_greedy_wins_less_at_each_level(expansion: str) -> None:
    wins = [_against_gaudi("greedy", *level, expansion, games=60)[0] for level in LEVELS]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] > wins[-1]

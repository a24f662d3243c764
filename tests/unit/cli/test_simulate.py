"""Simulations: who sits where, and how sure a share of wins is."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main
from boardgamesbot.cli.simulate import interval, plans, play_out

SOLO = (("solo", "HARD"),)


def test_whom_the_rules_seat_does_not_go_round() -> None:
    seated = [plan.bots for plan in plans("barcelona", SOLO, 2, ["greedy", "random"], games=3, seed="x")]
    assert seated == [("greedy", "gaudi")] * 3


def test_a_simulated_solo_game_is_one_move_a_turn_for_gaudi() -> None:
    (plan,) = plans("barcelona", SOLO, 2, ["random"], games=1, seed="x")
    played = play_out(plan)
    assert not played.illegal
    assert played.moves[1] == played.turns[1] == played.turns[0]
    assert sum(played.shares) == 1


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (5, 200, 0.0107, 0.0572)],
)
def test_the_interval_is_wilsons(wins: float, games: int, low: float, high: float) -> None:
    assert interval(wins, games) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["barcelona", "--solo", "--players", "3"], "solo play has 2 seats"),
        (["barcelona", "--solo", "--seats", "greedy,gaudi"], "a seat where the rules give it one"),
        (["barcelona", "--seats", "gaudi"], "a seat where the rules give it one"),
        (["barcelona", "--difficulty", "hard"], "--difficulty goes with --solo"),
        (["barcelona", "--solo", "--difficulty", "harder"], "'harder' is not one of 'easy', 'normal', 'hard'"),
        (["agora", "--solo"], "--solo is for barcelona"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], says: str) -> None:
    result = CliRunner().invoke(main, ["simulate", *words])
    assert result.exit_code != 0
    assert says in " ".join(result.output.split())

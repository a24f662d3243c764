"""The race of the architect's plans: as many runs as there is time for, most of them for the best."""

from __future__ import annotations

from random import Random

import pytest

from boardgamesbot.players.architect.ahead import played_on
from boardgamesbot.players.architect.judge import judged
from boardgamesbot.players.architect.plans import Turns
from boardgamesbot.players.architect.race import Race
from boardgamesbot.players.architect.swift import Swift
from boardgamesbot.players.architect.weights import PRICES, WEIGHTS
from boardgamesbot.players.base import Budget
from tests.support.barcelona import new_game


def a_race(plans: int, expected: int, seed: int = 1) -> Race:
    """A race of the first turn of a game, one round long."""
    state = new_game(2, seed=seed)
    position = state.view(state.seat).position
    found = Turns(Swift(position, position.seat, PRICES)).find(position, Random(1), Budget(), 60)
    return Race(found[:plans], position.seat, 1, 1, 5, [PRICES] * 2, WEIGHTS, expected)


@pytest.mark.parametrize("expected", [40, 160])
def test_about_the_runs_that_are_expected_leave_two(expected: int) -> None:
    race, runs = a_race(16, expected), 0
    while len(race.left) > 2:
        race.run()
        runs += 1
    assert runs <= 1.3 * expected + 16


def test_the_runs_go_to_the_best() -> None:
    race = a_race(16, 160)
    for _ in range(160):
        race.run()
    assert sum(len(runner.values) for runner in race.runners) == 160
    assert len(race.best.values) > 3 * min(len(runner.values) for runner in race.runners)
    assert race.best.mean == max(runner.mean for runner in race.left)
    assert all(runner.values for runner in race.runners), "no plan is left out untried"


def test_all_that_are_left_have_run_on_the_same_futures() -> None:
    race, again = a_race(8, 100), a_race(8, 100)
    for _ in range(37):
        race.run()
        again.run()
    assert [runner.values for runner in race.runners] == [runner.values for runner in again.runners]
    assert len({len(runner.values) for runner in race.left}) <= 2


def test_who_leads_is_known_before_all_have_run() -> None:
    race = a_race(16, 160)
    assert race.best is race.runners[0], "the best at a glance"
    changed = 0
    for count in range(1, 16):
        race.run()
        ran = race.runners[:count]
        assert race.best.mean == max(runner.mean for runner in ran)
        changed += race.best is not race.runners[0]
    assert changed


def test_a_chance_to_win_grows_with_the_lead_and_most_at_the_end() -> None:
    state = played_on(new_game(2, seed=4), 6, [PRICES] * 2, 1)
    over = played_on(state.copy(), 1000, [PRICES] * 2, 1)
    for position in (state, over):
        ours, theirs = judged(position, 0, WEIGHTS), judged(position, 1, WEIGHTS)
        assert ours.win + theirs.win == pytest.approx(1)
        assert (ours.win > 0.5) == (ours.margin > 0)
    ahead, points = judged(over, 0, WEIGHTS), over.scores()
    assert ahead.margin == points[0] - points[1]

    def after(points: int) -> float:
        """How much the chance grows by so many points more."""
        found = []
        for position in (state, over):
            level, more = position.copy(), position.copy()
            level.vp[0] -= round(judged(position, 0, WEIGHTS).margin)
            more.vp[0] = level.vp[0] + points
            found.append(judged(more, 0, WEIGHTS).win - judged(level, 0, WEIGHTS).win)
        early, late = found
        return late - early if early > 0 else -1.0

    assert after(10) > 0.05

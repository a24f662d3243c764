"""The turns that the architect of Barcelona finds: legal, complete, all different, the best first."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from boardgamesbot.games.barcelona.state import FIELDS, BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.players.architect.plans import Plan, Turns
from boardgamesbot.players.architect.swift import Swift
from boardgamesbot.players.architect.weights import PRICES
from boardgamesbot.players.base import Budget
from tests.support.barcelona import new_game

UNLIMITED = Budget()


def found_in(state: BarcelonaState, finishes: int, budget: Budget = UNLIMITED, seed: int = 1) -> list[Plan]:
    """The plans for the turn of whoever is to move, found on that seat's view."""
    view = state.view(state.actor)
    assert view.seat is not None
    return Turns(Swift(view.position, view.seat, PRICES)).find(view.position, Random(seed), budget, finishes)


def later(players: int, *, expansion: bool, turns: int) -> BarcelonaState:
    """A position at the beginning of a turn, after some that went by chance."""
    state, rng = new_game(players, seed=turns, expansion=expansion), Random(turns)
    while not state.is_over:
        turns -= state.task[0] == Do.PLACE
        if turns < 0:
            break
        state.advance(rng.choice(state.legal_moves()))
    return state


@pytest.mark.parametrize("expansion", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_every_plan_is_a_legal_turn_to_its_end(players: int, expansion: bool) -> None:
    state = later(players, expansion=expansion, turns=7)
    seat = state.seat
    for plan in found_in(state, finishes=60):
        position = state.view(seat).position.copy()
        for move in plan.moves:
            assert position.seat == seat
            assert move in position.legal
            position.advance(move)
        assert position.over or position.seat != seat
        assert position.vp == plan.end.vp
        assert position.citizens == plan.end.citizens


def test_no_two_plans_end_alike_and_the_best_come_first() -> None:
    plans = found_in(later(2, expansion=False, turns=6), finishes=80)
    public = [name for name in FIELDS if name not in ("chance", "game", "ruleset", "options", "legal")]
    ends = [[getattr(plan.end, name) for name in public] for plan in plans]
    assert len(plans) > 20
    assert all(ends.count(end) == 1 for end in ends)
    assert [p.worth for p in plans] == sorted((p.worth for p in plans), reverse=True)


def test_more_finishes_find_a_turn_that_is_no_worse() -> None:
    better = 0
    for turns in range(1, 6):
        state = later(2, expansion=False, turns=turns)
        few, many = found_in(state, finishes=30), found_in(state, finishes=90)
        assert many[0].worth >= few[0].worth
        better += many[0].worth > few[0].worth
    assert better > 0


@pytest.mark.parametrize("turns", [3, 5, 6])
def test_not_only_the_plans_that_begin_best_are_varied(turns: int) -> None:
    begun = Counter(plan.moves[0] for plan in found_in(later(2, expansion=False, turns=turns), finishes=200))
    assert sum(1 for count in begun.values() if count >= 5) >= 5
    assert max(begun.values()) < 60


def test_there_is_a_plan_when_time_is_up_at_once() -> None:
    state = later(2, expansion=False, turns=5)
    assert len(found_in(state, finishes=200, budget=Budget(over=lambda: True))) == 1


def test_a_search_leaves_its_position_alone() -> None:
    state = later(3, expansion=True, turns=5)
    position = state.view(state.seat).position
    before = {name: repr(getattr(position, name)) for name in FIELDS if name not in ("chance", "game")}
    Turns(Swift(position, position.seat, PRICES)).find(position, Random(1), UNLIMITED, 60)
    assert before == {n: repr(getattr(position, n)) for n in FIELDS if n not in ("chance", "game")}

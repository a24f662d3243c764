"""Plans held against one another: each is tried on the same futures, and who falls clearly behind drops out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from boardgamesbot.players.architect.ahead import drawn, played_on
from boardgamesbot.players.architect.judge import Verdict, judged
from boardgamesbot.players.architect.plans import Plan

_LEAST = 5
"""Futures that plans have seen before one that is clearly behind drops out."""
_LAST = 2
"""So many plans stay in the race unless they are clearly behind."""
_LEAD = 0.002
"""What a point of the lead counts beside the chance to win: little, but enough where a game is as good as decided."""
_CLEAR = 2.0
"""Standard errors by which a plan falls behind the best to drop out."""


class Runner:
    """A plan and how it fared in each future."""

    __slots__ = ("mean", "plan", "points", "values", "wins")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.values: list[float] = []
        self.points = 0.0
        self.wins = 0.0
        self.mean = plan.worth

    def ran(self, verdict: Verdict) -> None:
        """Add what it came to in one more future."""
        self.values.append(verdict.win + _LEAD * verdict.margin)
        self.points += verdict.points
        self.wins += verdict.win
        self.mean = sum(self.values) / len(self.values)


class Race:
    """Some plans of one seat, tried one future after another; reproducible from its seed."""

    def __init__(
        self,
        plans: list[Plan],
        seat: int,
        rounds: int,
        tries: int,
        seed: int,
        prices: Sequence[Sequence[float]],
        weights: Sequence[float],
        expected: int,
    ) -> None:
        """Prices are by seat; `expected` is how many times there will be time to run."""
        self._prices = prices
        self._tries = tries
        self._weights = weights
        self.runners = [Runner(plan) for plan in plans]
        """All that began, in no order that matters."""
        self.left = list(self.runners)
        """Those still in the race, the best first."""
        self._seat = seat
        self._rounds = rounds
        self._seed = seed
        self._field = expected / max(1.0, 1 + math.log(len(plans) / _LAST))
        """So many runs are shared by those who are left, however many futures there were before."""
        self._futures = 0
        self._next = 0

    @property
    def best(self) -> Runner:
        """Who leads: of those that ran on the first future, until all have."""
        if not self._futures and self._next:
            return max(self.left[: self._next], key=lambda runner: runner.mean)
        return self.left[0]

    def run(self) -> None:
        """Try the next plan on the future at hand; who has run it least goes first."""
        runner = self.left[self._next]
        state = drawn(runner.plan.end, Random(self._seed + self._futures))
        end = played_on(state, self._rounds * state.players, self._prices, self._tries)
        runner.ran(judged(end, self._seat, self._weights))
        self._next += 1
        if self._next == len(self.left):
            self._next = 0
            self._futures += 1
            self._drop()

    def _drop(self) -> None:
        """Put the leader first, and leave out who is clearly behind."""
        self.left.sort(key=lambda runner: -runner.mean)
        del self.left[max(_LAST, int(self._field / self._futures)) :]
        if self._futures < _LEAST:
            return
        best = self.left[0]
        self.left = [runner for runner in self.left if runner is best or not self._behind(runner, best)]

    def _behind(self, runner: Runner, best: Runner) -> bool:
        count = len(runner.values)
        gap = best.mean - runner.mean
        squares = sum((b - r - gap) ** 2 for b, r in zip(best.values, runner.values, strict=True))
        return gap * gap * count * (count - 1) > _CLEAR * _CLEAR * squares

"""Plans held against one another: each is tried on the same futures, and who falls clearly behind drops out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from boardgamesbot.players.architect.ahead import drawn, played_on
from boardgamesbot.players.architect.judge import Verdict, judged
from boardgamesbot.players.architect.plans import Plan

_LEAST = 5
"""Futures that every plan still in the race has seen before one drops out."""
_CLEAR = 2.0
"""Standard errors by which a plan falls behind the best to drop out."""


class Runner:
    """A plan and how it fared in each future."""

    __slots__ = ("ahead", "margins", "mean", "plan", "points")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.margins: list[float] = []
        self.points = 0.0
        self.ahead = 0.0
        self.mean = plan.worth

    def ran(self, verdict: Verdict) -> None:
        """Add what it came to in one more future."""
        self.margins.append(verdict.margin)
        self.points += verdict.points
        self.ahead += verdict.ahead
        self.mean = sum(self.margins) / len(self.margins)


class Race:
    """Some plans of one seat, tried one future after another; reproducible from its seed."""

    def __init__(
        self,
        plans: list[Plan],
        seat: int,
        rounds: int,
        tries: int,
        seed: int,
        prices: Sequence[float],
        weights: Sequence[float],
    ) -> None:
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
        self._futures = 0
        self._next = 0

    @property
    def best(self) -> Runner:
        """Who leads."""
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
        if self._futures < _LEAST:
            return
        best = self.left[0]
        self.left = [runner for runner in self.left if runner is best or not self._behind(runner, best)]

    def _behind(self, runner: Runner, best: Runner) -> bool:
        count = len(runner.margins)
        gap = best.mean - runner.mean
        squares = sum((b - r - gap) ** 2 for b, r in zip(best.margins, runner.margins, strict=True))
        return gap * gap * count * (count - 1) > _CLEAR * _CLEAR * squares

"""How strong a player is, as results tell: the model of Plackett and Luce as openskill has it, each seat for itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

MODEL = PlackettLuce()
POINTS_AT_FIRST = 1500
POINTS_A_UNIT = 24
"""Points for one unit of mu: 25, where everybody begins, is so 600 points above 0."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What is thought of somebody's strength, and how unsure that is."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    @property
    def points(self) -> int:
        """The number to show: with near certainty (three sigma) the strength is at least that. 1500 at first."""
        rating = MODEL.rating(mu=self.mu, sigma=self.sigma)
        return round(rating.ordinal(alpha=POINTS_A_UNIT, target=POINTS_AT_FIRST))

    @property
    def expected(self) -> float:
        """What it is thought to be, on the same scale and 1500 at first as well: what equals are found by."""
        return POINTS_AT_FIRST + POINTS_A_UNIT * (self.mu - MODEL.mu)


def after(skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The skills after a game that ended with these ranks, the lowest first; equal ranks are a tie."""
    teams = [[MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    return [Skill(rated.mu, rated.sigma) for (rated,) in MODEL.rate(teams, ranks=list(ranks))]


def ranks(standings: Sequence[tuple[int, int]]) -> list[int]:
    """The ranks of standings, from 0; the lowest is the best, and equal ones are a tie."""
    order = sorted(set(standings))
    return [order.index(standing) for standing in standings]

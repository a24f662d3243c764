"""How results become ratings: the model of Plackett and Luce as openskill has it, each seat for itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, Player
from boardgamesbot.v1.tables_pb2 import Seat, Table

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


def counts(table: Table) -> bool:
    """Whether the result of a finished table changes ratings: one that is to, with a person and somebody else."""
    return table.rated and len(table.seats) > 1 and any(person_of(seat) for seat in table.seats)


def person_of(seat: Seat) -> Player | None:
    """The person whose result the seat's is: who resigned it, ran out of time, or has it; None for a bot."""
    if seat.HasField("resigned"):
        return seat.resigned
    if seat.HasField("away"):
        return seat.away
    return None if seat.player.kind == PLAYER_KIND_BOT else seat.player


def ranks_of(table: Table) -> list[int]:
    """The ranks by seat, from 0; equal ones are a tie.

    First the winners, however many share the victory; then the others by points; last those who resigned, who did so
    sooner behind who did so later.
    """
    standings = [_standing(table, seat) for seat in table.seats]
    order = sorted(set(standings))
    return [order.index(standing) for standing in standings]


def _standing(table: Table, seat: Seat) -> tuple[int, int]:
    if seat.HasField("resigned"):
        return 2, -seat.resigned_version
    if seat.seat in table.summary.winners:
        return 0, 0
    return 1, -table.summary.points[seat.seat]

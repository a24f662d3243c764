"""Whose results become ratings, and in what order a table's players came in; what a rating is: `players.skill`."""

from __future__ import annotations

from boardgamesbot.players.skill import Skill, after, ranks
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, Player
from boardgamesbot.v1.tables_pb2 import Seat, Table

__all__ = ["Skill", "after", "counts", "person_of", "ranks_of"]


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
    return ranks([_standing(table, seat) for seat in table.seats])


def _standing(table: Table, seat: Seat) -> tuple[int, int]:
    if seat.HasField("resigned"):
        return 2, -seat.resigned_version
    if seat.seat in table.summary.winners:
        return 0, 0
    return 1, -table.summary.points[seat.seat]

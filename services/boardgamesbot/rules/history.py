"""The history of a table, read out of what the store keeps of each of its versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardgamesbot.v1 import games_pb2, tables_pb2

if TYPE_CHECKING:
    from boardgamesbot.store.tables import StoredEvent


@dataclass(frozen=True)
class PlayedMove:
    """A move of a table's history, and the version it led to."""

    version: int
    seat: int
    move: games_pb2.GameMove
    stood_in: bool
    """Whether a bot played it for a player who was away."""


@dataclass(frozen=True)
class History:
    """What was played from one version of a table to another."""

    standing: list[PlayedMove]
    """The moves that were not taken back, in order."""
    undone: int
    """How many were taken back."""


def history_of(entries: Iterable[StoredEvent], up_to: int) -> History:
    """The history in a table's entries, from wherever they begin up to version `up_to`.

    They must not begin between a move and the version that took it back.
    """
    moves: list[PlayedMove] = []
    undone = 0
    for entry in entries:
        if entry.version > up_to:
            break
        event = tables_pb2.WatchResponse.FromString(entry.event)
        if event.HasField("move_played"):
            played = event.move_played
            move = games_pb2.GameMove.FromString(entry.move)
            moves.append(PlayedMove(entry.version, played.seat, move, stood_in=played.stood_in))
        elif event.HasField("move_undone"):
            moves.pop()
            undone += 1
    return History(moves, undone)


def record_of(table: tables_pb2.Table, snapshot: bytes, moves: Sequence[PlayedMove]) -> games_pb2.GameRecord:
    """The record of a finished table: `snapshot` is its last position, which holds the seed."""
    players = []
    for seat in table.seats:
        person = next(
            who
            for who, is_it in (
                (seat.resigned, seat.HasField("resigned")),
                (seat.away, seat.HasField("away")),
                (seat.player, True),
            )
            if is_it
        )
        resigned = seat.HasField("resigned")
        players.append(games_pb2.RecordPlayer(name=person.name, bot=person.bot, resigned=resigned))
    return games_pb2.GameRecord(
        game_id=table.game_id,
        options=table.options,
        ruleset_hash=table.ruleset_hash,
        players=players,
        seed_commitment=table.seed_commitment,
        seed=games_pb2.GameState.FromString(snapshot).chance.seed,
        moves=[games_pb2.RecordMove(seat=m.seat, move=m.move) for m in moves],
        result=games_pb2.GameResult(points=table.summary.points, winners=table.summary.winners),
    )

"""What people were told about their moves, kept outside of the platform, and held against what the platform keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from boardgamesbot.v1 import games_pb2, tables_pb2


@dataclass
class Entry:
    """A move under its request id, and the answers to it, each time it was sent."""

    request: tables_pb2.SubmitMoveRequest
    accepted: list[tables_pb2.SubmitMoveResponse] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """The reasons."""


@dataclass
class Ledger:
    """The moves of the people at one table."""

    entries: dict[str, Entry] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    """Accepted moves that the record does not have, or has otherwise."""
    doubled: list[str] = field(default_factory=list)
    """Moves in the record that nobody was told about, or requests that were answered in two ways."""

    def entry(self, request: tables_pb2.SubmitMoveRequest) -> Entry:
        return self.entries.setdefault(request.request_id, Entry(request))

    @property
    def accepted(self) -> dict[int, Entry]:
        """By the version each move led to."""
        return {entry.accepted[0].version: entry for entry in self.entries.values() if entry.accepted}

    def check(self, record: games_pb2.GameRecord, start: int, people: set[int]) -> None:
        """Hold it against the record of the game, which began with version `start` and has `people` on these seats."""
        for request_id, entry in self.entries.items():
            if entry.accepted and entry.refused:
                self.doubled.append(f"{request_id} was accepted, and refused as {entry.refused[0]}")
            if len({answer.SerializeToString(deterministic=True) for answer in entry.accepted}) > 1:
                self.doubled.append(f"{request_id} was answered in two ways")
        accepted = self.accepted
        if len(accepted) < sum(bool(entry.accepted) for entry in self.entries.values()):
            self.doubled.append("two moves were accepted for one version")
        for version, entry in accepted.items():
            at = version - start - 1
            request = entry.request
            if not 0 <= at < len(record.moves):
                self.lost.append(f"version {version} is not in the record")
            elif record.moves[at].seat != request.seat or record.moves[at].move != request.move:
                self.lost.append(f"version {version} is another move in the record")
        for at, move in enumerate(record.moves):
            if move.seat in people and start + 1 + at not in accepted:
                self.doubled.append(f"version {start + 1 + at} was played for a person who was not told")


def gaps_and_repeats(versions: list[int], last: int | None = None) -> Iterator[str]:
    """Where versions a watcher was sent, from the first on, do not follow one another up to the `last`."""
    for before, after in zip([0, *versions], versions, strict=False):
        if after != before + 1:
            yield f"version {after} after {before}"
    if last is not None and versions and versions[-1] != last:
        yield f"the end: version {versions[-1]} of {last}"

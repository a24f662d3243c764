"""What is archived of a table: itself as it ended, and the record of its game."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format

from boardgamesbot.games.proto import UNREADABLE_JSON
from boardgamesbot.v1.games_pb2 import GameRecord
from boardgamesbot.v1.tables_pb2 import Table

FORMAT = 1
"""Goes up when a reader of before could not read what is written."""

_GAME = re.compile(r"[a-z][a-z0-9]*")
_TABLE = re.compile(r"[a-z0-9]{5,}")


class BadDocument(Exception):
    """The bytes are no archived table; the message says why."""


@dataclass(frozen=True, slots=True)
class ArchivedTable:
    """A table whose game is over."""

    table: Table
    record: GameRecord
    ended_ms: int
    """When the game was over, in ms by the store's clock."""

    @property
    def name(self) -> str:
        """The name of its file."""
        return name_of(self.table.game_id, self.table.id)

    def to_bytes(self) -> bytes:
        """JSON, the same for the same table always; `bgb replay` reads it."""
        document = {
            "format": FORMAT,
            "ended_ms": self.ended_ms,
            "table": json_format.MessageToDict(self.table),
            "record": json_format.MessageToDict(self.record),
        }
        text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return text.encode() + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> ArchivedTable:
        """Read it again. Raises BadDocument."""
        try:
            document: Any = json.loads(data)
            if document["format"] != FORMAT:
                raise BadDocument(f"it is of format {document['format']!r}, and this program reads {FORMAT}")
            table = json_format.ParseDict(document["table"], Table(), ignore_unknown_fields=True)
            record = json_format.ParseDict(document["record"], GameRecord(), ignore_unknown_fields=True)
            return cls(table, record, int(document["ended_ms"]))
        except (*UNREADABLE_JSON, KeyError, TypeError) as error:
            raise BadDocument(f"no archived table: {type(error).__name__}: {error}") from error


def name_of(game_id: str, table_id: str) -> str:
    """The name of a table's file: its id alone leads to it, with one look for each game there is.

    Two folders deep, so that none of them holds too many.
    """
    if not _GAME.fullmatch(game_id) or not _TABLE.fullmatch(table_id):
        raise ValueError(f"no table of a game: {game_id[:40]!r}, {table_id[:40]!r}")
    return f"{game_id}/{table_id[:2]}/{table_id[2:4]}/{table_id}.json"

"""An archived table is the same bytes always, and the same table again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from google.protobuf import json_format

from boardgamesbot.archive.documents import ArchivedTable, BadDocument, name_of
from boardgamesbot.games import registry
from boardgamesbot.store.keys import new_table_id
from boardgamesbot.v1.games_pb2 import GameRecord
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_FINISHED, Seat, Table

GOLDEN = Path(__file__).parents[2] / "golden" / "agora-3.json"


def _archived() -> ArchivedTable:
    record = json_format.ParseDict(json.loads(GOLDEN.read_text())["record"], GameRecord())
    seats = [Seat(seat=i) for i in range(3)]
    seats[0].player.name = "Ada ✨ \u202e"
    table = Table(
        id="0abcdefghijklm", version=77, game_id="agora", status=TABLE_STATUS_FINISHED, seats=seats,
        seed_commitment=record.seed_commitment,
    )  # fmt: skip
    return ArchivedTable(table, record, 1_700_000_000_123)


def test_there_and_back() -> None:
    archived = _archived()
    again = ArchivedTable.from_bytes(archived.to_bytes())
    assert again == archived
    assert again.to_bytes() == archived.to_bytes()


def test_the_id_and_the_game_lead_to_the_file() -> None:
    assert _archived().name == name_of("agora", "0abcdefghijklm") == "agora/0a/bc/0abcdefghijklm.json"
    names = {name_of(game_id, new_table_id()) for game_id in registry.GAMES for _ in range(50)}
    assert len(names) == 50 * len(registry.GAMES)


@pytest.mark.parametrize("table_id", ["", "..", "../../x", "0abc/efghijklm", "0ABCdefghijklm"])
def test_no_name_leads_out_of_the_archive(table_id: str) -> None:
    with pytest.raises(ValueError, match="no table"):
        name_of("agora", table_id)


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"null", b"\xff", b'{"format":1}', _archived().to_bytes()[:500]],
)
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(BadDocument):
        ArchivedTable.from_bytes(data)


def test_a_format_to_come_is_refused_and_a_field_to_come_is_not() -> None:
    document = json.loads(_archived().to_bytes())
    document["table"]["newField"] = 1
    assert ArchivedTable.from_bytes(json.dumps(document).encode()) == _archived()
    document["format"] = 2
    with pytest.raises(BadDocument, match="format 2"):
        ArchivedTable.from_bytes(json.dumps(document).encode())

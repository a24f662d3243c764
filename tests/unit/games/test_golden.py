"""Records of whole games, made by an earlier version, still replay to the same end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from boardgamesbot.games import registry
from boardgamesbot.games.record import Record, verify
from boardgamesbot.games.record_proto import record_from, record_to
from boardgamesbot.v1 import games_pb2
from tests.golden.make import FOLDER, GAMES, play, state_hash

FILES = sorted(FOLDER.glob("*.json"))


def read(name: str) -> tuple[Record, games_pb2.GameRecord, str]:
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    message = ParseDict(document["record"], games_pb2.GameRecord())
    return record_from(message), message, document["final_state"]


@pytest.mark.parametrize("name", GAMES)
def test_replays_to_the_same_end(name: str) -> None:
    record, message, final_state = read(name)
    verdict = verify(record)
    assert verdict.fault is None
    assert verdict.moves == len(record.moves)
    assert verdict.state is not None
    assert state_hash(verdict.state) == final_state
    assert record_to(record) == message


@pytest.mark.parametrize("name", GAMES)
def test_is_what_the_script_makes(name: str) -> None:
    """The same chance and the same choices make the same record: legal moves keep their order, too."""
    game_id, players, options = GAMES[name]
    record, _ = play(game_id, players, options, list(GAMES).index(name))
    assert record == read(name)[0]


def test_every_file_is_replayed_and_small() -> None:
    assert {path.stem for path in FILES} == set(GAMES)
    assert all(path.stat().st_size < 40_000 for path in FILES)


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_every_number_of_players_and_every_option_is_there(game_id: str) -> None:
    game = registry.game(game_id)
    records = [read(name)[0] for name, (kind, _, _) in GAMES.items() if kind == game_id]
    assert {len(record.players) for record in records} == set(range(game.min_players, game.max_players + 1))
    for option in game.options:
        assert {record.options[option.name] for record in records} == {value.name for value in option.values}

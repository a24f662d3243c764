"""Games at a real table kept in files: all that was entered, one entry a line."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from boardgamesbot.games import registry
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.gaudi.asking import Asking, NotUnderstood
from boardgamesbot.games.barcelona.gaudi.physical import PhysicalGame
from boardgamesbot.games.barcelona.gaudi.questions import About, Entry
from boardgamesbot.games.base import GameError, Malformed, Options
from boardgamesbot.v1 import games_pb2

GAME_ID = "barcelona"
KIND = "bgb gaudi"


class Unreadable(Exception):
    """A file is not a game that can be gone on with here."""


def keep(table: PhysicalGame, path: Path) -> None:
    """Write a game so that the file is whole at any moment: the new one takes the old one's place."""
    asking = Asking(table)
    head = {"kind": KIND, "ruleset_hash": table.game.ruleset.hash, "options": dict(table.options)}
    entries = [json.dumps({entry.about: _out(asking, entry)}, ensure_ascii=False) for entry in table.entries]
    text = json.dumps(head, ensure_ascii=False)[:-1] + ', "entries": [\n' + ",\n".join(entries) + "\n]}\n"
    new = path.with_name(f".{path.name}.new")
    with new.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def load(path: Path) -> PhysicalGame:
    """The game of a file. Raises Unreadable."""
    try:
        found = json.loads(path.read_text("utf-8"))
        if found["kind"] != KIND:
            raise KeyError("kind")
        figures, options, entries = found["ruleset_hash"], dict(found["options"]), list(found["entries"])
    except (OSError, ValueError, TypeError, KeyError):
        raise Unreadable(f"{path} is no game that bgb gaudi kept") from None
    game = registry.game(GAME_ID)
    assert isinstance(game, Barcelona)
    if figures != game.ruleset.hash:
        raise Unreadable(f"{path} was played with other figures: name their file with --ruleset")
    return _played(path, game, options, entries)


def _played(path: Path, game: Barcelona, options: Options, entries: Sequence[Any]) -> PhysicalGame:
    try:
        table = PhysicalGame(game, options)
    except Malformed as error:
        raise Unreadable(f"{path}: {error}") from None
    asking = Asking(table)
    for number, entry in enumerate(entries, 1):
        try:
            ((about, answer),) = entry.items()
            if table.question is None or table.question.about != about:
                raise NotUnderstood(f"{about} is not what is asked there")
            table.enter(_in(asking, table, answer))
        except (GameError, AttributeError, TypeError, ValueError) as error:
            raise Unreadable(f"{path}: entry {number} does not fit: {error}") from None
    return table


def _out(asking: Asking, entry: Entry) -> Any:
    if entry.about is About.MOVE:
        message = registry.codec(GAME_ID).move_to(entry.answer)
        return json_format.MessageToDict(message)[GAME_ID]
    return asking.name(entry.about, entry.answer)


def _in(asking: Asking, table: PhysicalGame, answer: Any) -> int:
    question = table.question
    assert question is not None
    if question.about is not About.MOVE:
        return asking.answer(question, str(answer).lower())
    try:
        message = json_format.ParseDict({GAME_ID: answer}, games_pb2.GameMove())
    except json_format.ParseError as error:
        raise NotUnderstood(str(error)) from None
    return registry.codec(GAME_ID).move_from(message)

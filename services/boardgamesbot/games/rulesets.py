"""Ruleset files: the figures of a game as a JSON document that anybody can replace.

    {"game": "barcelona", "board": {…}, …}

A file says which game it is for and holds any of the parts of that game's ruleset; a part that it leaves out is the
one shipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from boardgamesbot.games.base import Malformed, Ruleset
from boardgamesbot.games.registry import CODECS
from boardgamesbot.games.schema import parse, place, shown

GAME = "game"
WIDTH = 100
_FIRST, _LAST = (GAME, "id", "name"), ("source", "note")


def read(text: str) -> tuple[str, str]:
    """The game that a file is for, and the whole document with what the file leaves out. Raises Malformed."""
    given = parse(text)
    game_id = given.pop(GAME, None)
    if not isinstance(game_id, str):
        raise Malformed(GAME, f"must say which game this is for: {', '.join(CODECS)}")
    parts = shipped_parts(game_id)
    for part in given:
        if part not in parts:
            raise Malformed(part, f"is no part of this ruleset; there is {', '.join(parts)}")
    return game_id, json.dumps(parts | given, ensure_ascii=False)


def shipped_parts(game_id: str) -> dict[str, Any]:
    """The parts of the ruleset that comes with the platform. Raises Malformed for a game there is not."""
    return parts_of(CODECS.load(game_id))


def parts_of(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset by parts."""
    parts: dict[str, Any] = json.loads(ruleset.json)
    return parts


@dataclass(frozen=True)
class Difference:
    """A value that is not the one shipped."""

    where: str
    shipped: str
    own: str


def differences(shipped: object, own: object, steps: tuple[str | int, ...] = ()) -> Iterator[Difference]:
    """What is not alike in two documents, place by place."""
    if isinstance(shipped, dict) and isinstance(own, dict):
        for key in [*shipped, *(key for key in own if key not in shipped)]:
            yield from differences(shipped.get(key, _ABSENT), own.get(key, _ABSENT), (*steps, key))
    elif isinstance(shipped, list) and isinstance(own, list):
        for i in range(max(len(shipped), len(own))):
            before, after = (part[i] if i < len(part) else _ABSENT for part in (shipped, own))
            yield from differences(before, after, (*steps, i))
    elif shipped != own or type(shipped) is not type(own):
        yield Difference(place(steps), *("nothing" if v is _ABSENT else shown(v) for v in (shipped, own)))


_ABSENT = object()


def sourced(value: object, source: str, steps: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """The entries that are of a source, or whose note speaks of it: each with its note, empty where it has none.

    An entry of a list is called by its id: `actions.COINS`.
    """
    if isinstance(value, list):
        for i, part in enumerate(value):
            name = part.get("id", f"{i}") if isinstance(part, dict) else f"{i}"
            yield from sourced(part, source, (*steps, name))
    elif isinstance(value, dict):
        note = value.get("note", "")
        if value.get("source") == source or source in note.split():
            yield ".".join(steps), note
        for key, part in value.items():
            yield from sourced(part, source, (*steps, key))


def page(game_id: str, parts: dict[str, Any]) -> str:
    """A ruleset file with these parts, to be edited by hand."""
    return pretty({GAME: game_id, **parts}) + "\n"


def pretty(value: object, indent: int = 0, used: int = 0) -> str:
    """JSON as a person wants to edit it: what fits into a line is one; names first, sources last.

    `used` is how much of its first line is taken.
    """
    line = json.dumps(_ordered(value), ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or (used and used + len(line) < WIDTH):
        return line
    deeper = indent + 2
    if isinstance(value, dict):
        keys = [(f"{json.dumps(key, ensure_ascii=False)}: ", part) for key, part in _sorted(value)]
    else:
        keys = [("", part) for part in value]
    inside = ",\n".join(f"{' ' * deeper}{key}{pretty(part, deeper, deeper + len(key))}" for key, part in keys)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{inside}\n{' ' * indent}{closing}"


def _ordered(value: object) -> object:
    if isinstance(value, dict):
        return {key: _ordered(part) for key, part in _sorted(value)}
    return [_ordered(part) for part in value] if isinstance(value, list) else value


def _sorted(value: dict[str, object]) -> list[tuple[str, object]]:
    return sorted(value.items(), key=lambda item: (_rank(item[0]), item[0]))


def _rank(key: str) -> int:
    if key in _FIRST:
        return _FIRST.index(key)
    return len(_FIRST) + 1 + _LAST.index(key) if key in _LAST else len(_FIRST)

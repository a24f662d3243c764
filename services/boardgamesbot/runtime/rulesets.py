"""Rulesets of one's own: the files that the setting `ruleset` names, put to use before anything is made of them."""

from __future__ import annotations

import os
from pathlib import Path

from boardgamesbot.games import registry, rulesets
from boardgamesbot.games.base import Malformed

MOST_BYTES = 1_000_000


class BadRuleset(Exception):
    """A file that no game can be played with; the message names the file and the place in it."""


def paths(setting: str) -> list[Path]:
    """The files that a setting names, one after another as in PATH."""
    return [Path(name) for name in setting.split(os.pathsep) if name]


def read(file: Path) -> tuple[str, str]:
    """The game that a file is for, and its whole ruleset, which is a sound one. Raises BadRuleset."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise BadRuleset(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadRuleset(f"{file}: is not text in UTF-8") from None
    if len(content) > MOST_BYTES:
        raise BadRuleset(f"{file}: is larger than any ruleset: more than {MOST_BYTES} bytes")
    try:
        game_id, document = rulesets.read(text)
        registry.CODECS.load(game_id, document)
    except Malformed as error:
        raise BadRuleset(": ".join(part for part in (str(file), error.field, error.reason) if part)) from None
    return game_id, document


def use(setting: str) -> None:
    """Play with the rulesets of these files from now on. Raises BadRuleset."""
    named: dict[str, Path] = {}
    for file in paths(setting):
        game_id, document = read(file)
        if game_id in named:
            raise BadRuleset(f"{file}: is for {game_id}, as {named[game_id]} is: name one ruleset for each game")
        named[game_id] = file
        registry.use(game_id, document)

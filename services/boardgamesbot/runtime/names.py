"""Names of people and of their programs, as they are shown to others: the one place where they are let in.

A name is one line that everybody can see whole, and that looks like nobody else who matters here.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from boardgamesbot.players.registry import BOTS
from boardgamesbot.runtime import errors

NAME_LENGTH = 32
MOST_MARKS = 3
"""Accents and vowel signs on one letter: as many as languages need, fewer than it takes to smear over other lines."""

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""What Unicode calls letters, marks or symbols, and shows as nothing. (Other invisible ones it calls unprintable.)"""
_VARIATIONS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
"""They choose between two pictures of the character before; a name is as well without."""
_WITHOUT_VARIATIONS = dict.fromkeys(_VARIATIONS)

_OFFICES = (
    "Admin", "Administrator", "BoardGamesBot", "Moderator", "Operator", "Server", "Service", "Support", "System",
)  # fmt: skip
_LOOKALIKES = str.maketrans(
    {
        **dict(zip("0134578", "oleastb", strict=True)),
        **dict(zip("$@!|", "sall", strict=True)),
        **dict(zip("авеіјкмнорстухѕԁԛԝɡɩıƖ", "abeljkmhopctyxsdqwglll", strict=True)),
        **dict(zip("αβγεικνορτυχω", "abyelknoptuxw", strict=True)),
        "i": "l",
    }
)
"""Characters taken for others at a glance, on the way to `_skeleton`."""


def clean_name(name: str) -> str:
    """A name as it is shown; empty where there was none. Raises ApiError (INVALID_FIELD, NAME_RESERVED)."""
    plain = unicodedata.normalize("NFKC", name).translate(_WITHOUT_VARIATIONS)
    clean = " ".join(plain.split())
    if len(clean) > NAME_LENGTH:
        raise errors.invalid_field("name", f"must have at most {NAME_LENGTH} characters, has {len(clean)}")
    if not clean.isprintable() or not _INVISIBLE.isdisjoint(clean):
        raise errors.invalid_field("name", "holds characters that can't be shown")
    _check_marks(clean)
    if clean and _skeleton(clean) in _reserved():
        raise errors.name_reserved(clean)
    return clean


def _check_marks(name: str) -> None:
    """Marks need a letter to sit on, and not many share one."""
    marks = MOST_MARKS
    for character in name:
        if unicodedata.category(character) in ("Mn", "Me"):
            marks += 1
            if marks > MOST_MARKS:
                raise errors.invalid_field("name", f"has marks without a letter, or more than {MOST_MARKS} on one")
        else:
            marks = MOST_MARKS if character == " " else 0


@cache
def _reserved() -> frozenset[str]:
    bots = [name for bot in BOTS.values() for name in (bot.id, bot.name)]
    return frozenset(map(_skeleton, (*bots, *_OFFICES)))


def _skeleton(name: str) -> str:
    """What is left of a name at a glance: without case, accents, spaces, marks; lookalikes are one letter."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(character for character in apart if not unicodedata.combining(character))
    return "".join(character for character in bare.translate(_LOOKALIKES) if character.isalnum())

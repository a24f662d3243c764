"""Agora's data: districts, borders, squares and figures, read from data.json and checked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from boardgamesbot.games.base import Malformed, Ruleset

DISTRICTS = 10
SQUARES = 60


@dataclass(frozen=True)
class Setup:
    """What depends on the number of players."""

    walkers: int
    removed: int
    turns: int


@dataclass(frozen=True)
class AgoraRuleset(Ruleset):
    """Districts are numbered from 0 in the order of the data, squares from 1."""

    hand: int = 0
    seat_colours: tuple[str, ...] = ()
    setups: tuple[tuple[int, Setup], ...] = ()
    """By number of players."""
    district_names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    neighbours: tuple[tuple[int, ...], ...] = ()
    square_names: tuple[str, ...] = ()
    """By number; [0] is empty."""
    district_of: tuple[int, ...] = ()
    """The district of each square; [0] is -1."""
    value_of: tuple[int, ...] = ()
    """The value of each square; [0] is 0."""

    def setup(self, players: int) -> Setup:
        """The figures for so many players."""
        return dict(self.setups)[players]


def load(document: str | None = None) -> AgoraRuleset:
    """The ruleset of a JSON document (left out: the one shipped). Raises Malformed with the entry at fault."""
    text = (files(__package__) / "data.json").read_text("utf-8") if document is None else document
    try:
        data: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise Malformed("ruleset", f"is not JSON: {error}") from None
    try:
        return _ruleset(data)
    except KeyError as error:
        raise Malformed("ruleset", f"has an entry without {error}") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise Malformed("ruleset", f"has an entry of the wrong kind: {error}") from None


def _ruleset(data: dict[str, Any]) -> AgoraRuleset:
    districts: list[dict[str, Any]] = data["districts"]
    squares: list[dict[str, Any]] = data["squares"]
    number = {district["id"]: i for i, district in enumerate(districts)}
    if len(number) != DISTRICTS:
        raise Malformed("districts", f"must be {DISTRICTS} different ones, not {len(number)}")
    if len(squares) != SQUARES:
        raise Malformed("squares", f"must be {SQUARES}, not {len(squares)}")
    for i, district in enumerate(districts):
        for other in district["adjacent"]:
            if other not in number or district["id"] not in districts[number[other]]["adjacent"]:
                raise Malformed(f"districts[{i}].adjacent", f"{other!r} is no district that borders on this one too")
    for i, square in enumerate(squares):
        if square["district"] not in number:
            raise Malformed(f"squares[{i}].district", f"there is no district {square['district']!r}")
        if not isinstance(square["value"], int) or not 1 <= square["value"] <= 9:
            raise Malformed(f"squares[{i}].value", f"must be 1 to 9, not {square['value']!r}")
    for players, setup in data["players"].items():
        in_play = SQUARES - setup["squares_removed"]
        if not data["hand"]["squares"] * int(players) <= in_play == setup["turns"] * int(players):
            raise Malformed(f"players[{players}]", "must have turns enough to use up every square in play, and no more")
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return AgoraRuleset(
        json=canonical,
        hash=hashlib.sha256(canonical.encode()).hexdigest(),
        hand=data["hand"]["squares"],
        seat_colours=tuple(data["seat_colours"]["colours"]),
        setups=tuple(
            (int(n), Setup(entry["walkers"], entry["squares_removed"], entry["turns"]))
            for n, entry in data["players"].items()
        ),
        district_names=tuple(district["name"] for district in districts),
        points=tuple(district["points"] for district in districts),
        neighbours=tuple(tuple(sorted(number[a] for a in district["adjacent"])) for district in districts),
        square_names=("", *(square["name"] for square in squares)),
        district_of=(-1, *(number[square["district"]] for square in squares)),
        value_of=(0, *(square["value"] for square in squares)),
    )

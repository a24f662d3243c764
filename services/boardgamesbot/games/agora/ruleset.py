"""Agora's data: districts, borders, squares and figures, read from data.json and checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from importlib.resources import files

from boardgamesbot.games.agora import schema
from boardgamesbot.games.agora.schema import DISTRICTS, SQUARES
from boardgamesbot.games.base import Malformed, Ruleset
from boardgamesbot.games.schema import parse, shown, validated

__all__ = ["DISTRICTS", "SQUARES", "AgoraRuleset", "Setup", "load"]


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
    parts = parse(text)
    data = validated(schema.Data, parts)
    _check_sources(data)
    number = _districts(data)
    _check_squares(data, number)
    _check_players(data)
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return AgoraRuleset(
        json=canonical,
        hash=hashlib.sha256(canonical.encode()).hexdigest(),
        hand=data.hand.squares,
        seat_colours=tuple(data.seat_colours.colours),
        setups=tuple((int(n), Setup(e.walkers, e.squares_removed, e.turns)) for n, e in data.players.items()),
        district_names=tuple(district.name for district in data.districts),
        points=tuple(district.points for district in data.districts),
        neighbours=tuple(tuple(sorted(number[a] for a in district.adjacent)) for district in data.districts),
        square_names=("", *(square.name for square in data.squares)),
        district_of=(-1, *(number[square.district] for square in data.squares)),
        value_of=(0, *(square.value for square in data.squares)),
    )


def _check_sources(data: schema.Data) -> None:
    sourced: dict[str, schema.Entry] = {"seat_colours": data.seat_colours, "hand": data.hand}
    sourced |= {f"players.{players}": entry for players, entry in data.players.items()}
    sourced |= {f"districts[{i}]": entry for i, entry in enumerate(data.districts)}
    sourced |= {f"squares[{i}]": entry for i, entry in enumerate(data.squares)}
    for where, entry in sourced.items():
        if entry.source not in data.sources:
            raise Malformed(f"{where}.source", f"{shown(entry.source)} is not one of {', '.join(data.sources)}")


def _districts(data: schema.Data) -> dict[str, int]:
    """The number of each district. Raises Malformed where borders do not fit together."""
    number: dict[str, int] = {}
    names: set[str] = set()
    for i, district in enumerate(data.districts):
        for field, value, taken in (("id", district.id, number), ("name", district.name, names)):
            if value in taken:
                raise Malformed(f"districts[{i}].{field}", f"{shown(value)} is that of another district already")
        number[district.id] = i
        names.add(district.name)
    for i, district in enumerate(data.districts):
        for j, other in enumerate(district.adjacent):
            borders = other in number and other != district.id and district.id in data.districts[number[other]].adjacent
            if not borders or other in district.adjacent[:j]:
                reason = f"{shown(other)} is no district that borders on this one too, or is named twice"
                raise Malformed(f"districts[{i}].adjacent[{j}]", reason)
    return number


def _check_squares(data: schema.Data, districts: Collection[str]) -> None:
    names: set[str] = set()
    for i, square in enumerate(data.squares):
        if square.district not in districts:
            raise Malformed(f"squares[{i}].district", f"there is no district {shown(square.district)}")
        if square.name in names:
            raise Malformed(f"squares[{i}].name", f"{shown(square.name)} is that of another square already")
        names.add(square.name)


def _check_players(data: schema.Data) -> None:
    colours = data.seat_colours.colours
    if len(set(colours)) != len(colours):
        raise Malformed("seat_colours.colours", "must be five different ones")
    for players in schema.PLAYERS:
        where = f"players.{players}"
        if players not in data.players:
            raise Malformed(where, "is missing")
        setup = data.players[players]
        in_play, hands = SQUARES - setup.squares_removed, data.hand.squares * int(players)
        if setup.turns * int(players) != in_play:
            raise Malformed(f"{where}.turns", f"must use up the {in_play} squares in play, {players} a turn")
        if hands > in_play:
            raise Malformed("hand.squares", f"takes {hands} squares for {players} players; {in_play} are in play")

"""What the data of Agora Barcelona must look like. Each value says where it comes from."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import Field

from boardgamesbot.games.schema import Name, Strict

DISTRICTS: Final = 10
SQUARES: Final = 60
PlayerCount = Literal["3", "4", "5"]
PLAYERS: tuple[PlayerCount, ...] = get_args(PlayerCount)

Id = Annotated[str, Field(min_length=1, max_length=48)]


class Entry(Strict):
    """Something with a source, one of the part `sources`."""

    source: str


class SeatColours(Entry):
    """The colours of the seats, clockwise."""

    colours: Annotated[list[Name], Field(min_length=5, max_length=5)]


class Hand(Entry):
    """The squares that each player begins with."""

    squares: Annotated[int, Field(ge=1, le=SQUARES)]


class Setup(Entry):
    """What depends on the number of players."""

    walkers: Annotated[int, Field(ge=1, le=99)]
    squares_removed: Annotated[int, Field(ge=0, le=SQUARES)]
    turns: Annotated[int, Field(ge=1, le=SQUARES)]


class District(Entry):
    """A district, the points of its leader, and the districts it borders on."""

    id: Id
    name: Name
    points: Annotated[int, Field(ge=0, le=99)]
    adjacent: Annotated[list[Id], Field(min_length=1, max_length=DISTRICTS)]


class Square(Entry):
    """A square and the walkers it brings."""

    district: Id
    name: Name
    value: Annotated[int, Field(ge=1, le=9)]


class Data(Strict):
    """Every part of the ruleset; `sources` says what each source means."""

    sources: dict[str, str]
    seat_colours: SeatColours
    hand: Hand
    players: dict[PlayerCount, Setup]
    districts: Annotated[list[District], Field(min_length=DISTRICTS, max_length=DISTRICTS)]
    squares: Annotated[list[Square], Field(min_length=SQUARES, max_length=SQUARES)]

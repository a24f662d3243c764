"""What happens in Barcelona. Everything is public but the citizens drawn; numbers are those of `geometry` and the
ruleset. `seat` is the player concerned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Self

from boardgamesbot.games.barcelona.reasons import Reason as Reason
from boardgamesbot.games.base import Event


class Pieces(IntEnum):
    """Pieces that lie in stacks on a player board."""

    MARKERS = 1
    NARROW = 2
    WIDE = 3


class Track(IntEnum):
    """A track of the players."""

    CERDA = 1
    SAGRADA = 2


@dataclass(frozen=True)
class TurnBegan(Event):
    """A player's turn began; rounds count from 1."""

    seat: int
    round: int


@dataclass(frozen=True)
class Placed(Event):
    """Both citizens were placed; `bottom` and `top` are classes."""

    seat: int
    intersection: int
    bottom: int
    top: int


@dataclass(frozen=True)
class NowhereToPlace(Event):
    """No intersection was empty: the two citizens left the game (BA-A5)."""

    seat: int
    citizens: tuple[int, ...]


@dataclass(frozen=True)
class ActionTaken(Event):
    """The action of a street was taken; `ridden`: through a passenger."""

    seat: int
    street: int
    action: int
    ridden: bool


@dataclass(frozen=True)
class Scored(Event):
    """Points were gained."""

    seat: int
    points: int
    reason: Reason


@dataclass(frozen=True)
class Gained(Event):
    """Coins and cloth were gained, all as one gain, before anything is given up for want of room."""

    seat: int
    coins: int
    cloth: int
    reason: Reason


@dataclass(frozen=True)
class Paid(Event):
    """Coins and cloth were paid."""

    seat: int
    coins: int
    cloth: int


@dataclass(frozen=True)
class Kept(Event):
    """The storage overflowed, and this is what was kept."""

    seat: int
    coins: int
    cloth: int


@dataclass(frozen=True)
class Advanced(Event):
    """A marker moved by `steps` on a track; those beyond its ends are lost and not counted."""

    seat: int
    track: Track
    steps: int
    space: int
    reason: Reason


@dataclass(frozen=True)
class StreetBuilt(Event):
    """A street tile was placed: `kind` is 1 narrow, 2 wide."""

    seat: int
    section: int
    kind: int
    stack: int


@dataclass(frozen=True)
class StackEmptied(Event):
    """The last piece of a stack was taken."""

    seat: int
    pieces: Pieces
    stack: int


@dataclass(frozen=True)
class IntersectionBuilt(Event):
    """An Intersection tile was placed."""

    seat: int
    intersection: int


@dataclass(frozen=True)
class TramMoved(Event):
    """A tram ended its way on a section; `entered`: it came into the city."""

    seat: int
    section: int
    entered: bool


@dataclass(frozen=True)
class PassengerPlaced(Event):
    """A passenger was placed."""

    seat: int
    section: int


@dataclass(frozen=True)
class CobblestonePlaced(Event):
    """A cobblestone was placed on a space of the Sidewalk."""

    seat: int
    space: int


@dataclass(frozen=True)
class ServiceBuilt(Event):
    """A Public Service was built; `tier` 0 is the top tile of a stack."""

    seat: int
    stack: int
    service: int
    tier: int


@dataclass(frozen=True)
class ModernismeTaken(Event):
    """A Modernisme tile went from the display to a project space."""

    seat: int
    tile: int
    shown: int
    space: int


@dataclass(frozen=True)
class ModernismeShown(Event):
    """A place of the display was filled from the stack; `tile` -1: the stack is used up."""

    tile: int
    shown: int


@dataclass(frozen=True)
class ProjectImproved(Event):
    """A project space was improved."""

    seat: int
    space: int


@dataclass(frozen=True)
class SagradaTaken(Event):
    """A Sagrada Família tile was taken; `tile` -1: there was none left of that level (0 to 3)."""

    seat: int
    tile: int
    level: int


@dataclass(frozen=True)
class Built(Event):
    """A building was constructed; `citizens` are the classes taken off, one from each of `intersections`."""

    seat: int
    site: int
    building: int
    intersections: tuple[int, ...]
    citizens: tuple[int, ...]


@dataclass(frozen=True)
class MarkerPlaced(Event):
    """A marker went from a stack onto a building."""

    seat: int
    site: int
    stack: int


@dataclass(frozen=True)
class RowBonusTaken(Event):
    """The Building Bonus tile of a row of blocks was taken."""

    seat: int
    row: int


@dataclass(frozen=True)
class CitizenTracked(Event):
    """A citizen went to the citizen track; `space` -1: its row is full, it left the game."""

    seat: int
    citizen: int
    space: int


@dataclass(frozen=True)
class CerdaScored(Event):
    """A section's Cerdà tile was scored: by seat, the tile's value and the multiplier."""

    section: int
    tile: int
    values: tuple[int, ...]
    multipliers: tuple[int, ...]


@dataclass(frozen=True)
class EndBegan(Event):
    """The third Cerdà scoring has happened: the round is played to its end. `bag_empty`: for want of citizens."""

    bag_empty: bool


@dataclass(frozen=True)
class Stepped(Event):
    """A Pedestrian (0 Barcelona, 1 Gràcia) made a step: it stands on the 1st, 2nd or 3rd space of its way."""

    seat: int
    pedestrian: int
    step: int


@dataclass(frozen=True)
class JoyGained(Event):
    """A Pedestrian's Joy rose to `joy`."""

    seat: int
    pedestrian: int
    joy: int
    reason: Reason


@dataclass(frozen=True)
class Arrived(Event):
    """A Pedestrian reached its destination with so much Joy."""

    seat: int
    pedestrian: int
    joy: int


@dataclass(frozen=True)
class WentBack(Event):
    """A Pedestrian went back to the city it starts from."""

    seat: int
    pedestrian: int


@dataclass(frozen=True)
class HexagonPlaced(Event):
    """A hexagonal cobblestone was placed; `violet` is the stone whose condition counted, `times` how often."""

    seat: int
    space: int
    violet: int
    times: int


@dataclass(frozen=True)
class Declined(Event):
    """Something offered was declined; `kind` is what the move would have been (`moves.Kind`)."""

    seat: int
    kind: int


class Matter(IntEnum):
    """What Gaudí chose."""

    MEEPLE = 1
    """The intersection that his meeple moves to."""
    SERVICE = 2
    """A stack of Public Services."""
    MODERNISME = 3
    """A place of the display."""
    PROJECT = 4
    """A project space."""
    STREET = 5
    """A section."""
    INTERSECTION = 6
    COBBLESTONE = 7
    """A space of the Sidewalk."""
    PASSENGER = 8
    """A section."""
    SAGRADA_TILE = 9
    SITE = 10
    """Where he constructs."""
    CITIZEN = 11
    """The intersection whose top citizen he uses."""
    PEDESTRIAN = 12
    HEXAGON = 13
    WIDE_STREET = 14
    """A section for a wide street; STREET is for a narrow one."""


class Criterion(IntEnum):
    """The priority that decided a choice of Gaudí's: the last that told candidates apart."""

    ONLY_ONE = 1
    """There was one candidate."""
    BEST_BUILDING = 2
    """It allows the best building."""
    NEAREST = 3
    ARROW = 4
    """First clockwise from the arrow."""
    MOST_POINTS = 5
    ICON = 6
    """The icon it covers."""
    STREET = 7
    """His own street with the best run, then other built ones."""
    HAS_TILE = 8
    ROW_BONUS = 9
    COVERS_MARKER = 10
    """It covers the other player's marker."""
    MOST_ROOM = 11
    """Its row of the citizen track has most room."""
    CLASS = 12
    """Working before middle before upper class."""
    FARTHER = 13
    """The Pedestrian farther along."""
    LEFTMOST = 14
    """The first of equals."""


@dataclass(frozen=True)
class CardRevealed(Event):
    """Gaudí's card for this turn, and the arrow that is now on top of his deck (0 N to 7 NW)."""

    seat: int
    card: int
    arrow: int


@dataclass(frozen=True)
class DeckShuffled(Event):
    """Gaudí's deck was used up: all cards but the one face up were shuffled into a new one."""

    seat: int


@dataclass(frozen=True)
class GaudiActed(Event):
    """Gaudí began an action of his card."""

    seat: int
    action: int


@dataclass(frozen=True)
class GaudiGained(Event):
    """Resources that Gaudí would have gained, and the points that they are worth to him."""

    seat: int
    resources: int
    points: int
    reason: Reason


@dataclass(frozen=True)
class GaudiChose(Event):
    """A choice by Gaudí's priorities: what was chosen of which candidates, and what decided, under which arrow.

    `allowing`: where the meeple moves to, how many of the candidates allow the best building; 0 where none allows any,
    or none was beside the meeple.
    """

    seat: int
    matter: Matter
    chosen: int
    candidates: tuple[int, ...]
    criterion: Criterion
    arrow: int
    allowing: int = 0


@dataclass(frozen=True)
class Drew(Event):
    """Two citizens were drawn; 0 where the reader may not know them, none where the bag had too few."""

    seat: int
    citizens: tuple[int, ...]

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, citizens=(0,) * len(self.citizens))


@dataclass(frozen=True)
class Ended(Event):
    """The game is over. By seat: points in all, and those of the final scoring."""

    points: tuple[int, ...]
    cobblestones: tuple[int, ...]
    passengers: tuple[int, ...]
    modernisme: tuple[int, ...]
    joy: tuple[int, ...]
    winners: tuple[int, ...]

    def won_by(self, winners: Sequence[int]) -> Self:
        return replace(self, winners=tuple(winners))

"""What the data files of Barcelona must look like. Each value says where it comes from.

A file of `data/` is one part of the ruleset, under its name. A ruleset file of your own holds any of the parts.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from boardgamesbot.games.barcelona.geometry import SIDE
from boardgamesbot.games.barcelona.moves import HEXAGONS, MOST_SAGRADA_TILES, MOST_STACKS, VIOLETS
from boardgamesbot.games.schema import Name, Strict


class Source(StrEnum):
    """Where a value comes from."""

    RULEBOOK = "rulebook"
    """The expansion's rulebook."""
    PUBLIC = "public"
    """Attested by published reviews of the printed game."""
    INFERRED = "inferred"
    """Follows from attested facts."""
    RECONSTRUCTED = "reconstructed"
    """Made up here so that the game is complete: not the printed figure."""
    OWN = "own"
    """Entered by the owner of a ruleset file."""


class _Entry(Strict):
    source: Annotated[Source, Field(strict=False)]
    note: str = ""


Id = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,31}$")]
Count = Annotated[int, Field(ge=0, le=99)]
Some = Annotated[int, Field(ge=1, le=99)]
MOST_ENTRIES = 48
PlayerCount = Literal["1", "2", "3", "4"]
Effect = object
"""See `effects`; read and checked there."""


class Action(_Entry):
    """An Action tile; one of the expansion says which it replaces."""

    id: Id
    name: Name
    effect: Effect
    replaces: Id | None = None


class Diagonal(_Entry):
    """The diagonal street: which way it runs, and what placing citizens on it costs."""

    rising: bool
    cost_coins: Count


class Streets(_Entry):
    """The icon printed on each street section, by street from the left or the top."""

    horizontal: list[list[Effect]]
    vertical: list[list[Effect]]


class FirstGame(_Entry):
    """Where the Action tiles lie in the printed layout."""

    vertical: list[Id]
    horizontal: list[Id]
    diagonal: Id


class Runs(_Entry):
    """Points for each tile of the run that a new street is part of."""

    narrow_vp: Count
    wide_vp: Count


class Points(_Entry):
    """A number of points."""

    vp: Count


class Board(Strict):
    """The city board."""

    diagonal: Diagonal
    streets: Streets
    first_game: FirstGame
    runs: Runs
    owner_bonus: Points
    row_bonus: Points


class Tokens(_Entry):
    """Citizens by class."""

    working: Some
    middle: Some
    upper: Some


class Track(_Entry):
    """The citizen track: the length of its sections, and points by space."""

    sections: Annotated[list[Some], Field(min_length=3, max_length=3)]
    vp: list[Count]


class Covered(_Entry):
    """Spaces of every row that are covered at the start."""

    spaces: list[Count]


class Citizens(Strict):
    """Citizens and their track."""

    tokens: Tokens
    track: Track
    covered: dict[PlayerCount, Covered]


class Building(_Entry):
    """A kind of building. The four come in the order level 1, 2, 3, corner."""

    id: Id
    name: Name
    site: Literal["block", "corner"]
    level: Annotated[int, Field(ge=0, le=3)]
    tiles: Some
    citizens: Annotated[int, Field(ge=2, le=3)]
    wants: Literal["working", "middle", "upper"] | None
    effect: Effect


class SeatColours(_Entry):
    """The colours of the seats, clockwise."""

    colours: Annotated[list[Name], Field(min_length=4, max_length=4)]


class Start(_Entry):
    """What each player begins with."""

    coins: Count
    cloth: Count
    cerda: Count
    sagrada: Count


class Storage(_Entry):
    """Open spaces, and cobblestones that each cover one more."""

    spaces: Annotated[int, Field(ge=1, le=16)]
    cobblestones: Annotated[int, Field(ge=1, le=12)]


class Stacks(_Entry):
    """Stacks of pieces on a player board, and what emptying each gives."""

    stacks: Annotated[list[Some], Field(min_length=1, max_length=MOST_STACKS)]
    rewards: list[Effect]


class Bought(_Entry):
    """Pieces bought one after another: the cloth that each costs."""

    cost_cloth: Annotated[list[Count], Field(min_length=1, max_length=12)]


class Passengers(Bought):
    """Passengers, and points at the end by how many were placed."""

    final_vp: list[Count]


class FinalPoints(_Entry):
    """Points at the end by how many were placed."""

    final_vp: list[Count]


class Projects(_Entry):
    """Project spaces: what improving the next costs, and the factors of their tiles."""

    improve_cost_cloth: Annotated[list[Count], Field(min_length=4, max_length=4)]
    factor: Count
    improved_factor: Count


class Tram(_Entry):
    """How far a tram goes in one action."""

    steps: Annotated[int, Field(ge=1, le=2)]


class Players(Strict):
    """The player boards."""

    seats: SeatColours
    start: Start
    storage: Storage
    markers: Stacks
    narrow: Stacks
    wide: Stacks
    intersections: Bought
    passengers: Passengers
    cobblestones: FinalPoints
    projects: Projects
    tram: Tram
    left_over: Points


class CerdaTrack(_Entry):
    """The multiplier on each space of the Cerdà track."""

    multipliers: Annotated[list[Some], Field(min_length=2, max_length=99)]


class SagradaTrack(_Entry):
    """The Sagrada Família track: its last space, and where a tile of level 1 to 4 is taken."""

    last: Some
    thresholds: Annotated[list[Some], Field(min_length=4, max_length=4)]
    none_left_vp: Annotated[list[Count], Field(min_length=4, max_length=4)]


class Tracks(Strict):
    """The tracks of the players."""

    cerda: CerdaTrack
    sagrada: SagradaTrack


class Tiers(_Entry):
    """The tiles of a Public Service from the top of the stack down: cost, and what each gives besides the effect."""

    cost_coins: Annotated[list[Count], Field(min_length=3, max_length=3)]
    effects: Annotated[list[Effect], Field(min_length=3, max_length=3)]


class WithExpansion(Strict):
    """How many stacks are of which box."""

    base: Count
    expansion: Count


class ServiceStacks(_Entry):
    """How many stacks there are, and how many tiles each has by number of players."""

    base: Some
    with_expansion: WithExpansion
    tiles: dict[PlayerCount, Annotated[int, Field(ge=1, le=3)]]


class ServiceType(_Entry):
    """A Public Service."""

    id: Id
    name: Name
    expansion: bool = False
    effect: Effect


class Services(Strict):
    """Public Services."""

    tiers: Tiers
    stacks: ServiceStacks
    types: Annotated[list[ServiceType], Field(max_length=MOST_ENTRIES)]


class SagradaTile(_Entry):
    """A Sagrada Família tile."""

    id: Id
    name: Name
    level: Annotated[int, Field(ge=1, le=4)]
    expansion: bool = False
    effect: Effect


class Scoring(_Entry):
    """A criterion: a Modernisme tile, and a Cerdà Scoring tile unless `cerda` is false."""

    id: Id
    name: Name
    count: str
    vp: Count
    most: Some | None = None
    """At most so many points."""
    cerda: bool
    expansion: bool = False


class Icons(_Entry):
    """The icons of the Sidewalk; the one null is its start."""

    icons: Annotated[list[list[Effect]], Field(min_length=5, max_length=5)]


class Sidewalk(Strict):
    """The Sidewalk, printed and as overlaid by the expansion."""

    printed: Icons
    overlay: Icons


class Amenity(_Entry):
    """An Amenities tile: what is counted, how many are wanted for each step, and the action it shows."""

    id: Id
    name: Name
    count: str
    each: Some
    action: Id


class Joy(_Entry):
    """Joy, and what it brings where a Pedestrian arrives."""

    most: Annotated[int, Field(ge=2, le=12)]
    start: Some
    arrival_vp: list[Count]
    hexagon_from: Some
    resource_from: Some


class ThirdSeat(_Entry):
    """What the dice of later seats begin with."""

    die: Some


class Violet(_Entry):
    """A violet cobblestone: its condition."""

    id: Id
    name: Name
    letter: Literal["A", "B", "C"]
    count: str


Ring = Annotated[list[Annotated[int, Field(ge=1, le=HEXAGONS)]], Field(min_length=6, max_length=6)]


class Hexagons(_Entry):
    """The hexagon area: grey stones, the reward on each space, and the six spaces round the left, middle and
    right violet stone, clockwise from the north, by number from 1."""

    stones: Annotated[int, Field(ge=0, le=HEXAGONS)]
    rewards: Annotated[list[Effect], Field(min_length=HEXAGONS, max_length=HEXAGONS)]
    rings: Annotated[list[Ring], Field(min_length=VIOLETS, max_length=VIOLETS)]


class Passeig(Strict):
    """The side board of Passeig de Gràcia."""

    amenities: Annotated[list[Amenity], Field(max_length=MOST_ENTRIES)]
    joy: Joy
    third_seat: ThirdSeat
    violet: Annotated[list[Violet], Field(max_length=MOST_ENTRIES)]
    hexagons: Hexagons


class GaudiCard(_Entry):
    """A card of Gaudí's deck: the arrow on its back, and the actions on its front in order."""

    arrow: Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    actions: Annotated[list[Id], Field(min_length=2, max_length=2)]


class ByDifficulty(_Entry):
    """A figure by difficulty."""

    easy: Count
    normal: Count
    hard: Count


class TilesALevel(_Entry):
    """Sagrada Família tiles left of each level."""

    tiles: Some


class Meeple(_Entry):
    """Where Gaudí's meeple begins, from the left and from the top."""

    column: Annotated[int, Field(ge=1, le=SIDE)]
    row: Annotated[int, Field(ge=1, le=SIDE)]


class Instead(_Entry):
    """Resources that Gaudí gains in place of an action, a street tile, a passenger's street or a hexagon's reward."""

    action: Count
    street_tile: Count
    passenger_street: Count
    hexagon: Count


class Gaudi(Strict):
    """The solo opponent."""

    cards: Annotated[list[GaudiCard], Field(min_length=3, max_length=MOST_ENTRIES)]
    resource_vp: ByDifficulty
    dice: ByDifficulty
    sagrada_tiles_a_level: TilesALevel
    meeple: Meeple
    instead: Instead


class Data(Strict):
    """Every part of a ruleset."""

    actions: Annotated[list[Action], Field(max_length=MOST_ENTRIES)]
    board: Board
    citizens: Citizens
    buildings: Annotated[list[Building], Field(min_length=4, max_length=4)]
    players: Players
    tracks: Tracks
    services: Services
    sagrada_tiles: Annotated[list[SagradaTile], Field(max_length=MOST_SAGRADA_TILES)]
    scorings: Annotated[list[Scoring], Field(max_length=MOST_ENTRIES)]
    sidewalk: Sidewalk
    passeig: Passeig
    gaudi: Gaudi

"""Barcelona's data by number: what a ruleset is once it has been read."""

from __future__ import annotations

from dataclasses import dataclass

from boardgamesbot.games.barcelona.effects import Node
from boardgamesbot.games.barcelona.geometry import City
from boardgamesbot.games.base import Ruleset

CLASSES = ("working", "middle", "upper")
"""The classes of citizens in their order; a citizen is 1, 2 or 3."""
LEVELS = 4
AMENITIES = 6
"""Amenities tiles in a game: three on each side of the street."""


@dataclass(frozen=True)
class Action:
    """An Action tile."""

    id: str
    name: str
    effect: int
    replaces: int
    """The tile it takes the place of in the expansion; -1 for a tile of the base game."""


@dataclass(frozen=True)
class Building:
    """A kind of building. `wants` is the class of which one citizen must be (0: none)."""

    id: str
    name: str
    corner: bool
    level: int
    tiles: int
    citizens: int
    wants: int
    effect: int


@dataclass(frozen=True)
class Stacks:
    """Pieces of a player board in stacks, and the effect of emptying each."""

    sizes: tuple[int, ...]
    rewards: tuple[int, ...]


@dataclass(frozen=True)
class Service:
    """A type of Public Service."""

    id: str
    name: str
    expansion: bool
    effect: int


@dataclass(frozen=True)
class SagradaTile:
    """A Sagrada Família tile; `level` is 0 to 3."""

    id: str
    name: str
    level: int
    expansion: bool
    effect: int


@dataclass(frozen=True)
class Scoring:
    """A criterion of Modernisme and Cerdà Scoring tiles: `vp` for each of count number `count`, at most `most`."""

    id: str
    name: str
    count: int
    vp: int
    most: int
    cerda: bool
    expansion: bool


@dataclass(frozen=True)
class Amenity:
    """An Amenities tile: `each` more of count number `count` are wanted for each step; `action` is the tile shown."""

    id: str
    name: str
    count: int
    each: int
    action: int


@dataclass(frozen=True)
class Violet:
    """A violet cobblestone: its letter (0 to 2) and what it counts."""

    id: str
    name: str
    letter: int
    count: int


@dataclass(frozen=True)
class GaudiCard:
    """A card of Gaudí's: the arrow on its back (0 N to 7 NW, clockwise), the Action tiles on its front."""

    arrow: int
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Gaudi:
    """The solo opponent. `worth` (points a resource) and `dice` go by difficulty."""

    cards: tuple[GaudiCard, ...]
    worth: tuple[int, int, int]
    dice: tuple[int, int, int]
    tiles_a_level: int
    start: int
    """The intersection where the meeple begins."""
    for_action: int
    """Resources in place of an action; of a street tile; of a passenger's street; of a hexagon's reward."""
    for_tile: int
    for_street: int
    for_hexagon: int


@dataclass(frozen=True, kw_only=True)
class BarcelonaRuleset(Ruleset):
    """Everything that is data, by number. Effects are numbers of `nodes`; Pedestrians are 0 Barcelona, 1 Gràcia."""

    nodes: tuple[Node, ...]
    city: City
    seat_colours: tuple[str, ...]
    actions: tuple[Action, ...]
    first_game: tuple[int, ...]
    """Action tiles by street in the printed layout."""
    diagonal_cost: int
    icons: tuple[int, ...]
    """The effect printed on each street section."""
    icon_gains: tuple[tuple[int, int, int, int], ...]
    """The same as points, Cerdà steps, coins, cloth."""
    run_vp: tuple[int, int, int]
    """Points a tile of a run for no street (0), a narrow and a wide one."""
    owner_vp: int
    row_vp: int
    citizens: tuple[int, int, int]
    track_vp: tuple[int, ...]
    """By space of a row."""
    section_ends: tuple[int, ...]
    """The number of the first space after each section."""
    covered: tuple[tuple[int, ...], ...]
    """Spaces covered at the start, by players; [0] is empty."""
    buildings: tuple[Building, ...]
    start_coins: int
    start_cloth: int
    start_cerda: int
    start_sagrada: int
    storage: int
    cobblestones: int
    markers: Stacks
    narrow: Stacks
    wide: Stacks
    intersection_cost: tuple[int, ...]
    passenger_cost: tuple[int, ...]
    passenger_vp: tuple[int, ...]
    cobblestone_vp: tuple[int, ...]
    improve_cost: tuple[int, ...]
    project_factors: tuple[int, int]
    tram_steps: int
    left_over_vp: int
    multipliers: tuple[int, ...]
    sagrada_last: int
    thresholds: tuple[int, ...]
    none_left_vp: tuple[int, ...]
    service_cost: tuple[int, ...]
    service_effect: tuple[int, ...]
    service_stacks: tuple[int, int, int]
    """Without the expansion; with it, of the base game and of the expansion."""
    service_tiles: tuple[int, ...]
    """Tiles a stack, by players; [0] is 0."""
    services: tuple[Service, ...]
    sagrada_tiles: tuple[SagradaTile, ...]
    scorings: tuple[Scoring, ...]
    sidewalk: tuple[int, ...]
    """The effect on each space; -1 for the start."""
    overlay: tuple[int, ...]
    amenities: tuple[Amenity, ...]
    joy_most: int
    joy_start: int
    third_seat_die: int
    arrival_vp: tuple[int, ...]
    """By Joy; [0] is 0."""
    hexagon_from: int
    resource_from: int
    violet: tuple[Violet, ...]
    hexagon_stones: int
    hexagon_rewards: tuple[int, ...]
    hexagon_rings: tuple[tuple[int, ...], ...]
    """The six spaces round the left, middle and right violet stone, clockwise from the north."""
    hexagon_beside: tuple[tuple[int, ...], ...]
    """The violet stones beside each space."""
    gaudi: Gaudi
    resource_effect: int
    """One coin or cloth, as you choose: what the most Joyful walk brings."""

"""A position of Barcelona: what lies where, whose decision it is, and what is still to be done in the turn."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gaudi, moves, refusals, scoring
from boardgamesbot.games.barcelona.events import Declined
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SITES
from boardgamesbot.games.barcelona.moves import HEXAGONS, MOST_STORED, PROJECTS, SIDEWALK, STOP
from boardgamesbot.games.barcelona.play import ANSWER, ASK, CARRY
from boardgamesbot.games.barcelona.tasks import Task
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Event, Game, Move, Options, State

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset
    from boardgamesbot.games.chance import Chance

UNKNOWN = 0
"""A citizen or, among tiles, one that the reader of a view may not know (tiles: -1)."""
NOBODY = -1

FIELDS = (
    "amenities",
    "bag",
    "bonus_left",
    "both_actions",
    "box",
    "buildings",
    "buildings_left",
    "cerda",
    "cerda_tiles",
    "chance",
    "citizens",
    "cloth",
    "cobblestones_placed",
    "coins",
    "deck",
    "difficulty",
    "discards",
    "ending",
    "events",
    "expansion",
    "first",
    "game",
    "hands",
    "hexagons",
    "improved",
    "intersection_owners",
    "intersections_built",
    "joy",
    "legal",
    "marker_stacks",
    "markers",
    "meeple",
    "modernisme_stack",
    "narrow",
    "options",
    "over",
    "passengers",
    "passengers_placed",
    "path",
    "players",
    "projects",
    "round",
    "ruleset",
    "sagrada",
    "sagrada_left",
    "sagrada_of",
    "scored",
    "seat",
    "service_types",
    "services_of",
    "services_taken",
    "shown",
    "sidewalk",
    "slots",
    "solo",
    "street_owners",
    "streets",
    "tasks",
    "track",
    "trams",
    "undo",
    "violet",
    "vp",
    "wide",
)
"""The names of all there is in a position; compiled classes have no `__slots__` to ask."""
_NO_PART_OF_IT = frozenset({"chance", "events", "game", "ruleset"})
"""What two equal positions may differ in."""


class BarcelonaState(State):
    """Everything there is to know; in a view's copy, what its seat may not know is blanked out.

    Citizens are 1 working, 2 middle, 3 upper class. Tiles, stones and types are numbers of the ruleset. Lists of the
    board go by intersection, section, site or space (`geometry`), those of the players by seat.
    """

    __slots__ = FIELDS

    def __init__(
        self,
        game: Game,
        ruleset: BarcelonaRuleset,
        players: int,
        options: Options,
        chance: Chance,
        like: BarcelonaState | None = None,
    ) -> None:
        """Boards and supplies before anything is dealt (`dealing.deal` sets the game up), or as they are in `like`."""
        if like is not None:
            self._copy_from(like)
            return
        self.game = game
        self.ruleset: BarcelonaRuleset = ruleset
        self.players = players
        self.options = options
        self.chance = chance
        self.expansion = options["expansion"] == "PASSEIG_DE_GRACIA"

        self.solo = options["solo"] != "NONE"
        """Whether the second seat is Gaudí's."""
        self.difficulty = gaudi.DIFFICULTIES.index(options["solo"]) if self.solo else 0
        self.both_actions = options["solo_actions"] == "BOTH"
        """Whether Gaudí takes both actions of a card."""
        self.round = 1
        self.first = 0
        """The first player."""
        self.seat = 0
        """Whose turn it is; with START_DIE, whose decision."""
        self.ending = False
        """Whether the third Cerdà scoring has happened."""
        self.over = False
        self.undo = False
        """Whether the last move may be taken back."""
        self.tasks: list[Task] = []
        """What is to be done, the next last."""

        self.slots: list[int] = []
        """The Action tile at the end of each street."""
        self.citizens: list[int] = [0] * INTERSECTIONS
        """Stacks: the top one plus four times the one below; 0 where empty."""
        self.streets: list[int] = [0] * SECTIONS
        """1 narrow, 2 wide."""
        self.street_owners: list[int] = [NOBODY] * SECTIONS
        self.passengers: list[int] = [NOBODY] * SECTIONS
        """The owner of the passenger on each section."""
        self.intersection_owners: list[int] = [NOBODY] * INTERSECTIONS
        self.buildings: list[int] = [-1] * SITES
        """The kind of the building on top (0 to 3: levels 1, 2, 3, corner); -1 where there is none."""
        self.markers: list[tuple[int, ...]] = [()] * SITES
        """The owners of the markers, the lowest first."""
        self.bonus_left = [True] * 4
        """Whether the Building Bonus tile of each row of blocks is still there."""
        self.track: list[int] = [0, 0, 0]
        """Citizens put on each row of the citizen track, those of the set-up not counted."""
        self.box: list[int] = [0, 0, 0]
        """Citizens out of the game, by class."""
        self.buildings_left: list[int] = [building.tiles for building in ruleset.buildings]
        self.sagrada_left: list[int] = []
        """The Sagrada Família tiles beside the board, sorted."""
        self.cerda_tiles: list[int] = []
        """The scoring of each section."""
        self.scored = [False] * 3
        self.shown: list[int] = []
        """The Modernisme display: tiles, -1 where there is none."""
        self.service_types: list[int] = []
        """The type of each stack of Public Services."""
        self.services_taken: list[int] = []
        """How many of each stack are gone."""
        self.sidewalk: list[int] = [NOBODY] * SIDEWALK
        """The owner of the cobblestone on each space."""
        self.amenities: list[int] = []
        """Amenities tiles: right side P1, P2, P3, then left side P1, P2, P3; none without the expansion."""
        self.violet: list[int] = []
        """Violet cobblestones: left, middle, right."""
        self.hexagons: list[int] = [NOBODY] * HEXAGONS

        self.vp: list[int] = [0] * players
        self.coins: list[int] = [ruleset.start_coins] * players
        self.cloth: list[int] = [ruleset.start_cloth] * players
        self.cerda: list[int] = [ruleset.start_cerda] * players
        self.sagrada: list[int] = [ruleset.start_sagrada] * players
        self.marker_stacks: list[list[int]] = [list(ruleset.markers.sizes) for _ in range(players)]
        self.narrow: list[list[int]] = [list(ruleset.narrow.sizes) for _ in range(players)]
        self.wide: list[list[int]] = [list(ruleset.wide.sizes) for _ in range(players)]
        self.intersections_built: list[int] = [0] * players
        self.passengers_placed: list[int] = [0] * players
        self.cobblestones_placed: list[int] = [0] * players
        self.trams: list[int] = [-1] * players
        """The section of each tram; -1 while it is not in the city."""
        self.projects: list[list[int]] = [[-1] * PROJECTS for _ in range(players)]
        """The Modernisme tile on each project space; -1 where there is none."""
        self.improved: list[list[int]] = [[0] * PROJECTS for _ in range(players)]
        """1 where a project space is improved."""
        self.services_of: list[list[int]] = [[] for _ in range(players)]
        """Types of the Public Services built."""
        self.sagrada_of: list[list[int]] = [[] for _ in range(players)]
        self.joy: list[int] = [ruleset.joy_start] * (2 * players)
        """`2 * seat + Pedestrian`."""
        self.path: list[int] = [0] * (2 * players)
        """Steps from the start: 0 in the city, 1 to 3 on the street; `2 * seat + Pedestrian`."""

        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.bag: list[int] = []
        """The citizens in the bag, the next last."""
        self.modernisme_stack: list[int] = []
        """The Modernisme tiles not shown yet, the next last."""

        self.deck: list[int] = []
        """Gaudí's cards face down, the next last; its arrow is in sight."""
        self.discards: list[int] = []
        """Gaudí's cards that were turned up, the one face up last."""
        self.meeple = ruleset.gaudi.start
        """The intersection of Gaudí's meeple."""

        self.legal: list[Move] = []
        """The legal moves: what `tasks` says, worked out."""
        self.events: list[Event] | None = None
        """Where to tell what happens; None: nobody listens."""

    # Reading

    @property
    def actor(self) -> int | None:
        return None if self.over else self.seat

    @property
    def undoable(self) -> bool:
        return self.undo

    @property
    def task(self) -> Task:
        """What is being decided. Only while the game is not over."""
        return self.tasks[-1]

    def legal_moves(self) -> list[Move]:
        return self.legal.copy()

    def check(self, move: Move) -> None:
        wanted = moves.parts(move)
        if move not in self.legal:
            raise refusals.refusal(self, wanted)

    def view(self, seat: int | None) -> BarcelonaView:
        return BarcelonaView.of(self, seat)

    def scores(self) -> list[int]:
        return scoring.totals(self)

    def winners(self, among: Collection[int] | None = None) -> list[int]:
        """Most points; then coins and cloth; then shared (BA-E3). Gaudí wins a tie (BA-G17)."""
        seats = sorted(range(self.players) if among is None else among)
        points = self.scores()
        rank = {seat: (points[seat], self.coins[seat] + self.cloth[seat]) for seat in seats}
        if self.solo and gaudi.SEAT in rank:
            rank[gaudi.SEAT] = (points[gaudi.SEAT], MOST_STORED)
        best = max(rank.values(), default=(0, 0))
        return [seat for seat in seats if rank[seat] == best]

    def is_gaudi(self, seat: int) -> bool:
        """Whether a seat is Gaudí's."""
        return self.solo and seat == gaudi.SEAT

    @property
    def boards(self) -> int:
        """The number of players whose set-up this is: 1 in solo play."""
        return 1 if self.solo else self.players

    def capacity(self, seat: int) -> int:
        """Storage spaces open (BA-R1)."""
        return self.ruleset.storage + self.cobblestones_placed[seat]

    def same_as(self, other: BarcelonaState) -> bool:
        """Whether two positions are the same, whatever chance has in store."""
        return all(getattr(self, name) == getattr(other, name) for name in FIELDS if name not in _NO_PART_OF_IT)

    def copy(self) -> BarcelonaState:
        return BarcelonaState(self.game, self.ruleset, self.players, self.options, self.chance, self)

    def _copy_from(self, other: BarcelonaState) -> None:
        """Everything of another position; lists that change are copied, the others shared."""
        self.game = other.game
        self.ruleset = other.ruleset
        self.players = other.players
        self.options = other.options
        self.chance = other.chance.copy()
        self.expansion = other.expansion
        self.solo = other.solo
        self.difficulty = other.difficulty
        self.both_actions = other.both_actions
        self.deck = other.deck.copy()
        self.discards = other.discards.copy()
        self.meeple = other.meeple
        self.round = other.round
        self.first = other.first
        self.seat = other.seat
        self.ending = other.ending
        self.over = other.over
        self.undo = other.undo
        self.tasks = other.tasks.copy()
        self.slots = other.slots
        self.citizens = other.citizens.copy()
        self.streets = other.streets.copy()
        self.street_owners = other.street_owners.copy()
        self.passengers = other.passengers.copy()
        self.intersection_owners = other.intersection_owners.copy()
        self.buildings = other.buildings.copy()
        self.markers = other.markers.copy()
        self.bonus_left = other.bonus_left.copy()
        self.track = other.track.copy()
        self.box = other.box.copy()
        self.buildings_left = other.buildings_left.copy()
        self.sagrada_left = other.sagrada_left.copy()
        self.cerda_tiles = other.cerda_tiles
        self.scored = other.scored.copy()
        self.shown = other.shown.copy()
        self.service_types = other.service_types
        self.services_taken = other.services_taken.copy()
        self.sidewalk = other.sidewalk.copy()
        self.amenities = other.amenities
        self.violet = other.violet
        self.hexagons = other.hexagons.copy()
        self.vp = other.vp.copy()
        self.coins = other.coins.copy()
        self.cloth = other.cloth.copy()
        self.cerda = other.cerda.copy()
        self.sagrada = other.sagrada.copy()
        self.marker_stacks = [stack.copy() for stack in other.marker_stacks]
        self.narrow = [stack.copy() for stack in other.narrow]
        self.wide = [stack.copy() for stack in other.wide]
        self.intersections_built = other.intersections_built.copy()
        self.passengers_placed = other.passengers_placed.copy()
        self.cobblestones_placed = other.cobblestones_placed.copy()
        self.trams = other.trams.copy()
        self.projects = [spaces.copy() for spaces in other.projects]
        self.improved = [spaces.copy() for spaces in other.improved]
        self.services_of = [types.copy() for types in other.services_of]
        self.sagrada_of = [tiles.copy() for tiles in other.sagrada_of]
        self.joy = other.joy.copy()
        self.path = other.path.copy()
        self.hands = [hand.copy() for hand in other.hands]
        self.bag = other.bag.copy()
        self.modernisme_stack = other.modernisme_stack.copy()
        self.legal = other.legal
        self.events = None

    # Playing

    def apply(self, move: Move) -> list[Event]:
        events: list[Event] = []
        self.events = events
        self.advance(move)
        self.events = None
        return events

    def advance(self, move: Move) -> None:
        """Make a legal move and tell nobody: what searches and simulations use."""
        seat, task = self.seat, self.tasks[-1]
        self.undo = True
        if move == STOP and self.events is not None:
            self.tell(Declined(seat, moves.kind_of(self.legal[-1])))
        ANSWER[task[0]](self, task, move)
        self.settle()
        if self.over or self.seat != seat:
            self.undo = False

    def settle(self) -> None:
        """Carry out what needs no decision, up to the next one or the end (BA-T2)."""
        tasks = self.tasks
        while tasks:
            task = tasks[-1]
            carry = CARRY[task[0]]
            if carry is not None:
                tasks.pop()
                carry(self, task)
                continue
            legal = ASK[task[0]](self, task)
            if len(legal) > 1 or (legal and legal[0] != STOP):
                self.legal = legal
                return
            tasks.pop()
        self.legal = []

    def push(self, *tasks: Task) -> None:
        """Put several tasks on the stack so that the first of them is done next."""
        self.tasks.extend(tasks[::-1])

    def tell(self, event: Event) -> None:
        """Let it be known that something happened."""
        if self.events is not None:
            self.events.append(event)

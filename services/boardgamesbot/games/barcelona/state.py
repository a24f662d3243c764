"""A position of Barcelona: what lies where, whose decision it is, and what is still to be done in the turn."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gaudi, moves, refusals, scoring
from boardgamesbot.games.barcelona.events import Declined
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SITES
from boardgamesbot.games.barcelona.moves import HEXAGONS, MOST_STORED, PROJECTS, SIDEWALK, STOP
from boardgamesbot.games.barcelona.play import ANSWERS, ASKED, DONE
from boardgamesbot.games.barcelona.tasks import Task
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Event, Move, Options, State

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.game import Barcelona
    from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset
    from boardgamesbot.games.chance import Chance

UNKNOWN = 0
"""A citizen or, among tiles, one that the reader of a view may not know (tiles: -1)."""
NOBODY = -1


class BarcelonaState(State):
    """Everything there is to know; in a view's copy, what its seat may not know is blanked out.

    Citizens are 1 working, 2 middle, 3 upper class. Tiles, stones and types are numbers of the ruleset. Lists of the
    board go by intersection, section, site or space (`geometry`), those of the players by seat.
    """

    __slots__ = (
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

    game: Barcelona

    def __init__(self, game: Barcelona, players: int, options: Options, chance: Chance) -> None:
        """Boards and supplies before anything is dealt; `dealing.deal` sets the game up."""
        ruleset = game.ruleset
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

    def copy(self) -> BarcelonaState:
        twin = BarcelonaState.__new__(BarcelonaState)
        twin.game = self.game
        twin.ruleset = self.ruleset
        twin.players = self.players
        twin.options = self.options
        twin.chance = self.chance.copy()
        twin.expansion = self.expansion
        twin.solo = self.solo
        twin.difficulty = self.difficulty
        twin.both_actions = self.both_actions
        twin.deck = self.deck.copy()
        twin.discards = self.discards.copy()
        twin.meeple = self.meeple
        twin.round = self.round
        twin.first = self.first
        twin.seat = self.seat
        twin.ending = self.ending
        twin.over = self.over
        twin.undo = self.undo
        twin.tasks = self.tasks.copy()
        twin.slots = self.slots
        twin.citizens = self.citizens.copy()
        twin.streets = self.streets.copy()
        twin.street_owners = self.street_owners.copy()
        twin.passengers = self.passengers.copy()
        twin.intersection_owners = self.intersection_owners.copy()
        twin.buildings = self.buildings.copy()
        twin.markers = self.markers.copy()
        twin.bonus_left = self.bonus_left.copy()
        twin.track = self.track.copy()
        twin.box = self.box.copy()
        twin.buildings_left = self.buildings_left.copy()
        twin.sagrada_left = self.sagrada_left.copy()
        twin.cerda_tiles = self.cerda_tiles
        twin.scored = self.scored.copy()
        twin.shown = self.shown.copy()
        twin.service_types = self.service_types
        twin.services_taken = self.services_taken.copy()
        twin.sidewalk = self.sidewalk.copy()
        twin.amenities = self.amenities
        twin.violet = self.violet
        twin.hexagons = self.hexagons.copy()
        twin.vp = self.vp.copy()
        twin.coins = self.coins.copy()
        twin.cloth = self.cloth.copy()
        twin.cerda = self.cerda.copy()
        twin.sagrada = self.sagrada.copy()
        twin.marker_stacks = [stack.copy() for stack in self.marker_stacks]
        twin.narrow = [stack.copy() for stack in self.narrow]
        twin.wide = [stack.copy() for stack in self.wide]
        twin.intersections_built = self.intersections_built.copy()
        twin.passengers_placed = self.passengers_placed.copy()
        twin.cobblestones_placed = self.cobblestones_placed.copy()
        twin.trams = self.trams.copy()
        twin.projects = [spaces.copy() for spaces in self.projects]
        twin.improved = [spaces.copy() for spaces in self.improved]
        twin.services_of = [types.copy() for types in self.services_of]
        twin.sagrada_of = [tiles.copy() for tiles in self.sagrada_of]
        twin.joy = self.joy.copy()
        twin.path = self.path.copy()
        twin.hands = [hand.copy() for hand in self.hands]
        twin.bag = self.bag.copy()
        twin.modernisme_stack = self.modernisme_stack.copy()
        twin.legal = self.legal
        twin.events = None
        return twin

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
        ANSWERS[task[0]](self, task, move)
        self.settle()
        if self.over or self.seat != seat:
            self.undo = False

    def settle(self) -> None:
        """Carry out what needs no decision, up to the next one or the end (BA-T2)."""
        tasks = self.tasks
        while tasks:
            task = tasks[-1]
            ask = ASKED.get(task[0])
            if ask is None:
                tasks.pop()
                DONE[task[0]](self, task)
                continue
            legal = ask(self, task)
            if legal and legal != [STOP]:
                self.legal = legal
                return
            tasks.pop()
        self.legal = []

    def push(self, *tasks: Task) -> None:
        """Put tasks on the stack so that the first of them is done next."""
        self.tasks.extend(reversed(tasks))

    def tell(self, event: Event) -> None:
        """Let it be known that something happened."""
        if self.events is not None:
            self.events.append(event)

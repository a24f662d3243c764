"""Positions of Barcelona set up by hand, and short words for what lies on the board.

Names: an intersection is `C2`, column A to E from the left and row 1 to 5 from the top; a section of a street is
`B2-C2`; a block has the name of the intersection at its top left, so blocks are `A1` to `D4`, and `D1`, `C2`, `B3`,
`A4` are cut by the diagonal. Citizens are letters: W working, M middle, U upper class; in a stack the top one comes
first, so `UM` is an upper-class citizen on a middle-class one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from random import Random
from typing import TypeVar

import pytest

from boardgamesbot.games.barcelona import gaudi, geometry, moves
from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import Effects
from boardgamesbot.games.barcelona.events import GaudiChose, GaudiGained, Matter, Reason, Scored
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.gaudi.construct import construct
from boardgamesbot.games.barcelona.gaudi.effects import resolve
from boardgamesbot.games.barcelona.moves import Kind, Parts
from boardgamesbot.games.barcelona.state import NOBODY, BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.barcelona.turn import begin_turn
from boardgamesbot.games.base import Event, IllegalMove, Malformed, Move
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream

E = TypeVar("E", bound=Event)

GAME = Barcelona()
RULESET = GAME.ruleset

WORKING, MIDDLE, UPPER = 1, 2, 3
CLASS = {"W": WORKING, "M": MIDDLE, "U": UPPER}
NARROW, WIDE = 1, 2
LEVEL_1, LEVEL_2, LEVEL_3, CORNER = range(4)
LEFT, RIGHT = 0, 1
"""The halves of a block that the diagonal cuts: upper left, lower right."""
DIAGONAL = geometry.DIAGONAL
ON_DIAGONAL = ("A5", "B4", "C3", "D2", "E1")

ACTIONS = {action.id: number for number, action in enumerate(RULESET.actions)}
SERVICES = {service.id: number for number, service in enumerate(RULESET.services)}
SAGRADA = {tile.id: number for number, tile in enumerate(RULESET.sagrada_tiles)}
SCORINGS = {scoring.id: number for number, scoring in enumerate(RULESET.scorings)}
AMENITIES = {amenity.id: number for number, amenity in enumerate(RULESET.amenities)}
VIOLET = {stone.id: number for number, stone in enumerate(RULESET.violet)}
GAUDI = gaudi.SEAT
"""Gaudí's seat in solo play; the person has seat 0."""
CARDS = {ARROWS[card.arrow]: number for number, card in enumerate(RULESET.gaudi.cards)}
"""Gaudí's cards by the arrow on their back."""

# Places by name


def at(name: str) -> int:
    """The intersection of a name: `C2`."""
    return geometry.at("ABCDE".index(name[0]), "12345".index(name[1]))


def name_of(intersection: int) -> str:
    """The name of an intersection."""
    row, column = divmod(intersection, geometry.SIDE)
    return "ABCDE"[column] + "12345"[row]


def section(name: str) -> int:
    """The section of a street between two intersections: `B2-C2`."""
    ends = {at(end) for end in name.split("-")}
    return next(number for number in range(geometry.SECTIONS) if set(geometry.ends(number)) == ends)


def street(name: str) -> int:
    """The street of a letter (vertical), a digit (horizontal) or `/`, the diagonal."""
    return "ABCDE12345/".index(name)


def site(block: str, half: int | None = None) -> int:
    """The building site of a block; of one that the diagonal cuts, a half of it."""
    wanted = geometry.BLOCKS_A_SIDE * "1234".index(block[1]) + "ABCD".index(block[0])
    found = [number for number, entry in enumerate(RULESET.city.sites) if entry.block == wanted]
    assert len(found) == (1 if half is None else 2), f"{block} is{'' if half is None else ' not'} cut by the diagonal"
    return found[half or 0]


def space(row: int, column: int) -> int:
    """A space of the Sidewalk, rows and columns from 0; the start is (2, 2)."""
    return row * geometry.SIDE + column


def node(word: str) -> int:
    """The number of an effect of one word: `coins 2`."""
    reader = Effects(tuple(COUNTS))
    return RULESET.nodes.index(reader.nodes[reader.add(word, word)])


# Positions


def new_game(
    players: int = 2, *, seed: int = 0, expansion: bool = False, options: Mapping[str, str] | None = None
) -> BarcelonaState:
    """A game before its first decision."""
    return new_game_told(players, seed=seed, expansion=expansion, options=options)[0]


def new_game_told(
    players: int = 2, *, seed: int = 0, expansion: bool = False, options: Mapping[str, str] | None = None
) -> tuple[BarcelonaState, list[Event]]:
    """A game before its first decision, and what happened until then."""
    given = {"expansion": "PASSEIG_DE_GRACIA" if expansion else "NONE", **(options or {})}
    state, events = GAME.new(players, GAME.complete_options(given), ChanceStream(Random(seed).randbytes(SEED_BYTES)))
    assert isinstance(state, BarcelonaState)
    return state, events


def position(
    players: int = 2,
    *,
    expansion: bool = False,
    cerda: Iterable[str] = ("BOTTOM", "CORNER", "LINE"),
    shown: Iterable[str] = ("NARROW", "SERVICE", "COBBLESTONE", "ROWS"),
    services: Iterable[str] | None = None,
    solo: str = "NONE",
    solo_actions: str = "FIRST",
) -> BarcelonaState:
    """A game as at its start, but with nothing left to chance: seat 0 begins, each holds WM, and nothing is asked yet.

    Action tiles lie as in a first game: A COINS, B NARROW, C MODERNISME, D COBBLESTONE, E INTERSECTION; 1 CLOTH,
    2 SERVICE, 3 WIDE, 4 IMPROVE, 5 CERDA; the diagonal TRAM. With the expansion its tiles take the places of those
    they replace. All dice are at 1. The bag gives W, M, U, W, M, U, … as long as it has them.

    Solo, the dice of Gaudí keep what the difficulty says, his hand is empty, of each level the first three Sagrada
    Família tiles are there, and his cards come in the order of their arrows: N, NE, E, …
    """
    options = {"actions": "FIRST_GAME", "solo": solo, "solo_actions": solo_actions}
    state = new_game(players, expansion=expansion, options=options)
    state.first = state.seat = 0
    state.round = 1
    state.tasks, state.legal = [], []
    state.cerda_tiles = [SCORINGS[name] for name in cerda]
    state.shown = [SCORINGS[name] for name in shown]
    out = {*state.cerda_tiles, *state.shown}
    state.modernisme_stack = [
        number
        for number, entry in enumerate(RULESET.scorings)
        if number not in out and (expansion or not entry.expansion)
    ]
    if services is None:
        services = list(SERVICES)[: len(state.service_types)]
        if expansion:
            services = [*services[:-1], "PARC_GUELL"]
    state.service_types = [SERVICES[name] for name in services]
    state.services_taken = [0] * len(state.service_types)
    if expansion:
        state.amenities = list(range(6))
        state.violet = [VIOLET["CERDA"], VIOLET["TRIANGLES"], VIOLET["STACKS"]]
        state.joy = [1] * (2 * players) if solo == "NONE" else [1, 1, *state.joy[2:]]
        state.path = [0] * (2 * players)
    if solo != "NONE":
        state.deck = [CARDS[arrow] for arrow in reversed(ARROWS)]
        tiles = RULESET.sagrada_tiles
        state.sagrada_left = [tile for tile in range(len(tiles)) if tiles[tile].id[-1] in "ABC"]
    citizens = [*state.bag, *(citizen for hand in state.hands for citizen in hand)]
    state.hands = [[] for _ in range(players)]
    state.bag = _in_turns(citizens)
    for seat in range(players):
        if not state.is_gaudi(seat):
            hold(state, seat, "WM")
    return state


def _in_turns(citizens: list[int]) -> list[int]:
    """These citizens as a bag that gives the three classes in turns; the next one is last."""
    left = {citizen: citizens.count(citizen) for citizen in (WORKING, MIDDLE, UPPER)}
    order: list[int] = []
    while any(left.values()):
        for citizen in left:
            if left[citizen]:
                left[citizen] -= 1
                order.append(citizen)
    return order[::-1]


def _from_bag(state: BarcelonaState, citizens: Iterable[str]) -> list[int]:
    """Take citizens out of the bag, so that there are 72 all in all."""
    taken = [CLASS[letter] for letter in citizens]
    for citizen in taken:
        state.bag.remove(citizen)
    return taken


def hold(state: BarcelonaState, seat: int, citizens: str) -> None:
    """Give a seat these two citizens; those it held go back to the far end of the bag."""
    state.bag = [*state.hands[seat], *state.bag]
    state.hands[seat] = _from_bag(state, citizens)


def draws_next(state: BarcelonaState, citizens: str) -> None:
    """Let the bag give these citizens next, in this order."""
    taken = _from_bag(state, citizens)
    state.bag += taken[::-1]


def put(state: BarcelonaState, where: str, citizens: str) -> None:
    """A stack of one or two citizens of the bag, the top one first: `put(state, "C2", "UM")`."""
    top, *below = _from_bag(state, citizens)
    state.citizens[at(where)] = top + 4 * sum(below)


def stack(state: BarcelonaState, where: str) -> str:
    """The citizens on an intersection, the top one first."""
    there = state.citizens[at(where)]
    return "".join("WMU"[citizen - 1] for citizen in (there & 3, there >> 2) if citizen)


def fill(state: BarcelonaState, *but: str, citizen: str = "W") -> None:
    """One citizen of a class on every intersection but those named. They come from nowhere: the bag keeps its own."""
    for intersection in range(geometry.INTERSECTIONS):
        if name_of(intersection) not in but:
            state.citizens[intersection] = CLASS[citizen]


def give(
    state: BarcelonaState,
    seat: int = 0,
    *,
    coins: int | None = None,
    cloth: int | None = None,
    vp: int | None = None,
    cerda: int | None = None,
    sagrada: int | None = None,
) -> None:
    """Set what a seat has, or where its markers stand; what is left out stays as it is."""
    for values, value in (
        (state.coins, coins),
        (state.cloth, cloth),
        (state.vp, vp),
        (state.cerda, cerda),
        (state.sagrada, sagrada),
    ):
        if value is not None:
            values[seat] = value


def pave(state: BarcelonaState, seat: int, kind: int, *names: str) -> None:
    """Street tiles of a seat on sections, taken from its leftmost stacks."""
    stacks = (state.narrow if kind == NARROW else state.wide)[seat]
    for name in names:
        state.streets[section(name)] = kind
        state.street_owners[section(name)] = seat
        stacks[next(i for i, left in enumerate(stacks) if left)] -= 1


def own(state: BarcelonaState, seat: int, *names: str) -> None:
    """Intersection tiles of a seat."""
    for name in names:
        state.intersection_owners[at(name)] = seat
        state.intersections_built[seat] += 1


def ride(state: BarcelonaState, seat: int, *names: str) -> None:
    """Passengers of a seat on sections."""
    for name in names:
        state.passengers[section(name)] = seat
        state.passengers_placed[seat] += 1


def lay(state: BarcelonaState, seat: int, *spaces: tuple[int, int]) -> None:
    """Cobblestones of a seat on spaces of the Sidewalk, by row and column."""
    for where in spaces:
        state.sidewalk[space(*where)] = seat
        state.cobblestones_placed[seat] += 1


def house(state: BarcelonaState, where: int, *built: tuple[int, int]) -> None:
    """Buildings on a site, the lowest first: each a kind and the seat it belongs to."""
    for building, seat in built:
        state.buildings[where] = building
        state.buildings_left[building] -= 1
        state.markers[where] = (*state.markers[where], seat)
        stacks = state.marker_stacks[seat]
        stacks[next(i for i, left in enumerate(stacks) if left)] -= 1


def serve(state: BarcelonaState, seat: int, *types: str) -> None:
    """Public Services that a seat has built, each the top tile of its stack at the time where the stack is in play."""
    for name in types:
        state.services_of[seat].append(SERVICES[name])
        if SERVICES[name] in state.service_types:
            state.services_taken[state.service_types.index(SERVICES[name])] += 1


def project(state: BarcelonaState, seat: int, where: int, tile: str | None = None, *, improved: bool = False) -> None:
    """A Modernisme tile (None: no tile) on a project space of a seat, improved or not."""
    state.projects[seat][where] = NOBODY if tile is None else SCORINGS[tile]
    state.improved[seat][where] = int(improved)


def sagrada(state: BarcelonaState, seat: int, *tiles: str) -> None:
    """Sagrada Família tiles that a seat has taken."""
    for name in tiles:
        state.sagrada_of[seat].append(SAGRADA[name])
        state.sagrada_left.remove(SAGRADA[name])


def tracked(state: BarcelonaState, working: int = 0, middle: int = 0, upper: int = 0) -> None:
    """So many citizens on each row of the citizen track, those of the set-up not counted; from nowhere."""
    state.track = [working, middle, upper]


def walked(state: BarcelonaState, seat: int, pedestrian: int, *, steps: int = 0, joy: int = 1) -> None:
    """How far a Pedestrian (0 Barcelona, 1 Gràcia) has come, and its Joy."""
    state.path[2 * seat + pedestrian] = steps
    state.joy[2 * seat + pedestrian] = joy


# Gaudí


def alone(
    difficulty: str = "EASY",
    *,
    both: bool = False,
    expansion: bool = False,
    meeple: str = "C3",
    arrow: str = "N",
    shown: Iterable[str] = ("NARROW", "SERVICE", "COBBLESTONE", "ROWS"),
    services: Iterable[str] | None = None,
) -> BarcelonaState:
    """A position of a game against Gaudí: his meeple here, this arrow on top of his deck."""
    actions = "BOTH" if both else "FIRST"
    state = position(expansion=expansion, shown=shown, services=services, solo=difficulty, solo_actions=actions)
    state.meeple = at(meeple)
    shows(state, arrow)
    return state


def shows(state: BarcelonaState, arrow: str) -> None:
    """Let Gaudí's deck show this arrow: the card with it lies on top."""
    card = CARDS[arrow]
    for pile in (state.deck, state.discards):
        if card in pile:
            pile.remove(card)
    state.deck.append(card)


def reveals_next(state: BarcelonaState, card: str, arrow: str) -> None:
    """Let Gaudí turn up the card with an arrow next, and this be the arrow of the card that is on top then."""
    assert card != arrow, "there is one card with each arrow"
    shows(state, arrow)
    shows(state, card)


def everywhere(state: BarcelonaState, *but: str, seat: int = 0, kind: int = WIDE) -> None:
    """Street tiles of a seat on every section but those named. They come from nowhere: the stacks keep their own."""
    free = {section(name) for name in but}
    for number in range(geometry.SECTIONS):
        if number not in free:
            state.streets[number] = kind
            state.street_owners[number] = seat


def cobbled(state: BarcelonaState, *but: tuple[int, int], seat: int = 0) -> None:
    """Cobblestones on every space of the Sidewalk but those named, by row and column. They come from nowhere."""
    free = {space(2, 2), *(space(*where) for where in but)}
    state.sidewalk = [NOBODY if where in free else seat for where in range(geometry.SIDE**2)]


def without_markers(state: BarcelonaState) -> None:
    """Gaudí has no marker left, so that he constructs nothing and no building tells intersections apart."""
    state.marker_stacks[GAUDI] = [0] * len(state.marker_stacks[GAUDI])


def no_row_bonus(state: BarcelonaState) -> None:
    """All Building Bonus tiles are gone."""
    state.bonus_left = [False] * len(state.bonus_left)


def gaudi_turn(state: BarcelonaState, card: str | None = None, arrow: str | None = None) -> list[Event]:
    """Gaudí's whole turn; `card`: the one that he turns up, by its arrow, and `arrow` on the one below."""
    if card is not None:
        reveals_next(state, card, arrow or ("S" if card == "N" else "N"))
    events = turn(state, GAUDI)
    return [*events, *state.play(moves.GAUDI)]


def gaudi_effect(state: BarcelonaState, number: int, reason: Reason = Reason.ACTION) -> list[Event]:
    """What an effect does for Gaudí, for some reason."""
    state.seat = GAUDI
    events: list[Event] = []
    state.events = events
    resolve(state, number, reason)
    state.events = None
    return events


def gaudi_action(state: BarcelonaState, name: str) -> list[Event]:
    """Let Gaudí carry out the action of a card."""
    return gaudi_effect(state, RULESET.actions[ACTIONS[name]].effect)


def gaudi_constructs(state: BarcelonaState) -> list[Event]:
    """Let Gaudí construct, if he can."""
    state.seat = GAUDI
    events: list[Event] = []
    state.events = events
    construct(state)
    state.events = None
    return events


def choices(events: Iterable[Event], matter: Matter) -> list[GaudiChose]:
    """What Gaudí chose in a matter, in order."""
    return [event for event in gained(events, GaudiChose) if event.matter is matter]


def choice(events: Iterable[Event], matter: Matter) -> GaudiChose:
    """The one choice of Gaudí's in a matter."""
    (found,) = choices(events, matter)
    return found


def resources(events: Iterable[Event], reason: Reason = Reason.INSTEAD) -> list[int]:
    """The resources that Gaudí gained for one reason, gain by gain; if not said, in place of what he can't do."""
    return [event.resources for event in gained(events, GaudiGained) if event.reason is reason]


# Deciding


def decide(state: BarcelonaState, *tasks: Task, seat: int = 0) -> list[Event]:
    """Let a seat have just these things to do, the first one first, and settle what needs no decision."""
    state.seat = seat
    state.tasks.clear()
    state.push(*tasks)
    events: list[Event] = []
    state.events = events
    state.settle()
    state.events = None
    return events


def effect(state: BarcelonaState, number: int, *, seat: int = 0, first: bool = False) -> list[Event]:
    """Let a seat have just an effect to carry out; `first`: as an action chosen, so that its first piece is a must."""
    return decide(state, (Do.EFFECT, number, Reason.ACTION, int(first)), seat=seat)


def action(state: BarcelonaState, name: str, *, seat: int = 0) -> list[Event]:
    """Let a seat carry out the effect of an Action tile, as one it has chosen."""
    return effect(state, RULESET.actions[ACTIONS[name]].effect, seat=seat, first=True)


def actions(state: BarcelonaState, where: str, *, seat: int = 0) -> list[Event]:
    """Let a seat choose among the actions of all streets that cross at an intersection."""
    streets = sum(1 << number for number in RULESET.city.streets_at[at(where)])
    return decide(state, (Do.ACTIONS, at(where), streets), seat=seat)


def turn(state: BarcelonaState, seat: int = 0) -> list[Event]:
    """Let a seat's turn begin: it has to place, then to build, then the Cerdà check and the drawing follow."""
    state.seat = seat
    state.tasks.clear()
    events: list[Event] = []
    state.events = events
    begin_turn(state)
    state.settle()
    state.events = None
    return events


def finish(state: BarcelonaState, seat: int = 0) -> list[Event]:
    """Let a seat end its turn: the Cerdà check and the drawing, the actions and the building behind it."""
    return decide(state, (Do.CERDA_CHECK,), (Do.DRAW,), seat=seat)


def settled(state: BarcelonaState) -> bool:
    """Whether nothing is left to decide of what `decide` was given."""
    return not state.tasks and not state.legal


def asked(state: BarcelonaState) -> Kind:
    """What is being asked: the kind of the moves that may be chosen, STOP left out."""
    (kind,) = {moves.parts(move).kind for move in state.legal_moves()} - {Kind.STOP}
    return kind


def may_stop(state: BarcelonaState) -> bool:
    """Whether what is asked may be declined."""
    return moves.STOP in state.legal_moves()


def is_a_move(number: int) -> bool:
    """Whether a number means a move at all, legal or not."""
    try:
        moves.parts(number)
    except Malformed:
        return False
    return True


@cache
def all_moves() -> tuple[Move, ...]:
    """Every number that means a move."""
    return tuple(number for number in range((max(Kind) + 1) * moves.RANGE) if is_a_move(number))


def moves_of(state: BarcelonaState, kind: Kind) -> list[Parts]:
    """The legal moves of a kind, taken apart."""
    return [found for found in map(moves.parts, state.legal_moves()) if found.kind is kind]


def whats(state: BarcelonaState, kind: Kind) -> list[int]:
    """What the legal moves of a kind say, without repetition, in order."""
    return sorted({found.what for found in moves_of(state, kind)})


def choose(state: BarcelonaState, kind: Kind, what: int = 0) -> list[Event]:
    """Make a move that says one thing only."""
    return state.play(moves.simple(kind, what))


def stop(state: BarcelonaState) -> list[Event]:
    """Decline what is asked."""
    return state.play(moves.STOP)


def place(state: BarcelonaState, where: str, top: str) -> list[Event]:
    """Place both citizens, the one of this class on top."""
    return state.play(moves.place(at(where), CLASS[top]))


def build(state: BarcelonaState, where: int, building: int, *using: str) -> list[Event]:
    """Build on a site with the top citizens of these intersections."""
    around = RULESET.city.sites[where].around
    return state.play(moves.build(where, building, sum(1 << around.index(at(name)) for name in using)))


def builds(state: BarcelonaState) -> set[tuple[int, int]]:
    """What may be built now: sites and buildings."""
    return {(found.what, found.which) for found in moves_of(state, Kind.BUILD)}


def refused(state: BarcelonaState, move: Move) -> str:
    """The id of the rule that a refusal names; the move must not be on the list either."""
    assert move not in state.legal_moves()
    with pytest.raises(IllegalMove) as caught:
        state.check(move)
    return caught.value.rule.id


def gained(events: Iterable[Event], kind: type[E]) -> list[E]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def scored(events: Iterable[Event], reason: Reason, seat: int = 0) -> int:
    """The points that a seat got for one reason."""
    return sum(event.points for event in gained(events, Scored) if (event.seat, event.reason) == (seat, reason))


def order_of(events: Iterable[Event], *kinds: type[Event]) -> list[type[Event]]:
    """The kinds of these events in the order they happened, others left out."""
    return [type(event) for event in events if type(event) in kinds]


def game_by_chance(players: int, seed: int, *, expansion: bool = False, solo: str = "NONE") -> Iterator[BarcelonaState]:
    """The positions of a game in which everybody moves by chance, from the first decision to the end.

    It is one state that goes on changing: copy it to keep it.
    """
    state, rng = new_game(players, seed=seed, expansion=expansion, options={"solo": solo}), Random(seed)
    yield state
    while not state.is_over:
        state.apply(rng.choice(state.legal_moves()))
        yield state

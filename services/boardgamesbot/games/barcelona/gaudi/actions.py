"""Gaudí's actions: free of cost, each with its priorities, and resources where he can't (BA-GA1 to BA-GA8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains, scoring
from boardgamesbot.games.barcelona import streets as city
from boardgamesbot.games.barcelona import tiles as boards
from boardgamesbot.games.barcelona.effects import Node, Op
from boardgamesbot.games.barcelona.events import (
    Criterion,
    Matter,
    Pieces,
    ProjectImproved,
    Reason,
    StackEmptied,
)
from boardgamesbot.games.barcelona.gaudi.arrows import MIDDLES, POINTS, kings_distance, of_intersection, order
from boardgamesbot.games.barcelona.gaudi.choosing import arrow, choose
from boardgamesbot.games.barcelona.gaudi.effects import points_in, resolve, resources
from boardgamesbot.games.barcelona.geometry import ends
from boardgamesbot.games.barcelona.trams import seat_passenger

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.ruleset import Stacks
    from boardgamesbot.games.barcelona.state import BarcelonaState


def _near(state: BarcelonaState, section: int) -> int:
    """How far a section is from the meeple: the nearer of its two ends."""
    return min(kings_distance(state.meeple, end) for end in ends(section))


def _missing(state: BarcelonaState) -> None:
    """What he gets for an action that he can't do (BA-G8)."""
    resources(state, state.ruleset.gaudi.for_action, Reason.INSTEAD)


def service(state: BarcelonaState) -> None:
    """The Public Service with most points of those he lacks, the leftmost of equals (BA-GA1)."""
    seat, ruleset = state.seat, state.ruleset
    here = [
        stack
        for stack, kind in enumerate(state.service_types)
        if boards.service_cost(state, stack) is not None and kind not in state.services_of[seat]
    ]
    if not here:
        return _missing(state)

    def worth(stack: int) -> int:
        return points_in(state, ruleset.service_effect[state.services_taken[stack]])

    stack = choose(state, Matter.SERVICE, here, [(Criterion.MOST_POINTS, lambda s: -worth(s))])
    tier, kind = state.services_taken[stack], state.service_types[stack]
    boards.take_service(state, stack)
    resolve(state, ruleset.service_effect[tier], Reason.SERVICE)
    resolve(state, ruleset.services[kind].effect, Reason.SERVICE)
    return None


def modernisme(state: BarcelonaState) -> None:
    """The tile worth most to him as if he had it, into his leftmost free space (BA-GA2)."""
    seat = state.seat
    here = [place for place, tile in enumerate(state.shown) if tile >= 0]
    if not here or -1 not in state.projects[seat]:
        return _missing(state)
    space = state.projects[seat].index(-1)

    def worth(place: int) -> int:
        state.projects[seat][space] = state.shown[place]
        found = scoring.value(state, seat, state.shown[place])
        state.projects[seat][space] = -1
        return found

    place = choose(state, Matter.MODERNISME, here, [(Criterion.MOST_POINTS, lambda p: -worth(p))])
    boards.take_modernisme(state, place, space)
    return None


def improve(state: BarcelonaState) -> None:
    """The leftmost project space not improved, those with a tile first (BA-GA3)."""
    seat = state.seat
    here = [space for space, done in enumerate(state.improved[seat]) if not done]
    if not here:
        return _missing(state)
    space = choose(state, Matter.PROJECT, here, [(Criterion.HAS_TILE, lambda s: state.projects[seat][s] < 0)])
    state.improved[seat][space] = 1
    state.tell(ProjectImproved(seat, space))
    return None


def streets(state: BarcelonaState, kind: int, number: int) -> None:
    """Each tile where its run is worth most, then by icon, nearness and arrow (BA-GA4, BA-GA5)."""
    for _ in range(number):
        free = [section for section, built in enumerate(state.streets) if not built]
        if not free or not any(city.tiles(state, state.seat, kind)):
            resources(state, state.ruleset.gaudi.for_tile, Reason.INSTEAD)
        else:
            _street(state, kind, free)


def _street(state: BarcelonaState, kind: int, free: list[int]) -> None:
    seat, ruleset = state.seat, state.ruleset

    def run(section: int) -> int:
        state.streets[section] = kind
        found = city.run_points(state, section)
        state.streets[section] = 0
        return found

    section = choose(
        state,
        Matter.STREET if kind == city.NARROW else Matter.WIDE_STREET,
        free,
        [
            (Criterion.MOST_POINTS, lambda s: -run(s)),
            (Criterion.ICON, lambda s: _street_icon(ruleset.nodes[ruleset.icons[s]])),
            (Criterion.NEAREST, lambda s: _near(state, s)),
            (Criterion.ARROW, lambda s: order(arrow(state), POINTS[state.meeple], MIDDLES[s])),
        ],
    )
    pieces = Pieces.NARROW if kind == city.NARROW else Pieces.WIDE
    stack = leftmost(city.tiles(state, seat, kind))
    city.lay_street(state, kind, section, stack)
    resolve(state, ruleset.icons[section], Reason.ICON)
    gains.points(state, seat, city.run_points(state, section), Reason.RUN)
    emptied(state, pieces, stack)


def leftmost(stacks: list[int]) -> int:
    """The first stack that is not empty (BA-G7)."""
    return next(i for i, left in enumerate(stacks) if left)


def emptied(state: BarcelonaState, pieces: Pieces, stack: int) -> None:
    """The reward of a stack that was just emptied (BA-G7)."""
    if city.stacks(state, state.seat, pieces)[stack]:
        return
    state.tell(StackEmptied(state.seat, pieces, stack))
    ruleset = state.ruleset
    kinds: dict[Pieces, Stacks] = {
        Pieces.MARKERS: ruleset.markers,
        Pieces.NARROW: ruleset.narrow,
        Pieces.WIDE: ruleset.wide,
    }
    resolve(state, kinds[pieces].rewards[stack], Reason.STACK)


def _street_icon(icon: Node) -> int:
    """Cerdà steps, then coins and cloth, then points."""
    return {Op.CERDA: 0, Op.GAIN: 1}.get(icon.op, 2)


def intersection(state: BarcelonaState) -> None:
    """On his own intersection; if it has a tile, on the nearest that has none (BA-GA6)."""
    seat = state.seat
    here = [i for i, owner in enumerate(state.intersection_owners) if owner < 0]
    if not here or city.intersection_cost(state, seat) is None:
        return _missing(state)
    where = choose(
        state,
        Matter.INTERSECTION,
        here,
        [
            (Criterion.NEAREST, lambda i: kings_distance(state.meeple, i)),
            (Criterion.ARROW, lambda i: order(arrow(state), POINTS[state.meeple], POINTS[i])),
        ],
    )
    coins, cloth = city.lay_intersection(state, where)
    resources(state, coins + cloth, Reason.ICON)
    return None


def cobblestone(state: BarcelonaState) -> None:
    """By the icon covered, then nearness to the start of the Sidewalk, then the arrow from there (BA-GA7)."""
    seat, ruleset = state.seat, state.ruleset
    here = boards.open_spaces(state)
    if state.cobblestones_placed[seat] >= ruleset.cobblestones or not here:
        return _missing(state)
    icons = boards.icons(state)
    start = icons.index(-1)
    space = choose(
        state,
        Matter.COBBLESTONE,
        here,
        [
            (Criterion.ICON, lambda s: _sidewalk_icon(ruleset.nodes[icons[s]])),
            (Criterion.NEAREST, lambda s: kings_distance(start, s)),
            (Criterion.ARROW, lambda s: order(arrow(state), of_intersection(start), of_intersection(s))),
        ],
    )
    boards.lay_cobblestone(state, space)
    resolve(state, icons[space], Reason.SIDEWALK)
    return None


def _sidewalk_icon(icon: Node) -> int:
    """Pedestrians, streets, Sagrada steps, two resources or their like, one, and points last (BA-GA7)."""
    match icon.op:
        case Op.MOVE | Op.MOVE_ONE:
            return 0
        case Op.WIDE | Op.NARROW:
            return 1
        case Op.SAGRADA:
            return 2
        case Op.GAIN:
            return 3 if icon.a + icon.b > 1 else 4
        case Op.RESOURCE | Op.CERDA | Op.JOY_ANY:
            return 3 if icon.a > 1 else 4
        case Op.JOY:
            return 3 if icon.b > 1 else 4
    return 5


def passenger(state: BarcelonaState) -> None:
    """A passenger without a tram: nearest, own street with the best run, other built ones, arrow (BA-GA8)."""
    seat = state.seat
    here = [section for section, owner in enumerate(state.passengers) if owner < 0]
    if state.passengers_placed[seat] >= len(state.ruleset.passenger_cost) or not here:
        return _missing(state)

    def street(section: int) -> tuple[int, int]:
        if state.street_owners[section] == seat:
            return 0, -city.run_points(state, section)
        return (1, 0) if state.streets[section] else (2, 0)

    section = choose(
        state,
        Matter.PASSENGER,
        here,
        [
            (Criterion.NEAREST, lambda s: _near(state, s)),
            (Criterion.STREET, street),
            (Criterion.ARROW, lambda s: order(arrow(state), POINTS[state.meeple], MIDDLES[s])),
        ],
    )
    seat_passenger(state, section)
    resources(state, state.ruleset.gaudi.for_street, Reason.INSTEAD)
    return None

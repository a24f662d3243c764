"""What an effect does for Gaudí: no choices but his priorities, and resources at once as points (BA-G2, BA-G8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains
from boardgamesbot.games.barcelona.counts import COUNTERS
from boardgamesbot.games.barcelona.effects import Op
from boardgamesbot.games.barcelona.events import Criterion, GaudiGained, Matter, Reason, SagradaTaken
from boardgamesbot.games.barcelona.gaudi.choosing import choose
from boardgamesbot.games.barcelona.tiles import take_sagrada_tile

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState


def resources(state: BarcelonaState, number: int, reason: int) -> None:
    """Coins, cloth and what stands for them: each is worth points by difficulty (BA-G2)."""
    if number > 0:
        worth = number * state.ruleset.gaudi.worth[state.difficulty]
        state.vp[state.seat] += worth
        state.tell(GaudiGained(state.seat, number, worth, Reason(reason)))


def resolve(state: BarcelonaState, number: int, reason: int) -> None:
    """Carry out an effect to its end."""
    from boardgamesbot.games.barcelona.gaudi import actions, walks

    op, a, b, kids = state.ruleset.nodes[number]
    seat = state.seat
    match op:
        case Op.SEQUENCE | Op.ANY_ORDER:
            for kid in kids:
                resolve(state, kid, reason)
        case Op.CHOICE:
            resolve(state, _preferred(state, kids), reason)
        case Op.VP:
            gains.points(state, seat, a, reason)
        case Op.GAIN:
            resources(state, a + b, reason)
        case Op.RESOURCE:
            resources(state, a, reason)
        case Op.CERDA:
            gains.cerda(state, seat, a, reason)
        case Op.SAGRADA:
            sagrada(state, a, reason)
        case Op.NARROW:
            actions.streets(state, 1, a)
        case Op.WIDE:
            actions.streets(state, 2, a)
        case Op.INTERSECTION:
            actions.intersection(state)
        case Op.COBBLESTONE:
            actions.cobblestone(state)
        case Op.SERVICE:
            actions.service(state)
        case Op.MODERNISME:
            actions.modernisme(state)
        case Op.IMPROVE:
            for _ in range(a):
                actions.improve(state)
        case Op.TRAM:
            actions.passenger(state)
        case Op.MOVE:
            walks.walk(state, a, b)
        case Op.MOVE_ONE:
            walks.walk(state, walks.farther(state), a)
        case Op.JOY:
            resources(state, b, reason)
        case Op.JOY_ANY:
            resources(state, a, reason)
        case Op.VP_PER:
            gains.points(state, seat, a * COUNTERS[b](state, seat), reason)


def _preferred(state: BarcelonaState, kids: tuple[int, ...]) -> int:
    """A wide street if he has one, else the other (BA-GA9)."""
    wide = [kid for kid in kids if state.ruleset.nodes[kid].op == Op.WIDE]
    if wide and any(state.wide[state.seat]):
        return wide[0]
    return next((kid for kid in kids if kid not in wide), kids[0])


def sagrada(state: BarcelonaState, steps: int, reason: int) -> None:
    """All steps at once, then a tile for each threshold reached, the lowest first (BA-SF1, BA-G9)."""
    for level in gains.sagrada(state, state.seat, steps, reason):
        _take_tile(state, level)


def _take_tile(state: BarcelonaState, level: int) -> None:
    tiles, seat = state.ruleset.sagrada_tiles, state.seat
    here = [tile for tile in state.sagrada_left if tiles[tile].level == level]
    if not here:
        state.tell(SagradaTaken(seat, -1, level))
        gains.points(state, seat, state.ruleset.none_left_vp[level], Reason.SAGRADA)
        return
    priorities = ((Criterion.MOST_POINTS, lambda tile: -points_in(state, tiles[tile].effect)),)
    tile = choose(state, Matter.SAGRADA_TILE, here, priorities)
    take_sagrada_tile(state, tile)
    resolve(state, tiles[tile].effect, Reason.SAGRADA)


def points_in(state: BarcelonaState, number: int) -> int:
    """The points that an effect names, as they would be given now (BA-G9)."""
    op, a, b, kids = state.ruleset.nodes[number]
    if op == Op.VP:
        return a
    if op == Op.VP_PER:
        return a * COUNTERS[b](state, state.seat)
    return sum(points_in(state, kid) for kid in kids) if op in (Op.SEQUENCE, Op.ANY_ORDER) else 0

"""Gaining and paying: points, resources and steps on the tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.events import Advanced, Gained, JoyGained, Kept, Paid, Reason, Scored, Track
from boardgamesbot.games.barcelona.moves import FIRST_KEEP, FIRST_RESOURCE, RANGE
from boardgamesbot.games.barcelona.tasks import DO_KEEP, Task

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move


def points(state: BarcelonaState, seat: int, number: int, reason: int) -> None:
    """Points at once."""
    if number:
        state.vp[seat] += number
        if state.events is not None:
            state.tell(Scored(seat, number, Reason(reason)))


def resources(state: BarcelonaState, seat: int, coins: int, cloth: int, reason: int) -> None:
    """One gain; what stays of it is asked at once if the storage overflows (BA-R1). Do it after other pushes."""
    if not coins and not cloth:
        return
    state.coins[seat] += coins
    state.cloth[seat] += cloth
    if state.events is not None:
        state.tell(Gained(seat, coins, cloth, Reason(reason)))
    if state.coins[seat] + state.cloth[seat] > state.capacity(seat):
        state.tasks.append((DO_KEEP,))


def pay(state: BarcelonaState, seat: int, coins: int, cloth: int) -> None:
    """Pay what one has."""
    if coins or cloth:
        state.coins[seat] -= coins
        state.cloth[seat] -= cloth
        if state.events is not None:
            state.tell(Paid(seat, coins, cloth))


def cerda(state: BarcelonaState, seat: int, steps: int, reason: int) -> None:
    """Steps on the Cerdà track; those beyond its ends are lost (BA-CT1)."""
    before = state.cerda[seat]
    after = max(0, min(len(state.ruleset.multipliers) - 1, before + steps))
    state.cerda[seat] = after
    if after != before and state.events is not None:
        state.tell(Advanced(seat, Track.CERDA, after - before, after, Reason(reason)))


def sagrada(state: BarcelonaState, seat: int, steps: int, reason: int) -> list[int]:
    """All steps at once; gives the levels whose threshold was reached, the lowest first (BA-SF1)."""
    before = state.sagrada[seat]
    after = min(state.ruleset.sagrada_last, before + steps)
    state.sagrada[seat] = after
    if after != before and state.events is not None:
        state.tell(Advanced(seat, Track.SAGRADA, after - before, after, Reason(reason)))
    return [level for level, space in enumerate(state.ruleset.thresholds) if before < space <= after]


def joy(state: BarcelonaState, seat: int, pedestrian: int, more: int, reason: int) -> None:
    """Joy for one Pedestrian, never beyond the most (BA-PG7)."""
    i = 2 * seat + pedestrian
    before = state.joy[i]
    state.joy[i] = min(state.ruleset.joy_most, before + more)
    if state.joy[i] != before and state.events is not None:
        state.tell(JoyGained(seat, pedestrian, state.joy[i], Reason(reason)))


def ask_keep(state: BarcelonaState, _: Task) -> list[Move]:
    """Every way to fill the storage to the last space (BA-R1)."""
    coins, cloth, room = state.coins[state.seat], state.cloth[state.seat], state.capacity(state.seat)
    return [FIRST_KEEP + kept for kept in range(max(0, room - cloth), min(coins, room) + 1)]


def answer_keep(state: BarcelonaState, _: Task, move: Move) -> None:
    seat = state.seat
    kept = move % RANGE
    state.tasks.pop()
    state.coins[seat] = kept
    state.cloth[seat] = state.capacity(seat) - kept
    if state.events is not None:
        state.tell(Kept(seat, kept, state.cloth[seat]))


def ask_resource(_: BarcelonaState, __: Task) -> list[Move]:
    """Coins or cloth."""
    return [FIRST_RESOURCE, FIRST_RESOURCE + 1]


def answer_resource(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    if move % RANGE:
        resources(state, state.seat, 0, task[1], task[2])
    else:
        resources(state, state.seat, task[1], 0, task[2])

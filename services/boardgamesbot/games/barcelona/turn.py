"""A turn: placing citizens, the actions of the streets, the Cerdà check, drawing, and who is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains, interpreter, scoring
from boardgamesbot.games.barcelona.events import (
    ActionTaken,
    Drew,
    Ended,
    JoyGained,
    NowhereToPlace,
    Placed,
    Reason,
    TurnBegan,
)
from boardgamesbot.games.barcelona.geometry import DIAGONAL
from boardgamesbot.games.barcelona.moves import FIRST_ACTION, FIRST_PEDESTRIAN, RANGE, STOP, place
from boardgamesbot.games.barcelona.reasons import FOR_ACTION, FOR_OWNER
from boardgamesbot.games.barcelona.ruleset import HAND
from boardgamesbot.games.barcelona.tasks import (
    DO_ACTIONS,
    DO_BUILD,
    DO_CERDA_CHECK,
    DO_DRAW,
    DO_EFFECT,
    DO_GAUDI,
    DO_PLACE,
    Task,
)

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Move


def begin_turn(state: BarcelonaState) -> None:
    """Put the steps of a turn before the player whose turn it is (BA-T1)."""
    seat = state.seat
    if state.events is not None:
        state.tell(TurnBegan(seat, state.round))
    if state.is_gaudi(seat):
        state.push((DO_GAUDI,), (DO_CERDA_CHECK,), (DO_DRAW,))
        return
    state.push((DO_BUILD,), (DO_CERDA_CHECK,), (DO_DRAW,))
    if 0 in state.citizens:
        state.tasks.append((DO_PLACE,))
        return
    for citizen in state.hands[seat]:
        state.box[citizen - 1] += 1
    if state.events is not None:
        state.tell(NowhereToPlace(seat, tuple(state.hands[seat])))
    state.hands[seat] = []


# Placing


def places_free_of_cost(state: BarcelonaState) -> bool:
    """Whether only the diagonal is left to one who can't pay for it (BA-A4)."""
    if state.coins[state.seat] >= state.ruleset.diagonal_cost:
        return False
    on_diagonal = state.ruleset.city.on_diagonal
    return all(on_diagonal[i] for i, stack in enumerate(state.citizens) if not stack)


def ask_place(state: BarcelonaState, _: Task) -> list[Move]:
    """Any empty intersection that can be paid for, either citizen on top (BA-A1, BA-A2, BA-A3)."""
    tops = sorted(set(state.hands[state.seat]))
    on_diagonal = state.ruleset.city.on_diagonal
    payable = state.coins[state.seat] >= state.ruleset.diagonal_cost or places_free_of_cost(state)
    found: list[Move] = []
    for i, stack in enumerate(state.citizens):
        if not stack and (payable or not on_diagonal[i]):
            found += [place(i, top) for top in tops]
    return found


def answer_place(state: BarcelonaState, _: Task, move: Move) -> None:
    where, top = divmod(move % RANGE, 4)
    seat = state.seat
    state.tasks.pop()
    hand = state.hands[seat]
    bottom = hand[0] if hand[1] == top else hand[1]
    streets = 0
    for street in state.ruleset.city.streets_at[where]:
        streets |= 1 << street
    if state.ruleset.city.on_diagonal[where]:
        if places_free_of_cost(state):
            streets &= ~(1 << DIAGONAL)
        else:
            gains.pay(state, seat, state.ruleset.diagonal_cost, 0)
    state.hands[seat] = []
    state.citizens[where] = top + 4 * bottom
    state.undo = False
    if state.events is not None:
        state.tell(Placed(seat, where, bottom, top))
    owner = state.intersection_owners[where]
    if owner not in (-1, seat):
        gains.points(state, owner, state.ruleset.owner_vp, FOR_OWNER)
    state.tasks.append((DO_ACTIONS, where, streets))


# Actions


def ask_actions(state: BarcelonaState, task: Task) -> list[Move]:
    """The actions of the streets not taken yet that can be carried out now (BA-A7, BA-A8)."""
    actions, slots = state.ruleset.actions, state.slots
    where, left = task[1], task[2]
    if not left:
        return []
    return [
        STOP,
        *[
            FIRST_ACTION + street
            for street in state.ruleset.city.streets_at[where]
            if left >> street & 1 and interpreter.can(state, actions[slots[street]].effect)
        ],
    ]


def answer_actions(state: BarcelonaState, task: Task, move: Move) -> None:
    state.tasks.pop()
    if move == STOP:
        return
    street = move % RANGE
    action = state.slots[street]
    if state.events is not None:
        state.tell(ActionTaken(state.seat, street, action, False))
    state.push(
        (DO_EFFECT, state.ruleset.actions[action].effect, FOR_ACTION, 1),
        (DO_ACTIONS, task[1], task[2] & ~(1 << street)),
    )


# The end of a turn


def do_cerda_check(state: BarcelonaState, _: Task) -> None:
    scoring.score_complete(state)


def do_draw(state: BarcelonaState, _: Task) -> None:
    """Two citizens, then the next player; the round is played to its end (BA-D1, BA-D2, BA-E1)."""
    seat, bag = state.seat, state.bag
    if state.is_gaudi(seat):
        pass
    elif len(bag) >= HAND:
        state.hands[seat] = [bag.pop() for _ in range(HAND)]
        if state.events is not None:
            state.tell(Drew(seat, tuple(state.hands[seat])))
    else:
        if state.events is not None:
            state.tell(Drew(seat, ()))
        if not state.ending:
            scoring.score_all(state)
    state.undo = False
    state.seat = (seat + 1) % state.players
    if state.seat != state.first:
        begin_turn(state)
    elif state.ending:
        end(state)
    else:
        state.round += 1
        begin_turn(state)


def end(state: BarcelonaState) -> None:
    """The final scoring (BA-E2)."""
    state.over = True
    if state.events is not None:
        finals = [scoring.final(state, seat) for seat in range(state.players)]
        state.tell(
            Ended(
                points=tuple(scoring.totals(state)),
                cobblestones=tuple(final.cobblestones for final in finals),
                passengers=tuple(final.passengers for final in finals),
                modernisme=tuple(final.modernisme for final in finals),
                joy=tuple(final.joy for final in finals),
                winners=tuple(state.winners()),
            )
        )


# The first decision of a third player


def ask_start_die(_: BarcelonaState, __: Task) -> list[Move]:
    """Which die of the third player begins with more Joy (BA-PG3)."""
    return [FIRST_PEDESTRIAN, FIRST_PEDESTRIAN + 1]


def answer_start_die(state: BarcelonaState, task: Task, move: Move) -> None:
    seat, pedestrian = task[1], move % RANGE
    state.tasks.pop()
    state.joy[2 * seat + pedestrian] = state.ruleset.third_seat_die
    if state.events is not None:
        state.tell(JoyGained(seat, pedestrian, state.ruleset.third_seat_die, Reason.SETUP))
    state.undo = False
    state.seat = state.first
    begin_turn(state)

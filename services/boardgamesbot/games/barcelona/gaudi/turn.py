"""Gaudí's turn: reveal a card, move, place, walk, act, construct (BA-G4 to BA-G15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gains, scoring
from boardgamesbot.games.barcelona.events import (
    CardRevealed,
    Criterion,
    DeckShuffled,
    Drew,
    GaudiActed,
    Matter,
    NowhereToPlace,
    Placed,
    Reason,
)
from boardgamesbot.games.barcelona.gaudi import walks
from boardgamesbot.games.barcelona.gaudi.arrows import POINTS, kings_distance, order
from boardgamesbot.games.barcelona.gaudi.choosing import arrow, choose
from boardgamesbot.games.barcelona.gaudi.construct import NOTHING, best_rank, construct
from boardgamesbot.games.barcelona.gaudi.effects import resolve
from boardgamesbot.games.barcelona.moves import GAUDI
from boardgamesbot.games.barcelona.pedestrians import BARCELONA, GRACIA
from boardgamesbot.games.barcelona.ruleset import HAND

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.barcelona.tasks import Task
    from boardgamesbot.games.base import Move

_NEIGHBOUR = 1


def ask_gaudi(_: BarcelonaState, __: Task) -> list[Move]:
    """One move: his rules leave him no other (BA-G4)."""
    return [GAUDI]


def answer_gaudi(state: BarcelonaState, _: Task, __: Move) -> None:
    """His whole turn but for the Cerdà check."""
    state.tasks.pop()
    card = _reveal(state)
    citizens = _draw(state)
    if citizens:
        if 0 in state.citizens:
            _place(state, citizens)
            if state.expansion:
                _walk_by_card(state, card)
            _act(state, card)
        else:
            for citizen in citizens:
                state.box[citizen - 1] += 1
            state.tell(NowhereToPlace(state.seat, citizens))
    construct(state)


def _reveal(state: BarcelonaState) -> int:
    """The top card, face up; an empty deck is shuffled anew at once from the others (BA-G4)."""
    card = state.deck.pop()
    state.discards.append(card)
    shuffled = not state.deck
    if shuffled:
        state.deck, state.discards = state.discards[:-1], state.discards[-1:]
        state.chance.shuffle(state.deck)
    state.tell(CardRevealed(state.seat, card, arrow(state)))
    if shuffled:
        state.tell(DeckShuffled(state.seat))
    return card


def _draw(state: BarcelonaState) -> tuple[int, ...]:
    """Two citizens, the higher class first; none from too empty a bag, which brings the end (BA-G16)."""
    if len(state.bag) < HAND:
        state.tell(Drew(state.seat, ()))
        if not state.ending:
            scoring.score_all(state)
        return ()
    return tuple(sorted((state.bag.pop() for _ in range(HAND)), reverse=True))


def _place(state: BarcelonaState, citizens: tuple[int, ...]) -> None:
    """Move the meeple, and place both citizens there with the higher class on top (BA-G5, BA-G6)."""
    top, bottom = citizens
    seat = state.seat
    empty = [i for i, stack in enumerate(state.citizens) if not stack]
    beside = [i for i in empty if kings_distance(i, state.meeple) == _NEIGHBOUR]

    def allows(intersection: int) -> int:
        state.citizens[intersection] = top + 4 * bottom
        found = best_rank(state)
        state.citizens[intersection] = 0
        return found

    by_arrow = (Criterion.ARROW, lambda i: order(arrow(state), POINTS[state.meeple], POINTS[i]))
    if beside:
        ranks = {i: allows(i) for i in beside}
        best = min(ranks.values())
        allowing = list(ranks.values()).count(best) if best < NOTHING else 0
        where = choose(state, Matter.MEEPLE, beside, [(Criterion.BEST_BUILDING, ranks.__getitem__), by_arrow], allowing)
    else:
        nearest = (Criterion.NEAREST, lambda i: kings_distance(i, state.meeple))
        where = choose(state, Matter.MEEPLE, empty, [nearest, by_arrow])
    state.meeple = where
    state.citizens[where] = top + 4 * bottom
    state.tell(Placed(seat, where, bottom, top))
    owner = state.intersection_owners[where]
    if owner not in (-1, seat):
        gains.points(state, owner, state.ruleset.owner_vp, Reason.OWNER)


def _walk_by_card(state: BarcelonaState, card: int) -> None:
    """A step for each action of the card that an Amenities tile shows, on that tile's side (BA-G12)."""
    shown = [state.ruleset.amenities[amenity].action for amenity in state.amenities]
    for action in state.ruleset.gaudi.cards[card].actions:
        for pedestrian, side in ((BARCELONA, shown[:3]), (GRACIA, shown[3:])):
            if action in side:
                walks.walk(state, pedestrian, 1)


def _act(state: BarcelonaState, card: int) -> None:
    """The first action of the card, or both in order (BA-G8)."""
    actions = state.ruleset.gaudi.cards[card].actions
    for action in actions if state.both_actions else actions[:1]:
        state.tell(GaudiActed(state.seat, action))
        resolve(state, state.ruleset.actions[action].effect, Reason.ACTION)

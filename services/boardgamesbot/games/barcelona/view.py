"""What a seat may know of a position of Barcelona, and full positions that agree with it.

Hidden are the citizens in other hands, the order of the bag, of the Modernisme stack, and of Gaudí's deck below its
top card, whose back is in sight. What is in them all
together follows from what is seen, so a view needs no memory.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.base import Move, View
from boardgamesbot.games.chance import Chance, FastChance

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState


class _NoChance(Chance):
    """The chance of a view: what is to come is not for its reader to know."""

    __slots__ = ()

    def below(self, n: int) -> int:
        raise LookupError(f"a view holds no chance, asked for a number below {n}")

    def copy(self) -> _NoChance:
        return self


_NO_CHANCE = _NoChance()


class BarcelonaView(View):
    """A position in which what `seat` may not know is blanked out: citizens 0, tiles -1, and no chance."""

    def __init__(self, position: BarcelonaState, seat: int | None) -> None:
        self.position = position
        self.seat = seat
        self.actor = position.actor

    @classmethod
    def of(cls, state: BarcelonaState, seat: int | None) -> BarcelonaView:
        """What `seat` (None: a spectator) knows of a position."""
        known = state.copy()
        known.chance = _NO_CHANCE
        known.hands = [hand if own == seat else [0] * len(hand) for own, hand in enumerate(known.hands)]
        known.bag = [0] * len(known.bag)
        known.modernisme_stack = [-1] * len(known.modernisme_stack)
        known.deck = [-1] * (len(known.deck) - 1) + _alike(state)[:1]
        if seat != known.actor:
            known.legal = []
        return cls(known, seat)

    def __eq__(self, other: object) -> bool:
        """Whether two views tell the same."""
        if not isinstance(other, BarcelonaView) or self.seat != other.seat:
            return False
        return self.position.same_as(other.position)

    __hash__ = None  # type: ignore[assignment]

    @property
    def undoable(self) -> bool:
        return self.position.undo

    @property
    def hand(self) -> list[int]:
        """The reader's own citizens; none for a spectator."""
        return [] if self.seat is None else self.position.hands[self.seat]

    def legal_moves(self) -> list[Move]:
        return self.position.legal.copy() if self.seat is not None and self.seat == self.actor else []

    def unseen_citizens(self) -> list[int]:
        """The citizens in the bag and in other hands, sorted: all there are but those in sight."""
        position = self.position
        left = list(position.ruleset.citizens)
        for stack in position.citizens:
            for citizen in (stack & 3, stack >> 2):
                if citizen:
                    left[citizen - 1] -= 1
        for task in position.tasks:
            for citizen in task[1:] if task[0] == Do.TO_TRACK else ():
                left[citizen - 1] -= 1
        for citizen in self.hand:
            left[citizen - 1] -= 1
        covered = len(position.ruleset.covered[position.boards])
        return [
            citizen
            for citizen, track, box, seen in zip((1, 2, 3), position.track, position.box, left, strict=True)
            for _ in range(seen - track - box - covered)
        ]

    def unseen_modernisme(self) -> list[int]:
        """The Modernisme tiles of the stack, sorted: all in the game but those shown or taken."""
        position = self.position
        seen = {*position.cerda_tiles, *position.shown, *(tile for spaces in position.projects for tile in spaces)}
        return [
            tile
            for tile, scoring in enumerate(position.ruleset.scorings)
            if tile not in seen and (position.expansion or not scoring.expansion)
        ]

    def unseen_cards(self) -> list[int]:
        """Gaudí's cards below the top of his deck, sorted; none without him.

        The top one is known by its arrow: of several with that arrow the first stands for all of them.
        """
        position = self.position
        seen = {*position.discards, *position.deck[-1:]}
        return [card for card in range(len(position.ruleset.gaudi.cards)) if card not in seen] if position.solo else []

    def determinize(self, rng: Random) -> BarcelonaState:
        state = self.position.copy()
        state.chance = FastChance(rng)
        citizens, tiles, cards = self.unseen_citizens(), self.unseen_modernisme(), self.unseen_cards()
        rng.shuffle(citizens)
        rng.shuffle(tiles)
        rng.shuffle(cards)
        for seat, hand in enumerate(state.hands):
            if seat != self.seat:
                state.hands[seat] = [citizens.pop() for _ in hand]
        state.bag = citizens
        state.modernisme_stack = tiles
        if state.deck:
            top = rng.choice(_alike(state))
            state.deck = [card for card in (*cards, state.deck[-1]) if card != top] + [top]
        state.settle()
        return state


def _alike(state: BarcelonaState) -> list[int]:
    """The cards that Gaudí's top one may be, by its arrow and by those turned up, sorted; none without a deck."""
    cards = state.ruleset.gaudi.cards
    if not state.deck:
        return []
    arrow = cards[state.deck[-1]].arrow
    return [card for card, made in enumerate(cards) if made.arrow == arrow and card not in state.discards]

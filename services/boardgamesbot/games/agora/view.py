"""What a seat may know of a position of Agora, and full positions that agree with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from boardgamesbot.games.agora.movements import Memory, Movement, Sighting, hands_after
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.base import Options, View
from boardgamesbot.games.chance import FastChance

if TYPE_CHECKING:
    from boardgamesbot.games.agora.game import Agora
    from boardgamesbot.games.agora.moves import Parts
    from boardgamesbot.games.agora.state import AgoraState


@dataclass(frozen=True)
class AgoraView(View):
    """Everything else a seat knows follows from these: districts, seats and piles from 0, squares from 1."""

    game: Agora
    seat: int | None
    actor: int | None
    players: int
    options: Options
    turn: int
    phase: int
    fountain: int
    upright: tuple[int, ...]
    """`district * players + seat`."""
    lying: tuple[int, ...]
    pile_sizes: tuple[int, int]
    pile_tops: tuple[int, int]
    """The district on the back of the top square; -1 if empty or plain."""
    first_walk: Parts | None
    sightings: tuple[Sighting, ...]

    @property
    def undoable(self) -> bool:
        return self.first_walk is not None

    @property
    def turns(self) -> int:
        """How many turns the game has."""
        return self.game.ruleset.setup(self.players).turns

    @cached_property
    def memory(self) -> Memory:
        """What follows from the sightings: hands, played and discarded squares as this seat knows them."""
        return Memory(self.players, self.sightings)

    @property
    def hand(self) -> list[int]:
        """The reader's own squares, sorted; none for a spectator."""
        return [] if self.seat is None else sorted(known.square for known in self.memory.hands[self.seat])

    @cached_property
    def total(self) -> list[int]:
        """Walkers, upright and lying."""
        return [up + down for up, down in zip(self.upright, self.lying, strict=True)]

    @cached_property
    def supply(self) -> list[int]:
        """Walkers left by seat."""
        walkers = self.game.ruleset.setup(self.players).walkers
        return [walkers - sum(self.total[seat :: self.players]) for seat in range(self.players)]

    @property
    def done(self) -> int:
        """How many players are done with the phase."""
        return 0 if self.actor is None else (self.actor - self.fountain) % self.players

    def determinize(self, rng: Random) -> AgoraState:
        from boardgamesbot.games.agora.state import AgoraState

        deal = _Deal(self, rng)
        state = AgoraState(self.game, self.players, self.options, FastChance(rng))
        state.turn = self.turn
        state.phase = self.phase
        state.done = self.done
        state.fountain = self.fountain
        state.upright = list(self.upright)
        state.lying = list(self.lying)
        state.total = self.total.copy()
        state.supply = self.supply.copy()
        state.first_walk = self.first_walk
        state.piles, state.removed = deal.piles, deal.removed
        state.movements = [
            Movement(seen.kind, seen.seat, seen.source, token.square)
            for seen, token in zip(self.sightings, deal.moved, strict=True)
        ]
        state.hands = hands_after(state.movements, self.players)
        return state


class _Token:
    """A square in somebody's hand whose number may still be open (0)."""

    __slots__ = ("back", "square")

    def __init__(self, back: int, square: int) -> None:
        self.back = back
        self.square = square


class _Deal:
    """One way the hidden squares may lie, drawn by chance among those that fit every sighting.

    The sightings are followed in order. Where a square left a hand unseen, one of those with its back is
    drawn; where that leads to what the reader knows to be false, another is. At the end the squares still
    open get numbers nobody has seen.
    """

    def __init__(self, view: AgoraView, rng: Random) -> None:
        self._view = view
        self._rng = rng
        self.hands: list[list[_Token]] = [[] for _ in range(view.players)]
        self.moved: list[_Token] = []
        """The token of each sighting followed so far."""
        self._named_here: list[bool] = []
        self._by_square: dict[int, _Token] = {}
        if not self._follow(0):
            raise ValueError("the sightings of this view contradict one another")
        self.piles: list[list[int]] = []
        self.removed: list[int] = []
        self._name_the_rest()

    def _follow(self, start: int) -> bool:
        """Follow the sightings from `start` on; False, and everything as before, where that is impossible."""
        sightings = self._view.sightings
        for i in range(start, len(sightings)):
            seen = sightings[i]
            candidates = [_Token(seen.back, 0)] if seen.leaves < 0 else self._candidates(seen)
            if len(candidates) == 1:
                self._step(seen, candidates[0])
                continue
            for token in candidates:
                self._step(seen, token)
                if self._follow(i + 1):
                    return True
                self._rewind(i)
            self._rewind(start)
            return False
        return True

    def _candidates(self, seen: Sighting) -> list[_Token]:
        """The tokens that may be the one that left a hand, one of each kind, in an order of chance."""
        hand = self.hands[seen.leaves]
        if seen.square and (token := self._by_square.get(seen.square)):
            return [token] if token in hand else []
        alike = [token for token in hand if token.back == seen.back and not (seen.square and token.square)]
        self._rng.shuffle(alike)
        kinds: dict[int, _Token] = {}
        for token in alike:
            kinds.setdefault(token.square, token)
        return list(kinds.values())

    def _step(self, seen: Sighting, token: _Token) -> None:
        names = seen.square != 0 and token.square == 0
        if names:
            token.square = seen.square
            self._by_square[seen.square] = token
        if seen.leaves >= 0:
            self.hands[seen.leaves].remove(token)
        if seen.enters >= 0:
            self.hands[seen.enters].append(token)
        self.moved.append(token)
        self._named_here.append(names)

    def _rewind(self, to: int) -> None:
        """Forget everything from sighting `to` on."""
        while len(self.moved) > to:
            token, seen = self.moved.pop(), self._view.sightings[len(self.moved)]
            if seen.enters >= 0:
                self.hands[seen.enters].remove(token)
            if seen.leaves >= 0:
                self.hands[seen.leaves].append(token)
            if self._named_here.pop():
                del self._by_square[token.square]
                token.square = 0

    def _name_the_rest(self) -> None:
        view, rng = self._view, self._rng
        district_of = view.game.ruleset.district_of
        plain = view.options["backs"] == "PLAIN"
        unseen: list[list[int]] = [[] for _ in range(1 if plain else DISTRICTS)]
        for square in range(1, SQUARES + 1):
            if square not in self._by_square:
                unseen[0 if plain else district_of[square]].append(square)
        for squares in unseen:
            rng.shuffle(squares)
        for token in self.moved:
            if not token.square:
                token.square = unseen[0 if plain else token.back].pop()
        tops = [
            [unseen[0 if plain else top].pop()] if size else []
            for size, top in zip(view.pile_sizes, view.pile_tops, strict=True)
        ]
        rest = [square for squares in unseen for square in squares]
        rng.shuffle(rest)
        for size, top_square in zip(view.pile_sizes, tops, strict=True):
            below = max(0, size - 1)
            self.piles.append(rest[:below] + top_square)
            rest = rest[below:]
        self.removed = rest

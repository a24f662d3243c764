"""What a seat may know of a position of Agora, and full positions that agree with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from boardgamesbot.games.agora.dealing import Deal, Plan
from boardgamesbot.games.agora.movements import Memory, Movement, Sighting
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

    @cached_property
    def _plan(self) -> Plan:
        return Plan(
            self.players,
            self.sightings,
            self.pile_sizes,
            self.pile_tops,
            self.game.ruleset.district_of,
            plain=self.options["backs"] == "PLAIN",
        )

    def determinize(self, rng: Random) -> AgoraState:
        from boardgamesbot.games.agora.state import AgoraState

        deal = Deal(self._plan, rng)
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
            Movement(seen.kind, seen.seat, seen.source, square)
            for seen, square in zip(self.sightings, deal.moved, strict=True)
        ]
        state.hands = deal.hands
        return state

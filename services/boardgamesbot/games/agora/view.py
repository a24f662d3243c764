"""What a seat may know of a position of Agora, and full positions that agree with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.core import Core
from boardgamesbot.games.agora.dealing import Deal, Plan
from boardgamesbot.games.agora.movements import Log, Memory, Movement, Sighting
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

    @cached_property
    def _known(self) -> Core:
        """All that this seat knows, with nobody holding any square."""
        core = Core(self.game.board, self.players, self.options)
        core.turn = self.turn
        core.phase = self.phase
        core.done = self.done
        core.fountain = self.fountain
        core.upright = list(self.upright)
        core.total = self.total.copy()
        core.supply = self.supply.copy()
        if self.first_walk is not None:
            core.first_walk = moves.walk(self.first_walk.what, self.first_walk.frm, self.first_walk.to)
        core.settle()
        return core

    def _with(self, deal: Deal) -> Core:
        core = self._known.copy()
        core.hands, core.piles, core.removed = deal.hands, deal.piles, deal.removed
        return core

    def sample(self, rng: Random) -> Core:
        """What `determinize` gives, as likely as there, without the past: for searches, which need many."""
        return self._with(Deal(self._plan, rng))

    def determinize(self, rng: Random) -> AgoraState:
        from boardgamesbot.games.agora.state import AgoraState

        deal = Deal(self._plan, rng)
        movements = Log(
            Movement(seen.kind, seen.seat, seen.source, square)
            for seen, square in zip(self.sightings, deal.moved, strict=True)
        )
        return AgoraState(self.game, self.options, FastChance(rng), self._with(deal), movements)

"""A position of Agora Barcelona with its past: the rules of play are `core`'s, what has been seen is kept here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import sub
from typing import TYPE_CHECKING

from boardgamesbot.games.agora import core as notes
from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.core import Core, Phase
from boardgamesbot.games.agora.events import (
    Discarded,
    Drawn,
    Ended,
    FountainPassed,
    Played,
    Skipped,
    Taken,
    TurnBegan,
    Walked,
)
from boardgamesbot.games.agora.movements import Log, Moved, Movement, sighting
from boardgamesbot.games.agora.moves import Parts
from boardgamesbot.games.agora.refusals import Refusals
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.base import Event, Move, Options, State

if TYPE_CHECKING:
    from boardgamesbot.games.agora.game import Agora
    from boardgamesbot.games.chance import Chance

__all__ = ["AgoraState", "Phase"]

_SKIPPED_BY = {Phase.TAKE: "AG-P1.2", Phase.FIRST_WALK: "AG-P3.4"}


class AgoraState(State):
    """Everything there is to know: a `Core`, the way every square has gone, and chance to come.

    The properties are the core's; see there. Those that are lists are not to be changed.
    """

    __slots__ = ("chance", "core", "game", "movements", "options", "players")

    game: Agora

    def __init__(self, game: Agora, options: Options, chance: Chance, core: Core, movements: Log) -> None:
        self.game = game
        self.players = core.players
        self.options = options
        self.chance = chance
        self.core = core
        self.movements = movements

    @classmethod
    def begin(cls, game: Agora, players: int, options: Options, chance: Chance) -> tuple[AgoraState, list[Event]]:
        """A new game at its first decision, and what happened before that."""
        state = cls(game, options, chance, Core(game.board, players, options), Log())
        journal: list[int] = []
        state.core.deal(chance, journal)
        return state, state._told(journal)

    @property
    def actor(self) -> int | None:
        actor = self.core.actor
        return None if actor < 0 else actor

    @property
    def undoable(self) -> bool:
        return self.core.phase == Phase.SECOND_WALK

    @property
    def is_last_turn(self) -> bool:
        return self.core.is_last_turn

    @property
    def turn(self) -> int:
        return self.core.turn

    @property
    def turns(self) -> int:
        return self.core.turns

    @property
    def phase(self) -> int:
        return self.core.phase

    @property
    def done(self) -> int:
        return self.core.done

    @property
    def fountain(self) -> int:
        return self.core.fountain

    @property
    def choosing(self) -> bool:
        return self.core.choosing

    @property
    def upright(self) -> list[int]:
        return self.core.upright

    @property
    def total(self) -> list[int]:
        return self.core.total

    @property
    def lying(self) -> list[int]:
        """Walkers that have walked this turn; a list of its own."""
        return list(map(sub, self.core.total, self.core.upright))

    @property
    def supply(self) -> list[int]:
        return self.core.supply

    @property
    def hands(self) -> list[list[int]]:
        return self.core.hands

    @property
    def piles(self) -> list[list[int]]:
        return self.core.piles

    @property
    def removed(self) -> list[int]:
        return self.core.removed

    @property
    def first_walk(self) -> Parts | None:
        """The walk made, while the second is being decided."""
        return None if self.core.first_walk < 0 else moves.parts(self.core.first_walk)

    def back(self, square: int) -> int:
        """What the back of a square tells: its district, or -1 with plain backs (AG-S5)."""
        return self.core.back(square)

    def legal_moves(self) -> list[Move]:
        return self.core.legal()

    def check(self, move: Move) -> None:
        if not self.core.is_legal(move):
            raise Refusals(self.game, self.core).of(move)

    def apply(self, move: Move) -> list[Event]:
        journal: list[int] = []
        self.core.advance(move, self.chance, journal)
        return self._told(journal)

    def _told(self, journal: Sequence[int]) -> list[Event]:
        """The core's notes as events, the squares' ways added to the movements."""
        events: list[Event] = []
        for at in range(0, len(journal), notes.NOTE):
            kind, seat, other, square = journal[at : at + notes.NOTE]
            match kind:
                case notes.DEALT_NOTE:
                    self.movements.append(Movement(Moved.DEALT, seat, -1, other))
                case notes.TURN_NOTE:
                    events.append(TurnBegan(seat, other))
                case notes.TAKEN_NOTE:
                    self.movements.append(Movement(Moved.TAKEN, seat, other, square))
                    events.append(Taken(seat, other, self.back(square), square))
                case notes.PLAYED_NOTE:
                    ruleset = self.game.ruleset
                    self.movements.append(Movement(Moved.PLAYED, seat, -1, other))
                    events.append(Played(seat, other, ruleset.district_of[other], ruleset.value_of[other]))
                case notes.DISCARDED_NOTE:
                    self.movements.append(Movement(Moved.DISCARDED, seat, -1, other))
                    events.append(Discarded(seat, self.back(other), other))
                case notes.WALKED_NOTE:
                    walk = moves.parts(other)
                    events.append(Walked(seat, walk.what, walk.frm, walk.to))
                case notes.DRAWN_NOTE:
                    self.movements.append(Movement(Moved.DRAWN, seat, other, square))
                    events.append(Drawn(seat, other, self.back(square), square))
                case notes.PASSED_NOTE:
                    events.append(FountainPassed(seat, other))
                case notes.SKIPPED_NOTE:
                    events.append(Skipped(seat, Phase(other), _SKIPPED_BY[Phase(other)]))
                case notes.ENDED_NOTE:
                    events.append(Ended(tuple(self.scores()), tuple(self.winners())))
        return events

    def scores(self) -> list[int]:
        return self.core.scores()

    def presence(self) -> list[int]:
        """In how many districts each seat has walkers (AG-F2)."""
        return self.core.presence()

    def winners(self, among: Collection[int] | None = None) -> list[int]:
        return self.core.winners(among)

    def copy(self) -> AgoraState:
        return AgoraState(self.game, self.options, self.chance.copy(), self.core.copy(), self.movements.copy())

    def view(self, seat: int | None) -> AgoraView:
        return AgoraView(
            game=self.game,
            seat=seat,
            actor=self.actor,
            players=self.players,
            options=self.options,
            turn=self.turn,
            phase=self.phase,
            fountain=self.fountain,
            upright=tuple(self.upright),
            lying=tuple(self.lying),
            pile_sizes=(len(self.piles[0]), len(self.piles[1])),
            pile_tops=(self._top(0), self._top(1)),
            first_walk=self.first_walk,
            sightings=tuple(sighting(m, self.back(m.square), seat) for m in self.movements),
        )

    def _top(self, pile: int) -> int:
        return self.back(self.piles[pile][-1]) if self.piles[pile] else -1

"""One game of bots from the first decision to the last, every move checked."""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from random import Random

from boardgamesbot.games.base import IllegalMove, Malformed, Move, State, View
from boardgamesbot.players.base import Budget, Notes
from boardgamesbot.players.registry import BOTS
from boardgamesbot.tournament.entrants import Entrant
from boardgamesbot.tournament.played import Fault, Kind, Played, begin, seats_of
from boardgamesbot.tournament.schedule import Plan


class _Failed(Exception):
    """A decision that led nowhere."""

    def __init__(self, kind: Kind, reason: str, details: str = "") -> None:
        super().__init__(reason)
        self.kind = kind
        self.details = details


class _Thinker:
    """A bot in one seat of one game: its chance, its notes, and what it took."""

    def __init__(self, plan: Plan, seat: int) -> None:
        self._entrant = Entrant.parse(plan.bots[seat])
        self._brain = BOTS[self._entrant.bot].brains[plan.game_id]
        self._rng = Random(plan.seed + bytes(seat))
        self._notes: Notes = {}
        self.turns = 0
        self.moves = 0
        self.seconds = 0.0
        self.slowest = 0.0
        self.iterations = 0

    def decide(self, view: View) -> Move:
        """Its move, checked by nobody yet; raises whatever the brain raises."""
        started = time.perf_counter()
        last = deque(self._brain.think(view, self._rng, _budget(self._entrant), self._notes), maxlen=1)
        seconds = time.perf_counter() - started
        if not last:
            raise ValueError("it had no thought at all")
        (thought,) = last
        self.moves += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        self.iterations += thought.iterations
        return thought.move


def play_out(plan: Plan, note: Callable[[Move], None] = lambda _: None) -> Played:
    """Play a game of bots. Each is given its own seat's view and nothing else; `note` is told every move.

    A failure ends the game and is told as its fault; nothing is raised.
    """
    state = begin(plan)
    thinkers = [_Thinker(plan, seat) for seat in range(len(plan.bots))]
    made: list[Move] = []
    fault = before = None
    while (seat := state.actor) is not None:
        thinkers[seat].turns += seat != before
        before = seat
        try:
            move = _step(state, thinkers[seat], seat)
        except _Failed as failed:
            fault = Fault(failed.kind, seat, str(failed), failed.details, tuple(made))
            break
        made.append(move)
        note(move)
    return Played(
        bots=plan.bots,
        shares=_shares([] if fault else state.winners(), len(plan.bots)),
        points=tuple(state.scores()),
        turns=tuple(thinker.turns for thinker in thinkers),
        moves=tuple(thinker.moves for thinker in thinkers),
        seconds=tuple(thinker.seconds for thinker in thinkers),
        slowest=tuple(thinker.slowest for thinker in thinkers),
        iterations=tuple(thinker.iterations for thinker in thinkers),
        fault=fault,
    )


def died(plan: Plan, moves: Sequence[Move], how: str) -> Played:
    """A game whose process died after these moves."""
    nothing = (0,) * len(plan.bots)
    none = (0.0,) * len(plan.bots)
    fault = Fault(Kind.DEATH, seats_of(plan, moves)[-1], how, "", tuple(moves))
    return Played(plan.bots, none, nothing, nothing, nothing, none, none, nothing, fault)


def _step(state: State, thinker: _Thinker, seat: int) -> Move:
    view = state.view(seat)
    try:
        move = thinker.decide(view)
    except Exception as error:
        raise _Failed(Kind.CRASH, _line(error), traceback.format_exc()) from error
    try:
        state.check(move)
    except (IllegalMove, Malformed, TypeError) as error:
        raise _Failed(Kind.ILLEGAL, f"{move!r}: {error}") from error
    try:
        state.apply(move)
    except Exception as error:
        raise _Failed(Kind.RULES, f"{move!r}: {_line(error)}", traceback.format_exc()) from error
    return move


def _budget(entrant: Entrant) -> Budget:
    """The budget of a decision that begins now."""
    if entrant.iterations is not None:
        return Budget(iterations=entrant.iterations)
    if not entrant.searches:
        return Budget()
    end = time.perf_counter() + (BOTS[entrant.bot].seconds if entrant.seconds is None else entrant.seconds)
    return Budget(over=lambda: time.perf_counter() >= end)


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _shares(winners: Sequence[int], players: int) -> tuple[float, ...]:
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(players))

"""The architect: plans a whole turn at its first decision, and follows the plan to its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Move, View
from boardgamesbot.players.architect.plans import Plan, Turns
from boardgamesbot.players.architect.race import Race, Runner
from boardgamesbot.players.architect.swift import Swift
from boardgamesbot.players.architect.weights import PRICES, WEIGHTS
from boardgamesbot.players.base import Brain, Budget, Candidate, Notes, Thought

_NOTE = "architect.plan"
"""In the notes: what is still to be done of the plan, as pairs of the legal moves expected and the one to make."""
_MOST_ITERATIONS = 20_000
"""Where nothing but time is a limit: then there is nothing left to learn."""
_AT_ONCE, _WITHIN_A_TURN = 24, 4
"""Iterations where nobody gives a budget: for the first decision of a turn, and for one within it."""
_FINISHES_AT_ONCE, _PLANS_AT_ONCE, _TRIES_AT_ONCE = 40, 8, 2
"""And no more turns than these are played to their ends then, no more plans weighed, no more beginnings tried."""
_TO_THE_END = 1_000
"""More rounds than any game has."""


@dataclass(frozen=True)
class Effort:
    """How much the architect considers."""

    expected: int = 800
    """So many there is time for, it is taken, where time alone is the budget."""
    finishes: int = 400
    """Turns that are played to their ends to find plans."""
    plans: int = 100
    """Plans that are weighed against one another."""
    alike: int = 4
    """Of these, how many may begin with the same move."""
    rounds: int = 3
    """Rounds that a future lasts."""
    tries: int = 8
    """Beginnings that are tried of each turn in them; with more than one, later decisions are tried, too."""
    endgame: float = 4.0
    """With at most so many turns to come, futures last to the end of the game."""
    prices: Sequence[float] = PRICES
    """What its own seat goes by in futures."""
    others: Sequence[float] = PRICES
    """What the others go by."""
    weights: Sequence[float] = WEIGHTS


class Architect(Brain):
    """Finds good ways to play its whole turn, tries the best of them on futures that it deals itself, and keeps to
    the one after which it is most likely to win.
    """

    def __init__(self, effort: Effort | None = None) -> None:
        self.effort = effort or Effort()

    def choose(self, view: View, rng: Random) -> Move:
        assert isinstance(view, BarcelonaView)
        iterations = _AT_ONCE if view.position.task[0] == Do.PLACE else _WITHIN_A_TURN
        *_, last = _thoughts(view, rng, Budget(iterations), {}, _hasty(self.effort))
        return last.move

    def think(self, view: View, rng: Random, budget: Budget, notes: Notes) -> Iterator[Thought]:
        assert isinstance(view, BarcelonaView)
        return _thoughts(view, rng, budget, notes, self.effort)


def _hasty(effort: Effort) -> Effort:
    """The same with less to consider."""
    return replace(
        effort,
        finishes=min(effort.finishes, _FINISHES_AT_ONCE),
        plans=min(effort.plans, _PLANS_AT_ONCE),
        tries=min(effort.tries, _TRIES_AT_ONCE),
    )


def _thoughts(view: BarcelonaView, rng: Random, budget: Budget, notes: Notes, effort: Effort) -> Iterator[Thought]:
    legal = view.legal_moves()
    planned = _planned(legal, notes)
    if planned is not None:
        yield Thought(planned)
        return
    if len(legal) == 1:
        yield Thought(legal[0])
        return
    assert view.seat is not None
    state, seat = view.position, view.seat
    quick = Swift(state, seat, effort.prices)
    outlook = quick.outlook
    turns = Turns(quick)
    plans = _several(turns.find(state, rng, budget, effort.finishes), effort)
    rounds = effort.rounds if outlook.turns > effort.endgame else _TO_THE_END
    prices = [effort.prices if other == seat else effort.others for other in range(state.players)]
    expected = effort.expected if budget.iterations is None else budget.iterations
    race = Race(plans, seat, rounds, effort.tries, rng.getrandbits(32), prices, effort.weights, expected)
    _note(race.best.plan, notes)
    yield Thought(race.best.plan.moves[0])
    most = _MOST_ITERATIONS if budget.iterations is None else budget.iterations
    done, telling = 0, 2 * len(plans)
    while done < most and len(race.left) > 1 and not budget.over():
        race.run()
        done += 1
        if done == telling:
            telling *= 2
            yield _thought(race, done)
    if done:
        _note(race.best.plan, notes)
        yield _thought(race, done)


def _planned(legal: list[Move], notes: Notes) -> Move | None:
    """The next move of the plan in the notes, if all went as it expected; the plan is dropped if not."""
    plan = notes.pop(_NOTE, None)
    if not plan or plan[0][0] != legal:
        return None
    notes[_NOTE] = plan[1:]
    return int(plan[0][1])


def _note(plan: Plan, notes: Notes) -> None:
    """Keep what is to be done after the first move."""
    notes[_NOTE] = [(step.before.legal, step.move) for step in plan.steps[1:]]


def _several(found: list[Plan], effort: Effort) -> list[Plan]:
    """The best plans, not too many that begin alike."""
    begun: dict[Move, int] = {}
    chosen: list[Plan] = []
    for plan in found:
        first = plan.steps[0].move
        begun[first] = begun.get(first, 0) + 1
        if begun[first] <= effort.alike:
            chosen.append(plan)
            if len(chosen) == effort.plans:
                break
    return chosen


def _thought(race: Race, done: int) -> Thought:
    """Where a race stands: the best plan for each first move that was tried."""
    best: dict[Move, Runner] = {}
    visits: dict[Move, int] = {}
    for runner in sorted(race.runners, key=lambda runner: -runner.mean):
        if runner.values:
            move = runner.plan.steps[0].move
            best.setdefault(move, runner)
            visits[move] = visits.get(move, 0) + len(runner.values)
    leader = race.best.plan.steps[0].move
    candidates = [_candidate(move, runner, visits[move]) for move, runner in best.items()]
    candidates.sort(key=lambda candidate: candidate.move != leader)
    return Thought(leader, tuple(candidates), done)


def _candidate(move: Move, runner: Runner, visits: int) -> Candidate:
    count = len(runner.values)
    return Candidate(move, visits, runner.points / count, runner.wins / count)

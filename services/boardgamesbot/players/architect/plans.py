"""Complete turns of Barcelona: the promising ones, each played to its end."""

from __future__ import annotations

from heapq import heappop, heappush
from random import Random

from boardgamesbot.games.barcelona.moves import STOP
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Move
from boardgamesbot.players.architect.swift import in_turn
from boardgamesbot.players.barcelona_quick import Quick
from boardgamesbot.players.base import Budget

_FIRST_MOVES = 40
"""How many moves are looked at for the decision at hand."""
_SIDEWAYS = 3
"""How many other moves are tried at each decision of a turn that is varied."""

_PATIENCE = 8.0
"""So many points a plan must be better to be varied first, for each plan with the same first move that was already."""


class Step:
    """A decision within a turn: where it was taken, how its moves looked, and which one was made."""

    __slots__ = ("before", "move", "ratings")

    def __init__(self, before: BarcelonaState, ratings: list[float], move: Move) -> None:
        self.before = before
        self.ratings = ratings
        self.move = move


class Plan:
    """A turn from the position at hand to its end."""

    __slots__ = ("end", "settled", "steps", "worth")

    def __init__(self, steps: list[Step], settled: int, end: BarcelonaState, worth: float) -> None:
        self.steps = steps
        """One for each decision, those that leave no choice included."""
        self.settled = settled
        """How many of the first steps are not to be varied: their other moves have plans of their own."""
        self.end = end
        self.worth = worth
        """What its end is worth at a glance."""

    @property
    def moves(self) -> list[Move]:
        """What is done, in order."""
        return [step.move for step in self.steps]


class Turns:
    """Looks for the best ways to play a turn on to its end, best first."""

    def __init__(self, quick: Quick) -> None:
        self._quick = quick
        self._seen: set[tuple[object, ...]] = set()

    def find(self, state: BarcelonaState, rng: Random, budget: Budget, finishes: int) -> list[Plan]:
        """The plans found by playing so many turns to their ends, the best first, no two with the same end.

        Equal plans stand in an order of chance. At least one plan, even if time is up. The best are varied first, those
        that begin with another move than the ones varied before them sooner.
        """
        self._seen.clear()
        found: list[Plan] = []
        heap: list[tuple[float, float, Plan]] = []
        ratings = self._quick.rate(state)
        tried = 0
        for move in self._promising(state, ratings, rng):
            if found and (tried >= finishes or budget.over()):
                break
            tried += 1
            plan = self._finish([Step(state, ratings, move)], 1)
            if plan is not None:
                found.append(plan)
                heappush(heap, (-plan.worth, rng.random(), plan))
        often: dict[Move, int] = {}  # how many plans with each first move were varied
        while heap and tried < finishes and not budget.over():
            stood, chance, varied = heappop(heap)
            first = varied.steps[0].move
            stands = _PATIENCE * often.get(first, 0) - varied.worth
            if stands > stood:
                heappush(heap, (stands, chance, varied))
                continue
            often[first] = often.get(first, 0) + 1
            for i in range(varied.settled, len(varied.steps)):
                step = varied.steps[i]
                if len(step.before.legal) == 1:
                    continue
                for move in self._others(step):
                    tried += 1
                    plan = self._finish([*varied.steps[:i], Step(step.before, step.ratings, move)], i + 1)
                    if plan is not None:
                        found.append(plan)
                        heappush(heap, (_PATIENCE * often[first] - plan.worth, rng.random(), plan))
        found.sort(key=lambda plan: -plan.worth)
        return found

    def _promising(self, state: BarcelonaState, ratings: list[float], rng: Random) -> list[Move]:
        """The moves that look best at once, at most so many; to decline is always among them."""
        rated = list(zip(ratings, state.legal, strict=True))
        rng.shuffle(rated)
        rated.sort(key=lambda pair: -pair[0])
        moves = [move for _, move in rated[:_FIRST_MOVES]]
        return moves if state.legal[0] != STOP or STOP in moves else [*moves, STOP]

    def _others(self, step: Step) -> list[Move]:
        """The best looking moves beside the one made."""
        legal, ratings = step.before.legal, step.ratings
        order = sorted(range(len(legal)), key=lambda i: -ratings[i])
        return [legal[i] for i in order if legal[i] != step.move][:_SIDEWAYS]

    def _finish(self, steps: list[Step], settled: int) -> Plan | None:
        """Play on to the end of the turn as looks best at each decision; None if its end is known already."""
        seat, quick = self._quick.seat, self._quick
        last = steps[-1]
        state = last.before.copy()
        state.advance(last.move)
        while in_turn(state, seat):
            legal = state.legal
            if len(legal) == 1:
                steps.append(Step(state.copy(), [0.0], legal[0]))
                state.advance(legal[0])
                continue
            ratings = quick.rate(state)
            move = legal[ratings.index(max(ratings))]
            steps.append(Step(state.copy(), ratings, move))
            state.advance(move)
        key = _key(state, seat)
        if key in self._seen:
            return None
        self._seen.add(key)
        worth = quick.outlook.position(state) + quick.sites.openings(state)
        return Plan(steps, settled, state, worth)


def _key(state: BarcelonaState, seat: int) -> tuple[object, ...]:
    """What tells the ends of one seat's turns apart."""
    return (
        tuple(state.vp),
        tuple(state.citizens),
        tuple(state.streets),
        tuple(state.passengers),
        tuple(state.intersection_owners),
        tuple(state.buildings),
        tuple(state.sidewalk),
        tuple(state.shown),
        tuple(state.services_taken),
        tuple(state.track),
        tuple(state.hexagons),
        state.coins[seat],
        state.cloth[seat],
        state.cerda[seat],
        state.sagrada[seat],
        state.trams[seat],
        tuple(state.marker_stacks[seat]),
        tuple(state.narrow[seat]),
        tuple(state.wide[seat]),
        tuple(state.projects[seat]),
        tuple(state.improved[seat]),
        tuple(state.sagrada_of[seat]),
        tuple(state.joy),
        tuple(state.path),
    )

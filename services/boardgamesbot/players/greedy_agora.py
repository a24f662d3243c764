"""The greedy bot of Agora: one move ahead, by points, presence and what can still be contested."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from random import Random
from typing import cast

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.moves import Kind
from boardgamesbot.games.agora.ruleset import DISTRICTS
from boardgamesbot.games.agora.state import AgoraState
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.base import Move, View
from boardgamesbot.players.base import Brain

_PRESENCE = 0.15
_CHASE = 0.35
_SAFE_MARGIN = 6.0
_THRIFT = 0.12
_SECONDS_LOOKED_AT = 12

_District = tuple[int, float, float, float]
"""What a district is to a seat: who leads, and with how many points for that; what being within reach of the lead is
worth; and what being there is."""


class GreedyAgora(Brain):
    """Tries each legal move on a position that agrees with what it knows, and takes the one it likes best.

    It counts the points it holds, more for a lead that is hard to contest, less for those of its strongest
    opponent, and a little for being within reach of a lead and for presence. A first walk is judged with a good
    second one.
    """

    def choose(self, view: View, rng: Random) -> Move:
        assert isinstance(view, AgoraView)
        state = view.determinize(rng)
        legal = state.legal_moves()
        rng.shuffle(legal)
        worth = Worth(state, cast(int, view.seat))
        return max(legal, key=worth.of)


class Worth:
    """What moves are worth to a seat, in one position."""

    def __init__(self, state: AgoraState, seat: int) -> None:
        self._state = state
        self._seat = seat
        self._in_district = cache(partial(_in_district, seat, state.game.ruleset.points, _margin_needed(state)))
        self._now = [self._in_district(district, self._row(state.total, district)) for district in range(DISTRICTS)]

    def standing(self) -> float:
        """How good the walkers on the board are for the seat, in points."""
        return self._standing(self._now)

    def of(self, move: Move) -> float:
        """What a legal move is worth, beside others of its kind."""
        state, seat = self._state, self._seat
        made = moves.parts(move)
        match made.kind:
            case Kind.PLAY:
                value = state.game.ruleset.value_of[made.what]
                placed = self._changed(self._now, state.total, (state.game.ruleset.district_of[made.what], seat, value))
                turns_left = state.turns - state.turn + 1
                affordable = state.supply[seat] / turns_left
                return self._standing(placed) - _THRIFT * max(0.0, value - affordable)
            case Kind.DISCARD:
                return -float(state.game.ruleset.value_of[made.what])
            case Kind.WALK:
                walked = self._walked(self._now, state.total, made)
                worth = self._standing(walked)
                return worth if state.first_walk is not None else max(worth, self._with_second(move, walked))
            case Kind.PASS_FOUNTAIN:
                # Going last in the next turn is worth most: the one to the left begins.
                return -float((made.what - seat - 1) % state.players)
            case Kind.TAKE | Kind.DRAW:
                back = made.what if made.kind is Kind.TAKE else _top(state, made.what)
                return self._use_of(back)

    def _with_second(self, first: Move, walked: list[_District]) -> float:
        after = self._state.copy()
        after.apply(first)
        seconds = map(moves.parts, after.legal_moves()[:_SECONDS_LOOKED_AT])
        return max((self._standing(self._walked(walked, after.total, second)) for second in seconds), default=-1e9)

    def _walked(self, districts: list[_District], total: list[int], walk: moves.Parts) -> list[_District]:
        return self._changed(districts, total, (walk.frm, walk.what, -1), (walk.to, walk.what, 1))

    def _changed(self, districts: list[_District], total: list[int], *changes: tuple[int, int, int]) -> list[_District]:
        """The districts, which have the walkers of `total`, with others in some of them: which, whose, how many more.

        Each is changed once at most: most of them stay what they are, and aren't looked at again.
        """
        after = districts.copy()
        for district, whose, more in changes:
            row = [*self._row(total, district)]
            row[whose] += more
            after[district] = self._in_district(district, tuple(row))
        return after

    def _row(self, total: list[int], district: int) -> tuple[int, ...]:
        players = self._state.players
        return tuple(total[district * players : (district + 1) * players])

    def _standing(self, districts: list[_District]) -> float:
        held = [0.0] * self._state.players
        chase = 0.0
        for leader, points, chased, present in districts:
            held[leader] += points
            chase += chased
            chase += present
        own = held.pop(self._seat)
        return own + chase - 0.5 * max(held)

    def _use_of(self, back: int) -> float:
        """What a square of a district is good for: points not held yet, or held only just."""
        state, seat = self._state, self._seat
        if back < 0:
            return 0.0
        row = state.total[back * state.players : (back + 1) * state.players]
        best_other = max(n for other, n in enumerate(row) if other != seat)
        gap = row[seat] - best_other
        contested = 1.0 if -5 <= gap <= 2 else 0.4
        return state.game.ruleset.points[back] * contested


def _in_district(
    seat: int, points: Sequence[int], margin_needed: float, district: int, row: tuple[int, ...]
) -> _District:
    """What a district is to a seat with so many walkers of each."""
    first, second = sorted(row, reverse=True)[:2]
    leader = row.index(first)
    if not first:
        return leader, 0.0, 0.0, 0.0
    firmness = 0.5 + 0.5 * min(1.0, (first - second) / margin_needed)
    chased = points[district] * _CHASE / (1 + first - row[seat]) if leader != seat and row[seat] else 0.0
    return leader, points[district] * firmness, chased, _PRESENCE if row[seat] else 0.0


def _margin_needed(state: AgoraState) -> float:
    """How many walkers ahead a lead is as good as safe, less and less towards the end."""
    left = (state.turns - state.turn) / state.turns
    return 1.0 + _SAFE_MARGIN * left


def _top(state: AgoraState, pile: int) -> int:
    return state.back(state.piles[pile][-1])

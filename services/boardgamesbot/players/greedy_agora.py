"""The greedy bot of Agora: one move ahead, by points, presence and what can still be contested."""

from __future__ import annotations

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


class GreedyAgora(Brain):
    """Tries each legal move on a position that agrees with what it knows, and takes the one it likes best.

    It counts the points it holds, more for a lead that is hard to contest, less for those of its strongest
    opponent, and a little for being within reach of a lead and for presence. A first walk is judged with a good
    second one.
    """

    def choose(self, view: View, rng: Random) -> Move:
        assert isinstance(view, AgoraView)
        seat = cast(int, view.seat)
        state = view.determinize(rng)
        legal = state.legal_moves()
        rng.shuffle(legal)
        return max(legal, key=lambda move: self._worth(state, move, seat))

    def _worth(self, state: AgoraState, move: Move, seat: int) -> float:
        made = moves.parts(move)
        match made.kind:
            case Kind.PLAY:
                value = state.game.ruleset.value_of[made.what]
                district = state.game.ruleset.district_of[made.what]
                counts = state.total.copy()
                counts[district * state.players + seat] += value
                turns_left = state.turns - state.turn + 1
                affordable = state.supply[seat] / turns_left
                return self._position(state, counts, seat) - _THRIFT * max(0.0, value - affordable)
            case Kind.DISCARD:
                return -float(state.game.ruleset.value_of[made.what])
            case Kind.WALK:
                counts = self._after_walk(state, state.total, made.what, made.frm, made.to)
                worth = self._position(state, counts, seat)
                return worth if state.first_walk is not None else max(worth, self._with_second(state, move, seat))
            case Kind.PASS_FOUNTAIN:
                # Going last in the next turn is worth most: the one to the left begins.
                return -float((made.what - seat - 1) % state.players)
            case Kind.TAKE | Kind.DRAW:
                back = made.what if made.kind is Kind.TAKE else _top(state, made.what)
                return self._use_of(state, back, seat)

    def _with_second(self, state: AgoraState, first: Move, seat: int) -> float:
        after = state.copy()
        after.apply(first)
        best = -1e9
        for second in after.legal_moves()[:_SECONDS_LOOKED_AT]:
            made = moves.parts(second)
            counts = self._after_walk(after, after.total, made.what, made.frm, made.to)
            best = max(best, self._position(after, counts, seat))
        return best

    @staticmethod
    def _after_walk(state: AgoraState, total: list[int], walker: int, frm: int, to: int) -> list[int]:
        counts = total.copy()
        counts[frm * state.players + walker] -= 1
        counts[to * state.players + walker] += 1
        return counts

    def _position(self, state: AgoraState, counts: list[int], seat: int) -> float:
        """How good these walkers are for a seat, in points."""
        players, points = state.players, state.game.ruleset.points
        held = [0.0] * players
        chase = 0.0
        for district in range(DISTRICTS):
            row = counts[district * players : (district + 1) * players]
            ranked = sorted(row, reverse=True)
            if not ranked[0]:
                continue
            margin = ranked[0] - ranked[1]
            leader = row.index(ranked[0])
            firmness = 0.5 + 0.5 * min(1.0, margin / _margin_needed(state))
            held[leader] += points[district] * firmness
            if leader != seat and row[seat]:
                chase += points[district] * _CHASE / (1 + ranked[0] - row[seat])
            if row[seat]:
                chase += _PRESENCE
        others = max(held[other] for other in range(players) if other != seat)
        return held[seat] + chase - 0.5 * others

    def _use_of(self, state: AgoraState, back: int, seat: int) -> float:
        """What a square of a district is good for: points not held yet, or held only just."""
        if back < 0:
            return 0.0
        row = state.total[back * state.players : (back + 1) * state.players]
        best_other = max(n for other, n in enumerate(row) if other != seat)
        gap = row[seat] - best_other
        contested = 1.0 if -5 <= gap <= 2 else 0.4
        return state.game.ruleset.points[back] * contested


def _margin_needed(state: AgoraState) -> float:
    """How many walkers ahead a lead is as good as safe, less and less towards the end."""
    left = (state.turns - state.turn) / state.turns
    return 1.0 + _SAFE_MARGIN * left


def _top(state: AgoraState, pile: int) -> int:
    return state.back(state.piles[pile][-1])

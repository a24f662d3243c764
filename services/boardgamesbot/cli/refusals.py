"""Why a choice is against the rules, and every way to make it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from boardgamesbot.games.base import IllegalMove, Move, Rule, View


def refusals(view: View, moves: Sequence[Move]) -> list[tuple[Rule, str]]:
    """The rules that forbid these moves, each once, with why it does so here. None where any of them is legal."""
    state = view.determinize(Random(0))
    reasons: dict[str, tuple[Rule, list[str]]] = {}
    for move in moves:
        try:
            state.check(move)
        except IllegalMove as refused:
            _, told = reasons.setdefault(refused.rule.id, (refused.rule, []))
            if refused.reason not in told:
                told.append(refused.reason)
        else:
            return []
    return [(rule, _joined(told)) for rule, told in reasons.values()]


def _joined(told: Sequence[str]) -> str:
    others = len(told) - 1
    if not others:
        return told[0]
    return f"{told[0]}. {others} other way{'s are' if others > 1 else ' is'} forbidden, too"

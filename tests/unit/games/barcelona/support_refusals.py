"""Moves of Barcelona that are refused, and what the refusal says."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.rules import RULES
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import IllegalMove, Move
from tests.support.barcelona import RULESET, at


def refusal(state: BarcelonaState, move: Move) -> IllegalMove:
    """The refusal of a move that the list of legal moves does not hold either."""
    assert move not in state.legal_moves(), moves.parts(move)
    with pytest.raises(IllegalMove) as caught:
        state.check(move)
    return caught.value


def assert_refused(
    state: BarcelonaState, move: Move, rule: str, *words: str, details: Mapping[str, str] | None = None
) -> None:
    """The rule, some words of the reason, and some of the details."""
    found = refusal(state, move)
    assert found.rule == RULES[rule], found
    for word in words:
        assert word in found.reason, found.reason
    assert found.details.items() >= (details or {}).items(), found.details


def build(where: int, building: int, *using: str) -> Move:
    """The move that builds with the top citizens of these intersections, which need not be around the site."""
    around = RULESET.city.sites[where].around
    return moves.build(where, building, sum(1 << around.index(at(name)) for name in using))

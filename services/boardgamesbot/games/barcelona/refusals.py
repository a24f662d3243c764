"""Why a move is not legal: the rule that forbids it here, and the particulars in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.rules import RULES
from boardgamesbot.games.base import IllegalMove

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.moves import Parts
    from boardgamesbot.games.barcelona.state import BarcelonaState


def refusal(state: BarcelonaState, wanted: Parts) -> IllegalMove:
    """Say why a move that is not among the legal ones is not. Does not ask whether it is."""
    if state.over:
        return IllegalMove(RULES["BA-E1"], "the game is over")
    return IllegalMove(RULES["BA-T2"], "that is not being decided now")

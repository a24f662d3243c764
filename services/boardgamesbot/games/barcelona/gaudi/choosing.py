"""How Gaudí chooses: priorities one after another, and which of them decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from boardgamesbot.games.barcelona.events import Criterion, GaudiChose, Matter

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

Priority = tuple[Criterion, Callable[[int], Any]]
"""What counts, and a key: the lowest is preferred."""


def choose(
    state: BarcelonaState, matter: Matter, candidates: Sequence[int], priorities: Iterable[Priority], allowing: int = 0
) -> int:
    """The candidate that the priorities leave, in their order; tells which of them decided.

    Where several are left after the last, the first of the candidates is taken. `allowing` is told with it.
    """
    left, decided = list(candidates), Criterion.ONLY_ONE
    for criterion, key in priorities:
        if len(left) == 1:
            break
        keys = [key(candidate) for candidate in left]
        best = min(keys)
        kept = [candidate for candidate, value in zip(left, keys, strict=True) if value == best]
        if len(kept) < len(left):
            left, decided = kept, criterion
    if len(left) > 1:
        decided = Criterion.LEFTMOST
    if state.events is not None:
        state.tell(GaudiChose(state.seat, matter, left[0], tuple(candidates), decided, arrow(state), allowing))
    return left[0]


def arrow(state: BarcelonaState) -> int:
    """The arrow on the back of the deck's top card (BA-G3)."""
    return state.ruleset.gaudi.cards[state.deck[-1]].arrow

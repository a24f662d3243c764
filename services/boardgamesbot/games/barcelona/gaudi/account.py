"""Gaudí's turn as an indented list: the steps of his turn below his card, and below each step what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boardgamesbot.games.barcelona.events import (
    Arrived,
    Built,
    CardRevealed,
    CerdaScored,
    EndBegan,
    Ended,
    GaudiActed,
    GaudiChose,
    Matter,
    Stepped,
    TurnBegan,
)
from boardgamesbot.games.base import Event

_INDENT = "  "
_AFTER = (CerdaScored, EndBegan, TurnBegan, Ended)
"""What comes when he has done everything."""
_STEPS = (GaudiActed, Built)
"""Steps that others belong to."""
_BY_CARD = "an action of the card is on Amenities of its side (BA-G12)"


def account(events: Sequence[Event], say: Callable[[Event], str], names: Sequence[str]) -> list[str]:
    """A line for each event of a move; in Gaudí's turn indented, and without his name but in the first."""
    began = next((i for i, event in enumerate(events) if isinstance(event, CardRevealed)), None)
    if began is None:
        return [say(event) for event in events]
    card = events[began]
    assert isinstance(card, CardRevealed)
    ended = _end(events, began)
    lines = [say(event) for event in events[: began + 1]]
    depth, acted = 1, False
    for event in events[began + 1 : ended]:
        step = isinstance(event, _STEPS)
        if step or (isinstance(event, GaudiChose) and event.matter is Matter.SITE):
            depth = 1
        acted = acted or step
        said = say(event).removeprefix(f"{names[card.seat]} ")
        if isinstance(event, Stepped | Arrived) and not acted:
            said = f"{said}: {_BY_CARD}"
        lines.append(_INDENT * depth + said)
        if step:
            depth = 2
    return lines + [say(event) for event in events[ended:]]


def _end(events: Sequence[Event], began: int) -> int:
    """The number of the first event after his turn: too empty a bag has the scorings come before he constructs."""
    last = max(i for i, event in enumerate(events) if i == began or isinstance(event, GaudiChose))
    return next((i for i in range(last, len(events)) if isinstance(events[i], _AFTER)), len(events))

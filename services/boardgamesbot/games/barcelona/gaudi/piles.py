"""Piles whose next piece only the person at a real table knows, and chance that is theirs too."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from enum import StrEnum
from typing import Any, SupportsIndex, overload

from boardgamesbot.games.chance import Chance

BLANK = -1
"""A piece that nobody has seen."""


class Pile(StrEnum):
    """Where pieces come from that nobody has seen."""

    BAG = "BAG"
    STACK = "STACK"
    """Of Modernisme tiles."""
    DECK = "DECK"
    """Gaudí's."""
    DISCARDS = "DISCARDS"
    """His, when they are shuffled into a new deck."""


class Unseen(Exception):
    """A piece came to light of which nobody has said what it is."""

    def __init__(self, pile: Pile) -> None:
        super().__init__(f"nobody has said what comes next from {pile}")
        self.pile = pile


class FaceDown(list[int]):
    """Pieces face down, the next last. Looking at a blank one, or taking it, raises `Unseen`."""

    __slots__ = ("pile",)

    def __init__(self, pile: Pile, pieces: Iterable[int]) -> None:
        super().__init__(pieces)
        self.pile = pile

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, place: slice[Any, Any, Any], /) -> list[int]: ...
    def __getitem__(self, place: SupportsIndex | slice[Any, Any, Any], /) -> int | list[int]:
        found = super().__getitem__(place)
        if found == BLANK:
            raise Unseen(self.pile)
        return found

    def pop(self, place: SupportsIndex = -1, /) -> int:
        piece = self[place]
        del self[place]
        return piece

    def copy(self) -> FaceDown:
        return FaceDown(self.pile, self)


class OwnChance(Chance):
    """The person shuffles, and says which card of Gaudí's lies on top then; a program draws nothing."""

    __slots__ = ("top",)

    def __init__(self, top: int = BLANK) -> None:
        self.top = top

    def below(self, n: int) -> int:
        raise LookupError(f"at a real table no program draws a number below {n}")

    def copy(self) -> OwnChance:
        return OwnChance(self.top)

    def shuffle(self, items: MutableSequence[Any]) -> None:
        if self.top == BLANK:
            raise Unseen(Pile.DISCARDS)
        items[:] = [BLANK] * (len(items) - 1) + [self.top]

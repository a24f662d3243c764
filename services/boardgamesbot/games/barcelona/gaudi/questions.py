"""What a person at a real table is asked: what lies where at the start, their moves, and what chance brought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from boardgamesbot.games.barcelona.ruleset.figures import BarcelonaRuleset

NOTHING = -1


class About(StrEnum):
    """What a question is about; what `Question.place` is then."""

    ACTION = "ACTION"
    """The Action tile at the end of a street."""
    CERDA = "CERDA"
    """The Cerdà tile of a section of the citizen track."""
    SHOWN = "SHOWN"
    """The Modernisme tile that lies on a place of the display at the start."""
    SERVICE = "SERVICE"
    """The type of a stack of Public Services."""
    SAGRADA = "SAGRADA"
    """A Sagrada Família tile of a level that is in the game."""
    AMENITY = "AMENITY"
    """An Amenities tile: places 0 to 2 are on the right side, 3 to 5 on the left, each from Barcelona."""
    VIOLET = "VIOLET"
    """The violet cobblestone of a letter."""
    TOP = "TOP"
    """The arrow on top of Gaudí's deck at the start."""
    CITIZENS = "CITIZENS"
    """The two citizens that a seat drew."""
    MOVE = "MOVE"
    """The person's next decision."""
    CARD = "CARD"
    """The card of Gaudí's that was turned up, where its arrow does not tell; `place` is one that it may be."""
    ARROW = "ARROW"
    """The arrow on top of his deck after a card, `place`, was turned up."""
    SHUFFLED = "SHUFFLED"
    """The same where that card was the last, and the others were shuffled."""
    TILE = "TILE"
    """The Modernisme tile that came to a place of the display."""


SETTING_UP = (
    About.ACTION,
    About.CERDA,
    About.SHOWN,
    About.SERVICE,
    About.SAGRADA,
    About.AMENITY,
    About.VIOLET,
    About.TOP,
)


class Entry(NamedTuple):
    """An answer that was taken. Tiles, cards and moves are numbers; citizens are a `pair`."""

    about: About
    answer: int


@dataclass(frozen=True)
class Question:
    """What is to be entered next. Of cards with the same back only one is among the choices."""

    about: About
    place: int
    choices: tuple[int, ...]

    @property
    def certain(self) -> bool:
        """Whether there is only one answer, so that nobody need be asked."""
        return self.about is not About.MOVE and len(self.choices) == 1


def pair(one: int, other: int) -> int:
    """Two citizens as one number, in whichever order they were drawn: the higher class plus four times the lower."""
    return max(one, other) + 4 * min(one, other)


def both(citizens: int) -> tuple[int, int]:
    """The citizens of a pair, the higher class first."""
    return citizens & 3, citizens >> 2


def pairs(citizens: Sequence[int]) -> tuple[int, ...]:
    """Every pair that can be drawn out of some citizens."""
    return tuple(sorted({pair(one, other) for i, one in enumerate(citizens) for other in citizens[:i]}))


def backs(ruleset: BarcelonaRuleset, cards: Iterable[int]) -> tuple[int, ...]:
    """The first card of each arrow, clockwise from the north."""
    first: dict[int, int] = {}
    for card in sorted(cards):
        first.setdefault(ruleset.gaudi.cards[card].arrow, card)
    return tuple(first[arrow] for arrow in sorted(first))


def fronts(ruleset: BarcelonaRuleset, cards: Iterable[int]) -> tuple[int, ...]:
    """The first card of each front."""
    first: dict[tuple[int, ...], int] = {}
    for card in sorted(cards):
        first.setdefault(ruleset.gaudi.cards[card].actions, card)
    return tuple(first.values())


def pieces(ruleset: BarcelonaRuleset, expansion: bool, about: About, place: int) -> tuple[int, ...]:
    """All pieces of the game, with or without the expansion, that a question could be about, used up or not."""
    match about:
        case About.ACTION:
            replaced = {action.replaces for action in ruleset.actions if expansion}
            return tuple(
                i
                for i, action in enumerate(ruleset.actions)
                if i not in replaced and (expansion or action.replaces == NOTHING)
            )
        case About.CERDA | About.SHOWN | About.TILE:
            return tuple(i for i, entry in enumerate(ruleset.scorings) if expansion or not entry.expansion)
        case About.SERVICE:
            return tuple(i for i, service in enumerate(ruleset.services) if expansion or not service.expansion)
        case About.SAGRADA:
            return tuple(
                i
                for i, tile in enumerate(ruleset.sagrada_tiles)
                if tile.level == place and (expansion or not tile.expansion)
            )
        case About.AMENITY:
            return tuple(range(len(ruleset.amenities)))
        case About.VIOLET:
            return tuple(i for i, stone in enumerate(ruleset.violet) if stone.letter == place)
        case About.CARD:
            arrow = ruleset.gaudi.cards[place].arrow
            return fronts(ruleset, (i for i, card in enumerate(ruleset.gaudi.cards) if card.arrow == arrow))
        case About.TOP | About.ARROW | About.SHUFFLED:
            return backs(ruleset, range(len(ruleset.gaudi.cards)))
    return ()

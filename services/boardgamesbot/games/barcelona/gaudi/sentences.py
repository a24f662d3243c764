"""Gaudí's turn in words: what he did and, for each choice, which of his priorities decided among how many.

A reader with the printed game can follow every step: the rule that a choice names lists the priorities in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rich.markup import escape

from boardgamesbot.games.barcelona.events import (
    CardRevealed,
    Criterion,
    DeckShuffled,
    GaudiActed,
    GaudiChose,
    GaudiGained,
    Matter,
    Reason,
)
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.gaudi.reasons import RULE_OF_MATTER
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import effect_in_words, joined, many
from boardgamesbot.games.base import Event

_DECIDED = {
    Criterion.BEST_BUILDING: "it alone allows the best building",
    Criterion.NEAREST: "it is nearest to the meeple",
    Criterion.ARROW: "it is first by the arrow {arrow}, clockwise",
    Criterion.MOST_POINTS: "it gives most points",
    Criterion.ICON: "it covers the best icon",
    Criterion.STREET: "its street comes first: own ones by their runs, then other built ones",
    Criterion.HAS_TILE: "it alone holds a tile",
    Criterion.ROW_BONUS: "it alone takes a Building Bonus",
    Criterion.COVERS_MARKER: "it alone covers a marker of the other player",
    Criterion.MOST_ROOM: "its row of the citizen track has most room",
    Criterion.CLASS: "it is of the lower class",
    Criterion.FARTHER: "it is farther along",
    Criterion.LEFTMOST: "it is leftmost",
}
"""What the chosen one has before those that were left, by the priority that decided."""

_EQUAL = {
    Criterion.BEST_BUILDING: "the building allowed",
    Criterion.NEAREST: "nearness",
    Criterion.ARROW: "the arrow",
    Criterion.MOST_POINTS: "points",
    Criterion.ICON: "icon",
    Criterion.STREET: "street",
    Criterion.HAS_TILE: "tiles",
    Criterion.ROW_BONUS: "Building Bonus",
    Criterion.COVERS_MARKER: "markers covered",
    Criterion.MOST_ROOM: "room on the track",
    Criterion.CLASS: "class",
    Criterion.FARTHER: "steps",
    Criterion.LEFTMOST: "order",
}
"""In what those left were equal, by the priority that told none of them apart."""


_ALLOWING = "{allowing} allow the best building, and it is first of these by the arrow {arrow}, clockwise"
"""Why the meeple moves where it does, where several do not differ in the building they allow."""


@dataclass(frozen=True)
class Choice:
    """How a matter is told: what was done, what one candidate or several are, and the priorities in their order."""

    did: str
    one: str
    several: str
    order: tuple[Criterion, ...]
    decided: dict[Criterion, str] = field(default_factory=dict)
    """Where the reason has words of its own, the equality of the candidates included."""


CHOICES = {
    Matter.MEEPLE: Choice(
        "moved the meeple to {chosen}",
        "empty intersection in reach",
        "empty intersections in reach",
        (),
        {
            Criterion.NEAREST: "none is beside the meeple, and it is nearest",
            Criterion.ARROW: "none is better, and it is first by the arrow {arrow}, clockwise",
        },
    ),
    Matter.SERVICE: Choice(
        "chose stack {chosen} of the Public Services",
        "type not built yet",
        "types not built yet",
        (Criterion.MOST_POINTS, Criterion.LEFTMOST),
    ),
    Matter.MODERNISME: Choice(
        "chose tile {chosen} of the display",
        "tile shown",
        "tiles shown",
        (Criterion.MOST_POINTS, Criterion.LEFTMOST),
        {Criterion.MOST_POINTS: "it is worth most now"},
    ),
    Matter.PROJECT: Choice(
        "chose project space {chosen}",
        "space not improved",
        "spaces not improved",
        (Criterion.HAS_TILE, Criterion.LEFTMOST),
        {Criterion.LEFTMOST: "it is leftmost, of those with a tile if there are any"},
    ),
    Matter.STREET: Choice(
        "chose {chosen} for a street",
        "free section",
        "free sections",
        (Criterion.MOST_POINTS, Criterion.ICON, Criterion.NEAREST, Criterion.ARROW),
        {Criterion.MOST_POINTS: "its run gives most points"},
    ),
    Matter.WIDE_STREET: Choice(
        "chose {chosen} for a wide street",
        "free section",
        "free sections",
        (Criterion.MOST_POINTS, Criterion.ICON, Criterion.NEAREST, Criterion.ARROW),
        {Criterion.MOST_POINTS: "its run gives most points"},
    ),
    Matter.INTERSECTION: Choice(
        "chose {chosen} for an Intersection",
        "intersection without a tile",
        "intersections without a tile",
        (Criterion.NEAREST, Criterion.ARROW),
    ),
    Matter.COBBLESTONE: Choice(
        "chose {chosen}",
        "open space",
        "open spaces",
        (Criterion.ICON, Criterion.NEAREST, Criterion.ARROW),
        {Criterion.NEAREST: "with icon equal, it is nearest to the start of the Sidewalk"},
    ),
    Matter.PASSENGER: Choice(
        "chose {chosen} for a passenger",
        "section without a passenger",
        "sections without a passenger",
        (Criterion.NEAREST, Criterion.STREET, Criterion.ARROW),
    ),
    Matter.SAGRADA_TILE: Choice(
        "chose the Sagrada Família tile {chosen}",
        "tile of the level",
        "tiles of the level",
        (Criterion.MOST_POINTS, Criterion.LEFTMOST),
        {Criterion.MOST_POINTS: "it gives most points now"},
    ),
    Matter.SITE: Choice(
        "chose {chosen} to build on",
        "one for the best building possible",
        "sites for the best building possible",
        (Criterion.ROW_BONUS, Criterion.COVERS_MARKER, Criterion.NEAREST, Criterion.ARROW),
    ),
    Matter.CITIZEN: Choice(
        "chose the citizen on {chosen}",
        "one that fits",
        "citizens that fit",
        (Criterion.MOST_ROOM, Criterion.CLASS, Criterion.LEFTMOST),
        {Criterion.LEFTMOST: "of one class, it is higher up, then further left"},
    ),
    Matter.PEDESTRIAN: Choice(
        "chose {chosen} to walk",
        "Pedestrian",
        "Pedestrians",
        (Criterion.FARTHER, Criterion.LEFTMOST),
        {Criterion.LEFTMOST: "both are equally far, and Barcelona comes first"},
    ),
    Matter.HEXAGON: Choice(
        "chose {chosen}",
        "free space",
        "free spaces",
        (Criterion.MOST_POINTS, Criterion.ARROW),
        {
            Criterion.MOST_POINTS: "it alone has most points printed",
            Criterion.ARROW: "with points equal, it is first round the middle violet stone, then the left and the "
            "right one, from the arrow {arrow}, clockwise",
        },
    ),
}
"""By what is chosen. Where the meeple came from is not in the event: `none is better` is right near and far."""


class GaudiSentences:
    """What only Gaudí does, in words: without the name that each sentence begins with."""

    def __init__(self, ruleset: BarcelonaRuleset) -> None:
        self._ruleset = ruleset
        self._named: dict[Matter, Callable[[int], str]] = {
            Matter.MEEPLE: places.intersection,
            Matter.SERVICE: _number,
            Matter.MODERNISME: _number,
            Matter.PROJECT: _number,
            Matter.STREET: places.section,
            Matter.INTERSECTION: places.intersection,
            Matter.COBBLESTONE: places.sidewalk,
            Matter.PASSENGER: places.section,
            Matter.SAGRADA_TILE: self._sagrada_tile,
            Matter.SITE: lambda site: places.site(ruleset.city, site),
            Matter.CITIZEN: places.intersection,
            Matter.PEDESTRIAN: lambda pedestrian: places.PEDESTRIAN_NAMES[pedestrian],
            Matter.HEXAGON: self._hexagon,
            Matter.WIDE_STREET: places.section,
        }

    def of(self, event: Event, reasons: Mapping[Reason, str]) -> str | None:
        """What he did; None for an event that others have, too. `reasons` says what points are for."""
        match event:
            case CardRevealed():
                actions = ", ".join(self._action(action) for action in self._ruleset.gaudi.cards[event.card].actions)
                return f"turned up card {event.card + 1}: {actions}; the arrow points {ARROWS[event.arrow]}"
            case DeckShuffled():
                cards = many(len(self._ruleset.gaudi.cards) - 1, "other card")
                return f"used up the deck and shuffled the {cards} into a new one"
            case GaudiActed():
                return f"took the action {self._action(event.action)}"
            case GaudiGained():
                gained, points = many(event.resources, "resource"), many(event.points, "point")
                return f"gained {gained} {reasons[event.reason]}, worth {points}"
            case GaudiChose():
                return self._chose(event)
        return None

    def _chose(self, event: GaudiChose) -> str:
        told = CHOICES[event.matter]
        rule = RULE_OF_MATTER[event.matter]
        did = told.did.format(chosen=self._named[event.matter](event.chosen))
        if event.criterion is Criterion.ONLY_ONE:
            return f"{did}, the only {told.one} ({rule})"
        why = told.decided.get(event.criterion) or _reason(told.order, event.criterion)
        if event.allowing and event.criterion is Criterion.ARROW:
            why = _ALLOWING
        among = f"of {len(event.candidates)} {told.several}"
        return f"{did}: {among}, {why.format(arrow=ARROWS[event.arrow], allowing=event.allowing)} ({rule})"

    def _action(self, action: int) -> str:
        return escape(self._ruleset.actions[action].name)

    def _sagrada_tile(self, tile: int) -> str:
        taken = self._ruleset.sagrada_tiles[tile]
        return f"{escape(taken.id)} ({effect_in_words(self._ruleset, taken.effect)})"

    def _hexagon(self, space: int) -> str:
        return f"{places.hexagon(space)} ({effect_in_words(self._ruleset, self._ruleset.hexagon_rewards[space])})"


def _number(of: int) -> str:
    """Counted from 1, as printed."""
    return str(of + 1)


def _reason(order: tuple[Criterion, ...], criterion: Criterion) -> str:
    """What decided, after the priorities before it, in which those left were equal."""
    before = order[: order.index(criterion)] if criterion in order else ()
    equal = f"with {joined([_EQUAL[one] for one in before])} equal, " if before else ""
    return equal + _DECIDED[criterion]

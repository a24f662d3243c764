"""Events of Barcelona as messages, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE, INTERSECTIONS, SECTIONS, SITES, STREETS
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.proto.choices import ChoiceShape
from boardgamesbot.games.barcelona.proto.fields import (
    MOST,
    MOST_PLAYERS,
    Field,
    Ids,
    Shape,
    amount,
    citizen,
    counted,
    enum,
    member,
    number,
    seat,
    several,
    tile,
    truth,
)
from boardgamesbot.games.barcelona.ruleset import LEVELS, BarcelonaRuleset
from boardgamesbot.games.base import Event, Malformed
from boardgamesbot.v1 import barcelona_pb2 as pb

SEAT = seat("seat")
REASON = member("reason", ev.Reason)
INTERSECTION = counted("intersection", INTERSECTIONS)
SECTION = counted("section", SECTIONS)
SITE = counted("site", SITES)
STACK = counted("stack", moves.MOST_STACKS)
PROJECT = counted("space", moves.PROJECTS)
SHOWN = counted("shown", moves.DISPLAY)
COINS, CLOTH, SPACE = amount("coins"), amount("cloth"), amount("space")
PEDESTRIAN = enum("pedestrian", 2, first=0)
ARROW = enum("arrow", len(ARROWS), first=0)
CITIZENS = several(citizen("citizens"))


def _by_seat(name: str) -> Field:
    return several(number(name, 0, MOST), most=MOST_PLAYERS)


def _shapes(ruleset: BarcelonaRuleset, ids: Ids) -> dict[type[Event], Shape]:
    """The message of each event, its fields in the order of the event's own, and of the same names."""
    scoring = tile("tile", ids.scorings)
    track_spaces = len(ruleset.track_vp)
    return {
        ev.TurnBegan: Shape("turn_began", pb.BarcelonaTurnBegan, (SEAT, amount("round"))),
        ev.Placed: Shape("placed", pb.BarcelonaPlaced, (SEAT, INTERSECTION, citizen("bottom"), citizen("top"))),
        ev.NowhereToPlace: Shape("nowhere_to_place", pb.BarcelonaNowhereToPlace, (SEAT, CITIZENS)),
        ev.ActionTaken: Shape(
            "action_taken",
            pb.BarcelonaActionTaken,
            (SEAT, counted("street", STREETS), tile("action", ids.actions), truth("ridden")),
        ),
        ev.Scored: Shape("scored", pb.BarcelonaScored, (SEAT, amount("points"), REASON)),
        ev.Gained: Shape("gained", pb.BarcelonaGained, (SEAT, COINS, CLOTH, REASON)),
        ev.Paid: Shape("paid", pb.BarcelonaPaid, (SEAT, COINS, CLOTH)),
        ev.Kept: Shape("kept", pb.BarcelonaKept, (SEAT, COINS, CLOTH)),
        ev.Advanced: Shape(
            "advanced",
            pb.BarcelonaAdvanced,
            (SEAT, member("track", ev.Track), number("steps", -MOST, MOST), SPACE, REASON),
        ),
        ev.StreetBuilt: Shape("street_built", pb.BarcelonaStreetBuilt, (SEAT, SECTION, enum("kind", 2), STACK)),
        ev.StackEmptied: Shape("stack_emptied", pb.BarcelonaStackEmptied, (SEAT, member("pieces", ev.Pieces), STACK)),
        ev.IntersectionBuilt: Shape("intersection_built", pb.BarcelonaIntersectionBuilt, (SEAT, INTERSECTION)),
        ev.TramMoved: Shape("tram_moved", pb.BarcelonaTramMoved, (SEAT, SECTION, truth("entered"))),
        ev.PassengerPlaced: Shape("passenger_placed", pb.BarcelonaPassengerPlaced, (SEAT, SECTION)),
        ev.CobblestonePlaced: Shape(
            "cobblestone_placed", pb.BarcelonaCobblestonePlaced, (SEAT, counted("space", moves.SIDEWALK))
        ),
        ev.ServiceBuilt: Shape(
            "service_built",
            pb.BarcelonaServiceBuilt,
            (
                SEAT,
                counted("stack", moves.SERVICES),
                tile("service", ids.services),
                counted("tier", len(ruleset.service_cost)),
            ),
        ),
        ev.ModernismeTaken: Shape("modernisme_taken", pb.BarcelonaModernismeTaken, (SEAT, scoring, SHOWN, PROJECT)),
        ev.ModernismeShown: Shape(
            "modernisme_shown", pb.BarcelonaModernismeShown, (tile("tile", ids.scorings, none=True), SHOWN)
        ),
        ev.ProjectImproved: Shape("project_improved", pb.BarcelonaProjectImproved, (SEAT, PROJECT)),
        ev.SagradaTaken: Shape(
            "sagrada_taken",
            pb.BarcelonaSagradaTaken,
            (SEAT, tile("tile", ids.sagrada, none=True), counted("level", LEVELS)),
        ),
        ev.Built: Shape(
            "built",
            pb.BarcelonaBuilt,
            (
                SEAT,
                SITE,
                enum("building", moves.BUILDINGS, first=0),
                several(counted("intersections", INTERSECTIONS)),
                CITIZENS,
            ),
        ),
        ev.MarkerPlaced: Shape("marker_placed", pb.BarcelonaMarkerPlaced, (SEAT, SITE, STACK)),
        ev.RowBonusTaken: Shape("row_bonus_taken", pb.BarcelonaRowBonusTaken, (SEAT, counted("row", BLOCKS_A_SIDE))),
        ev.CitizenTracked: Shape(
            "citizen_tracked",
            pb.BarcelonaCitizenTracked,
            (SEAT, citizen("citizen"), counted("space", track_spaces, none=True)),
        ),
        ev.CerdaScored: Shape(
            "cerda_scored",
            pb.BarcelonaCerdaScored,
            (counted("section", len(ruleset.section_ends)), scoring, _by_seat("values"), _by_seat("multipliers")),
        ),
        ev.EndBegan: Shape("end_began", pb.BarcelonaEndBegan, (truth("bag_empty"),)),
        ev.Stepped: Shape("stepped", pb.BarcelonaStepped, (SEAT, PEDESTRIAN, number("step", 1, 3))),
        ev.JoyGained: Shape(
            "joy_gained", pb.BarcelonaJoyGained, (SEAT, PEDESTRIAN, number("joy", 1, ruleset.joy_most), REASON)
        ),
        ev.Arrived: Shape("arrived", pb.BarcelonaArrived, (SEAT, PEDESTRIAN, number("joy", 1, ruleset.joy_most))),
        ev.WentBack: Shape("went_back", pb.BarcelonaWentBack, (SEAT, PEDESTRIAN)),
        ev.HexagonPlaced: Shape(
            "hexagon_placed",
            pb.BarcelonaHexagonPlaced,
            (SEAT, counted("space", moves.HEXAGONS), counted("violet", moves.VIOLETS, none=True), amount("times")),
        ),
        ev.Declined: Shape("declined", pb.BarcelonaDeclined, (SEAT, number("kind", Kind.PLACE, max(Kind)))),
        ev.Drew: Shape("drew", pb.BarcelonaDrew, (SEAT, several(citizen("citizens", unknown=True)))),
        ev.Ended: Shape(
            "ended",
            pb.BarcelonaEnded,
            (
                *(_by_seat(name) for name in ("points", "cobblestones", "passengers", "modernisme", "joy")),
                several(seat("winners"), most=MOST_PLAYERS),
            ),
        ),
        ev.CardRevealed: Shape(
            "card_revealed",
            pb.BarcelonaCardRevealed,
            (SEAT, counted("card", len(ruleset.gaudi.cards)), ARROW),
        ),
        ev.DeckShuffled: Shape("deck_shuffled", pb.BarcelonaDeckShuffled, (SEAT,)),
        ev.GaudiActed: Shape("gaudi_acted", pb.BarcelonaGaudiActed, (SEAT, tile("action", ids.actions))),
        ev.GaudiGained: Shape(
            "gaudi_gained", pb.BarcelonaGaudiGained, (SEAT, amount("resources"), amount("points"), REASON)
        ),
    }


class EventCodec:
    """Events and their messages."""

    def __init__(self, ruleset: BarcelonaRuleset, ids: Ids) -> None:
        self._shapes: dict[type[Event], Shape | ChoiceShape] = {
            **_shapes(ruleset, ids),
            ev.GaudiChose: ChoiceShape(ids),
        }
        self._events: dict[str, Callable[..., Event]] = {shape.name: kind for kind, shape in self._shapes.items()}
        self._read = {shape.name: shape for shape in self._shapes.values()}
        self._names = {kind: [field.name for field in fields(kind)] for kind in self._shapes}

    def to(self, event: Event) -> pb.BarcelonaEvent:
        """The message of an event."""
        kind = type(event)
        if kind not in self._shapes:
            raise TypeError(f"{kind.__name__} is no event of Barcelona")
        values = (getattr(event, name) for name in self._names[kind])
        return pb.BarcelonaEvent(**self._shapes[kind].write(values))

    def read(self, message: pb.BarcelonaEvent) -> Event:
        """The event of a message."""
        name = message.WhichOneof("kind")
        if name is None:
            raise Malformed("barcelona", "says no kind of event")
        return self._events[name](*self._read[name].read(getattr(message, name), f"barcelona.{name}"))

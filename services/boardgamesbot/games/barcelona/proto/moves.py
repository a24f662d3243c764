"""Moves of Barcelona as messages, and back."""

from __future__ import annotations

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SITES, STREETS, City
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.proto.fields import Ids, Shape, citizen, counted, enum, number, several, tile
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset
from boardgamesbot.games.base import Malformed, Move
from boardgamesbot.v1 import barcelona_pb2 as pb

_AROUND = several(counted("intersections", INTERSECTIONS), most=4)


def _shapes(ids: Ids) -> dict[Kind, Shape]:
    """The message of each kind of move, its fields in the order of `moves.Parts`."""
    return {
        Kind.STOP: Shape("stop", pb.BarcelonaStopMove),
        Kind.PLACE: Shape("place", pb.BarcelonaPlaceMove, (counted("intersection", INTERSECTIONS), citizen("top"))),
        Kind.ACTION: Shape("action", pb.BarcelonaActionMove, (counted("street", STREETS),)),
        Kind.KEEP: Shape("keep", pb.BarcelonaKeepMove, (number("coins", 0, moves.MOST_STORED - 1),)),
        Kind.SECTION: Shape("section", pb.BarcelonaSectionMove, (counted("section", SECTIONS),)),
        Kind.STACK: Shape("stack", pb.BarcelonaStackMove, (counted("stack", moves.MOST_STACKS),)),
        Kind.INTERSECTION: Shape(
            "intersection", pb.BarcelonaIntersectionMove, (counted("intersection", INTERSECTIONS),)
        ),
        Kind.TRAM: Shape("tram", pb.BarcelonaTramMove, (counted("section", SECTIONS),)),
        Kind.PASSENGER: Shape("passenger", pb.BarcelonaPassengerMove),
        Kind.RIDE: Shape("ride", pb.BarcelonaRideMove),
        Kind.COBBLESTONE: Shape("cobblestone", pb.BarcelonaCobblestoneMove, (counted("space", moves.SIDEWALK),)),
        Kind.SERVICE: Shape("service", pb.BarcelonaServiceMove, (counted("stack", moves.SERVICES),)),
        Kind.MODERNISME: Shape(
            "modernisme",
            pb.BarcelonaModernismeMove,
            (counted("shown", moves.DISPLAY), counted("space", moves.PROJECTS)),
        ),
        Kind.IMPROVE: Shape("improve", pb.BarcelonaImproveMove, (counted("space", moves.PROJECTS),)),
        Kind.SAGRADA: Shape("sagrada", pb.BarcelonaSagradaMove, (tile("tile", ids.sagrada),)),
        Kind.BUILD: Shape(
            "build",
            pb.BarcelonaBuildMove,
            (counted("site", SITES), enum("building", moves.BUILDINGS, first=0), _AROUND),
        ),
        Kind.RESOURCE: Shape("resource", pb.BarcelonaResourceMove, (enum("resource", 2, first=0),)),
        Kind.CHOICE: Shape("choice", pb.BarcelonaChoiceMove, (counted("option", 2),)),
        Kind.PART: Shape("part", pb.BarcelonaPartMove, (counted("option", 2),)),
        Kind.PEDESTRIAN: Shape("pedestrian", pb.BarcelonaPedestrianMove, (enum("pedestrian", 2, first=0),)),
        Kind.STEP: Shape("step", pb.BarcelonaStepMove),
        Kind.HEXAGON: Shape(
            "hexagon", pb.BarcelonaHexagonMove, (counted("space", moves.HEXAGONS), counted("violet", moves.VIOLETS))
        ),
        Kind.GAUDI: Shape("gaudi", pb.BarcelonaGaudiMove),
    }


_OF_TWO = {Kind.PLACE: moves.place, Kind.MODERNISME: moves.modernisme, Kind.HEXAGON: moves.hexagon}
"""The makers of the moves that say two things."""


class MoveCodec:
    """Moves and their messages."""

    def __init__(self, ruleset: BarcelonaRuleset, ids: Ids) -> None:
        self._city: City = ruleset.city
        self._tiles = len(ids.sagrada)
        self._shapes = _shapes(ids)
        self._kinds = {shape.name: kind for kind, shape in self._shapes.items()}

    def to(self, move: Move) -> pb.BarcelonaMove:
        """The message of a move. Raises Malformed for a number that means nothing in this ruleset."""
        made = moves.parts(move)
        shape = self._shapes[made.kind]
        values: list[object] = [made.what, made.which]
        if made.kind is Kind.BUILD:
            around = self._city.sites[made.what].around
            if made.using >> len(around):
                raise Malformed("move", f"{move} is no move of Barcelona")
            values.append([i for bit, i in enumerate(around) if made.using >> bit & 1])
        elif made.kind is Kind.SAGRADA and made.what >= self._tiles:
            raise Malformed("move", f"{move} is no move of Barcelona")
        return pb.BarcelonaMove(**shape.write(values[: len(shape.fields)]))

    def read(self, message: pb.BarcelonaMove) -> Move:
        """The move of a message."""
        name = message.WhichOneof("kind")
        if name is None:
            raise Malformed("barcelona", f"says no kind of move: {', '.join(self._kinds)}")
        kind = self._kinds[name]
        values = self._shapes[kind].read(getattr(message, name), f"barcelona.{name}")
        if kind is Kind.BUILD:
            return self._build(*values)
        if kind in _OF_TWO:
            return _OF_TWO[kind](*values)
        return moves.simple(kind, values[0] if values else 0)

    def _build(self, site: int, building: int, intersections: tuple[int, ...]) -> Move:
        around, where = self._city.sites[site].around, "barcelona.build.intersections"
        for i, intersection in enumerate(intersections):
            if intersection not in around:
                corners = ", ".join(str(corner + 1) for corner in around)
                raise Malformed(f"{where}[{i}]", f"is not round site {site + 1}: {corners} are")
        if sorted(set(intersections)) != list(intersections):
            raise Malformed(where, "must rise, each named once")
        return moves.build(site, building, sum(1 << around.index(intersection) for intersection in intersections))

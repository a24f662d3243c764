"""Gaudí's choices as messages, and back: the matter says what the numbers are, and which rule they follow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Criterion, Matter
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.gaudi.reasons import RULE_OF_MATTER
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SITES
from boardgamesbot.games.barcelona.proto.fields import Ids, counted, enum, member, seat, several
from boardgamesbot.games.base import Malformed
from boardgamesbot.v1 import barcelona_pb2 as pb

_PEDESTRIANS = 2
_SEAT, _MATTER, _CRITERION = seat("seat"), member("matter", Matter), member("criterion", Criterion)
_ARROW = enum("arrow", len(ARROWS), first=0)


class ChoiceShape:
    """The message of `GaudiChose`: like a `Shape`, but its numbers have the range of the matter."""

    name = "gaudi_chose"

    def __init__(self, ids: Ids) -> None:
        self._counts = {
            Matter.MEEPLE: INTERSECTIONS,
            Matter.SERVICE: moves.SERVICES,
            Matter.MODERNISME: moves.DISPLAY,
            Matter.PROJECT: moves.PROJECTS,
            Matter.STREET: SECTIONS,
            Matter.INTERSECTION: INTERSECTIONS,
            Matter.COBBLESTONE: moves.SIDEWALK,
            Matter.PASSENGER: SECTIONS,
            Matter.SAGRADA_TILE: len(ids.sagrada),
            Matter.SITE: SITES,
            Matter.CITIZEN: INTERSECTIONS,
            Matter.PEDESTRIAN: _PEDESTRIANS,
            Matter.HEXAGON: moves.HEXAGONS,
            Matter.WIDE_STREET: SECTIONS,
        }

    def write(self, values: Iterable[Any]) -> dict[str, Any]:
        """The choice of the oneof, by its name."""
        own, matter, chosen, candidates, criterion, arrow, allowing = values
        one = counted("candidates", self._counts[matter])
        message = pb.BarcelonaGaudiChose(
            seat=own,
            matter=_MATTER.write(matter),
            rule=RULE_OF_MATTER[matter],
            chosen=one.write(chosen),
            candidates=several(one).write(candidates),
            criterion=_CRITERION.write(criterion),
            arrow=_ARROW.write(arrow),
            allowing=allowing,
        )
        return {self.name: message}

    def read(self, message: pb.BarcelonaGaudiChose, where: str) -> list[Any]:
        """The values in the order of the event's fields."""
        matter: Matter = _MATTER.read(message.matter, f"{where}.matter")
        if message.rule != RULE_OF_MATTER[matter]:
            raise Malformed(f"{where}.rule", f"must be {RULE_OF_MATTER[matter]}, by which he chooses that")
        one = counted("candidates", self._counts[matter])
        candidates = several(one, most=SECTIONS).read(message.candidates, f"{where}.candidates")
        chosen = one.read(message.chosen, f"{where}.chosen")
        if len(set(candidates)) != len(candidates):
            raise Malformed(f"{where}.candidates", "must name each once")
        if chosen not in candidates:
            raise Malformed(f"{where}.chosen", "must be one of the candidates")
        if not 0 <= message.allowing <= (len(candidates) if matter is Matter.MEEPLE else 0):
            raise Malformed(f"{where}.allowing", "must be how many of the candidates of the meeple, or 0")
        return [
            _SEAT.read(message.seat, f"{where}.seat"),
            matter,
            chosen,
            candidates,
            _CRITERION.read(message.criterion, f"{where}.criterion"),
            _ARROW.read(message.arrow, f"{where}.arrow"),
            message.allowing,
        ]

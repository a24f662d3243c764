"""Moves of Barcelona as messages: their numbers, and what is no move."""

from __future__ import annotations

from typing import Any

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.base import Malformed, Move
from boardgamesbot.v1 import barcelona_pb2 as pb
from boardgamesbot.v1 import games_pb2
from tests.support.barcelona import all_moves
from tests.unit.games.barcelona.support_codec import CODEC, GAME, IDS, refusal, written


class TestMoves:
    GOLDEN: tuple[tuple[Move, pb.BarcelonaMove], ...] = (
        (0, pb.BarcelonaMove(stop=pb.BarcelonaStopMove())),
        (4147, pb.BarcelonaMove(place=pb.BarcelonaPlaceMove(intersection=13, top=pb.BARCELONA_CITIZEN_UPPER))),
        (8202, pb.BarcelonaMove(action=pb.BarcelonaActionMove(street=11))),
        (12288, pb.BarcelonaMove(keep=pb.BarcelonaKeepMove(coins=0))),
        (16423, pb.BarcelonaMove(section=pb.BarcelonaSectionMove(section=40))),
        (20480, pb.BarcelonaMove(stack=pb.BarcelonaStackMove(stack=1))),
        (24600, pb.BarcelonaMove(intersection=pb.BarcelonaIntersectionMove(intersection=25))),
        (28672, pb.BarcelonaMove(tram=pb.BarcelonaTramMove(section=1))),
        (32768, pb.BarcelonaMove(passenger=pb.BarcelonaPassengerMove())),
        (36864, pb.BarcelonaMove(ride=pb.BarcelonaRideMove())),
        (40968, pb.BarcelonaMove(cobblestone=pb.BarcelonaCobblestoneMove(space=9))),
        (45060, pb.BarcelonaMove(service=pb.BarcelonaServiceMove(stack=5))),
        (49158, pb.BarcelonaMove(modernisme=pb.BarcelonaModernismeMove(shown=2, space=3))),
        (53251, pb.BarcelonaMove(improve=pb.BarcelonaImproveMove(space=4))),
        (57345, pb.BarcelonaMove(sagrada=pb.BarcelonaSagradaMove(tile="S1B"))),
        (
            61606,
            pb.BarcelonaMove(
                build=pb.BarcelonaBuildMove(site=3, building=pb.BARCELONA_BUILDING_LEVEL_3, intersections=[4, 8])
            ),
        ),
        (65537, pb.BarcelonaMove(resource=pb.BarcelonaResourceMove(resource=pb.BARCELONA_RESOURCE_CLOTH))),
        (69632, pb.BarcelonaMove(choice=pb.BarcelonaChoiceMove(option=1))),
        (73729, pb.BarcelonaMove(part=pb.BarcelonaPartMove(option=2))),
        (77825, pb.BarcelonaMove(pedestrian=pb.BarcelonaPedestrianMove(pedestrian=pb.BARCELONA_PEDESTRIAN_GRACIA))),
        (81920, pb.BarcelonaMove(step=pb.BarcelonaStepMove())),
        (86044, pb.BarcelonaMove(hexagon=pb.BarcelonaHexagonMove(space=10, violet=2))),
        (90112, pb.BarcelonaMove(gaudi=pb.BarcelonaGaudiMove())),
    )

    @pytest.mark.parametrize(("move", "message"), GOLDEN, ids=[m.WhichOneof("kind") for _, m in GOLDEN])
    def test_keep_their_numbers_and_messages(self, move: Move, message: pb.BarcelonaMove) -> None:
        """Records hold messages, and searches numbers: neither may change its meaning."""
        assert CODEC.move_to(move).barcelona == message
        assert CODEC.move_from(games_pb2.GameMove(barcelona=message)) == move

    def test_each_kind_has_its_golden_number(self) -> None:
        assert [moves.parts(move).kind for move, _ in self.GOLDEN] == list(Kind)

    def test_of_every_number_there_and_back(self) -> None:
        """Numbers that mean nothing, here or in this ruleset, are no message's."""
        found = set()
        for move in range((max(Kind) + 1) * moves.RANGE):
            try:
                message = CODEC.move_to(move)
            except Malformed:
                continue
            found.add(move)
            assert CODEC.move_from(games_pb2.GameMove.FromString(written(message))) == move
        # Nothing round a triangle is its fourth corner, and the ruleset has 20 Sagrada tiles of 32 that there could be.
        halves = sum(site.corner for site in GAME.ruleset.city.sites)
        every = len(all_moves())
        assert len(found) == every - halves * moves.BUILDINGS * 8 - (32 - len(IDS["sagrada"]))

    @pytest.mark.parametrize(
        ("kind", "values", "field"),
        [
            ("place", {"top": 1}, "place.intersection"),
            ("place", {"intersection": 26, "top": 1}, "place.intersection"),
            ("place", {"intersection": 1}, "place.top"),
            ("place", {"intersection": 1, "top": 4}, "place.top"),
            ("action", {}, "action.street"),
            ("action", {"street": 12}, "action.street"),
            ("keep", {"coins": 32}, "keep.coins"),
            ("keep", {"coins": -1}, "keep.coins"),
            ("section", {"section": 41}, "section.section"),
            ("stack", {"stack": 0}, "stack.stack"),
            ("stack", {"stack": 5}, "stack.stack"),
            ("intersection", {}, "intersection.intersection"),
            ("tram", {"section": -5}, "tram.section"),
            ("cobblestone", {"space": 26}, "cobblestone.space"),
            ("service", {"stack": 6}, "service.stack"),
            ("modernisme", {"shown": 5, "space": 1}, "modernisme.shown"),
            ("modernisme", {"shown": 1}, "modernisme.space"),
            ("improve", {"space": 5}, "improve.space"),
            ("sagrada", {}, "sagrada.tile"),
            ("sagrada", {"tile": "S9Z"}, "sagrada.tile"),
            ("build", {"site": 21, "building": 1}, "build.site"),
            ("build", {"site": 1}, "build.building"),
            ("build", {"site": 1, "building": 5}, "build.building"),
            ("build", {"site": 1, "building": 1, "intersections": [1, 3]}, "build.intersections[1]"),
            ("build", {"site": 1, "building": 1, "intersections": [0]}, "build.intersections[0]"),
            ("build", {"site": 1, "building": 1, "intersections": [2, 1]}, "build.intersections"),
            ("build", {"site": 1, "building": 1, "intersections": [2, 2]}, "build.intersections"),
            ("build", {"site": 1, "building": 1, "intersections": [1] * 1000}, "build.intersections"),
            ("resource", {}, "resource.resource"),
            ("resource", {"resource": 3}, "resource.resource"),
            ("choice", {"option": 3}, "choice.option"),
            ("part", {}, "part.option"),
            ("pedestrian", {"pedestrian": 3}, "pedestrian.pedestrian"),
            ("hexagon", {"space": 15, "violet": 1}, "hexagon.space"),
            ("hexagon", {"space": 1, "violet": 4}, "hexagon.violet"),
        ],
    )
    def test_out_of_range_are_refused_by_their_field(self, kind: str, values: dict[str, Any], field: str) -> None:
        message = games_pb2.GameMove()
        part = getattr(message.barcelona, kind)
        part.SetInParent()
        part.MergeFrom(type(part)(**values))
        assert refusal(CODEC.move_from, message).field == f"barcelona.{field}"

    def test_of_no_game_of_another_and_of_no_kind(self) -> None:
        empty = games_pb2.GameMove()
        with pytest.raises(Malformed, match="this is a game of Barcelona"):
            CODEC.move_from(empty)
        empty.agora.SetInParent()
        with pytest.raises(Malformed, match="this is a game of Barcelona"):
            CODEC.move_from(empty)
        empty.barcelona.SetInParent()
        with pytest.raises(Malformed, match="stop, place, action"):
            CODEC.move_from(empty)

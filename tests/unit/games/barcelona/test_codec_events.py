"""Events of Barcelona as messages: each kind, the choices of Gaudí, and what is no event."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import pytest

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona.events import Criterion, Matter, Reason
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.gaudi.reasons import RULE_OF_MATTER
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.base import Event
from boardgamesbot.v1 import barcelona_pb2 as pb
from boardgamesbot.v1 import games_pb2
from tests.unit.games.barcelona.support_codec import (
    CODEC,
    IDS,
    PLAYERS,
    WITH,
    WITHOUT,
    by_chance,
    citizens,
    refusal,
    written,
)


def _chose(**values: Any) -> pb.BarcelonaEvent:
    """A choice of Gaudí's between two sites, but for what is given."""
    whole = {"seat": 1, "matter": 10, "rule": "BA-G10", "chosen": 2, "candidates": [1, 2], "criterion": 3, "arrow": 1}
    return pb.BarcelonaEvent(gaudi_chose=pb.BarcelonaGaudiChose(**{**whole, **values}))


class TestEvents:
    EVERY: tuple[Event, ...] = (
        ev.TurnBegan(3, 2),
        ev.Placed(0, 24, 1, 3),
        ev.NowhereToPlace(1, (2, 2)),
        ev.ActionTaken(1, 10, 13, True),
        ev.Scored(2, 0, Reason.SETUP),
        ev.Gained(0, 2, 0, Reason.ACTION),
        ev.Paid(0, 0, 3),
        ev.Kept(0, 4, 0),
        ev.Advanced(0, ev.Track.CERDA, -2, 0, Reason.BUILDING),
        ev.StreetBuilt(0, 39, 2, 2),
        ev.StackEmptied(3, ev.Pieces.WIDE, 0),
        ev.IntersectionBuilt(0, 0),
        ev.TramMoved(0, 0, True),
        ev.PassengerPlaced(0, 39),
        ev.CobblestonePlaced(0, 24),
        ev.ServiceBuilt(0, 4, 9, 2),
        ev.ModernismeTaken(0, 19, 3, 0),
        ev.ModernismeShown(-1, 3),
        ev.ProjectImproved(0, 3),
        ev.SagradaTaken(0, -1, 3),
        ev.Built(0, 19, 3, (19, 23, 24), (1, 2, 3)),
        ev.MarkerPlaced(0, 0, 3),
        ev.RowBonusTaken(0, 3),
        ev.CitizenTracked(0, 3, -1),
        ev.CerdaScored(2, 0, (1, 0, 4, 7), (1, 1, 2, 4)),
        ev.EndBegan(True),
        ev.Stepped(0, 1, 3),
        ev.JoyGained(0, 0, 6, Reason.MEETING),
        ev.Arrived(0, 1, 1),
        ev.WentBack(0, 0),
        ev.HexagonPlaced(0, 13, 2, 0),
        ev.Declined(0, Kind.HEXAGON),
        ev.Drew(0, (0, 0)),
        ev.Ended((100, 90), (1, 2), (0, 14), (0, 3), (2, 0), (0,)),
        ev.CardRevealed(1, 7, 0),
        ev.DeckShuffled(1),
        ev.GaudiActed(1, 3),
        ev.GaudiGained(1, 2, 6, Reason.ACTION),
        ev.GaudiChose(1, Matter.HEXAGON, 13, (4, 13, 0), Criterion.ARROW, 7),
        ev.GaudiChose(1, Matter.MEEPLE, 13, (4, 13, 0), Criterion.ARROW, 7, 2),
    )

    @pytest.mark.parametrize("event", EVERY, ids=lambda event: type(event).__name__)
    def test_of_each_kind_there_and_back(self, event: Event) -> None:
        back = CODEC.event_from(games_pb2.GameEvent.FromString(written(CODEC.event_to(event))))
        assert back == event
        assert type(back) is type(event)

    def test_there_is_one_of_each_kind(self) -> None:
        kinds = {kind for kind in vars(ev).values() if isinstance(kind, type) and issubclass(kind, Event)} - {Event}
        assert {type(event) for event in self.EVERY} == kinds
        assert len(pb.BarcelonaEvent.DESCRIPTOR.oneofs_by_name["kind"].fields) == len(kinds)

    def test_of_another_game_is_none(self) -> None:
        with pytest.raises(TypeError, match="AgoraEvent"):
            CODEC.event_to(type("AgoraEvent", (Event,), {})())

    def test_reasons_come_back_as_reasons(self) -> None:
        back = CODEC.event_from(CODEC.event_to(ev.Scored(0, 5, Reason.TRACK)))
        assert isinstance(back, ev.Scored)
        assert isinstance(back.reason, Reason)

    @pytest.mark.parametrize("expansion", [WITHOUT, WITH])
    @pytest.mark.parametrize(("players", "solo"), [(4, PLAYERS), (2, "EASY")])
    def test_of_games_there_and_back(self, players: int, solo: str, expansion: str) -> None:
        for _, events in by_chance(players, expansion, 4, solo):
            for event in events:
                for seen in {event.seen_by(None), event.seen_by(1)}:
                    message = CODEC.event_to(seen)
                    assert CODEC.event_from(games_pb2.GameEvent.FromString(written(message))) == seen

    def test_citizens_drawn_by_another_are_unspecified(self) -> None:
        drawn = CODEC.event_to(ev.Drew(1, (3, 2)).seen_by(0)).barcelona.drew
        assert list(drawn.citizens) == [pb.BARCELONA_CITIZEN_UNSPECIFIED] * 2

    CHOICES: tuple[tuple[Matter, str, int], ...] = (
        (Matter.MEEPLE, "BA-G5", 25),
        (Matter.SERVICE, "BA-GA1", 5),
        (Matter.MODERNISME, "BA-GA2", 4),
        (Matter.PROJECT, "BA-GA3", 4),
        (Matter.STREET, "BA-GA4", 40),
        (Matter.INTERSECTION, "BA-GA6", 25),
        (Matter.COBBLESTONE, "BA-GA7", 25),
        (Matter.PASSENGER, "BA-GA8", 40),
        (Matter.SAGRADA_TILE, "BA-G9", len(IDS["sagrada"])),
        (Matter.SITE, "BA-G10", 20),
        (Matter.CITIZEN, "BA-G11", 25),
        (Matter.PEDESTRIAN, "BA-G13", 2),
        (Matter.HEXAGON, "BA-G15", 14),
        (Matter.WIDE_STREET, "BA-GA5", 40),
    )

    @pytest.mark.parametrize(("matter", "rule", "last"), CHOICES, ids=[matter.name for matter, _, _ in CHOICES])
    def test_a_choice_of_gaudi_counts_as_its_matter_does_and_names_its_rule(
        self, matter: Matter, rule: str, last: int
    ) -> None:
        event = ev.GaudiChose(1, matter, last - 1, (0, last - 1), Criterion.LEFTMOST, 2)
        message = CODEC.event_to(event)
        chose = message.barcelona.gaudi_chose
        assert pb.BarcelonaMatter.Name(chose.matter) == f"BARCELONA_MATTER_{matter.name}"
        assert pb.BarcelonaCriterion.Name(chose.criterion) == "BARCELONA_CRITERION_LEFTMOST"
        assert pb.BarcelonaArrow.Name(chose.arrow) == "BARCELONA_ARROW_E"
        assert (chose.rule, chose.chosen, list(chose.candidates)) == (rule, last, [1, last])
        assert CODEC.event_from(message) == event
        chose.candidates[1] = last + 1
        assert refusal(CODEC.event_from, message).field == "barcelona.gaudi_chose.candidates[1]"

    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [
            (Reason, pb.BarcelonaReason),
            (ev.Pieces, pb.BarcelonaPieces),
            (ev.Track, pb.BarcelonaTrack),
            (Matter, pb.BarcelonaMatter),
            (Criterion, pb.BarcelonaCriterion),
            (Do, pb.BarcelonaTaskKind),
            (Kind, pb.BarcelonaMoveKind),
        ],
    )
    def test_enums_have_the_names_and_numbers_of_the_contract(self, ours: type[IntEnum], theirs: Any) -> None:
        prefix = theirs.keys()[0].removesuffix("UNSPECIFIED")
        assert {prefix + member.name: member.value for member in ours if member} == dict(theirs.items()[1:])

    def test_every_arrow_and_every_matter_of_gaudi_is_there(self) -> None:
        assert [f"BARCELONA_ARROW_{arrow}" for arrow in ARROWS] == pb.BarcelonaArrow.keys()[1:]
        assert {matter for matter, _, _ in self.CHOICES} == set(RULE_OF_MATTER) == set(Matter)

    def test_a_hexagon_of_gaudi_counts_no_violet_cobblestone(self) -> None:
        message = CODEC.event_to(ev.HexagonPlaced(1, 3, -1, 0))
        assert message.barcelona.hexagon_placed.violet == 0
        assert CODEC.event_from(message) == ev.HexagonPlaced(1, 3, -1, 0)

    @pytest.mark.parametrize(
        ("message", "field"),
        [
            (pb.BarcelonaEvent(), "barcelona"),
            (pb.BarcelonaEvent(scored=pb.BarcelonaScored(seat=4, reason=pb.BARCELONA_REASON_RUN)), "scored.seat"),
            (pb.BarcelonaEvent(scored=pb.BarcelonaScored()), "scored.reason"),
            (pb.BarcelonaEvent(action_taken=pb.BarcelonaActionTaken(street=1, action="NAP")), "action_taken.action"),
            (
                pb.BarcelonaEvent(
                    built=pb.BarcelonaBuilt(
                        site=1, building=pb.BARCELONA_BUILDING_CORNER, citizens=[pb.BARCELONA_CITIZEN_UNSPECIFIED]
                    )
                ),
                "built.citizens[0]",
            ),
            (pb.BarcelonaEvent(drew=pb.BarcelonaDrew(citizens=citizens(1, 4))), "drew.citizens[1]"),
            (pb.BarcelonaEvent(ended=pb.BarcelonaEnded(winners=[5])), "ended.winners[0]"),
            (pb.BarcelonaEvent(ended=pb.BarcelonaEnded(points=[0] * 5)), "ended.points"),
            (pb.BarcelonaEvent(card_revealed=pb.BarcelonaCardRevealed(card=9)), "card_revealed.card"),
            (pb.BarcelonaEvent(card_revealed=pb.BarcelonaCardRevealed(card=1)), "card_revealed.arrow"),
            (pb.BarcelonaEvent(gaudi_acted=pb.BarcelonaGaudiActed(action="NAP")), "gaudi_acted.action"),
            (pb.BarcelonaEvent(gaudi_gained=pb.BarcelonaGaudiGained(points=-1)), "gaudi_gained.points"),
            (_chose(seat=4), "gaudi_chose.seat"),
            (_chose(matter=0), "gaudi_chose.matter"),
            (_chose(matter=15), "gaudi_chose.matter"),
            (_chose(allowing=1), "gaudi_chose.allowing"),
            (_chose(matter=1, rule="BA-G5", allowing=3), "gaudi_chose.allowing"),
            (_chose(rule=""), "gaudi_chose.rule"),
            (_chose(rule="BA-G5"), "gaudi_chose.rule"),
            (_chose(chosen=0), "gaudi_chose.chosen"),
            (_chose(chosen=4), "gaudi_chose.chosen"),
            (_chose(candidates=[]), "gaudi_chose.chosen"),
            (_chose(candidates=[1, 2, 1]), "gaudi_chose.candidates"),
            (_chose(candidates=[0, 2]), "gaudi_chose.candidates[0]"),
            (_chose(candidates=[2] * 1000), "gaudi_chose.candidates"),
            (_chose(criterion=15), "gaudi_chose.criterion"),
            (_chose(arrow=9), "gaudi_chose.arrow"),
        ],
    )
    def test_with_a_fault_are_refused_by_its_field(self, message: pb.BarcelonaEvent, field: str) -> None:
        refused = refusal(CODEC.event_from, games_pb2.GameEvent(barcelona=message))
        assert refused.field.removeprefix("barcelona.") == field

"""What Barcelona's messages say, and that nothing in them is taken on trust."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import cache
from itertools import product
from random import Random
from typing import Any, cast

import pytest
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgamesbot.games import registry
from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import Effects
from boardgamesbot.games.barcelona.events import Criterion, Matter, Reason
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.gaudi.reasons import RULE_OF_MATTER
from boardgamesbot.games.barcelona.geometry import street_of
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.proto import BarcelonaCodec
from boardgamesbot.games.barcelona.proto.effects import effect_texts
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Event, Malformed, Move
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.v1 import barcelona_pb2 as pb
from boardgamesbot.v1 import games_pb2

_codec = registry.codec("barcelona")
assert isinstance(_codec, BarcelonaCodec)
CODEC: BarcelonaCodec = _codec
GAME: Barcelona = _codec.game
IDS = {
    "actions": [entry.id for entry in GAME.ruleset.actions],
    "scorings": [entry.id for entry in GAME.ruleset.scorings],
    "services": [entry.id for entry in GAME.ruleset.services],
    "sagrada": [entry.id for entry in GAME.ruleset.sagrada_tiles],
    "amenities": [entry.id for entry in GAME.ruleset.amenities],
    "violet": [entry.id for entry in GAME.ruleset.violet],
    "effects": effect_texts(GAME.ruleset.nodes),
}
ALL_OPTIONS = [
    dict(zip([option.name for option in GAME.options], names, strict=True))
    for names in product(*[[value.name for value in option.values] for option in GAME.options])
]
WITH, WITHOUT = "PASSEIG_DE_GRACIA", "NONE"
PLAYERS = "NONE"
SOLO = ("EASY", "NORMAL", "HARD")


def by_chance(
    players: int, expansion: str, seed: int, solo: str = PLAYERS
) -> Iterator[tuple[BarcelonaState, list[Event]]]:
    """Every position of a game, a copy of each, and what led to it; half of the moves take what is dearest.

    With an odd seed, Gaudí takes both actions of his cards.
    """
    rng = Random(seed)
    both = solo != PLAYERS and seed % 2
    options = GAME.complete_options({"expansion": expansion, "solo": solo, "solo_actions": "BOTH" if both else "FIRST"})
    state, events = GAME.new(players, options, ChanceStream(rng.randbytes(SEED_BYTES)))
    yield state.copy(), events
    while not state.over:
        legal = state.legal_moves()
        events = state.apply(rng.choice(legal) if rng.random() < 0.5 else legal[-1])
        yield state.copy(), events


@cache
def positions(players: int = 3, expansion: str = WITH, solo: str = PLAYERS) -> list[BarcelonaState]:
    """Every position of a few games."""
    return [state for seed in range(4) for state, _ in by_chance(players, expansion, seed, solo)]


def asked(kind: Do, *, players: int = 3, expansion: str = WITH, later: bool = False) -> BarcelonaState:
    """A position in which a task is decided; with `later`, in which it waits beneath another."""
    for state in positions(players, expansion)[40:] + positions(players, expansion):
        kinds = [task[0] for task in state.tasks]
        if (kind in kinds[:-1]) if later else kinds[-1:] == [kind]:
            return state
    raise AssertionError(f"no {kind.name} in these games")


@cache
def gaudis_turn() -> BarcelonaState:
    """A turn of Gaudí's at normal difficulty, when a Sagrada tile has been taken and cards lie face up and down."""
    return next(
        state
        for state in positions(2, WITH, "NORMAL")
        if state.tasks
        and state.task[0] == Do.GAUDI
        and min(len(state.discards), len(state.deck)) > 2
        and any(state.sagrada_of)
        and not state.ending
    )


def written(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def copied(state: BarcelonaState) -> games_pb2.GameState:
    return games_pb2.GameState.FromString(written(CODEC.state_to(state)))


def _citizens(*numbers: int) -> list[pb.BarcelonaCitizen.ValueType]:
    return [cast("pb.BarcelonaCitizen.ValueType", number) for number in numbers]


# There and back


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
        every = sum(1 for move in range((max(Kind) + 1) * moves.RANGE) if _means_something(move))
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
        with pytest.raises(Malformed) as caught:
            CODEC.move_from(message)
        assert caught.value.field == f"barcelona.{field}"

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


def _means_something(move: Move) -> bool:
    try:
        moves.parts(move)
    except Malformed:
        return False
    return True


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
        with pytest.raises(Malformed) as caught:
            CODEC.event_from(message)
        assert caught.value.field == "barcelona.gaudi_chose.candidates[1]"

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
            (pb.BarcelonaEvent(drew=pb.BarcelonaDrew(citizens=_citizens(1, 4))), "drew.citizens[1]"),
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
        with pytest.raises(Malformed) as caught:
            CODEC.event_from(games_pb2.GameEvent(barcelona=message))
        assert caught.value.field.removeprefix("barcelona.") == field


class TestOptions:
    def test_left_out_they_are_the_defaults(self) -> None:
        assert CODEC.options_from(games_pb2.GameOptions()) == ALL_OPTIONS[0]
        message = games_pb2.GameOptions()
        message.barcelona.SetInParent()
        assert CODEC.options_from(message) == ALL_OPTIONS[0]

    @pytest.mark.parametrize("options", ALL_OPTIONS)
    def test_there_and_back(self, options: dict[str, str]) -> None:
        assert CODEC.options_from(CODEC.options_to(options)) == options

    @pytest.mark.parametrize(("name", "number"), [("expansion", 3), ("actions", 9), ("solo", 5), ("solo_actions", 3)])
    def test_out_of_range(self, name: str, number: int) -> None:
        message = games_pb2.GameOptions()
        setattr(message.barcelona, name, number)
        with pytest.raises(Malformed) as caught:
            CODEC.options_from(message)
        assert caught.value.field == f"barcelona.{name}"


def test_effects_are_said_in_words_that_mean_them() -> None:
    """The words of an effect, read as those of a data file, are that effect again."""
    import json

    reader = Effects(tuple(COUNTS))
    texts = effect_texts(GAME.ruleset.nodes)
    assert len(set(texts)) == len(texts)
    for text in texts:
        made = reader.add(json.loads(text) if text[0] in "[{" else text, text)
        assert effect_texts(reader.nodes)[made] == text


@pytest.mark.parametrize("expansion", [WITHOUT, WITH])
@pytest.mark.parametrize(
    ("players", "solo"), [(2, PLAYERS), (3, PLAYERS), (4, PLAYERS), *((2, difficulty) for difficulty in SOLO)]
)
def test_every_position_of_a_game_there_and_back(players: int, solo: str, expansion: str) -> None:
    """States and views come back to the same bytes and the same legal moves."""
    for number, (state, _) in enumerate(by_chance(players, expansion, players + len(solo), solo)):
        document = written(CODEC.state_to(state))
        back = CODEC.state_from(games_pb2.GameState.FromString(document))
        assert written(CODEC.state_to(back)) == document
        assert back.legal_moves() == state.legal_moves()
        assert (back.actor, back.undoable) == (state.actor, state.undoable)
        seat = (None, *range(players))[number % (players + 1)]
        for reader in {seat, state.actor}:
            view = state.view(reader)
            document = written(CODEC.view_to(view))
            seen = CODEC.view_from(games_pb2.GameView.FromString(document))
            assert seen == view
            assert written(CODEC.view_to(seen)) == document
            assert seen.legal_moves() == view.legal_moves()
            assert (seen.seat, seen.actor, seen.undoable) == (view.seat, view.actor, view.undoable)


@pytest.mark.parametrize("expansion", [WITHOUT, WITH])
@pytest.mark.parametrize(("players", "solo"), [(3, PLAYERS), (2, "HARD")])
def test_a_game_goes_on_the_same_from_what_was_written(players: int, solo: str, expansion: str) -> None:
    """A game that is written down and read again before every move ends as one that never was."""
    rng = Random(8)
    options = GAME.complete_options({"expansion": expansion, "solo": solo})
    played, _ = GAME.new(players, options, ChanceStream(bytes(SEED_BYTES)))
    stored: Any = played.copy()
    while not played.over:
        move = rng.choice(played.legal_moves())
        stored = CODEC.state_from(CODEC.state_to(stored))
        assert stored.play(move) == played.apply(move)
    assert CODEC.state_to(stored) == CODEC.state_to(played)


# What a reader is told


def test_a_view_says_nothing_of_hidden_things() -> None:
    """Whatever lies in other hands, the bag and the stack: the reader is told the same."""
    state = asked(Do.PLACE)
    reader = (state.seat + 1) % state.players
    other = state.copy()
    other.hands[state.seat], other.bag = other.bag[:2], [*other.bag[2:], *other.hands[state.seat]]
    other.bag.reverse()
    other.modernisme_stack.reverse()
    assert CODEC.state_to(state) != CODEC.state_to(other)
    assert CODEC.view_to(state.view(reader)) == CODEC.view_to(other.view(reader))


@pytest.mark.parametrize("reader", [None, 0, 1])
def test_a_view_says_nothing_of_the_deck_but_its_top_card(reader: int | None) -> None:
    state = gaudis_turn()
    other = state.copy()
    other.deck[:-1] = [*state.deck[1:-1], state.deck[0]]
    assert CODEC.state_to(state) != CODEC.state_to(other)
    message = CODEC.view_to(state.view(reader))
    assert message == CODEC.view_to(other.view(reader))
    gaudi, top = message.barcelona.position.gaudi, state.deck[-1]
    assert list(gaudi.deck) == [0] * (len(state.deck) - 1) + [top + 1]
    assert list(gaudi.discards) == [card + 1 for card in state.discards]
    assert gaudi.arrow == GAME.ruleset.gaudi.cards[top].arrow + 1
    assert gaudi.meeple == state.meeple + 1
    assert list(message.barcelona.unseen_cards) == sorted(card + 1 for card in state.deck[:-1])


def test_a_view_of_gaudis_turn_names_the_actions_of_his_card() -> None:
    state = gaudis_turn().copy()
    decision = CODEC.view_to(state.view(0)).barcelona.decision
    assert decision.task == pb.BarcelonaTask(kind=_kind("GAUDI"))
    events = state.play(moves.GAUDI)
    card = first(events, lambda event: isinstance(event, ev.CardRevealed)).card
    assert list(decision.actions) == [IDS["actions"][action] for action in GAME.ruleset.gaudi.cards[card].actions]


def test_without_gaudi_nothing_is_said_of_him() -> None:
    state = asked(Do.PLACE, players=2)
    message = CODEC.view_to(state.view(0)).barcelona
    assert not message.position.HasField("gaudi")
    assert not message.unseen_cards
    assert not CODEC.state_to(state).barcelona.deck


def test_a_view_names_what_is_decided() -> None:
    state = asked(Do.ACTIONS)
    decision = CODEC.view_to(state.view(state.seat)).barcelona.decision
    assert decision.task.kind == pb.BARCELONA_TASK_KIND_ACTIONS
    assert decision.task.intersection == state.task[1] + 1
    streets = [street for street in range(11) if state.task[2] >> street & 1]
    assert list(decision.task.streets) == [street + 1 for street in streets]
    assert list(decision.actions) == [IDS["actions"][state.slots[street]] for street in streets]
    ride = asked(Do.RIDE)
    street = street_of(ride.task[1])
    decision = CODEC.view_to(ride.view(None)).barcelona.decision
    assert list(decision.actions) == [IDS["actions"][ride.slots[street]]]
    choice = asked(Do.PARTS)
    decision = CODEC.view_to(choice.view(None)).barcelona.decision
    kids = choice.ruleset.nodes[choice.task[1]].kids
    assert list(decision.effects) == [IDS["effects"][kid] for kid in kids]
    assert decision.task.reason == choice.task[2]


def test_what_a_view_adds_follows_from_the_rest() -> None:
    """Only seat, actor, position and hand are read: the rest is worked out anew."""
    state = asked(Do.ACTIONS)
    message = CODEC.view_to(state.view(1))
    expected = games_pb2.GameView.FromString(written(message))
    for name in ("decision", "points", "unseen_citizens", "unseen_modernisme", "unseen_cards"):
        message.barcelona.ClearField(name)
    assert CODEC.view_to(CODEC.view_from(message)) == expected
    assert list(expected.barcelona.points) == state.scores()
    assert sorted(IDS["scorings"].index(tile) for tile in expected.barcelona.unseen_modernisme) == sorted(
        state.modernisme_stack
    )


# What is refused

Spoil = Callable[[Any], object]


def set_to(**values: Any) -> Callable[[Any], None]:
    """Sets fields of a message."""

    def spoil(message: Any) -> None:
        for name, value in values.items():
            setattr(message, name, value)

    return spoil


def put(name: str, index: int, value: object) -> Callable[[Any], None]:
    """Sets an element of a list."""
    return lambda message: getattr(message, name).__setitem__(index, value)


def first(elements: Any, wanted: Callable[[Any], bool]) -> Any:
    return next(element for element in elements if wanted(element))


def swap(elements: Any, i: int, j: int) -> None:
    elements[i], elements[j] = elements[j], elements[i]


FAULTS: dict[str, tuple[str, Spoil]] = {
    "one player": ("players", lambda p: p.players.__delitem__(slice(1, None))),
    "five players": ("players", lambda p: [p.players.add() for _ in range(3)]),
    "an option out of range": ("options.expansion", lambda p: set_to(expansion=3)(p.options)),
    "without the expansion": ("board.actions", lambda p: _without_passeig(p)),
    "no side board": ("passeig", lambda p: p.ClearField("passeig")),
    "round 0": ("round", set_to(round=0)),
    "a round too many": ("round", lambda p: set_to(round=p.round + 1)(p)),
    "a hundred thousand rounds": ("round", set_to(round=100_000)),
    "a first player that there is not": ("first_player", set_to(first_player=3)),
    "another first player": ("round", lambda p: set_to(first_player=(p.first_player + 1) % 3)(p)),
    "nobody's turn": ("seat", set_to(seat=-1)),
    "an end before its time": ("ending", set_to(ending=True)),
    "over before its time": ("tasks", set_to(is_over=True)),
    "an action short": ("board.actions", lambda p: p.board.actions.pop()),
    "an action twice": ("board.actions[1]", lambda p: put("actions", 1, p.board.actions[0])(p.board)),
    "an action unheard of": ("board.actions[0]", lambda p: put("actions", 0, "NAP")(p.board)),
    "an action of the base game": (
        "board.actions",
        lambda p: put("actions", list(p.board.actions).index("X_COINS"), "COINS")(p.board),
    ),
    "actions shuffled that should not be": ("board.actions", lambda p: set_to(actions=2)(p.options)),
    "an intersection short": ("board.intersections", lambda p: p.board.intersections.pop()),
    "a citizen of no class": ("board.intersections[0].top", lambda p: set_to(top=4)(p.board.intersections[0])),
    "a citizen in the air": (
        "board.intersections",
        lambda p: first(p.board.intersections, lambda i: not i.top).MergeFrom(
            pb.BarcelonaIntersection(bottom=pb.BARCELONA_CITIZEN_WORKING)
        ),
    ),
    "a citizen too many": ("round", lambda p: set_to(top=1)(first(p.board.intersections, lambda i: not i.top))),
    "an owner that there is not": ("board.intersections[3].owner", lambda p: set_to(owner=3)(p.board.intersections[3])),
    "an Intersection too many": (
        "players",
        lambda p: set_to(owner=0)(first(p.board.intersections, lambda i: not i.HasField("owner"))),
    ),
    "a section too many": ("board.sections", lambda p: p.board.sections.add()),
    "a street of nobody": (
        "board.sections",
        lambda p: first(p.board.sections, lambda s: s.street).ClearField("owner"),
    ),
    "a street too many": (
        "players[0].narrow",
        lambda p: set_to(street=1, owner=0)(first(p.board.sections, lambda s: not s.street)),
    ),
    "a street of another width": (
        "players",
        lambda p: (lambda s: set_to(street=3 - s.street)(s))(first(p.board.sections, lambda s: s.street)),
    ),
    "a passenger too many": (
        "players[1].passengers",
        lambda p: set_to(passenger=1)(first(p.board.sections, lambda s: not s.HasField("passenger"))),
    ),
    "a site too few": ("board.sites", lambda p: p.board.sites.pop()),
    "a building of no kind": ("board.sites[0].building", lambda p: set_to(building=5)(p.board.sites[0])),
    "a building out of nothing": (
        "board.sites",
        lambda p: set_to(building=1)(first(p.board.sites[:3], lambda s: not s.building)),
    ),
    "a whole building on a triangle": (
        "board.sites",
        lambda p: set_to(building=1)(first(p.board.sites, lambda s: s.building == 4)),
    ),
    "another's marker": (
        "players",
        lambda p: (lambda s: put("markers", 0, (s.markers[0] + 1) % 3)(s))(first(p.board.sites, lambda s: s.markers)),
    ),
    "markers piled up": (
        "board.sites",
        lambda p: first(p.board.sites, lambda s: s.building == 1).markers.append(0),
    ),
    "a thousand markers": ("board.sites[0].markers", lambda p: p.board.sites[0].markers.extend([0] * 1000)),
    "a bonus that comes back": (
        "board.row_bonuses",
        lambda p: put("row_bonuses", list(p.board.row_bonuses).index(False), True)(p.board),
    ),
    "a citizen on the track out of nothing": (
        "round",
        lambda p: set_to(working=p.board.track.working + 1)(p.board.track),
    ),
    "a row of the track too long": ("board.track.working", lambda p: set_to(working=18)(p.board.track)),
    "more of a class than there are": ("board.intersections", lambda p: set_to(upper=99)(p.board.box)),
    "a building that took one citizen": ("board.track", lambda p: _back_to_the_city(p.board)),
    "an endless track": ("board.track.upper", lambda p: set_to(upper=100)(p.board.track)),
    "a tile not scored in its time": ("board.cerda[0].scored", lambda p: set_to(scored=False)(p.board.cerda[0])),
    "a Cerdà tile twice": ("board.cerda[1].tile", lambda p: set_to(tile=p.board.cerda[0].tile)(p.board.cerda[1])),
    "no Cerdà tile at all": ("board.cerda[0].tile", lambda p: p.board.cerda[0].ClearField("tile")),
    "a Modernisme tile as a Cerdà tile": ("board.cerda[0].tile", lambda p: set_to(tile="STACKS")(p.board.cerda[0])),
    "a citizen more in the bag": ("board.bag", lambda p: set_to(bag=p.board.bag + 1)(p.board)),
    "a building tile gone astray": ("display.buildings", lambda p: _lose_one(p.display.buildings)),
    "a marker on no building": (
        "board.sites",
        lambda p: first(p.board.sites, lambda s: not s.building).markers.append(0),
    ),
    "more building tiles than there are": ("display.buildings[3]", lambda p: put("buildings", 3, 9)(p.display)),
    "a Sagrada tile lost": ("display.sagrada", lambda p: p.display.sagrada.pop()),
    "a Sagrada tile twice": ("display.sagrada[1]", lambda p: put("sagrada", 1, p.display.sagrada[0])(p.display)),
    "Sagrada tiles out of order": ("display.sagrada", lambda p: swap(p.display.sagrada, 0, 1)),
    "a Modernisme tile twice": (
        "display.modernisme[1]",
        lambda p: put("modernisme", 1, p.display.modernisme[0])(p.display),
    ),
    "a gap in the display": ("display.modernisme", lambda p: _back_to_the_stack(p.display)),
    "a Modernisme tile more": (
        "display.modernisme_stack",
        lambda p: set_to(modernisme_stack=p.display.modernisme_stack + 1)(p.display),
    ),
    "a twin of a Cerdà tile": (
        "display.modernisme[0]",
        lambda p: put("modernisme", 0, p.board.cerda[0].tile)(p.display),
    ),
    "a service short": ("display.services", lambda p: p.display.services.pop()),
    "a service twice": (
        "display.services",
        lambda p: set_to(service=p.display.services[1].service)(p.display.services[0]),
    ),
    "a service unbuilt": (
        "display.services",
        lambda p: (lambda s: set_to(left=s.left - 1)(s))(first(p.display.services, lambda s: s.left)),
    ),
    "a stone in the middle": ("display.sidewalk[12]", lambda p: set_to(owner=0)(p.display.sidewalk[12])),
    "a stone in the corner": (
        "display.sidewalk",
        lambda p: (
            first(p.display.sidewalk, lambda s: s.HasField("owner")).ClearField("owner"),
            set_to(owner=_owner_lost(p))(first(_corners(p), lambda s: not s.HasField("owner"))),
        ),
    ),
    "an Amenity twice": ("passeig.amenities[1]", lambda p: put("amenities", 1, p.passeig.amenities[0])(p.passeig)),
    "violet stones out of order": ("passeig.violet", lambda p: swap(p.passeig.violet, 0, 1)),
    "an endless Passeig": ("passeig.hexagons", lambda p: p.passeig.hexagons.add()),
    "a storage too full": ("players[0].coins", lambda p: set_to(coins=40)(p.players[0])),
    "a negative coin": ("players[0].coins", lambda p: set_to(coins=-1)(p.players[0])),
    "points beyond counting": ("players[0].points", lambda p: set_to(points=2**31 - 1)(p.players[0])),
    "negative points": ("players[2].points", lambda p: set_to(points=-1)(p.players[2])),
    "beyond the Cerdà track": ("players[0].cerda", lambda p: set_to(cerda=17)(p.players[0])),
    "beyond the Sagrada track": ("players[0].sagrada", lambda p: set_to(sagrada=11)(p.players[0])),
    "a threshold without its tile": ("players[0].sagrada_tiles", lambda p: _climb(p)),
    "a stack too many": ("players[0].markers", lambda p: p.players[0].markers.append(0)),
    "a stack too high": ("players[0].narrow[0]", lambda p: put("narrow", 0, 3)(p.players[0])),
    "a wide street lost": (
        "players[1].wide",
        lambda p: put("wide", 2, p.players[1].wide[2] - 1 or 1)(p.players[1]),
    ),
    "a tram that never came": ("players", lambda p: set_to(tram=0)(first(p.players, lambda q: q.passengers))),
    "a tram off the map": ("players[0].tram", lambda p: set_to(tram=41)(p.players[0])),
    "a project space short": ("players[0].projects", lambda p: p.players[0].projects.pop()),
    "a service from elsewhere": ("players[0].services", lambda p: p.players[0].services.append(_unused_service(p))),
    "the same service twice": ("players", lambda p: _twice(p)),
    "Joy 7": ("players[0].pedestrians[0].joy", lambda p: set_to(joy=7)(p.players[0].pedestrians[0])),
    "no Joy": ("players[0].pedestrians[1].joy", lambda p: set_to(joy=0)(p.players[0].pedestrians[1])),
    "a Pedestrian lost": ("players[0].pedestrians", lambda p: p.players[0].pedestrians.pop()),
    "an arrival that nobody asked for": (
        "players[0].pedestrians[0].step",
        lambda p: set_to(step=4)(p.players[0].pedestrians[0]),
    ),
    "a hand of three": ("players[0].hand", lambda p: set_to(hand=3)(p.players[0])),
    "a hand lost": ("players", lambda p: set_to(hand=1)(p.players[(p.seat + 1) % 3])),
    "nothing to do": ("tasks", lambda p: p.ClearField("tasks")),
    "a task of no kind": ("tasks[0].kind", lambda p: p.tasks[0].ClearField("kind")),
    "a task unheard of": ("tasks[0].kind", lambda p: set_to(kind=35)(p.tasks[0])),
    "a task that says too much": ("tasks[0].amount", lambda p: set_to(amount=1)(p.tasks[0])),
    "tasks in another order": ("tasks", lambda p: swap_tasks(p, 0, 1)),
    "two turns at once": ("tasks", lambda p: p.tasks.extend(list(p.tasks))),
    "a thousand tasks": ("tasks", lambda p: [p.tasks.add(kind=_kind("WALK")) for _ in range(1000)]),
    "a task that asks nothing on top": ("tasks[4].kind", lambda p: p.tasks.add(kind=_kind("RUN"), section=1)),
    "an intersection with no citizens": ("tasks[3]", lambda p: _move_actions(p)),
    "a street from elsewhere": ("tasks[3]", lambda p: _turn_off(p)),
    "a street twice": ("tasks[3].streets", lambda p: p.tasks[3].streets.extend(list(p.tasks[3].streets))),
    "a turn of Gaudí's": ("tasks", lambda p: _gaudi_instead(p)),
    "Gaudí at a table of three": ("players", lambda p: set_to(solo=2)(p.options)),
    "Gaudí's cards without him": ("gaudi", lambda p: p.gaudi.SetInParent()),
    "no such difficulty": ("options.solo", lambda p: set_to(solo=5)(p.options)),
}


def _without_passeig(position: Any) -> None:
    position.options.ClearField("expansion")
    position.ClearField("passeig")
    for player in position.players:
        player.ClearField("pedestrians")


def _back_to_the_stack(display: Any) -> None:
    """A Modernisme tile of the display goes back to the stack."""
    display.modernisme[1] = ""
    display.modernisme_stack += 1


def _lose_one(left: Any) -> None:
    """A building tile is neither on the board nor beside it."""
    left[next(i for i, number in enumerate(left) if number)] -= 1


def _back_to_the_city(board: Any) -> None:
    """A citizen of the track is on the board again, whoever lives in its house now."""
    board.track.upper -= 1
    first(board.intersections, lambda i: not i.top).top = pb.BARCELONA_CITIZEN_UPPER


def _corners(position: Any) -> list[Any]:
    return [position.display.sidewalk[i] for i in (0, 4, 20, 24)]


def _owner_lost(position: Any) -> int:
    """The player who has fewer stones on the Sidewalk than were placed."""
    placed = [sum(s.HasField("owner") and s.owner == seat for s in position.display.sidewalk) for seat in range(3)]
    return next(seat for seat in range(3) if position.players[seat].cobblestones > placed[seat])


def _climb(position: Any) -> None:
    player = position.players[0]
    player.sagrada = next(space for space in GAME.ruleset.thresholds if space > player.sagrada)


def _unused_service(position: Any) -> str:
    return next(name for name in IDS["services"] if name not in [s.service for s in position.display.services])


def _twice(position: Any) -> None:
    player = first(position.players, lambda player: player.services)
    player.services.append(player.services[0])


def _kind(name: str) -> pb.BarcelonaTaskKind.ValueType:
    return pb.BarcelonaTaskKind.Value(f"BARCELONA_TASK_KIND_{name}")


def _gaudi_instead(position: Any) -> None:
    """Gaudí's turn in place of what is asked of the player."""
    position.tasks.pop()
    put_task(position, 2, "GAUDI")


def put_task(position: Any, i: int, name: str) -> None:
    position.tasks[i].CopyFrom(pb.BarcelonaTask(kind=_kind(name)))


def swap_tasks(position: Any, i: int, j: int) -> None:
    kept = pb.BarcelonaTask.FromString(written(position.tasks[i]))
    position.tasks[i].CopyFrom(position.tasks[j])
    position.tasks[j].CopyFrom(kept)


def _move_actions(position: Any) -> None:
    """The actions of an intersection where nobody was placed."""
    empty = next(i + 1 for i, intersection in enumerate(position.board.intersections) if not intersection.top)
    del position.tasks[3].streets[:]
    position.tasks[3].intersection = empty


def _turn_off(position: Any) -> None:
    """The action of a street that does not cross there: of the column to the right, or the first."""
    column = (position.tasks[3].intersection - 1) % 5 + 1
    position.tasks[3].streets[:] = [column % 5 + 1]


@cache
def middle() -> BarcelonaState:
    """A position in the middle of a game in which something of everything has happened."""
    for state in reversed(positions()):
        if (
            [task[0] for task in state.tasks[3:]] == [Do.ACTIONS]
            and any(state.scored)
            and not state.ending
            and {1, 2} <= set(state.streets)
            and {0, 3} <= set(state.buildings)
            and max(state.cobblestones_placed) > 1
            and any(state.services_of)
            and state.sagrada[0] < GAME.ruleset.thresholds[-1]
        ):
            return state
    raise AssertionError("no such position in these games")


IN_STATES = {
    "a citizen more in the bag": "barcelona.bag",
    "a Modernisme tile more": "barcelona.modernisme_stack",
    "a gap in the display": "barcelona.modernisme_stack",
    "a hand lost": "barcelona.hands",
}
"""The field named where the hidden things are there to disagree with."""
IN_VIEWS = {"over before its time": "barcelona.actor"}


@pytest.mark.parametrize("name", FAULTS)
def test_a_state_with_a_fault_is_refused_by_its_field(name: str) -> None:
    field, spoil = FAULTS[name]
    message = copied(middle())
    CODEC.state_from(message)
    spoil(message.barcelona.position)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field.startswith(IN_STATES.get(name, f"barcelona.position.{field}")), caught.value


@pytest.mark.parametrize("name", FAULTS)
def test_a_view_of_a_position_with_a_fault_is_refused_by_its_field(name: str) -> None:
    field, spoil = FAULTS[name]
    message = CODEC.view_to(middle().view(None))
    CODEC.view_from(message)
    spoil(message.barcelona.position)
    with pytest.raises(Malformed) as caught:
        CODEC.view_from(message)
    assert caught.value.field.startswith(IN_VIEWS.get(name, f"barcelona.position.{field}")), caught.value


SOLO_FAULTS: dict[str, tuple[str, Spoil]] = {
    "three at a table with Gaudí": ("players", lambda p: p.players.add()),
    "Gaudí alone": ("players", lambda p: p.players.pop()),
    "no cards": ("gaudi", lambda p: p.ClearField("gaudi")),
    "cards without Gaudí": ("gaudi", lambda p: set_to(solo=1)(p.options)),
    "Gaudí as the first player": ("first_player", set_to(first_player=1)),
    "no deck": ("gaudi.deck", lambda p: p.gaudi.ClearField("deck")),
    "a deck of nine": ("gaudi.deck", lambda p: p.gaudi.deck.extend([1] * (9 - len(p.gaudi.deck)))),
    "a card that should not be known": ("gaudi.deck[0]", lambda p: put("deck", 0, 1)(p.gaudi)),
    "a next card that is not known": ("gaudi.deck[", lambda p: put("deck", -1, 0)(p.gaudi)),
    "a next card that there is not": ("gaudi.deck[", lambda p: put("deck", -1, 9)(p.gaudi)),
    "a card lost": ("gaudi.deck", lambda p: p.gaudi.deck.__delitem__(0)),
    "a card too many": ("gaudi.deck", lambda p: p.gaudi.deck.insert(0, 0)),
    "an arrow of another card": ("gaudi.arrow", lambda p: set_to(arrow=p.gaudi.arrow % 8 + 1)(p.gaudi)),
    "no arrow": ("gaudi.arrow", lambda p: p.gaudi.ClearField("arrow")),
    "a card turned up twice": ("gaudi.discards[1]", lambda p: put("discards", 1, p.gaudi.discards[0])(p.gaudi)),
    "the next card turned up": ("gaudi.discards[0]", lambda p: put("discards", 0, p.gaudi.deck[-1])(p.gaudi)),
    "a card unheard of": ("gaudi.discards[0]", lambda p: put("discards", 0, 0)(p.gaudi)),
    "a card turned back": ("gaudi.discards", lambda p: (p.gaudi.discards.pop(), p.gaudi.deck.insert(0, 0))),
    "a thousand cards": ("gaudi.discards", lambda p: p.gaudi.discards.extend([1] * 1000)),
    "no meeple": ("gaudi.meeple", lambda p: p.gaudi.ClearField("meeple")),
    "a meeple off the map": ("gaudi.meeple", lambda p: set_to(meeple=26)(p.gaudi)),
    "coins of Gaudí": ("players[1].coins", lambda p: set_to(coins=1)(p.players[1])),
    "cloth of Gaudí": ("players[1].cloth", lambda p: set_to(cloth=1)(p.players[1])),
    "a tram of Gaudí": ("players[1].tram", lambda p: set_to(tram=1)(p.players[1])),
    "a hand of Gaudí": ("players[1].hand", lambda p: set_to(hand=2)(p.players[1])),
    "a die turned": ("players[1].pedestrians[1].joy", lambda p: set_to(joy=6)(p.players[1].pedestrians[1])),
    "a die that lost Joy": ("players[1].pedestrians[0].joy", lambda p: set_to(joy=4)(p.players[1].pedestrians[0])),
    "another difficulty": ("players[1].pedestrians[0].joy", lambda p: set_to(solo=4)(p.options)),
    "a Pedestrian of Gaudí that stays": (
        "players[1].pedestrians[0].step",
        lambda p: set_to(step=4)(p.players[1].pedestrians[0]),
    ),
    "a fourth Sagrada tile of a level": ("display.sagrada", lambda p: _add_tile(p.display.sagrada, p.players)),
    "a Sagrada tile lost": ("display.sagrada", lambda p: p.display.sagrada.pop()),
    "a Sagrada tile twice": ("display.sagrada[1]", lambda p: put("sagrada", 1, p.display.sagrada[0])(p.display)),
    "a Sagrada tile that Gaudí has": (
        "display.sagrada",
        lambda p: put("sagrada", 0, first(p.players, lambda q: q.sagrada_tiles).sagrada_tiles[0])(p.display),
    ),
    "Sagrada tiles out of order": ("display.sagrada", lambda p: swap(p.display.sagrada, 0, 1)),
    "a turn as a person's": ("tasks", lambda p: put_task(p, 2, "BUILD")),
    "a turn half done": ("tasks", lambda p: p.tasks.add(kind=_kind("SERVICE"))),
    "Gaudí's turn for the person": ("tasks", set_to(seat=0)),
    "a turn of Gaudí's to take back": ("undoable", set_to(undoable=True)),
    "a round too many": ("gaudi.discards", lambda p: set_to(round=p.round + 1)(p)),
    "over before its time": ("gaudi.discards", lambda p: (p.ClearField("tasks"), set_to(is_over=True)(p))),
}
SOLO_IN_STATES = {
    "a deck of nine": "barcelona.position.gaudi.deck",
    "a card lost": "barcelona.deck",
    "a card too many": "barcelona.deck",
    "a card turned back": "barcelona.deck",
}
SOLO_IN_VIEWS = {
    "Gaudí's turn for the person": "barcelona.actor",
    "over before its time": "barcelona.actor",
}


def _add_tile(left: Any, players: Any) -> None:
    """A tile of the set-up that had been taken out of the game."""
    there = {*left, *(tile for player in players for tile in player.sagrada_tiles)}
    left[:] = sorted([*left, first(IDS["sagrada"], lambda tile: tile not in there)], key=IDS["sagrada"].index)


@pytest.mark.parametrize("name", SOLO_FAULTS)
def test_a_solo_state_with_a_fault_is_refused_by_its_field(name: str) -> None:
    field, spoil = SOLO_FAULTS[name]
    message = copied(gaudis_turn())
    CODEC.state_from(message)
    spoil(message.barcelona.position)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field.startswith(SOLO_IN_STATES.get(name, f"barcelona.position.{field}")), caught.value


@pytest.mark.parametrize("reader", [None, 0, 1])
@pytest.mark.parametrize("name", SOLO_FAULTS)
def test_a_view_of_a_solo_position_with_a_fault_is_refused_by_its_field(name: str, reader: int | None) -> None:
    field, spoil = SOLO_FAULTS[name]
    message = CODEC.view_to(gaudis_turn().view(reader))
    CODEC.view_from(message)
    spoil(message.barcelona.position)
    with pytest.raises(Malformed) as caught:
        CODEC.view_from(message)
    assert caught.value.field.startswith(SOLO_IN_VIEWS.get(name, f"barcelona.position.{field}")), caught.value


def test_gaudis_meeple_begins_in_its_place() -> None:
    message = copied(positions(2, WITHOUT, "EASY")[0])
    assert message.barcelona.position.gaudi.meeple == GAME.ruleset.gaudi.start + 1
    message.barcelona.position.gaudi.meeple = 1
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field == "barcelona.position.gaudi.meeple"


SOLO_HIDDEN_FAULTS: dict[str, tuple[str, Spoil]] = {
    "a card missing": ("barcelona.deck", lambda m: m.deck.pop()),
    "no deck": ("barcelona.deck", lambda m: m.ClearField("deck")),
    "a card unheard of": ("barcelona.deck[0]", put("deck", 0, 9)),
    "an unknown card": ("barcelona.deck[0]", put("deck", 0, 0)),
    "a card twice": ("barcelona.deck", lambda m: put("deck", 0, m.deck[1])(m)),
    "a card turned up already": ("barcelona.deck", lambda m: put("deck", 0, m.position.gaudi.discards[0])(m)),
    "another next card": ("barcelona.deck[", lambda m: swap(m.deck, 0, -1)),
    "citizens in Gaudí's hand": ("barcelona.hands[1]", lambda m: m.hands[1].citizens.extend(_citizens(1, 2))),
}


@pytest.mark.parametrize("name", SOLO_HIDDEN_FAULTS)
def test_hidden_things_of_solo_with_a_fault_are_refused_by_its_field(name: str) -> None:
    field, spoil = SOLO_HIDDEN_FAULTS[name]
    message = copied(gaudis_turn())
    spoil(message.barcelona)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field.startswith(field), caught.value


def test_without_gaudi_there_is_no_deck() -> None:
    message = copied(middle())
    message.barcelona.deck.append(1)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field == "barcelona.deck"


@cache
def solo_ends() -> list[BarcelonaState]:
    """The last positions of solo games in which the person takes what comes first, so that the bag may run low."""
    ends = []
    for seed in range(30):
        chance = ChanceStream(Random(seed).randbytes(SEED_BYTES))
        state, _ = GAME.new(2, GAME.complete_options({"solo": "EASY"}), chance)
        while not state.over:
            state.advance(state.legal_moves()[0])
        ends.append(state)
    return ends


def _placed(state: BarcelonaState) -> int:
    """Citizens that were ever placed."""
    return sum(state.track) + sum(state.box) + sum((stack & 3 > 0) + (stack > 3) for stack in state.citizens)


def test_gaudi_may_have_found_too_few_citizens_at_the_end() -> None:
    state = first(solo_ends(), lambda state: _placed(state) < 4 * state.round)
    assert len(state.bag) < 2
    assert CODEC.state_from(copied(state)).is_over


def test_gaudi_places_citizens_as_long_as_there_are_some() -> None:
    """At the end of a game there can't be two less on the board with two more in the bag."""
    state = first(solo_ends(), lambda state: len(state.bag) > 1 and any(stack > 3 for stack in state.citizens))
    message = copied(state)
    assert CODEC.state_from(message).is_over
    stack = first(message.barcelona.position.board.intersections, lambda intersection: intersection.bottom)
    message.barcelona.bag.extend([stack.top, stack.bottom])
    message.barcelona.position.board.bag += 2
    stack.ClearField("top")
    stack.ClearField("bottom")
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field == "barcelona.position.round"


TASK_FAULTS: dict[str, tuple[Do, str, Spoil]] = {
    "a tile for a section that has one": (
        Do.STREET_STACK,
        "tasks",
        lambda p: set_to(section=next(i + 1 for i, s in enumerate(p.board.sections) if s.street))(p.tasks[-1]),
    ),
    "a passenger away from the tram": (
        Do.PASSENGER,
        "tasks",
        lambda p: set_to(section=p.tasks[-1].section % 40 + 1)(p.tasks[-1]),
    ),
    "a ride without a passenger": (
        Do.RIDE,
        "tasks",
        lambda p: set_to(section=next(i + 1 for i, s in enumerate(p.board.sections) if not s.HasField("passenger")))(
            p.tasks[-1]
        ),
    ),
    "a Sagrada tile of a level not reached": (Do.SAGRADA, "players", lambda p: set_to(level=4)(p.tasks[-1])),
    "parts of an effect that has none": (Do.PARTS, "tasks", lambda p: set_to(effect="coins 2")(p.tasks[-1])),
    "an effect unheard of": (Do.PARTS, "tasks", lambda p: set_to(effect="nap 2")(p.tasks[-1])),
    "an effect for no reason": (Do.PARTS, "tasks", lambda p: p.tasks[-1].ClearField("reason")),
    "a walk of no steps": (Do.WALK, "tasks", lambda p: set_to(amount=0)(p.tasks[-1])),
    "a walk of nobody": (Do.WALK, "tasks", lambda p: p.tasks[-1].ClearField("pedestrian")),
    "nothing to keep": (Do.KEEP, "players", lambda p: set_to(coins=0, cloth=0)(p.players[p.seat])),
    "storage too full beneath": (Do.KEEP, "", lambda p: p.tasks[-1].CopyFrom(pb.BarcelonaTask(kind=_kind("SERVICE")))),
    "a marker for another site": (
        Do.MARKER,
        "tasks",
        lambda p: set_to(site=next(i + 1 for i, s in enumerate(p.board.sites) if s.building and s.markers))(
            p.tasks[-1]
        ),
    ),
    "a marker for no building": (
        Do.MARKER,
        "tasks",
        lambda p: set_to(site=next(i + 1 for i, s in enumerate(p.board.sites) if not s.building))(p.tasks[-1]),
    ),
    "a marker for nothing": (Do.MARKER, "", lambda p: p.tasks.pop()),
    "no marker in stock": (
        Do.MARKER,
        "tasks",
        lambda p: [put("markers", i, 0)(p.players[p.seat]) for i in range(4)],
    ),
    "nothing to choose from": (Do.SERVICE, "tasks", lambda p: set_to(coins=0)(p.players[p.seat])),
    "a citizen less for a building": (Do.MARKER, "tasks[3].citizens", lambda p: p.tasks[3].citizens.pop()),
    "an arrival without an end": (
        Do.HEXAGON,
        "",
        lambda p: p.tasks.__delitem__(next(i for i, t in enumerate(p.tasks) if t.kind == _kind("WENT_BACK"))),
    ),
    "a walk during an arrival": (
        Do.HEXAGON,
        "tasks",
        lambda p: p.tasks[-1].CopyFrom(
            pb.BarcelonaTask(kind=_kind("WALK"), pedestrian=pb.BARCELONA_PEDESTRIAN_BARCELONA, amount=1)
        ),
    ),
    "a first move to take back": (Do.PLACE, "undoable", set_to(undoable=True)),
    "an intersection taken back": (
        Do.PLACE,
        "",
        lambda p: p.tasks[-1].CopyFrom(pb.BarcelonaTask(kind=_kind("ACTIONS"), intersection=1)),
    ),
    "another's die": (Do.START_DIE, "tasks[0]", lambda p: set_to(seat=(p.seat + 1) % 3)(p.tasks[0])),
    "a die set already": (Do.START_DIE, "tasks[0]", lambda p: set_to(joy=2)(p.players[p.seat].pedestrians[0])),
    "a die in the second round": (Do.START_DIE, "tasks[0]", set_to(round=2)),
}


@pytest.mark.parametrize("name", TASK_FAULTS)
def test_a_task_that_does_not_fit_is_refused(name: str) -> None:
    kind, field, spoil = TASK_FAULTS[name]
    message = copied(asked(kind))
    CODEC.state_from(message)
    spoil(message.barcelona.position)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field.startswith(f"barcelona.position.{field}"), caught.value


@pytest.mark.parametrize(
    ("field", "spoil"),
    [
        ("is_over", lambda p: set_to(seat=(p.first_player + 1) % 3)(p)),
        ("tasks", lambda p: p.tasks.add(kind=_kind("DRAW"))),
        ("tasks", set_to(is_over=False)),
        ("undoable", set_to(undoable=True)),
        ("is_over", set_to(ending=False)),
        ("round", lambda p: set_to(round=p.round + 1)(p)),
    ],
)
def test_the_end_of_a_game_with_a_fault_is_refused_by_its_field(field: str, spoil: Spoil) -> None:
    message = copied(positions()[-1])
    assert CODEC.state_from(message).is_over
    spoil(message.barcelona.position)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field == f"barcelona.position.{field}"


@pytest.mark.parametrize(
    ("task", "field"),
    [
        (pb.BarcelonaTask(kind=_kind("WALK"), pedestrian=pb.BARCELONA_PEDESTRIAN_BARCELONA, amount=1), "tasks[4]"),
        (pb.BarcelonaTask(kind=_kind("JOY_ANY"), amount=1, reason=pb.BARCELONA_REASON_ACTION), "tasks[4]"),
        (
            pb.BarcelonaTask(
                kind=_kind("PARTS"),
                effect='{"any_order": ["coins 1", "move barcelona 2"]}',
                reason=pb.BARCELONA_REASON_ACTION,
            ),
            "tasks[4]",
        ),
    ],
)
def test_nobody_walks_without_the_expansion(task: pb.BarcelonaTask, field: str) -> None:
    message = copied(asked(Do.ACTIONS, expansion=WITHOUT))
    message.barcelona.position.tasks.append(task)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field == f"barcelona.position.{field}"
    assert "Passeig de Gràcia" in caught.value.reason


HIDDEN_FAULTS: dict[str, tuple[str, Spoil]] = {
    "another game": ("barcelona", lambda m: m.ClearField("barcelona")),
    "no seed": ("chance.seed", lambda m: m.chance.ClearField("seed")),
    "a hand missing": ("barcelona.hands", lambda m: m.barcelona.hands.pop()),
    "a citizen missing": (
        "barcelona.hands",
        lambda m: first(m.barcelona.hands, lambda h: h.citizens).citizens.pop(),
    ),
    "an unknown citizen": ("barcelona.bag[0]", lambda m: put("bag", 0, 0)(m.barcelona)),
    "a citizen too many": ("barcelona.bag", lambda m: m.barcelona.bag.append(1)),
    "a citizen of another class": (
        "barcelona.bag",
        lambda m: put("bag", 0, m.barcelona.bag[0] % 3 + 1)(m.barcelona),
    ),
    "a tile missing": ("barcelona.modernisme_stack", lambda m: m.barcelona.modernisme_stack.pop()),
    "a tile unheard of": (
        "barcelona.modernisme_stack[0]",
        lambda m: put("modernisme_stack", 0, "NAP")(m.barcelona),
    ),
    "a tile shown already": (
        "barcelona.modernisme_stack",
        lambda m: put("modernisme_stack", 0, m.barcelona.position.display.modernisme[0])(m.barcelona),
    ),
}


@pytest.mark.parametrize("name", HIDDEN_FAULTS)
def test_hidden_things_with_a_fault_are_refused_by_its_field(name: str) -> None:
    field, spoil = HIDDEN_FAULTS[name]
    message = copied(middle())
    spoil(message)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field.startswith(field), caught.value


@pytest.mark.parametrize(
    ("field", "spoil"),
    [
        ("seat", set_to(seat=3)),
        ("seat", set_to(seat=-1)),
        ("actor", set_to(actor=3)),
        ("actor", lambda v: v.ClearField("actor")),
        ("actor", lambda v: set_to(actor=(v.actor + 1) % 3)(v)),
        ("hand", lambda v: v.hand.pop()),
        ("hand", lambda v: v.hand.append(1)),
        ("hand", lambda v: v.ClearField("seat")),
        ("hand[0]", put("hand", 0, 0)),
        ("hand[1]", put("hand", 1, 4)),
    ],
)
def test_a_view_with_a_fault_is_refused_by_its_field(field: str, spoil: Spoil) -> None:
    state = asked(Do.PLACE)
    message = CODEC.view_to(state.view(state.seat))
    spoil(message.barcelona)
    with pytest.raises(Malformed) as caught:
        CODEC.view_from(message)
    assert caught.value.field == f"barcelona.{field}", caught.value


def test_a_view_can_not_hold_citizens_that_are_elsewhere() -> None:
    """The upper class is used up, but for one: nobody holds two of them."""
    for state in reversed(positions()):
        view = state.view(state.seat)
        assert isinstance(view, BarcelonaView)
        left = view.unseen_citizens() + view.hand
        scarce = next((citizen for citizen in (1, 2, 3) if left.count(citizen) < 2), None)
        if scarce and not state.over and state.task[0] == Do.PLACE:
            break
    else:
        raise AssertionError("no such position in these games")
    message = CODEC.view_to(view)
    message.barcelona.hand[:] = [scarce, scarce]  # type: ignore[list-item]
    with pytest.raises(Malformed) as caught:
        CODEC.view_from(message)
    assert caught.value.field == "barcelona.hand"


# Whatever comes


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_state_with_anything_changed_is_refused_or_can_be_played(data: st.DataObject) -> None:
    """Whatever gets past the codec is a position in which every question has an answer, up to the end."""
    message = copied(data.draw(st.sampled_from(_any_game(data))))
    for _ in range(data.draw(st.integers(1, 3))):
        change(message.barcelona, data)
    try:
        state = CODEC.state_from(message)
    except Malformed as error:
        assert error.field.split(".")[0] in ("barcelona", "chance", "options")
        return
    play_on(state)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_view_with_anything_changed_is_refused_or_can_be_dealt(data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(_any_game(data)))
    message = CODEC.view_to(state.view(data.draw(st.sampled_from([None, *range(state.players)]))))
    for _ in range(data.draw(st.integers(1, 3))):
        change(message.barcelona, data)
    try:
        view = CODEC.view_from(message)
    except Malformed:
        return
    dealt = view.determinize(Random(1))
    seen = dealt.view(view.seat)
    assert seen == view
    assert seen.legal_moves() == view.legal_moves()
    dealt.chance = ChanceStream(bytes(SEED_BYTES))
    CODEC.state_from(CODEC.state_to(dealt))
    play_on(dealt)


def _any_game(data: st.DataObject) -> list[BarcelonaState]:
    """The positions of games with the expansion or without, of three players or solo."""
    expansion, solo = data.draw(st.sampled_from([WITH, WITHOUT])), data.draw(st.sampled_from([PLAYERS, *SOLO]))
    return positions(3 if solo == PLAYERS else 2, expansion, solo)


def play_on(state: Any) -> None:
    rng = Random(2)
    for _ in range(2000):
        if state.is_over:
            break
        state.play(rng.choice(state.legal_moves()))
        assert min(state.coins + state.cloth) >= 0
    assert state.is_over
    state.winners()
    CODEC.state_from(CODEC.state_to(state))


@cache
def _all_tasks() -> list[pb.BarcelonaTask]:
    """One of every task that comes up in these games."""
    seen = {}
    for expansion in (WITH, WITHOUT):
        for state in (*positions(expansion=expansion), *positions(2, expansion, SOLO[0])):
            for task in CODEC.state_to(state).barcelona.position.tasks:
                seen[written(task)] = task
    return [seen[document] for document in sorted(seen)]


def change(message: Any, data: st.DataObject) -> None:
    """Changes one thing somewhere in a message: a value, an element more, one less, one in another's place."""
    if data.draw(st.integers(0, 3)) == 0:
        tasks = message.position.tasks
        task = data.draw(st.sampled_from(_all_tasks()))
        if len(tasks) and data.draw(st.booleans()):
            tasks[data.draw(st.integers(0, len(tasks) - 1))].CopyFrom(task)
        else:
            tasks.append(task)
        return
    places: list[tuple[Any, Any, int | None]] = []

    def collect(part: Any) -> None:
        for field in part.DESCRIPTOR.fields:
            value = getattr(part, field.name)
            if field.is_repeated:
                places.append((part, field, None))
                for i, element in enumerate(value):
                    if field.message_type:
                        collect(element)
                    else:
                        places.append((part, field, i))
            elif not field.message_type:
                places.append((part, field, None))
            elif part.HasField(field.name):
                collect(value)

    collect(message)
    part, field, index = places[data.draw(st.integers(0, len(places) - 1))]
    held = getattr(part, field.name)
    if index is not None:
        held[index] = _value(field, held[index], data)
    elif not field.is_repeated:
        setattr(part, field.name, _value(field, held, data))
    elif len(held) and data.draw(st.booleans()):
        del held[data.draw(st.integers(0, len(held) - 1))]
    elif len(held):
        held.append(held[data.draw(st.integers(0, len(held) - 1))])


def _value(field: Any, held: Any, data: st.DataObject) -> Any:
    if field.cpp_type == field.CPPTYPE_STRING:
        return data.draw(st.sampled_from(["", "NAP", *(name for names in IDS.values() for name in names)]))
    if field.cpp_type == field.CPPTYPE_BOOL:
        return not held
    near = st.sampled_from([held - 1, held + 1]) if abs(held) < 1000 else st.just(0)
    return data.draw(st.one_of(near, st.integers(-2, 45), st.sampled_from([2**31 - 1, -(2**31)])))

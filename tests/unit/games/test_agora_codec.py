"""Nothing that comes from outside is taken on trust: what is wrong is refused with its field, and nothing crashes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgamesbot.games.agora.state import AgoraState, Phase
from boardgamesbot.games.base import IllegalMove, Malformed
from boardgamesbot.v1 import games_pb2
from tests.support.agora import ALL_OPTIONS, CODEC, after_moves, game_by_chance, new_game


def written(state: AgoraState) -> games_pb2.GameState:
    return CODEC.state_to(state)


def in_phase(phase: Phase, players: int = 3, turn: int = 4, **options: str) -> AgoraState:
    """The first position of a game by chance in this phase of a turn."""
    complete = {**ALL_OPTIONS[0], **options}
    return next(s for s in game_by_chance(players, complete, 7) if (s.phase, s.turn) == (phase, turn)).copy()


MIDDLE = written(in_phase(Phase.FIRST_WALK))

StateFault = Callable[[Any, games_pb2.GameState], None]

FAULTS_IN_STATES: dict[str, tuple[str, StateFault]] = {
    "another game": ("agora", lambda s, m: m.ClearField("agora")),
    "no seed": ("chance.seed", lambda s, m: m.chance.ClearField("seed")),
    "two players": ("agora.players", lambda s, m: setattr(s, "players", 2)),
    "a thousand players": ("agora.players", lambda s, m: setattr(s, "players", 1000)),
    "an option out of range": ("agora.take", lambda s, m: setattr(s.options, "take", 77)),
    "turn 0": ("agora.turn", lambda s, m: setattr(s, "turn", 0)),
    "a turn too many": ("agora.turn", lambda s, m: setattr(s, "turn", 16)),
    "a turn that does not fit the squares": ("agora.movements", lambda s, m: setattr(s, "turn", 5)),
    "no phase": ("agora.phase", lambda s, m: s.ClearField("phase")),
    "an unknown phase": ("agora.phase", lambda s, m: setattr(s, "phase", 8)),
    "a phase that does not fit the squares": ("agora.movements", lambda s, m: setattr(s, "phase", 2)),
    "the end before its time": ("agora.movements", lambda s, m: setattr(s, "phase", 7)),
    "more done than players": ("agora.done", lambda s, m: setattr(s, "done", 3)),
    "a fountain nobody has": ("agora.fountain", lambda s, m: setattr(s, "fountain", 3)),
    "a negative fountain": ("agora.fountain", lambda s, m: setattr(s, "fountain", -1)),
    "a short board": ("agora.upright", lambda s, m: s.upright.pop()),
    "a long board": ("agora.lying", lambda s, m: s.lying.append(0)),
    "a negative walker": ("agora.upright[0]", lambda s, m: s.upright.__setitem__(0, -1)),
    "a hundred thousand walkers": ("agora.upright[0]", lambda s, m: s.upright.__setitem__(0, 100_000)),
    "a walker too many": ("agora.upright", lambda s, m: s.upright.__setitem__(0, s.upright[0] + 1)),
    "a hand missing": ("agora.hands", lambda s, m: s.hands.pop()),
    "square 0": ("agora.hands[1].squares[0]", lambda s, m: s.hands[1].squares.__setitem__(0, 0)),
    "square 61": ("agora.piles[0].squares[0]", lambda s, m: s.piles[0].squares.__setitem__(0, 61)),
    "a square twice": ("agora", lambda s, m: s.piles[0].squares.__setitem__(0, s.piles[0].squares[1])),
    "hands in another order": ("agora.hands[0].squares", lambda s, m: s.hands[0].squares.reverse()),
    "three piles": ("agora.piles", lambda s, m: s.piles.add()),
    "a removed square less": (
        "agora.removed.squares",
        lambda s, m: s.piles[0].squares.append(s.removed.squares.pop()),
    ),
    "a first walk too early": ("agora.first_walk", lambda s, m: s.first_walk.SetInParent()),
    "a movement of nothing": ("agora.movements[0].kind", lambda s, m: s.movements[0].ClearField("kind")),
    "a movement by nobody": ("agora.movements[0].seat", lambda s, m: setattr(s.movements[0], "seat", 3)),
    "a movement from nowhere": ("agora.movements[0].from", lambda s, m: setattr(s.movements[0], "from", 1)),
    "a movement lost": ("agora.movements", lambda s, m: s.movements.pop(0)),
}


@pytest.mark.parametrize("name", FAULTS_IN_STATES)
def test_a_state_with_a_fault_is_refused_by_its_field(name: str) -> None:
    field, spoil = FAULTS_IN_STATES[name]
    message = games_pb2.GameState.FromString(MIDDLE.SerializeToString())
    spoil(message.agora, message)
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field.startswith(field), caught.value


def test_a_first_walk_must_have_left_a_walker_lying() -> None:
    state = in_phase(Phase.SECOND_WALK)
    message = written(state)
    assert state.first_walk is not None
    message.agora.first_walk.walker = (state.first_walk.what + 1) % 3
    assert CODEC.state_from(written(state)).legal_moves() == state.legal_moves()
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field.startswith("agora.first_walk")


def test_a_shared_lead_outside_the_walk_is_refused() -> None:
    state = in_phase(Phase.DRAW)
    message = written(state)
    upright = message.agora.upright
    # Move walkers of one seat about until two share a lead: the books still balance.
    district = next(d for d in range(10) if sum(state.total[d * 3 : d * 3 + 3]) > 1)
    row = upright[district * 3 : district * 3 + 3]
    first, second = sorted(range(3), key=lambda seat: -row[seat])[:2]
    for seat, walkers in ((first, 3), (second, 3)):
        upright[district * 3 + seat] += walkers - state.total[district * 3 + seat]
        elsewhere = max((d for d in range(10) if d != district), key=lambda d: upright[d * 3 + seat])
        upright[elsewhere * 3 + seat] -= walkers - state.total[district * 3 + seat]
    assert min(upright) >= 0
    with pytest.raises(Malformed) as caught:
        CODEC.state_from(message)
    assert caught.value.field == "agora.upright"


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_state_with_any_number_changed_is_refused_or_can_be_played(data: st.DataObject) -> None:
    """Whatever gets past the codec is a position in which every question has an answer."""
    message = games_pb2.GameState.FromString(MIDDLE.SerializeToString())
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(message.agora, data)
    try:
        state = CODEC.state_from(message)
    except Malformed:
        return
    play_on(state)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_view_with_any_number_changed_is_refused_or_can_be_dealt(data: st.DataObject) -> None:
    players = data.draw(st.sampled_from([3, 5]))
    options = data.draw(st.sampled_from(ALL_OPTIONS))
    state = after_moves(players, options, 3, data.draw(st.integers(0, 200)))
    seat = data.draw(st.sampled_from([None, *range(players)]))
    message = CODEC.view_to(state.view(seat))
    spoil(message.agora, data)
    try:
        view = CODEC.view_from(message)
    except Malformed:
        return
    dealt = view.determinize(Random(1))
    assert dealt.view(view.seat) == view
    play_on(dealt)


def test_a_view_in_which_a_square_comes_in_twice_is_refused() -> None:
    state = after_moves(3, {"backs": "PLAIN", "take": "RANDOM", "take_until": "ALWAYS"}, 3, 167)
    for i, seen in enumerate(state.view(0).sightings):
        message = CODEC.view_to(state.view(0))
        message.agora.sightings[i].square = 1
        if seen.square == 1:
            continue
        try:
            CODEC.view_from(message)
        except Malformed as error:
            assert error.field.startswith("agora")


def play_on(state: Any) -> None:
    rng = Random(2)
    for _ in range(40):
        if state.is_over:
            break
        move = rng.choice(state.legal_moves())
        state.play(move)


def spoil(message: Any, data: st.DataObject) -> None:
    """Changes one number somewhere in a message, or takes an element of a list away."""
    places: list[tuple[Any, str, int | None]] = []

    def collect(part: Any) -> None:
        for field in part.DESCRIPTOR.fields:
            value = getattr(part, field.name)
            if field.is_repeated:
                for i, element in enumerate(value):
                    if field.message_type:
                        collect(element)
                    elif field.cpp_type != field.CPPTYPE_STRING:
                        places.append((part, field.name, i))
            elif field.message_type:
                if part.HasField(field.name):
                    collect(value)
            elif field.cpp_type != field.CPPTYPE_STRING:
                places.append((part, field.name, None))

    collect(message)
    part, name, index = places[data.draw(st.integers(0, len(places) - 1))]
    number = data.draw(st.one_of(st.integers(-2, 12), st.sampled_from([61, 2**31 - 1, -(2**31)])))
    if index is None:
        setattr(part, name, number)
    elif data.draw(st.booleans()):
        getattr(part, name)[index] = number
    else:
        del getattr(part, name)[index]


class TestViews:
    @pytest.mark.parametrize(
        ("field", "spoil_it"),
        [
            ("agora.players", lambda v: v.players.pop()),
            ("agora.districts", lambda v: v.districts.pop()),
            ("agora.districts[2].district", lambda v: setattr(v.districts[2], "district", 2)),
            ("agora.districts[2].upright", lambda v: v.districts[2].upright.append(0)),
            ("agora.piles", lambda v: v.piles.pop()),
            ("agora.seat", lambda v: setattr(v, "seat", 3)),
            ("agora.actor", lambda v: v.ClearField("actor")),
            ("agora.turn", lambda v: setattr(v, "turn", 0)),
            ("agora.phase", lambda v: setattr(v, "phase", 0)),
            ("agora.sightings[0].square", lambda v: setattr(v.sightings[0], "square", 61)),
            ("agora.sightings", lambda v: v.sightings.pop(0)),
            ("agora.sightings", lambda v: [v.sightings.add().CopyFrom(v.sightings[0]) for _ in range(500)]),
            ("agora.sightings", lambda v: setattr(v.piles[0], "top", 0)),
            ("agora.removed", lambda v: setattr(v.piles[0], "size", v.piles[0].size - 1)),
            ("agora.upright", lambda v: v.districts[0].upright.__setitem__(0, 30)),
        ],
    )
    def test_with_a_fault_are_refused_by_its_field(self, field: str, spoil_it: Callable[[Any], object]) -> None:
        message = CODEC.view_to(in_phase(Phase.FIRST_WALK).view(1))
        spoil_it(message.agora)
        with pytest.raises(Malformed) as caught:
            CODEC.view_from(message)
        assert caught.value.field.startswith(field), caught.value


class TestMoves:
    @pytest.mark.parametrize(
        ("kind", "values", "field"),
        [
            ("take", {}, "agora.take.back"),
            ("take", {"back": 11}, "agora.take.back"),
            ("play", {}, "agora.play.square"),
            ("play", {"square": 61}, "agora.play.square"),
            ("discard", {"square": -1}, "agora.discard.square"),
            ("walk", {"walker": 5, "from": 1, "to": 2}, "agora.walk.walker"),
            ("walk", {"from": 1}, "agora.walk.to"),
            ("walk", {"to": 1}, "agora.walk.from"),
            ("draw", {}, "agora.draw.pile"),
            ("draw", {"pile": 3}, "agora.draw.pile"),
            ("pass_fountain", {"seat": -1}, "agora.pass_fountain.seat"),
            ("pass_fountain", {"seat": 5}, "agora.pass_fountain.seat"),
        ],
    )
    def test_out_of_range(self, kind: str, values: dict[str, int], field: str) -> None:
        message = games_pb2.GameMove()
        part = getattr(message.agora, kind)
        part.SetInParent()
        for name, value in values.items():
            setattr(part, name, value)
        with pytest.raises(Malformed) as caught:
            CODEC.move_from(message)
        assert caught.value.field == field

    def test_of_no_game_and_of_no_kind(self) -> None:
        empty = games_pb2.GameMove()
        with pytest.raises(Malformed):
            CODEC.move_from(empty)
        empty.agora.SetInParent()
        with pytest.raises(Malformed, match="take, play, discard"):
            CODEC.move_from(empty)

    def test_there_and_back(self) -> None:
        state = new_game()
        for move in range(910):
            try:
                state.check(move)
            except IllegalMove:
                pass
            except Malformed:
                continue
            message = CODEC.move_to(move)
            assert CODEC.move_from(games_pb2.GameMove.FromString(message.SerializeToString())) == move


class TestOptions:
    def test_left_out_they_are_the_defaults(self) -> None:
        assert CODEC.options_from(games_pb2.GameOptions()) == ALL_OPTIONS[0]
        message = games_pb2.GameOptions()
        message.agora.SetInParent()
        assert CODEC.options_from(message) == ALL_OPTIONS[0]

    @pytest.mark.parametrize("options", ALL_OPTIONS)
    def test_there_and_back(self, options: dict[str, str]) -> None:
        assert CODEC.options_from(CODEC.options_to(options)) == options


@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_events_there_and_back(options: dict[str, str]) -> None:
    state, rng = new_game(4, options), Random(4)
    while not state.is_over:
        for event in state.apply(rng.choice(state.legal_moves())):
            for seat in (None, *range(4)):
                seen = event.seen_by(seat)
                message = CODEC.event_to(seen)
                assert CODEC.event_from(games_pb2.GameEvent.FromString(message.SerializeToString())) == seen

"""Messages of Barcelona with anything changed: what is not refused can be played to its end."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.base import Malformed
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.v1 import barcelona_pb2 as pb
from tests.unit.games.barcelona.support_codec import (
    CODEC,
    IDS,
    PLAYERS,
    SOLO,
    WITH,
    WITHOUT,
    copied,
    positions,
    written,
)


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

"""Positions of Barcelona as messages, and ways to spoil them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any, TypeVar, cast

import pytest
from google.protobuf.message import Message

from boardgamesbot.games import registry
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.proto import BarcelonaCodec
from boardgamesbot.games.barcelona.proto.effects import effect_texts
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.base import Event, Malformed
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.v1 import barcelona_pb2 as pb
from boardgamesbot.v1 import games_pb2

M = TypeVar("M", bound=Message)

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
WITH, WITHOUT = "PASSEIG_DE_GRACIA", "NONE"
PLAYERS = "NONE"
"""No solo game: several players."""
SOLO = ("EASY", "NORMAL", "HARD")
"""The difficulties of Gaudí."""


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


def asked(kind: Do, *, players: int = 3, expansion: str = WITH) -> BarcelonaState:
    """A position in which a task is decided."""
    for state in positions(players, expansion)[40:] + positions(players, expansion):
        if state.tasks and state.task[0] == kind:
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


def written(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def copied(state: BarcelonaState) -> games_pb2.GameState:
    return games_pb2.GameState.FromString(written(CODEC.state_to(state)))


def task_kind(name: str) -> pb.BarcelonaTaskKind.ValueType:
    return pb.BarcelonaTaskKind.Value(f"BARCELONA_TASK_KIND_{name}")


def citizens(*numbers: int) -> list[pb.BarcelonaCitizen.ValueType]:
    return [cast("pb.BarcelonaCitizen.ValueType", number) for number in numbers]


Spoil = Callable[[Any], object]
"""Puts one fault into a message."""


def set_to(**values: Any) -> Callable[[Any], None]:
    """Sets fields of a message."""

    def spoil(message: Any) -> None:
        for name, value in values.items():
            setattr(message, name, value)

    return spoil


def put(name: str, index: int, value: object) -> Callable[[Any], None]:
    """Sets an element of a list."""
    return lambda message: getattr(message, name).__setitem__(index, value)


def put_task(position: Any, i: int, name: str) -> None:
    """Puts another task, which says nothing but its kind, in place of one."""
    position.tasks[i].CopyFrom(pb.BarcelonaTask(kind=task_kind(name)))


def swap(elements: Any, i: int, j: int) -> None:
    elements[i], elements[j] = elements[j], elements[i]


def first(elements: Any, wanted: Callable[[Any], bool]) -> Any:
    return next(element for element in elements if wanted(element))


def refusal(read: Callable[[M], object], message: M) -> Malformed:
    """What is said to be wrong with a message."""
    with pytest.raises(Malformed) as caught:
        read(message)
    return caught.value

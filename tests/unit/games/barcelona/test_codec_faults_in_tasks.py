"""What is still to be done in a turn of Barcelona, with one fault: refused by its field."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.v1 import barcelona_pb2 as pb
from tests.unit.games.barcelona.support_codec import (
    CODEC,
    WITHOUT,
    Spoil,
    asked,
    copied,
    put,
    refusal,
    set_to,
    task_kind,
)

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
    "storage too full beneath": (
        Do.KEEP,
        "",
        lambda p: p.tasks[-1].CopyFrom(pb.BarcelonaTask(kind=task_kind("SERVICE"))),
    ),
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
        lambda p: p.tasks.__delitem__(next(i for i, t in enumerate(p.tasks) if t.kind == task_kind("WENT_BACK"))),
    ),
    "a walk during an arrival": (
        Do.HEXAGON,
        "tasks",
        lambda p: p.tasks[-1].CopyFrom(
            pb.BarcelonaTask(kind=task_kind("WALK"), pedestrian=pb.BARCELONA_PEDESTRIAN_BARCELONA, amount=1)
        ),
    ),
    "a first move to take back": (Do.PLACE, "undoable", set_to(undoable=True)),
    "an intersection taken back": (
        Do.PLACE,
        "",
        lambda p: p.tasks[-1].CopyFrom(pb.BarcelonaTask(kind=task_kind("ACTIONS"), intersection=1)),
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
    assert refusal(CODEC.state_from, message).field.startswith(f"barcelona.position.{field}")


@pytest.mark.parametrize(
    ("task", "field"),
    [
        (pb.BarcelonaTask(kind=task_kind("WALK"), pedestrian=pb.BARCELONA_PEDESTRIAN_BARCELONA, amount=1), "tasks[4]"),
        (pb.BarcelonaTask(kind=task_kind("JOY_ANY"), amount=1, reason=pb.BARCELONA_REASON_ACTION), "tasks[4]"),
        (
            pb.BarcelonaTask(
                kind=task_kind("PARTS"),
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
    refused = refusal(CODEC.state_from, message)
    assert refused.field == f"barcelona.position.{field}"
    assert "Passeig de Gràcia" in refused.reason

"""Pending tasks of Barcelona as messages, and back."""

from __future__ import annotations

from typing import cast

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SITES, STREETS
from boardgamesbot.games.barcelona.proto.fields import (
    Field,
    Ids,
    bit,
    citizen,
    counted,
    enum,
    member,
    number,
    seat,
    several,
    tile,
    within,
)
from boardgamesbot.games.barcelona.ruleset import LEVELS
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.base import Malformed
from boardgamesbot.v1 import barcelona_pb2 as pb

MOST_AMOUNT = 99
"""As much as one effect can say (`effects`)."""
_STREETS = several(counted("streets", STREETS), most=STREETS)
_CITIZENS = several(citizen("citizens"), most=3)


def _read_streets(held: list[int], where: str) -> int:
    """Streets as bits."""
    streets = _STREETS.read(held, where)
    if sorted(set(streets)) != list(streets):
        raise Malformed(where, "must rise, each named once")
    return sum(1 << street for street in streets)


def _fields(ids: Ids) -> dict[Do, tuple[Field, ...]]:
    """What each kind of task says, in the order of its tuple."""
    effect, reason = tile("effect", ids.effects), member("reason", ev.Reason)
    first, free = bit("first"), bit("free")
    more = number("amount", 1, MOST_AMOUNT)
    street, section, site = enum("street", 2), counted("section", SECTIONS), counted("site", SITES)
    streets = Field("streets", lambda bits: [i + 1 for i in range(STREETS) if bits >> i & 1], _read_streets)
    pedestrian = enum("pedestrian", 2, first=0)
    return {
        Do.ACTIONS: (counted("intersection", INTERSECTIONS), streets),
        Do.EFFECT: (effect, reason, first),
        Do.STREET: (street, more, first),
        Do.STREET_STACK: (street, section),
        Do.RUN: (section,),
        Do.EMPTIED: (member("pieces", ev.Pieces), counted("stack", moves.MOST_STACKS)),
        Do.INTERSECTION: (free, first),
        Do.TRAM: (free, first),
        Do.PASSENGER: (section, free),
        Do.RIDE: (section,),
        Do.COBBLESTONE: (first,),
        Do.MODERNISME: (first,),
        Do.IMPROVE: (more, free, first),
        Do.SAGRADA: (counted("level", LEVELS),),
        Do.CHOICE: (effect, reason, first),
        Do.PARTS: (effect, reason),
        Do.WALK: (pedestrian, more),
        Do.WALK_ONE: (more,),
        Do.JOY_ANY: (more, reason),
        Do.RESOURCE: (more, reason),
        Do.WENT_BACK: (pedestrian,),
        Do.MARKER: (site,),
        Do.ROW_BONUS: (site,),
        Do.START_DIE: (seat("seat"),),
    }


class TaskCodec:
    """Tasks and their messages."""

    def __init__(self, ids: Ids) -> None:
        self._fields = {kind: _fields(ids).get(kind, ()) for kind in Do}

    def to(self, task: Task) -> pb.BarcelonaTask:
        """The message of a task."""
        kind = Do(task[0])
        message = pb.BarcelonaTask(kind=cast("pb.BarcelonaTaskKind.ValueType", kind))
        if kind is Do.TO_TRACK:
            message.citizens.extend(_CITIZENS.write(task[1:]))
            return message
        for field, value in zip(self._fields[kind], task[1:], strict=True):
            held = field.write(value)
            if isinstance(held, list):
                getattr(message, field.name).extend(held)
            else:
                setattr(message, field.name, held)
        return message

    def read(self, message: pb.BarcelonaTask, where: str) -> Task:
        """The task of a message; what its kind does not say must be left out."""
        kind = Do(within(message.kind, min(Do), max(Do), f"{where}.kind"))
        fields = (_CITIZENS,) if kind is Do.TO_TRACK else self._fields[kind]
        known = {"kind", *(field.name for field in fields)}
        for descriptor, _ in message.ListFields():
            if descriptor.name not in known:
                raise Malformed(f"{where}.{descriptor.name}", f"is not of a task {kind.name}")
        values = [field.read(getattr(message, field.name), f"{where}.{field.name}") for field in fields]
        return tuple(map(int, (kind, *(values[0] if kind is Do.TO_TRACK else values))))

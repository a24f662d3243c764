"""What brings points, resources, steps and Joy."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Reason(IntEnum):
    """What brought points, resources, steps or Joy."""

    ACTION = 1
    ICON = 2
    """The icon printed on a street section."""
    RUN = 3
    """The run of street tiles."""
    OWNER = 4
    """Somebody placed citizens on one's Intersection."""
    STACK = 5
    """A stack of the player board was emptied."""
    BUILDING = 6
    ROW = 7
    """The first building of a row of blocks."""
    TRACK = 8
    """The citizen track, after building."""
    SIDEWALK = 9
    SERVICE = 10
    SAGRADA = 11
    AMENITY = 12
    MEETING = 13
    ARRIVAL = 14
    HEXAGON = 15
    CERDA = 16
    """A Cerdà scoring."""
    SETUP = 17
    INSTEAD = 18
    """In place of what Gaudí could not do, or of a passenger's street."""


FOR_ACTION: Final = int(Reason.ACTION)
"""A reason as a plain integer, and so on below: what the engine hands on, which costs no look-up."""
FOR_ICON: Final = int(Reason.ICON)
FOR_RUN: Final = int(Reason.RUN)
FOR_OWNER: Final = int(Reason.OWNER)
FOR_STACK: Final = int(Reason.STACK)
FOR_BUILDING: Final = int(Reason.BUILDING)
FOR_ROW: Final = int(Reason.ROW)
FOR_TRACK: Final = int(Reason.TRACK)
FOR_SIDEWALK: Final = int(Reason.SIDEWALK)
FOR_SERVICE: Final = int(Reason.SERVICE)
FOR_SAGRADA: Final = int(Reason.SAGRADA)
FOR_AMENITY: Final = int(Reason.AMENITY)
FOR_MEETING: Final = int(Reason.MEETING)
FOR_ARRIVAL: Final = int(Reason.ARRIVAL)
FOR_HEXAGON: Final = int(Reason.HEXAGON)
FOR_CERDA: Final = int(Reason.CERDA)

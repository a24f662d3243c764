"""What is still to be done in a turn: a stack of tasks, the one on top first (BA-T2).

A task is a tuple of small integers, its kind first. Those that ask something stay on top until they are answered;
the others are carried out at once.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

Task = tuple[int, ...]


class Do(IntEnum):
    """The kinds of tasks; what follows each in its tuple is in its comment. `first` is 1 where the piece was just
    chosen, so that it can't be declined."""

    PLACE = 1
    """(): place both citizens."""
    ACTIONS = 2
    """(intersection, streets left as bits)"""
    EFFECT = 3
    """(node, reason, first)"""
    KEEP = 4
    """(): choose what stays in an overfull storage."""
    STREET = 5
    """(kind, how many more, first)"""
    STREET_STACK = 6
    """(kind, section)"""
    RUN = 7
    """(section,): score the run."""
    EMPTIED = 8
    """(pieces, stack): give the reward, if it is empty."""
    INTERSECTION = 9
    """(free, first)"""
    TRAM = 10
    """(free, first)"""
    PASSENGER = 11
    """(section, free)"""
    RIDE = 12
    """(section,)"""
    COBBLESTONE = 13
    """(first,)"""
    SERVICE = 14
    """()"""
    MODERNISME = 15
    """(first,)"""
    IMPROVE = 16
    """(how many more, free, first)"""
    SAGRADA = 17
    """(level,): take a tile."""
    CHOICE = 18
    """(node, reason, first)"""
    PARTS = 19
    """(node, reason)"""
    WALK = 20
    """(Pedestrian, steps left)"""
    WALK_ONE = 21
    """(steps,)"""
    JOY_ANY = 22
    """(how much, reason)"""
    HEXAGON = 23
    """()"""
    RESOURCE = 24
    """(how much, reason)"""
    WENT_BACK = 25
    """(Pedestrian,)"""
    BUILD = 26
    """()"""
    MARKER = 27
    """(site,)"""
    ROW_BONUS = 28
    """(site,)"""
    TO_TRACK = 29
    """(citizen, …): those taken off the board."""
    TRACK_VP = 30
    """()"""
    CERDA_CHECK = 31
    """()"""
    DRAW = 32
    """(): draw two citizens, and end the turn."""
    START_DIE = 33
    """(seat,): which of a third player's dice begins with more Joy."""
    GAUDI = 34
    """(): Gaudí's turn, but for the Cerdà check."""


DO_PLACE: Final = int(Do.PLACE)
"""A kind as a plain integer, and so on below: what the engine puts into tasks, which costs no look-up."""
DO_ACTIONS: Final = int(Do.ACTIONS)
DO_EFFECT: Final = int(Do.EFFECT)
DO_KEEP: Final = int(Do.KEEP)
DO_STREET: Final = int(Do.STREET)
DO_STREET_STACK: Final = int(Do.STREET_STACK)
DO_RUN: Final = int(Do.RUN)
DO_EMPTIED: Final = int(Do.EMPTIED)
DO_INTERSECTION: Final = int(Do.INTERSECTION)
DO_TRAM: Final = int(Do.TRAM)
DO_PASSENGER: Final = int(Do.PASSENGER)
DO_RIDE: Final = int(Do.RIDE)
DO_COBBLESTONE: Final = int(Do.COBBLESTONE)
DO_SERVICE: Final = int(Do.SERVICE)
DO_MODERNISME: Final = int(Do.MODERNISME)
DO_IMPROVE: Final = int(Do.IMPROVE)
DO_SAGRADA: Final = int(Do.SAGRADA)
DO_CHOICE: Final = int(Do.CHOICE)
DO_PARTS: Final = int(Do.PARTS)
DO_WALK: Final = int(Do.WALK)
DO_WALK_ONE: Final = int(Do.WALK_ONE)
DO_JOY_ANY: Final = int(Do.JOY_ANY)
DO_HEXAGON: Final = int(Do.HEXAGON)
DO_RESOURCE: Final = int(Do.RESOURCE)
DO_WENT_BACK: Final = int(Do.WENT_BACK)
DO_BUILD: Final = int(Do.BUILD)
DO_MARKER: Final = int(Do.MARKER)
DO_ROW_BONUS: Final = int(Do.ROW_BONUS)
DO_TO_TRACK: Final = int(Do.TO_TRACK)
DO_TRACK_VP: Final = int(Do.TRACK_VP)
DO_CERDA_CHECK: Final = int(Do.CERDA_CHECK)
DO_DRAW: Final = int(Do.DRAW)
DO_START_DIE: Final = int(Do.START_DIE)
DO_GAUDI: Final = int(Do.GAUDI)

"""What is still to be done in a turn: a stack of tasks, the one on top first (BA-T2).

A task is a tuple of small integers, its kind first. Those that ask something stay on top until they are answered;
the others are carried out at once.
"""

from __future__ import annotations

from enum import IntEnum

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

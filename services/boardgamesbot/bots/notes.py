"""What bots note for their next decision, kept for a bounded number of seats."""

from __future__ import annotations

from collections import OrderedDict

from boardgamesbot.players.base import Notes


class NotesKept:
    """The notes of those who decided last; whoever has not for the longest time is forgotten first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._notes: OrderedDict[str, Notes] = OrderedDict()

    def of(self, whose: str) -> Notes:
        """Somebody's notes; new ones where there are none, kept unless `whose` is empty."""
        if not whose:
            return {}
        notes = self._notes.setdefault(whose, {})
        self._notes.move_to_end(whose)
        while len(self._notes) > self._most:
            self._notes.popitem(last=False)
        return notes

    def forget(self, whose: str) -> None:
        """Somebody's notes are no good."""
        self._notes.pop(whose, None)

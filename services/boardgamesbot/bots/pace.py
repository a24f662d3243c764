"""How long a bot may think about a decision: as long as it likes while there is time, less the longer it has waited."""

from __future__ import annotations

from dataclasses import dataclass

from boardgamesbot.runtime.settings import TURN_MARGIN, Settings

PATIENCE = 0.6
"""Who has waited for this share of the deadline thinks no more: what waits behind it comes in time as well."""
LEAST_SECONDS = 0.01
"""There is always so much time to think."""
GRACE_SECONDS = 0.5
"""A bot that does not stop so long after its time is up is stopped with its process."""
SIMPLER_SECONDS = 1.0
"""How long a simpler bot may take that answers for another, if there is so much time."""


@dataclass(frozen=True)
class Pace:
    """The limits that hold for every decision of this platform's, in seconds."""

    deadline: float
    """A decision is made within so long after it came up."""
    longest: float
    """No bot thinks longer about one."""

    @classmethod
    def of_turns(cls, settings: Settings) -> Pace:
        """For decisions at tables."""
        return cls(settings.bot_turn_seconds, settings.bot_think_seconds)

    def thinking(self, wish: float, waited: float, attempt: int = 1) -> float:
        """How long to think about a turn that came up `waited` seconds ago.

        `wish` is how long the bot thinks by itself, 0: as long as it takes. Whoever is asked again has lost time
        already, and thinks for the least.
        """
        if attempt > 1:
            return LEAST_SECONDS
        wanted = min(wish or self.longest, self.longest)
        return max(LEAST_SECONDS, min(_eased(wanted, waited, self.deadline), self.left(waited) - GRACE_SECONDS))

    def choosing(self, wish: float, waited: float, attempt: int = 1) -> float:
        """How long to think about a move that was asked for `waited` seconds ago.

        Whoever asked waits for as long as a table, and for the time they wish the bot to think.
        """
        if attempt > 1:
            return LEAST_SECONDS
        wanted = wish or self.longest
        return _eased(wanted, waited, self.deadline + wanted)

    def counting(self, seconds: float, waited: float) -> float:
        """How long iterations may take that are counted anew, `waited` seconds after they were asked for.

        They may take `seconds`, and whoever asked waits for them for as long as a table besides.
        """
        return max(LEAST_SECONDS, min(seconds, self.deadline + seconds - waited))

    def left(self, waited: float) -> float:
        """How much of the time to the deadline there is for bots, whichever of them answers."""
        return (1 - TURN_MARGIN) * self.deadline - waited


def _eased(seconds: float, waited: float, deadline: float) -> float:
    """Less than `seconds`, the longer it has waited: under load the wait settles instead of growing."""
    return max(LEAST_SECONDS, seconds * (1 - waited / (PATIENCE * deadline)))

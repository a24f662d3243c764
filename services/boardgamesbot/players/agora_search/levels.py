"""How strong the bot plays: by how much it thinks, and by what it considers."""

from __future__ import annotations

from typing import Final

NO_LIMIT: Final = 1 << 60


class Level:
    """What makes a level. A search ends at `iterations`, whatever time there is."""

    def __init__(
        self,
        *,
        iterations: int = NO_LIMIT,
        casual: int = 80,
        seconds: float = 0.25,
        overlooks: float = 0.0,
        width: float = 1.0,
        curiosity: float = 0.35,
        warmth: float = 0.7,
        win_weight: float = 0.8,
        sampled: int = 12,
    ) -> None:
        self.iterations: Final = iterations
        """The most it does for one decision."""
        self.casual: Final = casual
        """What it does where nobody gives it a budget."""
        self.seconds: Final = seconds
        """How long it thinks about a decision if nobody says."""
        self.overlooks: Final = overlooks
        """The share of its own moves that it does not even think of."""
        self.width: Final = width
        """Of the walks of a position it considers so many times the root of the visits, the best looking first."""
        self.curiosity: Final = curiosity
        """How much it tries what it knows little about."""
        self.warmth: Final = warmth
        """By how many points a move has to look worse to be thought e times less likely."""
        self.win_weight: Final = win_weight
        """How much of what it wants is to win; the rest is points."""
        self.sampled: Final = sampled
        """Of how many walks by chance a seat takes the best looking in a playout; 0: of all."""


BEGINNER: Final = Level(iterations=3, casual=3, seconds=0.05, overlooks=0.97)
EASY: Final = Level(iterations=6, casual=6, seconds=0.05, overlooks=0.93)
MEDIUM: Final = Level(iterations=12, casual=12, seconds=0.05, overlooks=0.75)
HARD: Final = Level(iterations=60, casual=60, seconds=0.1)
FULL: Final = Level()

ALL: Final = (
    ("beginner", "Overlooks nearly everything, and takes the best of the rest.", BEGINNER),
    ("easy", "Overlooks most of what it could do, and thinks a little.", EASY),
    ("medium", "Sees a quarter of what it could do, and thinks a little more.", MEDIUM),
    ("hard", "Sees everything it could do, and thinks about the next moves of the others.", HARD),
    ("", "Searches as deep as its time lets it: information-set Monte Carlo tree search.", FULL),
)
"""Name, description and level, the weakest first; the full level has no name of its own."""

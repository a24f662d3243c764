"""What was learned from games: how much walkers, supplies and squares in hand say about who will hold a district.

`benchmarks/tune_agora.py` works these numbers out; docs/bots/agora.md tells of it. They are of games of four players,
and are stretched to the number of turns of the others.
"""

from __future__ import annotations

from typing import Final

_WALKER: Final = (2.500, 1.217, 0.906, 0.722, 0.606, 0.530, 0.464, 0.402, 0.358, 0.285, 0.222, 0.150, 0.100)
_SUPPLY: Final = (0.000, 0.017, 0.063, 0.079, 0.080, 0.077, 0.070, 0.063, 0.052, 0.042, 0.028, 0.009, 0.009)
_HAND: Final = (0.000, 0.000, 0.005, 0.030, 0.088, 0.140, 0.184, 0.163, 0.170, 0.139, 0.115, 0.094, 0.094)
_POINTS: Final = (1.500, 4.600, 7.600, 9.300, 11.000, 16.000, 20.000, 24.000, 28.000, 30.000, 30.000, 30.000, 30.000)
_ORDER: Final = {3: (-2.5, -0.5, 3.0), 4: (-2.5, -1.0, -0.2, 3.7), 5: (-2.2, -1.2, -0.6, 0.3, 3.7)}
_FORESIGHT: Final = 0.8


class Figures:
    """By turns left after the present one. A strength is the exponential of a sum of the first three."""

    def __init__(self, players: int, turns: int) -> None:
        self.walker: Final[list[float]] = [_at(_WALKER, left, turns) for left in range(turns + 1)]
        """Of one walker there."""
        self.supply: Final[list[float]] = [_at(_SUPPLY, left, turns) for left in range(turns + 1)]
        """Of one walker in the supply."""
        self.hand: Final[list[float]] = [_at(_HAND, left, turns) for left in range(turns + 1)]
        """Of one point of value of the squares of the district in the hand."""
        self.points: Final[list[float]] = [_at(_POINTS, left, turns) for left in range(turns + 1)]
        """So many expected points ahead make it e times as likely to win."""
        self.order: Final[list[list[float]]] = [
            [points * _FORESIGHT ** max(0, left - 1) for points in _ORDER[players]] for left in range(turns + 1)
        ]
        """The points it brings to be first, second, … last in the last turn, if all hand the Fountain to the left."""


def _at(figures: tuple[float, ...], left: int, turns: int) -> float:
    """The figure for so many turns left of so many; the last turn is the last turn in all games."""
    most = len(figures) - 1
    if left == 0:
        return figures[0]
    place = min(float(most), 1.0 + (left - 1) * (most - 1) / (turns - 1))
    below = min(most - 1, int(place))
    return figures[below] + (figures[below + 1] - figures[below]) * (place - below)

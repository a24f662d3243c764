"""Prices and weights as `tools/tune_architect.py` found them."""

from __future__ import annotations

_PRICES: tuple[tuple[str, float], ...] = (
    ("cerda", 0.57),
    ("projects", 0.64),
    ("amenities", 0.89),
    ("passengers_end", -0.13),
    ("cobblestones_end", 1.52),
    ("step", 0.81),
    ("coins", 1.26),
    ("cloth", 0.94),
    ("sagrada", 2.88),
    ("buildings", 1.91),
    ("growth", 0.87),
    ("intersections", -1.01),
    ("passengers", -2.28),
    ("wide_streets", 2.93),
    ("narrow_streets", 0.88),
    ("services", 0.23),
    ("cobblestones", 1.25),
    ("modernisme_tiles", 0.78),
    ("improved_spaces", -1.38),
    ("markers", 3.56),
    ("upgrades", -0.35),
    ("corner_blocks", -0.22),
    ("bottom_markers", -0.36),
    ("longest_line", 0.58),
    ("rows", -0.50),
    ("sagrada_tiles", 0.37),
)
"""Of each of `prospect.PRICES`: how much of what the outlook says is true, and then points for one more."""

_WEIGHTS: tuple[tuple[str, float, float], ...] = (
    ("one", 44.10, 277.27),
    ("next", 15.53, -25.30),
    ("scorings", 0.78, -0.08),
    ("projects", 0.61, 0.51),
    ("passengers_end", 1.13, -1.19),
    ("cobblestones_end", 0.86, -0.07),
    ("stored", 1.24, -0.67),
    ("coins", -0.24, 1.85),
    ("cloth", -0.92, 1.74),
    ("cerda", -0.10, -0.24),
    ("cerda_scorings", 0.00, -0.21),
    ("sagrada_space", 3.45, 15.70),
    ("sagrada_worth", -0.13, -3.79),
    ("stacks", 2.00, 8.67),
    ("visits", 0.38, -20.06),
    ("pedestrians", 0.70, 0.35),
    ("intersections", 0.16, 0.15),
    ("passengers", -2.04, -0.68),
    ("wide_streets", -0.40, -1.85),
    ("narrow_streets", -0.85, -0.73),
    ("services", -0.26, -4.91),
    ("cobblestones", -0.59, 2.76),
    ("modernisme_tiles", 1.40, -6.87),
    ("improved_spaces", 1.12, -1.67),
    ("sagrada_tiles", -3.49, 3.02),
    ("markers", 1.42, -3.54),
    ("upgrades", 0.58, 3.94),
    ("bottom_markers", 2.07, 1.28),
    ("corner_blocks", 0.04, 5.53),
    ("longest_line", -0.20, -1.41),
    ("rows", -1.28, 0.68),
)
"""Of each of `judge.FEATURES`: what one is worth at the end, and what a long way to it adds."""

PRICES: tuple[float, ...] = tuple(price for _, price in _PRICES)
"""The same in one row, as `swift.Swift` takes them."""
WEIGHTS: tuple[float, ...] = tuple(weight for _, end, far in _WEIGHTS for weight in (end, far))
"""The same in one row, as `judge.judged` takes them."""

"""The city in eleven lines of 80 columns: one for each horizontal street, and one for the blocks between two."""

from __future__ import annotations

from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE, DIAGONAL, SIDE, vertical
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.citymap import CROSSING, DOWN, MARGIN, PITCH, SAID_BY_NAME, CityMap
from boardgamesbot.games.barcelona.words.inks import WIDTH, clipped, in_class, ink, left, width
from boardgamesbot.games.barcelona.words.wording import effect_sign, short_name

_RIGHT = WIDTH - MARGIN - SIDE * PITCH + PITCH - CROSSING - 1
_ABOVE = MARGIN - 1
"""What stands above the streets begins a column before them: so there is room for the longest word, six times."""
_CORNER = WIDTH - _ABOVE - SIDE * PITCH
"""Columns for the diagonal's Action tile, in the top right corner."""
_ICON = 4


class LeanMap(CityMap):
    """One position of the city, drawn line by line; what stands along a street is drawn as on the tall map."""

    def lines(self) -> list[str]:
        drawn = self._above()
        for y in range(SIDE):
            gain, below = self._gain(SIDE + y), ""
            beside = f"{self._name(SIDE + y, _RIGHT - width(gain) - 1)} {ink('cyan', gain)}"
            if width(beside) > _RIGHT and y < BLOCKS_A_SIDE:
                beside, below = self._name(SIDE + y, _RIGHT), ink("cyan", clipped(gain, _RIGHT))
            drawn.append(f" {y + 1}  {self._street(y)} {beside}".rstrip())
            if y < BLOCKS_A_SIDE:
                drawn.append(f"{left(self._bonus(y), MARGIN)}{self._between(y)} {below}".rstrip())
        return drawn

    # Action tiles

    def _name(self, street: int, columns: int) -> str:
        """The name of a street's action in so many columns."""
        return f"[bold cyan]{clipped(short_name(self._state.ruleset, self._state.slots[street], columns), columns)}[/]"

    def _gain(self, street: int) -> str:
        """What a street's action gives in signs, unless its name says it."""
        ruleset = self._state.ruleset
        action = ruleset.actions[self._state.slots[street]]
        return "" if ruleset.nodes[action.effect].op in SAID_BY_NAME else effect_sign(ruleset, action.effect)

    def _above(self) -> list[str]:
        """The names of the vertical streets' actions, then their letters with what the actions give."""
        names = letters = " " * _ABOVE
        for street in range(SIDE):
            names += left(self._name(street, PITCH - 1), PITCH)
            letters += left(f"{ink('bold', places.COLUMNS[street])} {_faint(self._gain(street), PITCH - 3)}", PITCH)
        slope = "╱" if self._state.ruleset.city.rising else "╲"
        return [
            f"{names}{self._name(DIAGONAL, _CORNER)}",
            f"{letters}{ink('bold', slope)} {_faint(self._gain(DIAGONAL) or 'Diagonal', _CORNER - 2)}",
        ]

    # Between two streets

    def _between(self, y: int) -> str:
        """The vertical sections below a street, with the blocks between them."""
        drawn = ""
        for x in range(SIDE):
            block = self._block_in_a_line(y * BLOCKS_A_SIDE + x) if x < BLOCKS_A_SIDE else ""
            section = self._down(vertical(x, y), PITCH - width(block) - 3)
            before = left(f"  {section}", CROSSING + 1) if width(section) + width(block) < PITCH - 3 else f" {section} "
            drawn += left(f"{before}{block}", PITCH) if x < BLOCKS_A_SIDE else f"  {section}"
        return drawn

    def _down(self, section: int, columns: int) -> str:
        """A vertical section: whether it is built, whose it is or its icon, its passenger, the trams there."""
        state = self._state
        line = ink(self._seats.style(state.street_owners[section]), DOWN[state.streets[section]])
        drawn, trams = f"{line}{self._mark(section, _ICON)}{self._passenger(section)}", self._trams(section)
        if width(drawn) + width(trams) > columns:
            trams = f"▣{state.trams.count(section)}"
        return drawn + trams

    def _block_in_a_line(self, block: int) -> str:
        """A building's level and its markers, the lowest first; of a block that the diagonal cuts, both corners."""
        state, sites = self._state, self._sites[block]
        if len(sites) == 1:
            kind = state.buildings[sites[0]]
            if kind < 0:
                return ""
            level = state.ruleset.buildings[kind].level
            markers = state.markers[sites[0]]
            top = markers[-1] if markers else -1
            opened, closed = self._seats.ink(top, "["), self._seats.ink(top, "]")
            return f"{opened}{in_class(level, str(level))} {self._owners(sites[0])}{closed}"
        if state.ruleset.city.rising:
            return f"{self._corner(sites[0], '◤')}{ink('dim', '╱')}{self._corner(sites[1], '◢')}"
        return f"{self._corner(sites[1], '◣')}{ink('dim', '╲')}{self._corner(sites[0], '◥')}"


def _faint(sign: str, columns: int) -> str:
    return f"[cyan]{clipped(sign, columns)}[/]" if sign else ""

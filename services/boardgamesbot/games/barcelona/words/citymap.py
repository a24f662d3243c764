"""The city drawn as a grid: streets and their Action tiles, citizens, buildings, trams and passengers.

A street runs through its line of cells; an intersection is five cells wide, a section between two of them eight, a
block three lines high. What belongs to a seat is in its colour and shows its letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import gaudi
from boardgamesbot.games.barcelona.effects import Op
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE, DIAGONAL, SIDE, at, horizontal, vertical
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.inks import Seats, centred, citizen, clipped, in_class, ink, left, lines, width
from boardgamesbot.games.barcelona.words.wording import effect_sign

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

MARGIN = 4
CROSSING = 5
_SECTION = 8
PITCH = CROSSING + _SECTION
_ABOVE = 12
_RIGHT = 18
_TALL = 3
_BOX = 5
_ALONG = "┄─═"
DOWN = "┆│║"
MEEPLE = "♚"
"""Gaudí's, on the intersection where it stands."""
SAID_BY_NAME = {Op.INTERSECTION, Op.COBBLESTONE, Op.SERVICE, Op.MODERNISME, Op.IMPROVE, Op.TRAM}
"""What the names of Action tiles say already."""


class CityMap:
    """One position of the city, drawn line by line."""

    def __init__(self, state: BarcelonaState, seats: Seats) -> None:
        self._state = state
        self._seats = seats
        self._sites: dict[int, list[int]] = {}
        for number, site in enumerate(state.ruleset.city.sites):
            self._sites.setdefault(site.block, []).append(number)

    def lines(self) -> list[str]:
        """All of it."""
        drawn = self._header()
        for y in range(SIDE):
            label = self._label(SIDE + y, _RIGHT)
            label += [""] * (_TALL + 1 - len(label))
            drawn.append(f" {y + 1}  {self._street(y)} {label[0]}".rstrip())
            if y < BLOCKS_A_SIDE:
                blocks = self._row_of_blocks(y)
                margins = ["", self._bonus(y), ""]
                drawn += [
                    f"{left(margin, MARGIN)}{row} {said}".rstrip()
                    for margin, row, said in zip(margins, blocks, label[1:], strict=True)
                ]
        return drawn

    # Action tiles

    def _header(self) -> list[str]:
        """The Action tiles, those of the vertical streets each over its own, the diagonal's in the corner."""
        columns = [[centred(line, PITCH) for line in self._label(street, _ABOVE)] for street in range(SIDE)]
        columns.append(self._label(DIAGONAL, _RIGHT - 4))
        height = max(len(column) for column in columns)
        padded = [[""] * (height - len(column)) + column for column in columns]
        drawn = ["".join(left(column[i], PITCH) for column in padded).rstrip() for i in range(height)]
        letters = "".join(centred(ink("bold", letter), PITCH) for letter in places.COLUMNS)
        slope = "╱" if self._state.ruleset.city.rising else "╲"
        return [*drawn, f"{letters}{ink('bold', f'{slope} the Diagonal')}"]

    def _label(self, street: int, columns: int) -> list[str]:
        """The Action tile of a street: its name, then what it does in signs unless the name says it."""
        ruleset = self._state.ruleset
        action = ruleset.actions[self._state.slots[street]]
        said = [f"[bold cyan]{line}[/]" for line in lines(action.name, columns, 2)]
        if ruleset.nodes[action.effect].op not in SAID_BY_NAME:
            said.append(f"[cyan]{clipped(effect_sign(ruleset, action.effect), columns)}[/]")
        return said

    # Streets

    def _street(self, y: int) -> str:
        drawn = ""
        for x in range(SIDE):
            drawn += self._crossing(at(x, y))
            if x < BLOCKS_A_SIDE:
                drawn += self._section_along(horizontal(x, y))
        return drawn

    def _crossing(self, i: int) -> str:
        """`P(MU)`: the owner of the Intersection tile, the top citizen, the one below; `♚` is Gaudí's meeple."""
        state = self._state
        owner = state.intersection_owners[i]
        opened, closed = "<>" if state.ruleset.city.on_diagonal[i] else "()"
        top, below = state.citizens[i] & 3, state.citizens[i] >> 2
        inside = "".join(citizen(one) if one else ink("dim", "·") for one in (top, below))
        mark = self._seats.letter(owner) if owner >= 0 else " "
        brackets = self._seats.ink(owner, opened), self._seats.ink(owner, closed)
        if state.solo and i == state.meeple:
            brackets = brackets[0], self._seats.ink(gaudi.SEAT, MEEPLE)
        return f"{mark}{brackets[0]}{inside}{brackets[1]}"

    def _mark(self, section: int, columns: int) -> str:
        """The letter of a street tile's owner, or as much of the icon as fits where there is no tile."""
        state = self._state
        if state.streets[section]:
            return self._seats.letter(state.street_owners[section])
        return clipped(effect_sign(state.ruleset, state.ruleset.icons[section]), columns)

    def _passenger(self, section: int) -> str:
        owner = self._state.passengers[section]
        return "" if owner < 0 else self._seats.ink(owner, "♙" + self._seats.letters[owner])

    def _trams(self, section: int) -> str:
        here = [seat for seat, where in enumerate(self._state.trams) if where == section]
        return "▣" + "".join(self._seats.letter(seat) for seat in here) if here else ""

    def _section_along(self, section: int) -> str:
        passenger, trams = self._passenger(section), self._trams(section)
        columns = _SECTION - width(passenger) - width(trams)
        said = f"{self._mark(section, max(1, columns))}{passenger}{trams}"
        style = self._seats.style(self._state.street_owners[section])
        return centred(said, _SECTION, _ALONG[self._state.streets[section]], style)

    def _section_down(self, section: int) -> list[str]:
        line = ink(self._seats.style(self._state.street_owners[section]), DOWN[self._state.streets[section]])
        passenger, trams = self._passenger(section), self._trams(section)
        last = trams if width(trams) > 2 else f"  {line}{trams}" if trams else line
        return [
            left(f"  {line}{passenger}", CROSSING),
            centred(self._mark(section, CROSSING), CROSSING),
            centred(last, CROSSING),
        ]

    # Blocks

    def _row_of_blocks(self, y: int) -> list[str]:
        columns: list[list[str]] = []
        for x in range(SIDE):
            columns.append(self._section_down(vertical(x, y)))
            if x < BLOCKS_A_SIDE:
                columns.append(self._block(y * BLOCKS_A_SIDE + x))
        return ["".join(column[i] for column in columns) for i in range(_TALL)]

    def _bonus(self, row: int) -> str:
        return ink("yellow", f"{self._state.ruleset.row_vp}★") if self._state.bonus_left[row] else ""

    def _block(self, block: int) -> list[str]:
        sites = self._sites[block]
        return self._whole(sites[0]) if len(sites) == 1 else self._cut(*sites)

    def _owners(self, site: int) -> str:
        """The markers on a building, the lowest first."""
        return "".join(self._seats.letter(owner) for owner in self._state.markers[site])

    def _whole(self, site: int) -> list[str]:
        """A building's box in the colour of its topmost marker: level, then the markers from below."""
        kind, markers = self._state.buildings[site], self._state.markers[site]
        if kind < 0:
            return [" " * _SECTION] * _TALL
        level = self._state.ruleset.buildings[kind].level
        top = markers[-1] if markers else -1
        said = left(f"{in_class(level, str(level))} {self._owners(site)}", _BOX)
        edge = self._seats.ink(top, "│")
        return [
            " " + self._seats.ink(top, f"╭{'─' * _BOX}╮"),
            f" {edge}{said}{edge}",
            " " + self._seats.ink(top, f"╰{'─' * _BOX}╯"),
        ]

    def _cut(self, upper: int, lower: int) -> list[str]:
        """The two triangles of a block on the diagonal; a corner building fills its own."""
        if self._state.ruleset.city.rising:
            faint, above, below = ink("dim", "╱"), self._corner(upper, "◤"), self._corner(lower, "◢")
            return [f"{left(above, 6)}{faint} ", f"   {faint}    ", f"{faint}     {left(below, 2)}"]
        faint, above, below = ink("dim", "╲"), self._corner(upper, "◥"), self._corner(lower, "◣")
        return [f"{faint}     {left(above, 2)}", f"   {faint}    ", f"{left(below, 6)}{faint} "]

    def _corner(self, site: int, triangle: str) -> str:
        if self._state.buildings[site] < 0:
            return ""
        markers = self._state.markers[site]
        return self._seats.ink(markers[-1] if markers else -1, triangle) + self._owners(site)

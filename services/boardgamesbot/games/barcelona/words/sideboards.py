"""What lies around the city: the citizen track with its Cerdà tiles, and the side boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from boardgamesbot.games.barcelona.building import free_space, track_points
from boardgamesbot.games.barcelona.counts import COUNTERS
from boardgamesbot.games.barcelona.geometry import SIDE
from boardgamesbot.games.barcelona.moves import SIDEWALK
from boardgamesbot.games.barcelona.pedestrians import LAST_STEP, amenity_at, hexagons_left
from boardgamesbot.games.barcelona.scoring import multiplier, value
from boardgamesbot.games.barcelona.tiles import icons, open_spaces, service_cost
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.inks import (
    WIDTH,
    Seats,
    beside,
    citizen,
    clipped,
    flow,
    in_class,
    ink,
    left,
    lines,
    width,
)
from boardgamesbot.games.barcelona.words.wording import CITIES, CITIZENS, count_name, effect_sign, many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boardgamesbot.games.barcelona.state import BarcelonaState


def title(text: str, note: str = "") -> str:
    """The heading of a part."""
    return ink("bold", text) + (f"  {ink('dim', note)}" if note else "")


class SideBoards:
    """What lies around the city in one position."""

    def __init__(self, state: BarcelonaState, seats: Seats) -> None:
        self._state = state
        self._ruleset = state.ruleset
        self._seats = seats
        self._all = range(state.players)
        self._strollers = range(1) if state.solo else self._all
        """Whose counts matter on Passeig de Gràcia: neither Amenities nor violet stones concern Gaudí."""

    def _by_seat(self, values: Sequence[str]) -> str:
        """`P4 G0`: something of every seat."""
        seats = self._seats
        return " ".join(seats.ink(i, f"{seats.letters[i]}{said}") for i, said in enumerate(values))

    def _counts(self, count: int) -> str:
        """How many of something those have whom Passeig de Gràcia asks."""
        return self._by_seat([str(COUNTERS[count](self._state, seat)) for seat in self._strollers])

    def _sign(self, effect: int) -> str:
        return effect_sign(self._ruleset, effect)

    # Citizens and buildings

    def citizen_track(self) -> list[str]:
        """The three rows with their points, then the Cerdà tile of each section."""
        ruleset, state = self._ruleset, self._state
        ends = ruleset.section_ends
        lowest = min(free_space(state, row) for row in range(3))
        points = [
            ink("bold yellow" if space == lowest else "dim", f"{vp:>3}") for space, vp in enumerate(ruleset.track_vp)
        ]
        drawn = [
            title(
                "Citizen track",
                f"lowest in sight {track_points(state)}★: a building scores it, its citizens laid first",
            ),
            " " * 11 + self._in_sections(points) + ink("dim", "  ★"),
        ]
        for row in range(3):
            covered = ruleset.covered[state.boards]
            free = free_space(state, row)
            cells = []
            for space in range(len(ruleset.track_vp)):
                if space in covered:
                    cells.append(ink("dim", "  ▒"))
                else:
                    cells.append("  " + (citizen(row + 1) if space < free else ink("dim", "·")))
            drawn.append(f"  {left(in_class(row + 1, CITIZENS[row + 1]), 9)}{self._in_sections(cells)}")
        for section, tile in enumerate(state.cerda_tiles):
            done = state.scored[section]
            said = f"  Cerdà {section + 1}, after {ends[section]:>2}: {self._scoring(tile)}"
            if done:
                drawn.append(ink("dim", f"  Cerdà {section + 1}, scored:   ") + ink("dim", self._plain_scoring(tile)))
            else:
                values = self._by_seat([f"{value(state, seat, tile)}×{multiplier(state, seat)}" for seat in self._all])
                drawn.append(_with(said, values))
        return drawn

    def _in_sections(self, cells: Sequence[str]) -> str:
        ends = self._ruleset.section_ends
        return "".join(cell + (ink("dim", " │") if i + 1 in ends[:-1] else "") for i, cell in enumerate(cells))

    def _plain_scoring(self, tile: int) -> str:
        scoring = self._ruleset.scorings[tile]
        return f"{scoring.vp} × {scoring.name}"

    def _scoring(self, tile: int) -> str:
        return escape(self._plain_scoring(tile))

    def buildings(self) -> list[str]:
        """What is left to build, the citizens it takes and what it gives."""
        drawn = [title("Buildings", "left, citizens taken, reward")]
        for building, number in zip(self._ruleset.buildings, self._state.buildings_left, strict=True):
            wanted = [citizen(building.wants)] if building.wants else []
            citizens = "".join(wanted) + ink("dim", "·" * (building.citizens - len(wanted)))
            name = left(clipped(building.name, 18), 18)
            drawn.append(f"  {number:>2} {name} {left(citizens, 4)} {escape(self._sign(building.effect))}")
        return drawn

    # The side board

    def sidewalk(self) -> list[str]:
        """The Sidewalk's spaces by number: a cobblestone, or the icon; those open for the next stone are bright."""
        effects, stones, reachable = icons(self._state), self._state.sidewalk, open_spaces(self._state)
        cells = []
        for space in range(SIDEWALK):
            if effects[space] < 0:
                cells.append(left(ink("bold", "   ◆"), 7))
                continue
            owner = stones[space]
            if owner >= 0:
                said = ink("dim", f"{space + 1:>2} ") + self._seats.ink(owner, f"▦{self._seats.letters[owner]}")
            else:
                sign = self._sign(effects[space])
                said = ink("bold" if space in reachable else "dim", f"{space + 1:>2} {sign[:4]}")
            cells.append(left(said, 7))
        rows = ["".join(cells[row * SIDE : (row + 1) * SIDE]) for row in range(SIDE)]
        return [title("Sidewalk", "▦ stones; bright: open"), *rows]

    def buildings_and_sidewalk(self) -> list[str]:
        """Both side by side."""
        return beside(self.buildings(), self.sidewalk(), WIDTH - 7 * SIDE)

    def display(self) -> list[str]:
        """The Modernisme tiles shown, with what each would count for every seat now."""
        state = self._state
        drawn = [title("Modernisme display", f"points at the end; {len(state.modernisme_stack)} in the stack")]
        for place, tile in enumerate(state.shown):
            if tile < 0:
                drawn.append(f"  {place + 1} {ink('dim', 'empty')}")
            else:
                values = self._by_seat([str(value(state, seat, tile)) for seat in self._all])
                drawn.append(_with(f"  {place + 1} {self._scoring(tile)}", values))
        return drawn

    def services(self) -> list[str]:
        """The stacks of Public Services: the cost and gains of the top tile, and who has built one."""
        state, ruleset = self._state, self._ruleset
        tiers = range(ruleset.service_tiles[state.boards])
        tiles = ", ".join(f"{ruleset.service_cost[i]}● {self._sign(ruleset.service_effect[i])}" for i in tiers)
        drawn = [title("Public Services", f"from the top {tiles}; built by")]
        for stack, number in enumerate(state.service_types):
            service, cost = ruleset.services[number], service_cost(state, stack)
            name = left(clipped(service.name, 28), 28)
            owners = " ".join(self._seats.letter(i) for i in range(state.players) if number in state.services_of[i])
            if cost is None:
                drawn.append(f"  {stack + 1} {ink('dim', 'none left: ')}{name} {owners}".rstrip())
                continue
            gain = self._sign(ruleset.service_effect[state.services_taken[stack]])
            number_left = ruleset.service_tiles[state.boards] - state.services_taken[stack]
            gains = clipped(f"{gain}, {self._sign(service.effect)}", 27)
            drawn.append(f"  {stack + 1} {name} {cost}● → {left(gains, 27)} {number_left} left  {owners}".rstrip())
        return drawn

    def sagrada(self) -> list[str]:
        """The Sagrada Família tiles left, by the space that gives one."""
        ruleset = self._ruleset
        tiles = [ruleset.sagrada_tiles[i] for i in self._state.sagrada_left]
        pieces = [title("Sagrada Família")]
        for level, space in enumerate(ruleset.thresholds):
            pieces.append(ink("dim", f"at {space}†:"))
            pieces += [escape(self._sign(tile.effect)) for tile in tiles if tile.level == level]
        return flow(pieces, 2, 0)

    def stack_rewards(self) -> list[str]:
        """What emptying a stack of a player board gives."""
        ruleset = self._ruleset
        pieces = [title("Emptied stacks")]
        for name, stacks in (("markers", ruleset.markers), ("narrow", ruleset.narrow), ("wide", ruleset.wide)):
            pieces.append(f"{ink('dim', name)} {escape(', '.join(self._sign(reward) for reward in stacks.rewards))}")
        return flow(pieces, 2, 0)

    # Passeig de Gràcia

    def passeig(self) -> list[str]:
        """The street with its Amenities and Pedestrians, and the hexagon area."""
        return [*self.walks(), *self.hexagons()]

    def walks(self) -> list[str]:
        """The street with its Amenities and Pedestrians."""
        ruleset = self._ruleset
        arrival = " ".join(str(vp) for vp in ruleset.arrival_vp[1:])
        notes = (
            f"arrival by Joy ☻1-{ruleset.joy_most}: {arrival}★,",
            f"from ☻{ruleset.hexagon_from} ⬢, from ☻{ruleset.resource_from} ●/■",
        )
        drawn = flow([title("Passeig de Gràcia"), *(ink("dim", note) for note in notes)], 2, 0)
        drawn.append(ink("dim", "  P☻3 is P's Pedestrian with Joy 3; 2→B is 2 steps of the Barcelona Pedestrian"))
        for pedestrian in (0, 1):
            drawn += self._side(pedestrian)
        return drawn

    def _side(self, pedestrian: int) -> list[str]:
        """One side of the street as its Pedestrian walks it: what each step wants for Joy, what seats have, dice."""
        start, column = 14, 22
        wanted, have, shown = "", "", ""
        for step in (1, 2, 3):
            amenity = self._ruleset.amenities[amenity_at(self._state, pedestrian, step)]
            wanted += left(clipped(many(amenity.each * step, count_name(amenity.count)), column - 1), column)
            have += left(self._counts(amenity.count), column)
            shown += left(clipped(self._ruleset.actions[amenity.action].name, column - 1), column)
        dice = left(self._dice(pedestrian, 0), start - 2)
        dice += "".join(left(self._dice(pedestrian, step), column) for step in (1, 2))
        arrived = self._dice(pedestrian, LAST_STEP)
        dice += self._dice(pedestrian, 3) + (f" → {arrived}" if arrived else "")
        return [
            f"  {left(ink('bold', f'{CITIES[pedestrian]} →'), start - 2)}{wanted}".rstrip(),
            f"{' ' * start}{have}".rstrip(),
            *([f"  {left(ink('dim', 'Gaudí by'), start - 2)}{shown}".rstrip()] if self._state.solo else []),
            f"  {dice}".rstrip(),
        ]

    def _dice(self, pedestrian: int, step: int) -> str:
        state = self._state
        dice = []
        for seat in range(state.players):
            i = 2 * seat + pedestrian
            if state.path[i] == step:
                dice.append(self._seats.ink(seat, f"{self._seats.letters[seat]}☻{state.joy[i]}"))
        return " ".join(dice)

    def hexagons(self) -> list[str]:
        """The spaces beside each violet cobblestone, three columns side by side."""
        column = 26
        ruleset, state = self._ruleset, self._state
        drawn = [f"  {title('Hexagons', f'{hexagons_left(state)} left; the reward × what the violet stone counts')}"]
        stones = [ruleset.violet[number] for number in state.violet]
        named = [lines(f"{places.VIOLET_PLACES[i]}: {stone.name}", column - 3, 3) for i, stone in enumerate(stones)]
        tall = max(map(len, named))
        columns: list[list[str]] = []
        for violet, stone in enumerate(stones):
            first, *others = named[violet]
            spaces = [self._hexagon(i) for i, near in enumerate(ruleset.hexagon_beside) if violet in near]
            columns.append(
                [
                    f"{ink('medium_purple', '⬢')} {first}",
                    *(f"  {line}" for line in others),
                    *[""] * (tall - len(named[violet])),
                    "  " + self._counts(stone.count),
                    *("  " + "".join(left(cell, 8) for cell in spaces[i : i + 3]) for i in range(0, len(spaces), 3)),
                ]
            )
        both = beside(columns[0], columns[1], column)
        return [*drawn, *(f"  {line}" for line in beside(both, columns[2], 2 * column))]

    def _hexagon(self, space: int) -> str:
        owner = self._state.hexagons[space]
        if owner >= 0:
            return ink("dim", f"{space + 1:>2} ") + self._seats.ink(owner, f"⬢{self._seats.letters[owner]}")
        return f"{space + 1:>2} {escape(self._sign(self._ruleset.hexagon_rewards[space]))}"


def _with(said: str, values: str) -> str:
    """A line with values at its end, where they fit."""
    room = WIDTH - width(values) - 1
    return f"{left(said, room)} {values}" if width(said) <= room else said

"""Barcelona's data: the files of `data/`, checked against their schema and made ready for play.

A ruleset file of your own is one JSON object with any of the parts (`actions`, `board`, …); a part that it leaves
out is the one shipped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from pydantic import ValidationError

from boardgamesbot.games.barcelona import schema
from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import Effects, Node, Op, ops_of
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE, SIDE, STREETS, City, city
from boardgamesbot.games.barcelona.moves import DISPLAY, MOST_STORED, PROJECTS, SERVICES
from boardgamesbot.games.base import Malformed, Ruleset

PARTS = tuple(schema.Data.model_fields)
CLASSES = ("working", "middle", "upper")
"""The classes of citizens in their order; a citizen is 1, 2 or 3."""
LEVELS = 4
AMENITIES = 6
"""Amenities tiles in a game: three on each side of the street."""


@dataclass(frozen=True)
class Action:
    """An Action tile."""

    id: str
    name: str
    effect: int
    replaces: int
    """The tile it takes the place of in the expansion; -1 for a tile of the base game."""


@dataclass(frozen=True)
class Building:
    """A kind of building. `wants` is the class of which one citizen must be (0: none)."""

    id: str
    name: str
    corner: bool
    level: int
    tiles: int
    citizens: int
    wants: int
    effect: int


@dataclass(frozen=True)
class Stacks:
    """Pieces of a player board in stacks, and the effect of emptying each."""

    sizes: tuple[int, ...]
    rewards: tuple[int, ...]


@dataclass(frozen=True)
class Service:
    """A type of Public Service."""

    id: str
    name: str
    expansion: bool
    effect: int


@dataclass(frozen=True)
class SagradaTile:
    """A Sagrada Família tile; `level` is 0 to 3."""

    id: str
    name: str
    level: int
    expansion: bool
    effect: int


@dataclass(frozen=True)
class Scoring:
    """A criterion of Modernisme and Cerdà Scoring tiles: `vp` for each of count number `count`, at most `most`."""

    id: str
    name: str
    count: int
    vp: int
    most: int
    cerda: bool
    expansion: bool


@dataclass(frozen=True)
class Amenity:
    """An Amenities tile: `each` more of count number `count` are wanted for each step; `action` is the tile shown."""

    id: str
    name: str
    count: int
    each: int
    action: int


@dataclass(frozen=True)
class Violet:
    """A violet cobblestone: its letter (0 to 2) and what it counts."""

    id: str
    name: str
    letter: int
    count: int


@dataclass(frozen=True, kw_only=True)
class BarcelonaRuleset(Ruleset):
    """Everything that is data, by number. Effects are numbers of `nodes`; Pedestrians are 0 Barcelona, 1 Gràcia."""

    nodes: tuple[Node, ...]
    city: City
    seat_colours: tuple[str, ...]
    actions: tuple[Action, ...]
    first_game: tuple[int, ...]
    """Action tiles by street in the printed layout."""
    diagonal_cost: int
    icons: tuple[int, ...]
    """The effect printed on each street section."""
    icon_gains: tuple[tuple[int, int, int, int], ...]
    """The same as points, Cerdà steps, coins, cloth."""
    run_vp: tuple[int, int, int]
    """Points a tile of a run for no street (0), a narrow and a wide one."""
    owner_vp: int
    row_vp: int
    citizens: tuple[int, int, int]
    track_vp: tuple[int, ...]
    """By space of a row."""
    section_ends: tuple[int, ...]
    """The number of the first space after each section."""
    covered: tuple[tuple[int, ...], ...]
    """Spaces covered at the start, by players; [0] is empty."""
    buildings: tuple[Building, ...]
    start_coins: int
    start_cloth: int
    start_cerda: int
    start_sagrada: int
    storage: int
    cobblestones: int
    markers: Stacks
    narrow: Stacks
    wide: Stacks
    intersection_cost: tuple[int, ...]
    passenger_cost: tuple[int, ...]
    passenger_vp: tuple[int, ...]
    cobblestone_vp: tuple[int, ...]
    improve_cost: tuple[int, ...]
    project_factors: tuple[int, int]
    tram_steps: int
    left_over_vp: int
    multipliers: tuple[int, ...]
    sagrada_last: int
    thresholds: tuple[int, ...]
    none_left_vp: tuple[int, ...]
    service_cost: tuple[int, ...]
    service_effect: tuple[int, ...]
    service_stacks: tuple[int, int, int]
    """Without the expansion; with it, of the base game and of the expansion."""
    service_tiles: tuple[int, ...]
    """Tiles a stack, by players; [0] is 0."""
    services: tuple[Service, ...]
    sagrada_tiles: tuple[SagradaTile, ...]
    scorings: tuple[Scoring, ...]
    sidewalk: tuple[int, ...]
    """The effect on each space; -1 for the start."""
    overlay: tuple[int, ...]
    amenities: tuple[Amenity, ...]
    joy_most: int
    joy_start: int
    third_seat_die: int
    arrival_vp: tuple[int, ...]
    """By Joy; [0] is 0."""
    hexagon_from: int
    resource_from: int
    violet: tuple[Violet, ...]
    hexagon_stones: int
    hexagon_rewards: tuple[int, ...]
    hexagon_beside: tuple[tuple[int, ...], ...]
    resource_effect: int
    """One coin or cloth, as you choose: what the most Joyful walk brings."""


def shipped() -> dict[str, Any]:
    """The parts of the ruleset that comes with the platform."""
    folder = files(__package__) / "data"
    return {part: json.loads((folder / f"{part}.json").read_text("utf-8")) for part in PARTS}


def load(document: str | None = None) -> BarcelonaRuleset:
    """The ruleset of a JSON document (left out: the one shipped). Raises Malformed with the entry at fault."""
    parts = shipped()
    if document is not None:
        parts |= _given(document)
    try:
        data = schema.Data.model_validate(parts)
    except ValidationError as error:
        first = error.errors()[0]
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"]).lstrip(".")
        raise Malformed(where, f"{first['msg']}, not {first['input']!r:.60}") from None
    return _Compiler(data).ruleset(json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def _given(document: str) -> dict[str, Any]:
    try:
        given = json.loads(document)
    except ValueError as error:
        raise Malformed("", f"is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise Malformed("", "must be a JSON object of parts")
    for part in given:
        if part not in PARTS:
            raise Malformed(part, f"is no part of a ruleset; the parts are {', '.join(PARTS)}")
    return given


def _one(value: Sequence[object], length: int, where: str) -> None:
    if len(value) != length:
        raise Malformed(where, f"must have {length} entries, not {len(value)}")


def _unique(ids: Sequence[str], where: str) -> dict[str, int]:
    """The number of each id. Raises Malformed for one that comes twice."""
    numbers: dict[str, int] = {}
    for i, name in enumerate(ids):
        if name in numbers:
            raise Malformed(f"{where}[{i}].id", f"{name} is there already")
        numbers[name] = i
    return numbers


def _wide_enough(condition: bool, where: str, reason: str) -> None:
    if not condition:
        raise Malformed(where, reason)


class _Compiler:
    """Turns checked data into numbers, and checks what concerns more than one entry."""

    def __init__(self, data: schema.Data) -> None:
        self._data = data
        self._effects = Effects(tuple(COUNTS))
        self._numbers = _unique([action.id for action in data.actions], "actions")
        _unique([entry.id for entry in data.services.types], "services.types")
        _unique([entry.id for entry in data.sagrada_tiles], "sagrada_tiles")
        _unique([entry.id for entry in data.scorings], "scorings")
        _unique([entry.id for entry in data.passeig.amenities], "passeig.amenities")
        _unique([entry.id for entry in data.passeig.violet], "passeig.violet")

    def ruleset(self, document: str) -> BarcelonaRuleset:
        """The whole ruleset."""
        data, board, players, passeig = self._data, self._data.board, self._data.players, self._data.passeig
        actions = self._actions()
        icons = self._icons(board.streets)
        section_ends = tuple(sum(data.citizens.track.sections[: i + 1]) for i in range(3))
        storage = players.storage
        _one(data.citizens.track.vp, section_ends[-1], "citizens.track.vp")
        _wide_enough(
            sorted(data.citizens.track.vp) == data.citizens.track.vp,
            "citizens.track.vp",
            "must not fall from left to right",
        )
        _one(players.passengers.final_vp, len(players.passengers.cost_cloth) + 1, "players.passengers.final_vp")
        _one(players.cobblestones.final_vp, storage.cobblestones + 1, "players.cobblestones.final_vp")
        most = storage.spaces + storage.cobblestones + 8
        _wide_enough(most <= MOST_STORED, "players.storage.spaces", f"must leave room for at most {MOST_STORED - 8}")
        multipliers = data.tracks.cerda.multipliers
        _wide_enough(players.start.cerda < len(multipliers), "players.start.cerda", "is not on the Cerdà track")
        sagrada = data.tracks.sagrada
        _wide_enough(
            sorted(set(sagrada.thresholds)) == sagrada.thresholds and sagrada.thresholds[-1] <= sagrada.last,
            "tracks.sagrada.thresholds",
            "must rise and lie on the track",
        )
        _wide_enough(
            players.start.sagrada < sagrada.thresholds[0], "players.start.sagrada", "must be below the first threshold"
        )
        _wide_enough(
            players.start.coins + players.start.cloth <= storage.spaces,
            "players.start",
            "is more than the storage holds",
        )
        joy = passeig.joy
        _one(joy.arrival_vp, joy.most, "passeig.joy.arrival_vp")
        _wide_enough(joy.start <= joy.most, "passeig.joy.start", f"must be at most {joy.most}")
        _wide_enough(passeig.third_seat.die <= joy.most, "passeig.third_seat.die", f"must be at most {joy.most}")
        stacks = data.services.stacks
        return BarcelonaRuleset(
            json=document,
            hash=hashlib.sha256(document.encode()).hexdigest(),
            city=city(rising=board.diagonal.rising),
            seat_colours=tuple(players.seats.colours),
            actions=actions,
            first_game=self._first_game(board.first_game),
            diagonal_cost=board.diagonal.cost_coins,
            icons=icons,
            icon_gains=tuple(self._gains(icon, i) for i, icon in enumerate(icons)),
            run_vp=(0, board.runs.narrow_vp, board.runs.wide_vp),
            owner_vp=board.owner_bonus.vp,
            row_vp=board.row_bonus.vp,
            citizens=(data.citizens.tokens.working, data.citizens.tokens.middle, data.citizens.tokens.upper),
            track_vp=tuple(data.citizens.track.vp),
            section_ends=section_ends,
            covered=self._covered(section_ends[-1]),
            buildings=self._buildings(),
            start_coins=players.start.coins,
            start_cloth=players.start.cloth,
            start_cerda=players.start.cerda,
            start_sagrada=players.start.sagrada,
            storage=storage.spaces,
            cobblestones=storage.cobblestones,
            markers=self._stacks(players.markers, "players.markers"),
            narrow=self._stacks(players.narrow, "players.narrow"),
            wide=self._stacks(players.wide, "players.wide"),
            intersection_cost=tuple(players.intersections.cost_cloth),
            passenger_cost=tuple(players.passengers.cost_cloth),
            passenger_vp=tuple(players.passengers.final_vp),
            cobblestone_vp=tuple(players.cobblestones.final_vp),
            improve_cost=tuple(players.projects.improve_cost_cloth),
            project_factors=(players.projects.factor, players.projects.improved_factor),
            tram_steps=players.tram.steps,
            left_over_vp=players.left_over.vp,
            multipliers=tuple(multipliers),
            sagrada_last=sagrada.last,
            thresholds=tuple(sagrada.thresholds),
            none_left_vp=tuple(sagrada.none_left_vp),
            service_cost=tuple(data.services.tiers.cost_coins),
            service_effect=tuple(
                self._effect(effect, f"services.tiers.effects[{i}]")
                for i, effect in enumerate(data.services.tiers.effects)
            ),
            service_stacks=(stacks.base, stacks.with_expansion.base, stacks.with_expansion.expansion),
            service_tiles=self._service_tiles(),
            services=tuple(
                Service(
                    entry.id, entry.name, entry.expansion, self._effect(entry.effect, f"services.types[{i}].effect")
                )
                for i, entry in enumerate(data.services.types)
            ),
            sagrada_tiles=self._sagrada_tiles(),
            scorings=self._scorings(),
            sidewalk=self._sidewalk(data.sidewalk.printed, "sidewalk.printed"),
            overlay=self._sidewalk(data.sidewalk.overlay, "sidewalk.overlay"),
            amenities=self._amenities(),
            joy_most=joy.most,
            joy_start=joy.start,
            third_seat_die=passeig.third_seat.die,
            arrival_vp=(0, *joy.arrival_vp),
            hexagon_from=joy.hexagon_from,
            resource_from=joy.resource_from,
            violet=self._violet(),
            hexagon_stones=passeig.hexagons.stones,
            hexagon_rewards=tuple(
                self._hexagon(effect, f"passeig.hexagons.rewards[{i}]")
                for i, effect in enumerate(passeig.hexagons.rewards)
            ),
            hexagon_beside=self._beside(),
            resource_effect=self._effect("resource 1", "resource"),
            nodes=tuple(self._effects.nodes),
        )

    def _effect(self, effect: object, where: str) -> int:
        return self._effects.add(effect, where)

    def _count(self, name: str, where: str) -> int:
        if name not in COUNTS:
            raise Malformed(where, f"{name!r} is not counted; {', '.join(COUNTS)} are")
        return tuple(COUNTS).index(name)

    def _number(self, action: str, where: str) -> int:
        if action not in self._numbers:
            raise Malformed(where, f"there is no action {action}; there is {', '.join(self._numbers)}")
        return self._numbers[action]

    def _actions(self) -> tuple[Action, ...]:
        made = tuple(
            Action(
                entry.id,
                entry.name,
                self._effect(entry.effect, f"actions[{i}].effect"),
                -1 if entry.replaces is None else self._number(entry.replaces, f"actions[{i}].replaces"),
            )
            for i, entry in enumerate(self._data.actions)
        )
        base = [action for action in made if action.replaces < 0]
        if len(base) != STREETS:
            raise Malformed(
                "actions", f"must have {STREETS} tiles that replace no other, one for each street, not {len(base)}"
            )
        replaced = [action.replaces for action in made if action.replaces >= 0]
        _wide_enough(len(set(replaced)) == len(replaced), "actions", "must not replace one tile by two")
        return made

    def _first_game(self, layout: schema.FirstGame) -> tuple[int, ...]:
        _one(layout.vertical, SIDE, "board.first_game.vertical")
        _one(layout.horizontal, SIDE, "board.first_game.horizontal")
        ids = [*layout.vertical, *layout.horizontal, layout.diagonal]
        numbers = tuple(self._number(name, "board.first_game") for name in ids)
        if len(set(numbers)) != STREETS:
            raise Malformed("board.first_game", "must use each action once")
        return numbers

    def _icons(self, streets: schema.Streets) -> tuple[int, ...]:
        icons: list[int] = []
        for name, rows in (("horizontal", streets.horizontal), ("vertical", streets.vertical)):
            _one(rows, SIDE, f"board.streets.{name}")
            for i, row in enumerate(rows):
                where = f"board.streets.{name}[{i}]"
                _one(row, BLOCKS_A_SIDE, where)
                icons += [self._effect(icon, f"{where}[{j}]") for j, icon in enumerate(row)]
        return tuple(icons)

    def _gains(self, icon: int, section: int) -> tuple[int, int, int, int]:
        node = self._effects.nodes[icon]
        match node.op:
            case Op.VP:
                return node.a, 0, 0, 0
            case Op.CERDA:
                return 0, node.a, 0, 0
            case Op.GAIN:
                return 0, 0, node.a, node.b
        raise Malformed(
            "board.streets", f"section {section} must give points, Cerdà steps, coins or cloth, nothing else"
        )

    def _covered(self, spaces: int) -> tuple[tuple[int, ...], ...]:
        covered = self._data.citizens.covered
        made: list[tuple[int, ...]] = [()]
        for players in ("1", "2", "3", "4"):
            where = f"citizens.covered.{players}"
            if players not in covered:
                raise Malformed(where, "is missing")
            entry = covered[players].spaces
            if sorted(set(entry)) != entry or (entry and entry[-1] >= spaces):
                raise Malformed(f"{where}.spaces", f"must be different spaces from 0 to {spaces - 1}, in order")
            made.append(tuple(entry))
        return tuple(made)

    def _buildings(self) -> tuple[Building, ...]:
        made = tuple(
            Building(
                entry.id,
                entry.name,
                entry.site == "corner",
                entry.level,
                entry.tiles,
                entry.citizens,
                0 if entry.wants is None else CLASSES.index(entry.wants) + 1,
                self._effect(entry.effect, f"buildings[{i}].effect"),
            )
            for i, entry in enumerate(self._data.buildings)
        )
        order = [(building.corner, building.level) for building in made]
        if order != [(False, 1), (False, 2), (False, 3), (True, 0)]:
            raise Malformed("buildings", "must be levels 1, 2 and 3 on a block, then level 0 on a corner")
        return made

    def _stacks(self, stacks: schema.Stacks, where: str) -> Stacks:
        _one(stacks.rewards, len(stacks.stacks), f"{where}.rewards")
        return Stacks(
            tuple(stacks.stacks),
            tuple(self._effect(effect, f"{where}.rewards[{i}]") for i, effect in enumerate(stacks.rewards)),
        )

    def _service_tiles(self) -> tuple[int, ...]:
        stacks, types = self._data.services.stacks, self._data.services.types
        for box, wanted in (
            (False, max(stacks.base, stacks.with_expansion.base)),
            (True, stacks.with_expansion.expansion),
        ):
            found = sum(1 for entry in types if entry.expansion == box)
            _wide_enough(
                found >= wanted,
                "services.types",
                f"must have {wanted} of {'the expansion' if box else 'the base game'}",
            )
        sums = {stacks.base, stacks.with_expansion.base + stacks.with_expansion.expansion}
        _wide_enough(sums == {SERVICES}, "services.stacks", f"must come to {SERVICES} stacks")
        for players in ("1", "2", "3", "4"):
            _wide_enough(players in stacks.tiles, f"services.stacks.tiles.{players}", "is missing")
        return (0, *(stacks.tiles[players] for players in ("1", "2", "3", "4")))

    def _sagrada_tiles(self) -> tuple[SagradaTile, ...]:
        return tuple(
            SagradaTile(
                entry.id,
                entry.name,
                entry.level - 1,
                entry.expansion,
                self._effect(entry.effect, f"sagrada_tiles[{i}].effect"),
            )
            for i, entry in enumerate(self._data.sagrada_tiles)
        )

    def _scorings(self) -> tuple[Scoring, ...]:
        made = tuple(
            Scoring(
                entry.id,
                entry.name,
                self._count(entry.count, f"scorings[{i}].count"),
                entry.vp,
                9999 if entry.most is None else entry.most,
                entry.cerda,
                entry.expansion,
            )
            for i, entry in enumerate(self._data.scorings)
        )
        base = [entry for entry in made if not entry.expansion]
        _wide_enough(
            sum(entry.cerda for entry in base) >= 3, "scorings", "must have three Cerdà tiles of the base game"
        )
        _wide_enough(len(base) >= 3 + DISPLAY + PROJECTS * 2, "scorings", "are too few for a display of four")
        return made

    def _sidewalk(self, icons: schema.Icons, where: str) -> tuple[int, ...]:
        spaces: list[int] = []
        for i, row in enumerate(icons.icons):
            _one(row, SIDE, f"{where}.icons[{i}]")
            spaces += [
                -1 if icon is None else self._effect(icon, f"{where}.icons[{i}][{j}]") for j, icon in enumerate(row)
            ]
        _wide_enough(spaces.count(-1) == 1, f"{where}.icons", "must have one null, where the Sidewalk starts")
        return tuple(spaces)

    def _amenities(self) -> tuple[Amenity, ...]:
        entries = self._data.passeig.amenities
        _wide_enough(len(entries) >= AMENITIES, "passeig.amenities", f"must be at least {AMENITIES}")
        return tuple(
            Amenity(
                entry.id,
                entry.name,
                self._count(entry.count, f"passeig.amenities[{i}].count"),
                entry.each,
                self._number(entry.action, f"passeig.amenities[{i}].action"),
            )
            for i, entry in enumerate(entries)
        )

    def _violet(self) -> tuple[Violet, ...]:
        made = tuple(
            Violet(
                entry.id, entry.name, "ABC".index(entry.letter), self._count(entry.count, f"passeig.violet[{i}].count")
            )
            for i, entry in enumerate(self._data.passeig.violet)
        )
        _wide_enough(
            {stone.letter for stone in made} == {0, 1, 2}, "passeig.violet", "must have each of the letters A, B and C"
        )
        return made

    def _hexagon(self, effect: object, where: str) -> int:
        number = self._effect(effect, where)
        if not ops_of(self._effects.nodes, number) <= {Op.VP, Op.GAIN, Op.CERDA}:
            raise Malformed(where, "must give points, coins, cloth or Cerdà steps: it is multiplied")
        return number

    def _beside(self) -> tuple[tuple[int, ...], ...]:
        beside = self._data.passeig.hexagons.beside
        for i, stones in enumerate(beside):
            if not stones or sorted(set(stones)) != stones or stones[-1] > 2:
                raise Malformed(f"passeig.hexagons.beside[{i}]", "must be one or more of 0, 1 and 2, in order")
        return tuple(tuple(stones) for stones in beside)

"""Reads Barcelona's data: the files of `data/` or a document, checked and made ready for play.

A ruleset of your own is one JSON object with any of the parts (`actions`, `board`, …); a part that it leaves out is
the one shipped. With whatever is taken here a game comes to its end: citizens leave the bag for good, two a turn, and
an effect sets another going only by using up a piece of which each player has so many (street tile, marker,
cobblestone, passenger, Intersection, Public Service, level of the Sagrada Família). So what has to be held is the size
of things, and that each is there where it is used.
"""

from __future__ import annotations

import hashlib
import json
import re
from importlib.resources import files
from typing import Any, get_args

from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import Effects, Op, ops_of
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE, DIAGONAL, SIDE, STREETS, at, city
from boardgamesbot.games.barcelona.moves import DISPLAY, HEXAGONS, MOST_STORED, SERVICES
from boardgamesbot.games.barcelona.ruleset import schema
from boardgamesbot.games.barcelona.ruleset.checks import in_bounds, length, rising, unique, want
from boardgamesbot.games.barcelona.ruleset.figures import (
    AMENITIES,
    CLASSES,
    LEVELS,
    Action,
    Amenity,
    BarcelonaRuleset,
    Building,
    Gaudi,
    GaudiCard,
    SagradaTile,
    Scoring,
    Service,
    Stacks,
    Violet,
)
from boardgamesbot.games.base import Malformed
from boardgamesbot.games.schema import parse, shown, validated

__all__ = [
    "AMENITIES",
    "CLASSES",
    "LEVELS",
    "PARTS",
    "Action",
    "Amenity",
    "BarcelonaRuleset",
    "Building",
    "SagradaTile",
    "Scoring",
    "Service",
    "Stacks",
    "Violet",
    "load",
    "shipped",
]

PARTS = tuple(schema.Data.model_fields)
HAND = 2
CERDA_TILES = 3
PLAYERS: tuple[schema.PlayerCount, ...] = get_args(schema.PlayerCount)
NO_LIMIT = 9999
ANY_GAME = frozenset(Op) - {Op.MOVE, Op.MOVE_ONE, Op.JOY, Op.JOY_ANY}
"""What effects can do with and without the expansion; the others are about its Pedestrians."""
MULTIPLIED = frozenset({Op.VP, Op.GAIN, Op.CERDA})
"""What a hexagonal cobblestone can multiply."""
COUNTED_IN_THE_EXPANSION = frozenset({"joy_barcelona", "joy_gracia"})
_COUNTS = tuple(COUNTS)


def shipped() -> dict[str, Any]:
    """The parts of the ruleset that comes with the platform."""
    folder = files("boardgamesbot.games.barcelona") / "data"
    return {part: json.loads((folder / f"{part}.json").read_text("utf-8")) for part in PARTS}


def load(document: str | None = None) -> BarcelonaRuleset:
    """The ruleset of a JSON document (left out: the one shipped). Raises Malformed with the entry at fault."""
    parts = shipped()
    if document is not None:
        given = parse(document)
        for part in given:
            want(part in PARTS, part, f"is no part of this ruleset; these are: {', '.join(PARTS)}")
        parts |= given
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        return _Reader(validated(schema.Data, parts)).ruleset(canonical)
    except Malformed as error:
        entry = _entry_at(parts, error.field)
        raise Malformed(error.field, f"{error.reason} (in {entry})" if entry else error.reason) from None


def _entry_at(value: Any, where: str) -> str:
    """The id of the innermost entry that a place is in; empty where none has one."""
    found = ""
    for step in re.findall(r"[^.\[\]]+", where):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            break
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            found = shown(value["id"]).strip("'")
    return found


class _Reader:
    """Turns checked data into numbers, and checks what concerns more than one entry."""

    def __init__(self, data: schema.Data) -> None:
        self._data = data
        self._effects = Effects(_COUNTS)
        self._actions_by_id = unique(data.actions, "actions")
        self._base_actions = [entry.id for entry in data.actions if entry.replaces is None]
        unique(data.buildings, "buildings")
        unique(data.services.types, "services.types")
        unique(data.sagrada_tiles, "sagrada_tiles")
        unique(data.scorings, "scorings")
        unique(data.passeig.amenities, "passeig.amenities")
        unique(data.passeig.violet, "passeig.violet")

    def ruleset(self, document: str) -> BarcelonaRuleset:
        """The whole ruleset."""
        data, board, players = self._data, self._data.board, self._data.players
        services, passeig, tracks = self._data.services, self._data.passeig, self._data.tracks
        self._check_player_boards()
        self._check_tracks()
        self._check_joy()
        actions, icons = self._actions(), self._icons(board.streets)
        ends = tuple(sum(data.citizens.track.sections[: i + 1]) for i in range(CERDA_TILES))
        stacks = services.stacks
        rings = self._rings()
        return BarcelonaRuleset(
            json=document,
            hash=hashlib.sha256(document.encode()).hexdigest(),
            city=city(rising=board.diagonal.rising),
            seat_colours=tuple(players.seats.colours),
            actions=actions,
            first_game=self._first_game(board.first_game),
            diagonal_cost=board.diagonal.cost_coins,
            icons=icons,
            icon_gains=tuple(self._gain(icon) for icon in icons),
            run_vp=(0, board.runs.narrow_vp, board.runs.wide_vp),
            owner_vp=board.owner_bonus.vp,
            row_vp=board.row_bonus.vp,
            citizens=(data.citizens.tokens.working, data.citizens.tokens.middle, data.citizens.tokens.upper),
            track_vp=self._track_points(ends[-1]),
            section_ends=ends,
            covered=self._covered(ends[-1]),
            buildings=self._buildings(),
            start_coins=players.start.coins,
            start_cloth=players.start.cloth,
            start_cerda=players.start.cerda,
            start_sagrada=players.start.sagrada,
            storage=players.storage.spaces,
            cobblestones=players.storage.cobblestones,
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
            multipliers=tuple(tracks.cerda.multipliers),
            sagrada_last=tracks.sagrada.last,
            thresholds=tuple(tracks.sagrada.thresholds),
            none_left_vp=tuple(tracks.sagrada.none_left_vp),
            service_cost=tuple(services.tiers.cost_coins),
            service_effect=self._each(services.tiers.effects, "services.tiers.effects"),
            service_stacks=(stacks.base, stacks.with_expansion.base, stacks.with_expansion.expansion),
            service_tiles=self._service_tiles(),
            services=self._services(),
            sagrada_tiles=self._sagrada_tiles(),
            scorings=self._scorings(),
            sidewalk=self._sidewalk(data.sidewalk.printed, "sidewalk.printed.icons"),
            overlay=self._sidewalk(data.sidewalk.overlay, "sidewalk.overlay.icons", expansion=True),
            amenities=self._amenities(),
            joy_most=passeig.joy.most,
            joy_start=passeig.joy.start,
            third_seat_die=passeig.third_seat.die,
            arrival_vp=(0, *passeig.joy.arrival_vp),
            hexagon_from=passeig.joy.hexagon_from,
            resource_from=passeig.joy.resource_from,
            violet=self._violet(),
            hexagon_stones=passeig.hexagons.stones,
            hexagon_rewards=self._hexagon_rewards(),
            hexagon_rings=rings,
            hexagon_beside=tuple(
                tuple(stone for stone, ring in enumerate(rings) if space in ring) for space in range(HEXAGONS)
            ),
            gaudi=self._gaudi(),
            resource_effect=self._effects.add("resource 1", ""),
            nodes=tuple(self._effects.nodes),
        )

    # Effects, counts and actions, by number

    def _effect(self, effect: object, where: str, *, expansion: bool = False) -> int:
        """An effect, of the base game unless it is only used with the expansion."""
        in_bounds(effect, where)
        number = self._effects.add(effect, where)
        if not expansion:
            does = set(ops_of(self._effects.nodes, number))
            want(does <= ANY_GAME, where, "is about Pedestrians: here it would be used without the expansion too")
            joy = self._counted(number) & COUNTED_IN_THE_EXPANSION
            want(not joy, where, "counts Joy: here it would be used without the expansion too")
        return number

    def _each(self, effects: list[object], where: str) -> tuple[int, ...]:
        return tuple(self._effect(effect, f"{where}[{i}]") for i, effect in enumerate(effects))

    def _counted(self, effect: int) -> set[str]:
        """Everything that an effect counts."""
        node = self._effects.nodes[effect]
        own = {_COUNTS[node.b]} if node.op is Op.VP_PER else set()
        return own.union(*(self._counted(kid) for kid in node.kids))

    def _count(self, name: str, where: str, *, expansion: bool = True) -> int:
        want(name in COUNTS, where, f"{shown(name)} is nothing that is counted; these are: {', '.join(COUNTS)}")
        here = expansion or name not in COUNTED_IN_THE_EXPANSION
        want(here, where, f'{name} is for entries of the expansion: say "expansion": true')
        return _COUNTS.index(name)

    def _base_action(self, action: str, where: str) -> int:
        known = f"these are: {', '.join(self._base_actions)}"
        want(action in self._base_actions, where, f"{shown(action)} is no Action tile of the base game; {known}")
        return self._actions_by_id[action]

    # Boards

    def _check_player_boards(self) -> None:
        players, colours = self._data.players, self._data.players.seats.colours
        want(len(set(colours)) == len(colours), "players.seats.colours", "must be four different ones")
        start, storage = players.start, players.storage
        most = storage.spaces + storage.cobblestones
        where = "players.storage.spaces"
        want(most < MOST_STORED, where, f"and cobblestones together must be at most {MOST_STORED - 1}, not {most}")
        held = start.coins + start.cloth
        want(held <= storage.spaces, "players.start.coins", f"and cloth together are more than the storage: {held}")
        placed = len(players.passengers.cost_cloth) + 1
        length(players.passengers.final_vp, placed, "players.passengers.final_vp")
        length(players.cobblestones.final_vp, storage.cobblestones + 1, "players.cobblestones.final_vp")

    def _check_tracks(self) -> None:
        start, cerda, sagrada = self._data.players.start, self._data.tracks.cerda, self._data.tracks.sagrada
        last = len(cerda.multipliers) - 1
        want(start.cerda <= last, "players.start.cerda", f"must be at most {last}, the end of the Cerdà track")
        where = "tracks.sagrada.thresholds"
        want(rising(sagrada.thresholds), where, "must rise")
        want(sagrada.thresholds[-1] <= sagrada.last, where, f"must lie on the track, which ends at {sagrada.last}")
        want(start.sagrada < sagrada.thresholds[0], "players.start.sagrada", "must be below the first threshold")

    def _check_joy(self) -> None:
        joy, die = self._data.passeig.joy, self._data.passeig.third_seat.die
        length(joy.arrival_vp, joy.most, "passeig.joy.arrival_vp")
        want(joy.start <= joy.most, "passeig.joy.start", f"must be at most {joy.most}, the most Joy there is")
        where = "passeig.third_seat.die"
        want(joy.start <= die <= joy.most, where, f"must be from {joy.start}, the Joy of a start, to {joy.most}")

    def _icons(self, streets: schema.Streets) -> tuple[int, ...]:
        icons: list[int] = []
        for name, rows in (("horizontal", streets.horizontal), ("vertical", streets.vertical)):
            length(rows, SIDE, f"board.streets.{name}")
            for i, row in enumerate(rows):
                where = f"board.streets.{name}[{i}]"
                length(row, BLOCKS_A_SIDE, where)
                for j, effect in enumerate(row):
                    icons.append(self._effect(effect, f"{where}[{j}]"))
                    self._want_one_gain(icons[-1], f"{where}[{j}]", "Intersections gain it together with others")
        return tuple(icons)

    def _want_one_gain(self, effect: int, where: str, why: str) -> None:
        simple = self._effects.nodes[effect].op in MULTIPLIED
        want(simple, where, f"must be points, Cerdà steps, or coins and cloth, nothing more: {why}")

    def _gain(self, icon: int) -> tuple[int, int, int, int]:
        node = self._effects.nodes[icon]
        match node.op:
            case Op.VP:
                return node.a, 0, 0, 0
            case Op.CERDA:
                return 0, node.a, 0, 0
            case _:
                return 0, 0, node.a, node.b

    def _track_points(self, spaces: int) -> tuple[int, ...]:
        points = self._data.citizens.track.vp
        length(points, spaces, "citizens.track.vp")
        want(sorted(points) == points, "citizens.track.vp", "must not fall from left to right")
        return tuple(points)

    def _covered(self, spaces: int) -> tuple[tuple[int, ...], ...]:
        covered = self._data.citizens.covered
        made: list[tuple[int, ...]] = [()]
        for players in PLAYERS:
            want(players in covered, f"citizens.covered.{players}", "is missing")
            where, entry = f"citizens.covered.{players}.spaces", covered[players].spaces
            want(rising(entry), where, "must rise")
            want(not entry or entry[-1] < spaces, where, f"must lie on the track: 0 to {spaces - 1}")
            first = range(self._data.citizens.track.sections[0])
            want(not set(first) <= set(entry), where, "must leave a space of the first section free")
            self._check_bag(len(entry), int(players), where)
            made.append(tuple(entry))
        return tuple(made)

    def _check_bag(self, covered: int, players: int, where: str) -> None:
        """That there are citizens to cover spaces with, and for the first hands."""
        tokens = self._data.citizens.tokens
        for name in CLASSES:
            there: int = getattr(tokens, name)
            want(covered <= there, where, f"are {covered}, and there are {there} citizens of the {name} class")
        left = tokens.working + tokens.middle + tokens.upper - len(CLASSES) * covered
        hands = HAND * max(2, players)
        want(hands <= left, where, f"leave {left} citizens in the bag; the first hands take {hands}")

    def _stacks(self, stacks: schema.Stacks, where: str) -> Stacks:
        length(stacks.rewards, len(stacks.stacks), f"{where}.rewards")
        return Stacks(tuple(stacks.stacks), self._each(stacks.rewards, f"{where}.rewards"))

    def _sidewalk(self, icons: schema.Icons, where: str, *, expansion: bool = False) -> tuple[int, ...]:
        spaces: list[int] = []
        for i, row in enumerate(icons.icons):
            length(row, SIDE, f"{where}[{i}]")
            for j, icon in enumerate(row):
                number = -1 if icon is None else self._effect(icon, f"{where}[{i}][{j}]", expansion=expansion)
                spaces.append(number)
        want(spaces.count(-1) == 1, where, "must have one null, where the Sidewalk starts")
        return tuple(spaces)

    # Tiles

    def _actions(self) -> tuple[Action, ...]:
        found = len(self._base_actions)
        want(found == STREETS, "actions", f"must have {STREETS} that replace no other, one a street, not {found}")
        replaced: dict[str, str] = {}
        made = []
        for i, entry in enumerate(self._data.actions):
            instead, where = -1, f"actions[{i}].replaces"
            if entry.replaces is not None:
                instead = self._base_action(entry.replaces, where)
                taken = replaced.setdefault(entry.replaces, entry.id)
                want(taken == entry.id, where, f"{entry.replaces} is replaced by {taken} already")
            effect = self._effect(entry.effect, f"actions[{i}].effect", expansion=instead >= 0)
            made.append(Action(entry.id, entry.name, effect, instead))
        return tuple(made)

    def _first_game(self, layout: schema.FirstGame) -> tuple[int, ...]:
        where = "board.first_game"
        length(layout.vertical, SIDE, f"{where}.vertical")
        length(layout.horizontal, SIDE, f"{where}.horizontal")
        numbers: list[int] = []
        for street, action in enumerate([*layout.vertical, *layout.horizontal, layout.diagonal]):
            row = "vertical" if street < SIDE else "horizontal"
            here = f"{where}.diagonal" if street == DIAGONAL else f"{where}.{row}[{street % SIDE}]"
            number = self._base_action(action, here)
            want(number not in numbers, here, f"{action} lies at another street already")
            numbers.append(number)
        return tuple(numbers)

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
        for i, wanted in enumerate([(False, 1), (False, 2), (False, 3), (True, 0)]):
            order = "levels 1, 2 and 3 on a block, then level 0 on a corner"
            want((made[i].corner, made[i].level) == wanted, f"buildings[{i}].level", f"is not in order: {order}")
        return made

    def _services(self) -> tuple[Service, ...]:
        stacks, types = self._data.services.stacks, self._data.services.types
        for name, wanted, found in (
            ("the base game", stacks.base, sum(not entry.expansion for entry in types)),
            ("the expansion", stacks.with_expansion.expansion, sum(entry.expansion for entry in types)),
        ):
            want(found >= wanted, "services.types", f"must have at least {wanted} of {name}, not {found}")
        made = []
        for i, entry in enumerate(types):
            effect = self._effect(entry.effect, f"services.types[{i}].effect", expansion=entry.expansion)
            made.append(Service(entry.id, entry.name, entry.expansion, effect))
        return tuple(made)

    def _service_tiles(self) -> tuple[int, ...]:
        stacks = self._data.services.stacks
        want(stacks.base == SERVICES, "services.stacks.base", f"must be {SERVICES}, as many as there are places")
        both = stacks.with_expansion.base + stacks.with_expansion.expansion
        where = "services.stacks.with_expansion"
        want(both == SERVICES, where, f"must come to {SERVICES} stacks, as many as there are places, not {both}")
        for players in PLAYERS:
            want(players in stacks.tiles, f"services.stacks.tiles.{players}", "is missing")
        return (0, *(stacks.tiles[players] for players in PLAYERS))

    def _sagrada_tiles(self) -> tuple[SagradaTile, ...]:
        made = []
        for i, entry in enumerate(self._data.sagrada_tiles):
            effect = self._effect(entry.effect, f"sagrada_tiles[{i}].effect", expansion=entry.expansion)
            made.append(SagradaTile(entry.id, entry.name, entry.level - 1, entry.expansion, effect))
        return tuple(made)

    def _scorings(self) -> tuple[Scoring, ...]:
        base = [entry for entry in self._data.scorings if not entry.expansion]
        cerda, wanted = sum(entry.cerda for entry in base), CERDA_TILES + DISPLAY
        want(cerda >= CERDA_TILES, "scorings", f"must have at least {CERDA_TILES} Cerdà tiles of the base game")
        want(len(base) >= wanted, "scorings", f"must have at least {wanted} of the base game, not {len(base)}")
        made = []
        for i, entry in enumerate(self._data.scorings):
            count = self._count(entry.count, f"scorings[{i}].count", expansion=entry.expansion)
            most = NO_LIMIT if entry.most is None else entry.most
            made.append(Scoring(entry.id, entry.name, count, entry.vp, most, entry.cerda, entry.expansion))
        return tuple(made)

    # The Passeig de Gràcia

    def _amenities(self) -> tuple[Amenity, ...]:
        entries = self._data.passeig.amenities
        want(len(entries) >= AMENITIES, "passeig.amenities", f"must be at least {AMENITIES}, not {len(entries)}")
        replaced = {action.replaces for action in self._data.actions}
        made = []
        for i, entry in enumerate(entries):
            where = f"passeig.amenities[{i}]"
            want(entry.action not in replaced, f"{where}.action", f"{entry.action} is replaced in the expansion")
            action = self._base_action(entry.action, f"{where}.action")
            made.append(Amenity(entry.id, entry.name, self._count(entry.count, f"{where}.count"), entry.each, action))
        return tuple(made)

    def _violet(self) -> tuple[Violet, ...]:
        stones = self._data.passeig.violet
        for letter in "ABC":
            found = any(entry.letter == letter for entry in stones)
            want(found, "passeig.violet", f"must have a stone with each of the letters A, B and C: {letter} is missing")
        return tuple(
            Violet(
                entry.id, entry.name, "ABC".index(entry.letter), self._count(entry.count, f"passeig.violet[{i}].count")
            )
            for i, entry in enumerate(stones)
        )

    def _hexagon_rewards(self) -> tuple[int, ...]:
        rewards = self._data.passeig.hexagons.rewards
        numbers = self._each(rewards, "passeig.hexagons.rewards")
        for i, number in enumerate(numbers):
            self._want_one_gain(number, f"passeig.hexagons.rewards[{i}]", "it is multiplied")
        return numbers

    def _rings(self) -> tuple[tuple[int, ...], ...]:
        rings = self._data.passeig.hexagons.rings
        for i, ring in enumerate(rings):
            want(len(set(ring)) == len(ring), f"passeig.hexagons.rings[{i}]", "must be six different spaces")
        missing = set(range(1, HEXAGONS + 1)) - {space for ring in rings for space in ring}
        want(not missing, "passeig.hexagons.rings", f"must have every space; {min(missing, default=0)} is in none")
        return tuple(tuple(space - 1 for space in ring) for ring in rings)

    def _gaudi(self) -> Gaudi:
        gaudi = self._data.gaudi
        dice = (gaudi.dice.easy, gaudi.dice.normal, gaudi.dice.hard)
        for name, die in zip(("easy", "normal", "hard"), dice, strict=True):
            most = self._data.passeig.joy.most
            want(1 <= die <= most, f"gaudi.dice.{name}", f"must be 1 to {most}, the most Joy there is")
        return Gaudi(
            cards=tuple(
                GaudiCard(
                    ARROWS.index(card.arrow),
                    tuple(
                        self._base_action(action, f"gaudi.cards[{i}].actions[{j}]")
                        for j, action in enumerate(card.actions)
                    ),
                )
                for i, card in enumerate(gaudi.cards)
            ),
            worth=(gaudi.resource_vp.easy, gaudi.resource_vp.normal, gaudi.resource_vp.hard),
            dice=dice,
            tiles_a_level=gaudi.sagrada_tiles_a_level.tiles,
            start=at(gaudi.meeple.column - 1, gaudi.meeple.row - 1),
            for_action=gaudi.instead.action,
            for_tile=gaudi.instead.street_tile,
            for_street=gaudi.instead.passenger_street,
            for_hexagon=gaudi.instead.hexagon,
        )

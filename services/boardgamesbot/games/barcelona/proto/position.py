"""What everybody may know of a position of Barcelona as a message, and back with every number in its range.

Whether the numbers go together is `validity`'s business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.geometry import (
    BLOCKS_A_SIDE,
    INTERSECTIONS,
    SECTIONS,
    SITES,
    STREETS,
)
from boardgamesbot.games.barcelona.pedestrians import LAST_STEP
from boardgamesbot.games.barcelona.proto.fields import (
    MOST,
    Ids,
    number_of,
    so_many,
    within,
)
from boardgamesbot.games.barcelona.proto.gaudi import gaudi_to, read_gaudi
from boardgamesbot.games.barcelona.proto.options import options_from, options_to
from boardgamesbot.games.barcelona.proto.tasks import TaskCodec
from boardgamesbot.games.barcelona.ruleset import AMENITIES, HAND
from boardgamesbot.games.barcelona.state import NOBODY, BarcelonaState
from boardgamesbot.games.base import Malformed
from boardgamesbot.v1 import barcelona_pb2 as pb

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.game import Barcelona
    from boardgamesbot.games.chance import Chance

MOST_TASKS = 512
"""A dozen at most with the ruleset shipped; one of your own may have longer effects."""
_CLASSES = 3
_CERDA = 3

WHERE = "barcelona.position"

_Holder = pb.BarcelonaIntersection | pb.BarcelonaSection | pb.BarcelonaSpace


class PositionCodec:
    """Positions and their messages."""

    def __init__(self, game: Barcelona, ids: Ids) -> None:
        self._game = game
        self._ids = ids
        self._tasks = TaskCodec(ids)

    # Out

    def put(self, state: BarcelonaState, into: pb.BarcelonaPosition) -> None:
        """Write what is public in a position into its message, everything where it stays: what is given is copied."""
        into.options.CopyFrom(options_to(state.options))
        into.round = state.round
        into.first_player = state.first
        into.seat = state.seat
        into.ending = state.ending
        into.is_over = state.over
        into.undoable = state.undo
        self._put_board(state, into.board)
        self._put_display(state, into.display)
        if state.expansion:
            self._put_passeig(state, into.passeig)
        for seat in range(state.players):
            self._add_player(state, seat, into)
        into.tasks.extend(map(self._tasks.to, state.tasks))
        if state.solo:
            into.gaudi.CopyFrom(gaudi_to(state))

    def _put_board(self, state: BarcelonaState, into: pb.BarcelonaBoard) -> None:
        ids = self._ids
        into.actions.extend(ids.actions[action] for action in state.slots)
        into.intersections.extend(map(_intersection_to, state.citizens, state.intersection_owners))
        into.sections.extend(map(_section_to, state.streets, state.street_owners, state.passengers))
        into.sites.extend(map(_site_to, state.buildings, state.markers))
        into.row_bonuses.extend(state.bonus_left)
        into.track.CopyFrom(citizens_to(state.track))
        into.box.CopyFrom(citizens_to(state.box))
        for tile, scored in zip(state.cerda_tiles, state.scored, strict=True):
            into.cerda.add(tile=ids.scorings[tile], scored=scored)
        into.bag = len(state.bag)

    def _put_display(self, state: BarcelonaState, into: pb.BarcelonaDisplay) -> None:
        ids, tiles = self._ids, state.ruleset.service_tiles[state.boards]
        into.buildings.extend(state.buildings_left)
        into.sagrada.extend(ids.sagrada[tile] for tile in state.sagrada_left)
        into.modernisme.extend("" if tile < 0 else ids.scorings[tile] for tile in state.shown)
        into.modernisme_stack = len(state.modernisme_stack)
        for service, taken in zip(state.service_types, state.services_taken, strict=True):
            into.services.add(service=ids.services[service], left=tiles - taken)
        into.sidewalk.extend(map(_space_to, state.sidewalk))

    def _put_passeig(self, state: BarcelonaState, into: pb.BarcelonaPasseig) -> None:
        into.SetInParent()
        into.amenities.extend(self._ids.amenities[amenity] for amenity in state.amenities)
        into.violet.extend(self._ids.violet[stone] for stone in state.violet)
        into.hexagons.extend(map(_space_to, state.hexagons))

    def _add_player(self, state: BarcelonaState, seat: int, into: pb.BarcelonaPosition) -> None:
        ids = self._ids
        pair = slice(2 * seat, 2 * seat + 2)
        into.players.add(
            points=state.vp[seat],
            coins=state.coins[seat],
            cloth=state.cloth[seat],
            cerda=state.cerda[seat],
            sagrada=state.sagrada[seat],
            markers=state.marker_stacks[seat],
            narrow=state.narrow[seat],
            wide=state.wide[seat],
            intersections=state.intersections_built[seat],
            passengers=state.passengers_placed[seat],
            cobblestones=state.cobblestones_placed[seat],
            tram=state.trams[seat] + 1,
            projects=[
                pb.BarcelonaProject(tile="" if tile < 0 else ids.scorings[tile], improved=bool(improved))
                for tile, improved in zip(state.projects[seat], state.improved[seat], strict=True)
            ],
            services=[ids.services[service] for service in state.services_of[seat]],
            sagrada_tiles=[ids.sagrada[tile] for tile in state.sagrada_of[seat]],
            pedestrians=[
                pb.BarcelonaWalker(joy=joy, step=step)
                for joy, step in zip(state.joy[pair], state.path[pair], strict=True)
                if state.expansion
            ],
            hand=len(state.hands[seat]),
        )

    # In

    def read(self, message: pb.BarcelonaPosition, chance: Chance) -> BarcelonaState:
        """A state with what is public; hands, bag, stack and deck are as large as they should be, and unknown."""
        game = self._game
        players, options = len(message.players), options_from(game, message.options, f"{WHERE}.options")
        try:
            game.check_players(players, options)
        except Malformed as error:
            raise Malformed(f"{WHERE}.players", error.reason) from error
        state = BarcelonaState(game, game.ruleset, players, options, chance)
        state.round = within(message.round, 1, MOST, f"{WHERE}.round")
        state.first = within(message.first_player, 0, players - 1, f"{WHERE}.first_player")
        state.seat = within(message.seat, 0, players - 1, f"{WHERE}.seat")
        state.ending, state.over, state.undo = message.ending, message.is_over, message.undoable
        self._read_board(state, message.board, f"{WHERE}.board")
        self._read_display(state, message.display, f"{WHERE}.display")
        if message.HasField("passeig") != state.expansion:
            raise Malformed(f"{WHERE}.passeig", "must be there with Passeig de Gràcia, and only then")
        if state.expansion:
            self._read_passeig(state, message.passeig, f"{WHERE}.passeig")
        if message.HasField("gaudi") != state.solo:
            raise Malformed(f"{WHERE}.gaudi", "must be there in solo play, and only then")
        if state.solo:
            read_gaudi(state, message.gaudi, f"{WHERE}.gaudi")
        for seat, player in enumerate(message.players):
            self._read_player(state, seat, player, f"{WHERE}.players[{seat}]")
        if len(message.tasks) > MOST_TASKS:
            raise Malformed(f"{WHERE}.tasks", f"must be at most {MOST_TASKS}, not {len(message.tasks)}")
        state.tasks = [self._tasks.read(task, f"{WHERE}.tasks[{i}]") for i, task in enumerate(message.tasks)]
        return state

    def _read_board(self, state: BarcelonaState, board: pb.BarcelonaBoard, where: str) -> None:
        ids, players = self._ids, state.players
        state.slots = _tiles(board.actions, ids.actions, STREETS, f"{where}.actions")
        so_many(board.intersections, INTERSECTIONS, f"{where}.intersections")
        for i, intersection in enumerate(board.intersections):
            here = f"{where}.intersections[{i}]"
            top = within(intersection.top, 0, _CLASSES, f"{here}.top")
            bottom = within(intersection.bottom, 0, _CLASSES if top else 0, f"{here}.bottom")
            state.citizens[i] = top + 4 * bottom
            state.intersection_owners[i] = _owner(intersection, "owner", players, here)
        so_many(board.sections, SECTIONS, f"{where}.sections")
        for i, section in enumerate(board.sections):
            here = f"{where}.sections[{i}]"
            state.streets[i] = within(section.street, 0, 2, f"{here}.street")
            state.street_owners[i] = _owner(section, "owner", players, here)
            state.passengers[i] = _owner(section, "passenger", players, here)
        so_many(board.sites, SITES, f"{where}.sites")
        for i, site in enumerate(board.sites):
            here = f"{where}.sites[{i}]"
            state.buildings[i] = within(site.building, 0, moves.BUILDINGS, f"{here}.building") - 1
            if len(site.markers) > moves.BUILDINGS:
                raise Malformed(f"{here}.markers", f"must be at most {moves.BUILDINGS}, not {len(site.markers)}")
            state.markers[i] = tuple(
                within(marker, 0, players - 1, f"{here}.markers[{j}]") for j, marker in enumerate(site.markers)
            )
        so_many(board.row_bonuses, BLOCKS_A_SIDE, f"{where}.row_bonuses")
        state.bonus_left = list(board.row_bonuses)
        state.track = _citizens(board.track, f"{where}.track")
        state.box = _citizens(board.box, f"{where}.box")
        so_many(board.cerda, _CERDA, f"{where}.cerda")
        state.cerda_tiles = [
            number_of(ids.scorings, tile.tile, f"{where}.cerda[{i}].tile") for i, tile in enumerate(board.cerda)
        ]
        state.scored = [tile.scored for tile in board.cerda]
        state.bag = [0] * within(board.bag, 0, sum(state.ruleset.citizens), f"{where}.bag")

    def _read_display(self, state: BarcelonaState, display: pb.BarcelonaDisplay, where: str) -> None:
        ids, ruleset = self._ids, state.ruleset
        so_many(display.buildings, moves.BUILDINGS, f"{where}.buildings")
        state.buildings_left = [
            within(left, 0, building.tiles, f"{where}.buildings[{i}]")
            for i, (left, building) in enumerate(zip(display.buildings, ruleset.buildings, strict=True))
        ]
        state.sagrada_left = _tiles(display.sagrada, ids.sagrada, None, f"{where}.sagrada")
        so_many(display.modernisme, moves.DISPLAY, f"{where}.modernisme")
        state.shown = [
            number_of(ids.scorings, tile, f"{where}.modernisme[{i}]") if tile else -1
            for i, tile in enumerate(display.modernisme)
        ]
        stack = within(display.modernisme_stack, 0, len(ids.scorings), f"{where}.modernisme_stack")
        state.modernisme_stack = [-1] * stack
        so_many(display.services, moves.SERVICES, f"{where}.services")
        tiles = ruleset.service_tiles[state.boards]
        for i, service in enumerate(display.services):
            here = f"{where}.services[{i}]"
            state.service_types.append(number_of(ids.services, service.service, f"{here}.service"))
            state.services_taken.append(tiles - within(service.left, 0, tiles, f"{here}.left"))
        state.sidewalk = _owners(display.sidewalk, moves.SIDEWALK, state.players, f"{where}.sidewalk")

    def _read_passeig(self, state: BarcelonaState, passeig: pb.BarcelonaPasseig, where: str) -> None:
        ids = self._ids
        state.amenities = _tiles(passeig.amenities, ids.amenities, AMENITIES, f"{where}.amenities")
        state.violet = _tiles(passeig.violet, ids.violet, moves.VIOLETS, f"{where}.violet")
        state.hexagons = _owners(passeig.hexagons, moves.HEXAGONS, state.players, f"{where}.hexagons")

    def _read_player(self, state: BarcelonaState, seat: int, player: pb.BarcelonaPlayer, where: str) -> None:
        ids, ruleset = self._ids, state.ruleset
        for name, values, most in (
            ("points", state.vp, MOST),
            ("coins", state.coins, MOST),
            ("cloth", state.cloth, MOST),
            ("cerda", state.cerda, len(ruleset.multipliers) - 1),
            ("sagrada", state.sagrada, ruleset.sagrada_last),
            ("intersections", state.intersections_built, len(ruleset.intersection_cost)),
            ("passengers", state.passengers_placed, len(ruleset.passenger_cost)),
            ("cobblestones", state.cobblestones_placed, ruleset.cobblestones),
        ):
            values[seat] = within(getattr(player, name), 0, most, f"{where}.{name}")
        for name, stacks, sizes in (
            ("markers", state.marker_stacks, ruleset.markers.sizes),
            ("narrow", state.narrow, ruleset.narrow.sizes),
            ("wide", state.wide, ruleset.wide.sizes),
        ):
            left = getattr(player, name)
            so_many(left, len(sizes), f"{where}.{name}")
            stacks[seat] = [within(n, 0, sizes[i], f"{where}.{name}[{i}]") for i, n in enumerate(left)]
        state.trams[seat] = within(player.tram, 0, SECTIONS, f"{where}.tram") - 1
        so_many(player.projects, moves.PROJECTS, f"{where}.projects")
        state.projects[seat] = [
            number_of(ids.scorings, project.tile, f"{where}.projects[{i}].tile") if project.tile else -1
            for i, project in enumerate(player.projects)
        ]
        state.improved[seat] = [int(project.improved) for project in player.projects]
        state.services_of[seat] = _tiles(player.services, ids.services, None, f"{where}.services")
        state.sagrada_of[seat] = _tiles(player.sagrada_tiles, ids.sagrada, None, f"{where}.sagrada_tiles")
        so_many(player.pedestrians, 2 if state.expansion else 0, f"{where}.pedestrians")
        for i, walker in enumerate(player.pedestrians):
            here = f"{where}.pedestrians[{i}]"
            least = ruleset.gaudi.dice[state.difficulty] if state.is_gaudi(seat) else ruleset.joy_start
            state.joy[2 * seat + i] = within(walker.joy, least, ruleset.joy_most, f"{here}.joy")
            state.path[2 * seat + i] = within(walker.step, 0, LAST_STEP, f"{here}.step")
        state.hands[seat] = [0] * within(player.hand, 0, 0 if state.is_gaudi(seat) else HAND, f"{where}.hand")


def citizens_to(numbers: Sequence[int]) -> pb.BarcelonaCitizens:
    """The message of a number of citizens of each class."""
    working, middle, upper = numbers
    return pb.BarcelonaCitizens(working=working, middle=middle, upper=upper)


def _citizens(message: pb.BarcelonaCitizens, where: str) -> list[int]:
    return [within(getattr(message, name), 0, 99, f"{where}.{name}") for name in ("working", "middle", "upper")]


# The same few pieces again and again: their messages are copied into others, and not to be changed.


@cache
def _intersection_to(stack: int, owner: int) -> pb.BarcelonaIntersection:
    return pb.BarcelonaIntersection(
        top=cast("pb.BarcelonaCitizen.ValueType", stack & 3),
        bottom=cast("pb.BarcelonaCitizen.ValueType", stack >> 2),
        owner=_maybe(owner),
    )


@cache
def _section_to(street: int, owner: int, passenger: int) -> pb.BarcelonaSection:
    return pb.BarcelonaSection(
        street=cast("pb.BarcelonaStreet.ValueType", street), owner=_maybe(owner), passenger=_maybe(passenger)
    )


@cache
def _site_to(building: int, markers: tuple[int, ...]) -> pb.BarcelonaSite:
    return pb.BarcelonaSite(building=cast("pb.BarcelonaBuilding.ValueType", building + 1), markers=markers)


@cache
def _space_to(owner: int) -> pb.BarcelonaSpace:
    return pb.BarcelonaSpace(owner=_maybe(owner))


def _maybe(owner: int) -> int | None:
    return None if owner == NOBODY else owner


def _owner(message: _Holder, name: str, players: int, where: str) -> int:
    has: Callable[[Any], bool] = message.HasField
    return within(getattr(message, name), 0, players - 1, f"{where}.{name}") if has(name) else NOBODY


def _owners(spaces: Sequence[pb.BarcelonaSpace], count: int, players: int, where: str) -> list[int]:
    so_many(spaces, count, where)
    return [_owner(space, "owner", players, f"{where}[{i}]") for i, space in enumerate(spaces)]


def _tiles(names: Sequence[str], ids: Sequence[str], count: int | None, where: str) -> list[int]:
    """The numbers of tiles, none of them twice; `count` of them, unless it is None."""
    if count is not None:
        so_many(names, count, where)
    numbers: list[int] = []
    for i, name in enumerate(names):
        tile = number_of(ids, name, f"{where}[{i}]")
        if tile in numbers:
            raise Malformed(f"{where}[{i}]", f"{name} is there already")
        numbers.append(tile)
    return numbers

"""Whether a position that came from outside can be one: what every position of a game has in common.

Every number is in its range already (`proto.position`); here they must go together. What only Gaudí has is
`validity.gaudi`'s business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE
from boardgamesbot.games.barcelona.moves import PROJECTS
from boardgamesbot.games.barcelona.pedestrians import LAST_STEP, hexagons_left
from boardgamesbot.games.barcelona.ruleset import HAND
from boardgamesbot.games.barcelona.scoring import is_complete
from boardgamesbot.games.barcelona.streets import NARROW, WIDE
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.tiles import BESIDE, icons
from boardgamesbot.games.barcelona.validity.gaudi import are_tiles_of_solo, check_deck, check_gaudi
from boardgamesbot.games.barcelona.validity.tasks import check_asks, check_tasks
from boardgamesbot.games.base import Malformed

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.barcelona.view import BarcelonaView

_POSITION = "barcelona.position"
_BOARD = f"{_POSITION}.board"
_DISPLAY = f"{_POSITION}.display"


def check_state(state: BarcelonaState) -> None:
    """Raise Malformed, with the field, for a position that no game leads to; work out the legal moves of others."""
    _check_public(state)
    everybody = Counter(citizen for hand in (*state.hands, state.bag) for citizen in hand)
    for row, unseen in enumerate(_unseen(state)):
        if everybody[row + 1] != unseen:
            raise Malformed("barcelona.bag", f"with the hands, must hold {unseen} of class {row + 1}")
    if sorted(state.modernisme_stack) != _modernisme_unseen(state):
        raise Malformed("barcelona.modernisme_stack", "must hold the tiles that lie nowhere else")
    if state.solo:
        check_deck(state)
    state.legal = check_asks(state)


def check_view(view: BarcelonaView) -> None:
    """Raise Malformed unless some position agrees with the view; work out its legal moves."""
    position = view.position
    _check_public(position)
    unseen = _unseen(position)
    for citizen in view.hand:
        unseen[citizen - 1] -= 1
    if min(unseen) < 0:
        raise Malformed("barcelona.hand", "holds citizens that are elsewhere")
    legal = check_asks(position)
    position.legal = legal if view.seat == view.actor else []


def _check_public(state: BarcelonaState) -> None:
    _check_setup(state)
    if state.solo:
        check_gaudi(state)
    _check_streets(state)
    _check_passengers(state)
    _check_sidewalk(state)
    _check_services(state)
    _check_modernisme(state)
    check_tasks(state)
    _check_players(state)
    _check_sagrada(state)
    _check_buildings(state)
    _check_row_bonuses(state)
    _check_turn(state)
    _check_hands(state)
    _check_citizens(state)
    _check_scorings(state)


# The set-up


def _check_setup(state: BarcelonaState) -> None:
    """What is laid out at the start is a choice that the start can make (BA-S2, BA-S4, BA-S5, BA-PG1, BA-PG2)."""
    ruleset, expansion = state.ruleset, state.expansion
    instead = {a.replaces: i for i, a in enumerate(ruleset.actions) if a.replaces >= 0} if expansion else {}
    printed = [instead.get(action, action) for action in ruleset.first_game]
    if sorted(state.slots) != sorted(printed):
        raise Malformed(f"{_BOARD}.actions", "must be the Action tiles of this game, each once")
    if state.options["actions"] == "FIRST_GAME" and state.slots != printed:
        raise Malformed(f"{_BOARD}.actions", "must lie as printed, with these options")
    for i, tile in enumerate(state.cerda_tiles):
        scoring = ruleset.scorings[tile]
        if not scoring.cerda or (scoring.expansion and not expansion) or tile in state.cerda_tiles[:i]:
            raise Malformed(f"{_BOARD}.cerda[{i}].tile", "is no Cerdà Scoring tile of this game, or is there already")
    types = state.service_types
    wanted = ruleset.service_stacks[2] if expansion else 0
    if len(set(types)) != len(types) or sum(ruleset.services[t].expansion for t in types) != wanted:
        raise Malformed(f"{_DISPLAY}.services", f"must be of different types, {wanted} of them of the expansion")
    if [ruleset.violet[stone].letter for stone in state.violet] != [0, 1, 2] * expansion:
        raise Malformed(f"{_POSITION}.passeig.violet", "must be an A, a B and a C")
    if hexagons_left(state) < 0:
        raise Malformed(f"{_POSITION}.passeig.hexagons", f"must hold at most {ruleset.hexagon_stones} stones")


# Pieces on the board and those left on the player boards


def _check_streets(state: BarcelonaState) -> None:
    """Each player's tiles on the board are those gone from the player board (BA-ST1)."""
    for i, (kind, owner) in enumerate(zip(state.streets, state.street_owners, strict=True)):
        if bool(kind) != (owner >= 0):
            raise Malformed(f"{_BOARD}.sections[{i}].owner", "must be there with a street tile, and only then")
    built = Counter(zip(state.street_owners, state.streets, strict=True))
    for seat in range(state.players):
        for kind, name, left, sizes in (
            (NARROW, "narrow", state.narrow[seat], state.ruleset.narrow.sizes),
            (WIDE, "wide", state.wide[seat], state.ruleset.wide.sizes),
        ):
            _same(built[seat, kind], sum(sizes) - sum(left), f"{_POSITION}.players[{seat}].{name}")
    placed = Counter(state.intersection_owners)
    for seat, number in enumerate(state.intersections_built):
        _same(placed[seat], number, f"{_POSITION}.players[{seat}].intersections")


def _check_passengers(state: BarcelonaState) -> None:
    """Passengers on the board are those placed, by a tram that is there (BA-TR2)."""
    placed = Counter(state.passengers)
    for seat, number in enumerate(state.passengers_placed):
        _same(placed[seat], number, f"{_POSITION}.players[{seat}].passengers")
        if number and state.trams[seat] < 0 and not state.is_gaudi(seat):
            raise Malformed(f"{_POSITION}.players[{seat}].tram", "must be in the city, as passengers are")


def _check_sidewalk(state: BarcelonaState) -> None:
    """Cobblestones hang together from the start on, and are those placed (BA-C1)."""
    start = icons(state).index(-1)
    if state.sidewalk[start] >= 0:
        raise Malformed(f"{_DISPLAY}.sidewalk[{start}]", "must be free: the Sidewalk starts there")
    placed = Counter(state.sidewalk)
    for seat, number in enumerate(state.cobblestones_placed):
        _same(placed[seat], number, f"{_POSITION}.players[{seat}].cobblestones")
    reached, edge = {start}, [start]
    while edge:
        near = {space for space in BESIDE[edge.pop()] if state.sidewalk[space] >= 0} - reached
        reached |= near
        edge += near
    for space, owner in enumerate(state.sidewalk):
        if owner >= 0 and space not in reached:
            raise Malformed(f"{_DISPLAY}.sidewalk[{space}]", "does not hang together with the start")


def _same(on_board: int, gone: int, where: str) -> None:
    if on_board != gone:
        raise Malformed(where, f"must agree with the board, where there are {on_board}, not {gone}")


# Tiles


def _check_services(state: BarcelonaState) -> None:
    """Every tile gone from a stack is a player's, of each type one (BA-P1, BA-P2)."""
    for seat, types in enumerate(state.services_of):
        if not set(types) <= set(state.service_types):
            raise Malformed(f"{_POSITION}.players[{seat}].services", "must be of the types of this game")
    for stack, (service, taken) in enumerate(zip(state.service_types, state.services_taken, strict=True)):
        owners = sum(service in types for types in state.services_of)
        if taken != owners:
            raise Malformed(f"{_DISPLAY}.services[{stack}].left", f"must agree with the {owners} that players have")


def _modernisme_seen(state: BarcelonaState) -> Iterator[tuple[int, str]]:
    """Every Modernisme tile in sight, and where."""
    for i, tile in enumerate(state.shown):
        yield tile, f"{_DISPLAY}.modernisme[{i}]"
    for seat in range(state.players):
        for space in range(PROJECTS):
            yield state.projects[seat][space], f"{_POSITION}.players[{seat}].projects[{space}].tile"


def _modernisme_unseen(state: BarcelonaState) -> list[int]:
    """The tiles of the game that are not in sight: those of the stack."""
    seen = {*state.cerda_tiles, *(tile for tile, _ in _modernisme_seen(state))}
    return [
        tile
        for tile, scoring in enumerate(state.ruleset.scorings)
        if tile not in seen and (state.expansion or not scoring.expansion)
    ]


def _check_modernisme(state: BarcelonaState) -> None:
    """Each tile is in one place, and the twins of the Cerdà tiles in none (BA-S4, BA-M1)."""
    seen = set(state.cerda_tiles)
    for tile, where in _modernisme_seen(state):
        if tile >= 0 and (tile in seen or (state.ruleset.scorings[tile].expansion and not state.expansion)):
            raise Malformed(where, "is not in this game, or elsewhere already")
        if tile >= 0:
            seen.add(tile)
    unseen = len(_modernisme_unseen(state))
    if len(state.modernisme_stack) != unseen:
        raise Malformed(f"{_DISPLAY}.modernisme_stack", f"must be {unseen}, not {len(state.modernisme_stack)}")
    if unseen and -1 in state.shown:
        raise Malformed(f"{_DISPLAY}.modernisme", "must be full as long as there is a stack")


def _check_sagrada(state: BarcelonaState) -> None:
    """Each tile is in one place; players have one for each threshold they reached (BA-SF1, BA-SF2)."""
    ruleset, left = state.ruleset, state.sagrada_left
    everywhere = [*left, *(tile for tiles in state.sagrada_of for tile in tiles)]
    in_game = [i for i, tile in enumerate(ruleset.sagrada_tiles) if state.expansion or not tile.expansion]
    complete = are_tiles_of_solo(state, everywhere, in_game) if state.solo else sorted(everywhere) == in_game
    if not complete or left != sorted(left):
        raise Malformed(f"{_DISPLAY}.sagrada", "with the players', must be the tiles of this game, each once, in order")
    pending = Counter(task[1] for task in state.tasks if task[0] == Do.SAGRADA)
    left_of_level = {ruleset.sagrada_tiles[tile].level for tile in left}
    for seat in range(state.players):
        where = f"{_POSITION}.players[{seat}].sagrada_tiles"
        owned = Counter(ruleset.sagrada_tiles[tile].level for tile in state.sagrada_of[seat])
        for level, threshold in enumerate(ruleset.thresholds):
            asked = pending[level] if seat == state.seat else 0
            reached = state.sagrada[seat] >= threshold
            if owned[level] + asked > reached or (reached and not owned[level] + asked and level in left_of_level):
                raise Malformed(where, "must be one of each level reached on the track, unless it is being taken")


# Players


def _check_players(state: BarcelonaState) -> None:
    """Storage holds what it can, unless what stays is being decided; Pedestrians are on their way (BA-R1, BA-PG12)."""
    arriving = [task[1] for task in state.tasks if task[0] == Do.WENT_BACK]
    for seat in range(state.players):
        where = f"{_POSITION}.players[{seat}]"
        stored, capacity = state.coins[seat] + state.cloth[seat], state.capacity(seat)
        keeping = seat == state.seat and bool(state.tasks) and state.task[0] == Do.KEEP
        if (stored > capacity) != keeping:
            raise Malformed(
                f"{where}.coins", f"with cloth, must be at most {capacity}, except where it asks what stays"
            )
        for pedestrian in (0, 1):
            arrived = state.path[2 * seat + pedestrian] == LAST_STEP
            if arrived != (seat == state.seat and pedestrian in arriving):
                raise Malformed(
                    f"{where}.pedestrians[{pedestrian}].step", "must be at the end while it arrives, only then"
                )


# Buildings


def _pending(state: BarcelonaState, kind: Do) -> int:
    """The site of a pending task; -1 without one."""
    return next((task[1] for task in state.tasks if task[0] == kind), -1)


def _check_buildings(state: BarcelonaState) -> None:
    """A marker for each building on a site, the lower ones' kinds hidden beneath (BA-B3, BA-B4)."""
    unmarked = _pending(state, Do.MARKER)
    ruleset = state.ruleset
    hidden = [b.tiles - left for b, left in zip(ruleset.buildings, state.buildings_left, strict=True)]
    certain, total = 0, 0
    possible = 0
    for i, (kind, markers, site) in enumerate(zip(state.buildings, state.markers, ruleset.city.sites, strict=True)):
        where = f"{_BOARD}.sites[{i}]"
        levels = len(markers) + (i == unmarked)
        if kind < 0:
            if levels:
                raise Malformed(f"{where}.markers", "must lie on a building")
            continue
        if ruleset.buildings[kind].corner != site.corner:
            raise Malformed(f"{where}.building", "does not fit this site")
        if not 1 <= levels <= (1 if site.corner else kind + 1):
            raise Malformed(f"{where}.markers", "must be one for each building on this site")
        hidden[kind] -= 1
        total += levels - 1
        # Beneath a level 3 lies a level 2 for certain if there are two more, else perhaps; beneath a level 2 a level 1.
        certain += kind == 2 and levels == 3
        possible += kind == 2 and levels >= 2
    level_1, level_2, level_3, corner = hidden
    if min(hidden) < 0 or level_3 or corner or level_1 + level_2 != total or not certain <= level_2 <= possible:
        raise Malformed(f"{_DISPLAY}.buildings", "must agree with the sites and their markers")
    placed = Counter(seat for markers in state.markers for seat in markers)
    for seat, stacks in enumerate(state.marker_stacks):
        _same(placed[seat], sum(ruleset.markers.sizes) - sum(stacks), f"{_POSITION}.players[{seat}].markers")


def _check_row_bonuses(state: BarcelonaState) -> None:
    """A row's bonus is there until the first building of the row takes it (BA-B6)."""
    pending = _pending(state, Do.ROW_BONUS)
    unmarked = _pending(state, Do.MARKER) >= 0
    for row, is_left in enumerate(state.bonus_left):
        built = False
        for i, site in enumerate(state.ruleset.city.sites):
            if site.block // BLOCKS_A_SIDE == row and state.buildings[i] >= 0:
                is_new = i == pending and len(state.markers[i]) + unmarked == 1
                built = built or not is_new
        if is_left == built:
            raise Malformed(f"{_BOARD}.row_bonuses[{row}]", "must be there until a building stands in the row")


# Turns, citizens and the end


def _placed_turns(state: BarcelonaState) -> int:
    """How often two citizens have been placed so far, if the bag never held too few for Gaudí."""
    if state.over:
        return state.round * state.players
    if state.task[0] == Do.START_DIE:
        return 0
    turns = (state.round - 1) * state.players + (state.seat - state.first) % state.players
    return turns if state.task[0] in (Do.PLACE, Do.GAUDI) else turns + 1


def _gaudi_may_have_drawn_nothing(state: BarcelonaState) -> bool:
    """Whether the last turn of all can have been one of Gaudí's without citizens (BA-G16)."""
    return state.solo and state.over and len(state.bag) < HAND


def _check_turn(state: BarcelonaState) -> None:
    """Whose turn it is, when the game is over and when a move can't be taken back (BA-T1, BA-E1)."""
    if state.over and not (state.ending and state.seat == state.first):
        raise Malformed(f"{_POSITION}.is_over", "can't be before the last round is played to its end")
    if state.undo and (state.over or state.task[0] in (Do.PLACE, Do.START_DIE, Do.GAUDI)):
        raise Malformed(f"{_POSITION}.undoable", "can't be before the first move of a turn")


def _check_hands(state: BarcelonaState) -> None:
    """Two citizens before they are placed and after they are drawn; none if the bag had too few (BA-D1, BA-D2).

    Gaudí has no hand (BA-G1).
    """
    setting_up = not state.over and state.task[0] == Do.START_DIE
    placing = not state.over and state.task[0] == Do.PLACE
    for place in range(state.players):
        seat = (state.first + place) % state.players
        size = len(state.hands[seat])
        turn = (state.seat - state.first) % state.players
        if state.is_gaudi(seat):
            expected = {0}
        elif seat == state.seat and not state.over:
            expected = {HAND if placing or setting_up else 0}
        elif (state.over or place < turn) and state.ending and len(state.bag) < HAND:
            expected = {0, HAND}
        else:
            expected = {HAND}
        if size not in expected:
            raise Malformed(f"{_POSITION}.players[{seat}].hand", f"must be {max(expected)} at this point, not {size}")


def _off_board(state: BarcelonaState) -> list[int]:
    """Citizens by class that were on the board: on the track, out of the game, or on their way to the track."""
    gone = [track + box for track, box in zip(state.track, state.box, strict=True)]
    for task in state.tasks:
        for citizen in task[1:] if task[0] == Do.TO_TRACK else ():
            gone[citizen - 1] += 1
    return gone


def _unseen(state: BarcelonaState) -> list[int]:
    """Citizens by class that are in the bag or in a hand."""
    covered = len(state.ruleset.covered[state.boards])
    unseen = [all_ - gone - covered for all_, gone in zip(state.ruleset.citizens, _off_board(state), strict=True)]
    for stack in state.citizens:
        for citizen in (stack & 3, stack >> 2):
            if citizen:
                unseen[citizen - 1] -= 1
    return unseen


def _check_citizens(state: BarcelonaState) -> None:
    """Two for every turn so far, and all others in bag and hands (BA-A1, BA-B7)."""
    unseen, gone = _unseen(state), sum(_off_board(state))
    length, covered = len(state.ruleset.track_vp), len(state.ruleset.covered[state.boards])
    for name, number in zip(("working", "middle", "upper"), state.track, strict=True):
        if number > length - covered:
            raise Malformed(f"{_BOARD}.track.{name}", f"must be at most {length - covered}, not {number}")
    if min(unseen) < 0:
        raise Malformed(f"{_BOARD}.intersections", "with track and box, hold more citizens of a class than there are")
    placed = HAND * _placed_turns(state)
    on_board = sum((stack & 3 > 0) + (stack >> 2 > 0) for stack in state.citizens)
    if _gaudi_may_have_drawn_nothing(state) and on_board + gone == placed - HAND:
        placed -= HAND
    if on_board + gone != placed:
        raise Malformed(f"{_POSITION}.round", f"must fit the {on_board + gone} citizens placed so far, not {placed}")
    hidden = len(state.bag) + sum(len(hand) for hand in state.hands)
    if sum(unseen) != hidden:
        raise Malformed(f"{_BOARD}.bag", f"with the hands, must be {sum(unseen)} citizens, not {hidden}")
    housed = sum(
        building.citizens * (building.tiles - left)
        for building, left in zip(state.ruleset.buildings, state.buildings_left, strict=True)
    )
    if gone < housed or (gone - housed) % HAND:
        raise Malformed(f"{_BOARD}.track", f"with the box, must hold the {housed} citizens that buildings took")


def _check_scorings(state: BarcelonaState) -> None:
    """Sections are scored when they are complete, or all at once when the bag is empty (BA-CS1, BA-D2)."""
    if state.ending != all(state.scored):
        raise Malformed(f"{_POSITION}.ending", "must be so once all three Cerdà tiles are scored, and only then")
    for section, scored in enumerate(state.scored):
        complete = is_complete(state, section)
        bag_empty = state.ending and len(state.bag) < HAND
        if scored != complete and not (scored and bag_empty):
            raise Malformed(f"{_BOARD}.cerda[{section}].scored", "must be so once a row has filled its section")

"""Setting a game up by chance. The order of the draws is part of what a record rests on: do not change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.events import Drew, JoyGained, Reason
from boardgamesbot.games.barcelona.gaudi import SEAT
from boardgamesbot.games.barcelona.moves import DISPLAY
from boardgamesbot.games.barcelona.ruleset import AMENITIES, HAND, LEVELS
from boardgamesbot.games.barcelona.tasks import DO_START_DIE
from boardgamesbot.games.barcelona.turn import begin_turn

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Event


def deal(state: BarcelonaState) -> list[Event]:
    """Set the game up (BA-S1 to BA-S8, BA-PG1 to BA-PG3) and go on to the first decision."""
    events: list[Event] = []
    state.events = events
    state.first = state.seat = 0 if state.solo else state.chance.below(state.players)
    _lay_actions(state)
    _choose_scorings(state)
    _stack_services(state)
    tiles = state.ruleset.sagrada_tiles
    state.sagrada_left = [i for i, tile in enumerate(tiles) if state.expansion or not tile.expansion]
    if state.expansion:
        _lay_out_passeig(state)
    if state.solo:
        _set_up_gaudi(state)
    _fill_bag(state)
    for place in range(state.boards):
        seat = (state.first + place) % state.players
        state.hands[seat] = [state.bag.pop() for _ in range(HAND)]
        state.tell(Drew(seat, tuple(state.hands[seat])))
    if state.expansion and state.players > 2:
        _set_dice(state)
    else:
        begin_turn(state)
    state.settle()
    state.events = None
    return events


def _lay_actions(state: BarcelonaState) -> None:
    """Action tiles at the ends of the streets, those of the expansion instead of those they replace (BA-S2, BA-PG1)."""
    actions = state.ruleset.actions
    if state.options["actions"] == "FIRST_GAME":
        slots = list(state.ruleset.first_game)
    else:
        slots = [i for i, action in enumerate(actions) if action.replaces < 0]
        state.chance.shuffle(slots)
    if state.expansion:
        instead = {action.replaces: i for i, action in enumerate(actions) if action.replaces >= 0}
        slots = [instead.get(action, action) for action in slots]
    state.slots = slots


def _choose_scorings(state: BarcelonaState) -> None:
    """Three Cerdà tiles; the Modernisme tiles without their twins, four of them shown (BA-S4)."""
    entries = state.ruleset.scorings
    pool = [i for i, entry in enumerate(entries) if state.expansion or not entry.expansion]
    cerda = [i for i in pool if entries[i].cerda]
    state.chance.shuffle(cerda)
    state.cerda_tiles = cerda[:3]
    state.modernisme_stack = [i for i in pool if i not in state.cerda_tiles]
    state.chance.shuffle(state.modernisme_stack)
    state.shown = [state.modernisme_stack.pop() for _ in range(DISPLAY)]


def _stack_services(state: BarcelonaState) -> None:
    """Five types by chance; with the expansion one of its own in place of one of them (BA-S5, BA-PG1)."""
    services, (base, _, added) = state.ruleset.services, state.ruleset.service_stacks
    types = [i for i, service in enumerate(services) if not service.expansion]
    state.chance.shuffle(types)
    types = types[:base]
    if state.expansion:
        new = [i for i, service in enumerate(services) if service.expansion]
        state.chance.shuffle(new)
        places = list(range(base))
        state.chance.shuffle(places)
        for place, service in zip(places[:added], new, strict=False):
            types[place] = service
    state.service_types = types
    state.services_taken = [0] * len(types)


def _lay_out_passeig(state: BarcelonaState) -> None:
    """Six Amenities, and one violet stone of each letter (BA-PG2)."""
    amenities = list(range(len(state.ruleset.amenities)))
    state.chance.shuffle(amenities)
    state.amenities = amenities[:AMENITIES]
    for letter in range(3):
        stones = [i for i, stone in enumerate(state.ruleset.violet) if stone.letter == letter]
        state.violet.append(stones[state.chance.below(len(stones))])


def _set_up_gaudi(state: BarcelonaState) -> None:
    """Three Sagrada Família tiles a level; Gaudí's cards, his dice, and no goods (BA-G1)."""
    tiles, gaudi = state.ruleset.sagrada_tiles, state.ruleset.gaudi
    for level in range(LEVELS):
        here = [tile for tile in state.sagrada_left if tiles[tile].level == level]
        state.chance.shuffle(here)
        for tile in here[gaudi.tiles_a_level :]:
            state.sagrada_left.remove(tile)
    state.deck = list(range(len(gaudi.cards)))
    state.chance.shuffle(state.deck)
    state.coins[SEAT] = state.cloth[SEAT] = 0
    if state.expansion:
        state.joy[2 * SEAT : 2 * SEAT + 2] = [gaudi.dice[state.difficulty]] * 2


def _fill_bag(state: BarcelonaState) -> None:
    """All citizens but those that cover spaces of the track (BA-S3)."""
    covered = len(state.ruleset.covered[state.boards])
    state.bag = [citizen for citizen in (1, 2, 3) for _ in range(state.ruleset.citizens[citizen - 1] - covered)]
    state.chance.shuffle(state.bag)


def _set_dice(state: BarcelonaState) -> None:
    """More Joy for the dice of the fourth player, and for one of the third's, who chooses first (BA-PG3)."""
    die = state.ruleset.third_seat_die
    if state.players > 3:
        fourth = (state.first + 3) % state.players
        for pedestrian in (0, 1):
            state.joy[2 * fourth + pedestrian] = die
            state.tell(JoyGained(fourth, pedestrian, die, Reason.SETUP))
    state.seat = (state.first + 2) % state.players
    state.tasks.append((DO_START_DIE, state.seat))

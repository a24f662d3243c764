"""Barcelona's books: what must add up in every position, and players' goods as told by the events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE, SIDE
from boardgamesbot.games.barcelona.state import NOBODY, BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.base import Event

SIDEWALK_START = 12
HEXAGON_SPACES = 14
MOST_JOY = 6
ARRIVED = 4
"""The steps of a Pedestrian that has arrived and waits for what its arrival brings."""
GAUDI = 1
"""Gaudí's seat in solo play."""
CARDS = 8


def check_books(state: BarcelonaState) -> None:
    """Everything that is so at every decision, and at the end."""
    _check_moves(state)
    _check_citizens(state)
    _check_streets_and_passengers(state)
    _check_buildings(state)
    _check_storage(state)
    _check_tiles(state)
    _check_sidewalk(state)
    _check_scorings(state)
    _check_passeig(state)
    _check_gaudi(state)


def pending(state: BarcelonaState, kind: Do) -> list[Task]:
    """The tasks of a kind that are still to be done."""
    return [task for task in state.tasks if task[0] == kind]


def _check_moves(state: BarcelonaState) -> None:
    legal = state.legal_moves()
    assert legal == sorted(set(legal))
    assert bool(legal) == (not state.is_over)
    assert legal != [moves.STOP]
    assert state.is_over == (state.actor is None)
    assert not state.is_over or not state.tasks


def _check_citizens(state: BarcelonaState) -> None:
    where: Counter[int] = Counter()
    for stack in state.citizens:
        top, below = stack & 3, stack >> 2
        assert bool(top) == bool(stack), "only what has a citizen on top is a stack"
        assert 0 <= below <= 3
        where.update(citizen for citizen in (top, below) if citizen)
    where.update(state.bag)
    where.update(citizen for hand in state.hands for citizen in hand)
    where.update(citizen for task in pending(state, Do.TO_TRACK) for citizen in task[1:])
    covered = {2: 3, 3: 1, 4: 0}[state.players]
    for row in range(3):
        where[row + 1] += state.track[row] + state.box[row] + covered
        assert 0 <= state.track[row] <= 18 - covered
    assert where == {1: 25, 2: 24, 3: 23}
    for seat, hand in enumerate(state.hands):
        placed = seat == state.seat and not pending(state, Do.PLACE) and bool(pending(state, Do.DRAW))
        assert len(hand) == (0 if placed or state.is_gaudi(seat) else 2) or state.ending


def _check_streets_and_passengers(state: BarcelonaState) -> None:
    for seat in range(state.players):
        tiles = Counter(
            kind for kind, owner in zip(state.streets, state.street_owners, strict=True) if owner == seat and kind
        )
        assert tiles[1] + sum(state.narrow[seat]) == 10
        assert tiles[2] + sum(state.wide[seat]) == 5
        assert min(*state.narrow[seat], *state.wide[seat]) >= 0
        assert state.intersection_owners.count(seat) == state.intersections_built[seat] <= 5
        assert state.passengers.count(seat) == state.passengers_placed[seat] <= 4
        assert state.passengers_placed[seat] == 0 or state.trams[seat] >= 0 or state.is_gaudi(seat)
    for kind, owner in zip(state.streets, state.street_owners, strict=True):
        assert (kind == 0) == (owner == NOBODY)
        assert kind in (0, 1, 2)


def _check_buildings(state: BarcelonaState) -> None:
    unmarked = {task[1] for task in pending(state, Do.MARKER)}
    rows: set[int] = set()
    for site, (building, pile) in enumerate(zip(state.buildings, state.markers, strict=True)):
        place = state.ruleset.city.sites[site]
        height = len(pile) + (site in unmarked)
        assert (building >= 0) == (height > 0)
        if building >= 0:
            assert place.corner == (building == 3)
            assert height <= (1 if place.corner else building + 1), "a higher level each time"
            rows.add(place.block // BLOCKS_A_SIDE)
    for seat in range(state.players):
        assert sum(pile.count(seat) for pile in state.markers) + sum(state.marker_stacks[seat]) == 10
        assert min(state.marker_stacks[seat]) >= 0
    used = sum(map(len, state.markers)) + len(unmarked)
    assert sum(state.buildings_left) == 12 + 8 + 7 + 8 - used
    tops = Counter(state.buildings)
    for kind, (tiles, left) in enumerate(zip((12, 8, 7, 8), state.buildings_left, strict=True)):
        assert 0 <= left <= tiles - tops[kind]
    waiting = {state.ruleset.city.sites[task[1]].block // BLOCKS_A_SIDE for task in pending(state, Do.ROW_BONUS)}
    for row, left in enumerate(state.bonus_left):
        assert row in waiting or left == (row not in rows)


def _check_storage(state: BarcelonaState) -> None:
    for seat in range(state.players):
        assert state.coins[seat] >= 0
        assert state.cloth[seat] >= 0
        stored, room = state.coins[seat] + state.cloth[seat], 4 + state.cobblestones_placed[seat]
        keeping = bool(state.tasks) and state.task[0] == Do.KEEP and seat == state.seat
        assert stored > room if keeping else stored <= room
        assert 0 <= state.cerda[seat] <= 16
        assert 0 <= state.sagrada[seat] <= 10
    assert all(task[0] != Do.KEEP for task in state.tasks[:-1]), "what stays is chosen before anything else"


def _check_tiles(state: BarcelonaState) -> None:
    ruleset, players = state.ruleset, range(state.players)
    held = [tile for seat in players for tile in state.projects[seat] if tile >= 0]
    shown = [tile for tile in state.shown if tile >= 0]
    everywhere = [*state.cerda_tiles, *held, *shown, *state.modernisme_stack]
    in_play = [i for i, entry in enumerate(ruleset.scorings) if state.expansion or not entry.expansion]
    assert sorted(everywhere) == in_play
    assert len(shown) == 4 or not state.modernisme_stack
    taken = [tile for seat in players for tile in state.sagrada_of[seat]]
    in_play = [i for i, entry in enumerate(ruleset.sagrada_tiles) if state.expansion or not entry.expansion]
    there = sorted([*taken, *state.sagrada_left])
    if state.solo:
        assert len(set(there)) == len(there)
        assert set(there) <= set(in_play)
        assert Counter(ruleset.sagrada_tiles[tile].level for tile in there) == {0: 3, 1: 3, 2: 3, 3: 3}
    else:
        assert there == in_play
    for seat in players:
        waiting = [task[1] for task in pending(state, Do.SAGRADA) if seat == state.seat]
        levels = [ruleset.sagrada_tiles[tile].level for tile in state.sagrada_of[seat]]
        reached = sum(state.sagrada[seat] >= space for space in (2, 4, 7, 10))
        assert sorted([*levels, *waiting]) == list(range(reached))
        assert len(set(state.services_of[seat])) == len(state.services_of[seat])
    built = Counter(service for services in state.services_of for service in services)
    for service, number in zip(state.service_types, state.services_taken, strict=True):
        assert built.pop(service, 0) == number <= (2 if state.players == 2 else 3)
    assert not built


def _check_sidewalk(state: BarcelonaState) -> None:
    for seat in range(state.players):
        assert state.sidewalk.count(seat) == state.cobblestones_placed[seat] <= 6
    assert state.sidewalk[SIDEWALK_START] == NOBODY
    stones = {space for space, owner in enumerate(state.sidewalk) if owner != NOBODY}
    reached, edge = {SIDEWALK_START}, [SIDEWALK_START]
    while edge:
        row, column = divmod(edge.pop(), SIDE)
        for y, x in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            space = y * SIDE + x
            if 0 <= x < SIDE and space in stones - reached:
                reached.add(space)
                edge.append(space)
    assert reached == stones | {SIDEWALK_START}, "the Sidewalk is connected"


def _check_scorings(state: BarcelonaState) -> None:
    """A section is scored by the end of the turn that completed it; all of them when the bag is empty."""
    covered = {2: (0, 6, 12), 3: (6,), 4: ()}[state.players]
    for section in range(3):
        wanted = [
            6 * (section + 1) - sum(space < 6 * (section + 1) for space in covered) <= tracked
            for tracked in state.track
        ]
        complete = any(wanted)
        unchecked = bool(pending(state, Do.CERDA_CHECK))
        assert state.scored[section] == complete or (complete and unchecked) or len(state.bag) < 2
    assert state.ending == all(state.scored)
    assert state.ending or not state.is_over


def _check_passeig(state: BarcelonaState) -> None:
    arriving = {2 * state.seat + task[1] for task in pending(state, Do.WENT_BACK)}
    for die, (joy, steps) in enumerate(zip(state.joy, state.path, strict=True)):
        assert 1 <= joy <= MOST_JOY
        assert steps == ARRIVED if die in arriving else 0 <= steps < ARRIVED
        assert state.expansion or (joy, steps) == (1, 0)
        assert not (state.expansion and state.is_gaudi(die // 2)) or joy == 4 + state.difficulty
    assert len(state.hexagons) == HEXAGON_SPACES
    assert set(state.hexagons) <= {NOBODY, *range(state.players)}
    assert state.expansion or set(state.hexagons) == {NOBODY}


def _check_gaudi(state: BarcelonaState) -> None:
    """His cards are all there, one of them on top of the deck; he stores nothing and has no tram."""
    if not state.solo:
        assert state.deck == state.discards == []
        return
    assert state.players == 2
    assert sorted([*state.deck, *state.discards]) == list(range(CARDS))
    assert state.deck, "an arrow is in sight"
    assert 0 <= state.meeple < SIDE * SIDE
    assert (state.coins[GAUDI], state.cloth[GAUDI], state.trams[GAUDI]) == (0, 0, -1)
    assert state.hands[GAUDI] == []


class Ledger:
    """What every player has and where its markers stand, by what the events told and by nothing else."""

    def __init__(self, players: int, *, his_joy: int | None = None) -> None:
        """`his_joy`: what the dice of Gaudí show, who then has the second seat and begins without goods."""
        self.vp = [0] * players
        self.coins, self.cloth = [1] * players, [1] * players
        self.cerda, self.sagrada = [2] * players, [0] * players
        self.joy, self.path = [1] * (2 * players), [0] * (2 * players)
        self.solo = his_joy is not None
        if his_joy is not None:
            self.coins[GAUDI] = self.cloth[GAUDI] = 0
            self.joy[2 * GAUDI :] = [his_joy, his_joy]
        self.turns = [0] * players
        self.ended: ev.Ended | None = None

    def read(self, events: Iterable[Event]) -> None:
        """Enter what happened."""
        for event in events:
            self._enter(event)

    def _enter(self, event: Event) -> None:
        match event:
            case ev.TurnBegan(seat, number):
                self.turns[seat] += 1
                assert self.turns[seat] == number
            case ev.Scored(seat, points, _):
                assert points > 0
                self.vp[seat] += points
            case ev.GaudiGained(seat, resources, points, _):
                assert self.solo
                assert seat == GAUDI
                assert points % resources == 0
                self.vp[seat] += points
            case ev.Gained(seat, coins, cloth, _):
                assert not (self.solo and seat == GAUDI)
                self.coins[seat] += coins
                self.cloth[seat] += cloth
            case ev.Paid(seat, coins, cloth):
                self.coins[seat] -= coins
                self.cloth[seat] -= cloth
            case ev.Kept(seat, coins, cloth):
                assert coins <= self.coins[seat]
                assert cloth <= self.cloth[seat]
                self.coins[seat], self.cloth[seat] = coins, cloth
            case ev.Advanced(seat, track, steps, space, _):
                row = self.cerda if track == ev.Track.CERDA else self.sagrada
                row[seat] += steps
                assert row[seat] == space
            case ev.JoyGained(seat, pedestrian, joy, _):
                assert joy > self.joy[2 * seat + pedestrian]
                self.joy[2 * seat + pedestrian] = joy
            case ev.Stepped(seat, pedestrian, step):
                self.path[2 * seat + pedestrian] += 1
                assert self.path[2 * seat + pedestrian] == step <= 3
            case ev.Arrived(seat, pedestrian, joy):
                assert self.path[2 * seat + pedestrian] == 3
                assert self.joy[2 * seat + pedestrian] == joy
                self.path[2 * seat + pedestrian] = ARRIVED
            case ev.WentBack(seat, pedestrian):
                self.path[2 * seat + pedestrian] = 0
                if not (self.solo and seat == GAUDI):
                    self.joy[2 * seat + pedestrian] = 1
            case ev.Ended():
                self.ended = event

    def check(self, state: BarcelonaState) -> None:
        """The events told all of it."""
        told = (self.vp, self.coins, self.cloth, self.cerda, self.sagrada, self.joy, self.path)
        assert told == (state.vp, state.coins, state.cloth, state.cerda, state.sagrada, state.joy, state.path)
        assert (self.ended is not None) == state.is_over

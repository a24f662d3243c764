"""How the greedy bot of Barcelona plays on in its thoughts: every choice rated at once, without trying it."""

from __future__ import annotations

from collections.abc import Callable

from boardgamesbot.games.barcelona.effects import Op, ops_of
from boardgamesbot.games.barcelona.geometry import STREETS, street_of
from boardgamesbot.games.barcelona.interpreter import can
from boardgamesbot.games.barcelona.moves import RANGE, STOP, parts
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.streets import NARROW, WIDE, intersection_cost, run_length, tiles, visible_benefits
from boardgamesbot.games.barcelona.tasks import Do, Task
from boardgamesbot.games.barcelona.tiles import icons, improve_cost, open_spaces, service_cost, services_in_reach
from boardgamesbot.games.barcelona.trams import passenger_cost, reachable
from boardgamesbot.games.base import Move
from boardgamesbot.players.barcelona_sites import Sites
from boardgamesbot.players.barcelona_worth import Outlook

_NESTED = {
    Op.NARROW: 4.0,
    Op.WIDE: 7.0,
    Op.INTERSECTION: 4.0,
    Op.COBBLESTONE: 4.5,
    Op.SERVICE: 8.0,
    Op.MODERNISME: 8.0,
    Op.IMPROVE: 6.0,
    Op.TRAM: 7.0,
}
"""What an effect inside an effect is taken to be worth, for each piece."""
_PAYS = {Op.INTERSECTION, Op.SERVICE, Op.IMPROVE, Op.TRAM}
_GAINS = {Op.GAIN, Op.RESOURCE}
_UPPER_WASTED = 0.4
_COVERED_TOP = 0.3
_FIRST, _SECOND, _LAST = 300.0, 200.0, 100.0


class Quick:
    """Rates what can be decided within a turn, with the prices of an outlook."""

    def __init__(self, outlook: Outlook, state: BarcelonaState) -> None:
        self.outlook = outlook
        self.seat = outlook.seat
        self.ruleset = ruleset = outlook.ruleset
        self._nodes = ruleset.nodes
        self._ops = [ops_of(ruleset.nodes, action.effect) for action in ruleset.actions]
        self.of_street = [0.0] * STREETS
        """What the action of each street is worth at the start, a tram's with the best of the others."""
        trams = [street for street in range(STREETS) if Op.TRAM in self._ops[state.slots[street]]]
        for street in range(STREETS):
            if street not in trams:
                self.of_street[street] = self.action(state, street)
        for street in trams:
            self.of_street[street] = self.action(state, street)
        self.sites = Sites(outlook, state, [self.effect(state, kind.effect, nested=True) for kind in ruleset.buildings])
        self._ways: dict[int, Callable[[BarcelonaState, Task], list[float]]] = {
            Do.PLACE: self._place,
            Do.ACTIONS: self._actions,
            Do.KEEP: self._keep,
            Do.STREET: self._street,
            Do.STREET_STACK: lambda s, task: self._stack(s, tiles(s, self.seat, task[1])),
            Do.INTERSECTION: self._intersection,
            Do.TRAM: self._tram,
            Do.PASSENGER: self._passenger,
            Do.RIDE: self._ride,
            Do.COBBLESTONE: self._cobblestone,
            Do.SERVICE: self._service,
            Do.MODERNISME: self._modernisme,
            Do.IMPROVE: self._improve,
            Do.SAGRADA: self._sagrada,
            Do.CHOICE: self._choice,
            Do.WALK: self._walk,
            Do.WALK_ONE: self._walk_one,
            Do.JOY_ANY: self._joy_any,
            Do.HEXAGON: self._hexagon,
            Do.RESOURCE: self._resource,
            Do.BUILD: self._build,
            Do.MARKER: lambda s, _: self._stack(s, s.marker_stacks[self.seat]),
        }

    def rate(self, state: BarcelonaState) -> list[float]:
        """How good each legal move looks, in their order."""
        way = self._ways.get(state.task[0])
        return [0.0] * len(state.legal) if way is None else way(state, state.task)

    def pick(self, state: BarcelonaState) -> Move:
        """The move that looks best, the first of several."""
        legal = state.legal
        if len(legal) == 1:
            return legal[0]
        ratings = self.rate(state)
        return legal[ratings.index(max(ratings))]

    # Effects

    def action(self, state: BarcelonaState, street: int) -> float:
        """What a street's action is worth now; 0 where it can't be taken."""
        effect = self.ruleset.actions[state.slots[street]].effect
        return self.effect(state, effect) if can(state, effect) else 0.0

    def effect(self, state: BarcelonaState, number: int, *, nested: bool = False) -> float:
        """What an effect is worth; nested ones are not looked into."""
        op, a, b, kids = self._nodes[number]
        outlook, seat = self.outlook, self.seat
        match op:
            case Op.SEQUENCE | Op.ANY_ORDER:
                return sum(self.effect(state, kid, nested=nested) for kid in kids)
            case Op.CHOICE:
                return max(self.effect(state, kid, nested=nested) for kid in kids)
            case Op.VP:
                return a
            case Op.VP_PER:
                return a * outlook.count(state, b)
            case Op.GAIN:
                return outlook.gain(state, a, b)
            case Op.RESOURCE:
                return max(outlook.gain(state, a, 0), outlook.gain(state, 0, a))
            case Op.CERDA:
                return max(-state.cerda[seat], a) * outlook.step
            case Op.SAGRADA:
                table, space = outlook.sagrada, state.sagrada[seat]
                return table[min(len(table) - 1, space + a)] - table[space]
            case Op.JOY:
                return self._joy(state, a, b)
            case Op.JOY_ANY:
                return max(self._joy(state, 0, a), self._joy(state, 1, a))
            case Op.MOVE:
                return self._walked(state, a, b)
            case Op.MOVE_ONE:
                return max(self._walked(state, 0, a), self._walked(state, 1, a))
        if not can(state, number):
            return 0.0
        if nested:
            return _NESTED[op] * (a if op in (Op.NARROW, Op.WIDE, Op.IMPROVE) else 1)
        return self._piece(state, op, a, b)

    def _piece(self, state: BarcelonaState, op: Op, a: int, b: int) -> float:
        """What an effect that places, takes or moves something is worth at its best."""
        match op:
            case Op.NARROW | Op.WIDE:
                kind = NARROW if op == Op.NARROW else WIDE
                found = sorted(self._section(state, kind, s) for s, built in enumerate(state.streets) if not built)
                return sum(found[-min(a, sum(tiles(state, self.seat, kind))) :])
            case Op.INTERSECTION:
                owners = enumerate(state.intersection_owners)
                return max(self._crossing(state, i, free=bool(a)) for i, owner in owners if owner < 0)
            case Op.COBBLESTONE:
                return max(self._stone(state, space) for space in open_spaces(state))
            case Op.SERVICE:
                return max(self._built_service(state, stack) for stack in services_in_reach(state, self.seat))
            case Op.MODERNISME:
                improved = max(
                    done
                    for done, tile in zip(state.improved[self.seat], state.projects[self.seat], strict=True)
                    if tile < 0
                )
                return max(self._tile(state, tile, improved) for tile in state.shown if tile >= 0)
            case Op.IMPROVE:
                spaces = enumerate(state.improved[self.seat])
                return max(self._improved(state, space, free=bool(b)) for space, done in spaces if not done)
            case Op.TRAM:
                found_bits = reachable(state, self.seat)
                sections = (s for s in range(len(state.streets)) if found_bits >> s & 1)
                return max(self._ridden(state, section, free=bool(a)) for section in sections)
        return 0.0

    # Pieces

    def _section(self, state: BarcelonaState, kind: int, section: int) -> float:
        points, steps, coins, cloth = self.ruleset.icon_gains[section]
        outlook = self.outlook
        worth = points + steps * outlook.step + self.ruleset.run_vp[kind] * run_length(state, section)
        if coins or cloth:
            worth += outlook.gain(state, coins, cloth)
        return worth + outlook.of("wide_streets" if kind == WIDE else "narrow_streets")

    def _crossing(self, state: BarcelonaState, intersection: int, *, free: bool) -> float:
        points, steps, coins, cloth = visible_benefits(state, intersection)
        outlook = self.outlook
        cost = 0 if free else intersection_cost(state, self.seat) or 0
        held, now, room = state.cloth[self.seat], state.coins[self.seat], state.capacity(self.seat)
        worth = points + steps * outlook.step + outlook.of("intersections")
        worth += outlook.stored(now + coins, held - cost + cloth, room) - outlook.stored(now, held, room)
        return worth + (0.3 if self.ruleset.city.on_diagonal[intersection] else 0.0)

    def _stone(self, state: BarcelonaState, space: int) -> float:
        return self.outlook.of("cobblestones") + self.effect(state, icons(state)[space], nested=True)

    def _built_service(self, state: BarcelonaState, stack: int) -> float:
        tier, service = state.services_taken[stack], state.service_types[stack]
        cost = service_cost(state, stack) or 0
        worth = self.effect(state, self.ruleset.service_effect[tier])
        worth += self.effect(state, self.ruleset.services[service].effect, nested=True)
        return worth + self.outlook.of("services") + self.outlook.gain(state, -cost, 0)

    def _tile(self, state: BarcelonaState, tile: int, improved: int) -> float:
        plain, better = self.ruleset.project_factors
        return self.outlook.tile(state, tile) * (better if improved else plain) + self.outlook.of("modernisme_tiles")

    def _improved(self, state: BarcelonaState, space: int, *, free: bool) -> float:
        cost = 0 if free else improve_cost(state, self.seat) or 0
        tile = state.projects[self.seat][space]
        plain, better = self.ruleset.project_factors
        adds = self.outlook.tile(state, tile) * (better - plain) if tile >= 0 else self.outlook.empty_improved
        return adds + self.outlook.of("improved_spaces") + self.outlook.gain(state, 0, -cost)

    def _ridden(self, state: BarcelonaState, section: int, *, free: bool) -> float:
        """What the tram on a section brings: a passenger, if there may be one, and the action of its street."""
        cost = passenger_cost(state, self.seat)
        if cost is None or state.passengers[section] >= 0 or not (free or cost <= state.cloth[self.seat]):
            return 0.0
        worth = self.outlook.of("passengers") + max(0.0, self.of_street[street_of(section)])
        if state.street_owners[section] == self.seat:
            worth += self.ruleset.run_vp[state.streets[section]] * run_length(state, section)
        if state.streets[section]:
            worth += self.outlook.of("passengers_on_streets")
        return worth if free else worth + self.outlook.gain(state, 0, -cost)

    def _joy(self, state: BarcelonaState, which: int, more: int) -> float:
        i = 2 * self.seat + which
        joy, path = state.joy[i], state.path[i]
        after = min(self.ruleset.joy_most, joy + more)
        if after == joy:
            return 0.0
        return self.outlook.pedestrian(state, which, after, path) - self.outlook.pedestrian(state, which, joy, path)

    def _walked(self, state: BarcelonaState, which: int, steps: int) -> float:
        """What up to so many steps are worth, one after another as long as they help."""
        i, outlook = 2 * self.seat + which, self.outlook
        joy, path = state.joy[i], state.path[i]
        before = outlook.pedestrian(state, which, joy, path)
        best = worth = 0.0
        for _ in range(steps):
            arrived, joy, path = outlook.step_on(state, which, joy, path)
            worth += arrived
            best = max(best, worth + outlook.pedestrian(state, which, joy, path) - before)
        return best

    # Decisions

    def _place(self, state: BarcelonaState, _: Task) -> list[float]:
        """The actions of the streets and the best building there will be."""
        city, sites, tops = self.ruleset.city, self.sites, [stack & 3 for stack in state.citizens]
        standing = [sites.best(state, i, [tops[c] for c in site.around]) for i, site in enumerate(city.sites)]
        order = sorted(range(len(standing)), key=standing.__getitem__, reverse=True)
        cost = -self.outlook.gain(state, -min(state.coins[self.seat], self.ruleset.diagonal_cost), 0)
        actions = [max(0.0, worth) for worth in self.of_street]
        ratings = []
        for move in state.legal:
            where, top = divmod(move % RANGE, 4)
            around = sites.around[where]
            build = next((standing[i] for i in order if i not in around), 0.0)
            tops[where] = top
            for i in around:
                build = max(build, sites.best(state, i, [tops[c] for c in city.sites[i].around]))
            tops[where] = 0
            worth = build + sum(actions[street] for street in city.streets_at[where])
            if city.on_diagonal[where]:
                worth -= cost
            if state.intersection_owners[where] not in (-1, self.seat):
                worth -= self.ruleset.owner_vp / 2
            ratings.append(worth)
        return ratings

    def _actions(self, state: BarcelonaState, _: Task) -> list[float]:
        """What pays comes last, what fills the storage first, unless it would overflow."""
        room = state.capacity(self.seat) - state.coins[self.seat] - state.cloth[self.seat]
        ratings = []
        for move in state.legal:
            if move == STOP:
                ratings.append(0.0)
                continue
            street = move % RANGE
            worth = self.action(state, street)
            ops = self._ops[state.slots[street]]
            if worth <= 0:
                ratings.append(worth - 1)
            elif ops & _GAINS:
                ratings.append((_FIRST if room >= 2 else 0.0) + worth)
            else:
                ratings.append((_LAST if ops & _PAYS else _SECOND) + worth)
        return ratings

    def _keep(self, state: BarcelonaState, _: Task) -> list[float]:
        room, outlook = state.capacity(self.seat), self.outlook
        return [outlook.stored(move % RANGE, room - move % RANGE, room) for move in state.legal]

    def _street(self, state: BarcelonaState, task: Task) -> list[float]:
        return [0.0 if move == STOP else self._section(state, task[1], move % RANGE) for move in state.legal]

    def _stack(self, state: BarcelonaState, left: list[int]) -> list[float]:
        """The stack nearest to its reward."""
        return [-float(left[move % RANGE]) for move in state.legal]

    def _intersection(self, state: BarcelonaState, task: Task) -> list[float]:
        free = bool(task[1])
        return [0.0 if move == STOP else self._crossing(state, move % RANGE, free=free) for move in state.legal]

    def _tram(self, state: BarcelonaState, task: Task) -> list[float]:
        free = bool(task[1])
        return [-1.0 if move == STOP else self._ridden(state, move % RANGE, free=free) for move in state.legal]

    def _passenger(self, state: BarcelonaState, task: Task) -> list[float]:
        return [0.0 if move == STOP else self._ridden(state, task[1], free=bool(task[2])) for move in state.legal]

    def _ride(self, state: BarcelonaState, task: Task) -> list[float]:
        return [0.0 if move == STOP else self.action(state, street_of(task[1])) for move in state.legal]

    def _cobblestone(self, state: BarcelonaState, _: Task) -> list[float]:
        return [0.0 if move == STOP else self._stone(state, move % RANGE) for move in state.legal]

    def _service(self, state: BarcelonaState, _: Task) -> list[float]:
        return [self._built_service(state, move % RANGE) for move in state.legal]

    def _modernisme(self, state: BarcelonaState, _: Task) -> list[float]:
        ratings = []
        for move in state.legal:
            if move == STOP:
                ratings.append(0.0)
                continue
            made = parts(move)
            improved = state.improved[self.seat][made.which]
            ratings.append(self._tile(state, state.shown[made.what], improved))
        return ratings

    def _improve(self, state: BarcelonaState, task: Task) -> list[float]:
        free = bool(task[2])
        return [0.0 if move == STOP else self._improved(state, move % RANGE, free=free) for move in state.legal]

    def _sagrada(self, state: BarcelonaState, _: Task) -> list[float]:
        tiles_ = self.ruleset.sagrada_tiles
        return [self.effect(state, tiles_[move % RANGE].effect) for move in state.legal]

    def _choice(self, state: BarcelonaState, task: Task) -> list[float]:
        kids = self._nodes[task[1]].kids
        return [0.0 if move == STOP else self.effect(state, kids[move % RANGE]) for move in state.legal]

    def _walk(self, state: BarcelonaState, task: Task) -> list[float]:
        _, which, left = task
        return [0.0 if move == STOP else self._walked(state, which, left) - 0.01 for move in state.legal]

    def _walk_one(self, state: BarcelonaState, task: Task) -> list[float]:
        return [0.0 if move == STOP else self._walked(state, move % RANGE, task[1]) for move in state.legal]

    def _joy_any(self, state: BarcelonaState, task: Task) -> list[float]:
        return [self._joy(state, move % RANGE, task[1]) for move in state.legal]

    def _hexagon(self, state: BarcelonaState, _: Task) -> list[float]:
        ratings = []
        for move in state.legal:
            made = parts(move)
            times = self.outlook.count(state, self.ruleset.violet[state.violet[made.which]].count)
            ratings.append(times * self.outlook.reward(self.ruleset.hexagon_rewards[made.what]))
        return ratings

    def _resource(self, state: BarcelonaState, task: Task) -> list[float]:
        gain, much = self.outlook.gain, task[1]
        return [gain(state, 0, much) if move % RANGE else gain(state, much, 0) for move in state.legal]

    def _build(self, state: BarcelonaState, _: Task) -> list[float]:
        """What the building is worth, less what the choice of citizens opens to others."""
        ratings = []
        sites = self.ruleset.city.sites
        for move in state.legal:
            made = parts(move)
            worth = self.sites.worth[made.what][made.which]
            for bit, intersection in enumerate(sites[made.what].around):
                if made.using >> bit & 1:
                    stack = state.citizens[intersection]
                    worth -= _UPPER_WASTED if stack & 3 == 3 and made.which != 2 else 0.0
                    worth -= _COVERED_TOP if stack >> 2 == 3 else 0.0
            ratings.append(worth)
        return ratings

"""How the greedy bot of Barcelona plays on in its thoughts: every choice rated at once, without trying it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from boardgamesbot.games.barcelona.effects import Node, Op
from boardgamesbot.games.barcelona.geometry import SECTIONS, STREETS, street_of
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

_CHOICE: Final = int(Op.CHOICE)
"""What an effect does as a plain integer, and so on below: compiled, it costs no look-up."""
_ANY_ORDER: Final = int(Op.ANY_ORDER)
"""The last of those that are made of others."""
_VP: Final = int(Op.VP)
_GAIN: Final = int(Op.GAIN)
_RESOURCE: Final = int(Op.RESOURCE)
_CERDA: Final = int(Op.CERDA)
_SAGRADA: Final = int(Op.SAGRADA)
_NARROW: Final = int(Op.NARROW)
_WIDE: Final = int(Op.WIDE)
_INTERSECTION: Final = int(Op.INTERSECTION)
_COBBLESTONE: Final = int(Op.COBBLESTONE)
_SERVICE: Final = int(Op.SERVICE)
_MODERNISME: Final = int(Op.MODERNISME)
_IMPROVE: Final = int(Op.IMPROVE)
_TRAM: Final = int(Op.TRAM)
_MOVE: Final = int(Op.MOVE)
"""The first of those on Pedestrians."""
_JOY: Final = int(Op.JOY)
_JOY_ANY: Final = int(Op.JOY_ANY)
_VP_PER: Final = int(Op.VP_PER)
_NESTED = {
    _NARROW: 4.0,
    _WIDE: 7.0,
    _INTERSECTION: 4.0,
    _COBBLESTONE: 4.5,
    _SERVICE: 8.0,
    _MODERNISME: 8.0,
    _IMPROVE: 6.0,
    _TRAM: 7.0,
}
"""What an effect inside an effect is taken to be worth, for each piece."""
_GAINS: Final = 1
_PAYS: Final = 2
_BY_TRAM: Final = 4
_SORT_OF = {
    _GAIN: _GAINS,
    _RESOURCE: _GAINS,
    _INTERSECTION: _PAYS,
    _SERVICE: _PAYS,
    _IMPROVE: _PAYS,
    _TRAM: _PAYS | _BY_TRAM,
}
"""What is done by an action, as bits: by what its effect is made of."""
_COIN: Final = 128
"""More than the cloth of any icon."""
_DIAGONAL = 0.3
"""What an Intersection tile on the diagonal is worth more."""
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
        self._sorts = [_sort(ruleset.nodes, action.effect) for action in ruleset.actions]
        of = outlook.of
        self._of_street_tile = (0.0, of("narrow_streets"), of("wide_streets"))
        """By kind, what one more of them is worth beside what it brings at once; so for the pieces below."""
        self._of_intersection = of("intersections")
        self._of_passenger = of("passengers")
        self._of_passenger_on_street = of("passengers_on_streets")
        self._of_cobblestone = of("cobblestones")
        self._of_icon: list[float] = []
        """What is printed on each section, without its coins and cloth."""
        self._goods: list[int] = []
        """Its coins and its cloth in one number: the coins times `_COIN`, and the cloth."""
        for points, steps, coins, cloth in ruleset.icon_gains:
            self._of_icon.append(points + steps * outlook.step)
            self._goods.append(_COIN * coins + cloth)
        self.of_street = [0.0] * STREETS
        """What the action of each street is worth at the start, a tram's with the best of the others."""
        trams = [street for street in range(STREETS) if self._sorts[state.slots[street]] & _BY_TRAM]
        for street in range(STREETS):
            if street not in trams:
                self.of_street[street] = self.action(state, street)
        for street in trams:
            self.of_street[street] = self.action(state, street)
        self.sites = Sites(outlook, state, [self.effect(state, kind.effect, nested=True) for kind in ruleset.buildings])

    def rate(self, state: BarcelonaState) -> list[float]:
        """How good each legal move looks, in their order."""
        task = state.tasks[-1]
        way = _WAYS.get(task[0])
        return [0.0] * len(state.legal) if way is None else way(self, state, task)

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
        node = self._nodes[number]
        op: int = node.op
        a, b = node.a, node.b
        outlook, seat = self.outlook, self.seat
        if op == _GAIN:
            return outlook.gain(state, a, b)
        if op == _VP:
            return a
        if op == _CERDA:
            return max(-state.cerda[seat], a) * outlook.step
        if op == _SAGRADA:
            table, space = outlook.sagrada, state.sagrada[seat]
            return table[min(len(table) - 1, space + a)] - table[space]
        if op <= _ANY_ORDER:
            worths = [self.effect(state, kid, nested=nested) for kid in node.kids]
            return max(worths) if op == _CHOICE else sum(worths)
        if op == _RESOURCE:
            return max(outlook.gain(state, a, 0), outlook.gain(state, 0, a))
        if op == _VP_PER:
            return a * outlook.count(state, b)
        if op >= _MOVE:
            return self._strolled(state, op, a, b)
        if not can(state, number):
            return 0.0
        if nested:
            return _NESTED[op] * (a if op in (_NARROW, _WIDE, _IMPROVE) else 1)
        return self._piece(state, op, a, b)

    def _strolled(self, state: BarcelonaState, op: int, a: int, b: int) -> float:
        """What an effect on Pedestrians is worth."""
        if op == _JOY:
            return self._joy(state, a, b)
        if op == _JOY_ANY:
            return max(self._joy(state, 0, a), self._joy(state, 1, a))
        if op == _MOVE:
            return self._walked(state, a, b)
        return max(self._walked(state, 0, a), self._walked(state, 1, a))

    def _piece(self, state: BarcelonaState, op: int, a: int, b: int) -> float:
        """What an effect that places, takes or moves something is worth at its best."""
        seat = self.seat
        if op in (_NARROW, _WIDE):
            kind = NARROW if op == _NARROW else WIDE
            sections = [section for section, built in enumerate(state.streets) if not built]
            found = self._sections(state, kind, sections)
            most = min(a, sum(tiles(state, seat, kind)))
            if most == 1:
                return max(found)
            found.sort()
            return sum(found[-most:])
        if op == _INTERSECTION:
            where = [i for i, owner in enumerate(state.intersection_owners) if owner < 0]
            return max(self._crossings(state, where, free=bool(a)))
        if op == _COBBLESTONE:
            return max([self._stone(state, space) for space in open_spaces(state)])
        if op == _SERVICE:
            return max([self._built_service(state, stack) for stack in services_in_reach(state, seat)])
        if op == _MODERNISME:
            spaces = zip(state.improved[seat], state.projects[seat], strict=True)
            improved = max([done for done, tile in spaces if tile < 0])
            return max([self._tile(state, tile, improved) for tile in state.shown if tile >= 0])
        if op == _IMPROVE:
            undone = [space for space, done in enumerate(state.improved[seat]) if not done]
            return max([self._improved(state, space, free=bool(b)) for space in undone])
        bits = reachable(state, seat)
        ends = [section for section in range(SECTIONS) if bits >> section & 1]
        return max(self._rides(state, ends, free=bool(a)))

    # Pieces

    def _sections(self, state: BarcelonaState, kind: int, sections: list[int]) -> list[float]:
        """What a street tile of a kind is worth on each of some sections."""
        of_tile, run_vp = self._of_street_tile[kind], self.ruleset.run_vp[kind]
        of_icon, of_goods = self._of_icon, self._goods
        gains: dict[int, float] = {}
        worths: list[float] = []
        for section in sections:
            worth, goods = of_icon[section] + run_vp * run_length(state, section), of_goods[section]
            if goods:
                if goods not in gains:
                    gains[goods] = self.outlook.gain(state, goods // _COIN, goods % _COIN)
                worth += gains[goods]
            worths.append(worth + of_tile)
        return worths

    def _crossings(self, state: BarcelonaState, intersections: list[int], *, free: bool) -> list[float]:
        """What an Intersection tile is worth on each of some intersections."""
        outlook, seat = self.outlook, self.seat
        cost = 0 if free else intersection_cost(state, seat) or 0
        held, now, room = state.cloth[seat], state.coins[seat], state.capacity(seat)
        before, step, of_one = outlook.stored(now, held, room), outlook.step, self._of_intersection
        on_diagonal = self.ruleset.city.on_diagonal
        worths: list[float] = []
        for intersection in intersections:
            points, steps, coins, cloth = visible_benefits(state, intersection)
            worth = points + steps * step + of_one
            worth += outlook.stored(now + coins, held - cost + cloth, room) - before
            worths.append(worth + (_DIAGONAL if on_diagonal[intersection] else 0.0))
        return worths

    def _stone(self, state: BarcelonaState, space: int) -> float:
        return self._of_cobblestone + self.effect(state, icons(state)[space], nested=True)

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

    def _rides(self, state: BarcelonaState, sections: list[int], *, free: bool) -> list[float]:
        """What the tram on each of some sections brings: a passenger, if there may be one, and the street's action."""
        cost = passenger_cost(state, self.seat)
        if cost is None or not (free or cost <= state.cloth[self.seat]):
            return [0.0] * len(sections)
        paid = 0.0 if free else self.outlook.gain(state, 0, -cost)
        passengers, owners, streets, of_street = state.passengers, state.street_owners, state.streets, self.of_street
        run_vp = self.ruleset.run_vp
        worths: list[float] = []
        for section in sections:
            if passengers[section] >= 0:
                worths.append(0.0)
                continue
            action, kind = of_street[street_of(section)], streets[section]
            worth = self._of_passenger + (action if action > 0.0 else 0.0)
            if kind:
                if owners[section] == self.seat:
                    worth += run_vp[kind] * run_length(state, section)
                worth += self._of_passenger_on_street
            worths.append(worth + paid)
        return worths

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
        standing = [sites.best(state, i, tops) for i in range(len(city.sites))]
        order = sorted(range(len(standing)), key=standing.__getitem__, reverse=True)
        cost = -self.outlook.gain(state, -min(state.coins[self.seat], self.ruleset.diagonal_cost), 0)
        actions = [max(0.0, worth) for worth in self.of_street]
        ratings = []
        for move in state.legal:
            where, top = move % RANGE // 4, move % 4
            around, build = sites.around[where], 0.0
            for i in order:
                if i not in around:
                    build = standing[i]
                    break
            tops[where] = top
            for i in around:
                build = max(build, sites.best(state, i, tops))
            tops[where] = 0
            taken = 0.0
            for street in city.streets_at[where]:
                taken += actions[street]
            worth = build + taken
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
            worth, sort = self.action(state, street), self._sorts[state.slots[street]]
            if worth <= 0:
                ratings.append(worth - 1)
            elif sort & _GAINS:
                ratings.append((_FIRST if room >= 2 else 0.0) + worth)
            else:
                ratings.append((_LAST if sort & _PAYS else _SECOND) + worth)
        return ratings

    def _keep(self, state: BarcelonaState, _: Task) -> list[float]:
        room, outlook = state.capacity(self.seat), self.outlook
        return [outlook.stored(move % RANGE, room - move % RANGE, room) for move in state.legal]

    def _street(self, state: BarcelonaState, task: Task) -> list[float]:
        return _with_stop(state, 0.0, self._sections(state, task[1], _answers(state)))

    def _street_stack(self, state: BarcelonaState, task: Task) -> list[float]:
        return self._stack(state, tiles(state, self.seat, task[1]))

    def _marker(self, state: BarcelonaState, _: Task) -> list[float]:
        return self._stack(state, state.marker_stacks[self.seat])

    def _stack(self, state: BarcelonaState, left: list[int]) -> list[float]:
        """The stack nearest to its reward."""
        return [-float(left[move % RANGE]) for move in state.legal]

    def _intersection(self, state: BarcelonaState, task: Task) -> list[float]:
        return _with_stop(state, 0.0, self._crossings(state, _answers(state), free=bool(task[1])))

    def _tram(self, state: BarcelonaState, task: Task) -> list[float]:
        return _with_stop(state, -1.0, self._rides(state, _answers(state), free=bool(task[1])))

    def _passenger(self, state: BarcelonaState, task: Task) -> list[float]:
        return _with_stop(state, 0.0, self._rides(state, [task[1]], free=bool(task[2])))

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
        around = self.ruleset.city.around
        for move in state.legal:
            packed = move % RANGE
            site, kind, using = packed >> 6, packed >> 4 & 3, packed & 15
            worth = self.sites.worth[site][kind]
            for intersection in around[site][1]:
                if using & 1:
                    stack = state.citizens[intersection]
                    worth -= _UPPER_WASTED if stack & 3 == 3 and kind != 2 else 0.0
                    worth -= _COVERED_TOP if stack >> 2 == 3 else 0.0
                using >>= 1
            ratings.append(worth)
        return ratings


def _sort(nodes: Sequence[Node], effect: int) -> int:
    """What an effect does, as bits."""
    node = nodes[effect]
    sort = _SORT_OF.get(node.op, 0)
    for kid in node.kids:
        sort |= _sort(nodes, kid)
    return sort


def _answers(state: BarcelonaState) -> list[int]:
    """What the legal moves name, but for the one to stop."""
    return [move % RANGE for move in state.legal if move != STOP]


def _with_stop(state: BarcelonaState, stop: float, worths: list[float]) -> list[float]:
    """The same with the rating of the move to stop before them, where that is legal."""
    return [stop, *worths] if state.legal[0] == STOP else worths


_WAYS: dict[int, Callable[[Quick, BarcelonaState, Task], list[float]]] = {
    int(Do.PLACE): lambda quick, state, task: quick._place(state, task),
    int(Do.ACTIONS): lambda quick, state, task: quick._actions(state, task),
    int(Do.KEEP): lambda quick, state, task: quick._keep(state, task),
    int(Do.STREET): lambda quick, state, task: quick._street(state, task),
    int(Do.STREET_STACK): lambda quick, state, task: quick._street_stack(state, task),
    int(Do.INTERSECTION): lambda quick, state, task: quick._intersection(state, task),
    int(Do.TRAM): lambda quick, state, task: quick._tram(state, task),
    int(Do.PASSENGER): lambda quick, state, task: quick._passenger(state, task),
    int(Do.RIDE): lambda quick, state, task: quick._ride(state, task),
    int(Do.COBBLESTONE): lambda quick, state, task: quick._cobblestone(state, task),
    int(Do.SERVICE): lambda quick, state, task: quick._service(state, task),
    int(Do.MODERNISME): lambda quick, state, task: quick._modernisme(state, task),
    int(Do.IMPROVE): lambda quick, state, task: quick._improve(state, task),
    int(Do.SAGRADA): lambda quick, state, task: quick._sagrada(state, task),
    int(Do.CHOICE): lambda quick, state, task: quick._choice(state, task),
    int(Do.WALK): lambda quick, state, task: quick._walk(state, task),
    int(Do.WALK_ONE): lambda quick, state, task: quick._walk_one(state, task),
    int(Do.JOY_ANY): lambda quick, state, task: quick._joy_any(state, task),
    int(Do.HEXAGON): lambda quick, state, task: quick._hexagon(state, task),
    int(Do.RESOURCE): lambda quick, state, task: quick._resource(state, task),
    int(Do.BUILD): lambda quick, state, task: quick._build(state, task),
    int(Do.MARKER): lambda quick, state, task: quick._marker(state, task),
}
"""How each kind of decision is rated, for the moves in their order."""

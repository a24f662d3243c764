"""The rules of Agora in their slowest and plainest form, to hold the engine to.

Nothing is remembered between moves but the position itself; a walk is legal if, tried out on a board of its own, it
leaves no lead shared, or another one after it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.core import Core, Phase
from boardgamesbot.games.agora.moves import Kind
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.base import Move, Options
from boardgamesbot.games.chance import Chance
from tests.support.agora import GAME

Walk = tuple[int, int, int]
"""Whose walker, from, to."""

DISTRICT_OF, VALUE_OF = GAME.ruleset.district_of, GAME.ruleset.value_of


def tied_districts(total: Sequence[int], players: int) -> list[int]:
    """The districts where two or more players share the highest number of walkers, above 0."""
    tied = []
    for district in range(DISTRICTS):
        row = sorted(total[district * players : (district + 1) * players])
        if row[-1] > 0 and row[-1] == row[-2]:
            tied.append(district)
    return tied


class SlowAgora:
    """A position; the attributes are those of `Core`."""

    def __init__(self, players: int, options: Options) -> None:
        setup = GAME.ruleset.setup(players)
        self.players, self.options, self.turns = players, options, setup.turns
        self.turn, self.phase, self.done, self.fountain = 1, Phase.TAKE, 0, 0
        self.first_walk: Move = -1
        self.upright = [0] * (DISTRICTS * players)
        self.total = [0] * (DISTRICTS * players)
        self.supply = [setup.walkers] * players
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.piles: list[list[int]] = [[], []]
        self.removed: list[int] = []

    @classmethod
    def like(cls, core: Core) -> SlowAgora:
        """The same position."""
        slow = cls(core.players, core.options)
        slow.turn, slow.phase, slow.done, slow.fountain = core.turn, Phase(core.phase), core.done, core.fountain
        slow.first_walk = core.first_walk
        slow.upright, slow.total, slow.supply = core.upright.copy(), core.total.copy(), core.supply.copy()
        slow.hands = [hand.copy() for hand in core.hands]
        slow.piles = [pile.copy() for pile in core.piles]
        slow.removed = core.removed.copy()
        return slow

    def deal(self, chance: Chance) -> None:
        setup = GAME.ruleset.setup(self.players)
        squares = list(range(1, SQUARES + 1))
        chance.shuffle(squares)
        self.removed = [squares.pop(0) for _ in range(setup.removed)]
        self.hands = [[squares.pop(0) for _ in range(5)] for _ in range(self.players)]
        half = -(-len(squares) // 2)
        self.piles = [squares[:half], squares[half:]]
        self.fountain = chance.below(self.players)
        self._go_on(chance)

    @property
    def seat(self) -> int:
        return (self.fountain + self.done) % self.players

    @property
    def left(self) -> int:
        return (self.seat + 1) % self.players

    def _back(self, square: int) -> int:
        return -1 if self.options["backs"] == "PLAIN" else DISTRICT_OF[square]

    # What is legal

    def legal(self) -> list[Move]:
        """The legal moves by trying out everything."""
        found: set[Move] = set()
        match self.phase:
            case Phase.TAKE:
                found = {moves.take(self._back(square)) for square in self.hands[self.left]}
            case Phase.PLAY:
                held = self.hands[self.seat]
                found = {moves.play(square) for square in held if self._is_playable(square)}
                found = found or {moves.discard(square) for square in held}
            case Phase.FIRST_WALK:
                found = {moves.walk(*first) for first in self._walks(self.upright) if self._is_completed(first)}
            case Phase.SECOND_WALK:
                first = moves.parts(self.first_walk)
                found = {moves.walk(*second) for second in self._seconds(first.what, self.upright, self.total)}
            case Phase.DRAW:
                found = {moves.draw(pile) for pile in range(moves.PILES) if self.piles[pile]}
            case Phase.PASS_FOUNTAIN:
                found = {moves.pass_fountain(other) for other in range(self.players) if other != self.fountain}
        return sorted(found)

    def _is_playable(self, square: int) -> bool:
        district, value = DISTRICT_OF[square], VALUE_OF[square]
        total = self.total.copy()
        total[district * self.players + self.seat] += value
        return value <= self.supply[self.seat] and district not in tied_districts(total, self.players)

    def _walks(self, upright: Sequence[int]) -> Iterator[Walk]:
        """Every upright walker's ways, of those that may move."""
        for walker in range(self.players):
            if self.turn == self.turns and walker != self.seat:
                continue
            for frm in range(DISTRICTS):
                if upright[frm * self.players + walker] > 0:
                    for to in GAME.ruleset.neighbours[frm]:
                        yield walker, frm, to

    def _is_completed(self, first: Walk) -> bool:
        upright, total = self._after(first, self.upright, self.total)
        return next(self._seconds(first[0], upright, total), None) is not None

    def _seconds(self, first_walker: int, upright: Sequence[int], total: Sequence[int]) -> Iterator[Walk]:
        for second in self._walks(upright):
            if self.turn != self.turns and second[0] == first_walker:
                continue
            if not tied_districts(self._after(second, upright, total)[1], self.players):
                yield second

    def _after(self, walk: Walk, upright: Sequence[int], total: Sequence[int]) -> tuple[list[int], list[int]]:
        """Who stands upright, and who stands anywhere, after a walk."""
        walker, frm, to = walk
        still, all_of_them = list(upright), list(total)
        still[frm * self.players + walker] -= 1
        all_of_them[frm * self.players + walker] -= 1
        all_of_them[to * self.players + walker] += 1
        return still, all_of_them

    # What happens

    def advance(self, move: Move, chance: Chance) -> None:
        made = moves.parts(move)
        match made.kind:
            case Kind.TAKE:
                alike = [square for square in self.hands[self.left] if self._back(square) == made.what]
                self._take(alike[chance.below(len(alike))])
            case Kind.PLAY:
                self.hands[self.seat].remove(made.what)
                for walkers in (self.upright, self.total):
                    walkers[DISTRICT_OF[made.what] * self.players + self.seat] += VALUE_OF[made.what]
                self.supply[self.seat] -= VALUE_OF[made.what]
                self.done += 1
            case Kind.DISCARD:
                self.hands[self.seat].remove(made.what)
                self.done += 1
            case Kind.WALK:
                self.upright, self.total = self._after((made.what, made.frm, made.to), self.upright, self.total)
                if self.phase == Phase.FIRST_WALK:
                    self.phase, self.first_walk = Phase.SECOND_WALK, move
                else:
                    self.phase, self.first_walk = Phase.FIRST_WALK, -1
                    self.done += 1
            case Kind.DRAW:
                self.hands[self.seat].append(self.piles[made.what].pop())
                self.done += 1
            case Kind.PASS_FOUNTAIN:
                self.fountain, self.turn, self.phase = made.what, self.turn + 1, Phase.TAKE
        self._go_on(chance)

    def _take(self, square: int) -> None:
        self.hands[self.left].remove(square)
        self.hands[self.seat].append(square)
        self.done += 1

    def _go_on(self, chance: Chance) -> None:
        """All that needs no decision, a step at a time."""
        while self.phase not in (Phase.PASS_FOUNTAIN, Phase.OVER):
            if self.done == self.players:
                self._next_phase()
            elif self.phase == Phase.TAKE and self.options["take_until"] == "PILES_EMPTY" and not any(self.piles):
                self.done = self.players
            elif self.phase == Phase.TAKE and not self.hands[self.left]:
                self.done += 1
            elif self.phase == Phase.TAKE and (self.options["take"] == "RANDOM" or self.options["backs"] == "PLAIN"):
                self._take(self.hands[self.left][chance.below(len(self.hands[self.left]))])
            elif self.phase in (Phase.FIRST_WALK, Phase.DRAW) and not self.legal():
                self.done += 1
            else:
                break

    def _next_phase(self) -> None:
        self.done = 0
        if self.phase == Phase.DRAW:
            self.upright = self.total.copy()
            self.phase = Phase.OVER if self.turn == self.turns else Phase.PASS_FOUNTAIN
        elif self.phase == Phase.FIRST_WALK:
            self.phase = Phase.DRAW
        else:
            self.phase = Phase(self.phase + 1)

    # What it is worth

    def scores(self) -> list[int]:
        scores = [0] * self.players
        tied = tied_districts(self.total, self.players)
        for district, points in enumerate(GAME.ruleset.points):
            row = self.total[district * self.players : (district + 1) * self.players]
            if max(row) and district not in tied:
                scores[row.index(max(row))] += points
        return scores

    def winners(self) -> list[int]:
        presence = [sum(1 for n in self.total[seat :: self.players] if n) for seat in range(self.players)]
        worth = list(zip(self.scores(), presence, strict=True))
        return [seat for seat in range(self.players) if worth[seat] == max(worth)]

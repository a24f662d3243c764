"""Where the hidden squares may lie: deals drawn by chance that agree with everything a reader has seen."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from mypy_extensions import i64

from boardgamesbot.games.agora.movements import Sighting
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES

_MOST_STEPS: Final = 2_000
"""Sightings followed, those taken back and followed again included, before a deal begins afresh."""
_MOST_ATTEMPTS: Final = 30
"""Of ten thousand views of random games two need a second one, none a third."""


class Contradiction(ValueError):
    """No deal agrees with the sightings, or none was found in reasonable time."""


class _Step:
    """A sighting as the way of one square: hands are seats, -1 is outside all hands."""

    def __init__(self, leaves: int, enters: int, back: int, square: int) -> None:
        self.leaves: Final[i64] = leaves
        self.enters: Final[i64] = enters
        self.back: Final[i64] = back
        self.square: Final[i64] = square
        """0 where it was not seen."""
        self.reach: Final[dict[int, int]] = {}
        """For squares seen again later on: the hands, as bits, from which they still get there after this step."""


class Plan:
    """What all deals for one reader have in common; worked out once, used for every deal.

    `tops` are the backs on the piles, -1 if there is none or all are plain.
    """

    def __init__(
        self,
        players: int,
        sightings: Sequence[Sighting],
        pile_sizes: tuple[int, int],
        tops: tuple[int, int],
        district_of: Sequence[int],
        *,
        plain: bool,
    ) -> None:
        self.players = players
        self.pile_sizes = pile_sizes
        self.tops = tuple(0 if plain else top for top in tops)
        self.steps = [_Step(seen.leaves, seen.enters, 0 if plain else seen.back, seen.square) for seen in sightings]
        known = {step.square for step in self.steps}
        self.unseen: list[list[int]] = [[] for _ in range(1 if plain else DISTRICTS)]
        """The squares the reader has never seen, by back."""
        for square in range(1, SQUARES + 1):
            if square not in known:
                self.unseen[0 if plain else district_of[square]].append(square)
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Note at every step that hides its square which squares have to be where, to be seen where they are later."""
        backs = {step.square: step.back for step in self.steps if step.square}
        reach: dict[int, int] = {}
        for step in reversed(self.steps):
            if step.square:
                if step.leaves < 0:
                    reach.pop(step.square, None)
                else:
                    reach[step.square] = 1 << step.leaves
            elif step.leaves >= 0:
                for square, hands in reach.items():
                    if backs[square] == step.back:
                        step.reach[square] = hands
                        if step.enters >= 0 and hands >> step.enters & 1:
                            reach[square] = hands | 1 << step.leaves


class Deal:
    """One way the hidden squares may lie, drawn by chance among those that agree with the plan.

    The sightings are followed in order with *tokens*: squares whose number may still be open (0). Where a square
    left a hand unseen, one of the tokens with its back is drawn; where that leads to what the reader knows to be
    false, another is. At the end the tokens still open get numbers nobody has seen. Raises Contradiction.
    """

    def __init__(self, plan: Plan, rng: Random) -> None:
        self._plan = plan
        self._rng = rng
        for _ in range(_MOST_ATTEMPTS):
            self._begin()
            if self._follow():
                break
        else:
            raise Contradiction("no deal was found that agrees with every sighting")
        self._name_the_rest()
        number = self._number
        self.moved = [number[token] for token in self._moved]
        """The square of each sighting."""
        self.hands = [[number[token] for token in hand] for hand in self._hands]
        """The squares in each hand, in the order they came."""

    def _begin(self) -> None:
        self._number: list[int] = []
        """The square of each token, 0 while it is open."""
        self._back: list[int] = []
        self._token: dict[int, int] = {}
        """The token of each square named so far."""
        self._hands: list[list[int]] = [[] for _ in range(self._plan.players)]
        self._moved: list[int] = []
        """The token of each step made so far."""
        self._places: list[int] = []
        """Where in the hand it left each of them was, -1 if it came from outside."""
        self._named: list[bool] = []
        """Whether each step named its token."""

    def _follow(self) -> bool:
        """Follow all sightings; False where that takes too long."""
        steps = self._plan.steps
        choices: list[tuple[int, list[int]]] = []
        """Steps at which another token could have been drawn, and which."""
        at = made = 0
        while at < len(steps):
            step = steps[at]
            candidates = self._candidates(step) if step.leaves >= 0 else self._entering(step)
            if len(candidates) > 1:
                choices.append((at, candidates))
            elif not candidates:
                if not choices:
                    raise Contradiction("the sightings contradict one another")
                at, candidates = choices[-1]
                self._rewind(at)
                candidates.pop()
                if len(candidates) == 1:
                    choices.pop()
                step = steps[at]
            self._make(step, candidates[-1])
            at += 1
            made += 1
            if made > _MOST_STEPS:
                return False
        return True

    def _entering(self, step: _Step) -> list[int]:
        """A new token for a square dealt or drawn; none where that square has come in before."""
        if step.square and step.square in self._token:
            return []
        self._number.append(0)
        self._back.append(step.back)
        return [len(self._number) - 1]

    def _candidates(self, step: _Step) -> list[int]:
        """The tokens that may be the one that left a hand, in an order of chance: the last is to be tried first."""
        hand, back, number = self._hands[step.leaves], self._back, self._number
        if step.square:
            token = self._token.get(step.square)
            if token is not None:
                return [token] if token in hand else []
            return [token for token in hand if back[token] == step.back and not number[token]][:1]
        alike = [token for token in hand if back[token] == step.back]
        if len(alike) > 1:
            _shuffle(alike, len(alike), self._rng)
        if not step.reach:
            return _different(alike, number)
        to = 1 << step.enters if step.enters >= 0 else 0
        may_go, must_go = [], []
        for token in alike:
            reach = step.reach.get(number[token], -1)
            if reach < 0 or reach & to:
                may_go.append(token)
            if not reach >> step.leaves & 1:
                must_go.append(token)
        if must_go:
            return must_go if len(must_go) == 1 and must_go[0] in may_go else []
        return _different(may_go, number)

    def _make(self, step: _Step, token: int) -> None:
        names = step.square != 0 and self._number[token] == 0
        if names:
            self._number[token] = step.square
            self._token[step.square] = token
        place = -1
        if step.leaves >= 0:
            hand = self._hands[step.leaves]
            place = hand.index(token)
            del hand[place]
        if step.enters >= 0:
            self._hands[step.enters].append(token)
        self._moved.append(token)
        self._places.append(place)
        self._named.append(names)

    def _rewind(self, to: int) -> None:
        """Take back every step from number `to` on."""
        while len(self._moved) > to:
            token, place, named = self._moved.pop(), self._places.pop(), self._named.pop()
            step = self._plan.steps[len(self._moved)]
            if step.enters >= 0:
                self._hands[step.enters].pop()
            if step.leaves >= 0:
                self._hands[step.leaves].insert(place, token)
            else:
                self._number.pop()
                self._back.pop()
            if named:
                del self._token[step.square]
                if step.leaves >= 0:
                    self._number[token] = 0

    def _name_the_rest(self) -> None:
        """Give every square never seen a place: an open token, a pile, or among those removed."""
        plan, rng = self._plan, self._rng
        unseen = [squares.copy() for squares in plan.unseen]
        for token, number in enumerate(self._number):
            if not number:
                self._number[token] = _draw(unseen, self._back[token], rng)
        tops = [[_draw(unseen, top, rng)] if size else [] for size, top in zip(plan.pile_sizes, plan.tops, strict=True)]
        rest = [square for squares in unseen for square in squares]
        below = [max(0, size - 1) for size in plan.pile_sizes]
        _shuffle(rest, below[0] + below[1], rng)
        self.piles: list[list[int]] = []
        """The two piles, their top last."""
        for count, top_square in zip(below, tops, strict=True):
            self.piles.append(rest[:count] + top_square)
            rest = rest[count:]
        self.removed = rest


def _different(tokens: list[int], number: list[int]) -> list[int]:
    """The tokens without those that are as good as another: of the open ones in a hand one is enough."""
    last_open = next((token for token in reversed(tokens) if not number[token]), -1)
    return [token for token in tokens if number[token] or token == last_open]


def _draw(unseen: list[list[int]], back: i64, rng: Random) -> int:
    """Take one of the squares with a back, by chance."""
    if not 0 <= back < len(unseen) or not unseen[back]:
        raise Contradiction("there are more squares with one back than the game has")
    alike = unseen[back]
    _shuffle(alike, 1, rng)
    square = alike[0]
    alike[0] = alike[-1]
    alike.pop()
    return square


def _shuffle(items: list[int], count: int, rng: Random) -> None:
    """Bring `count` of the items, drawn by chance, to the front. `Random.shuffle` takes several times as long."""
    size = len(items)
    for place in range(min(count, size - 1)):
        other = place + int(rng.random() * (size - place))
        items[place], items[other] = items[other], items[place]

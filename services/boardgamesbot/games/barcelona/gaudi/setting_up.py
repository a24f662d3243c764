"""A solo game as it lies on a real table, entered piece by piece (BA-G1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.events import Drew
from boardgamesbot.games.barcelona.gaudi.piles import BLANK, FaceDown, OwnChance, Pile
from boardgamesbot.games.barcelona.gaudi.questions import About, Entry, Question, both, pairs, pieces
from boardgamesbot.games.barcelona.geometry import STREETS
from boardgamesbot.games.barcelona.moves import DISPLAY
from boardgamesbot.games.barcelona.ruleset.figures import AMENITIES, LEVELS
from boardgamesbot.games.chance import FastChance

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.game import Barcelona
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Event, Options

PERSON = 0
CERDA_TILES = 3
_LETTERS = 3


class SettingUp:
    """What has been said of the table so far, and what is to be asked next."""

    def __init__(self, game: Barcelona, options: Options) -> None:
        self._ruleset = game.ruleset
        self.dealt, self._events = game.new(2, options, FastChance(Random(0)))
        """A game dealt by chance: what does not differ from table to table is taken from it."""
        self.expansion = self.dealt.expansion
        self.lies: dict[About, list[int]] = {about: [] for about in About}
        """Answers, in the order of the places."""
        self._places = list(self._plan())
        self._answered = 0

    def _plan(self) -> Iterator[tuple[About, int]]:
        for about, number in (
            (About.ACTION, STREETS),
            (About.CERDA, CERDA_TILES),
            (About.SHOWN, DISPLAY),
            (About.SERVICE, len(self.dealt.service_types)),
        ):
            yield from ((about, place) for place in range(number))
        stay = self._ruleset.gaudi.tiles_a_level
        for level in range(LEVELS):
            if len(self._pieces(About.SAGRADA, level)) > stay:
                yield from ((About.SAGRADA, level) for _ in range(stay))
        if self.expansion:
            yield from ((About.AMENITY, place) for place in range(AMENITIES))
            yield from ((About.VIOLET, letter) for letter in range(_LETTERS))
        yield About.CITIZENS, PERSON
        yield About.TOP, BLANK

    def _pieces(self, about: About, place: int) -> tuple[int, ...]:
        return pieces(self._ruleset, self.expansion, about, place)

    @property
    def question(self) -> Question | None:
        """What is to be said next; None when all has been said."""
        if self._answered == len(self._places):
            return None
        about, place = self._places[self._answered]
        return Question(about, place, self._choices(about, place))

    def _choices(self, about: About, place: int) -> tuple[int, ...]:
        if about is About.CITIZENS:
            return pairs(self.dealt.view(None).unseen_citizens())
        used = {*self.lies[about]}
        if about is About.SHOWN:
            used.update(self.lies[About.CERDA])
        left = [piece for piece in self._pieces(about, place) if piece not in used]
        if about is About.CERDA:
            left = [tile for tile in left if self._ruleset.scorings[tile].cerda]
        if about is About.SERVICE and self.expansion:
            left = [service for service in left if self._may_be_added(service)]
        return tuple(left)

    def _may_be_added(self, service: int) -> bool:
        """Whether a type keeps to the numbers of the base game and of the expansion (BA-PG1)."""
        services, added = self._ruleset.services, sum(1 for s in self.dealt.service_types if self._is_new(s))
        new = sum(1 for s in self.lies[About.SERVICE] if self._is_new(s))
        old = len(self.lies[About.SERVICE]) - new
        return new < added if services[service].expansion else old < len(self.dealt.service_types) - added

    def _is_new(self, service: int) -> bool:
        return self._ruleset.services[service].expansion

    def take(self, entry: Entry) -> None:
        """Note the answer to the question that is asked."""
        self.lies[entry.about].append(entry.answer)
        self._answered += 1

    def begin(self) -> tuple[BarcelonaState, list[Event]]:
        """The position before the first decision, all having been said, and what happened."""
        state, lies = self.dealt, self.lies
        asked = {self._ruleset.sagrada_tiles[tile].level for tile in lies[About.SAGRADA]}
        hand = list(both(lies[About.CITIZENS][0]))
        state.slots = lies[About.ACTION]
        state.cerda_tiles = lies[About.CERDA]
        state.shown = lies[About.SHOWN]
        state.service_types = lies[About.SERVICE]
        state.sagrada_left = sorted(
            [
                *lies[About.SAGRADA],
                *(t for level in range(LEVELS) if level not in asked for t in self._pieces(About.SAGRADA, level)),
            ]
        )
        state.amenities, state.violet = lies[About.AMENITY], lies[About.VIOLET]
        state.hands[PERSON] = hand
        state.bag = FaceDown(Pile.BAG, [BLANK] * len(state.bag))
        state.modernisme_stack = FaceDown(Pile.STACK, [BLANK] * len(state.modernisme_stack))
        state.deck = FaceDown(Pile.DECK, [*[BLANK] * (len(state.deck) - 1), *lies[About.TOP]])
        state.chance = OwnChance()
        state.settle()
        return state, [replace(e, citizens=tuple(hand)) if isinstance(e, Drew) else e for e in self._events]

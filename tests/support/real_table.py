"""A solo game of the engine, told as a person at a real table would enter it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from boardgamesbot.cli.picking import levels
from boardgamesbot.games.barcelona.events import Drew
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.gaudi.asking import Asking
from boardgamesbot.games.barcelona.gaudi.physical import PhysicalGame
from boardgamesbot.games.barcelona.gaudi.questions import About, Question, pair
from boardgamesbot.games.barcelona.moves import GAUDI
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Event, Move, Options
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.players.base import Brain

GAME = Barcelona()
PERSON, GAUDI_SEAT = 0, 1


@dataclass
class Played:
    """A move of the engine's game, with the positions before and after it."""

    move: Move
    before: BarcelonaState
    after: BarcelonaState
    events: list[Event]


@dataclass
class Recorded:
    """A whole game of the engine."""

    options: Options
    begun: BarcelonaState
    events: list[Event]
    """Of the set-up."""
    played: list[Played]

    @property
    def end(self) -> BarcelonaState:
        """The last position."""
        return self.played[-1].after


def options(solo: str, *, expansion: bool = False, both: bool = False) -> Options:
    """Options of a solo game."""
    return GAME.complete_options(
        {
            "solo": solo,
            "expansion": "PASSEIG_DE_GRACIA" if expansion else "NONE",
            "solo_actions": "BOTH" if both else "FIRST",
        }
    )


def record(given: Options, seed: int, brain: Brain, game: Barcelona = GAME) -> Recorded:
    """A game of the engine's chance; `brain` plays for the person."""
    state, events = game.new(2, given, ChanceStream(bytes([seed]) * SEED_BYTES))
    rng, recorded = Random(seed), Recorded(given, state.copy(), events, [])
    while (seat := state.actor) is not None:
        before = state.copy()
        move = GAUDI if seat == GAUDI_SEAT else brain.choose(state.view(seat), rng)
        recorded.played.append(Played(move, before, state, state.play(move)))
        state = state.copy()
    return recorded


class Person:
    """Somebody who lays out, plays and draws just what came in a recorded game, and answers what the helper asks."""

    def __init__(self, recorded: Recorded) -> None:
        self._begun = recorded.begun
        self._ruleset = ruleset = recorded.begun.ruleset
        self._sagrada = {
            level: [t for t in recorded.begun.sagrada_left if ruleset.sagrada_tiles[t].level == level]
            for level in range(4)
        }

    def lays_out(self, question: Question) -> int:
        """What lies on the table at the start."""
        state, place = self._begun, question.place
        match question.about:
            case About.ACTION:
                return state.slots[place]
            case About.CERDA:
                return state.cerda_tiles[place]
            case About.SHOWN:
                return state.shown[place]
            case About.SERVICE:
                return state.service_types[place]
            case About.SAGRADA:
                return self._sagrada[place].pop()
            case About.AMENITY:
                return state.amenities[place]
            case About.VIOLET:
                return state.violet[place]
            case About.CITIZENS:
                return pair(*state.hands[PERSON])
        assert question.about is About.TOP
        return _with_its_back(question, state.deck[-1], self._ruleset)

    def reveals(self, question: Question, played: Played, tiles: int) -> int:
        """What came to light in a move, in which so many Modernisme tiles did before."""
        match question.about:
            case About.CITIZENS:
                return pair(*played.before.bag[-2:])
            case About.TILE:
                return played.before.modernisme_stack[-1 - tiles]
            case About.CARD:
                return _with_its_front(question, played.before.deck[-1], self._ruleset)
        assert question.about in (About.ARROW, About.SHUFFLED)
        return _with_its_back(question, played.after.deck[-1], self._ruleset)


def _with_its_back(question: Question, card: int, ruleset: BarcelonaRuleset) -> int:
    """The choice that looks like a card of which only the back is in sight."""
    cards = ruleset.gaudi.cards
    return next(choice for choice in question.choices if cards[choice].arrow == cards[card].arrow)


def _with_its_front(question: Question, card: int, ruleset: BarcelonaRuleset) -> int:
    """The choice that looks like a card turned up."""
    cards = ruleset.gaudi.cards
    return next(choice for choice in question.choices if cards[choice].actions == cards[card].actions)


@dataclass
class Entered:
    """An entry of the person's."""

    question: Question
    typed: list[str]
    """What they type for it, line by line."""
    finished: list[Played]
    """The moves that came to their end with it."""
    told: list[Event]


def plays(recorded: Recorded, table: PhysicalGame) -> Iterator[Entered]:
    """Enter a recorded game from its beginning to its end."""
    person, asking = Person(recorded), Asking(table)
    waiting, tiles = list(reversed(recorded.played)), 0
    while (question := table.question) is not None:
        done = len(table.moves)
        if table.state is None:
            answer = person.lays_out(question)
        elif question.about is About.MOVE:
            answer = waiting[-1].move
        else:
            answer = person.reveals(question, waiting[-1], tiles)
        typed = list(_typed(asking, question, answer))
        told = table.enter(answer)
        finished = [waiting.pop() for _ in range(len(table.moves) - done)]
        tiles = 0 if finished else tiles + (question.about is About.TILE)
        yield Entered(question, typed, finished, told)


def in_any_order(events: list[Event]) -> list[Event]:
    """Events, the citizens that were drawn in an order of their own."""
    return [replace(e, citizens=tuple(sorted(e.citizens, reverse=True))) if isinstance(e, Drew) else e for e in events]


def as_the_person_sees(state: BarcelonaState) -> BarcelonaView:
    """A position as the person knows it; the order of the citizens in a hand means nothing."""
    seen = state.copy()
    seen.hands = [sorted(hand, reverse=True) for hand in seen.hands]
    return seen.view(PERSON)


def _typed(asking: Asking, question: Question, answer: int) -> Iterator[str]:
    if question.about is not About.MOVE:
        yield asking.name(question.about, answer).lower()
        return
    assert asking.table.state is not None
    yield from map(str, numbers(asking.table.state.view(PERSON), answer))


def numbers(view: BarcelonaView, move: Move) -> Iterator[int]:
    """The numbers that pick a move from list after list."""
    words = GAME.words
    here, depth = words.candidates(view), 0
    while depth == 0 or len(here) > 1:
        found = levels(words, view, here, depth)
        place = [level.label for level in found].index(words.steps(view, move)[depth])
        if depth == 0 or len(found) > 1:
            yield place + 1
        here, depth = found[place].moves, depth + 1

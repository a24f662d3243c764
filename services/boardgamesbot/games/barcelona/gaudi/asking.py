"""The questions of a game at a real table in words, and the short words that answer them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardgamesbot.games.barcelona.gaudi import SEAT
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.gaudi.physical import PhysicalGame
from boardgamesbot.games.barcelona.gaudi.questions import About, Question, both, pair, pieces
from boardgamesbot.games.barcelona.gaudi.setting_up import PERSON
from boardgamesbot.games.barcelona.geometry import STREETS
from boardgamesbot.games.barcelona.ruleset import HAND
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import CITIES, CITIZENS, ORDINALS, effect_in_words, joined, many
from boardgamesbot.games.base import GameError

LETTERS = "?WMU"
"""By a citizen's class."""
_FIRST = "first"
_WAYS = ("up", "up and right", "right", "down and right", "down", "down and left", "left", "up and left")
_SIDE = 3

_LEADS = {
    About.ACTION: "Action tiles. Which one lies at the end of each street?",
    About.CERDA: "Cerdà tiles. Which one lies at each section of the citizen track, from the left?",
    About.SHOWN: "Modernisme tiles. Which four lie on the display?",
    About.SERVICE: "Public Services. Of which type is each stack, from the left?",
    About.SAGRADA: "Sagrada Família tiles. Which {number} of level {level} are in the game?",
    About.AMENITY: "Amenities tiles. Which lie along the Passeig: first those on the right side, from Barcelona on?",
    About.VIOLET: "Violet cobblestones. Which one of letter {letter} lies {where}?",
    About.TOP: "Shuffle Gaudí's cards. Which arrow is on top of his deck?",
    About.TILE: "Turn up the next Modernisme tile, for place {number} of the display. Which is it?",
}
_EXPLAINED = {
    About.ACTION: "Streets A to E run down from the top, 1 to 5 across. `first` stands for the layout of a first game.",
    About.CERDA: "The twin of a Cerdà tile among the Modernisme tiles stays in the box.",
    About.SHOWN: "Count the places of the display from the left: of equal tiles Gaudí takes the leftmost.",
    About.SERVICE: "The order matters: of equals Gaudí takes the leftmost.",
    About.SAGRADA: "In solo play chance leaves some of each level in the box. Name the others, in any order.",
    About.AMENITY: "Seen with Barcelona at the near end: the right side is the way of the Pedestrian from Barcelona.",
    About.VIOLET: "Of each letter one of two stones lies on the board.",
    About.TOP: "The arrow on the back of the top card; up is the side of street 1.",
    About.ARROW: "The arrow on the back of the card that is on top now; up is the side of street 1.",
    About.SHUFFLED: "Shuffle all his cards but the one just turned up, and name the arrow on the top card.",
    About.CARD: "Several of his cards have this arrow: name the actions on the one you turned up.",
    About.CITIZENS: "Two letters in any order: W working, M middle, U upper class. `wu` is Working and Upper.",
    About.TILE: "The tile that you took from the stack for the place that has become free.",
}


class NotUnderstood(GameError):
    """What was typed means nothing here."""


class Choice(NamedTuple):
    """A piece that could be the answer: number, id and meaning; whether it can be, as the table stands."""

    number: int
    id: str
    meaning: str
    possible: bool


class Asking:
    """Asks what a game needs to know."""

    def __init__(self, table: PhysicalGame) -> None:
        self.table = table
        self._ruleset = table.game.ruleset
        self._expansion = table.setting_up.expansion

    # Questions

    def lead(self, question: Question) -> str:
        """The question as a sentence; where several are asked alike, one for all of them."""
        place, gaudi = question.place, self._ruleset.gaudi
        match question.about:
            case About.CITIZENS if self.table.state is None:
                return "Draw your first two citizens. Which?"
            case About.CITIZENS:
                return f"Draw two citizens{' for Gaudí' if place == SEAT else ''}. Which?"
            case About.CARD:
                return f"Turn up Gaudí's card, the one with the arrow {ARROWS[gaudi.cards[place].arrow]}. Which is it?"
            case About.ARROW | About.SHUFFLED:
                shuffled = question.about is About.SHUFFLED
                last = "That was the last: shuffle the others into a new deck. " if shuffled else ""
                arrow = ARROWS[gaudi.cards[place].arrow]
                return (
                    f"Turn up Gaudí's card, the one with the arrow {arrow}: {self._front(place)}. "
                    f"{last}Which arrow is on top of his deck now?"
                )
        words = _LEADS[question.about]
        return words.format(
            number=gaudi.tiles_a_level if question.about is About.SAGRADA else place + 1,
            level=place + 1,
            letter="ABC"[place % 3],
            where=("on the left", "in the middle", "on the right")[place % 3],
        )

    def explanation(self, question: Question) -> str:
        """What an answer means, and how it is given."""
        return _EXPLAINED[question.about]

    def place(self, question: Question) -> str:
        """What exactly is asked for, in a word or two."""
        place = question.place
        match question.about:
            case About.ACTION:
                return places.street(place)
            case About.CERDA:
                return f"{ORDINALS[place]} section"
            case About.SHOWN | About.TILE:
                return f"place {place + 1}"
            case About.SERVICE:
                return f"stack {place + 1}"
            case About.SAGRADA:
                return f"level {place + 1}"
            case About.AMENITY:
                side = "left" if place // _SIDE else "right"
                return f"{side} side, {ORDINALS[place % _SIDE]} from {CITIES[PERSON]}"
            case About.VIOLET:
                return f"letter {'ABC'[place]}"
            case About.CITIZENS:
                return "citizens for Gaudí" if place == SEAT else "your citizens"
            case About.CARD:
                return "card"
        return "arrow"

    def choices(self, question: Question) -> list[Choice]:
        """Every piece that the question could be about, with the numbers that answer it; none for citizens."""
        here = pieces(self._ruleset, self._expansion, question.about, question.place)
        return [
            Choice(
                number,
                self.name(question.about, piece),
                self._meaning(question.about, piece),
                self._can(question, piece),
            )
            for number, piece in enumerate(here, 1)
        ]

    def _can(self, question: Question, piece: int) -> bool:
        return self.name(question.about, piece) in {self.name(question.about, one) for one in question.choices}

    def bag(self) -> str:
        """What is in the bag: `40 citizens: 14 W, 13 M, 13 U`."""
        left = self._in_the_bag()
        counts = ", ".join(f"{left.count(citizen)} {LETTERS[citizen]}" for citizen in (1, 2, 3))
        return f"{many(len(left), 'citizen')}: {counts}"

    def _in_the_bag(self) -> Sequence[int]:
        state = self.table.state or self.table.setting_up.dealt
        return state.view(PERSON if self.table.state else None).unseen_citizens()

    # Answers

    def name(self, about: About, answer: int) -> str:
        """An answer as one word, which is understood as such."""
        ruleset = self._ruleset
        match about:
            case About.ACTION:
                return ruleset.actions[answer].id
            case About.CERDA | About.SHOWN | About.TILE:
                return ruleset.scorings[answer].id
            case About.SERVICE:
                return ruleset.services[answer].id
            case About.SAGRADA:
                return ruleset.sagrada_tiles[answer].id
            case About.AMENITY:
                return ruleset.amenities[answer].id
            case About.VIOLET:
                return ruleset.violet[answer].id
            case About.CITIZENS:
                return "".join(LETTERS[citizen] for citizen in both(answer))
            case About.CARD:
                return "+".join(ruleset.actions[action].id for action in ruleset.gaudi.cards[answer].actions)
        return ARROWS[ruleset.gaudi.cards[answer].arrow]

    def _meaning(self, about: About, piece: int) -> str:
        ruleset = self._ruleset
        match about:
            case About.ACTION:
                return effect_in_words(ruleset, ruleset.actions[piece].effect)
            case About.CERDA | About.SHOWN | About.TILE:
                scoring = ruleset.scorings[piece]
                return f"{scoring.vp} × {scoring.name}"
            case About.SERVICE:
                service = ruleset.services[piece]
                return f"{service.name}: {effect_in_words(ruleset, service.effect)}"
            case About.SAGRADA:
                return effect_in_words(ruleset, ruleset.sagrada_tiles[piece].effect)
            case About.AMENITY:
                return ruleset.amenities[piece].name
            case About.VIOLET:
                return ruleset.violet[piece].name
            case About.CARD:
                return self._front(piece)
        return _WAYS[ruleset.gaudi.cards[piece].arrow]

    def _front(self, card: int) -> str:
        actions = self._ruleset.gaudi.cards[card].actions
        return joined([self._ruleset.actions[action].name for action in actions])

    def words(self, question: Question, line: str) -> list[str]:
        """What was typed as answers to this question and those that follow it."""
        typed = line.replace(",", " ").split()
        if question.about is About.CITIZENS:
            return ["".join(word[:1] for word in typed) if len(typed) == HAND else "".join(typed)]
        if question.about is About.ACTION and typed == [_FIRST]:
            return [self.name(About.ACTION, action).lower() for action in self._first_game()[question.place :]]
        return typed

    def _first_game(self) -> list[int]:
        actions = pieces(self._ruleset, self._expansion, About.ACTION, 0)
        instead = {self._ruleset.actions[action].replaces: action for action in actions}
        return [instead.get(action, action) for action in self._ruleset.first_game][:STREETS]

    def answer(self, question: Question, word: str) -> int:
        """The answer that a word means: a number, an id, or the beginning of one. Raises NotUnderstood."""
        if question.about is About.CITIZENS:
            return self._citizens(word)
        here = pieces(self._ruleset, self._expansion, question.about, question.place)
        if word.isdecimal():
            if len(word) > 3 or not 1 <= int(word) <= len(here):
                raise NotUnderstood(f"{word} is none of the numbers 1 to {len(here)}: ? lists them")
            return self._the_one(question, here[int(word) - 1])
        names = {self.name(question.about, piece).lower(): piece for piece in here}
        found = [name for name in names if name == word] or [name for name in names if name.startswith(word)]
        if len(found) == 1:
            return self._the_one(question, names[found[0]])
        if found:
            raise NotUnderstood(f"{word} could be {joined([name.upper() for name in found], 'or')}")
        raise NotUnderstood(f"{word!r} is none of the choices: ? lists them")

    def _the_one(self, question: Question, piece: int) -> int:
        """Of pieces that look alike, the one that can be the answer."""
        name = self.name(question.about, piece)
        return next((one for one in question.choices if self.name(question.about, one) == name), piece)

    def _citizens(self, word: str) -> int:
        classes = [LETTERS.find(letter) for letter in word.upper()]
        if len(classes) != HAND or min(classes) < 1:
            raise NotUnderstood(f"{word!r} is not two of the letters W, M and U: type both citizens, as in wu")
        return pair(*classes)

    def entered(self, question: Question, answer: int) -> str:
        """An answer with what it answers: `street B: Coins`."""
        if question.about is About.MOVE:
            assert self.table.state is not None
            return self.table.game.words.move(self.table.state.view(PERSON), answer)
        return f"{self.place(question)}: {self._said(question.about, answer)}"

    def _said(self, about: About, answer: int) -> str:
        if about is About.CITIZENS:
            return joined([CITIZENS[citizen] for citizen in both(answer)])
        return self.name(about, answer)

    # Objections

    def objection(self, question: Question, answer: int) -> str:
        """Why an answer can't be, as the table stands."""
        about, name = question.about, self._said(question.about, answer)
        match about:
            case About.CITIZENS:
                return f"{name} can't both have come out of the bag: it holds {self.bag()}"
            case About.TOP | About.ARROW | About.SHUFFLED | About.CARD:
                return f"{name} can't be: that card lies face up already"
            case About.TILE:
                return f"{name} can't come out of the stack: {self._where(answer)}"
        lies = self.table.setting_up.lies
        if answer in lies[about]:
            if about is About.SAGRADA:
                return f"you have named {name} already"
            before = Question(about, lies[about].index(answer), ())
            return f"{name} is already what you entered for {self.place(before)}"
        if about is About.SHOWN and answer in lies[About.CERDA]:
            return f"{name} is a Cerdà tile of this game: its twin stays in the box"
        if about is About.CERDA:
            return f"{name} is no Cerdà tile: it is found among the Modernisme tiles only"
        if about is About.SERVICE:
            return f"{name} can't be: one stack is of a type of the expansion, the others of the base game"
        return f"{name} can't be"

    def _where(self, tile: int) -> str:
        """Where a Modernisme tile is that is not in the stack."""
        state = self.table.state
        assert state is not None
        if tile in state.cerda_tiles:
            return "it is a Cerdà tile of this game"
        for seat, who in ((PERSON, "your"), (SEAT, "Gaudí's")):
            if tile in state.projects[seat]:
                return f"it is in {who} project space {state.projects[seat].index(tile) + 1}"
        if tile in state.shown:
            return f"it lay on place {state.shown.index(tile) + 1} of the display"
        return "it came to the display just now"

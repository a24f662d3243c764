"""Solo Barcelona at a real table: chance is the person's own, and what it brings is entered just in time.

The position is a whole one, but pieces that nobody has seen are blank. Each move is tried on a copy; where the try
turns up a blank it is given up, and what the person's own bag, deck or stack brought is asked for. So nothing is ever
revealed that the person has not entered, and a game is nothing but the list of its entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.events import ModernismeTaken
from boardgamesbot.games.barcelona.gaudi.piles import BLANK, FaceDown, OwnChance, Pile, Unseen
from boardgamesbot.games.barcelona.gaudi.questions import (
    About,
    Entry,
    Question,
    backs,
    both,
    fronts,
    pairs,
)
from boardgamesbot.games.barcelona.gaudi.setting_up import PERSON, SettingUp
from boardgamesbot.games.barcelona.moves import GAUDI
from boardgamesbot.games.base import GameError, Malformed

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.game import Barcelona
    from boardgamesbot.games.barcelona.state import BarcelonaState
    from boardgamesbot.games.base import Event, Move, Options


class WrongEntry(GameError):
    """An answer that can't be, as the table stands; nothing has changed."""

    def __init__(self, question: Question, answer: int) -> None:
        super().__init__(f"{answer} is no answer to the question for {question.about} {question.place}")
        self.question = question
        self.answer = answer


class PhysicalGame:
    """A solo game at a real table. Answer `question` with `enter`, until there is none: the game is over."""

    def __init__(self, game: Barcelona, options: Options, entries: Sequence[Entry] = ()) -> None:
        """A new game, or the one that some entries make.

        Raises Malformed for options of another game than solo, WrongEntry or IllegalMove for entries that make none.
        """
        self.game = game
        self.options = game.complete_options(options)
        if self.options["solo"] == "NONE":
            raise Malformed("options.solo", "must not be NONE: this is for games against Gaudí")
        self.taken_back: list[Entry] = []
        """Entries taken back that could be entered again, the next last."""
        self._start()
        for entry in entries:
            self._want(entry)
            self._take(entry)

    def _start(self) -> None:
        self.entries: list[Entry] = []
        """All that was entered, in order; what could only be one thing was not."""
        self.state: BarcelonaState | None = None
        """The position after the last move that is complete; None while the table is set up."""
        self._under_way: BarcelonaState | None = None
        """The position in the middle of the move being made; None where nothing of it is known yet."""
        self.moves: list[Move] = []
        """The moves made so far, Gaudí's among them."""
        self.setting_up = SettingUp(self.game, self.options)
        self.question: Question | None = self.setting_up.question
        """What is to be entered next; None when the game is over."""
        self._move: Move = GAUDI
        """The move being made."""
        self._brought: list[Entry] = []
        """What chance brought in it, as far as it was entered."""
        self._told = 0
        """How many of its events have been told."""
        self.followed: list[tuple[Question, int]] = []
        """Questions after the last entry that had only one answer left, and the answers."""
        self.since: list[Event] = []
        """All that has happened since the person's last move was entered, or since the table was set up."""

    @property
    def position(self) -> BarcelonaState | None:
        """The position as it should lie on the table now, in the middle of a move too; None while that is set up."""
        return self._under_way or self.state

    # Entries

    def enter(self, answer: int) -> list[Event]:
        """Take the answer to the question, and say what came of it. Raises WrongEntry, or IllegalMove for a move."""
        if self.question is None:
            raise ValueError("the game is over: nothing is asked")
        entry = Entry(self.question.about, answer)
        self._want(entry)
        if self.taken_back:
            self.taken_back.pop()
        return self._take(entry)

    def take_back(self) -> Entry:
        """Undo the last entry, and everything that came of it. There must be one."""
        *before, last = self.entries
        self._start()
        for entry in before:
            self._take(entry)
        self.taken_back.append(last)
        return last

    def again(self) -> list[Event]:
        """Enter the next of those taken back. Raises WrongEntry, IllegalMove where it does not fit any more."""
        self._want(self.taken_back[-1])
        return self._take(self.taken_back.pop())

    def _want(self, entry: Entry) -> None:
        """Raise unless an entry answers the question."""
        question = self.question
        if question is None or entry.about is not question.about:
            raise WrongEntry(question or Question(About.MOVE, PERSON, ()), entry.answer)
        if question.about is About.MOVE:
            assert self.state is not None
            self.state.check(entry.answer)
        elif entry.answer not in question.choices:
            raise WrongEntry(question, entry.answer)

    def _take(self, entry: Entry) -> list[Event]:
        """Take an entry, and those after it that can only be one thing."""
        self.entries.append(entry)
        self.followed = []
        if entry.about is About.MOVE:
            self.since = []
        events = self._go_on(entry)
        while (question := self.question) is not None and question.certain:
            self.followed.append((question, question.choices[0]))
            events += self._go_on(Entry(question.about, question.choices[0]))
        self.since += events
        return events

    def _go_on(self, entry: Entry) -> list[Event]:
        if self.state is None:
            return self._set_up(entry)
        if entry.about is About.MOVE:
            self._begin(entry.answer)
        else:
            self._brought.append(entry)
        return self._try()

    def _set_up(self, entry: Entry) -> list[Event]:
        self.setting_up.take(entry)
        self.question = self.setting_up.question
        if self.question is not None:
            return []
        self.state, events = self.setting_up.begin()
        self._ask_for_a_move()
        return events

    # Moves

    def _begin(self, move: Move) -> None:
        self._move, self._brought, self._told, self._under_way = move, [], 0, None

    def _ask_for_a_move(self) -> None:
        assert self.state is not None
        self.question = None if self.state.over else Question(About.MOVE, PERSON, tuple(self.state.legal))

    def _try(self) -> list[Event]:
        """Make the move, and Gaudí's if he is next, as far as is known what comes to light."""
        assert self.state is not None
        told: list[Event] = []
        while True:
            if self._card_is_doubtful():
                return told
            trial = self.state.copy()
            self._lay(trial)
            try:
                events = trial.apply(self._move)
            except Unseen as unseen:
                events = trial.events or []
                told += events[self._told :]
                self._told = len(events)
                self.question = self._asks_for(unseen.pile, trial, events)
                if BLANK not in [*trial.deck][-1:]:
                    self._under_way = trial
                return told
            told += events[self._told :]
            trial.deck = FaceDown(Pile.DECK, trial.deck)
            trial.chance = OwnChance()
            self.state, self._under_way = trial, None
            self.moves.append(self._move)
            self._ask_for_a_move()
            if trial.over or not trial.is_gaudi(trial.seat):
                return told
            self._begin(GAUDI)

    def _lay(self, state: BarcelonaState) -> None:
        """Put what chance brought where the move finds it."""
        citizens = [c for entry in self._brought if entry.about is About.CITIZENS for c in both(entry.answer)]
        tiles = [entry.answer for entry in self._brought if entry.about is About.TILE]
        for pile, found in ((state.bag, citizens), (state.modernisme_stack, tiles)):
            if found:
                pile[-len(found) :] = reversed(found)
        for about, card in self._brought:
            if about is About.CARD:
                state.deck[-1] = card
            elif about is About.ARROW:
                state.deck[-2] = card
            elif about is About.SHUFFLED:
                state.chance = OwnChance(card)

    def _asks_for(self, pile: Pile, trial: BarcelonaState, events: Sequence[Event]) -> Question:
        """The question after a try that came upon a blank."""
        assert self.state is not None
        view, ruleset = self.state.view(PERSON), self.game.ruleset
        brought = [entry.answer for entry in self._brought if entry.about is About.TILE]
        match pile:
            case Pile.BAG:
                return Question(About.CITIZENS, trial.seat, pairs(view.unseen_citizens()))
            case Pile.STACK:
                taken = next(event for event in reversed(events) if isinstance(event, ModernismeTaken))
                left = tuple(tile for tile in view.unseen_modernisme() if tile not in brought)
                return Question(About.TILE, taken.shown, left)
        about = About.SHUFFLED if pile is Pile.DISCARDS else About.ARROW
        unseen = [card for card in range(len(ruleset.gaudi.cards)) if card not in trial.discards]
        return Question(about, trial.discards[-1], backs(ruleset, unseen))

    def _card_is_doubtful(self) -> bool:
        """Whether Gaudí's card comes next and its arrow does not tell which it is: then that is asked."""
        assert self.state is not None
        if self._move != GAUDI or any(entry.about is About.CARD for entry in self._brought):
            return False
        top, cards = self.state.deck[-1], self.game.ruleset.gaudi.cards
        unseen = self.state.view(PERSON).unseen_cards()
        same = fronts(self.game.ruleset, [top, *(c for c in unseen if cards[c].arrow == cards[top].arrow)])
        if len(same) > 1:
            self.question = Question(About.CARD, top, same)
        return len(same) > 1

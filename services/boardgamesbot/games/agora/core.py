"""The rules of play of Agora Barcelona on plain numbers, fast enough for searches.

Written for two readers: it runs as it stands, and mypyc makes a native class of it.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum
from typing import Final

from mypy_extensions import i64

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.board import ALL_DISTRICTS, Board
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.agora.walkers import ANYBODY, Walkers
from boardgamesbot.games.base import Options
from boardgamesbot.games.chance import Chance

TAKE: Final = 1
PLAY: Final = 2
FIRST_WALK: Final = 3
SECOND_WALK: Final = 4
DRAW: Final = 5
PASS_FOUNTAIN: Final = 6
OVER: Final = 7


class Phase(IntEnum):
    """What is being decided; the numbers are those of the contract."""

    TAKE = TAKE
    PLAY = PLAY
    FIRST_WALK = FIRST_WALK
    SECOND_WALK = SECOND_WALK
    DRAW = DRAW
    PASS_FOUNTAIN = PASS_FOUNTAIN
    OVER = OVER


NOTE: Final = 4
"""How many numbers a note of what happened has: its kind, and three that depend on the kind (0 where unused)."""

DEALT_NOTE: Final = 1
"""A seat was dealt a square: seat, square."""
TURN_NOTE: Final = 2
"""A turn began: turn, the holder of the Fountain."""
TAKEN_NOTE: Final = 3
"""A square was taken: seat, the seat it was taken from, square."""
PLAYED_NOTE: Final = 4
"""A square was played: seat, square."""
DISCARDED_NOTE: Final = 5
"""A square was discarded: seat, square."""
WALKED_NOTE: Final = 6
"""A walker walked: seat, the move."""
DRAWN_NOTE: Final = 7
"""A square was drawn: seat, pile, square."""
PASSED_NOTE: Final = 8
"""The Fountain was handed on: from seat, to seat."""
SKIPPED_NOTE: Final = 9
"""A seat could not do what a phase asks for: seat, phase."""
ENDED_NOTE: Final = 10
"""The game ended."""


class Core(Walkers):
    """A position without its past: everything that play depends on, and the rules of play.

    Walkers are counted in flat lists, `district * players + seat`: `upright`, and `total`, those lying included.
    Hands hold square numbers in the order they came; piles have their top last. Read them as you like. To set them,
    make a Core, set what differs from an empty board, and call `settle`.
    """

    options: Options
    plain: bool
    choosing: bool
    until_empty: bool
    turns: i64
    turn: i64
    phase: i64
    done: i64
    """How many players, from the Fountain's holder on, are done with the phase."""
    fountain: i64
    first_walk: i64
    """The walk made, as a move, while the second is being decided; else -1."""
    supply: list[int]
    """Walkers left by seat."""
    hands: list[list[int]]
    piles: list[list[int]]
    removed: list[int]
    """The squares that are out of the game; never changed."""

    def __init__(self, board: Board, players: int, options: Options) -> None:
        """An empty board before anything is dealt; `deal` sets the game up."""
        super().__init__(board, players)
        setup = board.setups[players]
        self.options = options
        self.plain = options["backs"] == "PLAIN"
        self.choosing = options["take"] == "CHOOSE" and not self.plain
        self.until_empty = options["take_until"] == "PILES_EMPTY"
        self.turns = setup.turns
        self.turn = 1
        self.phase = TAKE
        self.done = 0
        self.fountain = 0
        self.first_walk = -1
        self.supply = [setup.walkers] * players
        self.hands = [[] for _ in range(players)]
        self.piles = [[], []]
        self.removed = []
        self._open: list[int] = []
        """By `seat * DISTRICTS + frm`: the ways open to a walker, if `_is_open_known`."""
        self._is_open_known: bool = False

    def settle(self) -> None:
        """Work out anew all that follows from the walkers and the phase, after they were set from outside."""
        self.weigh(ALL_DISTRICTS)
        self._is_open_known = False

    def copy(self) -> Core:
        """A position of its own: nothing done to either shows in the other."""
        twin = Core(self.board, self.players, self.options)
        twin.assign(self)
        return twin

    def assign(self, other: Core) -> None:
        """Become a copy of another position."""
        self.assign_walkers(other)
        self.options = other.options
        self.plain = other.plain
        self.choosing = other.choosing
        self.until_empty = other.until_empty
        self.turns = other.turns
        self.turn = other.turn
        self.phase = other.phase
        self.done = other.done
        self.fountain = other.fountain
        self.first_walk = other.first_walk
        self.supply = other.supply.copy()
        self.hands = [hand.copy() for hand in other.hands]
        self.piles = [pile.copy() for pile in other.piles]
        self.removed = other.removed
        self._open = other._open
        self._is_open_known = other._is_open_known

    # What is asked of a position

    @property
    def is_over(self) -> bool:
        return self.phase == OVER

    @property
    def actor(self) -> int:
        """The seat whose decision it is; -1 when the game is over."""
        if self.phase == OVER:
            return -1
        return self.acting()

    def acting(self) -> i64:
        """The seat that the phase has come to."""
        seat = self.fountain + self.done
        return seat if seat < self.players else seat - self.players

    def left_of_acting(self) -> i64:
        """The seat to the left of it, from whose hand it takes."""
        seat = self.acting() + 1
        return seat if seat < self.players else 0

    @property
    def is_last_turn(self) -> bool:
        return self.turn == self.turns

    def back(self, square: int) -> int:
        """What the back of a square tells: its district, or -1 with plain backs (AG-S5)."""
        return -1 if self.plain else self.board.district_of[square]

    def scores(self) -> list[int]:
        """Points by seat, as if the game ended now. Where the lead is shared, nobody scores."""
        return district_points(self.total, self.players, self.board.points)

    def presence(self) -> list[int]:
        """In how many districts each seat has walkers (AG-F2)."""
        found = [0] * self.players
        for at, walkers in enumerate(self.total):
            if walkers:
                found[at % self.players] += 1
        return found

    def winners(self, among: Collection[int] | None = None) -> list[int]:
        """The seats that win, as if the game ended now, of all or of those in `among` (AG-F1 to AG-F3)."""
        scores, presence = self.scores(), self.presence()
        worth = [points * (DISTRICTS + 1) + presence[seat] for seat, points in enumerate(scores)]
        seats = list(range(self.players)) if among is None else sorted(among)
        best = max([worth[seat] for seat in seats], default=0)
        return [seat for seat in seats if worth[seat] == best]

    # What is legal

    def legal(self) -> list[int]:
        """Every legal move of the actor, sorted; none when the game is over. The list is the caller's."""
        phase = self.phase
        found: list[int] = []
        if phase in (FIRST_WALK, SECOND_WALK):
            walks, bits = self.board.walks, self.board.most_ways
            for place, ways in enumerate(self.open_ways()):
                if ways:
                    found.extend(walks[place << bits | ways])
        elif phase == PLAY:
            seat = self.acting()
            hand = self.hands[seat]
            found = [moves.FIRST_PLAY - 1 + square for square in hand if self.is_playable(seat, square)]
            if not found:
                found = [moves.FIRST_DISCARD - 1 + square for square in hand]
            found.sort()
        elif phase == DRAW:
            found = [moves.FIRST_DRAW + pile for pile in range(moves.PILES) if self.piles[pile]]
        elif phase == PASS_FOUNTAIN:
            found = [moves.FIRST_PASS + other for other in range(self.players) if other != self.fountain]
        elif phase == TAKE:
            backs = 0
            for square in self.hands[self.left_of_acting()]:
                backs |= 1 << self.back(square)
            found = [moves.FIRST_TAKE + district for district in self.board.members[backs]]
        return found

    def is_legal(self, move: int) -> bool:
        """Whether a move is among the legal ones, without listing them."""
        if self.phase not in (FIRST_WALK, SECOND_WALK):
            return move in self.legal()
        walk = move - moves.FIRST_WALK
        place = walk // DISTRICTS
        if walk < 0 or place >= self.players * DISTRICTS:
            return False
        to = self.board.ways[place % DISTRICTS << DISTRICTS | 1 << walk % DISTRICTS]
        return self.open_ways()[place] & to != 0

    def pick(self, chance: Chance) -> int:
        """A legal move by chance, each as likely as the others. The game must not be over."""
        if self.phase not in (FIRST_WALK, SECOND_WALK):
            legal = self.legal()
            return legal[chance.below(len(legal))]
        some = [
            self.board.walks[place << self.board.most_ways | ways]
            for place, ways in enumerate(self.open_ways())
            if ways
        ]
        count = 0
        for alike in some:
            count += len(alike)
        left = chance.below(count)
        for alike in some:
            if left < len(alike):
                return alike[left]
            left -= len(alike)
        raise ValueError("nobody can walk")

    def open_ways(self) -> list[int]:
        """The walks that are legal now: the set of ways by `seat * DISTRICTS + frm`. Not to be changed."""
        if self.phase not in (FIRST_WALK, SECOND_WALK):
            return [0] * (self.players * DISTRICTS)
        if not self._is_open_known:
            if self.phase == FIRST_WALK:
                self._open = self.first_walks(self._own())
            else:
                walker = (self.first_walk - moves.FIRST_WALK) // (DISTRICTS * DISTRICTS)
                self._open = self.second_walks(walker, self._own())
            self._is_open_known = True
        return self._open

    def _own(self) -> i64:
        """The seat whose walkers alone may walk, in the last turn; else ANYBODY (AG-P3.3)."""
        return self.acting() if self.turn == self.turns else ANYBODY

    def is_playable(self, seat: i64, square: i64) -> bool:
        """Whether a seat has the walkers for a square, and playing it leaves no shared lead (AG-P2.2, AG-P2.3)."""
        value: i64 = self.board.value_of[square]
        if value > self.supply[seat]:
            return False
        return self.leaves_no_tie(seat, self.board.district_of[square], value)

    # What happens

    def deal(self, chance: Chance, journal: list[int] | None = None) -> None:
        """Set the game up by chance (AG-S1 to AG-S3) and go on to the first decision."""
        ruleset = self.board.ruleset
        squares = list(range(1, SQUARES + 1))
        chance.shuffle(squares)
        removed = self.board.setups[self.players].removed
        self.removed, squares = squares[:removed], squares[removed:]
        for seat in range(self.players):
            self.hands[seat] = squares[: ruleset.hand]
            squares = squares[ruleset.hand :]
            if journal is not None:
                for square in self.hands[seat]:
                    journal += [DEALT_NOTE, seat, square, 0]
        half = (len(squares) + 1) // 2
        self.piles = [squares[:half], squares[half:]]
        self.fountain = chance.below(self.players)
        if journal is not None:
            journal += [TURN_NOTE, self.turn, self.fountain, 0]
        self._go_on(chance, journal)

    def advance(self, move: int, chance: Chance, journal: list[int] | None = None) -> None:
        """Make a legal move, and all that follows up to the next decision. Does not check.

        What happened is added to `journal` as notes, NOTE numbers each.
        """
        if move < moves.FIRST_PLAY:
            hand = self.hands[self.left_of_acting()]
            alike = [i for i, square in enumerate(hand) if self.back(square) == move - moves.FIRST_TAKE]
            self._take(alike[chance.below(len(alike))], journal)
        elif move < moves.FIRST_DISCARD:
            self._play(move - moves.FIRST_PLAY + 1, journal)
        elif move < moves.FIRST_WALK:
            self._discard(move - moves.FIRST_DISCARD + 1, journal)
        elif move < moves.FIRST_DRAW:
            self._walk(move, journal)
        elif move < moves.FIRST_PASS:
            self._draw(move - moves.FIRST_DRAW, journal)
        else:
            self._pass_fountain(move - moves.FIRST_PASS, journal)
        self._go_on(chance, journal)

    def play_out(self, chance: Chance) -> None:
        """Play on to the end, every move by chance."""
        while self.phase != OVER:
            self.advance(self.pick(chance), chance)

    def _go_on(self, chance: Chance, journal: list[int] | None) -> None:
        """Do what needs no decision, up to the next one or the end (AG-T1)."""
        while self.phase != OVER:
            if self.done == self.players:
                self._next_phase(journal)
            elif self.phase == TAKE:
                if self._goes_on_at_take(chance, journal):
                    return
            elif self.phase == FIRST_WALK:
                if any(self.open_ways()):
                    return
                self._skip(journal)
            elif self.phase == DRAW and not self.piles[0] and not self.piles[1]:
                self.done = self.players
            else:
                return

    def _goes_on_at_take(self, chance: Chance, journal: list[int] | None) -> bool:
        """Take by chance, or pass over it; True where the taker has to choose (AG-P1.1 to AG-P1.3)."""
        if self.until_empty and not self.piles[0] and not self.piles[1]:
            self.done = self.players
            return False
        squares = len(self.hands[self.left_of_acting()])
        if not squares:
            self._skip(journal)
        elif self.choosing:
            return True
        else:
            self._take(chance.below(squares), journal)
        return False

    def _skip(self, journal: list[int] | None) -> None:
        if journal is not None:
            journal += [SKIPPED_NOTE, self.acting(), self.phase, 0]
        self._is_open_known = False
        self.done += 1

    def _next_phase(self, journal: list[int] | None) -> None:
        self.done = 0
        if self.phase == TAKE:
            self.phase = PLAY
        elif self.phase == PLAY:
            self.phase = FIRST_WALK
        elif self.phase == FIRST_WALK:
            self.phase = DRAW
        elif self.is_last_turn:
            self.stand_up()
            self.phase = OVER
            if journal is not None:
                journal += [ENDED_NOTE, 0, 0, 0]
        else:
            self.stand_up()
            self.phase = PASS_FOUNTAIN

    def _take(self, index: i64, journal: list[int] | None) -> None:
        seat, left = self.acting(), self.left_of_acting()
        square = self.hands[left].pop(index)
        self.hands[seat].append(square)
        if journal is not None:
            journal += [TAKEN_NOTE, seat, left, square]
        self.done += 1

    def _play(self, square: int, journal: list[int] | None) -> None:
        seat = self.acting()
        value = self.board.value_of[square]
        self.hands[seat].remove(square)
        self.supply[seat] -= value
        self.place(seat, self.board.district_of[square], value)
        if journal is not None:
            journal += [PLAYED_NOTE, seat, square, 0]
        self.done += 1

    def _discard(self, square: int, journal: list[int] | None) -> None:
        seat = self.acting()
        self.hands[seat].remove(square)
        if journal is not None:
            journal += [DISCARDED_NOTE, seat, square, 0]
        self.done += 1

    def _walk(self, move: i64, journal: list[int] | None) -> None:
        walk = move - moves.FIRST_WALK
        frm = walk // DISTRICTS
        self.step(frm // DISTRICTS, frm % DISTRICTS, walk % DISTRICTS)
        self._is_open_known = False
        if journal is not None:
            journal += [WALKED_NOTE, self.acting(), move, 0]
        if self.phase == FIRST_WALK:
            self.first_walk = move
            self.phase = SECOND_WALK
        else:
            self.first_walk = -1
            self.phase = FIRST_WALK
            self.done += 1

    def _draw(self, pile: int, journal: list[int] | None) -> None:
        seat = self.acting()
        square = self.piles[pile].pop()
        self.hands[seat].append(square)
        if journal is not None:
            journal += [DRAWN_NOTE, seat, pile, square]
        self.done += 1

    def _pass_fountain(self, seat: i64, journal: list[int] | None) -> None:
        if journal is not None:
            journal += [PASSED_NOTE, self.fountain, seat, 0]
        self.fountain = seat
        self.turn += 1
        self.phase = TAKE
        if journal is not None:
            journal += [TURN_NOTE, self.turn, seat, 0]


def district_points(total: list[int], players: int, points: list[int]) -> list[int]:
    """Points by seat of walkers counted as `district * players + seat` (AG-F1)."""
    scores = [0] * players
    for district, worth in enumerate(points):
        most = 0
        leader = -1
        for seat in range(players):
            walkers = total[district * players + seat]
            if walkers > most:
                most, leader = walkers, seat
            elif walkers == most:
                leader = -1
        if leader >= 0:
            scores[leader] += worth
    return scores

"""Walkers on the board, and every walk there is: the rule that no lead may be shared, for placing and for walking.

What a move is judged by (who leads a district, who is one walker short of it, whose walkers may leave or enter it) is
kept up to date district by district as walkers come and go, so that nothing has to be tried out to know nearly every
legal walk. Written for two readers: it runs as it stands, and mypyc makes a native class of it.

A set of seats is the bits of a number, and so is a set of districts (see `board`). A *map of seats to districts* is
one number, too: DISTRICTS bits for each seat, that of seat 0 lowest.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from boardgamesbot.games.agora.board import ALL_DISTRICTS, Board
from boardgamesbot.games.agora.ruleset import DISTRICTS

ANYBODY: Final = -1
"""Whose walkers may move, where they are not one seat's alone."""

_SPREAD: Final = 0x1008040201
_ONE_EACH: Final = 0x10040100401


class Walkers:
    """The walkers on the board, counted in flat lists, `district * players + seat`.

    Walks are asked for with `own`: the only seat whose walkers may move, for both walks (AG-P3.3), or ANYBODY.
    """

    board: Board
    players: i64
    upright: list[int]
    total: list[int]
    """Those lying included."""

    def __init__(self, board: Board, players: int) -> None:
        self.board = board
        self.players = players
        self.upright = [0] * (DISTRICTS * players)
        self.total = [0] * (DISTRICTS * players)
        self._most: list[int] = [0] * DISTRICTS
        """By district: the highest number of walkers of one seat."""
        self._leaders: list[int] = [0] * DISTRICTS
        """By district: the seats that have it."""
        self._runners: list[int] = [0] * DISTRICTS
        """By district: the seats that have one walker less."""
        self._ties: i64 = 0
        """The districts with a shared lead."""
        self._up: i64 = 0
        """By seat: the districts where it has an upright walker."""
        self._leave: i64 = 0
        """By seat: those of them that one may leave so that no lead is shared there then."""
        self._enter: i64 = (1 << players * DISTRICTS) - 1
        """By seat: the districts that a walker may enter so that no lead is shared there then."""

    def weigh(self, districts: i64) -> None:
        """Work out anew what follows from the walkers in a set of districts, after they were set from outside."""
        district: i64
        for district in self.board.members[districts]:
            self._weigh(district)

    def assign_walkers(self, other: Walkers) -> None:
        """Have the same walkers as another, each of its own."""
        self.board = other.board
        self.players = other.players
        self.upright = other.upright.copy()
        self.total = other.total.copy()
        self._most = other._most.copy()
        self._leaders = other._leaders.copy()
        self._runners = other._runners.copy()
        self._ties = other._ties
        self._up = other._up
        self._leave = other._leave
        self._enter = other._enter

    @property
    def tied_districts(self) -> int:
        """The set of districts with a shared lead: empty but between two walks."""
        return self._ties

    def leaves_no_tie(self, seat: i64, district: i64, walkers: i64) -> bool:
        """Whether a seat may place so many walkers in a district without a shared lead there (AG-P2.3)."""
        after: i64 = self.total[district * self.players + seat] + walkers
        most: i64 = self._most[district]
        return after > most or (after < most and self._ties >> district & 1 == 0)

    def place(self, seat: i64, district: i64, walkers: int) -> None:
        """Place walkers of a seat, upright."""
        at = district * self.players + seat
        self.upright[at] = self.upright[at] + walkers
        self.total[at] = self.total[at] + walkers
        self._weigh(district)

    def stand_up(self) -> None:
        """Have all that lie stand up."""
        self.upright = self.total.copy()
        self.weigh(ALL_DISTRICTS)

    def step(self, seat: i64, frm: i64, to: i64) -> None:
        """Move an upright walker of a seat, and lay it down."""
        players = self.players
        left, entered = frm * players + seat, to * players + seat
        total, upright = self.total, self.upright
        upright[left] = upright[left] - 1
        total[left] = total[left] - 1
        total[entered] = total[entered] + 1
        self._weigh(frm)
        self._weigh(to)

    def _step_back(self, seat: i64, frm: i64, to: i64) -> None:
        players = self.players
        left, entered = frm * players + seat, to * players + seat
        total, upright = self.total, self.upright
        upright[left] = upright[left] + 1
        total[left] = total[left] + 1
        total[entered] = total[entered] - 1
        self._weigh(frm)
        self._weigh(to)

    def _weigh(self, district: i64) -> None:
        """Bring up to date what is known of a district whose walkers have changed."""
        total, upright, players = self.total, self.upright, self.players
        most: i64 = 0
        leaders: i64 = 0
        runners: i64 = 0
        up: i64 = 0
        bit: i64 = 1
        place = district * players
        end = place + players
        while place < end:
            walkers: i64 = total[place]
            if walkers > most:
                runners = leaders if walkers == most + 1 else 0
                leaders = bit
                most = walkers
            elif walkers == most:
                leaders |= bit
            elif walkers == most - 1:
                runners |= bit
            if upright[place] > 0:
                up |= bit
            bit += bit
            place += 1
        here: i64 = 1 << district
        self._ties &= ~here
        leave: i64 = up
        enter: i64 = bit - 1
        if most == 0:
            leaders = 0
            runners = 0
        elif leaders & (leaders - 1) == 0:
            enter &= ~runners
            if runners and most > 1:
                leave &= ~leaders
        else:
            self._ties |= here
            enter = leaders
            rest = leaders & (leaders - 1)
            leave = leaders & up if rest & (rest - 1) == 0 else 0
        self._most[district] = most
        self._leaders[district] = leaders
        self._runners[district] = runners
        # Multiplying by _SPREAD puts five copies of a set of seats 9 bits apart; bit s of copy s is bit 10 s.
        others: i64 = ~(_ONE_EACH << district)
        self._up = self._up & others | (up * _SPREAD & _ONE_EACH) << district
        self._leave = self._leave & others | (leave * _SPREAD & _ONE_EACH) << district
        self._enter = self._enter & others | (enter * _SPREAD & _ONE_EACH) << district

    def _partners(self, seat: i64, own: i64) -> i64:
        """The seats whose walker may walk beside one of `seat` in the same two walks (AG-P3.1, AG-P3.3)."""
        if own >= 0:
            return 1 << own
        return ((1 << self.players) - 1) & ~(1 << seat)

    def second_walks(self, first: i64, own: i64) -> list[int]:
        """The walks that leave no lead shared, one of a walker of seat `first` having been made.

        The set of ways, by `seat * DISTRICTS + frm`.
        """
        board, ties = self.board, self._ties
        opened = [0] * (self.players * DISTRICTS)
        partners = self._partners(first, own)
        seat: i64
        frm: i64
        for seat in range(self.players):
            if partners >> seat & 1:
                enter = self._enter >> seat * DISTRICTS & ALL_DISTRICTS
                for frm in board.members[self._leave >> seat * DISTRICTS & ALL_DISTRICTS]:
                    to = _ending(ties, frm, board.borders[frm] & enter)
                    if to:
                        opened[seat * DISTRICTS + frm] = board.ways[frm << DISTRICTS | to]
        return opened

    def _has_second_walk(self, first: i64, own: i64) -> bool:
        """Whether there is such a walk, the first having been one of seat `first`."""
        board, ties, partners = self.board, self._ties, self._partners(first, own)
        seat: i64
        frm: i64
        for seat in range(self.players):
            if partners >> seat & 1:
                enter = self._enter >> seat * DISTRICTS & ALL_DISTRICTS
                for frm in board.members[self._leave >> seat * DISTRICTS & ALL_DISTRICTS]:
                    if _ending(ties, frm, board.borders[frm] & enter):
                        return True
        return False

    def first_walks(self, own: i64) -> list[int]:
        """The walks that some second one completes (AG-P3.2): the set of ways, by `seat * DISTRICTS + frm`.

        Two walks that leave no lead shared and have no district in common do no harm together. A first walk that
        makes a tie needs a second one to end it, and nearly always one is there that has no other district in
        common with it. What is not settled by that is tried out.
        """
        board, members = self.board, self.board.members
        movers: i64 = 1 << own if own >= 0 else (1 << self.players) - 1
        free = self._seats_with_walks_apart(movers, own)
        opened = [0] * (self.players * DISTRICTS)
        seat: i64
        frm: i64
        other: i64
        for seat in range(self.players):
            if movers >> seat & 1 == 0:
                continue
            leave = self._leave >> seat * DISTRICTS & ALL_DISTRICTS
            enter = self._enter >> seat * DISTRICTS & ALL_DISTRICTS
            for frm in members[self._up >> seat * DISTRICTS & ALL_DISTRICTS]:
                here: i64 = 1 << frm
                to: i64 = board.borders[frm]
                sure: i64 = 0
                unsure: i64 = to
                if self._ties:
                    pass
                elif leave & here:
                    if free >> seat & 1:
                        sure = to & enter
                    else:
                        for other in members[to & enter]:
                            if self._has_walk_apart(seat, here | 1 << other, own):
                                sure |= 1 << other
                    for other in members[to & ~enter]:
                        if self._enders_of_entered(seat, other, own) & ~here:
                            sure |= 1 << other
                    unsure = to & ~sure
                else:
                    enders = self._enders_of_left(seat, frm, own)
                    if enders & (enders - 1):
                        sure = to & enter
                    elif enders:
                        sure = to & enter & ~enders
                    unsure = to & enter & ~sure
                    for other in members[to & ~enter]:
                        if self._has_ender_between(seat, frm, other, own):
                            sure |= 1 << other
                for other in members[unsure]:
                    if self._is_completed(seat, frm, other, own):
                        sure |= 1 << other
                if sure:
                    opened[seat * DISTRICTS + frm] = board.ways[frm << DISTRICTS | sure]
        return opened

    def _seats_with_walks_apart(self, movers: i64, own: i64) -> i64:
        """The seats for which there are three harmless walks of partners, no two with a district in common.

        Whatever harmless walk such a seat makes first, it leaves one of the three alone. Seats may be missing.
        """
        borders, members, players = self.board.borders, self.board.members, self.players
        used: i64 = 0
        count: i64 = 0
        counts: i64 = 0
        """By seat, 4 bits each."""
        for _ in range(3 if own >= 0 else 2):
            seat: i64
            frm: i64
            for seat in range(players):
                if movers >> seat & 1:
                    enter = self._enter >> seat * DISTRICTS & ALL_DISTRICTS & ~used
                    for frm in members[self._leave >> seat * DISTRICTS & ALL_DISTRICTS & ~used]:
                        to = borders[frm] & enter
                        if to:
                            used |= 1 << frm | to & -to
                            count += 1
                            counts += 1 << 4 * seat
                            break
        found: i64 = 0
        for seat in range(players):
            if own >= 0:
                if count >= 3:
                    found |= 1 << seat
            elif count - (counts >> 4 * seat & 15) >= 3:
                found |= 1 << seat
        return found

    def _enders_of_entered(self, seat: i64, district: i64, own: i64) -> i64:
        """Where a second walk that ends the tie begins or ends, a walker of a runner having entered a district.

        The other end is the district itself. The first walk has not been made, so ends it has to do with don't count.
        """
        partner = seat if own >= 0 else self.board.only[self._leaders[district]]
        shift = partner * DISTRICTS
        ends = self._leave >> shift
        if self._up >> shift >> district & 1:
            ends |= self._enter >> shift
        return self.board.borders[district] & ends

    def _enders_of_left(self, seat: i64, district: i64, own: i64) -> i64:
        """The same, the leader having left a district where others are one walker behind."""
        runners: i64 = self._runners[district]
        ends: i64 = 0
        is_pair = runners & (runners - 1) == 0
        if own >= 0:
            ends = self._leave >> seat * DISTRICTS
            if is_pair and self.upright[district * self.players + seat] > 1:
                ends |= self._enter >> seat * DISTRICTS
        else:
            partner: i64
            for partner in range(self.players):
                if runners >> partner & 1:
                    shift = partner * DISTRICTS
                    ends |= self._leave >> shift
                    if is_pair and self._up >> shift >> district & 1:
                        ends |= self._enter >> shift
        return self.board.borders[district] & ends

    def _has_ender_between(self, seat: i64, frm: i64, to: i64, own: i64) -> bool:
        """Whether a second walk ends both ties, a walk of a leader having made one at either end."""
        runners: i64 = self._runners[frm]
        partner = seat if own >= 0 else self.board.only[self._leaders[to]]
        if own < 0 and runners >> partner & 1 == 0:
            return False
        up = self._up >> partner * DISTRICTS
        if up >> to & 1:
            return True
        if runners & (runners - 1):
            return False
        return self.upright[frm * self.players + seat] > 1 if own >= 0 else up >> frm & 1 == 1

    def _has_walk_apart(self, first: i64, districts: i64, own: i64) -> bool:
        """Whether a partner has a harmless walk that neither begins nor ends in one of some districts."""
        board, partners = self.board, self._partners(first, own)
        seat: i64
        frm: i64
        for seat in range(self.players):
            if partners >> seat & 1:
                enter = self._enter >> seat * DISTRICTS & ALL_DISTRICTS & ~districts
                for frm in board.members[self._leave >> seat * DISTRICTS & ALL_DISTRICTS & ~districts]:
                    if board.borders[frm] & enter:
                        return True
        return False

    def _is_completed(self, seat: i64, frm: i64, to: i64, own: i64) -> bool:
        """Whether some second walk completes a first one: tried out, and put back."""
        self.step(seat, frm, to)
        found = self._has_second_walk(seat, own)
        self._step_back(seat, frm, to)
        return found


def _ending(ties: i64, frm: i64, to: i64) -> i64:
    """Of the districts `to` that a walk from `frm` may end in, those where it leaves no district tied."""
    rest = ties & ~(1 << frm)
    if rest == 0:
        return to
    return to & rest if rest & (rest - 1) == 0 else 0

"""Which walks are legal (AG-P3.1 to AG-P3.3), worked out for all seats at once.

Sets of seats are the bits of a number: bit s stands for seat s. A *path* is a way from a district to a neighbour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from boardgamesbot.games.agora import moves
from boardgamesbot.games.base import Move


class Paths:
    """The borders of a ruleset, as every path there is. Immutable."""

    __slots__ = ("apart", "moves", "paths", "touching")

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        self.paths = [(frm, to) for frm, others in enumerate(neighbours) for to in sorted(others)]
        """Every path as (from, to), in the order of moves."""
        self.touching = [
            [number for number, path in enumerate(self.paths) if district in path]
            for district in range(len(neighbours))
        ]
        """By district: the numbers of the paths that begin or end there."""
        self.apart = [
            [number for number, path in enumerate(self.paths) if not set(path) & {frm, to}] for frm, to in self.paths
        ]
        """By path: the numbers of those that have no district in common with it."""
        self.moves = [[moves.walk(seat, frm, to) for frm, to in self.paths] for seat in range(moves.MOST_PLAYERS)]
        """By seat and path: the move."""


class Judgement(NamedTuple):
    """What can be said of a district by its walkers alone."""

    is_tied: bool
    """Two or more players share the highest number of walkers."""
    leave: int
    """The seats of which a walker may leave, so that no lead is shared then."""
    enter: int
    """The seats of which a walker may enter, so that no lead is shared then."""


def shares_lead(row: Sequence[int]) -> bool:
    """Whether two or more players share the highest number of walkers; `row` has the walkers by seat."""
    most = max(row)
    return most > 0 and row.count(most) > 1


@lru_cache(maxsize=1 << 16)
def judge(row: tuple[int, ...]) -> Judgement:
    """The judgement of a district with these walkers by seat."""
    leave = enter = 0
    for seat, walkers in enumerate(row):
        before, after = row[:seat], row[seat + 1 :]
        if walkers and not shares_lead((*before, walkers - 1, *after)):
            leave |= 1 << seat
        if not shares_lead((*before, walkers + 1, *after)):
            enter |= 1 << seat
    return Judgement(shares_lead(row), leave, enter)


class Walks:
    """The walks of one position. `total` and `upright` are walkers, `district * players + seat`."""

    __slots__ = ("_enter", "_leave", "_own", "_paths", "_rows", "_ties", "_up", "_upright", "players")

    def __init__(
        self, paths: Paths, players: int, total: list[int], upright: list[int], *, own: int | None = None
    ) -> None:
        """`own` is the only seat whose walkers may move, for both walks (AG-P3.3); None: anybody's may."""
        self.players = players
        self._paths = paths
        self._own = own
        self._upright = upright
        self._rows = [tuple(total[start : start + players]) for start in range(0, len(total), players)]
        judgements = [judge(row) for row in self._rows]
        self._ties = [district for district, judged in enumerate(judgements) if judged.is_tied]
        self._leave = [judged.leave for judged in judgements]
        self._enter = [judged.enter for judged in judgements]
        self._up = [0] * len(self._rows)
        """By district: the seats with an upright walker there that may move."""
        for seat in range(players) if own is None else (own,):
            bit = 1 << seat
            for district, walkers in enumerate(upright[seat::players]):
                if walkers:
                    self._up[district] |= bit

    def second(self, first_seat: int) -> list[Move]:
        """The second walks, sorted, after a first one with a walker of `first_seat`, made already."""
        may = self._other_than(first_seat)
        legal = [0] * len(self._paths.paths)
        for number in self._ending(self._ties):
            legal[number] = self._harmless(number) & may
        return self._moves(legal)

    def first(self) -> list[Move]:
        """The first walks, sorted: those that some second walk completes (AG-P3.2)."""
        harmless = [self._harmless(number) for number in range(len(self._paths.paths))]
        return self._moves([self._completable(number, harmless) for number in range(len(harmless))])

    def has_first(self) -> bool:
        """Whether there is any first walk (AG-P3.4)."""
        harmless = [self._harmless(number) for number in range(len(self._paths.paths))]
        return any(self._completable(number, harmless) for number in range(len(harmless)))

    def _moves(self, legal: list[int]) -> list[Move]:
        """The moves of the seats that have a path open, by path."""
        found: list[Move] = []
        for seat in range(self.players):
            bit = 1 << seat
            found += [move for move, seats in zip(self._paths.moves[seat], legal, strict=True) if seats & bit]
        return found

    def _other_than(self, seat: int) -> int:
        """The seats whose walkers may move beside one of `seat`."""
        return -1 if self._own is not None else ~(1 << seat)

    def _harmless(self, number: int) -> int:
        """The seats that may walk this path without leaving a shared lead at either end."""
        frm, to = self._paths.paths[number]
        return self._up[frm] & self._leave[frm] & self._enter[to]

    def _ending(self, ties: Sequence[int]) -> Iterable[int]:
        """The paths that touch every tied district: no other can end the ties."""
        if not ties:
            return range(len(self._paths.paths))
        touching = self._paths.touching[ties[0]]
        return touching if len(ties) == 1 else [n for n in touching if all(d in self._paths.paths[n] for d in ties)]

    def _completable(self, number: int, harmless: list[int]) -> int:
        """The seats that may walk this path first."""
        movers = self._up[self._paths.paths[number][0]]
        if not movers:
            return 0
        # Two walks that are harmless alone and have no district in common are harmless together. That settles most.
        elsewhere = 0
        for other in self._paths.apart[number]:
            elsewhere |= harmless[other]
            if elsewhere & (elsewhere - 1):
                break
        settled = harmless[number]
        if not elsewhere:
            settled = 0
        elif self._own is None and not elsewhere & (elsewhere - 1):
            settled &= ~elsewhere
        rest = movers & ~settled
        while rest:
            bit = rest & -rest
            rest ^= bit
            if self._has_second(number, bit.bit_length() - 1):
                settled |= bit
        return settled

    def _has_second(self, number: int, seat: int) -> bool:
        """Whether some second walk completes a first one of `seat` along a path: tried out, and put back."""
        frm, to = self._paths.paths[number]
        up, leave, enter = self._up, self._leave, self._enter
        before = (up[frm], leave[frm], enter[frm], leave[to], enter[to])
        left, entered = judge(_changed(self._rows[frm], seat, -1)), judge(_changed(self._rows[to], seat, 1))
        leave[frm], enter[frm], leave[to], enter[to] = left.leave, left.enter, entered.leave, entered.enter
        if self._upright[frm * self.players + seat] == 1:
            up[frm] &= ~(1 << seat)
        ties = ([frm] if left.is_tied else []) + ([to] if entered.is_tied else [])
        may = self._other_than(seat)
        found = any(self._harmless(second) & may for second in self._ending(ties))
        up[frm], leave[frm], enter[frm], leave[to], enter[to] = before
        return found


def _changed(row: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return (*row[:seat], row[seat] + by, *row[seat + 1 :])

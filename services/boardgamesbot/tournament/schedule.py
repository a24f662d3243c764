"""Who plays whom, in which seats, with which deal: all of it follows from the tournament, nothing from chance.

A *deal* is a seed. Every deal is played once in each seating of a match, so that whoever gains by it has gained no more
than the others in the end; the matches of a league have the same deals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations, permutations

from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed, Options
from boardgamesbot.tournament.entrants import BadEntrant, Entrant

Labels = tuple[str, ...]
"""Entrants by seat."""


class Seating(StrEnum):
    """Which seatings of its bots a match has."""

    ROTATE = "rotate"
    """They go round the seats, their order staying what it is."""
    EVERY = "every"
    """All there are."""


@dataclass(frozen=True)
class Plan:
    """One game to be played."""

    game_id: str
    options: tuple[tuple[str, str], ...]
    bots: Labels
    seed: bytes
    number: int = 0
    """Its number in the tournament, from 0."""
    deal: int = 0
    """Games of the same deal and number of players have the same seed."""


@dataclass(frozen=True)
class Match:
    """The same bots at one table again and again, in one seating after another."""

    players: int
    seatings: tuple[Labels, ...]

    def games_of_whole_rounds(self, games: int) -> int:
        """So many games, or a few more, that every seating is played as often as any other."""
        return -(-games // len(self.seatings)) * len(self.seatings)


@dataclass(frozen=True)
class Tournament:
    """Everything that is decided before the first game. Equal tournaments have equal games."""

    game_id: str
    options: tuple[tuple[str, str], ...]
    """By name and value; what is left out has its default."""
    players: tuple[int, ...]
    """How many play, one number or several after another."""
    bots: Labels
    """Who enters. At one table the last of them fills what is left; in a league all meet in pairs."""
    games: int
    """Games of each match."""
    seed: str
    seating: Seating = Seating.ROTATE
    is_league: bool = False

    @property
    def complete_options(self) -> Options:
        return registry.game(self.game_id).complete_options(dict(self.options))

    def check(self) -> None:
        """Raise Malformed, with the name of the field, unless these games can be played."""
        options = self.complete_options
        if not self.players or self.games < 1:
            raise Malformed("games" if self.players else "players", "there is nothing to play")
        for players in self.players:
            registry.game(self.game_id).check_players(players, options)
        for bot in self.bots:
            try:
                Entrant.parse(bot).check(self.game_id)
            except BadEntrant as error:
                raise Malformed("bots", str(error)) from None
        free = min(self.players) - len(self._wanted)
        if self.is_league:
            self._check_league()
        elif not 1 <= len(self.bots) <= free:
            raise Malformed("bots", f"{len(self.bots)} are named for {free} seats")

    def _check_league(self) -> None:
        if self._wanted:
            raise Malformed("bots", "with these options the rules give a seat to a bot of theirs: there is no league")
        if len(set(self.bots)) < max(2, len(self.bots)):
            raise Malformed("bots", "a league takes two bots or more, each named once")

    @property
    def _wanted(self) -> Mapping[int, str]:
        return registry.game(self.game_id).bots_wanted(self.complete_options)

    @property
    def is_even(self) -> bool:
        """Whether all seats have the same chances: the rules give none of them to a certain bot."""
        return not self._wanted

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """One for each number of players; in a league also for each pair."""
        return tuple(
            Match(players, self._seatings(players, line_ups))
            for players in self.players
            for line_ups in self._line_ups(players)
        )

    @property
    def total(self) -> int:
        """How many games there are."""
        return self.games * len(self.matches)

    def plan(self, number: int) -> Plan:
        """A game by its number. More games of each match leave those before them as they are."""
        turn, at = divmod(number, len(self.matches))
        match = self.matches[at]
        deal, seating = divmod(turn, len(match.seatings))
        seed = hashlib.sha256(f"{self.seed}:{self.game_id}:{match.players}:{deal}".encode()).digest()
        return Plan(self.game_id, self.options, match.seatings[seating], seed, number, deal)

    def plans(self) -> Iterator[Plan]:
        """All games, the matches taking turns."""
        return map(self.plan, range(self.total))

    def _line_ups(self, players: int) -> list[list[Sequence[str]]]:
        """By match, those who sit at its table, in the order in which they go round."""
        free = players - len(self._wanted)
        if not self.is_league:
            return [[[*self.bots, *[self.bots[-1]] * free][:free]]]
        return [_shared_out(pair, free) for pair in combinations(self.bots, 2)]

    def _seatings(self, players: int, line_ups: Sequence[Sequence[str]]) -> tuple[Labels, ...]:
        free = [seat for seat in range(players) if seat not in self._wanted]
        ways = [way for line_up in line_ups for way in _WAYS[self.seating](line_up)]
        tables = (dict(zip(free, way, strict=True)) | dict(self._wanted) for way in dict.fromkeys(ways))
        return tuple(tuple(table[seat] for seat in range(players)) for table in tables)


def plans(
    game_id: str, options: Sequence[tuple[str, str]], players: int, bots: Sequence[str], games: int, seed: str
) -> Iterator[Plan]:
    """The games of one table whose bots go round the seats."""
    return Tournament(game_id, tuple(options), (players,), tuple(bots), games, seed).plans()


def _shared_out(pair: tuple[str, str], seats: int) -> list[Sequence[str]]:
    """Two bots in every other seat; where one of them has a seat more, the other has it in a second line-up."""
    line_ups = [[pair[(seat + first) % 2] for seat in range(seats)] for first in range(2)]
    return list(line_ups) if seats % 2 else [line_ups[0]]


def rotations(line_up: Sequence[str]) -> list[Labels]:
    """Every seating in which the bots sit in this order, each once, beginning with the one given."""
    turned = (tuple(line_up[turn:]) + tuple(line_up[:turn]) for turn in range(len(line_up)))
    return list(dict.fromkeys(turned))


def arrangements(line_up: Sequence[str]) -> list[Labels]:
    """Every seating there is, each once; those that are rotations of one another follow one another."""
    orders = dict.fromkeys(permutations(line_up))
    return list(dict.fromkeys(seating for order in orders for seating in rotations(order)))


_WAYS = {Seating.ROTATE: rotations, Seating.EVERY: arrangements}

"""What the games of a tournament come to: wins, points, pace and ratings of its entrants.

Everything is counted in the order of the games' numbers, whatever order they were played in. Games that ended by a
fault count for nothing. A game is one trial for an entrant, in however many seats of it the same one sits: it *wins*
what these seats win together. Points are the mean of its seats, and their interval takes a deal as one trial, because
the games of a deal are alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from boardgamesbot.players.skill import POINTS_A_UNIT, Skill, after, ranks
from boardgamesbot.tournament.played import Played
from boardgamesbot.tournament.schedule import Plan, Tournament
from boardgamesbot.tournament.statistics import NORMAL_95, Interval, mean_interval, share_interval


@dataclass
class Tally:
    """Sums over the games of an entrant, or of those that it played in one seat or against one other."""

    games: int = 0
    seats: int = 0
    """Its seats in all these games."""
    wins: float = 0.0
    due: float = 0.0
    """What it would have won if everybody at the table were as strong."""
    turns: int = 0
    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    iterations: int = 0
    deals: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By deal, its points in each game."""

    def add(self, played: Played, seats: Sequence[int], deal: int) -> None:
        """Count a game in which it had these seats."""
        self.games += 1
        self.seats += len(seats)
        self.wins += sum(played.shares[seat] for seat in seats)
        self.due += len(seats) / len(played.bots)
        self.turns += sum(played.turns[seat] for seat in seats)
        self.moves += sum(played.moves[seat] for seat in seats)
        self.seconds += sum(played.seconds[seat] for seat in seats)
        self.slowest = max([self.slowest, *(played.slowest[seat] for seat in seats)])
        self.iterations += sum(played.iterations[seat] for seat in seats)
        self.deals[deal].append(fmean(played.points[seat] for seat in seats))

    @property
    def share(self) -> float:
        """Of the games, those won, from 0 to 1."""
        return self.wins / self.games

    @property
    def share_interval(self) -> Interval:
        return share_interval(self.wins, self.games)

    @property
    def even(self) -> float:
        """The share if everybody at the table were as strong."""
        return self.due / self.games

    @property
    def points(self) -> float:
        """The mean over its games."""
        return fmean(points for deal in self.deals.values() for points in deal)

    @property
    def points_interval(self) -> Interval | None:
        """None where there is one deal only."""
        return mean_interval([fmean(deal) for deal in self.deals.values()])

    @property
    def seconds_a_move(self) -> float:
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def iterations_a_move(self) -> float:
        return self.iterations / self.moves if self.moves else 0.0


@dataclass
class Standings:
    """All of it for one number of players."""

    players: int
    is_even: bool
    """Whether it says something what each would win if all were as strong, and whether they are rated."""
    games: int = 0
    """Without those that ended by a fault."""
    turns: int = 0
    moves: int = 0
    longest: tuple[int, int] = (0, 0)
    """Moves and turns of the longest game."""
    by_bot: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_seat: dict[tuple[str, int], Tally] = field(default_factory=lambda: defaultdict(Tally))
    pairs: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    """By an entrant and another: the first one's games at tables with nobody but these two."""
    skills: dict[str, Skill] = field(default_factory=lambda: defaultdict(Skill))

    def add(self, plan: Plan, played: Played) -> None:
        """Count a game; in the order of their numbers, or the ratings come out otherwise."""
        if played.fault is not None:
            return
        length = (sum(played.moves), sum(played.turns))
        self.games += 1
        self.moves += length[0]
        self.turns += length[1]
        self.longest = max(self.longest, length)
        seated: dict[str, list[int]] = defaultdict(list)
        for seat, bot in enumerate(played.bots):
            seated[bot].append(seat)
            self.by_seat[bot, seat].add(played, [seat], plan.deal)
        for bot, seats in seated.items():
            self.by_bot[bot].add(played, seats, plan.deal)
            if len(seated) == 2:
                (other,) = seated.keys() - {bot}
                self.pairs[bot, other].add(played, seats, plan.deal)
        if self.is_even:
            self._rate(played, seated)

    def _rate(self, played: Played, seated: Mapping[str, Sequence[int]]) -> None:
        """Every seat is rated for itself; an entrant with several goes on with their mean."""
        rated = after([self.skills[bot] for bot in played.bots], ranks_of(played))
        for bot, seats in seated.items():
            mine = [rated[seat] for seat in seats]
            self.skills[bot] = Skill(fmean(skill.mu for skill in mine), fmean(skill.sigma for skill in mine))

    @property
    def order(self) -> list[str]:
        """The entrants, best first: by what they are thought to be worth, or without ratings by wins."""
        if self.is_even:
            return sorted(self.by_bot, key=lambda bot: (-self.skills[bot].mu, bot))
        return sorted(self.by_bot, key=lambda bot: (-self.by_bot[bot].share, bot))

    def rating(self, bot: str) -> float:
        """What an entrant is thought to be worth; 1500 is where all begin."""
        return self.skills[bot].expected

    def rating_interval(self, bot: str) -> Interval:
        half = NORMAL_95 * POINTS_A_UNIT * self.skills[bot].sigma
        return self.rating(bot) - half, self.rating(bot) + half


def ranks_of(played: Played) -> list[int]:
    """The ranks by seat, from 0: first the winners, however many share the victory, then the others by points."""
    return ranks(
        [(0, 0) if share else (1, -points) for share, points in zip(played.shares, played.points, strict=True)]
    )


def standings(tournament: Tournament, games: Mapping[int, Played]) -> dict[int, Standings]:
    """The standings by number of players after these games (by number), those without a single game left out."""
    found: dict[int, Standings] = {}
    for number in sorted(games):
        plan = tournament.plan(number)
        players = len(plan.bots)
        found.setdefault(players, Standings(players, tournament.is_even)).add(plan, games[number])
    return {players: found[players] for players in sorted(found) if found[players].games}

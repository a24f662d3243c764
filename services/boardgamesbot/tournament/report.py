"""The standings as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import MINIMAL
from rich.table import Table

from boardgamesbot.games import registry
from boardgamesbot.tournament.schedule import Match, Tournament
from boardgamesbot.tournament.standings import Standings, Tally
from boardgamesbot.tournament.statistics import Interval


def tables(tournament: Tournament, of: Standings) -> Iterator[Table]:
    """The standings of one number of players: results; those of a league by pairs; ratings and pace."""
    yield _results(tournament, of)
    if tournament.is_league and len(tournament.bots) > 2:
        yield _cross(of)
    yield _pace(of)


def _results(tournament: Tournament, of: Standings) -> Table:
    name = registry.game(tournament.game_id).name
    title = f"{name}, {of.players} players, {of.games} games, seed {tournament.seed}"
    table = _table(title, "\n".join(_notes(tournament, of)))
    table.add_column("seat")
    for heading in ("games", "wins", "95 %", "points", "95 %"):
        table.add_column(heading, justify="right")
    if of.is_even:
        table.add_column("even", justify="right")
    for bot in of.order:
        table.add_row(bot, "all", *_figures(of.by_bot[bot], of.is_even))
        for (one, seat), tally in sorted(of.by_seat.items()):
            if one == bot:
                table.add_row("", str(seat), *_figures(tally, of.is_even))
        table.add_section()
    return table


def _notes(tournament: Tournament, of: Standings) -> Iterator[str]:
    yield "wins: of the games it had a seat in; 95 %: where the figure lies in the long run, 19 times in 20"
    if of.is_even:
        yield "even: what it would win if all were as strong"
    yield (
        f"a game: {of.turns / of.games:.1f} turns, {of.moves / of.games:.1f} moves; "
        f"the longest: {of.longest[1]} turns, {of.longest[0]} moves"
    )
    if whole := _uneven(tournament, of.players):
        yield f"not every seat was had equally often: --games {whole} would make it so"


def _uneven(tournament: Tournament, players: int) -> int:
    """How many games of each match it takes that all seatings are played equally often; 0 if they are."""
    matches: list[Match] = [match for match in tournament.matches if match.players == players]
    whole = max(match.games_of_whole_rounds(tournament.games) for match in matches)
    return whole if whole != tournament.games else 0


def _cross(of: Standings) -> Table:
    table = _table("Pair by pair", "the share of games that the bot of the line wins against the one of the column")
    for other in of.order:
        table.add_column(other, justify="right")
    for bot in of.order:
        cells = (of.pairs.get((bot, other)) for other in of.order)
        table.add_row(bot, *(f"{cell.share:.1%} {_bounds(cell.share_interval)}" if cell else "" for cell in cells))
    return table


def _pace(of: Standings) -> Table:
    ratings = "rating: 1500 is where all begin; " if of.is_even else ""
    title = "Ratings and pace" if of.is_even else "Pace"
    table = _table(title, f"{ratings}turns and moves: in a game; ms and iterations: of thought for a move")
    if of.is_even:
        table.add_column("rating", justify="right")
    for heading in ("turns", "moves", "ms", "ms at most", "iterations"):
        table.add_column(heading, justify="right")
    for bot in of.order:
        tally = of.by_bot[bot]
        rating = f"{of.rating(bot):.0f} {_plus_minus(of.rating(bot), of.rating_interval(bot), 0)}"
        table.add_row(
            bot,
            *([rating] if of.is_even else []),
            f"{tally.turns / tally.seats:.1f}",
            f"{tally.moves / tally.seats:.1f}",
            f"{1000 * tally.seconds_a_move:.2f}",
            f"{1000 * tally.slowest:.0f}",
            f"{tally.iterations_a_move:.0f}" if tally.iterations else "–",
        )
    return table


def _table(title: str, caption: str) -> Table:
    """A table whose first column are the bots, their names never cut."""
    table = Table(
        title=title, title_justify="left", caption=caption, caption_justify="left", box=MINIMAL, pad_edge=False
    )
    table.add_column("bot", no_wrap=True)
    return table


def _figures(tally: Tally, is_even: bool) -> list[str]:
    points = tally.points_interval
    figures = [
        str(tally.games),
        f"{tally.share:.1%}",
        _bounds(tally.share_interval),
        f"{tally.points:.1f}",
        _plus_minus(tally.points, points, 1) if points else "–",
    ]
    return [*figures, f"{tally.even:.0%}"] if is_even else figures


def _bounds(interval: Interval) -> str:
    return f"{100 * interval[0]:.0f}–{interval[1]:.0%}"


def _plus_minus(value: float, interval: Interval, digits: int) -> str:
    return f"±{interval[1] - value:.{digits}f}"

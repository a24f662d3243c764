"""The standings as a picture: SVG, from text to text, with nothing but the standard library.

Its colours are of middle lightness and its ground is clear, so that it can be read on a light page and on a dark one.
Nothing is said by colour alone. Whoever does not see it has the title, and a description with every figure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from boardgamesbot.games import registry
from boardgamesbot.tournament.schedule import Tournament
from boardgamesbot.tournament.standings import Standings
from boardgamesbot.tournament.statistics import Interval

_INK = "#767676"
_ACCENT = "#3b7fc4"
_FAINT = 'stroke-opacity="0.4"'

_MARGIN, _LINE, _GAP = 16, 26, 24
_NAMES, _CHART, _FIGURE = 150, 150, 76
"""Widths: of the names, and of a column's chart and figures."""
_HEAD, _SECTION, _FOOT = 40, 72, 44
"""Heights: above everything; above the lines of a number of players; below everything."""


@dataclass(frozen=True)
class _Mark:
    """A figure of an entrant with its interval, and what it would be if all were as strong."""

    value: float
    interval: Interval
    even: float | None = None


@dataclass(frozen=True)
class _Column:
    heading: str
    low: float
    high: float
    marks: Mapping[str, _Mark]
    format: str
    """Of its figures."""
    format_of_ends: str

    def at(self, value: float) -> float:
        """Where a value lies, from 0 at the left of the chart."""
        return _CHART * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)


def svg(tournament: Tournament, found: Mapping[int, Standings]) -> str:
    """The picture of these standings, by number of players: for each entrant wins, points and rating."""
    title = _title(tournament)
    sections = [(of, _columns(of)) for of in found.values()]
    width = 2 * _MARGIN + _NAMES + max((len(columns) for _, columns in sections), default=1) * (_CHART + _FIGURE + _GAP)
    height = _HEAD + sum(_SECTION + _LINE * len(of.order) for of, _ in sections) + _FOOT
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif" font-size="13"'
            f' fill="{_INK}">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="desc">{escape(" ".join(_description(sections)))}</desc>',
            _text(_MARGIN, 28, title, 'font-size="16" font-weight="600"'),
            *_sections(sections),
            _text(_MARGIN, height - 16, _LEGEND, 'font-size="11"'),
            "</svg>",
            "",
        ]
    )


_LEGEND = (
    "Dots: what the games came to. Lines: where it lies in the long run, 19 times in 20. Ticks: if all were alike."
)


def _title(tournament: Tournament) -> str:
    game = registry.game(tournament.game_id)
    set_ = [
        f"{name} {value}" for name, value in tournament.options if value != game.complete_options({}).get(name, value)
    ]
    kind = "league" if tournament.is_league else "tournament"
    seed = "".join(character for character in tournament.seed if character.isprintable())
    return ", ".join([game.name, *set_, kind, f"seed {seed}"])


def _columns(of: Standings) -> list[_Column]:
    wins = {bot: _Mark(t.share, t.share_interval, t.even if of.is_even else None) for bot, t in of.by_bot.items()}
    points = {bot: _Mark(t.points, t.points_interval or (t.points, t.points)) for bot, t in of.by_bot.items()}
    columns = [
        _Column("wins", 0, 1, wins, ".1%", ".0%"),
        _Column("points", *_range(points.values(), 10), points, ".1f", ".0f"),
    ]
    if of.is_even:
        ratings = {bot: _Mark(of.rating(bot), of.rating_interval(bot)) for bot in of.by_bot}
        columns.append(_Column("rating", *_range(ratings.values(), 100), ratings, ".0f", ".0f"))
    return columns


def _range(marks: Iterable[_Mark], step: int) -> tuple[float, float]:
    """The ends of a chart that has room for all of these: multiples of the step."""
    bounds = [bound for mark in marks for bound in mark.interval]
    low, high = math.floor(min(bounds) / step), math.ceil(max(bounds) / step)
    return low * step, max(high, low + 1) * step


def _description(sections: Sequence[tuple[Standings, Sequence[_Column]]]) -> Iterator[str]:
    for of, columns in sections:
        yield f"{of.players} players, {of.games} games."
        for bot in of.order:
            yield f"{bot}: {_in_words(bot, columns)}."


def _in_words(bot: str, columns: Sequence[_Column]) -> str:
    return ", ".join(_figure_in_words(column, column.marks[bot]) for column in columns)


def _figure_in_words(column: _Column, mark: _Mark) -> str:
    low, high = (format(bound, column.format) for bound in mark.interval)
    return f"{column.heading} {format(mark.value, column.format)} ({low} to {high})"


def _sections(sections: Sequence[tuple[Standings, Sequence[_Column]]]) -> Iterator[str]:
    top = _HEAD
    for of, columns in sections:
        yield _text(_MARGIN, top + 24, f"{of.players} players, {of.games} games", 'font-weight="600"')
        first = top + _SECTION
        for number, column in enumerate(columns):
            left = _MARGIN + _NAMES + number * (_CHART + _FIGURE + _GAP)
            yield from _axis(column, left, first, _LINE * len(of.order))
        for line, bot in enumerate(of.order):
            yield f"<g><title>{escape(f'{bot}: {_in_words(bot, columns)}')}</title>"
            middle = first + _LINE * line + _LINE // 2
            yield _text(_MARGIN, middle + 4, bot)
            for number, column in enumerate(columns):
                yield from _mark(
                    column, column.marks[bot], _MARGIN + _NAMES + number * (_CHART + _FIGURE + _GAP), middle
                )
            yield "</g>"
        top = first + _LINE * len(of.order)


def _axis(column: _Column, left: int, top: int, height: int) -> Iterator[str]:
    yield _text(left, top - 22, column.heading)
    for end, anchor in ((column.low, "start"), (column.high, "end")):
        at = left + column.at(end)
        yield _text(at, top - 6, format(end, column.format_of_ends), f'font-size="10" text-anchor="{anchor}"')
        yield f'<path d="M{at:g} {top}v{height}" stroke="{_INK}" {_FAINT}/>'


def _mark(column: _Column, mark: _Mark, left: int, middle: int) -> Iterator[str]:
    low, high = (left + column.at(bound) for bound in mark.interval)
    if mark.even is not None:
        at = left + column.at(mark.even)
        yield f'<path d="M{at:.1f} {middle - 9}v18" stroke="{_INK}" stroke-dasharray="2 2"/>'
    yield f'<path d="M{low:.1f} {middle}H{high:.1f}" stroke="{_ACCENT}" stroke-width="2"/>'
    yield f'<circle cx="{left + column.at(mark.value):.1f}" cy="{middle}" r="4.5" fill="{_ACCENT}"/>'
    yield _text(left + _CHART + _FIGURE, middle + 4, format(mark.value, column.format), 'text-anchor="end"')


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{" " if attributes else ""}{attributes}>{escape(text)}</text>'

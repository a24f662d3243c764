"""Results in files: JSON that a tournament can be gone on with, and CSV for other programs.

Pure: text in, text out. The JSON is one object: `format`, `ruleset` (the hash of the game's figures), `tournament` (all
that was decided before), `standings` (what came of it), `games` (each with its number, by seat).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed
from boardgamesbot.tournament.played import Fault, Kind, Played
from boardgamesbot.tournament.schedule import Seating, Tournament
from boardgamesbot.tournament.standings import Standings, Tally, standings

FORMAT = "boardgamesbot.tournament.1"
_SECONDS_DIGITS = 6

_PLAYED = ("bots", "shares", "points", "turns", "moves", "seconds", "slowest", "iterations")
_COLUMNS = ("number", "players", "deal", "seed", "seat", "bot", "points", "share", "turns", "moves")
_COLUMNS_OF_PACE = ("seconds", "slowest", "iterations", "fault")


class BadResults(ValueError):
    """A text that holds no results that can be gone on with here; says what is wrong with it."""


def to_json(tournament: Tournament, games: Mapping[int, Played]) -> str:
    """The results, every row of the standings and every game on a line of its own."""
    head = {
        "format": FORMAT,
        "ruleset": registry.game(tournament.game_id).ruleset.hash,
        "tournament": {**asdict(tournament), "options": dict(tournament.options)},
    }
    rows = [row for one in standings(tournament, games).values() for row in _rows(one)]
    played = [_game(tournament, number, games[number]) for number in sorted(games)]
    start = json.dumps(head, indent=1).removesuffix("\n}")
    return f'{start},\n "standings": {_lines(rows)},\n "games": {_lines(played)}\n}}\n'


def from_json(text: str) -> tuple[Tournament, dict[int, Played]]:
    """The tournament of such a text and the games played of it. Raises BadResults."""
    try:
        document = json.loads(text)
        found = document["format"]
    except (ValueError, TypeError, KeyError):
        raise BadResults("it holds no results of `bgb simulate`") from None
    if found != FORMAT:
        raise BadResults(f"format: it is {found!r}, not {FORMAT!r}: another version wrote it")
    try:
        tournament = _tournament(document["tournament"])
        tournament.check()
        _check_ruleset(tournament, document["ruleset"])
        games = {entry["number"]: _played(entry) for entry in document["games"]}
        for number, played in games.items():
            _check_place(tournament, number, played)
    except Malformed as error:
        raise BadResults(f"tournament.{error}") from None
    except BadResults:
        raise
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise BadResults(f"it is damaged: {type(error).__name__}: {error}") from None
    return tournament, games


def to_csv(tournament: Tournament, games: Mapping[int, Played]) -> str:
    """A line for each seat of each game."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*_COLUMNS, *_COLUMNS_OF_PACE])
    for number in sorted(games):
        plan, played = tournament.plan(number), games[number]
        fault = played.fault.kind.value if played.fault else ""
        for seat, bot in enumerate(played.bots):
            table.writerow(
                [
                    *(number, len(played.bots), plan.deal, plan.seed.hex(), seat, bot),
                    *(played.points[seat], round(played.shares[seat], 6), played.turns[seat], played.moves[seat]),
                    *(round(played.seconds[seat], _SECONDS_DIGITS), round(played.slowest[seat], _SECONDS_DIGITS)),
                    *(played.iterations[seat], fault if played.fault and played.fault.seat == seat else ""),
                ]
            )
    return text.getvalue()


def _check_ruleset(tournament: Tournament, played_with: str) -> None:
    here = registry.game(tournament.game_id).ruleset.hash
    if played_with != here:
        raise BadResults(
            f"ruleset: it was played with {played_with[:12]}, not with the one in use here, {here[:12]}: "
            "name it with --ruleset"
        )


def _check_place(tournament: Tournament, number: int, played: Played) -> None:
    if not 0 <= number < tournament.total:
        raise BadResults(f"games: number {number} is none of this tournament's {tournament.total}")
    if tournament.plan(number).bots != played.bots:
        raise BadResults(f"games: number {number} was seated otherwise than it is here: another version wrote it")


def _lines(values: Sequence[Any]) -> str:
    return "[\n" + ",\n".join("  " + json.dumps(value) for value in values) + "\n ]"


def _game(tournament: Tournament, number: int, played: Played) -> dict[str, Any]:
    values = asdict(played)
    for name in ("seconds", "slowest"):
        values[name] = [round(value, _SECONDS_DIGITS) for value in values[name]]
    if played.fault is None:
        del values["fault"]
    return {"number": number, "seed": tournament.plan(number).seed.hex(), **values}


def _played(entry: Mapping[str, Any]) -> Played:
    values: dict[str, Any] = {name: tuple(entry[name]) for name in _PLAYED}
    if any(len(value) != len(values["bots"]) for value in values.values()):
        raise BadResults(f"games: number {entry['number']} has not one of each figure for each seat")
    if fault := entry.get("fault"):
        values["fault"] = Fault(**{**fault, "kind": Kind(fault["kind"]), "moves": tuple(fault["moves"])})
    return Played(**values)


def _tournament(values: Mapping[str, Any]) -> Tournament:
    lists = {name: tuple(values[name]) for name in ("players", "bots")}
    given = {**values, **lists, "options": tuple(values["options"].items()), "seating": Seating(values["seating"])}
    return Tournament(**given)


def _rows(of: Standings) -> list[dict[str, Any]]:
    """The standings as rows: each entrant's, then those of its seats, then those against each other entrant."""
    rows = []
    for bot in of.order:
        tallies: list[tuple[dict[str, Any], Tally]] = [({}, of.by_bot[bot])]
        tallies += [({"seat": seat}, tally) for (one, seat), tally in sorted(of.by_seat.items()) if one == bot]
        tallies += [({"against": other}, tally) for (one, other), tally in sorted(of.pairs.items()) if one == bot]
        for which, tally in tallies:
            row = {"players": of.players, "bot": bot, **which, **_figures(tally)}
            if of.is_even:
                row["even"] = round(tally.even, 6)
                if not which:
                    row["rating"] = _rounded((of.rating(bot), *of.rating_interval(bot)), 2)
            rows.append(row)
    return rows


def _figures(tally: Tally) -> dict[str, Any]:
    """A share, mean or rating is given with the bounds of its interval: [value, low, high]."""
    return {
        "games": tally.games,
        "wins": round(tally.wins, 6),
        "share": _rounded((tally.share, *tally.share_interval), 6),
        "points": _rounded((tally.points, *(tally.points_interval or (None, None))), 3),
        "moves": tally.moves,
        "milliseconds_a_move": round(1000 * tally.seconds_a_move, 3),
        "slowest_milliseconds": round(1000 * tally.slowest, 3),
        "iterations_a_move": round(tally.iterations_a_move, 1),
    }


def _rounded(values: tuple[float | None, ...], digits: int) -> list[float | None]:
    return [None if value is None else round(value, digits) for value in values]

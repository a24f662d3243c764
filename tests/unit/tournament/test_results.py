"""Results in files: what is written is read again, and what is not results is refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from boardgamesbot.tournament.played import Fault, Kind, Played
from boardgamesbot.tournament.results import BadResults, from_json, to_csv, to_json
from boardgamesbot.tournament.schedule import Seating, Tournament
from tests.unit.tournament.fakes import game_of

OPTIONS = (("backs", "DISTRICT"), ("take", "CHOOSE"), ("take_until", "ALWAYS"))
LEAGUE = Tournament("agora", OPTIONS, (3, 4), ("greedy", "random"), 6, "x", Seating.EVERY, is_league=True)
FAULT = Fault(Kind.DEATH, 1, "ended by SIGKILL", "", (3, 5))


def games(tournament: Tournament, count: int) -> dict[int, Played]:
    found = {}
    for plan in list(tournament.plans())[:count]:
        found[plan.number] = game_of(plan.bots, tuple(20 + 3 * seat + plan.number for seat in range(len(plan.bots))))
    return found


def test_results_are_read_as_they_were_written() -> None:
    found = games(LEAGUE, 9)
    found[4] = replace(found[4], fault=FAULT, shares=(0.0,) * len(found[4].bots))
    assert from_json(to_json(LEAGUE, found)) == (LEAGUE, found)
    assert from_json(to_json(LEAGUE, {})) == (LEAGUE, {})


def test_the_standings_are_there_for_other_programs() -> None:
    document = json.loads(to_json(LEAGUE, games(LEAGUE, 12)))
    (row,) = [
        row
        for row in document["standings"]
        if (row["players"], row["bot"]) == (4, "greedy") and not {"seat", "against"} & set(row)
    ]
    value, low, high = row["share"]
    assert 0 <= low < value < high <= 1
    assert row["wins"] == value * row["games"]
    assert row["even"] == 0.5
    assert len(row["rating"]) == 3
    seats = [one for one in document["standings"] if one["players"] == 4 and one["bot"] == "greedy" and "seat" in one]
    assert sum(one["wins"] for one in seats) == row["wins"]
    assert [one["number"] for one in document["games"]] == list(range(12))


def test_a_line_of_csv_for_each_seat() -> None:
    found = games(LEAGUE, 2)
    found[1] = replace(found[1], fault=FAULT)
    rows = list(csv.DictReader(io.StringIO(to_csv(LEAGUE, found))))
    assert len(rows) == sum(len(played.bots) for played in found.values())
    for row in rows:
        played = found[int(row["number"])]
        seat = int(row["seat"])
        assert (row["bot"], int(row["points"]), float(row["share"])) == (
            played.bots[seat],
            played.points[seat],
            played.shares[seat],
        )
        assert row["seed"] == LEAGUE.plan(int(row["number"])).seed.hex()
    assert [row["fault"] for row in rows if row["fault"]] == ["death of the process"]


def _set(*path: Any) -> Callable[[Any], None]:
    *way, name, value = path

    def change(document: Any) -> None:
        for step in way:
            document = document[step]
        document[name] = value

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_set("format", "boardgamesbot.tournament.9"), "format: "),
        (_set("ruleset", "0" * 64), "ruleset: .* --ruleset"),
        (_set("tournament", "players", [9]), "tournament.players: "),
        (_set("tournament", "bots", ["deep-blue", "random"]), "tournament.bots: .*deep-blue"),
        (_set("tournament", "options", {"backs": "RED"}), "tournament.options.backs: "),
        (_set("tournament", "games", "many"), "damaged"),
        (_set("tournament", "seating", "somehow"), "damaged: .*somehow"),
        (_set("tournament", {}), "damaged: "),
        (_set("games", 0, "number", 99), "number 99 is none"),
        (_set("games", 0, "bots", ["random"] * 3), "number 0 was seated otherwise"),
        (_set("games", 0, "points", [1]), "number 0 has not one of each"),
        (_set("games", 0, {}), "damaged: "),
        (_set("games", None), "damaged: "),
    ],
)
def test_what_is_not_what_it_should_be_is_named(change: Callable[[Any], None], says: str) -> None:
    document = json.loads(to_json(LEAGUE, games(LEAGUE, 2)))
    change(document)
    with pytest.raises(BadResults, match=says):
        from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"format": ', "1"])
def test_what_is_no_results_at_all_is_refused(text: str) -> None:
    with pytest.raises(BadResults, match="no results"):
        from_json(text)

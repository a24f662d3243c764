"""The pages of the rules are made from the rules; the data say where each of their values comes from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from boardgamesbot.games import registry, rulebook
from boardgamesbot.games.agora.ruleset import load
from boardgamesbot.games.base import Malformed

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_the_page_of_the_rules_is_fresh(game_id: str, tmp_path: Path) -> None:
    rulebook.main(str(tmp_path))
    made = (tmp_path / f"{game_id}.md").read_text("utf-8")
    assert (ROOT / "docs" / "rules" / f"{game_id}.md").read_text("utf-8") == made, "run `make docs`"
    for rule in registry.game(game_id).rules.values():
        assert f"| {rule.id} | **{rule.title}.** {rule.text} |" in made


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_the_hash_is_that_of_the_document(game_id: str) -> None:
    ruleset = registry.game(game_id).ruleset
    assert ruleset.hash == hashlib.sha256(ruleset.json.encode()).hexdigest()


def test_every_value_of_agora_has_a_source() -> None:
    data: dict[str, Any] = json.loads(load().json)
    sourced = [data["hand"], data["seat_colours"], *data["players"].values(), *data["districts"], *data["squares"]]
    assert {entry["source"] for entry in sourced} <= set(data["sources"])


class TestARulesetOfOnesOwn:
    def test_is_taken_if_it_makes_sense(self) -> None:
        data: dict[str, Any] = json.loads(load().json)
        data["districts"][0]["points"] = 1
        own = load(json.dumps(data))
        assert own.points[0] == 1
        assert own.hash != load().hash

    @pytest.mark.parametrize(
        ("path", "value", "field"),
        [
            (("districts", 0, "adjacent"), ["gracia"], "districts[0].adjacent[0]"),
            (("districts", 0, "adjacent"), ["madrid"], "districts[0].adjacent[0]"),
            (("districts", 1, "id"), "les-corts", "districts[1].id"),
            (("squares", 7, "district"), "madrid", "squares[7].district"),
            (("squares", 7, "value"), "5", "squares[7].value"),
            (("squares", 7, "value"), 0, "squares[7].value"),
            (("squares",), [], "squares"),
            (("players", "4", "turns"), 11, "players.4.turns"),
            (("players", "4", "squares_removed"), "12", "players.4.squares_removed"),
            (("hand", "squares"), 16, "hand.squares"),
        ],
    )
    def test_is_refused_with_the_entry_at_fault(self, path: tuple[str | int, ...], value: object, field: str) -> None:
        data: Any = json.loads(load().json)
        entry = data
        for step in path[:-1]:
            entry = entry[step]
        entry[path[-1]] = value
        with pytest.raises(Malformed) as caught:
            load(json.dumps(data))
        assert caught.value.field == field

    @pytest.mark.parametrize("document", ["", "[", "{}", "[]", '{"districts": 3, "squares": 4}'])
    def test_is_refused_when_it_is_no_ruleset_at_all(self, document: str) -> None:
        with pytest.raises(Malformed):
            load(document)


def test_a_game_there_is_not() -> None:
    with pytest.raises(Malformed, match="there is agora") as caught:
        registry.game("chess" * 100)
    assert caught.value.field == "game_id"
    assert len(caught.value.reason) < 120


def test_options_there_are_not() -> None:
    game = registry.game("agora")
    for given, field in (({"speed": "FAST"}, "options.speed"), ({"take": "STEAL"}, "options.take")):
        with pytest.raises(Malformed) as caught:
            game.complete_options(given)
        assert caught.value.field == field

"""Ruleset files and the catalogue they are put into: for every game alike."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from boardgamesbot.games import registry
from boardgamesbot.games.agora import Agora
from boardgamesbot.games.agora import ruleset as agora
from boardgamesbot.games.agora.proto import AgoraCodec
from boardgamesbot.games.base import Malformed
from boardgamesbot.games.registry import Catalogue, Entry
from boardgamesbot.games.rulesets import Difference, differences, page, parts_of, read, shipped_parts, sourced


def own(squares: int = 4) -> str:
    """A ruleset of Agora with other hands."""
    return json.dumps(shipped_parts("agora") | {"hand": {"source": "ours", "squares": squares}})


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue({"agora": Entry(Agora, agora.load, lambda ruleset: AgoraCodec(Agora(ruleset)))})


class TestTheCatalogue:
    def test_a_ruleset_put_to_use_is_the_one_played_with(self, catalogue: Catalogue) -> None:
        catalogue.use("agora", own())
        assert catalogue["agora"].game.ruleset == catalogue.ruleset("agora") == agora.load(own())

    def test_none_is_put_to_use_once_the_game_is_made(self, catalogue: Catalogue) -> None:
        made = catalogue["agora"]
        with pytest.raises(RuntimeError, match="another ruleset"):
            catalogue.use("agora", own())
        assert catalogue["agora"] is made
        assert not catalogue.replaced

    def test_the_same_one_may_be_put_to_use_at_any_time(self, catalogue: Catalogue) -> None:
        catalogue.use("agora", own())
        made = catalogue["agora"]
        catalogue.use("agora", own())
        assert catalogue["agora"] is made

    def test_to_look_at_a_ruleset_does_not_make_the_game(self, catalogue: Catalogue) -> None:
        catalogue.load("agora", own(3))
        assert catalogue.ruleset("agora").hash == agora.load().hash
        assert "agora" in catalogue
        assert list(catalogue) == ["agora"]
        catalogue.use("agora", own())
        assert catalogue["agora"].game.ruleset.hash == agora.load(own()).hash

    def test_a_bad_one_changes_nothing(self, catalogue: Catalogue) -> None:
        with pytest.raises(Malformed):
            catalogue.use("agora", own(60))
        assert catalogue["agora"].game.ruleset.hash == agora.load().hash


class TestFiles:
    def test_a_part_left_out_is_the_shipped_one(self) -> None:
        game_id, document = read('{"game": "agora", "hand": {"source": "ours", "squares": 4}}')
        assert game_id == "agora"
        assert agora.load(document).hash == agora.load(own()).hash

    @pytest.mark.parametrize("game_id", registry.KINDS)
    def test_what_is_printed_is_a_file_with_the_same_hash(self, game_id: str) -> None:
        shipped = registry.CODECS.load(game_id)
        printed = page(game_id, parts_of(shipped))
        assert registry.CODECS.load(*read(printed)).hash == shipped.hash

    def test_it_is_printed_to_be_read(self) -> None:
        entry = {"source": "own", "effect": ["vp 1", "vp 2"], "id": "A", "note": "here"}
        assert page("agora", {"tiles": [entry], "far": list(range(60))}).startswith(
            '{\n  "game": "agora",\n  "far": [\n    0,\n    1,\n'
        )
        line = '{"id": "A", "effect": ["vp 1", "vp 2"], "source": "own", "note": "here"}'
        assert page("agora", {"a": [entry]}) == f'{{\n  "game": "agora",\n  "a": [{line}]\n}}\n'
        assert page("agora", {"a": [entry, entry]}) == (
            f'{{\n  "game": "agora",\n  "a": [\n    {line},\n    {line}\n  ]\n}}\n'
        )

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ('{"hand": {}}', "game: must say which game this is for: agora"),
            ('{"game": 3}', "game: must say which game this is for"),
            ('{"game": "chess"}', "game: there is no game 'chess' here"),
            ('{"game": "agora", "hands": {}}', "hands: is no part of this ruleset; there is districts"),
            ('{"game": "agora", "game": "agora"}', "has 'game' twice"),
            ("", "is not JSON"),
        ],
    )
    def test_a_file_that_makes_no_sense_is_refused(self, text: str, says: str) -> None:
        with pytest.raises(Malformed) as caught:
            read(text)
        assert says in str(caught.value)

    def test_differences_are_named_by_place(self) -> None:
        before: dict[str, Any] = {"a": [1, {"b": 2}], "c": {"d": "x"}, "e": 1}
        after: dict[str, Any] = {"a": [1, {"b": 3}, 4], "c": {"d": "x"}, "e": True}
        assert list(differences(before, after)) == [
            Difference("a[1].b", "2", "3"),
            Difference("a[2]", "nothing", "4"),
            Difference("e", "1", "true"),
        ]

    def test_entries_are_found_by_their_source_and_by_what_their_note_says(self) -> None:
        parts = {
            "tiles": [{"id": "A", "source": "own"}, {"id": "B", "source": "public", "note": "its name is own too"}],
            "track": {"source": "public"},
        }
        assert list(sourced(parts, "own")) == [("tiles.A", ""), ("tiles.B", "its name is own too")]


class TestTheGuide:
    @pytest.mark.parametrize(
        "text", re.findall(r"```json\n(.*?)```", Path("docs/rulesets.md").read_text("utf-8"), re.S)
    )
    def test_its_examples_are_sound(self, text: str) -> None:
        assert registry.CODECS.load(*read(text)).json

"""Ruleset files as a setting names them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from boardgamesbot.games import registry
from boardgamesbot.runtime import rulesets
from boardgamesbot.runtime.rulesets import BadRuleset


def test_files_are_named_one_after_another_as_in_path() -> None:
    assert rulesets.paths(f"a.json{os.pathsep}b c.json") == [Path("a.json"), Path("b c.json")]
    assert rulesets.paths("") == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"game": "agora", "hand": {"source": "ours", "squares": 0}}', "hand.squares: must be at least 1, not 0"),
        (b"\xff\xfe{}", "is not text in UTF-8"),
        (b" " * 1_000_001, "is larger than any ruleset"),
        (b"{", "is not JSON: "),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name(content: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(content)
    with pytest.raises(BadRuleset) as caught:
        rulesets.use(str(file))
    assert str(caught.value).startswith(f"{file}: {says}")
    assert not registry.CODECS.replaced


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for file in (tmp_path / "nowhere.json", tmp_path):
        with pytest.raises(BadRuleset, match="cannot be read: "):
            rulesets.read(file)


def test_an_editors_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('\ufeff{"game": "agora"}', encoding="utf-8")
    assert rulesets.read(file)[0] == "agora"


def test_two_files_for_one_game_are_refused(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.json", "b.json")]
    for file in files:
        file.write_text('{"game": "agora"}')
    with pytest.raises(BadRuleset, match=r"b\.json: is for agora, as .*a\.json is"):
        rulesets.use(os.pathsep.join(map(str, files)))

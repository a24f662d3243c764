"""Tokens in files."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from boardgamesbot.client.keeping import keep_token, kept_token


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    file = tmp_path / "new" / "token"
    assert kept_token(file) == ""
    keep_token(file, "first")
    keep_token(file, "second")
    assert kept_token(file) == "second"
    assert [one.name for one in file.parent.iterdir()] == ["token"]


def test_only_its_owner_may_read_it_even_where_others_could_before(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("old")
    file.chmod(0o644)
    keep_token(file, "new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_read_is_not_taken_for_none(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        kept_token(tmp_path)

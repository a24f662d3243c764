"""What is longer than a terminal is broken between pictures."""

from __future__ import annotations

import pytest

from boardgamesbot.cli.screens import screens


@pytest.mark.parametrize(
    ("pictures", "expected"),
    [
        (["aaa", "bb", "c"], ["aaabb", "c"]),
        (["aaa", "bbb", "cc"], ["aaa", "bbbcc"]),
        (["a", "bbbbbbb", "cc"], ["a", "bbbbb", "bbcc"]),
        (["aaaaa", "bbbbb"], ["aaaaa", "bbbbb"]),
    ],
)
def test_only_a_picture_taller_than_a_screen_is_broken(pictures: list[str], expected: list[str]) -> None:
    assert ["".join(screen) for screen in screens(pictures, 5)] == expected

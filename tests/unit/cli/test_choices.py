"""Choices with their numbers, on terminals of any size."""

from __future__ import annotations

import re

from rich.text import Text

from boardgamesbot.cli.choices import AGAINST, Choice, listed, pages

WIDTH = 80


def plain(lines: list[str]) -> list[str]:
    return [Text.from_markup(line).plain for line in lines]


def made(*labels: str, refused: bool = False) -> list[Choice]:
    return [Choice(number, label, refused) for number, label in enumerate(labels, 1)]


def test_a_long_choice_goes_on_below_its_own_beginning() -> None:
    first, second, third = plain(
        listed([Choice(1, "Build a [wide] street, " * 5, True), Choice(2, "Pass", False)], WIDTH)
    )
    assert first.startswith("   1  Build a [wide] street, Build")
    assert re.match(" {6}\\S.*against the rules", second)
    assert third == "   2  Pass"


def test_short_choices_stand_beside_each_other() -> None:
    (page,) = pages(made(*(f"choice {at}" for at in range(7))), WIDTH, 10)
    assert plain(page)[0].split() == ["1", "choice", "0", "2", "choice", "1", "3", "choice", "2"]
    assert len(page) == 3


def test_what_has_no_room_is_on_further_pages_which_are_announced() -> None:
    labels = [f"{at}: {'word ' * 12}" for at in range(1, 12)]
    laid_out = [plain(page) for page in pages(made(*labels, refused=True), WIDTH, 5)]
    assert [len(page) for page in laid_out] == [5, 5, 4]
    assert [int(row.split()[0]) for page in laid_out for row in page[:-1]] == list(range(1, 12))
    assert [page[-1].strip() for page in laid_out] == [
        f"{AGAINST} · n shows 5-8 of 11",
        f"{AGAINST} · n shows 9-11 of 11",
        f"{AGAINST} · n shows 1-4 of 11",
    ]


def test_no_line_is_too_long() -> None:
    for length in range(1, 130):
        for page in pages(made(*["x" * length + " " + "y" * (length // 2)] * 9, refused=True), WIDTH, 6):
            assert max(map(len, plain(page))) <= WIDTH


def test_a_page_holds_something_however_low_it_is() -> None:
    laid_out = pages(made("one", "two " * 60, "three"), WIDTH, 1)
    assert [int(plain(page)[0].split()[0]) for page in laid_out] == [1, 2, 3]

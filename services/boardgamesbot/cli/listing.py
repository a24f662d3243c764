"""A list of choices that is looked through a page at a time, in whatever room there is."""

from __future__ import annotations

from collections.abc import Sequence

from boardgamesbot.cli.choices import Choice, listed, page_with, pages


class Listing:
    """Choices, of which one page is in sight; at first all of them on one."""

    def __init__(self, choices: Sequence[Choice], width: int) -> None:
        self._choices = choices
        self._width = width
        self._height = 0
        self._pages = [listed(choices, width)]
        self._at = 0
        self._first = choices[0].number

    @property
    def has_more(self) -> bool:
        """Whether there is more than what is in sight."""
        return len(self._pages) > 1

    @property
    def lines(self) -> list[str]:
        """The page in sight, as lines of markup."""
        return self._pages[self._at]

    def fit(self, height: int) -> None:
        """Lay the choices out on pages of so many lines; what stood first on the page in sight is still in sight."""
        self._height = height
        self._pages = pages(self._choices, self._width, height)
        self._at = page_with(self._first, self._choices, self._width, height)

    def turn(self) -> None:
        """Go on to the next page, after the last to the first."""
        self._at = (self._at + 1) % len(self._pages)
        shown = (choice.number for choice in self._choices)
        self._first = next(
            number for number in shown if page_with(number, self._choices, self._width, self._height) == self._at
        )

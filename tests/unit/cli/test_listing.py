"""A list of choices, looked through a page at a time."""

from __future__ import annotations

from rich.text import Text

from boardgamesbot.cli.choices import Choice
from boardgamesbot.cli.listing import Listing


def made() -> Listing:
    return Listing([Choice(number, f"{number}: {'word ' * 10}", refused=False) for number in range(1, 10)], 80)


def numbers(listing: Listing) -> list[int]:
    rows = (Text.from_markup(line).plain.split() for line in listing.lines)
    return [int(words[0]) for words in rows if words[0].isdecimal()]


def test_pages_follow_one_another_and_begin_again() -> None:
    listing = made()
    assert not listing.has_more
    listing.fit(5)
    assert listing.has_more
    seen = []
    for _ in range(4):
        seen.append(numbers(listing))
        listing.turn()
    assert seen == [[1, 2, 3, 4], [5, 6, 7, 8], [9], [1, 2, 3, 4]]


def test_with_less_room_what_stood_first_is_still_in_sight() -> None:
    listing = made()
    listing.fit(5)
    listing.turn()
    listing.fit(3)
    assert numbers(listing) == [5, 6]
    listing.fit(20)
    assert numbers(listing) == list(range(1, 10))

"""The picture: well formed, complete for those who do not see it, and with its marks in the right places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from boardgamesbot.tournament.picture import svg
from boardgamesbot.tournament.played import Played
from boardgamesbot.tournament.schedule import Tournament
from boardgamesbot.tournament.standings import standings
from tests.unit.tournament.fakes import game_of

SVG = "{http://www.w3.org/2000/svg}"
TABLE = Tournament("agora", (("take", "CHOOSE"),), (4, 3), ("greedy", "random"), 12, 'a<b>&"\x07')


def drawn(tournament: Tournament, games: dict[int, Played]) -> ElementTree.Element:
    return ElementTree.fromstring(svg(tournament, standings(tournament, games)))


@pytest.fixture(scope="module")
def picture() -> ElementTree.Element:
    games = {
        plan.number: game_of(plan.bots, tuple(30 if bot == "greedy" else 9 + plan.deal for bot in plan.bots))
        for plan in TABLE.plans()
    }
    return drawn(TABLE, games)


def numbers(elements: Iterator[ElementTree.Element], name: str) -> list[float]:
    return [float(element.attrib[name]) for element in elements]


def test_it_says_in_words_what_it_shows(picture: ElementTree.Element) -> None:
    assert picture.attrib["role"] == "img"
    title, description = (picture.find(f"{SVG}{name}") for name in ("title", "desc"))
    assert title is not None
    assert description is not None
    assert picture.attrib["aria-labelledby"].split() == [title.attrib["id"], description.attrib["id"]]
    assert title.text == 'Agora Barcelona, take CHOOSE, tournament, seed a<b>&"'
    assert "3 players, 12 games." in (description.text or "")
    assert re.search(
        r"greedy: wins 100\.0% \(75\.8% to 100\.0%\), points 30\.0 \(30\.0 to 30\.0\), rating ", description.text or ""
    )
    rows = [row.findtext(f"{SVG}title") or "" for row in picture.iter(f"{SVG}g")]
    assert [row.partition(":")[0] for row in rows] == ["greedy", "random"] * 2
    assert all(row in (description.text or "") for row in rows)


def test_all_of_it_is_inside(picture: ElementTree.Element) -> None:
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    assert all(0 < x < width for x in numbers(picture.iter(f"{SVG}circle"), "cx"))
    assert all(0 < y < height for y in numbers(picture.iter(f"{SVG}text"), "y"))
    for path in picture.iter(f"{SVG}path"):
        assert all(0 < float(x) < width for x in re.findall(r"[MH]([\d.]+)", path.attrib["d"]))


def test_more_lies_further_right_and_within_its_interval(picture: ElementTree.Element) -> None:
    for better, worse in ((0, 1), (2, 3)):
        rows = list(picture.iter(f"{SVG}g"))
        for ours, theirs in zip(rows[better].iter(f"{SVG}circle"), rows[worse].iter(f"{SVG}circle"), strict=True):
            assert float(ours.attrib["cx"]) > float(theirs.attrib["cx"])
    for row in picture.iter(f"{SVG}g"):
        lines = [p for p in row.iter(f"{SVG}path") if "stroke-width" in p.attrib]
        for dot, line in zip(row.iter(f"{SVG}circle"), lines, strict=True):
            low, high = (float(x) for x in re.findall(r"[MH]([\d.]+)", line.attrib["d"]))
            assert low - 0.1 <= float(dot.attrib["cx"]) <= high + 0.1


def test_it_can_be_read_on_a_light_page_and_on_a_dark_one(picture: ElementTree.Element) -> None:
    """No ground of its own, and a contrast of at least 4 to 1 for text, 3 to 1 for marks, on white and on black."""
    assert not list(picture.iter(f"{SVG}rect"))
    ink = _lightness(picture.attrib["fill"])
    accent = {_lightness(dot.attrib["fill"]) for dot in picture.iter(f"{SVG}circle")}
    assert min(1.05 / (ink + 0.05), (ink + 0.05) / 0.05) >= 4
    assert all(min(1.05 / (light + 0.05), (light + 0.05) / 0.05) >= 3 for light in accent)


def test_a_tournament_without_games_has_a_picture_too() -> None:
    assert drawn(TABLE, {}).findtext(f"{SVG}title")


def _lightness(colour: str) -> float:
    """Relative luminance, as of WCAG 2."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

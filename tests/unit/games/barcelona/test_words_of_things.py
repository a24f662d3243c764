"""Effects, numbers, goods and places of Barcelona in words and signs."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona.geometry import SITES, City, city
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import effect_in_words, effect_sign, goods, joined, many
from tests.support.barcelona import RULESET, at, section, street


@pytest.mark.parametrize(
    ("effect", "words", "sign"),
    [
        (RULESET.actions[0].effect, "2 coins", "2●"),
        (RULESET.actions[1].effect, "3 points and 1 cloth", "3★+1■"),
        (RULESET.buildings[2].effect, "7 points, 2 Cerdà steps back and 2 Sagrada Família steps", "7★-2▲+2†"),
        (RULESET.buildings[3].effect, "3 points, then 1 coin or 1 cloth", "3★+1●/■"),
        (RULESET.services[0].effect, "up to 2 narrow streets or a wide street", "2─/1═"),
        (
            RULESET.services[8].effect,
            "2 Joy for the Barcelona Pedestrian and a step of the Barcelona Pedestrian, in either order",
            "2☻B+1→B",
        ),
    ],
)
def test_effects_in_words_and_signs(effect: int, words: str, sign: str) -> None:
    assert effect_in_words(RULESET, effect) == words
    assert effect_sign(RULESET, effect) == sign


def test_numbers_agree_with_their_nouns() -> None:
    assert [many(1, "point"), many(2, "point"), many(2, "cloth"), many(2, "Joy")] == [
        "1 point",
        "2 points",
        "2 cloth",
        "2 Joy",
    ]
    assert goods(1, 0) == "1 coin"
    assert goods(0, 0) == "nothing"
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert joined(["a"]) == "a"


@pytest.mark.parametrize("rising", [True, False])
def test_the_name_of_a_site_fits_the_intersections_around_it(rising: bool) -> None:
    grid: City = city(rising=rising)
    for number, place in enumerate(grid.sites):
        name = places.site(grid, number)
        around = [places.intersection(i) for i in place.around]
        first, last = name.split()[-1].split("-")
        if not place.corner:
            assert (around[0], around[-1]) == (first, last)
            assert name == f"the block {first}-{last}"
        else:
            in_upper_row = sum(corner[1] == first[1] for corner in around)
            assert name.startswith("the upper" if in_upper_row == 2 else "the lower")
    assert len({places.site(grid, number) for number in range(SITES)}) == SITES
    assert len({places.site_in_short(grid, number) for number in range(SITES)}) == SITES
    assert places.site_in_short(grid, 0) == ("block A1-B2" if rising else "A1-B2, upper corner")


def test_places_have_the_names_that_are_on_the_board() -> None:
    assert [places.intersection(at(name)) for name in ("A1", "E1", "A5", "C2")] == ["A1", "E1", "A5", "C2"]
    assert [places.section(section(name)) for name in ("B2-C2", "E4-E5")] == ["B2-C2", "E4-E5"]
    assert [places.street(street(name)) for name in "A3/"] == ["street A", "street 3", "the Diagonal"]

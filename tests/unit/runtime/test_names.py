"""Names: everybody's own in any script, nothing that can't be seen, and nobody dressed up as a bot or an office."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgamesbot.players.registry import BOTS
from boardgamesbot.runtime.errors import ApiError
from boardgamesbot.runtime.names import MOST_MARKS, NAME_LENGTH, clean_name


def reason_of(name: str) -> str:
    with pytest.raises(ApiError) as caught:
        clean_name(name)
    assert caught.value.code.name == "INVALID_ARGUMENT"
    assert caught.value.metadata["field"] == "name"
    return caught.value.reason


@pytest.mark.parametrize(
    "name",
    [
        "Núria", "Lluïsa Vidal i Puig", "O'Brien", "李小龍", "Ωμέγα", "Юлия", "נועה", "Nguyễn Thị Ánh", "สมชาย", "देवी",
        "🎲 Pau", "Gaudí's friend", "x_X_x", "1", "[bold]Ada[/bold]", "<b>Ada</b>", "Greedy Pig", "Randolph",
    ],
)  # fmt: skip
def test_a_name_of_any_language_is_let_in_as_it_is(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("  Ada \t Lovelace\n", "Ada Lovelace"),
        ("Nu\u0301ria", "Núria"),
        ("Ａｄａ", "Ada"),
        ("❤\ufe0f Ada", "❤ Ada"),
        ("\u3000", ""),
        ("", ""),
    ],
)
def test_spaces_and_spellings_are_put_in_order(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    "name",
    [
        "Ada\x00", "Ada\x1b[31m", "A\x08da", "Ada\x7f", "Ada\x9b", "Ad\u00ada",
        "\u202eadA", "Ada\u2066", "Ada\u200f", "\u061cAda",
        "A\u200bda", "A\u200dda", "A\ufeffda", "A\u2060da",
        "\u115f", "\u3164Ada", "\u2800", "A\u034fda", "A\u17b5da",
        "\ue000", "\ud800", "\U000e0041Ada", "Ada\uffff",
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_refused(name: str) -> None:
    assert reason_of(name) == "INVALID_FIELD"


def test_letters_carry_a_few_marks_and_no_heap() -> None:
    assert clean_name("A" + "\u0323" * MOST_MARKS)
    assert reason_of("Ad" + "\u0336\u0353\u0300\u0315\u0321" + "a") == "INVALID_FIELD"
    assert reason_of("\u0336Ada") == "INVALID_FIELD"
    assert reason_of("Ada \u0336") == "INVALID_FIELD"
    assert reason_of("Ada\u20dd\u20dd\u20dd\u20dd") == "INVALID_FIELD"


def test_it_is_short() -> None:
    assert clean_name("x" * NAME_LENGTH)
    assert reason_of("x" * (NAME_LENGTH + 1)) == "INVALID_FIELD"
    assert reason_of("\ufdfa" * NAME_LENGTH) == "INVALID_FIELD", "one character that becomes eighteen"


@pytest.mark.parametrize(
    "name",
    [
        *(name for bot in BOTS.values() for name in (bot.id, bot.name)),
        "GAUDI", "Gaudì", "G a u d í", "gaud1", "Gаudí", "𝐆𝐚𝐮𝐝𝐢", "-Greedy-", "Greedy.", "Grееdу", "gr33dy",
        "Arch1tect", "RANDOM", "Agora (beginner)", "Gaudі", "System", "ADMIN", "Adm!n", "Αdmin", "BoardGamesBot",
        "m0derator", "Śÿstém",
    ],
)  # fmt: skip
def test_nobody_is_called_like_a_bot_or_an_office_or_nearly_so(name: str) -> None:
    assert reason_of(name) == "NAME_RESERVED"


@given(st.text(max_size=40))
def test_whatever_is_let_in_is_one_visible_line_and_stays_the_same(name: str) -> None:
    try:
        clean = clean_name(name)
    except ApiError:
        return
    assert len(clean) <= NAME_LENGTH
    assert clean.isprintable()
    assert clean == clean.strip()
    assert clean_name(clean) == clean

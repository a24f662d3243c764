"""Entrants: what their labels mean, and which mean nobody."""

from __future__ import annotations

import pytest

from boardgamesbot.tournament.entrants import BadEntrant, Entrant, able
from tests.unit.tournament.fakes import Searching, seat_bots


@pytest.fixture(autouse=True)
def bots(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_bots(monkeypatch, {"thinker": Searching()}, seconds=0.2)


@pytest.mark.parametrize(
    ("label", "entrant"),
    [
        ("thinker", Entrant("thinker")),
        ("thinker@0.25s", Entrant("thinker", seconds=0.25)),
        ("thinker@400i", Entrant("thinker", iterations=400)),
    ],
)
def test_a_label_says_all_there_is_to_an_entrant(label: str, entrant: Entrant) -> None:
    assert Entrant.parse(label) == entrant
    assert str(entrant) == label


@pytest.mark.parametrize(
    "label", ["", "thinker@", "thinker@0.25", "thinker@xs", "thinker@1.5i", "thinker@0s", "thinker@-1i"]
)
def test_what_is_no_label_is_refused(label: str) -> None:
    with pytest.raises(BadEntrant, match=r"thinker|''"):
        Entrant.parse(label)


@pytest.mark.parametrize("label", ["thinker@infs", "thinker@nans"])
def test_a_budget_ends(label: str) -> None:
    with pytest.raises(BadEntrant, match="ends"):
        Entrant.parse(label)


@pytest.mark.parametrize(
    ("label", "why"),
    [("gaudi", "by|gives? it one"), ("deep-blue", "not a bot for agora"), ("greedy@1s", "does not search")],
)
def test_who_may_not_enter_is_told_why(label: str, why: str) -> None:
    with pytest.raises(BadEntrant, match=why):
        Entrant.parse(label).check("agora")


def test_a_budget_for_all_is_for_those_who_search_and_have_none() -> None:
    given = [Entrant.parse(label).within(0.5, None) for label in ("thinker", "thinker@9i", "greedy")]
    assert list(map(str, given)) == ["thinker@0.5s", "thinker@9i", "greedy"]
    assert str(Entrant("thinker").within(None, 30)) == "thinker@30i"
    assert str(Entrant("thinker").within(None, None)) == "thinker"


def test_whom_the_rules_seat_does_not_enter() -> None:
    assert "gaudi" not in able("barcelona")
    assert {"greedy", "random", "thinker"} <= set(able("barcelona"))

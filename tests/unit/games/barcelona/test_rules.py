"""The rules of Barcelona: numbered, each with something to say and a test that names it.

`BA-ST2` is named by a function called `test_ba_st2_…`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardgamesbot.games import registry
from boardgamesbot.games.barcelona.rules import RULES
from boardgamesbot.games.barcelona.words import places

TESTS = Path(__file__).parents[3]
_TEST = re.compile(r"^\s*(?:async )?def (test_\w+)\(", re.MULTILINE)
NAMES = [name for path in sorted(TESTS.rglob("test_*.py")) for name in _TEST.findall(path.read_text("utf-8"))]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_test(rule: str) -> None:
    wanted = rule.lower().replace("-", "_")
    assert any(f"_{wanted}_" in f"{name}_" for name in NAMES), f"no test is called test_{wanted}_…"


def test_every_id_that_a_test_names_is_a_rule() -> None:
    known = {rule.lower().replace("-", "_") for rule in RULES}
    named = {found for name in NAMES for found in re.findall(r"(?<=_)ba_[a-z]{1,2}\d+(?=_|$)", name)}
    assert named <= known


def test_every_rule_that_the_engine_names_is_there_and_every_rule_says_something() -> None:
    sources = [path for path in Path(places.__file__).parents[1].rglob("*.py") if path.name != "rules.py"]
    named = {name for path in sources for name in re.findall(r"BA-[A-Z]+[0-9]+", path.read_text("utf-8"))}
    assert len(named) > len(RULES) / 2
    assert named <= set(RULES)
    for name, rule in RULES.items():
        assert name == rule.id
        assert rule.title
        assert rule.text.endswith(".")


@pytest.mark.parametrize("expansion", ["NONE", "PASSEIG_DE_GRACIA"])
@pytest.mark.parametrize("solo", ["NONE", "HARD"])
def test_a_table_has_the_rules_of_what_is_on_it(expansion: str, solo: str) -> None:
    game = registry.game("barcelona")
    told = [rule.id for rule in game.rules_for(game.complete_options({"expansion": expansion, "solo": solo}))]
    left_out = {rule for rule in RULES if rule not in told}
    parts = (("BA-PG", expansion), ("BA-G", solo))
    assert left_out == {rule for rule in RULES for part, given in parts if rule.startswith(part) and given == "NONE"}
    assert told == [rule for rule in RULES if rule in told], "in their order"


def test_rule_ids_are_numbered_without_gaps() -> None:
    families: dict[str, list[int]] = {}
    for name in RULES:
        family, number = re.fullmatch(r"BA-([A-Z]+)([0-9]+)", name).groups()  # type: ignore[union-attr]
        families.setdefault(family, []).append(int(number))
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in families.values())
    assert {family: len(numbers) for family, numbers in families.items()} == {
        "S": 8, "T": 2, "A": 8, "K": 11, "R": 1, "ST": 3, "I": 2, "TR": 5, "C": 1, "P": 3, "M": 3, "SF": 3, "CT": 1,
        "B": 9, "CS": 4, "D": 2, "E": 3, "PG": 18, "G": 17, "GA": 9,
    }  # fmt: skip

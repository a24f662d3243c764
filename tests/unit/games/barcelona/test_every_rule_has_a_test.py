"""Each rule of Barcelona has a test that names it: `BA-ST2` in a function called `test_ba_st2_…`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardgamesbot.games.barcelona.rules import RULES

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

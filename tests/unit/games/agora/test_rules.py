"""Each rule of Agora has one class of tests that names it: `AG-P2.1` is tried in `TestAgP21`."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.agora import GAME

_CLASS = re.compile(r"^class (TestAg\w+)", re.MULTILINE)


def test_every_rule_has_a_class_of_tests() -> None:
    tested = [
        name for path in Path(__file__).parent.glob("test_*.py") for name in _CLASS.findall(path.read_text("utf-8"))
    ]
    assert sorted(f"Test{rule.title().replace('-', '').replace('.', '')}" for rule in GAME.rules) == sorted(tested)

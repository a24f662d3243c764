"""The table of faults is complete, and its tests are there."""

from __future__ import annotations

import pytest

from tools.faults_table import PAGE, Line, lines

FAULTS = 31


def test_every_fault_has_tests_and_each_is_there() -> None:
    table = lines(PAGE.read_text("utf-8"))
    assert len(table) >= FAULTS
    assert [line.number for line in table] == list(range(1, len(table) + 1))
    for line in table:
        assert line.tests, line.fault
        assert not list(line.missing()), line.fault


@pytest.mark.parametrize("test", ["[test_gone](../tests/faults/test_table.py)", "[test_x](../tests/faults/test_no.py)"])
def test_a_test_that_is_not_there_is_found(test: str) -> None:
    (line,) = lines(f"| 1 | A fault | is met | {test} | held |\n")
    assert isinstance(line, Line)
    assert len(list(line.missing())) == 1

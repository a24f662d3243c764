"""What people may do at a terminal while it is somebody else's turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.cli.test_play import Person
from tests.support.platform import Supervised

pytestmark = pytest.mark.xdist_group("serve")


def test_who_waits_is_told_for_whom_and_may_look_around_and_leave(served: Supervised, tmp_path: Path) -> None:
    host = Person(served, tmp_path / "host", "agora", "--room", "--seats", "me,open,random", "--name", "Ada")
    code = host.expect(r"bgb play --room ([A-Z0-9]{6})")
    friend = Person(served, tmp_path / "friend", "--room", code, "--name", "Bea")
    asked = next(person for _ in range(10) for person in (host, friend) if person.is_asked())
    waits, other = (friend, "Ada") if asked is host else (host, "Bea")
    waits.expect(rf"Waiting for {other} \(\w+\): m map, r rules, q leave")
    waits.type("m")
    waits.expect("Turn 1 of 15")
    assert not waits.is_asked(), "the map has been drawn to its end"
    waits.type("r")
    waits.expect(r"AG-P3\.2")
    waits.type("1")
    waits.expect("It is not your turn")
    # Having typed ahead has not chosen anything: when the turn comes, the question stands.
    while not waits.is_asked():
        asked.type(str(asked.choices()[0]))
        if not asked.is_asked():
            assert waits.is_asked()
            break
    assert waits.choices()
    waits.hang_up()
    asked.interrupt()
    asked.expect("The table waits for you")


def test_who_waits_may_leave(served: Supervised, tmp_path: Path) -> None:
    host = Person(served, tmp_path / "host", "agora", "--room", "--seats", "me,open,random", "--name", "Ada")
    host.expect(r"bgb play --room ([A-Z0-9]{6})")
    host.type("")
    host.type("m")
    host.expect("The game has not begun")
    host.type("q")
    host.expect("The table waits for you")
    assert host.close() == 0

"""`bgb play barcelona` as a person sees it: two at real terminals play a whole game against one another."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.integration.cli.test_play import BGB, Person
from tests.support.platform import Supervised

pytestmark = pytest.mark.xdist_group("serve")


def test_a_whole_game_of_two_players(served: Supervised, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    person = Person(
        served, tmp_path, "barcelona", "--seats", "me,greedy", "--option", "actions=FIRST_GAME", "--name", "Núria",
        "--save", str(record),
    )  # fmt: skip
    seen, explained, taken_back = "", False, False
    while person.read():
        seen += person.screen
        against = person.choices(allowed=False)
        explained = explained or re.search(r"Not allowed\. BA-[A-Z]+\d+: ", person.screen) is not None
        taken_back = taken_back or "Taken back." in person.screen
        if against and not explained:
            person.type(str(against[0]))
        elif "u take back" in person.keys and not taken_back:
            person.type("u")
        else:
            offered = person.choices() or against
            assert offered, person.screen
            person.type(str(offered[0]))
    seen += person.screen
    assert person.close() == 0
    assert explained
    assert taken_back
    for told in ("You placed", "You built", "Greedy (Grey) placed", "Place both citizens"):
        assert told in seen, told
    assert re.search(r"The game is over\. .* won", seen)
    verified = subprocess.run([*BGB, "replay", str(record), "--verify"], capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout
    assert "Sound" in verified.stdout

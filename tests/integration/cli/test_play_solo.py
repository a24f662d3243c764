"""`bgb play barcelona --solo` as a person sees it: alone at a real terminal against Gaudí, a whole game."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.integration.cli.test_play import BGB, Person
from tests.support.platform import Supervised

pytestmark = pytest.mark.xdist_group("serve")


def test_a_whole_solo_game(served: Supervised, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    person = Person(
        served, tmp_path, "barcelona", "--solo", "--difficulty", "hard", "--update", "--expansion", "--name", "Núria",
        "--save", str(file),
    )  # fmt: skip
    seen, explained, taken_back = "", False, False
    while person.read():
        seen += person.screen
        against = person.choices(allowed=False)
        explained = explained or re.search(r"Not allowed\. BA-[A-Z]+\d+: ", person.screen) is not None
        if against and not explained:
            person.type(str(against[0]))
        elif "u take back" in person.keys and not taken_back:
            person.type("u")
            taken_back = True
        else:
            person.type(str((person.choices() or against)[-1]))
    seen += person.screen
    assert person.close() == 0
    assert explained
    assert taken_back
    assert "Taken back." in seen
    for told in ("You placed", "Gaudí (Grey) turned up card", "    moved the meeple to", "    took the action "):
        assert told in seen, told
    assert re.search(r"The game is over\. .* won", seen)
    verified = subprocess.run([*BGB, "replay", str(file), "--verify"], capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout
    record = json.loads(file.read_text())
    assert record["options"]["barcelona"] == {
        "expansion": "BARCELONA_EXPANSION_PASSEIG_DE_GRACIA",
        "actions": "BARCELONA_ACTIONS_SHUFFLED",
        "solo": "BARCELONA_SOLO_HARD",
        "soloActions": "BARCELONA_SOLO_ACTIONS_BOTH",
    }
    assert [player.get("bot", "") for player in record["players"]] == ["", "gaudi"]


def test_leaving_him_and_coming_back(served: Supervised, tmp_path: Path) -> None:
    person = Person(served, tmp_path, "barcelona", "--solo", "--name", "Pau")
    assert person.read()
    person.type("q")
    table_id = person.expect(r"--table (\w+)")
    again = Person(served, tmp_path, "--table", table_id)
    assert again.read()
    assert again.choices()
    again.type("q")
    assert not again.read()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["barcelona", "--solo", "--seats", "me,greedy"], "--seats: the rules seat"),
        (["barcelona", "--solo", "--seats", "me,greedy,greedy"], "solo play has 2 seats"),
        (["barcelona", "--seats", "me,gaudi"], "only where the rules give it one"),
        (["barcelona", "--difficulty", "hard"], "--difficulty goes with --solo"),
        (["barcelona", "--update"], "--update goes with --solo"),
        (["barcelona", "--solo", "--option", "solo=EASY"], "are for the same: leave one out"),
        (["agora", "--solo"], "--solo is for barcelona, not for agora"),
        (["--table", "00aaaaaaaaaaaa", "--solo"], "chosen by whoever opens a table or makes a party"),
        (["--table", "00aaaaaaaaaaaa", "--seats", "me,greedy"], "chosen by whoever opens a table or makes a party"),
    ],
)
def test_what_can_not_be_combined_is_refused_in_a_line(
    served: Supervised, tmp_path: Path, words: list[str], says: str
) -> None:
    person = Person(served, tmp_path, *words)
    assert not person.read()
    assert says in re.sub(r"\s+", " ", person.screen)
    assert "Traceback" not in person.screen
    assert person.close() != 0

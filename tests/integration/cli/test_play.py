"""`bgb play` as a person sees it: a real terminal, a real server, a whole game."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.support.platform import Supervised

BGB = [sys.executable, "-m", "boardgamesbot"]
PROMPT = r"(1(?:-\d+)?, [^\r\n]*q leave)(?:\x1b\[0m)? > "
SECONDS = 30
PAUSE_SECONDS = 2

pytestmark = pytest.mark.xdist_group("serve")


class Person:
    """Somebody at a terminal, 100 columns wide, who reads what stands there and types."""

    def __init__(self, served: Supervised, home: Path, *words: str) -> None:
        addresses = ["--rules-address", served.rules, "--bots-address", served.bots]
        addresses += ["--matchmaking-address", served.matchmaking]
        environment = {"HOME": str(home), "TERM": "xterm", "PATH": "/usr/bin:/bin", "COLUMNS": "100", "LINES": "60"}
        environment |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
        self.screen = ""
        self.keys = ""
        self._terminal = pexpect.spawn(
            BGB[0], [*BGB[1:], "play", *words, *addresses], env=environment, encoding="utf-8", timeout=SECONDS,
            dimensions=(60, 100),
        )  # fmt: skip
        self._terminal.delaybeforesend = None

    def read(self) -> bool:
        """Read up to the next prompt; False when the program has ended."""
        ended = self._terminal.expect([PROMPT, pexpect.EOF])
        self.screen = re.sub(r"\x1b\[[0-9;]*m", "", self._terminal.before or "")
        if not ended:
            self.keys = self._matched()
        return not ended

    def expect(self, pattern: str) -> str:
        """Wait for a pattern to appear; gives its first group, if it has one."""
        self._terminal.expect(pattern)
        return self._matched()

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._terminal.sendintr()

    def _matched(self) -> str:
        match = self._terminal.match
        return str(match.group(1)) if isinstance(match, re.Match) and match.re.groups else ""

    def type(self, line: str) -> None:
        self._terminal.sendline(line)

    def choices(self, *, allowed: bool = True) -> list[int]:
        """The numbers on offer that are legal, or those that are not."""
        question = self.screen.replace("\r", "").rpartition("\n\n")[2]
        shown = re.findall(r"^ +(\d+)  (.*?)(?=^ +\d+  |\Z)", question, re.MULTILINE | re.DOTALL)
        marked = [(int(number), "(against the rules)" in " ".join(text.split())) for number, text in shown]
        return [number for number, against in marked if against != allowed]

    def is_asked(self) -> bool:
        """Whether a prompt comes, rather than word of somebody else's move or a pause."""
        found = self._terminal.expect([PROMPT, pexpect.TIMEOUT], timeout=PAUSE_SECONDS)
        self.screen = re.sub(r"\x1b\[[0-9;]*m", "", self._terminal.before or "")
        return not found

    def hang_up(self) -> None:
        """Be gone, whatever the program is doing."""
        self._terminal.close(force=True)

    def close(self) -> int:
        self._terminal.expect(pexpect.EOF)
        self._terminal.close()
        return int(self._terminal.exitstatus or 0)


def test_a_whole_game_against_bots(served: Supervised, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    person = Person(
        served, tmp_path, "agora", "--seats", "me,greedy,greedy,greedy", "--name", "Núria", "--save", str(record)
    )
    seen, explained, taken_back = "", False, False
    while person.read():
        seen += person.screen
        against = person.choices(allowed=False)
        explained = explained or re.search(r"Not allowed\. AG-P\d\.\d: ", person.screen) is not None
        if against and not explained:
            person.type(str(against[0]))
        elif "u take back" in person.keys and not taken_back:
            person.type("u")
            taken_back = True
        else:
            person.type(str((person.choices() or against)[0]))
    seen += person.screen
    assert person.close() == 0
    assert explained
    assert taken_back
    assert "Taken back." in seen
    assert "You played" in seen
    assert "Greedy (Red) walked" in seen
    assert "You walked" in seen
    assert re.search(r"The game is over\. .* won", seen)
    verified = subprocess.run([*BGB, "replay", str(record), "--verify"], capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout
    assert "Sound" in verified.stdout
    told = subprocess.run([*BGB, "replay", str(record)], capture_output=True, text=True, check=True)
    assert "Núria (Blue) played" in told.stdout


def test_leaving_and_coming_back(served: Supervised, tmp_path: Path) -> None:
    person = Person(served, tmp_path, "agora", "--seats", "random,me,random", "--name", "Pau")
    assert person.read()
    person.type("q")
    assert not person.read()
    assert "The table waits for you" in person.screen
    table_id = re.search(r"--table (\w+)", person.screen)
    assert table_id
    again = Person(served, tmp_path, "--table", table_id.group(1))
    assert again.read()
    assert "Red    you" in again.screen
    again.type("m")
    assert again.read()
    assert "Turn 1 of 15" in again.screen
    again.type("nonsense")
    assert again.read()
    assert "Type a number (1-" in again.screen
    again.type("r")
    assert again.read()
    assert "AG-P3.2" in again.screen
    again.type("q")
    assert not again.read()


def test_a_hint_is_a_move_that_can_be_played(served: Supervised, tmp_path: Path) -> None:
    person = Person(served, tmp_path, "agora", "--seats", "me,random,random", "--hints", "--name", "Ona")
    assert person.read()
    assert "h hint" in person.keys
    choices = person.screen
    person.type("h")
    assert person.read()
    hint = re.search(r"^(\w.*?)  says (\w+)", person.screen, re.MULTILINE)
    assert hint, person.screen
    square = re.search(r"\d+", hint.group(1))
    assert square
    assert square.group() in choices, "it is one of those that one has"
    person.type("q")
    assert not person.read()


def test_at_a_rated_table_there_is_no_hint_and_that_is_said(served: Supervised, tmp_path: Path) -> None:
    person = Person(served, tmp_path, "agora", "--seats", "me,random,random", "--name", "Ona")
    assert person.read()
    assert "hint" not in person.keys
    person.type("h")
    assert person.read()
    assert "open a table with --hints" in re.sub(r"\s+", " ", person.screen)
    person.type("q")
    assert not person.read()


def test_another_name_does_not_lose_the_first_ones_table(served: Supervised, tmp_path: Path) -> None:
    tables = []
    for name in ("Ann", "Bob"):
        person = Person(served, tmp_path, "agora", "--seats", "me,random,random", "--name", name)
        assert person.read()
        person.type("q")
        tables.append(person.expect(r"--table (\w+)"))
    again = Person(served, tmp_path, "--table", tables[0], "--name", "Ann")
    assert again.read()
    assert "Blue   you" in again.screen


def test_a_folder_that_is_not_there_is_refused_before_the_game(served: Supervised, tmp_path: Path) -> None:
    person = Person(served, tmp_path, "agora", "--save", str(tmp_path / "nowhere" / "game.json"))
    assert not person.read()
    assert "--save: cannot write into" in person.screen
    assert person.close() == 1


def test_a_friend_takes_the_open_seat(served: Supervised, tmp_path: Path) -> None:
    host = Person(served, tmp_path / "host", "agora", "--seats", "me,open,greedy", "--name", "Host")
    table_id = host.expect(r"bgb play --table (\w+)")
    friend = Person(served, tmp_path / "friend", "--table", table_id, "--name", "Friend")
    for person in (host, friend):
        person.expect("The game begins")
        person.interrupt()
        person.expect("The table waits for you")
        assert person.close() == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["agora", "--seats", "me,greedy"], "for 3 to 5 players, not 2"),
        (["agora", "--seats", "greedy,greedy,greedy"], "exactly one of --seats must be `me`"),
        (["agora", "--seats", "me,greedy,nobody"], "neither me, open, nor a bot"),
        (["agora", "--option", "backs=RED"], "is not one of DISTRICT, PLAIN"),
        (["agora", "--option", "tempo=FAST"], "has no such option"),
        (["--table", "0000000000000000"], "there is no table"),
        (["--table", "what"], "there is no table"),
        ([], "name a game"),
        (["--table", "00aaaaaaaaaaaa", "--hints"], "are chosen by whoever opens a table"),
        (["agora", "--find", "--hints"], "--hints is for a table you open"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    served: Supervised, tmp_path: Path, words: list[str], says: str
) -> None:
    person = Person(served, tmp_path, *words)
    assert not person.read()
    assert says in re.sub(r"\s+", " ", person.screen)
    assert "Traceback" not in person.screen
    assert person.close() != 0


def test_without_a_server_it_says_how_to_start_one(tmp_path: Path) -> None:
    nowhere = Supervised(tmp_path, *("127.0.0.1:1", "127.0.0.1:1", "127.0.0.1:1"), page="http://127.0.0.1:1")
    person = Person(nowhere, tmp_path, "agora")
    assert not person.read()
    assert "nothing answers at 127.0.0.1:1." in person.screen
    assert "make run" in person.screen
    assert "--rules-address" in person.screen
    assert "BGB_" not in person.screen
    assert person.close() == 1

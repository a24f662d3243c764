"""`bgb gaudi` as a person at a real table sees it: whole recorded games typed in, and nothing lost."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner, Result
from rich.text import Text

from boardgamesbot.cli import kept, main
from boardgamesbot.cli.gaudi import NAMES
from boardgamesbot.games.barcelona.events import TurnBegan
from boardgamesbot.games.barcelona.gaudi.physical import PhysicalGame
from boardgamesbot.games.barcelona.gaudi.questions import About, Question
from boardgamesbot.games.barcelona.moves import GAUDI
from boardgamesbot.players.base import Brain
from boardgamesbot.players.greedy_barcelona import GreedyBarcelona
from boardgamesbot.players.random import RandomBrain
from tests.support.real_table import GAME, Entered, Recorded, as_the_person_sees, options, plays, record

BGB = [sys.executable, "-m", "boardgamesbot", "gaudi"]
SECONDS = 60
_BY_CARD = ": an action of the card is on Amenities of its side (BA-G12)"


@cache
def game(solo: str, expansion: bool, both: bool, seed: int) -> tuple[Recorded, list[Entered]]:
    """A recorded game and everything a person types in it; with an even seed they move by chance."""
    brain: Brain = GreedyBarcelona() if seed % 2 else RandomBrain()
    recorded = record(options(solo, expansion=expansion, both=both), seed, brain)
    return recorded, list(plays(recorded, PhysicalGame(GAME, recorded.options)))


def short_game() -> tuple[Recorded, list[Entered]]:
    return game("HARD", False, False, 2)


def lines_of(entered: list[Entered]) -> list[str]:
    return [line for one in entered for line in one.typed]


def flags(recorded: Recorded) -> list[str]:
    given = recorded.options
    return [
        "--difficulty",
        given["solo"].lower(),
        *(["--update"] if given["solo_actions"] == "BOTH" else []),
        *(["--expansion"] if given["expansion"] != "NONE" else []),
    ]


def bgb(lines: list[str], *words: str, **environment: str) -> Result:
    """Run it in this process."""
    typed = "\n".join([*lines, ""])
    return CliRunner().invoke(main, ["gaudi", *words], input=typed, env={"COLUMNS": "200", **environment})


def piped(lines: list[str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run the real command, its input from a pipe."""
    return subprocess.run(
        [*BGB, *words], input="\n".join([*lines, ""]), capture_output=True, text=True, check=False, timeout=SECONDS,
        env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip


# The engine's games


@pytest.mark.parametrize(
    ("solo", "expansion", "both", "seed"),
    [("EASY", False, False, 1), ("NORMAL", True, False, 3), ("HARD", True, True, 4), ("HARD", False, True, 2)],
)
def test_a_recorded_game_typed_in_agrees_at_each_of_gaudis_turns(
    tmp_path: Path, solo: str, expansion: bool, both: bool, seed: int
) -> None:
    """The same events told, the same board drawn, before every turn of the person; the same result."""
    recorded, entered = game(solo, expansion, both, seed)
    file = tmp_path / "game.json"
    lines = list(_with_a_look_at_the_map(entered))
    ended = piped(lines, *flags(recorded), "--save", str(file))
    assert ended.returncode == 0, ended.stderr
    assert not ended.stderr
    assert "Not taken" not in ended.stdout
    assert "Not allowed" not in ended.stdout
    shown, due = [_plain(line) for line in ended.stdout.splitlines()], list(_due(recorded))
    output = iter(shown)
    for line in due:
        assert line in output, f"missing, or out of order: {line}"
    steps = ("Gaudí's turn", "turned up card", "placed citizens on", "took the action", "built a ")
    assert [line for line in shown if line.startswith(steps)] == [line for line in due if line.startswith(steps)]
    assert due.count("Gaudí's turn") > 8
    points = recorded.end.scores()
    assert re.search(rf"in all +│ +{points[0]} │ +{points[1]} │", ended.stdout)
    assert f"\n{NAMES[recorded.end.winners()[0]]} won.\n" in ended.stdout
    state = kept.load(file).state
    assert state is not None
    assert as_the_person_sees(state) == as_the_person_sees(recorded.end)


def _with_a_look_at_the_map(entered: list[Entered]) -> Iterator[str]:
    for one in entered:
        yield from one.typed
        if one.finished and one.finished[-1].move == GAUDI and not one.finished[-1].after.over:
            yield "m"


def _due(recorded: Recorded) -> Iterator[str]:
    """What must be told of Gaudí's turns, line by line, and the board after each."""
    for played in recorded.played:
        if played.move != GAUDI:
            continue
        yield "Gaudí's turn"
        for event in played.events:
            if not isinstance(event, TurnBegan):
                yield _plain(GAME.words.event(event, NAMES))
        if not played.after.over:
            board = GAME.words.board(as_the_person_sees(played.after), ("you", NAMES[1]))
            yield from map(_plain, Text.from_markup(board).plain.splitlines())


def _plain(line: str) -> str:
    """A line without what belongs to the account of a turn: indentation, his name, why his Pedestrian walked."""
    return line.strip().removeprefix(f"{NAMES[1]} ").removesuffix(_BY_CARD)


# Nothing is lost


def test_what_can_not_be_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    recorded, entered = short_game()
    lines = [line for right in lines_of(entered) for line in ("zebra", "999", "?", "", right)]
    ended = bgb(lines, *flags(recorded), "--save", str(tmp_path / "game.json"))
    assert ended.exit_code == 0, ended.stderr
    assert "Not taken. 'zebra' is none of the choices: ? lists them." in ended.stdout
    assert "Not taken. 'zebra' is not two of the letters W, M and U" in ended.stdout
    assert re.search(r"Type a number \(1-\d+\), or one of the letters", ended.stdout)
    state = kept.load(tmp_path / "game.json").state
    assert state is not None
    assert as_the_person_sees(state) == as_the_person_sees(recorded.end)


def test_a_wrong_piece_says_why_and_what_came_before_it_on_the_line_stands(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    ended = bgb(["tram coins tram wide", "wide"], "--save", str(file))
    assert "Not taken. TRAM is already what you entered for street A." in ended.stdout
    assert [entry.answer for entry in kept.load(file).entries] == [10, 0, 4]


def test_several_on_a_line_and_no_more_than_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    ended = bgb(["first", "bottom, corner line service", "1 2 3"], "--save", str(file))
    assert "Not taken. Service is left over." in ended.stdout
    assert "Not taken. BOTTOM is a Cerdà tile of this game: its twin stays in the box." in ended.stdout
    table = kept.load(file)
    assert table.question is not None
    assert (table.question.about, table.question.place) == (About.SHOWN, 0)


def test_a_move_against_the_rules_names_its_rule(tmp_path: Path) -> None:
    recorded, entered = short_game()
    placed = next(i for i, one in enumerate(entered) if one.question.about is About.MOVE and one.finished and i > 40)
    file = tmp_path / "game.json"
    bgb(lines_of(entered[: placed + 1]), *flags(recorded), "--save", str(file))
    shown = bgb([], "--load", str(file)).stdout
    against = re.search(r"^ +(\d+)  .*\(against the rules\)$", shown, re.MULTILINE)
    assert against, shown
    assert re.search(r"Not allowed\. BA-[A-Z]+\d+: .*\nBA-[A-Z]+\d+, ", bgb([against[1]], "--load", str(file)).stdout)


def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    recorded, entered = short_game()
    file, half = tmp_path / "game.json", len(entered) // 2
    running = subprocess.Popen(
        [*BGB, *flags(recorded), "--save", str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write("\n".join([*lines_of(entered[:half]), "zebra", ""]))
    running.stdin.flush()
    for line in running.stdout:
        if "zebra" in line:
            break
    running.send_signal(signal.SIGKILL)
    running.wait()
    running.stdin.close()
    running.stdout.close()
    assert len(kept.load(file).entries) == half
    ended = bgb(lines_of(entered[half:]), "--load", str(file))
    assert ended.exit_code == 0, ended.stderr
    state = kept.load(file).state
    assert state is not None
    assert as_the_person_sees(state) == as_the_person_sees(recorded.end)


def test_the_end_of_the_input_leaves_and_says_how_to_go_on(tmp_path: Path) -> None:
    left = bgb(["tram"], XDG_STATE_HOME=str(tmp_path))
    assert left.exit_code == 0
    (file,) = (tmp_path / "boardgamesbot").iterdir()
    assert f"You left. Go on with:  bgb gaudi --load {file}" in left.stdout
    again = bgb(["q"], "--load", str(file))
    assert "street B >" in again.stdout


def test_entries_are_taken_back_and_entered_again(tmp_path: Path) -> None:
    recorded, entered = short_game()
    gaudis = next(i for i, one in enumerate(entered) if one.finished and one.finished[-1].move == GAUDI)
    lines = lines_of(entered[: gaudis + 1])
    file = tmp_path / "game.json"
    ended = bgb([*lines, "u", "u", "a", "a", "a"], *flags(recorded), "--save", str(file))
    assert re.search(r"Taken back: citizens for Gaudí: \w+ and \w+\.", ended.stdout)
    assert re.search(r"Taken back: arrow: [NESW]+\.", ended.stdout)
    assert re.search(r"Again: arrow: [NESW]+\.", ended.stdout)
    assert "a again" not in ended.stdout.rpartition("Again: ")[2], "nothing is left to enter again"
    assert kept.load(file).moves == [played.move for played in recorded.played[: len(kept.load(file).moves)]]
    assert kept.load(file).moves[-1] == GAUDI


def test_the_last_entry_of_all_can_be_taken_back(tmp_path: Path) -> None:
    recorded, entered = short_game()
    file = tmp_path / "game.json"
    ended = bgb([*lines_of(entered), "u", "a", ""], *flags(recorded), "--save", str(file))
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout.count("Final scoring") == 2
    assert kept.load(file).question is None


# At a terminal


def test_at_a_terminal_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    screen = pexpect.spawn(
        BGB[0], [*BGB[1:], "--save", str(file)], encoding="utf-8", timeout=SECONDS, dimensions=(60, 100)
    )
    screen.delaybeforesend = None
    for place, line in (("street A", "first"), ("first section", "bottom corner line"), ("place 1", "17 18 wide")):
        screen.expect_exact(f"{place} > ")
        screen.sendline(line)
    screen.expect_exact("place 4 > ")
    screen.sendintr()
    screen.expect_exact("You left. Go on with:")
    screen.expect(pexpect.EOF)
    screen.close()
    assert screen.exitstatus == 0
    table = kept.load(file)
    assert isinstance(table.question, Question)
    assert (table.question.about, table.question.place) == (About.SHOWN, 3)


# Files and flags


def test_another_game_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    bgb(["tram"], "--save", str(file))
    before = file.read_text()
    refused = bgb(["coins"], "--save", str(file))
    assert refused.exit_code == 1
    assert "is there already" in refused.stderr
    assert file.read_text() == before
    copied = tmp_path / "copy.json"
    bgb(["coins"], "--load", str(file), "--save", str(copied))
    assert file.read_text() == before
    assert len(kept.load(copied).entries) == 2


@pytest.mark.parametrize("flag", [["--difficulty", "easy"], ["--update"], ["--expansion"]])
def test_a_kept_game_says_itself_how_it_is_played(tmp_path: Path, flag: list[str]) -> None:
    file = tmp_path / "game.json"
    bgb(["tram"], "--save", str(file))
    refused = bgb([], "--load", str(file), *flag)
    assert refused.exit_code == 2
    assert "the file of --load says how that game is played" in refused.stderr


def test_a_file_that_is_no_game_is_refused_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    bgb(["tram coins"], "--save", str(file))
    whole = json.loads(file.read_text())
    for bent, says in (
        ("no game", "is no game that bgb gaudi kept"),
        ("[]", "is no game that bgb gaudi kept"),
        (json.dumps(whole | {"kind": "else"}), "is no game that bgb gaudi kept"),
        (json.dumps(whole | {"ruleset_hash": "00"}), "name their file with --ruleset"),
        (json.dumps(whole | {"options": {"solo": "MILD"}}), "is not one of"),
        (json.dumps(whole | {"options": {"solo": "NONE"}}), "for games against Gaudí"),
        (json.dumps(whole | {"entries": [{"ACTION": "TRAM"}, {"ACTION": "TRAM"}]}), "entry 2 does not fit"),
        (json.dumps(whole | {"entries": [{"MOVE": {}}]}), "entry 1 does not fit"),
        (json.dumps(whole | {"entries": [7]}), "entry 1 does not fit"),
    ):
        file.write_text(bent)
        refused = bgb([], "--load", str(file))
        assert refused.exit_code == 1, bent
        assert says in refused.stderr
        assert isinstance(refused.exception, SystemExit)


def test_a_folder_that_can_not_be_written_is_refused_before_the_game(tmp_path: Path) -> None:
    refused = bgb(["tram"], "--save", str(tmp_path / "nowhere" / "game.json"))
    assert refused.exit_code == 1
    assert "cannot write into" in refused.stderr


def test_there_is_no_map_before_the_table_is_set_up(tmp_path: Path) -> None:
    assert "There is no map before the table is set up" in bgb(["m"], "--save", str(tmp_path / "game.json")).stdout

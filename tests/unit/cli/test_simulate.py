"""`bgb simulate`: what its flags mean, what makes no sense, and what it says and keeps."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from boardgamesbot.cli import main
from boardgamesbot.cli.simulate import _Watched
from boardgamesbot.tournament.play import play_out
from boardgamesbot.tournament.schedule import plans
from tests.unit.tournament.fakes import Failing, Searching, seat_bots

SOLO = (("solo", "HARD"),)
QUICK = ["agora", "--bots", "random", "--workers", "1"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def simulate(*words: str) -> Result:
    return CliRunner().invoke(main, ["simulate", *words])


def games(file: Path) -> list[dict[str, Any]]:
    """The games in a file of results, without the times."""
    found: list[dict[str, Any]] = json.loads(file.read_text())["games"]
    return [{name: value for name, value in game.items() if name not in ("seconds", "slowest")} for game in found]


def test_a_simulated_solo_game_is_one_move_a_turn_for_gaudi() -> None:
    (plan,) = plans("barcelona", SOLO, 2, ["random"], games=1, seed="x")
    played = play_out(plan)
    assert not played.illegal
    assert played.moves[1] == played.turns[1] == played.turns[0]
    assert sum(played.shares) == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["barcelona", "--solo", "--players", "3"], "--players: solo play has 2 seats"),
        (["barcelona", "--solo", "--seats", "greedy,gaudi"], "--seats: 'gaudi' has a seat where the rules give it one"),
        (["barcelona", "--seats", "gaudi"], "--seats: 'gaudi' has a seat where the rules give it one"),
        (["barcelona", "--difficulty", "hard"], "--difficulty goes with --solo"),
        (["barcelona", "--solo", "--difficulty", "harder"], "'harder' is not one of 'easy', 'normal', 'hard'"),
        (["barcelona", "--solo", "--league", "greedy,random"], "--league: with these options"),
        (["agora", "--solo"], "--solo is for barcelona"),
        (["agora", "--players", "2"], "--players: Agora Barcelona is for 3 to 5 players"),
        (["agora", "--players", "three"], "--players: must be numbers"),
        (["agora", "--players", "3", "--seats", "greedy,greedy,greedy,random"], "--seats: 4 are named for 3 seats"),
        (["agora", "--seats", "greedy,greedy,greedy,greedy,greedy,greedy"], "--seats: Agora Barcelona is for 3 to 5"),
        (["agora", "--seats", "greedy,clever"], "--seats: 'clever' is not a bot for agora"),
        (["agora", "--seats", "greedy@1s"], "--seats: 'greedy' does not search"),
        (["agora", "--seats", "greedy,"], "--seats: '' is not a bot"),
        (["agora", "--league", "greedy"], "--league: a league takes two bots"),
        (["agora", "--league", "greedy,random,greedy"], "--league: a league takes two bots or more, each named once"),
        (["agora", "--league", "greedy,random", "--seats", "greedy"], "--seats is one table, --league many"),
        (["agora", "--seconds", "1"], "--seconds: none of greedy,random searches"),
        (["agora", "--iterations", "9"], "--iterations: none of greedy,random searches"),
        (["agora", "--iterations", "9", "--seconds", "1"], "--seconds and --iterations are both the budget"),
        (["agora", "--option", "backs=RED"], "--option backs: 'RED' is not one of DISTRICT"),
        (["agora", "--option", "colour=RED"], "--option colour: Agora Barcelona has no such option"),
        (["agora", "--games", "0"], "'--games': 0 is not in the range"),
        (["agora", "--seating", "random"], "'--seating': 'random' is not one of 'rotate', 'every'"),
        (["agora", "--out", "results.txt"], "--out: results.txt: its name must end with one of .json, .csv, .svg"),
        (["agora", "--out", "nowhere/results.json"], "--out: cannot write into nowhere"),
        (["agora", "--resume", "nothing.json"], "'--resume': File 'nothing.json' does not exist"),
        (["chess"], "'chess' is not one of 'agora', 'barcelona'"),
        ([], "name a game (bgb simulate agora), or results to go on with"),
    ],
)
def test_what_makes_no_sense_is_refused_by_the_name_of_the_flag(words: list[str], says: str) -> None:
    result = simulate(*words)
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())


def test_as_many_play_as_are_named_and_a_league_is_even(folder: Path) -> None:
    for number, (words, bots) in enumerate(
        [
            (["agora", "--seats", "random,random,random,random"], [["random"] * 4]),
            (["agora", "--seats", "random"], [["random"] * 3]),
            (
                ["agora", "--league", "random,greedy", "--games", "2"],
                [["random", "greedy"] * 2, ["greedy", "random"] * 2],
            ),
        ]
    ):
        assert simulate("--games", "1", *words, "--out", f"{number}.json").exit_code == 0
        assert [game["bots"] for game in games(folder / f"{number}.json")] == bots


def test_the_table_has_every_bot_and_seat_and_what_is_unfair() -> None:
    said = simulate(*QUICK[:2], "greedy,random", "--games", "4", "--workers", "2").output
    assert "Agora Barcelona, 3 players, 4 games, seed 0" in said
    (greedy,) = (line.split("│") for line in said.splitlines() if re.match(r" greedy +│ all ", line))
    assert [cell.strip() for cell in greedy[2:4]] == ["4", "100.0%"]
    assert "--games 6 would make it so" in " ".join(said.split())
    assert "Illegal moves: 0" in said
    assert "Crashes: 0" in said


def test_a_league_is_told_pair_by_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_bots(monkeypatch, {"thinker": Searching()}, seconds=60)
    said = simulate("agora", "--league", "random,greedy,thinker", "--iterations", "2", "--games", "2").output
    assert "Agora Barcelona, 4 players, 6 games" in said
    assert "Pair by pair" in said
    assert said.count("thinker@2i") >= 3
    assert "would make it so" not in said


def test_results_are_written_by_the_ending_of_the_name(folder: Path) -> None:
    result = simulate(*QUICK, "--games", "1", "--out", "r.json", "--out", "r.csv", "--out", "r.svg")
    assert result.exit_code == 0
    assert "Written: r.json, r.csv, r.svg" in result.output
    assert len(games(folder / "r.json")) == 1
    assert len((folder / "r.csv").read_text().splitlines()) == 4
    assert ElementTree.parse(folder / "r.svg").getroot().tag.endswith("svg")
    again = simulate(*QUICK, "--games", "1", "--out", "r.json")
    assert again.exit_code == 2
    assert "r.json is there already" in again.output


def test_a_run_that_goes_on_comes_to_what_one_without_a_break_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat_bots(monkeypatch, {"thinker": Searching()}, seconds=60)
    words = [
        "agora",
        "--league",
        "random,thinker",
        "--players",
        "3",
        "--iterations",
        "2",
        "--seed",
        "go",
        "--workers",
        "2",
    ]
    assert simulate(*words, "--games", "5", "--out", "whole.json").exit_code == 0
    assert simulate(*words, "--games", "2", "--out", "half.json").exit_code == 0
    assert simulate("--resume", "half.json", "--games", "5", "--out", "half.csv").exit_code == 0
    assert games(folder / "half.json") == games(folder / "whole.json")
    half, whole = (json.loads((folder / f"{name}.json").read_text()) for name in ("half", "whole"))
    assert half["tournament"] == whole["tournament"]
    assert [row.get("rating") for row in half["standings"]] == [row.get("rating") for row in whole["standings"]]
    assert len((folder / "half.csv").read_text().splitlines()) == 16


def test_only_what_is_missing_is_played(folder: Path) -> None:
    simulate(*QUICK, "--games", "3", "--out", "r.json")
    document = json.loads((folder / "r.json").read_text())
    missing = document["games"].pop(1)
    marked = document["games"][0]
    marked["seconds"] = [77.0] * 3
    (folder / "r.json").write_text(json.dumps(document))
    assert simulate("--resume", "r.json").exit_code == 0
    now = json.loads((folder / "r.json").read_text())["games"]
    assert [game["number"] for game in now] == [0, 1, 2]
    assert now[1]["points"] == missing["points"]
    assert now[0]["seconds"] == [77.0] * 3


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seed", "1"], "--resume takes --seed out of the file"),
        (["agora"], "--resume takes GAME out of the file"),
        (["--option", "take=CHOOSE"], "--resume takes --option out of the file"),
        (["--expansion"], "--resume takes --expansion out of the file"),
        (["--games", "1"], "--games: r.json is about 2: it can only be more"),
    ],
)
def test_what_a_file_says_is_not_said_again(words: list[str], says: str) -> None:
    simulate(*QUICK, "--games", "2", "--out", "r.json")
    result = simulate("--resume", "r.json", *words)
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())


def test_a_file_that_holds_something_else_is_refused(folder: Path) -> None:
    (folder / "r.json").write_text('{"format": "other"}')
    (folder / "r.csv").write_text("")
    assert "--resume: r.json: format: " in simulate("--resume", "r.json").output
    assert "only .json can be gone on with" in simulate("--resume", "r.csv").output
    assert (folder / "r.json").read_text() == '{"format": "other"}'


def test_a_crash_is_told_and_can_be_replayed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seat_bots(monkeypatch, {"bad": Failing("raises", at=3), "cheat": Failing("cheats", at=2)})
    result = simulate("agora", "--seats", "bad,random,random", "--games", "2", "--out", "r.json", "--faults", "broken")
    assert result.exit_code == 1
    assert "Crashes: 2" in result.output
    assert "game 1, bad in seat 2, crash of the bot: ZeroDivisionError: out of its depth" in result.output
    assert "Traceback" in result.output
    assert len(list((folder / "broken").iterdir())) == 2
    (shown,) = {
        line.split()[-1] for line in result.output.splitlines() if "bgb replay" in line and line.endswith("-1.json")
    }
    replayed = CliRunner().invoke(main, ["replay", "--verify", shown])
    assert replayed.exit_code == 0
    assert "the game is not over yet" in " ".join(replayed.output.split())
    assert games(folder / "r.json")[0]["fault"]["kind"] == "crash of the bot"
    assert simulate("--resume", "r.json").exit_code == 1, "a crash that was is told again"

    cheated = simulate("agora", "--seats", "cheat,random,random", "--games", "1")
    assert cheated.exit_code == 1
    assert "Illegal moves: 1" in cheated.output


def test_ctrl_c_keeps_what_was_played(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    came = _Watched.came
    count = 0

    def enough(self: Any, played: Any) -> None:
        nonlocal count
        came(self, played)
        count += 1
        if count == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(_Watched, "came", enough)
    stopped = simulate(*QUICK, "--games", "40", "--out", "r.json")
    assert stopped.exit_code == 130
    assert "Stopped after 2 of 40 games; go on with bgb simulate --resume r.json" in " ".join(stopped.output.split())
    assert "3 players, 2 games" in stopped.output
    assert [game["number"] for game in games(folder / "r.json")] == [0, 1]

"""`bgb simulate` as a program: the same report again, stopped by signals and gone on with, nobody left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.platform import until

BGB = [sys.executable, "-m", "boardgamesbot", "simulate"]
SECONDS = 60


def simulate(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*BGB, *words], capture_output=True, text=True, check=False, timeout=SECONDS)


def games(file: Path) -> list[dict[str, Any]]:
    """The games in a file of results, without the times."""
    found: list[dict[str, Any]] = json.loads(file.read_text())["games"]
    return [{name: value for name, value in game.items() if name not in ("seconds", "slowest")} for game in found]


def test_it_reports_by_bot_and_seat_and_repeats_itself(tmp_path: Path) -> None:
    words = ["agora", "--players", "3,4", "--seats", "greedy,random", "--games", "2", "--seed", "7"]
    first = simulate(*words, "--workers", "1", "--out", str(tmp_path / "1.json"))
    second = simulate(*words, "--workers", "2", "--out", str(tmp_path / "2.json"))
    assert first.returncode == 0, first.stderr
    assert "3 players, 2 games" in first.stdout
    assert "4 players, 2 games" in first.stdout
    assert "Illegal moves: 0" in first.stdout

    def results(report: str) -> list[str]:
        return [line for line in report.splitlines() if line.count("│") == 7]

    assert len(results(first.stdout)) > 10
    assert results(first.stdout) == results(second.stdout)
    assert games(tmp_path / "1.json") == games(tmp_path / "2.json")


@contextmanager
def at_a_terminal(*words: str) -> Iterator[subprocess.Popen[str]]:
    """The program and its workers in a process group of their own, as a terminal has them."""
    program = subprocess.Popen(
        [*BGB, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        yield program
    finally:
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()


def _is_anybody_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_what_was_played_is_kept_and_gone_on_with(name: str, tmp_path: Path) -> None:
    file, whole = tmp_path / "r.json", tmp_path / "whole.json"
    words = ["agora", "--seats", "random", "--seed", "9", "--workers", "2"]
    with at_a_terminal(*words, "--games", "5000", "--out", str(file), "--out", str(tmp_path / "r.csv")) as program:
        until(lambda: len(_children(program.pid)) == 2, "workers", SECONDS)
        workers = _children(program.pid)
        until(lambda: all(_seconds_of_work(worker) > 0.7 for worker in workers), "some games", SECONDS)
        if name == "SIGINT":
            os.killpg(program.pid, signal.SIGINT)
        else:
            program.terminate()
        said, errors = program.communicate(timeout=SECONDS)
        assert program.returncode == 130, errors
        assert not _is_anybody_left(program.pid)
    played = len(games(file))
    assert 0 < played < 5000
    assert f"Stopped after {played} of 5000 games; go on with  bgb simulate --resume {file}" in errors
    assert f"3 players, {played} games" in said
    assert "Traceback" not in said + errors
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 1 + 3 * played

    document = json.loads(file.read_text())
    document["tournament"]["games"] = played + 2
    document["games"] = [game for game in document["games"] if game["number"] < played + 2]
    file.write_text(json.dumps(document))
    assert simulate("--resume", str(file)).returncode == 0
    assert simulate(*words, "--games", str(played + 2), "--out", str(whole)).returncode == 0
    assert games(file) == games(whole)


def test_without_a_parent_no_worker_stays(tmp_path: Path) -> None:
    with at_a_terminal("agora", "--seats", "random", "--games", "5000", "--workers", "2") as program:
        until(lambda: len(_children(program.pid)) == 2, "workers", SECONDS)
        program.kill()
        program.wait()
        until(lambda: not _is_anybody_left(program.pid), "the workers are gone", SECONDS)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _seconds_of_work(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

"""The engines compiled, in a copy of the sources: the same games as plain Python, and no running of stale code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("services", "tests", "tools", "setup.py", "pyproject.toml", "README.md", "LICENSE")
BUILD_SECONDS = 600

pytestmark = [pytest.mark.long, pytest.mark.timeout(BUILD_SECONDS + 300)]


class Copy:
    """A copy of the sources that can be compiled without a trace in the tree."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        left_out = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "compiled.json", "*.egg-info")
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, folder / part, ignore=left_out)
            else:
                shutil.copy(ROOT / part, folder / part)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": "services", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
        )

    def fingerprints(self) -> dict[str, Any]:
        done = self.run("-m", "tests.compiled.fingerprints")
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def pure(copy: Copy) -> dict[str, Any]:
    return copy.fingerprints()


@pytest.fixture(scope="module")
def compiled(copy: Copy, pure: dict[str, Any]) -> Iterator[Copy]:
    """The copy, compiled once its plain games are played."""
    built = copy.run("tools/compile.py")
    assert built.returncode == 0, built.stdout + built.stderr
    yield copy
    copy.run("tools/compile.py", "--pure")


def test_compiled_engines_play_the_same_games(compiled: Copy, pure: dict[str, Any]) -> None:
    found = compiled.fingerprints()
    assert pure["compiled"] == []
    assert "games/barcelona/state.py" in found["compiled"]
    assert found["strays"] == []
    assert found["games"] == pure["games"]


def test_an_edit_without_a_new_build_is_refused(compiled: Copy) -> None:
    source = compiled.folder / "services/boardgamesbot/games/barcelona/streets.py"
    text = source.read_text()
    source.write_text(text + "\n# edited\n")
    try:
        started = compiled.run("-c", "import boardgamesbot.games.registry")
    finally:
        source.write_text(text)
    assert started.returncode != 0
    assert "games/barcelona/streets.py has changed since it was compiled: `make compile`" in started.stderr
    assert compiled.run("-c", "import boardgamesbot.games.registry").returncode == 0


def test_pure_takes_everything_away(compiled: Copy, pure: dict[str, Any]) -> None:
    """Last, since it undoes the build that the others use."""
    assert compiled.run("tools/compile.py", "--pure").returncode == 0
    assert not list(compiled.folder.rglob("services/**/*.so"))
    assert compiled.fingerprints() == pure

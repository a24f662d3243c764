"""What the package knows of its compiled modules, on a package made up for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgamesbot.compiled import (
    MANIFEST,
    SUFFIX,
    StaleBuild,
    built_from,
    check,
    compiled,
    describe,
    digest,
    strays,
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Two modules, both compiled."""
    (tmp_path / "games").mkdir()
    for path in ("a.py", "games/b.py"):
        (tmp_path / path).write_text(f"# {path}\n")
        built_from(tmp_path / path).write_text("")
    hashes = {path: digest(tmp_path / path) for path in ("a.py", "games/b.py")}
    (tmp_path / MANIFEST).write_text(json.dumps(hashes))
    return tmp_path


def test_a_fresh_build_is_taken(package: Path) -> None:
    check(package)
    assert compiled(package) == ["a.py", "games/b.py"]
    assert strays(package) == []
    assert describe(package) == "engines compiled (2 modules)"


def test_an_edited_source_is_named(package: Path) -> None:
    (package / "games/b.py").write_text("# other\n")
    with pytest.raises(StaleBuild, match=r"^games/b\.py has changed since it was compiled: `make compile`"):
        check(package)


def test_a_source_may_change_where_its_module_is_not_compiled(package: Path) -> None:
    """A build for another Python does not bind this one."""
    built_from(package / "games/b.py").unlink()
    (package / "games/b.py").write_text("# other\n")
    check(package)
    assert compiled(package) == ["a.py"]


def test_a_module_that_no_build_made_is_a_stray(package: Path) -> None:
    (package / f"games/c{SUFFIX}").write_text("")
    assert strays(package) == [f"games/c{SUFFIX}"]


def test_without_a_build_everything_is_plain(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    check(tmp_path)
    assert compiled(tmp_path) == []
    assert describe(tmp_path) == "engines not compiled"


def test_modules_without_a_manifest_are_strays(package: Path) -> None:
    (package / MANIFEST).unlink()
    assert strays(package) == sorted([f"a{SUFFIX}", f"games/b{SUFFIX}"])

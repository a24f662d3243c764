"""A folder keeps files whole, once, and says what is wrong with it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from boardgamesbot.archive.base import ArchiveUnavailable
from boardgamesbot.archive.folder import DRAFTS, FolderArchive

NAME = "agora/0a/bc/0abcdefghijklm.json"


async def test_what_was_put_is_got_and_nothing_else_is_left(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path / "new" / "archive")
    assert await archive.get(NAME) is None
    await archive.put(NAME, b"one")
    assert await archive.get(NAME) == b"one"
    found = [path for path in (tmp_path / "new" / "archive").rglob("*") if path.is_file()]
    assert [path.name for path in found] == [Path(NAME).name]
    assert found[0].stat().st_mode & 0o777 == 0o644


async def test_the_same_again_writes_nothing(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path)
    await archive.put(NAME, b"one")
    before = (tmp_path / NAME).stat()
    await archive.put(NAME, b"one")
    after = (tmp_path / NAME).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


async def test_a_file_is_never_seen_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full after some bytes: nothing is there under the name, nor as a draft."""
    archive = FolderArchive(tmp_path)

    def full(handle: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            return
        assert not (tmp_path / NAME).exists()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArchiveUnavailable, match="No space left"):
        await archive.put(NAME, b"x" * 100_000)
    monkeypatch.undo()
    assert await archive.get(NAME) is None
    assert list((tmp_path / DRAFTS).iterdir()) == []


async def test_a_folder_that_cannot_be_written_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    archive = FolderArchive(tmp_path / "file")
    with pytest.raises(ArchiveUnavailable, match="file"):
        await archive.check()
    with pytest.raises(ArchiveUnavailable, match="file"):
        await archive.put(NAME, b"one")


async def test_drafts_of_a_crash_are_removed_and_fresh_ones_left(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path)
    await archive.check()
    old, fresh = tmp_path / DRAFTS / "old", tmp_path / DRAFTS / "fresh"
    for draft in (old, fresh):
        draft.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    await archive.check()
    assert not old.exists()
    assert fresh.exists()

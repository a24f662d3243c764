"""An archive that is a folder."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from boardgamesbot.archive.base import Archive, ArchiveUnavailable

DRAFTS = ".drafts"
"""The folder of the files that are being written, or that a crash left behind."""

DRAFT_SECONDS = 3600
"""A draft as old as this was left behind."""


class FolderArchive(Archive):
    """Files below a folder. Each appears whole under its name: it is written beside it, synced and renamed."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, name: str, data: bytes) -> None:
        await asyncio.to_thread(self._put, name, data)

    async def get(self, name: str) -> bytes | None:
        return await asyncio.to_thread(self._get, name)

    async def check(self) -> None:
        await asyncio.to_thread(self._check)

    def _put(self, name: str, data: bytes) -> None:
        target = self._root / name
        with _unavailable(target):
            if target.is_file() and target.read_bytes() == data:
                return
            _make_folder(target.parent)
            handle, draft = tempfile.mkstemp(dir=self._drafts())
            try:
                with open(handle, "wb") as file:  # noqa: PTH123 - it is open already
                    file.write(data)
                    file.flush()
                    os.fchmod(file.fileno(), 0o644)
                    os.fsync(file.fileno())
                Path(draft).replace(target)
            except BaseException:
                Path(draft).unlink(missing_ok=True)
                raise
            _sync_folder(target.parent)

    def _get(self, name: str) -> bytes | None:
        target = self._root / name
        with _unavailable(target):
            try:
                return target.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def _check(self) -> None:
        with _unavailable(self._root):
            drafts = self._drafts()
            with tempfile.TemporaryFile(dir=drafts) as probe:
                probe.write(b"\0")
                probe.flush()
            for draft in drafts.iterdir():
                with contextlib.suppress(FileNotFoundError):
                    if draft.stat().st_mtime < time.time() - DRAFT_SECONDS:
                        draft.unlink()

    def _drafts(self) -> Path:
        """On the same file system as what they become."""
        drafts = self._root / DRAFTS
        _make_folder(drafts)
        return drafts


@contextlib.contextmanager
def _unavailable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ArchiveUnavailable(f"{path}: {error.strerror}") from error


def _make_folder(folder: Path) -> None:
    """Make a folder with all above it, so that they survive a power cut."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for made in reversed(missing):
        made.mkdir(exist_ok=True)
        _sync_folder(made.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

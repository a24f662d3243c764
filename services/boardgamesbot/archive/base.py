"""What every archive can do, wherever it is."""

from __future__ import annotations

from abc import ABC, abstractmethod


class ArchiveUnavailable(Exception):
    """The archive can't be read or written now; the message says why. What was to be done can be tried again."""


class Archive(ABC):
    """Files by name, each written once. Names are relative paths with `/`, made of lower-case letters and digits."""

    @abstractmethod
    async def put(self, name: str, data: bytes) -> None:
        """Keep a file, all of it or none; it is safe once this returns. The same again changes nothing.

        Raises ArchiveUnavailable.
        """

    @abstractmethod
    async def get(self, name: str) -> bytes | None:
        """The bytes of a file, None where there is none. Raises ArchiveUnavailable."""

    @abstractmethod
    async def check(self) -> None:
        """Come back if files can be kept here. Raises ArchiveUnavailable."""

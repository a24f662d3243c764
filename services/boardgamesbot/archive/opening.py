"""From the setting to the archive."""

from __future__ import annotations

from boardgamesbot.archive.base import Archive
from boardgamesbot.archive.bucket import BucketArchive
from boardgamesbot.archive.folder import FolderArchive
from boardgamesbot.archive.places import Folder, place_of


def open_archive(setting: str) -> Archive | None:
    """The archive a setting names, None where it names none. Nothing is asked of it yet. Raises BadArchive."""
    place = place_of(setting)
    if place is None:
        return None
    return FolderArchive(place.path) if isinstance(place, Folder) else BucketArchive(place)

"""Tables that have left the store, out of the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.archive.base import ArchiveUnavailable
from boardgamesbot.archive.documents import ArchivedTable, BadDocument, name_of
from boardgamesbot.games import registry
from boardgamesbot.runtime import errors, logs

if TYPE_CHECKING:
    from boardgamesbot.archive.base import Archive

log = logs.logger(__name__)

RETRY_SECONDS = 2.0


class ArchivedTables:
    """The finished tables of an archive; without one, none."""

    def __init__(self, archive: Archive | None) -> None:
        self._archive = archive

    async def find(self, table_id: str) -> ArchivedTable | None:
        """The table, if it was archived. Raises ApiError (ARCHIVE_UNAVAILABLE)."""
        if self._archive is None:
            return None
        try:
            for game_id in registry.GAMES:
                data = await self._archive.get(name_of(game_id, table_id))
                if data is not None:
                    return ArchivedTable.from_bytes(data)
        except (ArchiveUnavailable, BadDocument) as error:
            log.error("archive can't be read", table=table_id, error=str(error))
            message = "the archive of finished games can't be read now: try again in a moment"
            raise errors.unavailable("ARCHIVE_UNAVAILABLE", message, RETRY_SECONDS) from None
        return None

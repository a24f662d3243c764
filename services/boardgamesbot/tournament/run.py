"""A tournament being played: games come in, and what is there so far is kept in files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from google.protobuf import json_format

from boardgamesbot.games.record_proto import record_to
from boardgamesbot.tournament import faults
from boardgamesbot.tournament.picture import svg
from boardgamesbot.tournament.played import Played
from boardgamesbot.tournament.results import to_csv, to_json
from boardgamesbot.tournament.schedule import Plan, Tournament
from boardgamesbot.tournament.standings import standings
from boardgamesbot.tournament.workers import play_all

KEPT_SECONDS = 10.0
"""The JSON is written anew this often while games come in."""

RESULTS = ".json"
WRITERS: Mapping[str, Callable[[Tournament, Mapping[int, Played]], str]] = {
    RESULTS: to_json,
    ".csv": to_csv,
    ".svg": lambda tournament, games: svg(tournament, standings(tournament, games)),
}
"""What becomes of results, by the ending of the file's name."""


class Run:
    """A tournament, the games of it that have been played, and where they are kept."""

    def __init__(
        self,
        tournament: Tournament,
        files: Sequence[Path],
        faults_folder: Path,
        games: Mapping[int, Played] | None = None,
    ) -> None:
        """The endings of `files` are among WRITERS. `games`, by number, have been played before."""
        self.tournament = tournament
        self.games: dict[int, Played] = dict(games or {})
        self.files = list(dict.fromkeys(files))
        self._faults_folder = faults_folder

    @property
    def is_complete(self) -> bool:
        return len(self.games) == self.tournament.total

    def play(self, workers: int, came: Callable[[Played], None], tick: Callable[[], None]) -> None:
        """Play what has not been played. `came` is told every game, `tick` is called a few times a second.

        However it ends, all games that came in are kept, in the files as well. Raises what the callbacks raise, and
        KeyboardInterrupt.
        """
        todo = (plan for plan in self.tournament.plans() if plan.number not in self.games)
        kept = time.monotonic()
        try:
            with closing(play_all(todo, workers, tick)) as coming:
                for plan, played in coming:
                    self.games[plan.number] = played
                    self._keep_fault(plan, played)
                    came(played)
                    if time.monotonic() - kept > KEPT_SECONDS:
                        self.write(file for file in self.files if file.suffix == RESULTS)
                        kept = time.monotonic()
        finally:
            self.write(self.files)

    def write(self, files: Iterable[Path]) -> None:
        """Write these files anew. Whoever reads one meanwhile has the old one or the new one, never half of it."""
        for file in files:
            part = file.with_name(file.name + ".part")
            part.write_text(WRITERS[file.suffix](self.tournament, self.games), "utf-8")
            part.replace(file)

    def record_of(self, number: int) -> Path:
        """The file of the record of a game that ended by a fault."""
        plan = self.tournament.plan(number)
        return self._faults_folder / f"{plan.game_id}-{plan.seed.hex()[:8]}-{number}.json"

    def _keep_fault(self, plan: Plan, played: Played) -> None:
        if played.fault is not None:
            self._faults_folder.mkdir(parents=True, exist_ok=True)
            message = record_to(faults.record(plan, played.fault))
            self.record_of(plan.number).write_text(json_format.MessageToJson(message, indent=1) + "\n", "utf-8")

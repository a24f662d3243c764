"""`bgb worker` in which Gaudí's first turn is held: whoever has it makes a file, and waits for another.

The folder is $HELD_FOLDER, the files are `held` and `go`. The brain lets nothing interrupt it, as a bad one would.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from boardgamesbot.cli import main
from boardgamesbot.games.base import Move, View
from boardgamesbot.players.forced import Forced
from boardgamesbot.players.registry import BOTS

HELD, GO = "held", "go"
POLL_SECONDS = 0.01


class Held(Forced):
    """Waits where nobody did before; then it plays as ever."""

    def choose(self, view: View, rng: Random) -> Move:
        folder = Path(os.environ["HELD_FOLDER"])
        with suppress(FileExistsError):
            (folder / HELD).touch(exist_ok=False)
            _wait_for(folder / GO)
        return super().choose(view, rng)


def _wait_for(file: Path) -> None:
    while True:
        with suppress(Exception):  # that its time is up
            while not file.exists():
                time.sleep(POLL_SECONDS)
            return


if __name__ == "__main__":
    BOTS["gaudi"] = replace(BOTS["gaudi"], brains={"barcelona": Held()})
    main()

"""`bgb` with a bot that writes down when it is asked and answers: `python -m benchmarks.timed_bots worker`.

Every line of $TIMED_FILE is a letter and a time in ns since the epoch: `s`, a task has started; `t`, the bot begins to
think; `a`, it has an answer.
"""

from __future__ import annotations

import os
import time
from random import Random
from typing import Any

from celery.signals import task_prerun

from boardgamesbot.bots.app import PLAY_TURN
from boardgamesbot.cli import main
from boardgamesbot.games.base import Move, View
from boardgamesbot.players.base import Brain
from boardgamesbot.players.registry import BOTS, Bot

TIMED = "timed"


class Timed(Brain):
    """Plays any legal move, at once."""

    def choose(self, view: View, rng: Random) -> Move:
        _note("t")
        move = rng.choice(view.legal_moves())
        _note("a")
        return move


@task_prerun.connect(weak=False)
def starts(task: Any, **_: Any) -> None:
    """A task begins."""
    if task.name == PLAY_TURN:
        _note("s")


def _note(what: str) -> None:
    now = time.time_ns()
    file = os.open(os.environ["TIMED_FILE"], os.O_APPEND | os.O_CREAT | os.O_WRONLY)
    os.write(file, f"{what} {now}\n".encode())
    os.close(file)


if __name__ == "__main__":
    BOTS[TIMED] = Bot(TIMED, "Timed", "For benchmarks.", {"agora": Timed()})
    main()

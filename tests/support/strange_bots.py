"""`bgb` with more bots than there are: some that no operator wants, and one that searches as tests need it.

Run it as `python -m tests.support.strange_bots worker`. What the bots do is written into files in $STRANGE_FOLDER.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from boardgamesbot.cli import main
from boardgamesbot.games.base import Move, View
from boardgamesbot.games.registry import codec
from boardgamesbot.players.base import Brain, Budget, Candidate, Notes, Thought
from boardgamesbot.players.registry import BOTS, Bot

THOUGHT_SECONDS = 0.03
SEARCH_SECONDS = 0.4
"""How long `searcher` thinks by itself."""


class Strange(Brain):
    """Does something no bot should."""

    def __init__(self, answer: Callable[[View], Move]) -> None:
        self._answer = answer

    def choose(self, view: View, rng: Random) -> Move:
        return self._answer(view)


def loop_in_compiled_code(view: View) -> Move:
    """Minutes in one multiplication, which nobody interrupts."""
    return int(7 ** (10**8) > 0)


def loop_in_python(view: View) -> Move:
    while True:
        pass


def fail(view: View) -> Move:
    note("failed", "again")
    raise RuntimeError("no idea")


def eat_memory(view: View) -> Move:
    eaten = []
    while True:
        eaten.append(bytearray(1 << 24))


def break_down(view: View) -> Move:
    """As a fault in compiled code does."""
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def play_illegally(view: View) -> Move:
    return next(move for move in range(100, 160) if move not in view.legal_moves())


class Searcher(Brain):
    """Likes the first legal move best, then the second, and so on, a thought every `THOUGHT_SECONDS`.

    It notes how often it has been asked with the same notes, and when it begins and ends.
    """

    def choose(self, view: View, rng: Random) -> Move:
        return view.legal_moves()[0]

    def think(self, view: View, rng: Random, budget: Budget, notes: Notes) -> Iterator[Thought]:
        notes["asked"] = notes.get("asked", 0) + 1
        note("begun", str(notes["asked"]))
        note("shown", codec("agora").view_to(view).SerializeToString().hex())
        legal = view.legal_moves()
        iterations = 0
        try:
            while iterations != budget.iterations:
                iterations += 1
                best = legal[iterations % len(legal)]
                candidates = tuple(Candidate(move, iterations, 20.0, 0.25) for move in (best, legal[0]))
                yield Thought(best, candidates, iterations)
                time.sleep(THOUGHT_SECONDS)
                if budget.over():
                    break
        finally:
            note("ended", str(iterations))


class Obstinate(Searcher):
    """Has a thought, and never stops thinking of another."""

    def think(self, view: View, rng: Random, budget: Budget, notes: Notes) -> Iterator[Thought]:
        yield Thought(view.legal_moves()[-1], iterations=1)
        loop_in_compiled_code(view)


def note(file: str, line: str) -> None:
    """Add a line to a file that the test reads."""
    if folder := os.environ.get("STRANGE_FOLDER"):
        with (Path(folder) / file).open("a") as notes:
            notes.write(line + "\n")


def _strange(id: str, brain: Brain, seconds: float = 0.0, level: str = "") -> Bot:
    return Bot(id, id.title(), "For tests.", {"agora": brain}, level=level, seconds=seconds)


STRANGE = (
    _strange("stuck", Strange(loop_in_python)),
    _strange("looping", Strange(loop_in_compiled_code)),
    _strange("failing", Strange(fail)),
    _strange("hungry", Strange(eat_memory)),
    _strange("breaking", Strange(break_down)),
    _strange("illegal", Strange(play_illegally)),
    _strange("obstinate", Obstinate(), SEARCH_SECONDS),
    _strange("searcher-easy", Searcher(), SEARCH_SECONDS / 4, "easy"),
    _strange("searcher", Searcher(), SEARCH_SECONDS, "full"),
)


def offer() -> None:
    """Put the bots on offer, behind those there are."""
    BOTS.update({bot.id: bot for bot in STRANGE})


if __name__ == "__main__":
    offer()
    main()

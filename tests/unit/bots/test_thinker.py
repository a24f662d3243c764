"""Bots in processes of their own: whatever one does, there is an answer, in time, and the next bot is not harmed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path

import pytest

from boardgamesbot.bots import thinker
from boardgamesbot.bots.deciding import TRIES, Answer, Decider, Decision, Failed
from boardgamesbot.bots.pace import GRACE_SECONDS
from boardgamesbot.bots.thinker import NurseryGone, Thinkers
from boardgamesbot.games import registry
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players.registry import BOTS
from boardgamesbot.store.crashes import Crash
from tests.support import strange_bots
from tests.support.platform import until

CODEC = registry.codec("agora")
STATE, _ = CODEC.game.new(4, CODEC.game.complete_options({}), ChanceStream(b"s" * 32))
VIEW = STATE.view(STATE.actor)
SHOWN = CODEC.view_to(VIEW).SerializeToString()
SPARE_SECONDS = 2.0
"""What a busy machine may add to any of the times here."""


class Book:
    """Keeps crashes in memory."""

    def __init__(self) -> None:
        self.crashes: list[Crash] = []

    def times(self, crash_id: str) -> int:
        return sum(crash.id == crash_id for crash in self.crashes)

    def note(self, crash: Crash) -> None:
        self.crashes.append(crash)


@pytest.fixture
def others() -> set[int]:
    """The processes that were below this one before, such as the store's."""
    return set(_below(os.getpid()))


@pytest.fixture
def thinkers(others: set[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Thinkers]:
    monkeypatch.setenv("STRANGE_FOLDER", str(tmp_path))
    monkeypatch.setattr(thinker.Thinker, "starved_seconds", lambda _: 0.0)  # whatever else this machine does
    for bot in strange_bots.STRANGE:
        monkeypatch.setitem(BOTS, bot.id, bot)
    made = Thinkers(memory_mb=256, notes=2)
    yield made
    made.close()


def decision(bot: str, seconds: float = 0.2, **more: object) -> Decision:
    return replace(Decision("agora", bot, b"seed", SHOWN, seconds), **more)  # type: ignore[arg-type]


def decide(thinkers: Thinkers, asked: Decision, book: Book | None = None, left: float = 4.0) -> Answer:
    answer = Decider(thinkers, book).decide(asked, left, table="t", version=3)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("bot", "kind", "seconds"),
    [
        ("looping", Failed.LATE, 0.2),
        ("stuck", Failed.LATE, 0.2),
        ("failing", Failed.RAISED, 2.0),
        ("hungry", Failed.DIED, 2.0),
        ("breaking", Failed.DIED, 2.0),
        ("illegal", Failed.ILLEGAL, 2.0),
    ],
)
def test_a_bad_bot_is_answered_for_in_time_and_what_it_did_is_kept(
    thinkers: Thinkers, bot: str, kind: Failed, seconds: float
) -> None:
    book, begun = Book(), time.monotonic()
    answer = decide(thinkers, decision(bot, seconds), book)
    assert time.monotonic() - begun < seconds + GRACE_SECONDS + SPARE_SECONDS
    assert answer.bot == "greedy"
    assert answer.move in VIEW.legal_moves()
    (crash,) = book.crashes
    assert (crash.bot, crash.kind, crash.view, crash.where) == (bot, kind, SHOWN, "table t version 3")
    assert decide(thinkers, decision("greedy")).bot == "greedy", "the next one can think"


def test_a_bot_that_had_no_processor_is_answered_for_and_not_blamed(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine has been too busy for it, from the moment on that it was asked."""
    starved = iter([7.0, 7.0 + GRACE_SECONDS])
    monkeypatch.setattr(thinker.Thinker, "starved_seconds", lambda _: next(starved, 0.0))
    book = Book()
    assert decide(thinkers, decision("looping"), book).bot == "greedy"
    assert not book.crashes
    decide(thinkers, decision("looping"), book)
    assert [crash.kind for crash in book.crashes] == [Failed.LATE]


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this system does not say who waits")
def test_waiting_for_a_processor_is_counted() -> None:
    """Two processes want the same processor: each is kept waiting by the other."""
    pids = [_busy_on_one_processor() for _ in range(2)]
    try:
        ours, theirs = Pipe()
        busy = thinker.Thinker(ours, pids[0])
        before = busy.starved_seconds()
        until(lambda: busy.starved_seconds() > before + 0.05, "it has waited", seconds=60)
        theirs.close()
        ours.close()
    finally:
        for pid in pids:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
    assert busy.starved_seconds() == 0.0, "nobody is there any more"


def test_what_was_thought_before_the_end_is_the_answer(thinkers: Thinkers) -> None:
    answer = decide(thinkers, decision("obstinate"), book := Book())
    assert (answer.bot, answer.move) == ("obstinate", VIEW.legal_moves()[-1])
    assert [crash.kind for crash in book.crashes] == [Failed.LATE]


def test_a_bot_that_fails_at_a_position_is_not_asked_there_for_ever(thinkers: Thinkers, tmp_path: Path) -> None:
    book = Book()
    for _ in range(TRIES + 3):
        assert decide(thinkers, decision("failing"), book).bot == "greedy"
    assert len(book.crashes) == TRIES
    assert (tmp_path / "failed").read_text().count("again") == TRIES


def test_a_search_ends_with_its_time_or_its_iterations(thinkers: Thinkers) -> None:
    timed = decide(thinkers, decision("searcher", 0.15))
    assert 2 <= timed.iterations < 10
    assert timed.candidates[0].move == timed.move
    counted = [decide(thinkers, decision("searcher", 5.0, iterations=3)) for _ in range(2)]
    assert [answer.iterations for answer in counted] == [3, 3]
    assert counted[0].move == counted[1].move


def test_notes_are_kept_from_one_decision_of_a_seat_to_the_next(thinkers: Thinkers, tmp_path: Path) -> None:
    for notes in ("a", "b", "a", "", "", "c", "b"):
        decide(thinkers, decision("searcher", 1.0, iterations=1, notes=notes))
    assert (tmp_path / "begun").read_text().split() == ["1", "1", "2", "1", "1", "1", "1"], "only two seats' are kept"


def test_whoever_is_not_wanted_any_more_stops_and_thinks_again_afterwards(thinkers: Thinkers, tmp_path: Path) -> None:
    heard: list[Answer] = []
    begun = time.monotonic()
    answer = Decider(thinkers).decide(
        decision("searcher", 30.0), 31.0, improved=heard.append, wanted=lambda: len(heard) < 3
    )
    assert answer is None
    assert len(heard) == 3
    assert time.monotonic() - begun < SPARE_SECONDS
    until(lambda: (tmp_path / "ended").exists(), "the bot has stopped", seconds=SPARE_SECONDS)
    assert decide(thinkers, decision("searcher", 1.0, iterations=2)).iterations == 2


def test_whoever_does_not_stop_when_told_is_killed(thinkers: Thinkers) -> None:
    begun = time.monotonic()
    answer = Decider(thinkers).decide(decision("obstinate", 30.0), 31.0, wanted=lambda: False)
    assert answer is None
    assert time.monotonic() - begun < GRACE_SECONDS + SPARE_SECONDS
    assert decide(thinkers, decision("searcher", 1.0, iterations=1)).bot == "searcher"


def test_quick_bots_and_searches_have_processes_of_their_own(thinkers: Thinkers) -> None:
    """A search that is killed takes no quick bot with it, nor the notes of one."""
    decide(thinkers, decision("greedy"))
    decide(thinkers, decision("obstinate"))
    begun = time.monotonic()
    events = [event for event in thinkers.think(decision("random")) if event is not None]
    assert [type(event) for event in events] == [Answer]
    assert time.monotonic() - begun < SPARE_SECONDS


def test_every_process_ends_with_whoever_made_it(thinkers: Thinkers, others: set[int]) -> None:
    decide(thinkers, decision("greedy"))
    born = set(_below(os.getpid())) - others
    assert len(born) >= 2
    thinkers.close()
    until(lambda: not any(_runs(pid) for pid in born), "the processes have ended", seconds=60)
    with pytest.raises(NurseryGone):
        list(thinkers.think(decision("greedy")))


def test_a_thinker_that_was_killed_from_outside_is_replaced(thinkers: Thinkers, others: set[int]) -> None:
    decide(thinkers, decision("greedy"))
    (pid,) = set(_below(os.getpid())) - set(_children(os.getpid())) - others
    os.kill(pid, 9)
    until(lambda: not _runs(pid), "it is dead", seconds=60)
    assert decide(thinkers, decision("greedy")).bot == "greedy"


def _busy_on_one_processor() -> int:
    processor = min(os.sched_getaffinity(0))
    pid = os.fork()
    if pid == 0:
        os.sched_setaffinity(0, {processor})
        while True:
            pass
    return pid


def _children(pid: int) -> list[int]:
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


def _below(pid: int) -> list[int]:
    children = _children(pid)
    return children + [below for child in children for below in _below(child)]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

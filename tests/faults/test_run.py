"""The long run of kills, twenty of them: nothing lost, doubled, leaked or missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgamesbot.v1 import games_pb2, tables_pb2
from tests.support import kills, limitless
from tests.support.ledger import Ledger, gaps_and_repeats
from tests.support.platform import Serve

pytestmark = pytest.mark.faults

KILLS = 20
QUICK = (
    kills.Kind("agora", 1, ("greedy", "greedy")),
    kills.Kind("agora", 3, searched=True),
    kills.Kind("agora", 2, ("agora-beginner",)),
)


@pytest.mark.timeout(300)
async def test_twenty_kills_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in limitless.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    with Serve(tmp_path, "--quick-processes", "1", "--deep-processes", "1") as supervised:
        tally = await kills.run(supervised, KILLS, seed=1, tables=len(QUICK), kinds=QUICK, down_at_once=(3, 4))
    assert tally.kills.total() == KILLS
    assert set(tally.kills) == set(kills.TARGETS)
    assert tally.tables >= len(QUICK)
    assert tally.accepted > 50
    assert tally.received > 500
    assert tally.is_clean, tally.as_json()
    assert "call failed" not in (tmp_path / "log").read_text()


def _record(*seats: int) -> games_pb2.GameRecord:
    return games_pb2.GameRecord(moves=[games_pb2.RecordMove(seat=seat) for seat in seats])


def _accept(ledger: Ledger, request_id: str, seat: int, version: int) -> None:
    entry = ledger.entry(tables_pb2.SubmitMoveRequest(request_id=request_id, seat=seat))
    entry.accepted.append(tables_pb2.SubmitMoveResponse(version=version))


def test_the_ledger_finds_a_move_that_is_lost_and_one_that_nobody_was_told_of() -> None:
    sound = Ledger()
    _accept(sound, "a", 0, 6)
    _accept(sound, "b", 1, 7)
    sound.check(_record(0, 1), start=5, people={0, 1})
    assert not sound.lost
    assert not sound.doubled
    lost = Ledger()
    _accept(lost, "a", 0, 6)
    _accept(lost, "b", 1, 7)
    lost.check(_record(0), start=5, people={0, 1})
    assert lost.lost == ["version 7 is not in the record"]
    doubled = Ledger()
    _accept(doubled, "a", 0, 6)
    doubled.check(_record(0, 0), start=5, people={0, 1})
    assert doubled.doubled == ["version 7 was played for a person who was not told"]
    other = Ledger()
    _accept(other, "a", 0, 6)
    other.check(_record(1), start=5, people={0})
    assert other.lost == ["version 6 is another move in the record"]
    twice = Ledger()
    _accept(twice, "a", 0, 6)
    _accept(twice, "a", 0, 7)
    twice.check(_record(0), start=5, people={0})
    assert twice.doubled == ["a was answered in two ways"]


def test_gaps_and_repeats_are_found() -> None:
    assert not list(gaps_and_repeats([1, 2, 3], 3))
    assert list(gaps_and_repeats([1, 3])) == ["version 3 after 1"]
    assert list(gaps_and_repeats([1, 2, 2])) == ["version 2 after 2"]
    assert list(gaps_and_repeats([2])) == ["version 2 after 0"]
    assert list(gaps_and_repeats([1, 2], 3)) == ["the end: version 2 of 3"]

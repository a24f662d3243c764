"""Games of bots: repeatable, each with notes of its own, and broken off in plain words when a bot fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from boardgamesbot.games.base import Move, View
from boardgamesbot.games.record import verify
from boardgamesbot.players.base import Budget, Notes, Thought
from boardgamesbot.tournament import faults
from boardgamesbot.tournament.play import play_out
from boardgamesbot.tournament.played import Kind, begin, seats_of
from boardgamesbot.tournament.schedule import Plan
from tests.unit.tournament.fakes import STRAW, Failing, Searching, seat_bots

SEED = bytes(range(32))


def plan(*bots: str) -> Plan:
    return Plan("agora", (), bots, SEED)


class Spy(Searching):
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.budgets: list[Budget] = []
        self.notes: list[Notes] = []
        self.seats: list[int | None] = []
        self.views: list[View] = []

    def think(self, view: View, rng: Random, budget: Budget, notes: Notes) -> Iterator[Thought]:
        self.budgets.append(budget)
        self.notes.append(notes)
        self.seats.append(view.seat)
        yield from super().think(view, rng, replace(budget, iterations=1), notes)


def test_a_budget_of_iterations_is_used_up_and_repeats_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_bots(monkeypatch, {"thinker": Searching()}, seconds=60)
    made: list[Move] = []
    first, second = (
        play_out(plan("thinker@3i", "random", "thinker@2i"), made.append),
        play_out(plan("thinker@3i", "random", "thinker@2i")),
    )
    assert first.fault is None
    assert first.iterations == (3 * first.moves[0], 0, 2 * first.moves[2])
    assert sum(first.moves) == len(made)
    assert (first.points, first.moves, first.shares) == (second.points, second.moves, second.shares)
    assert sum(first.shares) == pytest.approx(1)
    assert all(0 < slowest <= seconds for slowest, seconds in zip(first.slowest, first.seconds, strict=True))


def test_a_seat_has_notes_and_chance_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    seat_bots(monkeypatch, {"spy": spy}, seconds=60)
    played = play_out(plan("spy@1i", "spy@1i", "random"))
    by_seat = dict(zip(spy.seats, spy.notes, strict=True))
    assert set(by_seat) == {0, 1}
    assert by_seat[0] is not by_seat[1]
    assert {seat: notes["asked"] for seat, notes in by_seat.items()} == {0: played.moves[0], 1: played.moves[1]}
    assert all(budget.iterations == 1 and not budget.over() for budget in spy.budgets)


def test_a_budget_of_seconds_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    seat_bots(monkeypatch, {"spy": spy, "fool": spy}, seconds=1e-9)
    play_out(plan("spy", "spy@1000s", "random"))
    over = {(seat, budget.over()) for seat, budget in zip(spy.seats, spy.budgets, strict=True)}
    assert over == {(0, True), (1, False)}
    assert {budget.iterations for budget in spy.budgets} == {None}


@pytest.mark.parametrize(
    ("how", "kind", "reason"),
    [
        ("raises", Kind.CRASH, "ZeroDivisionError: out of its depth"),
        ("is silent", Kind.CRASH, "ValueError: it had no thought at all"),
        ("cheats", Kind.ILLEGAL, f"{STRAW}: "),
    ],
)
def test_a_bot_that_fails_breaks_the_game_off_and_the_record_leads_there(
    monkeypatch: pytest.MonkeyPatch, how: str, kind: Kind, reason: str
) -> None:
    seat_bots(monkeypatch, {"bad": Failing(how, at=3)})
    broken = plan("random", "bad", "random")
    made: list[Move] = []
    played = play_out(broken, made.append)
    fault = played.fault
    assert fault is not None
    assert (fault.kind, fault.seat, fault.moves) == (kind, 1, tuple(made))
    assert fault.reason.startswith(reason)
    assert played.shares == (0, 0, 0)
    assert bool(played.illegal) == (kind is Kind.ILLEGAL)
    assert ("in think" in fault.details) == (how == "raises")
    assert faults.account(7, played).startswith(f"game 7, bad in seat 1, {kind.value}: {reason}")

    record = faults.record(broken, fault)
    verdict = verify(record)
    assert verdict.fault is None
    assert verdict.moves == len(made) > 3
    assert verdict.state is not None
    assert verdict.state.actor == 1
    assert [player.bot for player in record.players] == ["random", "bad", "random"]


def test_whose_the_moves_were(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Move] = []
    played = play_out(plan("random", "random", "random"), made.append)
    seats = seats_of(plan("random", "random", "random"), made)
    assert [seats.count(seat) for seat in range(3)] == list(played.moves)
    assert seats_of(plan("random", "random", "random"), []) == [begin(plan("random", "random", "random")).actor]

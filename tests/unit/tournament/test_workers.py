"""Workers: the same games whatever their number, none lost with a process that dies, none left behind."""

from __future__ import annotations

import multiprocessing
from contextlib import closing
from dataclasses import replace

import pytest

from boardgamesbot.tournament.played import Kind, Played
from boardgamesbot.tournament.results import to_json
from boardgamesbot.tournament.schedule import Tournament
from boardgamesbot.tournament.workers import play_all
from tests.unit.tournament.fakes import Failing, Searching, seat_bots


def played(tournament: Tournament, workers: int) -> dict[int, Played]:
    """All its games, with the times taken out: they are never the same."""
    with closing(play_all(tournament.plans(), workers)) as coming:
        games = {plan.number: game for plan, game in coming}
    nothing = (0.0,) * len(games[0].bots)
    return {number: replace(game, seconds=nothing, slowest=nothing) for number, game in games.items()}


def test_however_many_workers_the_games_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_bots(monkeypatch, {"thinker": Searching()}, seconds=60)
    tournament = Tournament("agora", (), (3,), ("thinker@2i", "random"), 5, "workers")
    one, three = played(tournament, 1), played(tournament, 3)
    assert to_json(tournament, one) == to_json(tournament, three)
    assert sorted(one) == list(range(5))
    assert len({game.points for game in one.values()}) > 1


def test_a_process_that_dies_takes_one_game_with_it_and_leaves_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_bots(monkeypatch, {"deadly": Failing("dies", at=2)})
    tournament = Tournament("agora", (), (3,), ("random", "random", "deadly"), 1, "x")
    (_, game), *more = play_all([*tournament.plans(), replace(tournament.plan(0), bots=("random",) * 3, number=1)], 1)
    assert game.fault is not None
    assert (game.fault.kind, game.fault.reason) == (Kind.DEATH, "ended by SIGKILL")
    assert game.bots[game.fault.seat] == "deadly"
    assert len(game.fault.moves) > 2
    assert [(plan.number, other.fault) for plan, other in more] == [(1, None)]


def test_nobody_is_left_when_the_one_who_waits_goes_away() -> None:
    tournament = Tournament("agora", (), (3,), ("random",), 50, "x")
    ticks = []
    coming = play_all(tournament.plans(), 2, lambda: ticks.append(len(multiprocessing.active_children())))
    next(coming)
    assert len(multiprocessing.active_children()) == 2
    coming.close()
    assert not multiprocessing.active_children()
    assert set(ticks) == {2}


def test_there_are_no_more_workers_than_games() -> None:
    tournament = Tournament("agora", (), (3,), ("random",), 1, "x")
    most = []
    assert len(list(play_all(tournament.plans(), 8, lambda: most.append(len(multiprocessing.active_children()))))) == 1
    assert set(most) == {1}
    assert not list(play_all([], 8))

"""Standings: what games that nobody played come to."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from boardgamesbot.players.skill import Skill
from boardgamesbot.tournament.played import Fault, Kind, Played
from boardgamesbot.tournament.schedule import Tournament
from boardgamesbot.tournament.standings import ranks_of, standings
from tests.unit.tournament.fakes import game_of

ONE_OF_FOUR = Tournament("agora", (), (4,), ("greedy", "random"), 8, "x")
LEAGUE = Tournament("agora", (), (4,), ("greedy", "random", "agora"), 4, "x", is_league=True)


def games(tournament: Tournament, strong: str, others: int = 10) -> dict[int, Played]:
    """All of them, won by the strong one if it plays, else by the first seat."""
    found = {}
    for plan in tournament.plans():
        points = [20 if bot == strong else others for bot in plan.bots]
        winners = tuple(seat for seat, bot in enumerate(plan.bots) if bot == strong) or (0,)
        found[plan.number] = game_of(plan.bots, tuple(points), winners[:1])
    return found


def test_a_bot_wins_what_its_seats_win_together() -> None:
    of = standings(ONE_OF_FOUR, games(ONE_OF_FOUR, "random"))[4]
    assert (of.by_bot["greedy"].share, of.by_bot["random"].share) == (0, 1)
    assert (of.by_bot["greedy"].even, of.by_bot["random"].even) == (0.25, 0.75)
    assert of.by_bot["random"].games == 8
    assert of.by_bot["random"].seats == 24
    assert sum(of.by_seat["random", seat].wins for seat in range(4)) == 8
    assert sum(tally.games for (bot, _), tally in of.by_seat.items() if bot == "greedy") == 8


def test_shared_victories_are_shared() -> None:
    one = replace(ONE_OF_FOUR, games=1)
    of = standings(one, {0: game_of(("greedy", "random", "random", "random"), (9, 9, 9, 1))})[4]
    assert of.by_bot["greedy"].wins == pytest.approx(1 / 3)
    assert of.by_bot["random"].wins == pytest.approx(2 / 3)
    assert of.by_bot["random"].points == pytest.approx(19 / 3)


def test_games_of_a_deal_are_one_trial_for_points() -> None:
    """Two deals of four games: within a deal nothing is learned, between them all of it."""
    bots = [plan.bots for plan in ONE_OF_FOUR.plans()]
    of = standings(ONE_OF_FOUR, {n: game_of(bots[n], (10 + 2 * (n // 4),) * 4) for n in range(8)})[4]
    assert of.by_bot["greedy"].points == 11
    assert of.by_bot["greedy"].points_interval == pytest.approx((11 - 12.7062, 11 + 12.7062), abs=1e-3)
    one_deal = standings(ONE_OF_FOUR, {n: game_of(bots[n], (n,) * 4) for n in range(4)})[4]
    assert one_deal.by_bot["greedy"].points_interval is None


def test_pace_is_of_the_moves() -> None:
    of = standings(ONE_OF_FOUR, games(ONE_OF_FOUR, "greedy"))[4]
    assert of.by_bot["random"].seconds_a_move == pytest.approx(0.5)
    assert of.by_bot["random"].iterations_a_move == 7
    assert (of.moves, of.turns, of.longest) == (32, 32, (4, 4))


def test_ratings_follow_the_results_and_not_the_order_they_came_in() -> None:
    found = games(LEAGUE, "agora")
    of = standings(LEAGUE, found)[4]
    assert of.order[0] == "agora"
    assert of.rating("agora") > 1600
    assert of.rating("greedy") < 1500
    low, high = of.rating_interval("agora")
    assert high - of.rating("agora") == pytest.approx(1.959964 * 24 * of.skills["agora"].sigma)
    assert low < of.rating("agora")
    numbers = list(found)
    Random(1).shuffle(numbers)
    assert standings(LEAGUE, {number: found[number] for number in numbers})[4].skills == of.skills


def test_a_bot_is_rated_by_the_mean_of_its_seats() -> None:
    one = replace(ONE_OF_FOUR, games=1)
    skills = standings(one, {0: game_of(("greedy", "random", "random", "random"), (1, 9, 5, 3))})[4].skills
    assert skills["random"].mu > Skill().mu > skills["greedy"].mu
    assert skills["random"].sigma < Skill().sigma


def test_pairs_are_told_from_one_another() -> None:
    of = standings(LEAGUE, games(LEAGUE, "agora"))[4]
    assert {pair: tally.games for pair, tally in of.pairs.items()} == {
        (bot, other): 4 for bot in LEAGUE.bots for other in LEAGUE.bots if bot != other
    }
    assert of.pairs["agora", "greedy"].share == 1
    assert of.pairs["greedy", "agora"].share == 0
    assert of.pairs["greedy", "random"].share == of.pairs["random", "greedy"].share == 0.5


def test_a_broken_off_game_counts_for_nothing() -> None:
    found = games(ONE_OF_FOUR, "greedy")
    fault = Fault(Kind.CRASH, 0, "", "", ())
    broken = {number: replace(played, fault=fault, shares=(0.0,) * 4) for number, played in found.items()}
    assert standings(ONE_OF_FOUR, broken) == {}
    half = standings(ONE_OF_FOUR, {**broken, 3: found[3]})[4]
    assert (half.games, half.by_bot["greedy"].games, half.by_bot["greedy"].share) == (1, 1, 1.0)


def test_numbers_of_players_are_told_from_one_another() -> None:
    both = replace(ONE_OF_FOUR, players=(5, 3))
    assert [(players, of.games) for players, of in standings(both, games(both, "greedy")).items()] == [(3, 8), (5, 8)]


def test_where_the_rules_seat_somebody_nobody_is_rated() -> None:
    solo = Tournament("barcelona", (("solo", "HARD"),), (2,), ("greedy",), 3, "x")
    of = standings(solo, games(solo, "gaudi"))[2]
    assert not of.skills
    assert of.order == ["gaudi", "greedy"]


def test_winners_come_before_points() -> None:
    assert ranks_of(game_of(("a", "b", "c", "d"), (5, 9, 9, 7), winners=(3,))) == [2, 1, 1, 0]

"""What a result does to ratings: figures by hand and from openskill itself, ranks, and which tables count."""

from __future__ import annotations

import math

import pytest
from openskill.models import PlackettLuce

from boardgamesbot.matchmaking.rating import Skill, after, counts, person_of, ranks_of
from tests.support.finished import bot, person, table

ADA, BEN, CEM, DOM = (person(name) for name in ("ada", "ben", "cem", "dom"))
MU, SIGMA = 25.0, 25 / 3
BETA, TAU = 25 / 6, 25 / 300


def test_everybody_begins_at_1500() -> None:
    assert Skill() == Skill(MU, SIGMA)
    assert Skill().points == Skill().expected == 1500


def test_points_are_what_the_strength_almost_surely_is() -> None:
    assert Skill(30.0, 2.0).points == 1500 + 24 * (30 - 3 * 2)
    assert Skill(30.0, 2.0).expected == 1500 + 24 * 5
    assert Skill(30.0, 1.0).points > Skill(30.0, 2.0).points


def test_a_first_game_of_two_by_hand() -> None:
    """Weng and Lin, algorithm 4, for two newcomers of whom each wins with probability 1/2."""
    variance = SIGMA**2 + TAU**2
    c = math.sqrt(2 * (variance + BETA**2))
    gained = variance / c * (1 - 0.5)
    shrunk = math.sqrt(variance) * math.sqrt(1 - variance / c**2 * 0.5 * 0.5 * math.sqrt(variance) / c)
    winner, loser = after([Skill(), Skill()], [0, 1])
    assert [winner.mu, loser.mu] == pytest.approx([MU + gained, MU - gained])
    assert [winner.sigma, loser.sigma] == pytest.approx([shrunk, shrunk])


def test_a_game_of_four_with_a_tie_is_openskills_own() -> None:
    model = PlackettLuce()
    before = [(31.0, 2.5), (25.0, 25 / 3), (18.5, 4.0), (27.25, 1.75)]
    expected = model.rate([[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before], ranks=[2, 1, 2, 3])
    found = after([Skill(*one) for one in before], [2, 1, 2, 3])
    assert [(skill.mu, skill.sigma) for skill in found] == [(one.mu, one.sigma) for (one,) in expected]


def test_a_tie_of_equals_moves_nobody_and_makes_both_surer() -> None:
    for skill in after([Skill(), Skill()], [0, 0]):
        assert skill.mu == pytest.approx(MU)
        assert skill.sigma < SIGMA


def test_a_win_over_the_stronger_is_worth_more() -> None:
    strong, weak = Skill(32.0, 2.0), Skill(18.0, 2.0)
    assert after([Skill(), strong], [0, 1])[0].mu > after([Skill(), weak], [0, 1])[0].mu


@pytest.mark.parametrize(
    ("points", "winners", "ranks"),
    [
        ([10, 30, 20], [1], [2, 0, 1]),
        ([30, 30, 20], [0, 1], [0, 0, 1]),
        ([30, 30, 20], [1], [1, 0, 2]),  # the rules broke the tie
        ([30, 20, 20], [0], [0, 1, 1]),
        ([7, 7, 7], [0, 1, 2], [0, 0, 0]),
    ],
)
def test_winners_come_first_then_points(points: list[int], winners: list[int], ranks: list[int]) -> None:
    assert ranks_of(table([ADA, BEN, CEM], points, winners=winners)) == ranks


def test_who_resigned_comes_last_whatever_the_bot_made_of_it() -> None:
    assert ranks_of(table([ADA, BEN, CEM], [99, 20, 10], resigned={0: 40})) == [2, 0, 1]


def test_who_resigned_sooner_comes_behind_who_did_so_later() -> None:
    made = table([ADA, BEN, CEM, DOM], [99, 50, 10, 20], resigned={1: 40, 0: 31})
    assert ranks_of(made) == [3, 2, 1, 0]


def test_a_seat_that_a_bot_plays_on_for_who_ran_out_of_time_is_still_theirs() -> None:
    made = table([ADA, BEN], [10, 30])
    made.seats[0].away.CopyFrom(ADA)
    made.seats[0].player.CopyFrom(bot("greedy"))
    assert [person_of(seat) for seat in made.seats] == [ADA, BEN]
    assert ranks_of(made) == [1, 0]
    made.seats[1].away.CopyFrom(BEN)
    made.seats[1].player.CopyFrom(bot("greedy"))
    assert counts(made), "staying away saves nobody's rating"


def test_everybody_has_resigned() -> None:
    made = table([ADA, BEN, bot("greedy")], [40, 50, 10], resigned={0: 80, 1: 31}, winners=[2])
    assert ranks_of(made) == [1, 2, 0]


def test_the_result_of_a_seat_is_its_persons_to_the_end() -> None:
    made = table([ADA, BEN, bot("greedy")], [1, 2, 3], resigned={0: 5})
    assert [person_of(seat) for seat in made.seats] == [ADA, BEN, None]


def test_a_table_with_a_person_counts() -> None:
    assert counts(table([ADA, BEN, CEM], [1, 2, 3]))
    assert counts(table([bot("random"), bot("greedy"), ADA], [1, 2, 3]))
    assert counts(table([bot("random"), bot("greedy"), ADA], [1, 2, 3], resigned={2: 9}))


def test_a_table_of_bots_or_that_is_to_be_left_out_does_not_count() -> None:
    assert not counts(table([bot("random"), bot("greedy"), bot("greedy")], [1, 2, 3]))
    assert not counts(table([ADA, BEN, CEM], [1, 2, 3], rated=False))

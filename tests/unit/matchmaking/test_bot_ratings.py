"""The bots' fixed ratings: complete, on one scale, and made by the command they name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.bots import ANCHOR, Measuring, write
from boardgamesbot.games import registry
from boardgamesbot.matchmaking import bot_ratings
from boardgamesbot.matchmaking.rating import Skill
from boardgamesbot.players.registry import BOTS
from boardgamesbot.store.ratings import Pool
from boardgamesbot.tournament.played import Played

SEATED = [(game_id, bot.id) for bot in BOTS.values() if not bot.by_rule for game_id in bot.brains]


@pytest.mark.parametrize(("game_id", "bot"), SEATED)
def test_every_bot_is_measured_for_every_number_of_players(game_id: str, bot: str) -> None:
    game = registry.game(game_id)
    for players in range(game.min_players, game.max_players + 1):
        (rated,) = [
            rated for rated in bot_ratings.pools()[Pool(game_id, players)] if rated.who == bot_ratings.bot_id(bot)
        ]
        assert rated.games >= 50
        assert rated.sigma < 0.6 * Skill().sigma
        assert rated.name == BOTS[bot].name
        assert bot_ratings.skill_of(Pool(game_id, players), bot) == Skill(rated.mu, rated.sigma)


@pytest.mark.parametrize("pool", bot_ratings.pools())
def test_the_scale_begins_at_greedy_and_random_is_far_below(pool: Pool) -> None:
    assert bot_ratings.skill_of(pool, ANCHOR).mu == Skill().mu
    assert bot_ratings.skill_of(pool, "random").points < bot_ratings.skill_of(pool, ANCHOR).points - 300


def test_each_figure_names_the_command_that_makes_it() -> None:
    for entry in json.loads(bot_ratings.FILE.read_text("utf-8"))["bots"]:
        said = [f"--game {entry['game']}", f"--games {entry['games']}"]
        if entry["bot"] != ANCHOR:
            said.append(f"--bot {entry['bot']}")
        assert all(words in entry["command"] for words in said)


def test_a_bot_nobody_measured_counts_as_one_who_has_just_come() -> None:
    assert bot_ratings.skill_of(Pool("agora", 3), "nobody") == Skill()


def test_a_bot_has_an_id_that_no_person_has() -> None:
    assert bot_ratings.bot_of(bot_ratings.bot_id("greedy")) == "greedy"
    assert bot_ratings.bot_of("guest-greedy") == ""


def played(points: tuple[int, ...]) -> Played:
    """A game in which the most points won."""
    nothing = (0,) * len(points)
    shares = tuple(float(mine == max(points)) for mine in points)
    return Played(("",) * len(points), shares, points, nothing, nothing, (0.0,) * len(points))


class TestMeasuring:
    def test_the_bot_goes_round_the_seats_among_greedy_ones(self) -> None:
        plans = list(Measuring("agora", 3, "random").plans(4, "seed"))
        assert [plan.bots.index("random") for plan in plans] == [0, 1, 2, 0]
        assert all(plan.bots.count("greedy") == 2 for plan in plans)
        assert len({plan.seed for plan in plans}) == 4
        assert plans == list(Measuring("agora", 3, "random").plans(4, "seed"))

    def test_a_bot_that_wins_rises_from_whichever_seat_and_one_that_loses_falls(self) -> None:
        measuring = Measuring("agora", 3, "random")
        always = [played((9, 5, 5)), played((5, 9, 5)), played((5, 5, 9))] * 5
        never = [played((5, 9, 8)), played((8, 5, 9)), played((9, 8, 5))] * 5
        assert measuring.rated(always).mu > 32
        assert measuring.rated(never).mu < 18
        assert measuring.rated(always).sigma < Skill().sigma

    def test_a_new_measurement_takes_the_place_of_the_old_one_only(self, tmp_path: Any) -> None:
        file = tmp_path / "ratings.json"
        entries = [{"game": "agora", "players": n, "bot": "random", "mu": n} for n in (4, 3)]
        for entry in (*entries, {**entries[0], "mu": 9}):
            write(file, entry)
        assert [(one["players"], one["mu"]) for one in json.loads(file.read_text())["bots"]] == [(3, 3), (4, 9)]

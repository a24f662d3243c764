"""`bgb bots list`."""

from __future__ import annotations

import json
import re
from math import hypot

import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main
from boardgamesbot.matchmaking.bot_ratings import skill_of
from boardgamesbot.players.registry import BOTS
from boardgamesbot.players.skill import POINTS_A_UNIT
from boardgamesbot.store.ratings import Pool


def said(*words: str) -> str:
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, ["bots", "list", *words])
    assert result.exit_code == 0, result.output
    return result.output


def test_every_bot_is_listed_with_what_is_known_of_it() -> None:
    told = {(one["game"], one["bot"]): one for one in json.loads(said("--json"))}
    assert set(told) == {(game, bot.id) for bot in BOTS.values() for game in bot.brains}
    agora = told["agora", "agora"]
    assert agora["players"] == [3, 5]
    assert agora["seconds"] == BOTS["agora"].seconds > 0
    assert agora["ratings"]["4"] == skill_of(Pool("agora", 4), "agora").points
    assert told["agora", "agora-easy"]["level"] == "easy"
    assert told["barcelona", "gaudi"]["ratings"] == {}, "nobody has measured him"


@pytest.mark.parametrize("words", [(), ("barcelona",)])
def test_it_fits_a_terminal_of_80_columns(words: tuple[str, ...]) -> None:
    lines = said(*words).splitlines()
    assert max(map(len, lines)) <= 80
    shown = {line.split()[0] for line in lines if line.split()}
    games = set(words) or {"agora", "barcelona"}
    assert shown >= {bot.id for bot in BOTS.values() if games & set(bot.brains)}
    assert ("agora-easy" in shown) is (not words)
    assert "…" not in "".join(lines)


def test_what_a_difference_says_is_told_too() -> None:
    found = re.search(r"less than ([0-9]+) points apart", " ".join(said("agora").split()))
    assert found
    skills = [skill_of(Pool("agora", 3), bot) for bot in ("agora", "agora-hard")]
    unsure = 2 * hypot(*(skill.sigma for skill in skills)) * POINTS_A_UNIT
    assert unsure <= int(found[1]) <= 2 * unsure

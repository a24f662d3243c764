"""The fixed ratings of bots: measured in games among bots (`python -m benchmarks.bots`), kept in `bot_ratings.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from boardgamesbot.matchmaking.rating import Skill
from boardgamesbot.players.registry import BOTS
from boardgamesbot.store.ratings import Pool, Rated

FILE = files(__package__).joinpath("bot_ratings.json")
_PREFIX = "bot:"
_UNKNOWN = Skill()


@dataclass(frozen=True, slots=True)
class Measured:
    """What the games of a bot came to."""

    skill: Skill
    games: int


def skill_of(pool: Pool, bot: str) -> Skill:
    """A bot's rating. One that was not measured is taken for what anybody is who has just come."""
    measured = _measured().get(pool, {}).get(bot)
    return measured.skill if measured else _UNKNOWN


def bot_id(bot: str) -> str:
    """What stands for a bot where players are meant by their ids."""
    return _PREFIX + bot


def bot_of(who: str) -> str:
    """The bot that an id stands for; empty for a person's."""
    return who.removeprefix(_PREFIX) if who.startswith(_PREFIX) else ""


def pools() -> Mapping[Pool, list[Rated]]:
    """The bots of every pool, as they are on its leaderboard."""
    return {
        pool: [
            Rated(bot_id(bot), BOTS[bot].name, m.skill.mu, m.skill.sigma, m.skill.points, m.games)
            for bot, m in bots.items()
            if bot in BOTS
        ]
        for pool, bots in _measured().items()
    }


@cache
def _measured() -> Mapping[Pool, Mapping[str, Measured]]:
    found: dict[Pool, dict[str, Measured]] = {}
    for entry in json.loads(FILE.read_text("utf-8"))["bots"]:
        skill = Skill(entry["mu"], entry["sigma"])
        found.setdefault(Pool(entry["game"], entry["players"]), {})[entry["bot"]] = Measured(skill, entry["games"])
    return found

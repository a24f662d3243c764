"""The bots of this platform, weakest first, then those that come with a game. The one list to add a bot to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from boardgamesbot.games.registry import GAMES
from boardgamesbot.players.agora_search import levels as agora_levels
from boardgamesbot.players.agora_search.brain import AgoraSearch
from boardgamesbot.players.architect.brain import Architect
from boardgamesbot.players.base import Brain
from boardgamesbot.players.forced import Forced
from boardgamesbot.players.greedy_agora import GreedyAgora
from boardgamesbot.players.greedy_barcelona import GreedyBarcelona
from boardgamesbot.players.random import RandomBrain


@dataclass(frozen=True)
class Bot:
    """A bot, and its brain for each game it plays."""

    id: str
    name: str
    description: str
    brains: Mapping[str, Brain] = field(repr=False)
    """By the game's id."""
    by_rule: bool = False
    """Whether it plays only in seats that the rules of a game give to it (`Game.bots_wanted`)."""
    level: str = ""
    """Its level, where the same bot comes in several; each is a bot of its own here: `agora-beginner`, … `agora`."""
    seconds: float = 0.0
    """How long it thinks about a decision if nobody says; 0 where it does not search."""


BOTS: dict[str, Bot] = {
    bot.id: bot
    for bot in (
        Bot(
            "random",
            "Random",
            "Plays any legal move. For tests, and for a first easy win.",
            {game_id: RandomBrain() for game_id in GAMES},
        ),
        Bot(
            "greedy",
            "Greedy",
            "Takes what is best right now: looks one move ahead in Agora, to the end of its own turn in Barcelona.",
            {"agora": GreedyAgora(), "barcelona": GreedyBarcelona()},
        ),
        *(
            Bot(
                f"agora-{name}" if name else "agora",
                f"Agora ({name})" if name else "Agora",
                description,
                {"agora": AgoraSearch(level)},
                level=name or "full",
                seconds=level.seconds,
            )
            for name, description, level in agora_levels.ALL
        ),
        Bot(
            "architect",
            "Architect",
            "Plans its whole turn in Barcelona, and tries its best plans on what may come after them.",
            {"barcelona": Architect()},
            seconds=2.0,
        ),
        Bot(
            "gaudi",
            "Gaudí",
            "The opponent in solo Barcelona. He decides by his cards and by the rules alone; the table says how hard.",
            {"barcelona": Forced()},
            by_rule=True,
        ),
    )
}

STAND_IN = BOTS["greedy"]
"""Plays on for a player who resigned."""

FALLBACKS = (BOTS["greedy"], BOTS["random"])
"""Who answers, in this order, for a bot that can't."""


def may_play(bot: str, seat: int, wanted: Mapping[int, str]) -> bool:
    """Whether a bot (a person, if empty) may have a seat, where the rules of the game want these bots in theirs."""
    if seat in wanted:
        return wanted[seat] == bot
    return bot not in BOTS or not BOTS[bot].by_rule

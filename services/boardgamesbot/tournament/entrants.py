"""Who enters a tournament: a bot, and how long it may think."""

from __future__ import annotations

import re
from dataclasses import dataclass

from boardgamesbot.players.registry import BOTS

_LABEL = re.compile(r"(?P<bot>[^@]+)(?:@(?P<amount>[^@]*)(?P<unit>[si]))?")


class BadEntrant(ValueError):
    """A label that stands for nobody who may enter; says why."""


@dataclass(frozen=True)
class Entrant:
    """A bot, and its budget for a decision where it is not to be the bot's own."""

    bot: str
    seconds: float | None = None
    iterations: int | None = None

    @classmethod
    def parse(cls, label: str) -> Entrant:
        """The entrant of a label: `agora`, `agora@0.25s`, `agora@400i`. Raises BadEntrant."""
        found = _LABEL.fullmatch(label)
        if found is None:
            raise BadEntrant(f"{label!r} is not a bot; one is named agora, agora@0.25s or agora@400i")
        bot, amount, unit = found.groups()
        try:
            seconds = float(amount) if unit == "s" else None
            iterations = int(amount) if unit == "i" else None
        except ValueError:
            raise BadEntrant(f"{label!r}: {amount!r} is no number") from None
        if amount is not None and not 0 < (seconds or iterations or 0) < float("inf"):
            raise BadEntrant(f"{label!r}: a budget is more than nothing, and ends")
        return cls(bot, seconds, iterations)

    @property
    def has_budget(self) -> bool:
        """Whether its budget is named with it."""
        return self.seconds is not None or self.iterations is not None

    @property
    def searches(self) -> bool:
        """Whether it thinks for as long as it is given."""
        return BOTS[self.bot].seconds > 0

    def check(self, game_id: str) -> None:
        """Raise BadEntrant unless it may enter a tournament of this game."""
        if self.bot in BOTS and BOTS[self.bot].by_rule:
            raise BadEntrant(f"{self.bot!r} has a seat where the rules give it one, and is not named")
        if self.bot not in able(game_id):
            raise BadEntrant(f"{self.bot!r} is not a bot for {game_id}; there is {', '.join(able(game_id))}")
        if self.has_budget and not self.searches:
            raise BadEntrant(f"{self.bot!r} does not search: name it without a budget")

    def within(self, seconds: float | None, iterations: int | None) -> Entrant:
        """The same with this budget, if it searches and has none of its own."""
        return self if self.has_budget or not self.searches else Entrant(self.bot, seconds, iterations)

    def __str__(self) -> str:
        if self.iterations is not None:
            return f"{self.bot}@{self.iterations}i"
        return self.bot if self.seconds is None else f"{self.bot}@{self.seconds:g}s"


def able(game_id: str) -> list[str]:
    """The bots that may enter a tournament of a game."""
    return [bot.id for bot in BOTS.values() if game_id in bot.brains and not bot.by_rule]

"""Who chooses where no worker does: the bots server itself, with bots that are quick and have never needed watching."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from boardgamesbot.bots.deciding import Answer, Decider, Decision, Here
from boardgamesbot.bots.pace import SIMPLER_SECONDS
from boardgamesbot.players.registry import FALLBACKS


class StandIn:
    """Chooses one move at a time, so that the server goes on serving."""

    def __init__(self) -> None:
        self._decider = Decider(Here())
        self._choosing = asyncio.Lock()

    async def answer(self, decision: Decision) -> Answer:
        """What the simplest bots decide: the one that was asked, if it is one of them."""
        simple = [bot.id for bot in FALLBACKS]
        bot = decision.bot if decision.bot in simple else simple[0]
        asked = replace(decision, bot=bot, seconds=SIMPLER_SECONDS, iterations=None, notes="")
        async with self._choosing:
            answer = await asyncio.to_thread(self._decider.decide, asked, SIMPLER_SECONDS, where="bots server")
        assert answer is not None, "it is always wanted"
        return answer

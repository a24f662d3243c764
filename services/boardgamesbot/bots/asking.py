"""Having a bot choose on behalf of a player: what the request says, what it costs, and the answer as a message."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from boardgamesbot.bots.choosing import Asked, Choices, Told
from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed, Options, View
from boardgamesbot.players.registry import BOTS, Bot, may_play
from boardgamesbot.runtime import errors
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.v1 import bots_pb2 as pb

if TYPE_CHECKING:
    from boardgamesbot.games.proto import Codec
    from boardgamesbot.store.quotas import Quotas

SEED_BYTES = 64
"""The longest seed of a bot's chance."""
QUICK_SECONDS = 0.02
"""What a bot's answer counts that does not search, in seconds of thinking."""


@dataclass(frozen=True)
class Limits:
    """The most that a request may ask for."""

    seconds: float
    iterations: int

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """The limits of the settings."""
        return cls(settings.choice_seconds, settings.choice_iterations)


@dataclass(frozen=True)
class Wish:
    """How a bot is to think."""

    seconds: float
    """0 where it does not search."""
    iterations: int | None
    cost: float
    """In seconds of thinking."""


class Asking:
    """Asks the workers for players, each of whom may ask for so much."""

    def __init__(self, choices: Choices, quotas: Quotas, limits: Limits) -> None:
        self._choices = choices
        self._quotas = quotas
        self._limits = limits

    def read(self, request: pb.ChooseMoveRequest, under: str = "") -> tuple[Asked, Wish]:
        """What a request asks for; `under` is the path of the message it is a field of. Raises ApiError."""
        bot = bot_asked_for(request.bot, request.level, under)
        if len(request.seed) > SEED_BYTES:
            raise errors.invalid_field(f"{under}seed", f"must have at most {SEED_BYTES} bytes, has {len(request.seed)}")
        wish = self.wish(bot, request.budget, under)
        codec, view, options, named = _position(request, under)
        game, seat = codec.game, view.actor
        if seat is None:
            raise errors.invalid_field(named, "is the end of a game: nobody has anything to decide")
        if view.seat != seat:
            whose = "a spectator" if view.seat is None else f"seat {view.seat}"
            raise errors.invalid_field(named, f"is what {whose} sees, and the decision is seat {seat}'s")
        check_plays(bot, codec, f"{under}bot")
        wanted = game.bots_wanted(options)
        if not may_play(bot.id, seat, wanted):
            plays = f"{wanted[seat]}'s" if seat in wanted else f"not {bot.id}'s"
            raise errors.invalid_field(f"{under}bot", f"seat {seat}, whose decision it is, is {plays} by the rules")
        seed = request.seed or secrets.token_bytes(SEED_BYTES)
        return Asked(codec, view, bot.id, seed, wish.seconds, wish.iterations), wish

    def wish(self, bot: Bot, budget: pb.Budget, under: str = "") -> Wish:
        """How long a bot may think by a budget. Raises ApiError."""
        most = int(self._limits.seconds * 1000)
        ms = budget.milliseconds if budget.HasField("milliseconds") else None
        iterations = budget.iterations if budget.HasField("iterations") else None
        for name, value, limit in (("milliseconds", ms, most), ("iterations", iterations, self._limits.iterations)):
            if value is not None and not 1 <= value <= limit:
                raise errors.invalid_field(f"{under}budget.{name}", f"must be 1 to {limit}, not {value}")
        if not bot.seconds:
            return Wish(0.0, None, QUICK_SECONDS)
        if ms is not None:
            seconds = ms / 1000
        else:
            seconds = self._limits.seconds if iterations else min(bot.seconds, self._limits.seconds)
        return Wish(seconds, iterations, seconds)

    async def choose(self, player_id: str, asked: Asked, cost: float, *, reasoning: bool) -> pb.ChooseMoveResponse:
        """The bot's choice. Raises ApiError."""
        async with aclosing(self.watch(player_id, asked, cost, reasoning=reasoning, streamed=False)) as choices:
            async for choice, final in choices:
                if final:
                    return choice
        raise AssertionError("the last choice is final")

    async def watch(
        self, player_id: str, asked: Asked, cost: float, *, reasoning: bool, streamed: bool = True
    ) -> AsyncGenerator[tuple[pb.ChooseMoveResponse, bool], None]:
        """The bot's choice as it improves, and whether it is the last one. Raises ApiError.

        What it costs is taken from the player first; what was not used of it is given back.
        """
        again = await self._quotas.take(player_id, cost)
        if again:
            raise errors.quota_exhausted(f"{cost:g} seconds of thinking", again)
        heard, thought, used = time.monotonic(), 0.0, cost
        try:
            async with aclosing(self._choices.watch(asked, streamed=streamed)) as answers:
                async for told in answers:
                    heard, thought = time.monotonic(), told.answer.seconds
                    if told.final:
                        used = thought
                    yield _shown(asked, told, reasoning=reasoning), told.final
        except (GeneratorExit, asyncio.CancelledError):
            used = min(used, thought + time.monotonic() - heard)
            raise
        except errors.ApiError:
            used = 0.0
            raise
        finally:
            if cost > max(used, QUICK_SECONDS):
                await self._quotas.give_back(player_id, cost - max(used, QUICK_SECONDS))


def bot_asked_for(bot_id: str, level: str, under: str = "") -> Bot:
    """The bot of a request. Raises ApiError."""
    if bot_id not in BOTS:
        raise errors.invalid_field(f"{under}bot", f"there is no bot {bot_id[:32]!r}; there is {', '.join(BOTS)}")
    if not level or BOTS[bot_id].level == level:
        return BOTS[bot_id]
    levels = {bot.level: bot for bot in BOTS.values() if bot.level and bot.id.startswith(f"{bot_id}-")}
    if level not in levels:
        has = f"comes as {', '.join(levels)}" if levels else "has no levels"
        raise errors.invalid_field(f"{under}level", f"there is no {level[:32]!r}: {bot_id} {has}")
    return levels[level]


def strongest(game_id: str) -> Bot:
    """The bot that suggests moves where nobody names one."""
    return [bot for bot in BOTS.values() if game_id in bot.brains and not bot.by_rule][-1]


def check_plays(bot: Bot, codec: Codec, field: str) -> None:
    """Raise ApiError unless the bot plays the game."""
    if codec.game.id not in bot.brains:
        raise errors.invalid_field(field, f"{bot.name} does not play {codec.game.id}")


def _position(request: pb.ChooseMoveRequest, under: str) -> tuple[Codec, View, Options, str]:
    """What the seat whose decision it is knows, the game's options, and the field that said so. Raises ApiError."""
    has_state, has_view = request.HasField("state"), request.HasField("view")
    if has_state == has_view:
        raise errors.invalid_field(
            f"{under}state", "is there with `view`: send one of them" if has_state else "is missing, and so is `view`"
        )
    named = f"{under}state" if has_state else f"{under}view"
    try:
        if has_state:
            codec = registry.codec_of(request.state)
            state = codec.state_from(request.state)
            return codec, state.view(state.actor), state.options, named
        codec = registry.codec_of(request.view)
        view = codec.view_from(request.view)
        return codec, view, view.determinize(Random(0)).options, named
    except Malformed as error:
        raise errors.malformed(error.under(named)) from None


def _shown(asked: Asked, told: Told, *, reasoning: bool) -> pb.ChooseMoveResponse:
    answer, codec, view = told.answer, asked.codec, asked.view
    words = codec.game.words
    assert view.seat is not None, "it is the view of the seat that decides"
    choice = pb.ChooseMoveResponse(
        seat=view.seat, move=codec.move_to(answer.move), text=words.move(view, answer.move), bot=answer.bot
    )
    if reasoning:
        choice.reasoning.iterations = answer.iterations
        choice.reasoning.milliseconds = round(answer.seconds * 1000)
        choice.reasoning.candidates.extend(
            pb.Candidate(
                move=codec.move_to(candidate.move),
                text=words.move(view, candidate.move),
                visits=candidate.visits,
                expected_points=candidate.points,
                win_chance=candidate.win,
            )
            for candidate in answer.candidates
        )
    return choice

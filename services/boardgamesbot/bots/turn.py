"""A bot's turn: look, decide, play. Harmless when it comes twice, late, or for a game that is over."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from random import Random

import grpc

from boardgamesbot.client.errors import Refused
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.games import registry
from boardgamesbot.games.base import IllegalMove, Malformed, Move, View
from boardgamesbot.players.registry import BOTS, FALLBACKS, Bot
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, Player
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_PLAYING

log = logs.logger(__name__)

TRIES = 2
"""A bot that has been woken more often than this for one decision is not asked again: a simpler one answers."""


class Outcome(StrEnum):
    """What came of a turn."""

    PLAYED = "played"
    LATE = "late"
    OTHER_RULESET = "other ruleset"
    """The table is of a ruleset that is not in use here: the watchdog gives the turn out again, to whoever has it."""


@dataclass(frozen=True)
class Turn:
    """One decision of a bot. `attempt` counts from 1 how often it has been woken for it."""

    table_id: str
    version: int
    seat: int
    bot: str
    player_id: str
    attempt: int


class TurnPlayer:
    """Plays the turns of bots, at their own seats only, through TableService like any client."""

    def __init__(self, client: SyncClient, tokens: Tokens, secret: bytes) -> None:
        self._client = client
        self._tokens = tokens
        self._secret = secret

    def play(self, turn: Turn) -> Outcome:
        """Play one decision. Raises Refused where the rules server can't be reached: the watchdog comes again."""
        token = self._tokens.issue(Player(id=turn.player_id, kind=PLAYER_KIND_BOT, bot=turn.bot))
        try:
            response = self._client.view(token, turn.table_id)
        except Refused as error:
            if error.code == grpc.StatusCode.NOT_FOUND:
                return Outcome.LATE
            if error.reason == "RULESET_UNAVAILABLE":
                log.error("rules server refuses the table", table=turn.table_id, error=error.message)
                return Outcome.OTHER_RULESET
            raise
        if response.version != turn.version or response.table.status != TABLE_STATUS_PLAYING:
            return Outcome.LATE
        codec = registry.codec(response.table.game_id)
        if codec.game.ruleset.hash != response.table.ruleset_hash:
            log.error(
                "table of another ruleset: start this worker with the --ruleset of the rules server",
                table=turn.table_id,
                ruleset=response.table.ruleset_hash[:12],
                here=codec.game.ruleset.hash[:12],
            )
            return Outcome.OTHER_RULESET
        view = codec.view_from(response.view)
        if view.seat != turn.seat or view.actor != turn.seat:
            return Outcome.LATE
        move = self._decide(turn, view, response.table.game_id)
        try:
            request_id = f"turn-{turn.version}"
            self._client.submit(token, turn.table_id, turn.seat, turn.version, codec.move_to(move), request_id)
        except Refused as error:
            if error.reason in ("STALE_VERSION", "TABLE_NOT_FOUND", "WRONG_STATUS", "NOT_YOUR_SEAT", "NOT_YOUR_TURN"):
                return Outcome.LATE
            raise
        return Outcome.PLAYED

    def _decide(self, turn: Turn, view: View, game_id: str) -> Move:
        """The bot's move, or, where it fails, that of the first simpler one that does not."""
        for bot in _askable(turn):
            brain = bot.brains.get(game_id)
            if brain is None:
                continue
            started = time.monotonic()
            try:
                move = brain.choose(view, self._generator(turn, bot.id))
                _check(view, move)
            except (IllegalMove, Malformed) as error:
                log.error(
                    "bot answered an illegal move",
                    bot=bot.id,
                    table=turn.table_id,
                    version=turn.version,
                    rule=error.rule.id if isinstance(error, IllegalMove) else "",
                )
            except Exception:
                log.exception("bot failed", bot=bot.id, table=turn.table_id, version=turn.version)
            else:
                log.debug(
                    "bot decided",
                    bot=bot.id,
                    table=turn.table_id,
                    version=turn.version,
                    seconds=round(time.monotonic() - started, 4),
                )
                return move
        return view.legal_moves()[0]

    def _generator(self, turn: Turn, bot: str) -> Random:
        """The same for the same decision, whoever plays it, and known to nobody outside."""
        what = f"{turn.table_id}:{turn.version}:{turn.seat}:{bot}".encode()
        return Random(hmac.digest(self._secret, what, hashlib.sha256))


def _askable(turn: Turn) -> Iterable[Bot]:
    """The bots to ask, in order."""
    if turn.attempt <= TRIES and turn.bot in BOTS:
        yield BOTS[turn.bot]
    yield from (bot for bot in FALLBACKS if bot.id != turn.bot or turn.attempt <= TRIES)


def _check(view: View, move: Move) -> None:
    """Raise IllegalMove or Malformed unless the move is legal as far as the seat can tell, which is for certain."""
    view.determinize(Random(0)).check(move)

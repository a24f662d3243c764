"""A bot's turn: look, decide, play. Harmless when it comes twice, late, or for a game that is over."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from enum import StrEnum
from random import Random

import grpc

from boardgamesbot.bots.deciding import decide
from boardgamesbot.client.errors import Refused
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.games import registry
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, Player
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_PLAYING

log = logs.logger(__name__)


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
        decided = decide(
            turn.bot,
            view,
            response.table.game_id,
            lambda bot: self._generator(turn, bot),
            attempt=turn.attempt,
            table=turn.table_id,
            version=turn.version,
        )
        try:
            request_id = f"turn-{turn.version}"
            self._client.submit(token, turn.table_id, turn.seat, turn.version, codec.move_to(decided.move), request_id)
        except Refused as error:
            if error.reason in ("STALE_VERSION", "TABLE_NOT_FOUND", "WRONG_STATUS", "NOT_YOUR_SEAT", "NOT_YOUR_TURN"):
                return Outcome.LATE
            raise
        return Outcome.PLAYED

    def _generator(self, turn: Turn, bot: str) -> Random:
        """The same for the same decision, whoever plays it, and known to nobody outside."""
        what = f"{turn.table_id}:{turn.version}:{turn.seat}:{bot}".encode()
        return Random(hmac.digest(self._secret, what, hashlib.sha256))

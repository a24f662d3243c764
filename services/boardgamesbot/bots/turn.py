"""A bot's turn: look, decide, play. Harmless when it comes twice, late, or for a game that is over."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import grpc

from boardgamesbot.bots.deciding import Decider, Decision
from boardgamesbot.bots.pace import Pace
from boardgamesbot.client.errors import Refused
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.games import registry
from boardgamesbot.players.registry import BOTS
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.tokens import Tokens
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
    """One decision of a bot."""

    table_id: str
    version: int
    seat: int
    bot: str
    player_id: str
    attempt: int
    """Counts from 1 how often it has been woken for it."""
    since_ms: float | None = None
    """When it was woken, by the store's clock; None: just now."""


class TurnPlayer:
    """Plays the turns of bots, at their own seats only, through TableService like any client."""

    def __init__(
        self,
        client: SyncClient,
        tokens: Tokens,
        secret: bytes,
        decider: Decider,
        pace: Pace,
        now_ms: Callable[[], float],
    ) -> None:
        """`now_ms` is the store's clock."""
        self._client = client
        self._tokens = tokens
        self._secret = secret
        self._decider = decider
        self._pace = pace
        self._now_ms = now_ms

    def play(self, turn: Turn) -> Outcome:
        """Play one decision. Raises Refused where the rules server can't be reached: the watchdog comes again."""
        token = self._tokens.of_bot(turn.player_id, turn.bot)
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
        seat = response.table.seats[turn.seat] if 0 <= turn.seat < len(response.table.seats) else None
        if seat is None or seat.player.id != turn.player_id or response.summary.actor != turn.seat:
            return Outcome.LATE
        waited = 0.0 if turn.since_ms is None else max(0.0, self._now_ms() - turn.since_ms) / 1000
        bot = BOTS.get(turn.bot)
        decision = Decision(
            game_id=response.table.game_id,
            bot=turn.bot,
            seed=self._seed(turn),
            view=response.view.SerializeToString(),
            seconds=self._pace.thinking(bot.seconds if bot else 0.0, waited, turn.attempt),
            notes=f"{turn.table_id}:{turn.seat}",
        )
        answer = self._decider.decide(
            decision, self._pace.left(waited), attempt=turn.attempt, table=turn.table_id, version=turn.version
        )
        assert answer is not None, "a turn is always wanted"
        try:
            request_id = f"turn-{turn.version}"
            self._client.submit(token, turn.table_id, turn.seat, turn.version, codec.move_to(answer.move), request_id)
        except Refused as error:
            if error.reason in ("STALE_VERSION", "TABLE_NOT_FOUND", "WRONG_STATUS", "NOT_YOUR_SEAT", "NOT_YOUR_TURN"):
                return Outcome.LATE
            raise
        return Outcome.PLAYED

    def _seed(self, turn: Turn) -> bytes:
        """The same for the same decision, whoever plays it, and known to nobody outside."""
        return hmac.digest(self._secret, f"{turn.table_id}:{turn.version}:{turn.seat}".encode(), hashlib.sha256)

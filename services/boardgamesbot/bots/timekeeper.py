"""Somebody's time is up: the rules server is told, and does what the table's clock says. Harmless twice, and late."""

from __future__ import annotations

import grpc

from boardgamesbot.client.errors import Refused
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.tokens import Tokens, service_player

log = logs.logger(__name__)


class Timekeeper:
    """Calls time. The store's clock says whether it is up, the table's version that it is called once."""

    def __init__(self, client: SyncClient, tokens: Tokens) -> None:
        self._client = client
        self._tokens = tokens

    def run_out(self, table_id: str, version: int) -> bool:
        """Call time at a table; whether this call had an effect.

        Raises Refused where the rules server can't be reached: the watchdog comes again.
        """
        try:
            return self._client.run_out(self._tokens.issue(service_player("timekeeper")), table_id, version)
        except Refused as error:
            if error.code == grpc.StatusCode.NOT_FOUND:
                return False
            if error.reason == "RULESET_UNAVAILABLE":
                log.error("rules server refuses the table", table=table_id, error=error.message)
                return False
            raise

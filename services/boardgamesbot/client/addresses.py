"""Where the servers are, where a program does not say."""

from __future__ import annotations

import os
from typing import NamedTuple

from google.protobuf.message import Message


class Addresses(NamedTuple):
    """The addresses of the servers, `HOST:PORT`."""

    rules: str
    bots: str
    matchmaking: str

    def asked(self, request: Message) -> str:
        """The address of the server that takes such a request: each has the messages of a file of the contract."""
        file = request.DESCRIPTOR.file.name.rpartition("/")[2]
        return {"bots.proto": self.bots, "matchmaking.proto": self.matchmaking}.get(file, self.rules)


def usual_addresses() -> Addresses:
    """Where BGB_RULES_ADDRESS, BGB_BOTS_ADDRESS and BGB_MATCHMAKING_ADDRESS say, or else on this machine."""
    return Addresses(
        os.environ.get("BGB_RULES_ADDRESS") or "127.0.0.1:7410",
        os.environ.get("BGB_BOTS_ADDRESS") or "127.0.0.1:7411",
        os.environ.get("BGB_MATCHMAKING_ADDRESS") or "127.0.0.1:7412",
    )

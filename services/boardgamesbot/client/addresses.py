"""Where the servers are, where a program does not say."""

from __future__ import annotations

import os
from typing import NamedTuple


class Addresses(NamedTuple):
    """The addresses of the servers, `HOST:PORT`."""

    rules: str
    bots: str
    matchmaking: str


def usual_addresses() -> Addresses:
    """Where BGB_RULES_ADDRESS, BGB_BOTS_ADDRESS and BGB_MATCHMAKING_ADDRESS say, or else on this machine."""
    return Addresses(
        os.environ.get("BGB_RULES_ADDRESS") or "127.0.0.1:7410",
        os.environ.get("BGB_BOTS_ADDRESS") or "127.0.0.1:7411",
        os.environ.get("BGB_MATCHMAKING_ADDRESS") or "127.0.0.1:7412",
    )

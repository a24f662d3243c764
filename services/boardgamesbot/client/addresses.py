"""Where the servers are, where a program does not say."""

from __future__ import annotations

import os
from typing import NamedTuple

from google.protobuf.message import Message

from boardgamesbot.client.here import data_folder, servers_here

_USUAL = {"rules": "127.0.0.1:7410", "bots": "127.0.0.1:7411", "matchmaking": "127.0.0.1:7412"}


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
    """Where BGB_RULES_ADDRESS, BGB_BOTS_ADDRESS and BGB_MATCHMAKING_ADDRESS say.

    Where none of them is set: where the `bgb serve` of this machine (of the folder BGB_DATA, if that is set) has its
    servers. Otherwise on the usual ports of this machine.
    """
    told = {name: os.environ.get(f"BGB_{name.upper()}_ADDRESS") for name in _USUAL}
    here = {} if any(told.values()) else servers_here(data_folder())
    return Addresses(**{name: told[name] or here.get(f"{name}_address") or usual for name, usual in _USUAL.items()})

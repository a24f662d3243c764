"""The platform that runs on this machine: its `bgb serve` leaves word of it in a folder."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

SERVERS_NAME = "servers.json"
CONNECT_SECONDS = 0.5


def usual_folder() -> Path:
    """Where `bgb serve` keeps its data unless told otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "boardgamesbot"


def data_folder() -> Path:
    """The same, or where BGB_DATA says."""
    return Path(os.environ.get("BGB_DATA") or usual_folder())


def servers_here(data: Path) -> dict[str, str]:
    """The settings, by name, that the `bgb serve` with this folder has left; none where it runs no more."""
    try:
        kept = json.loads((data / SERVERS_NAME).read_text("utf-8"))
        left = {str(name): str(value) for name, value in kept.items() if value}
    except (OSError, ValueError, AttributeError):
        return {}
    return left if _listens(left.get("rules_address", "")) else {}


def _listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), CONNECT_SECONDS):
            return True
    except (OSError, ValueError, OverflowError):
        return False

"""Whether the program of this container is well: `python -m boardgamesbot.probe`, exit status 0 if so.

Asks where BGB_METRICS_LISTEN says on this host, `/readyz` or what is named. It imports next to nothing, because it is
run every few seconds beside every program; `bgb health` asks any server, by the protocol of gRPC.
"""

from __future__ import annotations

import os
import sys
from http.client import HTTPConnection, HTTPException

SECONDS = 3.0
_EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what is asked, not listened on


def probe(listen: str, path: str) -> tuple[bool, str]:
    """Whether the program that listens there is well, and what it says."""
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    if not port.isdecimal():
        return False, "BGB_METRICS_LISTEN is not HOST:PORT: nobody can be asked"
    connection = HTTPConnection(_EVERYWHERE.get(host, host), int(port), timeout=SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        said = answer.read(1_000).decode("utf-8", "replace").strip()
    except (OSError, HTTPException) as error:
        return False, f"{listen} does not answer: {error}"
    finally:
        connection.close()
    return answer.status == 200, said


def main() -> int:
    """Ask, say the answer, give the exit status."""
    well, said = probe(os.environ.get("BGB_METRICS_LISTEN", ""), sys.argv[1] if len(sys.argv) > 1 else "/readyz")
    print(said, file=sys.stdout if well else sys.stderr)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())

"""The long run: kill the programs of a platform a thousand times while it is played on, and see what is lost.

python -m tests.faults.run --kills 1000 --seed 1 --json build/faults.json
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.support import kills, limitless
from tests.support.platform import Serve


def main() -> int:
    """Run it; the exit status is 0 if nothing was lost, doubled, leaked or missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.run", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=6, help="played at once")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    parser.add_argument("--data", type=Path, help="a folder for the platform's data and logs, kept afterwards")
    given = parser.parse_args()
    os.environ.update(limitless.ENVIRONMENT)
    began = time.monotonic()

    def tell(line: str) -> None:
        sys.stderr.write(f"{time.monotonic() - began:6.0f} s  {line}\n")
        sys.stderr.flush()

    with tempfile.TemporaryDirectory(prefix="faults") as temporary:
        folder = given.data or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        serve = Serve(folder, "--quick-processes", "2", "--deep-processes", "1")
        with serve as supervised:
            tally = asyncio.run(kills.run(supervised, given.kills, given.seed, given.tables, tell))
        failed = (folder / "log").read_text(errors="replace").count("call failed")
    tell(tally.line())
    figures = {
        **tally.as_json(),
        "seed": given.seed,
        "seconds": round(time.monotonic() - began),
        "calls_failed": failed,
    }
    if given.json:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(figures, indent=1) + "\n")
    sys.stdout.write(tally.as_table() + "\n\n" + json.dumps({k: v for k, v in figures.items() if k != "kills"}) + "\n")
    return 0 if tally.is_clean and not failed else 1


if __name__ == "__main__":
    raise SystemExit(main())

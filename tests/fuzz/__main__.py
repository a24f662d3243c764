"""Fuzz at length: every target in turn, until the time is up.

python -m tests.fuzz --minutes 10
python -m tests.fuzz --target positions --seed 7
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter

from tests.fuzz import decoders, methods

AT_ONCE = 200
"""So many inputs of a target before the next one has its turn."""


def main() -> int:
    """Run it; the exit status is 1 if anything misbehaved. What did is told with the words that repeat it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--target", choices=[*decoders.TARGETS, *methods.TARGETS], action="append")
    parser.add_argument("--seed", type=int, help="this one input only")
    parser.add_argument("--from-seed", type=int, default=0)
    given = parser.parse_args()
    pure = [name for name in given.target or decoders.TARGETS if name in decoders.TARGETS]
    served = [name for name in given.target or methods.TARGETS if name in methods.TARGETS]
    runs: Counter[str] = Counter()
    faults: list[str] = []
    end = time.monotonic() + 60 * given.minutes
    seed, told = given.from_seed, 0
    try:
        while time.monotonic() < end:
            seeds = [given.seed] if given.seed is not None else list(range(seed, seed + AT_ONCE))
            for name in pure:
                for one in seeds:
                    _try(name, one, faults)
                    runs[name] += 1
            if served:
                found = asyncio.run(methods.run(served, seeds, faults))
                runs += found
            seed += AT_ONCE
            for fault in faults[told:]:
                sys.stdout.write(fault + "\n")
            told = len(faults)
            sys.stdout.flush()
            sys.stderr.write(f"{runs.total()} inputs, {told} faults\n")
            if given.seed is not None:
                break
    except KeyboardInterrupt:
        pass
    for name, number in sorted(runs.items()):
        sys.stdout.write(f"{name:20} {number:9}\n")
    return 1 if faults else 0


def _try(name: str, seed: int, faults: list[str]) -> None:
    try:
        decoders.run(name, seed)
    except AssertionError as error:
        faults.append(str(error))


if __name__ == "__main__":
    raise SystemExit(main())

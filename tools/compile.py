"""Compiles the engines in place, beside their sources, or takes the compiled modules away again.

python tools/compile.py           `make compile`
python tools/compile.py --pure    `make pure`
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "services"


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pure", action="store_true", help="remove what was compiled")
    if parser.parse_args().pure:
        print(f"{remove()} compiled modules removed: everything is plain Python")
        return
    missing = what_is_missing()
    if missing:
        sys.exit(f"{missing}\nEverything works without, bots think less in the same time.")
    print("compiling the engines, which takes a minute or two ...", flush=True)
    remove()
    start = time.monotonic()
    build()
    print(f"{len(list(SOURCES.rglob('*.so')))} compiled modules in {time.monotonic() - start:.0f} s")


def what_is_missing() -> str:
    """What this machine lacks to compile, and how to get it; empty if nothing."""
    compiler = os.environ.get("CC", sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"There is no C compiler here ({compiler}); on Debian: apt install gcc"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        version = ".".join(map(str, sys.version_info[:2]))
        return f"The headers of Python {version} are missing (Python.h); on Debian: apt install python{version}-dev"
    if importlib.util.find_spec("mypyc") is None or importlib.util.find_spec("setuptools") is None:
        return "mypy and setuptools, which compile, are not installed: make dev"
    return ""


def build() -> None:
    """Run setup.py; its output is shown if it fails, and ends the program then."""
    with tempfile.TemporaryDirectory() as temporary:
        done = subprocess.run(
            [sys.executable, "setup.py", "--quiet", "build", "--build-base", temporary, "build_ext", "--inplace"],
            cwd=ROOT,
            env=os.environ | {"BGB_COMPILE": "1"},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        remove()
        sys.exit(f"{done.stdout}{done.stderr}\nIt did not compile; everything is plain Python.")


def remove() -> int:
    """Take every compiled module away; gives how many there were."""
    found = [path for pattern in ("*.so", "*.pyd") for path in SOURCES.rglob(pattern)]
    for path in [*found, *SOURCES.rglob("compiled.json")]:
        path.unlink()
    return len(found)


if __name__ == "__main__":
    main()

"""Whether the hot modules run compiled, and that nobody runs code that was compiled from another source.

A build leaves a manifest in the package: for every module it compiled the hash of the source. Whoever imports the
package has it compared, so that an edit without a new build is an error and no riddle.
"""

from __future__ import annotations

import hashlib
import json
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

PACKAGE = Path(__file__).parent
MANIFEST = "compiled.json"
"""In the package: the sources of the compiled modules, by their path below it, with their hashes."""
SUFFIX = EXTENSION_SUFFIXES[0]
"""How the name of a compiled module of this Python ends."""


class StaleBuild(ImportError):
    """A module was compiled from a source that is not the one beside it."""


def digest(source: Path) -> str:
    """The hash of a source file."""
    return hashlib.sha256(source.read_bytes()).hexdigest()


def built_from(source: Path) -> Path:
    """Where the compiled module of a source lies, if it is compiled for this Python."""
    return source.with_name(source.stem + SUFFIX)


def manifest(package: Path = PACKAGE) -> dict[str, str]:
    """The hashes of the compiled sources by their paths below the package; empty where nothing was compiled."""
    try:
        found: dict[str, str] = json.loads((package / MANIFEST).read_text())
    except FileNotFoundError:
        return {}
    return found


def compiled(package: Path = PACKAGE) -> list[str]:
    """The sources whose modules run compiled in this Python, sorted."""
    return sorted(path for path in manifest(package) if built_from(package / path).exists())


def strays(package: Path = PACKAGE) -> list[str]:
    """Compiled modules that no build here accounts for, sorted; they hide their sources all the same."""
    known = {built_from(package / path) for path in manifest(package)}
    return sorted(str(path.relative_to(package)) for path in package.rglob(f"*{SUFFIX}") if path not in known)


def check(package: Path = PACKAGE) -> None:
    """Raise StaleBuild if a compiled module is not what its source says."""
    for path, hashed in manifest(package).items():
        source = package / path
        if built_from(source).exists() and digest(source) != hashed:
            raise StaleBuild(
                f"{path} has changed since it was compiled: `make compile` compiles it again, "
                "`make pure` goes back to plain Python"
            )


def describe(package: Path = PACKAGE) -> str:
    """How the engines run here, in a few words."""
    found = len(compiled(package))
    return f"engines compiled ({found} modules)" if found else "engines not compiled"

"""The compiled part of a build: with BGB_COMPILE=1 the modules that pyproject.toml lists become extensions.

Without it, or for a list of none, this is a package of plain Python. `make compile` runs it in place.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import tomllib
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
SOURCES = ROOT / "services"
PACKAGE = SOURCES / "boardgamesbot"
WANTED = os.environ.get("BGB_COMPILE") == "1"
BUILDER = "mypy>=2.4.1,<2.5"
"""Of the same series always: its run-time library, librt, changes with it."""


def listed() -> list[Path]:
    """The sources to compile. Raises SystemExit for an entry of the list that is no module."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["boardgamesbot"]["compile"]
    found: list[Path] = []
    for pattern in settings["modules"]:
        matching = sorted(path for path in PACKAGE.glob(pattern) if path.suffix == ".py")
        if not matching:
            raise SystemExit(f"pyproject.toml: tool.boardgamesbot.compile.modules: there is no {pattern}")
        found += matching
    return found


def check_constants(sources: list[Path]) -> None:
    """Raise SystemExit if a source to compile uses a `Final` of one that is not.

    The compiler may copy such a number to where it is used, and only the hashes of compiled sources are compared later.
    """
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text())):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("boardgamesbot."):
                continue
            home = SOURCES.joinpath(*str(node.module).split("."))
            for name in (alias.name for alias in node.names):
                module, wanted = home / f"{name}.py", ""
                if not module.exists():
                    module, wanted = home.with_suffix(".py"), name
                if module.exists() and module not in sources:
                    copied = [constant for constant in constants(module) if wanted in ("", constant)]
                    if copied:
                        raise SystemExit(
                            f"{source.relative_to(ROOT)} uses Final numbers of {module.relative_to(ROOT)} "
                            f"({', '.join(copied)}): put that on the list of what is compiled too (pyproject.toml)"
                        )


def constants(source: Path) -> list[str]:
    """The names that a module says are Final."""
    return [
        node.target.id
        for node in ast.parse(source.read_text()).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and "Final" in ast.unparse(node.annotation)
    ]


class Compile(build_ext):
    """Turns the listed modules into extensions, and leaves word of the sources that they were made from."""

    def finalize_options(self) -> None:
        if WANTED and self.distribution.ext_modules is None:
            builds = any(word.startswith(("b", "editable")) for word in sys.argv[1:])
            self.distribution.ext_modules = self._extensions() if builds else []
        super().finalize_options()
        self.force = self.force or WANTED

    def _extensions(self) -> list[object]:
        from mypyc.build import mypycify  # needed for this kind of build only

        sources = listed()
        check_constants(sources)
        os.environ["MYPYPATH"] = str(SOURCES)
        options = ["--config-file=", "--strict", "--ignore-missing-imports", "--allow-subclassing-any"]
        options += ["--allow-untyped-decorators", "--explicit-package-bases", "--follow-imports=silent"]
        made = mypycify(
            [*options, *(str(path.relative_to(ROOT)) for path in sources)],
            opt_level="3",
            debug_level="0",
            group_name="boardgamesbot",
            target_dir="build/engines",
        )
        for extension in made:
            extension.extra_compile_args.append("-Wno-error")
        return list(made)

    def run(self) -> None:
        super().run()
        if WANTED:
            sys.path.insert(0, str(PACKAGE))
            from compiled import MANIFEST, digest  # its package is not installed yet

            target = PACKAGE if self.inplace else Path(self.build_lib) / "boardgamesbot"
            made = {path.relative_to(PACKAGE).as_posix(): digest(path) for path in listed()}
            (target / MANIFEST).write_text(json.dumps(made, indent=1, sort_keys=True) + "\n")


class Package(Distribution):
    """Knows that there will be extensions before they are there: wheels are named for it."""

    def has_ext_modules(self) -> bool:
        return WANTED or super().has_ext_modules()


setup(cmdclass={"build_ext": Compile}, distclass=Package, setup_requires=[BUILDER] if WANTED else [])
